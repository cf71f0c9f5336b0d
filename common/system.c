/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE 1 /* sched_getaffinity */
#include "system.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "cgroup.h"
#include "clean.h"
#include "small_file.h"
#include "topology.h"

/* Where facts come from, read once. */
struct source {
    const char *root;
    struct utsname uname;
    struct topology topology;
    struct cgroup cgroup;
};

static json_t *known_count(int count)
{
    return count >= 0 ? json_integer(count) : NULL;
}

static json_t *file_text(const char *root, const char *path)
{
    char text[SMALL_FILE_TEXT];

    return small_file_read(text, root, path) ? clean_json(text) : NULL;
}

static json_t *get_host(const struct source *source)
{
    return clean_json(source->uname.nodename);
}

static json_t *get_kernel(const struct source *source)
{
    char text[2 * sizeof source->uname.sysname + 2];

    snprintf(text, sizeof text, "%s %s", source->uname.sysname, source->uname.release);
    return clean_json(text);
}

static json_t *get_machine(const struct source *source)
{
    return clean_json(source->uname.machine);
}

/* PRETTY_NAME="Debian GNU/Linux 12 (bookworm)" */
static json_t *get_os(const struct source *source)
{
    char text[SMALL_FILE_TEXT], *name;

    small_file_read(text, source->root, "/etc/os-release");
    name = small_file_line(text, "PRETTY_NAME=");
    if (!name)
        return NULL;
    name += strspn(name, "\"'");
    name[strcspn(name, "\"'")] = '\0';
    return clean_json(name);
}

/* Where hwloc does not say, the kernel may. */
static json_t *get_cpu(const struct source *source)
{
    char text[SMALL_FILE_TEXT], *name;

    if (source->topology.cpu[0])
        return clean_json(source->topology.cpu);
    small_file_read(text, source->root, "/proc/cpuinfo");
    name = small_file_line(text, "model name");
    return name ? clean_json(name + strspn(name, "\t :")) : NULL;
}

static json_t *get_packages(const struct source *source)
{
    return known_count(source->topology.packages);
}

static json_t *get_cores(const struct source *source)
{
    return known_count(source->topology.cores);
}

static json_t *get_threads(const struct source *source)
{
    return known_count(source->topology.threads);
}

static json_t *get_numa_nodes(const struct source *source)
{
    return known_count(source->topology.numa_nodes);
}

/* Grows the set until the kernel's fits. */
static json_t *get_affinity(const struct source *source)
{
    int count = -1;

    (void)source;
    for (int most = 1024; count < 0 && most <= 1 << 20; most *= 2) {
        cpu_set_t *set = CPU_ALLOC((size_t)most);
        size_t bytes = CPU_ALLOC_SIZE((size_t)most);

        if (set && sched_getaffinity(0, bytes, set) == 0)
            count = CPU_COUNT_S(bytes, set);
        CPU_FREE(set);
    }
    return known_count(count);
}

static json_t *get_memory(const struct source *source)
{
    uint64_t bytes = source->topology.memory_bytes;

    return bytes ? json_integer((json_int_t)bytes) : NULL;
}

static json_t *get_page_size(const struct source *source)
{
    (void)source;
    return json_integer(sysconf(_SC_PAGESIZE));
}

/* "always [madvise] never": the word in brackets holds. */
static json_t *get_huge_pages(const struct source *source)
{
    char text[SMALL_FILE_TEXT], *word;

    small_file_read(text, source->root, "/sys/kernel/mm/transparent_hugepage/enabled");
    word = strchr(text, '[');
    if (!word)
        return NULL;
    word[strcspn(word, "]")] = '\0';
    return clean_json(word + 1);
}

static json_t *get_governor(const struct source *source)
{
    return file_text(source->root,
                     "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
}

static json_t *get_clocksource(const struct source *source)
{
    return file_text(source->root,
                     "/sys/devices/system/clocksource/clocksource0/current_clocksource");
}

static json_t *get_cgroup_cpus(const struct source *source)
{
    return isfinite(source->cgroup.cpus) ? json_real(source->cgroup.cpus) : NULL;
}

static json_t *get_cgroup_memory(const struct source *source)
{
    uint64_t bytes = source->cgroup.memory_bytes;

    return bytes != UINT64_MAX ? json_integer((json_int_t)bytes) : NULL;
}

static json_t *get_container(const struct source *source)
{
    static const struct {
        const char *mark, *name;
    } marks[] = {
        {"/.dockerenv", "docker"},
        {"/run/.containerenv", "podman"},
        {"/.singularity.d", "apptainer"},
    };

    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        if (small_file_exists(source->root, marks[i].mark))
            return json_string(marks[i].name);
    }
    return NULL;
}

/* clang-format off */
static const struct fact {
    const char *key;
    json_t *(*get)(const struct source *source); /* NULL: not known */
} facts[] = {
    {"host", get_host},
    {"os", get_os},
    {"kernel", get_kernel},
    {"machine", get_machine},
    {"cpu", get_cpu},
    {"packages", get_packages},
    {"cores", get_cores},
    {"threads", get_threads},
    {"numa_nodes", get_numa_nodes},         /* that have CPUs */
    {"affinity_cpus", get_affinity},        /* threads that rank 0 may use */
    {"governor", get_governor},             /* of CPU 0 */
    {"clocksource", get_clocksource},
    {"memory_bytes", get_memory},
    {"page_size_bytes", get_page_size},
    {"transparent_hugepage", get_huge_pages},
    {"cgroup_cpus", get_cgroup_cpus},
    {"cgroup_memory_bytes", get_cgroup_memory},
    {"container", get_container},
};
/* clang-format on */

json_t *system_json(const char *root)
{
    struct source source = {.root = root};
    struct err ignored = {.code = 0};
    json_t *object = json_object();

    uname(&source.uname);
    topology_read(&source.topology, &ignored);
    cgroup_read(&source.cgroup, root);
    for (size_t i = 0; object && i < sizeof facts / sizeof *facts; i++)
        json_object_set_new(object, facts[i].key, facts[i].get(&source));
    return object;
}
