/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "figures.h"
#include "trial.h"
#include "utc.h"

/* The pilot's share of --max-time, and how many samples it takes at the most. */
static const double pilot_share = 0.1;
enum { PILOT_SAMPLES = 1000, PILOT_BATCHES = 8 };

/* Blocks of the pilot have the numbers below. */
enum { FIRST_BLOCK = 64 };

int measure_open(struct measure *measure, struct world *world, struct backend *backend,
                 const struct config *config, const struct plan *plan,
                 const struct roster *roster, struct err *err)
{
    struct buffers_need need;

    buffers_need(plan, config, world->rank, world->nranks, &need);
    *measure = (struct measure){
        .world = world,
        .backend = backend,
        .config = config,
        .roster = roster,
        .cache_bytes = plan->cache_bytes,
        .verifier = verify_open(backend),
        .calls = calloc(need.slots, sizeof *measure->calls),
        .values = calloc(need.slots, sizeof *measure->values),
        .times = calloc(SCHEDULE_LENGTH_MOST, sizeof *measure->times),
    };
    if (!measure->verifier || !measure->calls || !measure->values || !measure->times)
        err_set(err, EXIT_CODE_FAILURE, "out of memory");
    else if (buffers_open(&measure->buffers, backend, &need, err) == 0 &&
             world->rank == 0)
        samples_open(&measure->samples, world->nranks, err);
    return world_agree(world, err);
}

void measure_close(struct measure *measure)
{
    buffers_close(&measure->buffers, measure->backend);
    verify_close(measure->verifier);
    samples_close(&measure->samples);
    free(measure->calls);
    free(measure->values);
    free(measure->times);
    *measure = (struct measure){0};
}

/* One block, whose samples are added at rank 0. */
static int run_block(struct trial *trial, uint64_t block, uint64_t length,
                     struct block_cost *cost, struct err *err)
{
    struct measure *measure = trial->measure;

    if (trial_block(trial, block, length, cost, err))
        return -1;
    return measure->world->rank == 0 ? samples_add(&measure->samples, measure->times,
                                                   trial_samples(trial, length), err)
                                     : 0;
}

/* Blocks of the pilot: rank 0's costs decide for all. */
struct stage {
    uint64_t blocks, length;
};

/* isolated: one block of as many repetitions as its share of the time allows;
 * streaming: first one batch, for a better guess of what a repetition takes, then a few
 * of the right length. */
static struct stage next_stage(const struct trial *trial, const struct block_cost *cost,
                               bool last)
{
    double seconds = trial->measure->config->max_time * pilot_share;
    double each = fmax(cost->per_repetition, 1e-9);

    if (trial->point->timing == TIMING_ISOLATED)
        return (struct stage){
            .blocks = last ? 0 : 1,
            .length = (uint64_t)fmin(fmax(seconds / each, 1), PILOT_SAMPLES),
        };
    uint64_t length = schedule_batch(cost, trial_length_most(trial));
    double batch = cost->fixed + (double)length * each;
    return (struct stage){
        .blocks = last ? (uint64_t)fmin(fmax(seconds / batch, 1), PILOT_BATCHES) : 1,
        .length = length,
    };
}

/* Blocks that are thrown away: what do repetitions cost, how do they spread, how long do
 * they depend on each other? */
static int run_pilot(struct trial *trial, struct block_cost *cost, struct err *err)
{
    enum { STAGES = 3 };
    struct measure *measure = trial->measure;
    struct stage stage = {.blocks = 1, .length = 1};
    uint64_t block = 0;

    for (int i = 0; i < STAGES; i++) {
        if (measure->world->rank == 0 && stage.blocks > 0)
            samples_clear(&measure->samples);
        for (uint64_t b = 0; b < stage.blocks; b++)
            if (run_block(trial, block++, stage.length, cost, err))
                return -1;
        stage = next_stage(trial, cost, i == STAGES - 2);
        if (measure->world->ops->bcast(measure->world, &stage, sizeof stage, 0, err))
            return -1;
    }
    return 0;
}

