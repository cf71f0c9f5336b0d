/* SPDX-License-Identifier: BSD-3-Clause */
/* The loop, the schedule, the samples and the check, played by n ranks with scripted
 * times and scripted faults. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../fakes/fake_ranks.h"
#include "measure.h"

enum { RANKS_MOST = 8 };

/* One point, and what came of it. */
struct play {
    const char *operation;
    const char *pattern;
    int nranks;
    enum datatype_id datatype;
    enum op_id op;
    enum timing timing;
    enum placement placement;
    uint64_t bytes, iterations, warmup;
    double max_time, precision;
    enum cache cache;
    double nic_Bps; /* of each host; 0: unknown */
    enum check check;
    struct fake_script script;
    /* results */
    struct record record; /* rank 0's */
    uint64_t wrong[RANKS_MOST], calls[RANKS_MOST];
    int64_t skew_ns;
    struct err err[RANKS_MOST];
};

static const struct pattern *find_pattern(const char *name)
{
    const struct pattern *pattern;

    for (size_t i = 0; (pattern = pattern_get(i)); i++)
        if (name && strcmp(pattern->name, name) == 0)
            return pattern;
    return NULL;
}

static void play_rank(struct world *world, void *context)
{
    struct play *play = context;
    struct config config = {
        .iterations = play->iterations,
        .warmup = play->warmup,
        .max_time = play->max_time,
        .precision = play->precision,
        .min_iterations = 20,
        .max_iterations = 10000,
        .cache = (int)play->cache,
        .check = (int)play->check,
        .seed = 42,
    };
    struct point point = {
        .operation = operation_find(play->operation),
        .pattern = find_pattern(play->pattern),
        .datatype = play->datatype,
        .op = play->op,
        .timing = play->timing,
        .placement = play->placement,
        .bytes = play->bytes,
        .window = play->pattern && strcmp(play->operation, "pingpong") != 0 ? 3 : 1,
    };
    struct plan plan = {.points = &point, .count = 1, .cache_bytes = 100000};
    struct backend backend = {.type = &fake_backend, .world = world};
    struct err *err = &play->err[world->rank];
    struct roster roster;
    struct measure measure;
    struct record record;

    backend.type->open(&backend, NULL, err);
    roster_gather(&roster, world, 0, err);
    roster.nic_Bps = play->nic_Bps;
    measure_open(&measure, world, &backend, &config, &plan, &roster, err);
    measure_point(&measure, &point, 0, &record, err);
    play->calls[world->rank] = fake_ranks_calls(world);
    play->wrong[world->rank] = record.wrong;
    if (world->rank == 0) {
        play->record = record;
        play->skew_ns = fake_ranks_skew_ns(world);
    }
    measure_close(&measure);
    roster_free(&roster);
}

static void play(struct play *play)
{
    fake_ranks_run(play->nranks, &play->script, play_rank, play);
    for (int r = 0; r < play->nranks; r++)
        assert_int_equal(play->err[r].code, 0);
}

/* ---- times ---- */

static int64_t rank_decides(void *context, int rank, uint64_t call)
{
    (void)context;
    (void)call;
    return 1000 * (rank + 1);
}

static void test_slowest_rank_decides(void **state)
{
    struct play p = {
        .operation = "allreduce",
        .nranks = 4,
        .datatype = DATATYPE_FLOAT,
        .bytes = 4096,
        .iterations = 100,
        .warmup = 3,
        .script = {.duration_ns = rank_decides},
    };

    (void)state;
    play(&p);
    assert_true(fabs(p.record.time.median - 4e-6) < 1e-15);
    assert_true(fabs(p.record.time.min - 4e-6) < 1e-15);
    assert_true(fabs(p.record.time.max - 4e-6) < 1e-15);
    assert_true(fabs(p.record.time.mean - 4e-6) < 1e-15);
    assert_int_equal(p.record.slowest_rank, 3);
    assert_true(p.record.slowest_share == 1);
    assert_string_equal(p.record.slowest_host, "fake1");
    assert_int_equal(p.record.samples, 100);
    assert_int_equal(p.record.repetitions, 100);
    assert_true(p.record.time.has_interval);
    /* 4096 B / 4 us; times 2 (n-1) / n. */
    assert_true(fabs(p.record.algbw - 1.024e9) < 1);
    assert_true(fabs(p.record.busbw - 1.536e9) < 1);
    assert_int_equal(p.skew_ns, 0);
    for (int r = 0; r < 4; r++)
        assert_int_equal(p.calls[r], 103);
}

