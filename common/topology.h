/* SPDX-License-Identifier: BSD-3-Clause */
/* What this host is made of. One of topology_hwloc.c and topology_none.c is built. */
#ifndef RACKMARK_TOPOLOGY_H
#define RACKMARK_TOPOLOGY_H

#include <stdint.h>

#include "err.h"

enum { TOPOLOGY_TEXT = 128 };

/* Of the whole machine, whatever part of it this process may use. Unknown: -1, "", 0. */
struct topology {
    int packages, cores, threads;
    int numa_nodes;          /* those with CPUs: not memory on its own */
    char cpu[TOPOLOGY_TEXT]; /* model */
    uint64_t memory_bytes;   /* of all NUMA nodes */
};

/* EXIT_CODE_FAILURE when nothing can be read; everything is unknown then. */
int topology_read(struct topology *topology, struct err *err);

/* Physical cores that the calling process may run on; 0: unknown. */
int topology_bound_cores(void);

/* "hwloc 2.9.0", "none": what reads it. */
const char *topology_library(void);

#endif
