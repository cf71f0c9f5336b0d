/* SPDX-License-Identifier: BSD-3-Clause */
/* Without hwloc: what the C library knows. */
#include "topology.h"

#include <unistd.h>

int topology_read(struct topology *topology, struct err *err)
{
    long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
    long threads = sysconf(_SC_NPROCESSORS_ONLN);

    (void)err;
    *topology = (struct topology){-1, -1, -1, -1, .cpu = ""};
    if (threads > 0)
        topology->threads = (int)threads;
    if (pages > 0 && page_bytes > 0)
        topology->memory_bytes = (uint64_t)pages * (uint64_t)page_bytes;
    return 0;
}

int topology_bound_cores(void)
{
    return 0;
}

const char *topology_library(void)
{
    return "none";
}
