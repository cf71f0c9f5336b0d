/* SPDX-License-Identifier: BSD-3-Clause */
/* From a point to a record: warm-up, pilot, timed blocks, checks, statistics. */
#ifndef RACKMARK_MEASURE_H
#define RACKMARK_MEASURE_H

#include <stdbool.h>

#include "backends/backend.h"
#include "buffers.h"
#include "config.h"
#include "err.h"
#include "plan.h"
#include "record.h"
#include "roster.h"
#include "samples.h"
#include "schedule.h"
#include "verify.h"
#include "world.h"

struct measure {
    struct world *world;
    struct backend *backend;
    const struct config *config;
    const struct roster *roster; /* filled at rank 0 */
    struct buffers buffers;
    struct verifier *verifier;
    uint64_t cache_bytes;       /* of the plan */
    struct backend_call *calls; /* of the slots of the point under way */
    struct values *values;      /* likewise */
    struct world_max *times;    /* of one block */
    struct samples samples;     /* at rank 0 */
};

/* Allocates what measuring the plan takes. Collective. */
int measure_open(struct measure *measure, struct world *world, struct backend *backend,
                 const struct config *config, const struct plan *plan,
                 const struct roster *roster, struct err *err);
void measure_close(struct measure *measure);

/* Collective. The record is whole at rank 0; elsewhere only its `wrong` is set. Wrong
 * data is no error here: see record->wrong, which is the same on all ranks. number: of
 * the point in the plan. Fails with EXIT_CODE_FAILURE, on one rank perhaps: the world
 * can only be aborted then. */
int measure_point(struct measure *measure, const struct point *point, size_t number,
                  struct record *record, struct err *err);

#endif
