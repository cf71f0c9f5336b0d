/* SPDX-License-Identifier: BSD-3-Clause */
#include "binding.h"

#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "topology.h"

/* Adds "first" or "first-last". Returns false where the text is full. */
static int add_range(char text[BINDING_TEXT], size_t *length, int first, int last)
{
    char range[32];
    size_t size =
        (size_t)snprintf(range, sizeof range, first == last ? "%s%d" : "%s%d-%d",
                         *length ? "," : "", first, last);

    if (*length + size + sizeof "..." > BINDING_TEXT) {
        strcpy(text + *length, "...");
        return 0;
    }
    memcpy(text + *length, range, size + 1);
    *length += size;
    return 1;
}

void binding_list(const unsigned char *set, int count, char text[BINDING_TEXT])
{
    size_t length = 0;

    text[0] = '\0';
    for (int first = 0; first < count; first++) {
        int last = first;

        if (!set[first])
            continue;
        while (last + 1 < count && set[last + 1])
            last++;
        if (!add_range(text, &length, first, last))
            return;
        first = last;
    }
}

void binding_read(struct binding *binding)
{
    unsigned char set[CPU_SETSIZE] = {0};
    cpu_set_t cpus;

    *binding = (struct binding){0};
    if (sched_getaffinity(0, sizeof cpus, &cpus) != 0)
        return;
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        set[cpu] = CPU_ISSET(cpu, &cpus) != 0;
    binding_list(set, CPU_SETSIZE, binding->cpus);
    binding->ncpus = CPU_COUNT(&cpus);
    binding->ncores = topology_bound_cores();
}

int binding_room(const struct binding *binding)
{
    return binding->ncores > 0 ? binding->ncores : binding->ncpus;
}