static int make_schedule(struct trial *trial, struct schedule *schedule, struct err *err)
{
    struct measure *measure = trial->measure;
    const struct config *config = measure->config;
    struct block_cost cost;

    if (config->iterations > 0) {
        schedule_fixed(schedule, config->iterations, trial_length_most(trial));
        return 0;
    }
    if (run_pilot(trial, &cost, err))
        return -1;
    if (measure->world->rank == 0)
        schedule_from_pilot(schedule, trial->point->timing,
                            &(struct aim){
                                .precision = config->precision / 100,
                                .max_time = config->max_time,
                                .min_iterations = config->min_iterations,
                                .max_iterations = config->max_iterations,
                                .length_most = trial_length_most(trial),
                            },
                            &(struct pilot){
                                .cost = cost,
                                .seconds = measure->samples.seconds,
                                .scratch = measure->samples.scratch,
                                .count = measure->samples.count,
                            });
    return measure->world->ops->bcast(measure->world, schedule, sizeof *schedule, 0, err);
}

/* The pilot may have seen better times than the measurement does: rank 0 ends a point
 * whose time is up, once it has the blocks that an interval takes. The clock decides, not
 * the samples. */
static int time_is_up(const struct trial *trial, const struct schedule *schedule,
                      uint64_t blocks, int64_t start_ns, bool *up, struct err *err)
{
    struct measure *measure = trial->measure;
    struct backend *backend = measure->backend;

    *up = false;
    if (schedule->stop == STOP_ITERATIONS || blocks < SCHEDULE_BLOCKS_LEAST)
        return 0;
    *up = trial_seconds_since(backend, start_ns) > measure->config->max_time;
    return measure->world->ops->bcast(measure->world, up, sizeof *up, 0, err);
}

static int run_blocks(struct trial *trial, struct schedule *schedule, struct err *err)
{
    struct backend *backend = trial->measure->backend;
    int64_t start_ns = backend->type->now_ns(backend);
    uint64_t repetitions = 0, block;
    bool up = false;

    if (trial->measure->world->rank == 0)
        samples_clear(&trial->measure->samples);
    for (block = 0; block < schedule->blocks && !up; block++) {
        uint64_t length = schedule_length(schedule, block);

        if (run_block(trial, FIRST_BLOCK + block, length, NULL, err) ||
            time_is_up(trial, schedule, block + 1, start_ns, &up, err))
            return -1;
        repetitions += length;
    }
    if (block < schedule->blocks)
        *schedule = (struct schedule){
            .repetitions = repetitions,
            .blocks = block,
            .stretches = block < schedule->stretches ? block : schedule->stretches,
            .stop = STOP_MAX_TIME,
        };
    return 0;
}

/* The rank with the most wrong elements tells everyone. */
static int share_mismatch(struct trial *trial, struct record *record, struct err *err)
{
    struct world *world = trial->measure->world;
    struct world_max worst = {.value = (double)trial->mismatch.wrong};

    if (world_max_everywhere(world, &worst, 1, err))
        return -1;
    if (worst.value == 0)
        return 0;
    if (world->ops->bcast(world, &trial->mismatch, sizeof trial->mismatch, worst.rank,
                          err))
        return -1;
    record->wrong = trial->mismatch.wrong;
    record->wrong_rank = worst.rank;
    record->wrong_element = trial->mismatch.element;
    snprintf(record->wrong_got, sizeof record->wrong_got, "%s", trial->mismatch.got);
    snprintf(record->wrong_expected, sizeof record->wrong_expected, "%s",
             trial->mismatch.expected);
    snprintf(record->wrong_host, sizeof record->wrong_host, "%s",
             roster_host(trial->measure->roster, worst.rank));
    return 0;
}

static int measure_trial(struct trial *trial, struct record *record, struct err *err)
{
    struct schedule schedule;
    double copy_seconds_per_byte;

    if (trial_copy(trial, &copy_seconds_per_byte, err) || trial_warmup(trial, err) ||
        make_schedule(trial, &schedule, err) || run_blocks(trial, &schedule, err) ||
        share_mismatch(trial, record, err))
        return -1;
    record->stopped = stop_name(schedule.stop);
    return trial->measure->world->rank == 0
               ? figures_set(trial, &schedule, copy_seconds_per_byte, record, err)
               : 0;
}

int measure_point(struct measure *measure, const struct point *point, size_t number,
                  struct record *record, struct err *err)
{
    struct trial trial;

    record_clear(record);
    utc_now(record->start_utc);
    trial_init(&trial, measure, point, number);
    figures_describe(&trial, record);
    if (measure->backend->type->prepare(measure->backend, &measure->calls[0], err) == 0) {
        if (measure_trial(&trial, record, err))
            return -1;
    } else if (err->code == 0) {
        record->stopped = stop_name(STOP_NOT_OFFERED);
    } else {
        return -1;
    }
    utc_now(record->end_utc);
    return 0;
}
