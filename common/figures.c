/* SPDX-License-Identifier: BSD-3-Clause */
#include "figures.h"

#include <math.h>
#include <stdio.h>

#include "limit.h"

/* A check that would miss one lost contribution in a thousand is called weak. */
static const double power_least = 0.999;

/* Streaming batches that are shorter are little but their start and end. */
static const double batch_seconds_least = 0.5e-3;

/* Later samples take longer, or shorter: worth a flag where no precision is set. */
static const double drift_least = 0.02;
static const double lag1_most = 0.5;

void figures_describe(const struct trial *trial, struct record *record)
{
    const struct point *point = trial->point;
    const struct measure *measure = trial->measure;

    record->operation = point->operation->name;
    record->pattern = point->pattern ? point->pattern->name : NULL;
    record->datatype = operation_moves_data(point->operation)
                           ? datatype_get(point->datatype)->name
                           : NULL;
    record->op = point->operation->reduces ? op_name(point->op) : NULL;
    record->backend = measure->backend->type->name;
    record->timing = timing_name(point->timing);
    record->placement =
        point->operation->in_place ? placement_name(point->placement) : NULL;
    record->root = point->operation->rooted ? point->root : -1;
    record->bytes = point->bytes;
    record->elements = point->bytes / datatype_get(point->datatype)->bytes;
    record->messages = point->window;
    record->ranks = measure->world->nranks;
    record->nodes = measure->world->nnodes;
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
    const struct config *config = trial->measure->config;
    struct samples *samples = &trial->measure->samples;
    double bytes =
        operation->data_factor * (double)record->bytes * (double)record->messages;
    double bus = operation->busbw_factor(record->ranks);

    record->warmup = trial->warmup;
    record->repetitions = schedule->repetitions;
    record->blocks = schedule->blocks;
    record->samples = samples->count;
    for (size_t i = 0; i < samples->count; i++)
        samples->seconds[i] *= operation->time_factor;
    record->slowest_rank = samples_slowest(samples, &record->slowest_share);
    snprintf(record->slowest_host, sizeof record->slowest_host, "%s",
             roster_host(trial->measure->roster, record->slowest_rank));
    samples_slowest_text(samples, record->slowest_ranks, sizeof record->slowest_ranks);
    stats_of(samples->seconds, samples->scratch, samples->count,
             trial->point->timing == TIMING_STREAMING ? samples->count
                                                      : schedule->stretches,
             &record->time);
    if (config->iterations == 0 && config->precision > 0)
        record->precision_target = config->precision / 100;
    record->algbw = rate(bytes, record->time.median);
    record->busbw = record->algbw * bus;
    if (record->time.has_interval) {
        record->precision =
            (record->time.high - record->time.low) / 2 / record->time.median;
        record->busbw_low = rate(bytes, record->time.high) * bus;
        record->busbw_high = rate(bytes, record->time.low) * bus;
    }
}

/* What a reader must know before using the figure. */
static void set_flags(const struct trial *trial, struct record *record)
{
    double target = record->precision_target;
    bool imprecise = target > 0 && !(record->precision <= target);
    bool drift = record->time.drifts &&
                 fabs(record->time.drift) > (target > 0 ? target : drift_least);
    bool correlated = record->time.lag1 > lag1_most;
    bool above = record->above_ceiling;
    bool brief =
        trial->point->timing == TIMING_STREAMING &&
        record->time.median * (double)record->repetitions / (double)record->blocks <
            batch_seconds_least;
    const char *const flags[] = {imprecise ? "imprecise" : NULL, drift ? "drift" : NULL,
                                 correlated ? "correlated" : NULL,
                                 above ? "above-ceiling" : NULL,
                                 brief ? "short-batches" : NULL};
    size_t length = 0;

    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
        if (flags[i])
            length +=
                (size_t)snprintf(record->flags + length, sizeof record->flags - length,
                                 "%s%s", length ? "," : "", flags[i]);
}

/* Several hosts with known network ports: what these allow. One host: a copy. Else
 * nothing is known. */
static int find_limit(const struct trial *trial, double copy_seconds_per_byte,
                      struct limit *limit, struct err *err)
{
    const struct world *world = trial->measure->world;
    const struct roster *roster = trial->measure->roster;
    enum limit_operation operation = trial->point->operation->limit;
    struct limit_machine machine = {
        .ranks = world->nranks,
        .domain_ranks = roster->ranks[0],
        .domains = world->nnodes,
        .network_Bps = roster->nic_Bps / roster->ranks[0],
    };

    limit_reference(NAN, "", limit);
    if (operation == LIMIT_OPERATIONS)
        return 0;
    if (world->nnodes == 1)
        limit_reference(1 / copy_seconds_per_byte, "copy on this host", limit);
    else if (roster->nic_Bps > 0 &&
             machine.ranks == machine.domain_ranks * machine.domains)
        return limit_ceiling(&machine, operation, SWITCHES_ALL, limit, err);
    return 0;
}

static void set_limit(struct record *record, const struct limit *limit)
{
    if (!(limit->busbw_Bps > 0))
        return;
    record->limit_kind = limit->kind == LIMIT_CEILING ? "ceiling" : "reference";
    record->limit = limit->busbw_Bps;
    record->limit_share = record->busbw / limit->busbw_Bps;
    record->above_ceiling = limit_exceeded(limit, record->busbw);
    snprintf(record->limit_name, sizeof record->limit_name, "%s", limit->name);
}

static void judge_check(const struct trial *trial, struct record *record)
{
    struct values values;

    if (!trial->checked) {
        record->check =
            operation_moves_data(trial->point->operation) ? check_name(CHECK_NONE) : NULL;
        return;
    }
    trial_values(trial, trial->measure->config->seed, &values);
    record->checked = trial->checks;
    record->check_power = values_power(&values, trial->shape.block, trial->checks);
    record->check = record->wrong > 0                   ? "failed"
                    : record->check_power < power_least ? "weak"
                                                        : "passed";
}

int figures_set(const struct trial *trial, const struct schedule *schedule,
                double copy_seconds_per_byte, struct record *record, struct err *err)
{
    struct limit limit;

    summarize(trial, schedule, record);
    if (find_limit(trial, copy_seconds_per_byte, &limit, err))
        return -1;
    set_limit(record, &limit);
    set_flags(trial, record);
    judge_check(trial, record);
    return 0;
}
