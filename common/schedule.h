/* SPDX-License-Identifier: BSD-3-Clause */
/* How many repetitions a point gets, and in which blocks. A block is what is run
 * between two checks of the data; it has seeds of its own. */
#ifndef RACKMARK_SCHEDULE_H
#define RACKMARK_SCHEDULE_H

#include <stdint.h>

#include "config.h"

enum stop {
    STOP_ITERATIONS, /* --iterations was given */
    STOP_MAX_TIME,   /* --max-time is used up */
    STOP_MOST,       /* enough repetitions before the time was up */
    STOP_LEAST,      /* fewer would have no interval, though it took longer */
    STOP_NOT_OFFERED /* the backend has no such point: nothing was run */
};

const char *stop_name(enum stop stop); /* as in records */

struct schedule {
    uint64_t repetitions, blocks;
    enum stop stop;
};

/* What a block costs, from a pilot: seconds of wall time. */
struct block_cost {
    double per_repetition; /* everything that each repetition adds */
    double fixed;          /* filling and checking the data of a block */
};

enum { SCHEDULE_LENGTH_MOST = 1000 }; /* repetitions of a block with isolated timing */

void schedule_fixed(struct schedule *schedule, enum timing timing, uint64_t iterations);
void schedule_timed(struct schedule *schedule, enum timing timing, double max_time,
                    struct block_cost cost);

/* Repetitions of block `block`: they differ by one at the most. */
uint64_t schedule_length(const struct schedule *schedule, uint64_t block);

#endif
