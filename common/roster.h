/* SPDX-License-Identifier: BSD-3-Clause */
/* What rank 0 knows of all ranks: which host each is on, and whether its memory
 * suffices. Gathered once, before anything is measured. */
#ifndef RACKMARK_ROSTER_H
#define RACKMARK_ROSTER_H

#include <stdint.h>

#include "binding.h"
#include "err.h"
#include "world.h"

struct roster {
    int nranks, nnodes;
    int *node;                      /* of each rank */
    struct binding *binding;        /* of each rank */
    char (*hosts)[WORLD_HOST_TEXT]; /* name of each node */
    int *ranks;                     /* on each node */
    int *cpus;                  /* that the ranks of each node may run on; 0: unknown */
    uint64_t *need, *available; /* bytes on each node */
    double nic_Bps;             /* least rate of a host's network; 0: unknown */
};

/* Collective; fills roster at rank 0 alone. need: bytes that this rank will allocate. */
int roster_gather(struct roster *roster, struct world *world, uint64_t need_bytes,
                  struct err *err);
void roster_free(struct roster *roster);

/* The host of a rank; "" where rank is -1. */
const char *roster_host(const struct roster *roster, int rank);

/* EXIT_CODE_USAGE with the host, what it needs and has, and what would fit, when a
 * host's memory does not suffice. largest: the plan's largest size. */
int roster_check_memory(const struct roster *roster, uint64_t largest_bytes,
                        struct err *err);

#endif
