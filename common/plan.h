/* SPDX-License-Identifier: BSD-3-Clause */
/* The plan is data, made before anything runs: the list of points, the same on all
 * ranks. */
#ifndef RACKMARK_PLAN_H
#define RACKMARK_PLAN_H

#include <stddef.h>
#include <stdint.h>

#include "config.h"
#include "datatypes.h"
#include "err.h"
#include "operations.h"
#include "patterns.h"
#include "shape.h"

struct point {
    const struct operation *operation;
    const struct pattern *pattern; /* NULL for collectives */
    enum datatype_id datatype;
    enum op_id op; /* meaningful where the operation reduces */
    enum timing timing;
    enum placement placement;
    uint64_t bytes;  /* as measured: rounded up to whole blocks of whole elements */
    uint64_t window; /* messages per peer and repetition; 1 for collectives */
    int root;        /* of operations that have one */
};

struct plan {
    struct point *points;
    size_t count;
    uint64_t cache_bytes; /* the largest last-level cache of any host; 0: unknown */
    uint64_t rounded;     /* sizes that were rounded up to whole blocks */
};

/* operations is ended by NULL. Fails with EXIT_CODE_USAGE when nothing would be
 * measured, with EXIT_CODE_FAILURE when out of memory. */
int plan_make(struct plan *plan, const struct config *config,
              const struct operation *const *operations, int nranks, struct err *err);

/* Puts the points into an order that follows from the seed alone. */
void plan_shuffle(struct plan *plan, uint64_t seed);

void plan_free(struct plan *plan);

/* The shape of a point on one rank. */
void plan_shape(const struct point *point, int rank, int nranks, struct shape *shape);

#endif