/* Repetition k of the measured ones (after 2 of warm-up) takes 1000 (k + 1) ns on a rank
 * that changes. */
static int64_t rising(void *context, int rank, uint64_t call)
{
    (void)context;
    if (call < 2)
        return 1000000;
    return (int)(call % 3) == rank ? 1000 * (int64_t)(call - 1) : 500;
}

static void test_distribution_of_isolated(void **state)
{
    struct play p = {
        .operation = "allgather",
        .nranks = 3,
        .datatype = DATATYPE_INT32,
        .bytes = 12,
        .iterations = 20,
        .warmup = 2,
        .script = {.duration_ns = rising},
    };

    (void)state;
    play(&p);
    assert_true(fabs(p.record.time.median - 10.5e-6) < 1e-15);
    assert_true(fabs(p.record.time.min - 1e-6) < 1e-15);
    assert_true(fabs(p.record.time.max - 20e-6) < 1e-15);
    assert_true(fabs(p.record.time.p95 - 19e-6) < 1e-15);
    assert_true(fabs(p.record.time.p99 - 20e-6) < 1e-15);
    /* binomial(20, 1/2): the 6th and the 15th cover with 95.9 %. */
    assert_true(fabs(p.record.time.low - 6e-6) < 1e-15);
    assert_true(fabs(p.record.time.high - 15e-6) < 1e-15);
    assert_true(fabs(p.record.busbw_low - 12 / 15e-6 * 2 / 3) < 1e-3);
    assert_true(fabs(p.record.busbw_high - 12 / 6e-6 * 2 / 3) < 1e-3);
    /* Calls 2..21: ranks 2 and 0 have 7 of them each, rank 1 has 6. */
    assert_int_equal(p.record.slowest_rank, 0);
    assert_true(fabs(p.record.slowest_share - 7.0 / 20) < 1e-12);
}

/* With streaming timing, the slowest rank of a batch decides, not of each repetition. */
static void test_streaming_takes_the_batch(void **state)
{
    struct play p = {
        .operation = "allreduce",
        .nranks = 3,
        .datatype = DATATYPE_FLOAT,
        .bytes = 64,
        .iterations = 60,
        .timing = TIMING_STREAMING,
        .script = {.duration_ns = rank_decides},
    };

    (void)state;
    play(&p);
    assert_int_equal(p.record.samples, 20);
    assert_int_equal(p.record.repetitions, 60);
    assert_true(fabs(p.record.time.median - 3e-6) < 1e-15);
    assert_int_equal(p.skew_ns, 2 * 2000); /* ranks 0 and 2, in the third of a batch */

    /* Three ranks take turns at being slow: isolated sees each, a batch the average. */
    p.script.duration_ns = rising;
    p.iterations = 1;
    p.warmup = 2;
    play(&p);
    assert_int_equal(p.record.samples, 1);
    assert_false(p.record.time.has_interval);
    assert_true(isnan(p.record.busbw_low));
}

static void test_ping_pong_is_half_a_round_trip(void **state)
{
    struct play p = {
        .operation = "pingpong",
        .pattern = "pair",
        .nranks = 3,
        .datatype = DATATYPE_INT8,
        .bytes = 8,
        .iterations = 12,
        .script = {.duration_ns = rank_decides},
    };

    (void)state;
    play(&p);
    /* Rank 2 only waits: its 3 us do not count. */
    assert_true(fabs(p.record.time.median - 1e-6) < 1e-15);
    assert_int_equal(p.record.slowest_rank, 1);
    assert_true(fabs(p.record.algbw - 8e6) < 1e-3);
}

static void test_windows_and_directions(void **state)
{
    static const struct {
        const char *operation, *pattern;
        double algbw, busbw; /* of 3 messages of 1000 bytes in 4 us */
    } cases[] = {
        {"oneway", "pair", 0.75e9, 0.75e9},
        {"twoway", "pair", 1.5e9, 0.75e9},
        {"oneway", "ring", 0.75e9, 0.75e9},
        {"twoway", "ring", 1.5e9, 0.75e9},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct play p = {
            .operation = cases[i].operation,
            .pattern = cases[i].pattern,
            .nranks = strcmp(cases[i].pattern, "ring") == 0 ? 4 : 2,
            .datatype = DATATYPE_UINT8,
            .bytes = 1000,
            .iterations = 12,
            .script = {.duration_ns = rank_decides},
        };

        play(&p);
        double scale = p.nranks == 4 ? 1 : 2; /* 4 us or 2 us */
        assert_true(fabs(p.record.algbw - scale * cases[i].algbw) < 1e-3);
        assert_true(fabs(p.record.busbw - scale * cases[i].busbw) < 1e-3);
        assert_int_equal(p.record.messages, 3);
    }
}

