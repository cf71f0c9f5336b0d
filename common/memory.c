/* SPDX-License-Identifier: BSD-3-Clause */
#include "memory.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const uint64_t unknown = UINT64_MAX;

/* The number that follows `key` at the start of a line; an empty key takes the first
 * line. "max", or no file: unknown. */
static uint64_t read_number(const char *path, const char *key)
{
    char line[256];
    unsigned long long value;
    uint64_t found = unknown;
    FILE *file = fopen(path, "re");

    if (!file)
        return unknown;
    while (found == unknown && fgets(line, sizeof line, file)) {
        size_t skip = strlen(key);

        if (strncmp(line, key, skip) == 0 && sscanf(line + skip, "%llu", &value) == 1)
            found = value;
    }
    fclose(file);
    return found;
}

/* What one cgroup leaves: its limit less its use. Page cache counts as used there, so
 * what the kernel can take back is added. */
static uint64_t cgroup_left(const char *directory, const char *limit, const char *usage)
{
    char path[4096];

    snprintf(path, sizeof path, "%s/%s", directory, limit);
    uint64_t most = read_number(path, "");
    snprintf(path, sizeof path, "%s/%s", directory, usage);
    uint64_t used = read_number(path, "");
    if (most == unknown || used == unknown)
        return unknown;
    snprintf(path, sizeof path, "%s/memory.stat", directory);
    uint64_t cache = read_number(path, "inactive_file ");
    if (cache != unknown && cache <= used)
        used -= cache;
    return most > used ? most - used : 0;
}

/* The least that the process's cgroup and those above it leave. */
static uint64_t cgroup_available(void)
{
    char line[2048], directory[4096];
    uint64_t least = unknown;
    FILE *file = fopen("/proc/self/cgroup", "re");

    if (!file)
        return unknown;
    while (fgets(line, sizeof line, file)) {
        bool v2 = strncmp(line, "0::", 3) == 0;
        char *group = strrchr(line, ':');

        if (!group || (!v2 && !strstr(line, ":memory:")))
            continue;
        group[strcspn(group, "\n")] = '\0';
        for (char *end = group + strlen(group); end; end = strrchr(group + 1, '/')) {
            *end = '\0';
            snprintf(directory, sizeof directory, "/sys/fs/cgroup%s%s",
                     v2 ? "" : "/memory", group + 1);
            uint64_t left =
                v2 ? cgroup_left(directory, "memory.max", "memory.current")
                   : cgroup_left(directory, "memory.limit_in_bytes",
                                 "memory.usage_in_bytes");
            if (left < least)
                least = left;
        }
    }
    fclose(file);
    return least;
}

uint64_t memory_available(void)
{
    uint64_t kib = read_number("/proc/meminfo", "MemAvailable:");
    uint64_t host = kib == unknown ? unknown : kib * 1024;
    uint64_t group = cgroup_available();

    return host < group ? host : group;
}
