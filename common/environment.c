/* SPDX-License-Identifier: BSD-3-Clause */
#include "environment.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "clean.h"
#include "err.h"

/* clang-format off */
/* A star at the end stands for any rest. */
static const char *const allowed[] = {
    /* MPI libraries and what they stand on */
    "OMPI_MCA_*", "PRTE_MCA_*", "PMIX_MCA_*", "MPICH_*", "MPIR_CVAR_*", "I_MPI_*", "MV2_*",
    "UCX_*", "UCC_*", "HCOLL_*", "SHARP_*", "FI_*", "PSM2_*", "PSM3_*",
    /* accelerators */
    "NCCL_*", "CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER", "CUDA_DEVICE_MAX_CONNECTIONS",
    "NVIDIA_VISIBLE_DEVICES", "NVSHMEM_*",
    /* threads and where they run */
    "OMP_NUM_THREADS", "OMP_PROC_BIND", "OMP_PLACES", "GOMP_CPU_AFFINITY", "KMP_AFFINITY",
    "HWLOC_*",
    /* the job */
    "SLURM_JOB_ID", "SLURM_JOB_NUM_NODES", "SLURM_JOB_PARTITION", "SLURM_NTASKS",
    "SLURM_NTASKS_PER_NODE", "SLURM_CPU_BIND", "SLURM_DISTRIBUTION", "SLURM_MPI_TYPE",
    /* which libraries are loaded, and how they behave */
    "LD_PRELOAD", "LD_LIBRARY_PATH", "GLIBC_TUNABLES", "MALLOC_ARENA_MAX", "RACKMARK_*",
};
/* clang-format on */

/* What mpirun tells its ranks about itself: addresses, directories, process numbers. */
static const char *const launchers[] = {
    "OMPI_MCA_orte_*",
    "OMPI_MCA_ess*",
    "OMPI_MCA_initial_wdir",
    "PRTE_MCA_ess*",
    "MPIR_CVAR_CH3_INTERFACE_HOSTNAME",
};

/* Anywhere in a name, in capitals or not. */
static const char *const secrets[] = {"TOKEN",      "SECRET", "PASSWORD", "PASSWD",
                                      "CREDENTIAL", "KEY",    "COOKIE",   "AUTH",
                                      "PASSPHRASE", "_PW",    "_PASS"};

#define COUNT(table) (sizeof(table) / sizeof *(table))

static bool matches(const char *name, size_t length, const char *pattern)
{
    size_t stem = strcspn(pattern, "*");

    if (pattern[stem] == '*')
        return length >= stem && strncmp(name, pattern, stem) == 0;
    return length == stem && strncmp(name, pattern, stem) == 0;
}

static bool matches_any(const char *name, size_t length, const char *const *patterns,
                        size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (matches(name, length, patterns[i]))
            return true;
    }
    return false;
}

static bool looks_secret(const char *name, size_t length)
{
    for (size_t i = 0; i < COUNT(secrets); i++) {
        size_t word = strlen(secrets[i]);

        for (size_t at = 0; at + word <= length; at++) {
            if (strncasecmp(name + at, secrets[i], word) == 0)
                return true;
        }
    }
    return false;
}

/* "https://user:password@host", and the like without a scheme. */
static bool holds_password(const char *value)
{
    const char *at = strchr(value, '@');
    const char *colon = strchr(value, ':');

    return at && colon && colon < at;
}

bool environment_records(const char *name, size_t length)
{
    return matches_any(name, length, allowed, COUNT(allowed)) &&
           !matches_any(name, length, launchers, COUNT(launchers)) &&
           !looks_secret(name, length);
}

static int add(json_t *object, const char *entry, size_t length)
{
    char *name = strndup(entry, length);
    const char *value = entry + length + 1;
    json_t *json = *value ? clean_json(value) : json_string("");
    int rc = -1;

    if (name && json) {
        err_clean(name);
        rc = json_object_set(object, name, json);
    }
    json_decref(json);
    free(name);
    return rc;
}

json_t *environment_json(char *const *entries)
{
    json_t *object = json_object();

    for (; object && *entries; entries++) {
        size_t length = strcspn(*entries, "=");

        if ((*entries)[length] != '=' || !environment_records(*entries, length) ||
            holds_password(*entries + length + 1))
            continue;
        if (add(object, *entries, length) != 0) {
            json_decref(object);
            object = NULL;
        }
    }
    return object;
}