static int64_t millisecond(void *context, int rank, uint64_t call)
{
    (void)context;
    (void)rank;
    (void)call;
    return 1000000;
}

static void test_time_bounds_repetitions(void **state)
{
    struct play p = {
        .operation = "allreduce",
        .nranks = 2,
        .datatype = DATATYPE_FLOAT,
        .bytes = 64,
        .max_time = 0.5,
        .script = {.duration_ns = millisecond},
    };

    (void)state;
    play(&p);
    assert_int_equal(p.record.repetitions, 500);
    assert_string_equal(p.record.stopped, "max-time");
    assert_true(isnan(p.record.precision_target));
    assert_string_equal(p.record.flags, "");
    p.max_time = 1e-4; /* less than one: still enough for an interval */
    play(&p);
    assert_int_equal(p.record.repetitions, 6);
    assert_string_equal(p.record.stopped, "min-blocks");
    p.max_time = 1000;
    play(&p);
    assert_int_equal(p.record.repetitions, 10000);
    assert_string_equal(p.record.stopped, "max-iterations");
    p.max_time = 0.5;
    p.timing = TIMING_STREAMING;
    play(&p);
    assert_int_equal(p.record.repetitions, 500);
    assert_int_equal(p.record.samples, 500); /* batches of a millisecond */
}

static void test_precision_bounds_repetitions(void **state)
{
    struct play p = {
        .operation = "allreduce",
        .nranks = 2,
        .datatype = DATATYPE_FLOAT,
        .bytes = 64,
        .max_time = 10,
        .precision = 2,
        .script = {.duration_ns = millisecond},
    };

    (void)state;
    play(&p); /* constant times: the least will do */
    assert_int_equal(p.record.repetitions, 20);
    assert_string_equal(p.record.stopped, "precision");
    assert_true(p.record.precision == 0);
    assert_true(p.record.precision_target == 0.02);
}

/* 1 ms give or take 40 %, without order. */
static int64_t scattered(void *context, int rank, uint64_t call)
{
    uint64_t hash = (call + 1) * 0x9e3779b97f4a7c15u;

    (void)context;
    (void)rank;
    hash = (hash ^ hash >> 29) * 0xbf58476d1ce4e5b9u;
    return 600000 + (int64_t)((hash >> 33) % 800000);
}

static void test_more_precision_takes_more_repetitions(void **state)
{
    struct play p = {
        .operation = "allreduce",
        .nranks = 2,
        .datatype = DATATYPE_FLOAT,
        .bytes = 64,
        .max_time = 10,
        .precision = 4,
        .script = {.duration_ns = scattered},
    };
    uint64_t coarse;

    (void)state;
    play(&p);
    coarse = p.record.repetitions;
    assert_string_equal(p.record.stopped, "precision");
    assert_true(p.record.precision > 0 && p.record.precision < 0.04);
    assert_string_equal(p.record.flags, "");
    assert_true(p.record.time.low <= 1e-3 && p.record.time.high >= 1e-3);
    p.precision = 2;
    play(&p);
    assert_in_range(p.record.repetitions, 3 * coarse, 5 * coarse);
    p.precision = 0.01; /* more than there is time for */
    p.max_time = 1;
    play(&p);
    assert_string_equal(p.record.stopped, "max-time");
    assert_string_equal(p.record.flags, "imprecise");
}

/* Each call takes a thousandth longer than the one before. */
static int64_t drifting(void *context, int rank, uint64_t call)
{
    (void)context;
    (void)rank;
    return 1000000 + 1000 * (int64_t)call;
}

static void test_drift_is_flagged(void **state)
{
    struct play p = {
        .operation = "allreduce",
        .nranks = 2,
        .datatype = DATATYPE_FLOAT,
        .bytes = 64,
        .iterations = 200,
        .script = {.duration_ns = drifting},
    };

    (void)state;
    play(&p);
    assert_string_equal(p.record.flags, "drift,correlated");
    assert_true(p.record.time.drift > 0.1 && p.record.time.drift < 0.14);
    assert_true(p.record.time.lag1 > 0.9);
}

