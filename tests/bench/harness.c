/* SPDX-License-Identifier: BSD-3-Clause */
/* harness PAIRS: what one repetition costs beside the operation that it measures, in
 * nanoseconds, next to the two clock readings that no harness can do without. One rank,
 * the real clock, and an operation that does nothing (where data is checked: copies
 * eight bytes). */
#include <string.h>

#include "pairs.h"
#include "stats.h"
#include "trial.h"

enum { LENGTH = 16384, BYTES = 8 };

/* Costs of one repetition in seconds. */
struct cost {
    double whole;  /* of the loop, with all that a block needs */
    double inside; /* what the sample shows: the median, or the batch over its count */
};

static int run_nothing(struct backend *backend, const struct backend_call *call,
                       struct err *err)
{
    (void)backend;
    (void)call;
    (void)err;
    return 0;
}

static int run_copy(struct backend *backend, const struct backend_call *call,
                    struct err *err)
{
    (void)backend;
    (void)err;
    memcpy(call->recv, call->send, BYTES);
    return 0;
}

static int finish_nothing(struct backend *backend, struct err *err)
{
    (void)backend;
    (void)err;
    return 0;
}

/* A type for each operation: run functions are found by the operation's name. */
#define NULL_BACKEND(run)                                                                \
    {                                                                                    \
        .name = "null", .alloc = backend_host_alloc, .free = backend_host_free,          \
        .put = backend_host_copy_in, .get = backend_host_copy_out,                       \
        .finish = finish_nothing, .now_ns = backend_host_ns,                             \
        .operations = (const struct backend_operation[]){{"allreduce", run}, {0}},       \
    }

static const struct row {
    const char *whole, *inside; /* names in the table; NULL: not shown */
    enum timing timing;
    enum check check;
    struct backend_type type;
} rows[] = {
    {"isolated, unchecked", "isolated, within the sample", TIMING_ISOLATED, CHECK_NONE,
     NULL_BACKEND(run_nothing)},
    {"isolated, checked", NULL, TIMING_ISOLATED, CHECK_FULL, NULL_BACKEND(run_copy)},
    {"streaming, unchecked", "streaming, within the sample", TIMING_STREAMING, CHECK_NONE,
     NULL_BACKEND(run_nothing)},
    {"streaming, checked", NULL, TIMING_STREAMING, CHECK_FULL, NULL_BACKEND(run_copy)},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

static double inside_of(const struct trial *trial)
{
    size_t count = trial_samples(trial, LENGTH);
    double *seconds = calloc(count, sizeof *seconds);

    if (!seconds)
        pairs_fail("harness", "out of memory");
    for (size_t i = 0; i < count; i++)
        seconds[i] = trial->measure->times[i].value;
    stats_sort(seconds, count);
    double median = seconds[count / 2];
    free(seconds);
    return median;
}

/* One block, as measure.c runs it. */
static struct cost cost_of(const struct row *row, struct world *world, uint64_t number)
{
    const struct operation *const operations[] = {operation_find("allreduce"), NULL};
    struct backend backend = {.type = &row->type, .world = world};
    struct config config = {.sizes = {.count = 1, .bytes = {BYTES}},
                            .datatypes = 1u << DATATYPE_FLOAT,
                            .ops = 1u << OP_SUM,
                            .placements = 1u << PLACEMENT_OUT_OF_PLACE,
                            .timings = 1u << row->timing,
                            .check = row->check};
    struct err err = {0};
    struct plan plan = {0};
    struct measure measure = {0};
    struct trial trial;
    struct cost cost;

    if (plan_make(&plan, &config, operations, 1, &err) ||
        measure_open(&measure, world, &backend, &config, &plan, NULL, &err))
        pairs_fail("harness", err.text);
    trial_init(&trial, &measure, &plan.points[0], 0);
    double start = pairs_cpu_seconds();
    if (trial_block(&trial, number, LENGTH, NULL, &err))
        pairs_fail("harness", err.text);
    cost.whole = (pairs_cpu_seconds() - start) / LENGTH;
    cost.inside = inside_of(&trial);
    if (trial.mismatch.wrong > 0)
        pairs_fail("harness", "the copy was not found right");
    measure_close(&measure);
    plan_free(&plan);
    return cost;
}

static double two_readings(struct backend *backend)
{
    volatile int64_t sum = 0;
    double start = pairs_cpu_seconds();

    for (int i = 0; i < LENGTH; i++) {
        int64_t start_ns = backend_host_ns(backend);

        sum = sum + backend_host_ns(backend) - start_ns;
    }
    return (pairs_cpu_seconds() - start) / LENGTH;
}

int main(int argc, char **argv)
{
    struct world world;
    uint64_t pairs = argc == 2 ? pairs_argument("harness", argv[1]) : 0;

    if (pairs == 0)
        pairs_fail("harness", "usage: harness PAIRS");
    world_open_single(&world);
    for (uint64_t pair = 0; pair < pairs; pair++)
        for (int i = 0; i < ROWS; i++) {
            double peer = two_readings(NULL);
            struct cost cost = cost_of(&rows[i], &world, pair);

            pairs_print(rows[i].whole, "ns", 1e9 * cost.whole, 1e9 * peer);
            if (rows[i].inside)
                pairs_print(rows[i].inside, "ns", 1e9 * cost.inside, 1e9 * peer);
        }
    return EXIT_CODE_GOOD;
}
