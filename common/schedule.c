/* SPDX-License-Identifier: BSD-3-Clause */
#include "schedule.h"

#include <math.h>

/* A 95 % interval of a median needs six values. */
enum { BLOCKS_LEAST = 6, BLOCKS_USUAL = 10, BATCHES_USUAL = 20 };
enum { BATCH_LENGTH_MOST = 1000000 };

/* A batch that is shorter is blurred by its start and end. */
static const double batch_seconds_least = 1e-3;

const char *stop_name(enum stop stop)
{
    static const char *const names[] = {
        [STOP_ITERATIONS] = "iterations",
        [STOP_MAX_TIME] = "max-time",
        [STOP_MOST] = "max-repetitions",
        [STOP_LEAST] = "min-repetitions",
        [STOP_NOT_OFFERED] = "not offered",
    };

    return names[stop];
}

void schedule_fixed(struct schedule *schedule, enum timing timing, uint64_t iterations)
{
    uint64_t blocks = timing == TIMING_STREAMING ? BATCHES_USUAL : BLOCKS_USUAL;

    if (timing == TIMING_ISOLATED && iterations / SCHEDULE_LENGTH_MOST >= blocks)
        blocks = iterations / SCHEDULE_LENGTH_MOST + 1;
    if (blocks > iterations)
        blocks = iterations;
    *schedule = (struct schedule){
        .repetitions = iterations,
        .blocks = blocks,
        .stop = STOP_ITERATIONS,
    };
}

static double clamp(double value, double least, double most)
{
    return fmin(fmax(value, least), most);
}

void schedule_timed(struct schedule *schedule, enum timing timing, double max_time,
                    struct block_cost cost)
{
    bool streaming = timing == TIMING_STREAMING;
    double usual = streaming ? BATCHES_USUAL : BLOCKS_USUAL;
    double most = streaming ? BATCH_LENGTH_MOST : SCHEDULE_LENGTH_MOST;
    double each = fmax(cost.per_repetition, 1e-9);
    double least = streaming ? clamp(ceil(batch_seconds_least / each), 1, most) : 1;
    double length = clamp(floor((max_time / usual - cost.fixed) / each), least, most);
    double fit = floor(max_time / (cost.fixed + length * each));
    double blocks = clamp(fit, BLOCKS_LEAST, usual);

    *schedule = (struct schedule){
        .repetitions = (uint64_t)(length * blocks),
        .blocks = (uint64_t)blocks,
        .stop = fit < BLOCKS_LEAST                      ? STOP_LEAST
                : length == most && blocks == usual ? STOP_MOST
                                                        : STOP_MAX_TIME,
    };
}

uint64_t schedule_length(const struct schedule *schedule, uint64_t block)
{
    return schedule->repetitions / schedule->blocks +
           (block < schedule->repetitions % schedule->blocks);
}