/* Times fall from 10 ms to 1 ms over the first calls. */
static int64_t getting_warm(void *context, int rank, uint64_t call)
{
    (void)context;
    (void)rank;
    return call < 30 ? 10000000 - 300000 * (int64_t)call : 1000000;
}

static void test_warm_up_lasts_until_steady(void **state)
{
    struct play p = {
        .operation = "allreduce",
        .nranks = 2,
        .datatype = DATATYPE_FLOAT,
        .bytes = 64,
        .max_time = 10,
        .precision = 2,
        .warmup = 3,
        .script = {.duration_ns = getting_warm},
    };

    (void)state;
    play(&p);
    assert_in_range(p.record.warmup, 33, 43);
    assert_true(p.record.time.max == p.record.time.min);
    p.iterations = 10; /* who says how many gets that many */
    play(&p);
    assert_int_equal(p.record.warmup, 3);
}

/* Two hosts of two ranks: what their ports carry is a ceiling, and a figure above it is
 * flagged. */
static void test_ports_are_a_ceiling(void **state)
{
    struct play p = {
        .operation = "allreduce",
        .nranks = 4,
        .datatype = DATATYPE_FLOAT,
        .bytes = 4096,
        .iterations = 20,
        .nic_Bps = 2e9,
    };

    (void)state;
    play(&p); /* busbw 6.1 GB/s */
    assert_string_equal(p.record.limit_kind, "ceiling");
    /* SHARP, the most that two ports of 2 GB/s allow: 2 R (n-1) / n. */
    assert_true(fabs(p.record.limit - 3e9) < 1);
    assert_true(fabs(p.record.limit_share - 6.144 / 3) < 1e-9);
    assert_string_equal(p.record.flags, "above-ceiling");
    p.nic_Bps = 8e9;
    play(&p);
    assert_true(fabs(p.record.limit - 12e9) < 1);
    assert_string_equal(p.record.flags, "");
    p.nic_Bps = 0;
    play(&p);
    assert_null(p.record.limit_kind);
    assert_true(isnan(p.record.limit));
}

/* One host: a copy of the same size. The fake's copies take no time, a real one's do. */
static void test_a_copy_is_a_reference(void **state)
{
    struct play p = {
        .operation = "allgather",
        .nranks = 2,
        .datatype = DATATYPE_FLOAT,
        .bytes = 8192,
        .iterations = 20,
        .script = {.copy_ns = 4096},
    };

    (void)state;
    play(&p);
    assert_string_equal(p.record.limit_kind, "reference");
    assert_true(fabs(p.record.limit - 2e9) < 1);
    /* 8192 bytes in 1 us, halved: 4.096 GB/s. Above a reference is no error. */
    assert_true(fabs(p.record.limit_share - 2.048) < 1e-9);
    assert_string_equal(p.record.flags, "");
    p.bytes = 2048; /* too small to tell */
    play(&p);
    assert_null(p.record.limit_kind);
}

/* ---- data ---- */

struct fault {
    int rank;
    uint64_t call;
    double place; /* 0..1 of the received bytes */
    int done;
    const void *previous; /* what the call before was delivered into, on that rank */
};

static void flip_bit(void *context, int rank, uint64_t call,
                     const struct backend_call *what, void *recv, size_t bytes)
{
    struct fault *fault = context;

    (void)what;
    if (rank != fault->rank || call != fault->call || bytes == 0)
        return;
    ((char *)recv)[(size_t)((double)(bytes - 1) * fault->place)] ^= 1;
    fault->done++;
}

static const struct {
    const char *operation, *pattern;
    enum placement placement;
} every_operation[] = {
    {"allreduce", NULL, PLACEMENT_OUT_OF_PLACE},
    {"allreduce", NULL, PLACEMENT_IN_PLACE},
    {"allgather", NULL, PLACEMENT_OUT_OF_PLACE},
    {"allgather", NULL, PLACEMENT_IN_PLACE},
    {"reducescatter", NULL, PLACEMENT_OUT_OF_PLACE},
    {"reducescatter", NULL, PLACEMENT_IN_PLACE},
    {"alltoall", NULL, PLACEMENT_OUT_OF_PLACE},
    {"alltoall", NULL, PLACEMENT_IN_PLACE},
    {"broadcast", NULL, PLACEMENT_OUT_OF_PLACE},
    {"pingpong", "pair", PLACEMENT_OUT_OF_PLACE},
    {"oneway", "pair", PLACEMENT_OUT_OF_PLACE},
    {"twoway", "pair", PLACEMENT_OUT_OF_PLACE},
    {"oneway", "ring", PLACEMENT_OUT_OF_PLACE},
    {"twoway", "ring", PLACEMENT_OUT_OF_PLACE},
};

