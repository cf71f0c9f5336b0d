/* SPDX-License-Identifier: BSD-3-Clause */
#include "schedule.h"

#include <math.h>
#include <string.h>

#include "stats.h"

enum { BLOCKS_LEAST = SCHEDULE_BLOCKS_LEAST, BLOCKS_USUAL = 20 };
static const double batch_length_most = 1e6;

/* Numbers of blocks whose interval covers little more than 95 % (95.1 to 96.9): others
 * cover up to 98 %, wider than they say. */
static const int good_blocks[] = {20, 17, 15, 12, 9, BLOCKS_LEAST};
enum { GOOD_BLOCKS = sizeof good_blocks / sizeof good_blocks[0] };

/* A batch that is shorter is blurred by its start and end. */
static const double batch_seconds_least = 1e-3;

/* A block of that many times the correlation time hardly depends on its neighbours. */
static const double block_correlation_times = 10;

const char *stop_name(enum stop stop)
{
    static const char *const names[] = {
        [STOP_ITERATIONS] = "iterations", [STOP_PRECISION] = "precision",
        [STOP_MAX_TIME] = "max-time",     [STOP_MAX_ITERATIONS] = "max-iterations",
        [STOP_MIN_BLOCKS] = "min-blocks", [STOP_NOT_OFFERED] = "not offered",
    };

    return names[stop];
}

void schedule_fixed(struct schedule *schedule, uint64_t iterations, uint64_t length_most)
{
    uint64_t blocks = BLOCKS_USUAL;

    if (iterations / length_most >= blocks)
        blocks = iterations / length_most + (iterations % length_most > 0);
    if (blocks > iterations)
        blocks = iterations;
    *schedule = (struct schedule){
        .repetitions = iterations,
        .blocks = blocks,
        .stretches = blocks < BLOCKS_USUAL ? blocks : BLOCKS_USUAL,
        .stop = STOP_ITERATIONS,
    };
}

static double clamp(double value, double least, double most)
{
    return fmin(fmax(value, least), most);
}

static double pilot_median(const struct pilot *pilot)
{
    return stats_quantile(pilot->scratch, pilot->count, 0.5);
}

/* Order statistics of few blocks, and a pilot's guess, scatter: this much of the
 * precision is aimed at, so that most points meet the whole of it. */
static const double precision_share = 0.6;

/* Samples that the precision takes: the pilot's own interval of the median narrows with
 * the square root of their number. Infinite where the pilot cannot tell. */
static double samples_needed(const struct pilot *pilot, double precision,
                             double correlation_time)
{
    const double z = 1.96; /* 95 % of a normal distribution, in units of its spread */
    double independent = (double)pilot->count / correlation_time;
    double reach = z / 2 / sqrt(independent);

    if (precision <= 0 || reach >= 0.5 || pilot_median(pilot) <= 0)
        return INFINITY;
    double low = stats_quantile(pilot->scratch, pilot->count, 0.5 - reach);
    double high = stats_quantile(pilot->scratch, pilot->count, 0.5 + reach);
    double half_width = (high - low) / 2 / pilot_median(pilot);

    return (double)pilot->count * pow(half_width / (precision_share * precision), 2);
}

static double time_of(const struct block_cost *cost, double blocks, double repetitions)
{
    return blocks * cost->fixed + repetitions * cost->per_repetition;
}

/* A stretch is one block, or several where that would be too long. */
static void schedule_stretches(struct schedule *schedule, const struct aim *aim,
                               double stretches, double repetitions, enum stop stop)
{
    double parts = ceil(repetitions / stretches / (double)aim->length_most);

    *schedule = (struct schedule){
        .repetitions = (uint64_t)repetitions,
        .blocks = (uint64_t)(stretches * parts),
        .stretches = (uint64_t)stretches,
        .stop = stop,
    };
}

/* The most stretches, long enough not to depend on each other, which hold all the
 * samples that are needed, that there is time for. */
static bool schedule_needed(struct schedule *schedule, const struct aim *aim,
                            const struct block_cost *cost, double needed,
                            double length_least)
{
    double wanted =
        clamp(ceil(needed), (double)aim->min_iterations, (double)aim->max_iterations);

    for (int i = 0; i < GOOD_BLOCKS; i++) {
        double stretches = good_blocks[i];
        double repetitions = fmax(wanted, stretches * length_least);

        if (repetitions > (double)aim->max_iterations)
            continue;
        schedule_stretches(schedule, aim, stretches, repetitions,
                           needed > wanted ? STOP_MAX_ITERATIONS : STOP_PRECISION);
        if (time_of(cost, (double)schedule->blocks, repetitions) <= aim->max_time)
            return true;
    }
    return false;
}

