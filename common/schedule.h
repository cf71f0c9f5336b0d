/* SPDX-License-Identifier: BSD-3-Clause */
/* How many repetitions a point gets, and in which blocks. A block is what is run
 * between two checks of the data; it has seeds of its own. Decided before the
 * measurement, from a pilot that is thrown away: stopping as soon as an interval looks
 * narrow would make it cover less than it says. */
#ifndef RACKMARK_SCHEDULE_H
#define RACKMARK_SCHEDULE_H

#include <stddef.h>
#include <stdint.h>

#include "config.h"

enum stop {
    STOP_ITERATIONS,     /* --iterations was given */
    STOP_PRECISION,      /* enough for the precision that was asked for */
    STOP_MAX_TIME,       /* --max-time is used up */
    STOP_MAX_ITERATIONS, /* --max-iterations are used up */
    STOP_MIN_BLOCKS,     /* fewer would have no interval, though it took longer */
    STOP_NOT_OFFERED     /* the backend has no such point: nothing was run */
};

const char *stop_name(enum stop stop); /* as in records */

struct schedule {
    uint64_t repetitions, blocks;
    uint64_t stretches; /* of samples, that the interval stands on: stats_of's blocks */
    enum stop stop;
};

/* What a block costs: seconds of wall time. */
struct block_cost {
    double per_repetition; /* everything that each repetition adds */
    double fixed;          /* filling and checking the data of a block */
};

struct pilot {
    struct block_cost cost;
    const double *seconds; /* samples, in order */
    double *scratch;       /* room for as many */
    size_t count;
};

/* What is wanted. */
struct aim {
    double precision; /* half of the interval's width over the median; 0: all the time */
    double max_time;  /* seconds */
    uint64_t min_iterations, max_iterations;
    uint64_t length_most; /* repetitions that a block can hold */
};

/* A 95 % interval of a median needs six values. */
enum { SCHEDULE_BLOCKS_LEAST = 6 };

/* Repetitions of a block with isolated timing: as many samples are kept on each rank. */
enum { SCHEDULE_LENGTH_MOST = 65536 };

/* As many repetitions as --iterations says, in blocks of at most length_most. */
void schedule_fixed(struct schedule *schedule, uint64_t iterations, uint64_t length_most);

/* As the pilot suggests. At least six blocks. */
void schedule_from_pilot(struct schedule *schedule, enum timing timing,
                         const struct aim *aim, const struct pilot *pilot);

/* Repetitions of a batch with streaming timing, so that it lasts a millisecond, and as
 * long as filling and checking its data where that takes more. */
uint64_t schedule_batch(const struct block_cost *cost, uint64_t length_most);

/* Repetitions of block `block`: they differ by one at the most. */
uint64_t schedule_length(const struct schedule *schedule, uint64_t block);

#endif