static const int every_count[] = {2, 3, 5, 8};

enum {
    OPERATIONS = sizeof every_operation / sizeof every_operation[0],
    COUNTS = sizeof every_count / sizeof every_count[0],
};

/* Every type, with every reduction where there is one. */
static size_t variants_of(size_t operation)
{
    bool reduces = operation_find(every_operation[operation].operation)->reduces;

    return DATATYPE_COUNT * (reduces ? (size_t)OP_COUNT : 1);
}

static struct play data_play(size_t operation, int nranks, size_t variant)
{
    return (struct play){
        .operation = every_operation[operation].operation,
        .pattern = every_operation[operation].pattern,
        .placement = every_operation[operation].placement,
        .nranks = nranks,
        .datatype = (enum datatype_id)(variant % DATATYPE_COUNT),
        .op = (enum op_id)(variant / DATATYPE_COUNT % OP_COUNT),
        .timing = (enum timing)(variant % TIMING_COUNT),
        .bytes = 8 * (uint64_t)nranks * (variant % 3 ? 3 : 1700),
        .iterations = 6,
        .warmup = 1,
    };
}

static void test_no_alarm_without_a_fault(void **state)
{
    (void)state;
    for (size_t o = 0; o < OPERATIONS; o++)
        for (size_t n = 0; n < COUNTS; n++)
            for (size_t v = 0; v < variants_of(o); v++) {
                struct play p = data_play(o, every_count[n], v);

                play(&p);
                assert_int_equal(p.record.wrong, 0);
                assert_true(p.record.check_power > 0);
                assert_string_not_equal(p.record.check, "failed");
            }
}

/* Rank 0 may not receive: rank 1 always does. */
static bool one_receives(const struct play *p)
{
    return (p->pattern && strcmp(p->pattern, "pair") == 0) ||
           strcmp(p->operation, "broadcast") == 0;
}

/* The last call always decides what a buffer holds in the end. */
static void test_one_bit_on_one_rank_is_found(void **state)
{
    static const double places[] = {0, 0.5, 1};

    (void)state;
    for (size_t o = 0; o < OPERATIONS; o++)
        for (size_t n = 0; n < COUNTS; n++)
            for (size_t v = 0; v < variants_of(o); v++) {
                struct play p = data_play(o, every_count[n], v);
                struct fault fault = {
                    .rank = one_receives(&p) ? 1 : (int)v % p.nranks,
                    .call = 6,
                    .place = places[v % 3],
                };

                p.script.deliver = flip_bit;
                p.script.context = &fault;
                play(&p);
                assert_int_equal(fault.done, 1);
                assert_string_equal(p.record.check, "failed");
                assert_int_equal(p.record.wrong_rank, fault.rank);
                assert_string_not_equal(p.record.wrong_got, p.record.wrong_expected);
                if (fault.place == 0)
                    assert_int_equal(p.record.wrong_element, 0);
                for (int r = 0; r < p.nranks; r++)
                    assert_true(p.wrong[r] >= 1);
            }
}

static bool skip_one(void *context, int rank, uint64_t call)
{
    struct fault *fault = context;

    return rank == fault->rank && call == fault->call;
}

/* With isolated timing a repetition that does nothing shows wherever it stands, though
 * a later one writes the same buffer. */
static void test_idle_repetition_is_found(void **state)
{
    /* 0 is warm-up; ten blocks of six: their first, second, middle, last, and a later
     * block's. */
    static const uint64_t calls[] = {1, 2, 4, 6, 33, 60};

    (void)state;
    for (size_t o = 0; o < OPERATIONS; o++)
        for (size_t c = 0; c < sizeof calls / sizeof calls[0]; c++)
            for (size_t v = 0; v < variants_of(o); v += 3) {
                struct play p = data_play(o, 3, v);
                struct fault fault = {.rank = 1, .call = calls[c]};

                p.timing = TIMING_ISOLATED;
                p.iterations = 60;
                p.bytes = 4096 * (uint64_t)p.nranks; /* in place luck helps the few */
                p.script.skip = skip_one;
                p.script.context = &fault;
                play(&p);
                assert_string_equal(p.record.check, "failed");
                assert_int_equal(p.record.wrong_rank, 1);
            }
}