/* Repetitions in that many stretches that there is time for: with one block more in
 * each, or with full ones and time to spare. */
static double possible(const struct aim *aim, const struct block_cost *cost,
                       double stretches)
{
    double length_most = (double)aim->length_most;
    double parts =
        fmax(ceil(aim->max_time / stretches / time_of(cost, 1, length_most)), 1);
    double left = aim->max_time - stretches * parts * cost->fixed;

    return fmax(floor(left / cost->per_repetition),
                stretches * (parts - 1) * length_most);
}

/* What there is time for, in the most stretches that are long enough not to depend on
 * each other, or in the fewest. */
static void schedule_possible(struct schedule *schedule, const struct aim *aim,
                              const struct block_cost *cost, double length_least)
{
    double most = (double)aim->max_iterations, stretches = BLOCKS_LEAST, fit = 0;

    for (int i = 0; i < GOOD_BLOCKS; i++) {
        stretches = good_blocks[i];
        fit = possible(aim, cost, stretches);
        if (fmin(fit, most) >= stretches * length_least)
            break;
    }
    schedule_stretches(schedule, aim, stretches, fmax(fmin(fit, most), stretches),
                       fit < stretches ? STOP_MIN_BLOCKS
                       : fit > most    ? STOP_MAX_ITERATIONS
                                       : STOP_MAX_TIME);
}

static void schedule_isolated(struct schedule *schedule, const struct aim *aim,
                              const struct pilot *pilot)
{
    double correlation =
        stats_correlation_time(pilot->seconds, pilot->count, pilot_median(pilot));
    double needed = samples_needed(pilot, aim->precision, correlation);
    double least = correlation > 1 ? ceil(block_correlation_times * correlation) : 1;

    if (!schedule_needed(schedule, aim, &pilot->cost, needed, least))
        schedule_possible(schedule, aim, &pilot->cost, least);
}

uint64_t schedule_batch(const struct block_cost *cost, uint64_t length_most)
{
    double most = fmin(batch_length_most, (double)length_most);
    double seconds = fmax(batch_seconds_least, cost->fixed);

    return (uint64_t)clamp(ceil(seconds / cost->per_repetition), 1, most);
}

/* A sample is a batch; --min-iterations and --max-iterations count what is in them. */
static void schedule_streaming(struct schedule *schedule, const struct aim *aim,
                               const struct pilot *pilot)
{
    double iterations_most = (double)aim->max_iterations;
    double length = clamp(floor(iterations_most / BLOCKS_LEAST), 1,
                          (double)schedule_batch(&pilot->cost, aim->length_most));
    double needed = samples_needed(pilot, aim->precision, 1);
    double most = fmax(floor(iterations_most / length), BLOCKS_LEAST);
    double least = clamp(ceil((double)aim->min_iterations / length), BLOCKS_LEAST, most);
    double fit = floor(aim->max_time / time_of(&pilot->cost, 1, length));
    double wanted = clamp(ceil(needed), least, most);
    double blocks = fmax(fmin(wanted, fit), BLOCKS_LEAST);

    *schedule = (struct schedule){
        .repetitions = (uint64_t)(blocks * length),
        .blocks = (uint64_t)blocks,
        .stretches = (uint64_t)blocks,
        .stop = fit < BLOCKS_LEAST ? STOP_MIN_BLOCKS
                : fit < wanted     ? STOP_MAX_TIME
                : needed > wanted  ? STOP_MAX_ITERATIONS
                                   : STOP_PRECISION,
    };
}

void schedule_from_pilot(struct schedule *schedule, enum timing timing,
                         const struct aim *aim, const struct pilot *pilot)
{
    struct pilot sorted = *pilot;

    sorted.cost.per_repetition = fmax(pilot->cost.per_repetition, 1e-9);
    memcpy(sorted.scratch, sorted.seconds, sorted.count * sizeof *sorted.seconds);
    stats_sort(sorted.scratch, sorted.count);
    if (timing == TIMING_STREAMING)
        schedule_streaming(schedule, aim, &sorted);
    else
        schedule_isolated(schedule, aim, &sorted);
}

uint64_t schedule_length(const struct schedule *schedule, uint64_t block)
{
    return schedule->repetitions / schedule->blocks +
           (block < schedule->repetitions % schedule->blocks);
}
