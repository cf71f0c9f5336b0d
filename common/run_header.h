/* SPDX-License-Identifier: BSD-3-Clause */
/* Provenance: everything about a run that a reader of its figures must know. */
#ifndef RACKMARK_RUN_HEADER_H
#define RACKMARK_RUN_HEADER_H

#include <jansson.h>

#include "backends/backend.h"
#include "binding.h"
#include "options.h"
#include "plan.h"
#include "world.h"

struct run_facts {
    const char *program; /* "rackmark-allreduce" */
    const struct world *world;
    const struct backend_type *backend;
    const struct plan *plan;
    const struct option_set *sets; /* for the effective configuration */
    size_t nsets;
    const char (*hosts)[WORLD_HOST_TEXT]; /* one per node, nnodes of them */
    const int *ranks_per_node;            /* likewise */
    const int *node;                      /* of each rank; NULL: bindings are left out */
    const struct binding *binding;        /* of each rank */
};

/* The header object: kind, schema, run (a random id), program, version, git, start_utc,
 * backend, world, hosts, config, plan (count and hash, equal for launches with the same
 * plan), environment (allow-list), system (this host: kernel, CPU, cores, NUMA, memory,
 * page size, governor), build (compiler), libraries. What is not known is left out. NULL
 * when out of memory. */
json_t *run_header_make(const struct run_facts *facts);

#endif