static void deliver_stale(void *context, int rank, uint64_t call,
                          const struct backend_call *what, void *recv, size_t bytes)
{
    struct fault *fault = context;

    (void)what;
    if (rank != fault->rank)
        return;
    if (call == fault->call)
        memcpy(recv, fault->previous, bytes);
    fault->previous = recv;
}

/* The right result of the repetition before is a wrong one. */
static void test_stale_result_is_found(void **state)
{
    (void)state;
    for (size_t o = 0; o < OPERATIONS; o++)
        for (size_t t = 0; t < TIMING_COUNT; t++) {
            struct play p = data_play(o, 3, 9);
            struct fault fault = {.rank = 1, .call = 60};

            p.timing = (enum timing)t;
            p.iterations = 60;
            p.script.deliver = deliver_stale;
            p.script.context = &fault;
            play(&p);
            assert_string_equal(p.record.check, "failed");
        }
}

/* A batch's last write of each buffer is what streaming can vouch for. */
static void test_idle_end_of_a_batch_is_found(void **state)
{
    (void)state;
    for (size_t o = 0; o < OPERATIONS; o++) {
        struct play p = data_play(o, 3, 8);
        struct fault fault = {.rank = 1, .call = 6};

        p.bytes = 4096 * 3;
        p.timing = TIMING_STREAMING;
        p.script.skip = skip_one;
        p.script.context = &fault;
        play(&p);
        assert_string_equal(p.record.check, "failed");
    }
}

static void test_no_check_says_so(void **state)
{
    struct play p = data_play(0, 3, 8);
    struct fault fault = {.rank = 1, .call = 6};

    (void)state;
    p.check = CHECK_NONE;
    p.script.deliver = flip_bit;
    p.script.context = &fault;
    play(&p);
    assert_int_equal(fault.done, 1);
    assert_int_equal(p.record.wrong, 0);
    assert_string_equal(p.record.check, "none");
    assert_true(isnan(p.record.check_power));
}

/* One element on eight ranks: whether a lost maximum shows is a matter of luck. */
static void test_weak_check_says_so(void **state)
{
    struct play p = data_play(0, 8, 8);

    (void)state;
    p.op = OP_MAX;
    p.datatype = DATATYPE_DOUBLE;
    p.bytes = 8;
    play(&p);
    assert_string_equal(p.record.check, "weak");
    assert_true(p.record.check_power < 0.999);
    p.bytes = 80000;
    play(&p);
    assert_string_equal(p.record.check, "passed");
}

static void test_not_offered(void **state)
{
    struct play p = data_play(0, 3, 8);

    (void)state;
    p.script.not_offered = true;
    play(&p);
    assert_string_equal(p.record.stopped, "not offered");
    assert_int_equal(p.record.samples, 0);
    assert_int_equal(p.calls[0], 0);
    assert_true(isnan(p.record.busbw));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slowest_rank_decides),
        cmocka_unit_test(test_distribution_of_isolated),
        cmocka_unit_test(test_streaming_takes_the_batch),
        cmocka_unit_test(test_ping_pong_is_half_a_round_trip),
        cmocka_unit_test(test_windows_and_directions),
        cmocka_unit_test(test_time_bounds_repetitions),
        cmocka_unit_test(test_precision_bounds_repetitions),
        cmocka_unit_test(test_more_precision_takes_more_repetitions),
        cmocka_unit_test(test_drift_is_flagged),
        cmocka_unit_test(test_warm_up_lasts_until_steady),
        cmocka_unit_test(test_ports_are_a_ceiling),
        cmocka_unit_test(test_a_copy_is_a_reference),
        cmocka_unit_test(test_no_alarm_without_a_fault),
        cmocka_unit_test(test_one_bit_on_one_rank_is_found),
        cmocka_unit_test(test_idle_repetition_is_found),
        cmocka_unit_test(test_stale_result_is_found),
        cmocka_unit_test(test_idle_end_of_a_batch_is_found),
        cmocka_unit_test(test_no_check_says_so),
        cmocka_unit_test(test_weak_check_says_so),
        cmocka_unit_test(test_not_offered),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
