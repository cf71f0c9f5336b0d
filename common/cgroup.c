/* SPDX-License-Identifier: BSD-3-Clause */
#include "cgroup.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "small_file.h"

/* Version 1 says "no limit" as a number next to INT64_MAX, rounded down to pages. */
static const uint64_t no_limit_bytes = (uint64_t)1 << 62;

static void narrow_cpus(struct cgroup *cgroup, double quota_us, double period_us)
{
    if (quota_us > 0 && period_us > 0)
        cgroup->cpus = fmin(cgroup->cpus, quota_us / period_us); /* ignores NAN */
}

static void narrow_memory(struct cgroup *cgroup, const char *root, const char *directory,
                          const char *name)
{
    char path[SMALL_FILE_PATH], text[SMALL_FILE_TEXT];
    uint64_t bytes;

    snprintf(path, sizeof path, "%s/%s", directory, name);
    if (small_file_read(text, root, path) && sscanf(text, "%" SCNu64, &bytes) == 1 &&
        bytes < no_limit_bytes && bytes < cgroup->memory_bytes)
        cgroup->memory_bytes = bytes;
}

/* "max 100000" or "150000 100000" */
static void read_unified(struct cgroup *cgroup, const char *root, const char *directory)
{
    char path[SMALL_FILE_PATH], text[SMALL_FILE_TEXT];
    double quota_us, period_us;

    snprintf(path, sizeof path, "%s/cpu.max", directory);
    if (small_file_read(text, root, path) &&
        sscanf(text, "%lf %lf", &quota_us, &period_us) == 2)
        narrow_cpus(cgroup, quota_us, period_us);
    narrow_memory(cgroup, root, directory, "memory.max");
}

static double read_number(const char *root, const char *directory, const char *name)
{
    char path[SMALL_FILE_PATH], text[SMALL_FILE_TEXT];
    double number;

    snprintf(path, sizeof path, "%s/%s", directory, name);
    if (!small_file_read(text, root, path) || sscanf(text, "%lf", &number) != 1)
        return -1;
    return number;
}

static void read_cpu(struct cgroup *cgroup, const char *root, const char *directory)
{
    narrow_cpus(cgroup, read_number(root, directory, "cpu.cfs_quota_us"),
                read_number(root, directory, "cpu.cfs_period_us"));
}

static void read_memory(struct cgroup *cgroup, const char *root, const char *directory)
{
    narrow_memory(cgroup, root, directory, "memory.limit_in_bytes");
}

/* A line of /proc/self/cgroup is "NUMBER:CONTROLLERS:/PATH"; version 2 has no
 * controllers in it. Where they are mounted is convention. */
static const struct hierarchy {
    const char *controller, *mount;
    void (*read)(struct cgroup *cgroup, const char *root, const char *directory);
} hierarchies[] = {
    {"", "/sys/fs/cgroup", read_unified},
    {"", "/sys/fs/cgroup/unified", read_unified},
    {"cpu", "/sys/fs/cgroup/cpu", read_cpu},
    {"memory", "/sys/fs/cgroup/memory", read_memory},
};

/* From the group up to the mount point. Inside a container the path may be the host's,
 * and only the top is there: it is the container's own group then. */
static void climb(struct cgroup *cgroup, const char *root,
                  const struct hierarchy *hierarchy, const char *path)
{
    char directory[SMALL_FILE_PATH];
    size_t top = strlen(hierarchy->mount);

    if (snprintf(directory, sizeof directory, "%s%s", hierarchy->mount, path) >=
        (int)sizeof directory - 32)
        return;
    while (strlen(directory) >= top) {
        char *slash;

        hierarchy->read(cgroup, root, directory);
        slash = strrchr(directory, '/');
        *slash = '\0';
    }
}

/* Version 2 has no controllers, and "" is in its list. */
static bool lists(const char *controllers, const char *wanted)
{
    size_t length = strlen(wanted);

    for (const char *at = controllers; at; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, wanted, length) == 0 && strchr(",", at[length]))
            return true;
    }
    return false;
}

static void read_line(struct cgroup *cgroup, const char *root, char *line)
{
    char *controllers = strchr(line, ':');
    char *path = controllers ? strchr(controllers + 1, ':') : NULL;

    if (!path)
        return;
    *controllers++ = '\0';
    *path++ = '\0';
    for (size_t i = 0; i < sizeof hierarchies / sizeof *hierarchies; i++) {
        if (lists(controllers, hierarchies[i].controller))
            climb(cgroup, root, &hierarchies[i], path);
    }
}

void cgroup_read(struct cgroup *cgroup, const char *root)
{
    char text[SMALL_FILE_TEXT], *rest, *line;

    *cgroup = (struct cgroup){.cpus = NAN, .memory_bytes = UINT64_MAX};
    small_file_read(text, root, "/proc/self/cgroup");
    for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        read_line(cgroup, root, line);
}
