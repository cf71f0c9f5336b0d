/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "trial.h"
#include "utc.h"

/* A check that would miss one lost contribution in a thousand is called weak. */
static const double power_least = 0.999;

enum { PILOT_BLOCKS = 2 };
static const double pilot_share = 0.02; /* of --max-time */

int measure_open(struct measure *measure, struct world *world, struct backend *backend,
                 const struct config *config, const struct plan *plan,
                 const struct roster *roster, struct err *err)
{
    uint64_t send_bytes, recv_bytes;

    *measure = (struct measure){
        .world = world,
        .backend = backend,
        .config = config,
        .roster = roster,
        .verifier = verify_open(backend),
        .times = calloc(SCHEDULE_LENGTH_MOST + 1, sizeof *measure->times),
    };
    buffers_need(plan, world->rank, world->nranks, &send_bytes, &recv_bytes);
    if (!measure->verifier || !measure->times)
        err_set(err, EXIT_CODE_FAILURE, "out of memory");
    else if (buffers_open(&measure->buffers, backend, send_bytes, recv_bytes, err) == 0 &&
             world->rank == 0)
        samples_open(&measure->samples, world->nranks, err);
    return world_agree(world, err);
}

void measure_close(struct measure *measure)
{
    buffers_close(&measure->buffers, measure->backend);
    verify_close(measure->verifier);
    samples_close(&measure->samples);
    free(measure->times);
    measure->verifier = NULL;
    measure->times = NULL;
}

static void trial_init(struct trial *trial, struct measure *measure,
                       const struct point *point, size_t number)
{
    *trial = (struct trial){
        .measure = measure,
        .point = point,
        .number = number,
        .run = backend_find(measure->backend->type, point->operation->name),
        .checked = measure->config->check == CHECK_FULL,
    };
    plan_shape(point, measure->world->rank, measure->world->nranks, &trial->shape);
    for (int slot = 0; slot < BUFFER_SLOTS; slot++)
        trial->calls[slot] = (struct backend_call){
            .shape = &trial->shape,
            .datatype = point->datatype,
            .op = point->op,
            .send = measure->buffers.send[slot],
            .recv = measure->buffers.recv[slot],
        };
}

/* Two blocks that are thrown away: the first tells how many repetitions the second can
 * have for a better estimate. */
static int pilot(struct trial *trial, struct block_cost *cost, struct err *err)
{
    struct measure *measure = trial->measure;
    uint64_t length = 1;

    for (uint64_t block = 0; block < PILOT_BLOCKS; block++) {
        if (trial_block(trial, block, length, cost, err))
            return -1;
        double more = measure->config->max_time * pilot_share / cost->per_repetition;
        length = (uint64_t)fmin(fmax(more, 1), SCHEDULE_LENGTH_MOST);
        if (measure->world->ops->bcast(measure->world, &length, sizeof length, 0, err))
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
        schedule_fixed(schedule, trial->point->timing, config->iterations);
        return 0;
    }
    if (pilot(trial, &cost, err))
        return -1;
    schedule_timed(schedule, trial->point->timing, config->max_time, cost);
    /* Every rank has measured costs of its own: rank 0's decide. */
    return measure->world->ops->bcast(measure->world, schedule, sizeof *schedule, 0, err);
}

static int run_blocks(struct trial *trial, const struct schedule *schedule,
                      struct err *err)
{
    struct measure *measure = trial->measure;

    for (uint64_t block = 0; block < schedule->blocks; block++) {
        uint64_t length = schedule_length(schedule, block);

        if (trial_block(trial, PILOT_BLOCKS + block, length, NULL, err))
            return -1;
        if (measure->world->rank == 0 &&
            samples_add(&measure->samples, measure->times, trial_samples(trial, length),
                        err))
            return -1;
    }
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

static void describe(const struct trial *trial, struct record *record)
{
    const struct point *point = trial->point;
    const struct measure *measure = trial->measure;

    record->operation = point->operation->name;
    record->pattern = point->pattern ? point->pattern->name : NULL;
    record->datatype = datatype_get(point->datatype)->name;
    record->op = point->operation->reduces ? op_name(point->op) : NULL;
    record->backend = measure->backend->type->name;
    record->timing = timing_name(point->timing);
    record->placement = "out-of-place";
    record->bytes = point->bytes;
    record->elements = point->bytes / datatype_get(point->datatype)->bytes;
    record->messages = point->window;
    record->ranks = measure->world->nranks;
    record->nodes = measure->world->nnodes;
    record->warmup = measure->config->warmup;
}

static double rate(double bytes, double seconds)
{
    return seconds > 0 ? bytes / seconds : NAN;
}

/* The figures, from the samples at rank 0. */
static void summarize(const struct trial *trial, const struct schedule *schedule,
                      struct record *record)
{
    const struct operation *operation = trial->point->operation;
    struct samples *samples = &trial->measure->samples;
    double bytes = operation->data_factor * (double)record->bytes *
                   (double)record->messages;
    double bus = operation->busbw_factor(record->ranks);

    record->repetitions = schedule->repetitions;
    record->blocks = schedule->blocks;
    record->samples = samples->count;
    for (size_t i = 0; i < samples->count; i++)
        samples->seconds[i] *= operation->time_factor;
    record->slowest_rank = samples_slowest(samples, &record->slowest_share);
    snprintf(record->slowest_host, sizeof record->slowest_host, "%s",
             roster_host(trial->measure->roster, record->slowest_rank));
    stats_of(samples->seconds, samples->count, &record->time);
    record->algbw = rate(bytes, record->time.median);
    record->busbw = record->algbw * bus;
    if (record->time.has_interval) {
        record->busbw_low = rate(bytes, record->time.high) * bus;
        record->busbw_high = rate(bytes, record->time.low) * bus;
    }
}

static void judge_check(const struct trial *trial, struct record *record)
{
    if (!trial->checked) {
        record->check = check_name(CHECK_NONE);
        return;
    }
    record->check_power =
        values_power(&trial->values[0], trial->shape.block, trial->checks);
    record->check = record->wrong > 0                    ? "failed"
                    : record->check_power < power_least ? "weak"
                                                         : "passed";
}

static int measure_trial(struct trial *trial, struct record *record, struct err *err)
{
    struct schedule schedule;

    if (trial_warmup(trial, trial->measure->config->warmup, err) ||
        make_schedule(trial, &schedule, err) || run_blocks(trial, &schedule, err) ||
        share_mismatch(trial, record, err))
        return -1;
    record->stopped = stop_name(schedule.stop);
    if (trial->measure->world->rank == 0) {
        summarize(trial, &schedule, record);
        judge_check(trial, record);
    }
    return 0;
}

int measure_point(struct measure *measure, const struct point *point, size_t number,
                  struct record *record, struct err *err)
{
    struct trial trial;

    record_clear(record);
    utc_now(record->start_utc);
    trial_init(&trial, measure, point, number);
    describe(&trial, record);
    if (measure->world->rank == 0)
        samples_clear(&measure->samples);
    if (measure->backend->type->prepare(measure->backend, &trial.calls[0], err) == 0) {
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
