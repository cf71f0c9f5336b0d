/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "schedule.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* An interval of a median at 95 % needs as many values. */
enum { BLOCKS_LEAST = 6, BLOCKS_MOST = 20 };

static const enum timing timings[] = {TIMING_ISOLATED, TIMING_STREAMING};

/* Blocks differ by one repetition at the most, and together are all repetitions. */
static void check_lengths(const struct schedule *schedule, enum timing timing)
{
    uint64_t total = 0, shortest = UINT64_MAX, longest = 0;

    for (uint64_t block = 0; block < schedule->blocks; block++) {
        uint64_t length = schedule_length(schedule, block);

        total += length;
        shortest = length < shortest ? length : shortest;
        longest = length > longest ? length : longest;
    }
    assert_int_equal(total, schedule->repetitions);
    assert_in_range(shortest, 1, UINT64_MAX);
    assert_in_range(longest - shortest, 0, 1);
    if (timing == TIMING_ISOLATED)
        assert_in_range(longest, 1, SCHEDULE_LENGTH_MOST);
}

static void check_fixed(enum timing timing, uint64_t iterations)
{
    struct schedule schedule;

    schedule_fixed(&schedule, timing, iterations);
    assert_int_equal(schedule.repetitions, iterations);
    assert_int_equal(schedule.stop, STOP_ITERATIONS);
    /* As many as there can be, up to the number that gives an interval. */
    assert_in_range(schedule.blocks,
                    iterations < BLOCKS_LEAST ? iterations : BLOCKS_LEAST, iterations);
    check_lengths(&schedule, timing);
}

static void test_fixed(void **state)
{
    static const uint64_t many[] = {9999,   10000,   10001,   10009,    10010,
                                    999999, 1000000, 1000001, 99999999, 100000000};

    (void)state;
    for (size_t t = 0; t < COUNT(timings); t++) {
        for (uint64_t n = 1; n <= 3000; n++)
            check_fixed(timings[t], n);
        for (size_t i = 0; i < COUNT(many); i++)
            check_fixed(timings[t], many[i]);
    }
}

/* A sample of streaming is a batch: more of them would be shorter ones. */
static void test_fixed_streaming_has_few_batches(void **state)
{
    struct schedule schedule;

    (void)state;
    schedule_fixed(&schedule, TIMING_STREAMING, 100000000);
    assert_in_range(schedule.blocks, BLOCKS_LEAST, BLOCKS_MOST);
}

static double cost_of(const struct schedule *schedule, struct block_cost cost)
{
    return (double)schedule->blocks * cost.fixed +
           (double)schedule->repetitions * cost.per_repetition;
}

/* One block or, of each, one repetition more would not have fit. */
static bool is_filled(const struct schedule *schedule, double max_time,
                      struct block_cost cost)
{
    double block = cost.fixed + cost.per_repetition * (double)schedule->repetitions /
                                    (double)schedule->blocks;
    double longer = (double)schedule->blocks * cost.per_repetition;
    double left = max_time - cost_of(schedule, cost);

    return left < block * (1 + 1e-9) || left < longer * (1 + 1e-9);
}

static void check_timed(enum timing timing, double max_time, struct block_cost cost)
{
    struct schedule schedule;
    double spent;

    memset(&schedule, 0x55, sizeof schedule);
    schedule_timed(&schedule, timing, max_time, cost);
    spent = cost_of(&schedule, cost);
    assert_in_range(schedule.blocks, BLOCKS_LEAST, BLOCKS_MOST);
    assert_in_range(schedule.repetitions, schedule.blocks, 100000000);
    check_lengths(&schedule, timing);
    switch (schedule.stop) {
    case STOP_MAX_TIME:
        assert_true(spent <= max_time * (1 + 1e-9));
        assert_true(is_filled(&schedule, max_time, cost));
        break;
    case STOP_MOST: /* there was time for more */
        assert_true(spent <= max_time * (1 + 1e-9));
        break;
    case STOP_LEAST:
        assert_int_equal(schedule.blocks, BLOCKS_LEAST);
        assert_true(spent > max_time);
        break;
    case STOP_ITERATIONS:
    case STOP_NOT_OFFERED:
        fail_msg("stopped: %s", stop_name(schedule.stop));
    }
}

/* From nanoseconds to hours, in steps of about a third. */
static void test_timed(void **state)
{
    (void)state;
    for (size_t t = 0; t < COUNT(timings); t++)
        for (double max_time = 1e-6; max_time < 700000; max_time *= 3.1)
            for (double each = 1e-9; each < 4000; each *= 2.9)
                for (double fixed = 1e-8; fixed < 4000; fixed *= 2.7)
                    check_timed(timings[t], max_time,
                                (struct block_cost){each, fixed < 2e-8 ? 0 : fixed});
}

static const struct {
    enum timing timing;
    double max_time;
    struct block_cost cost;
    uint64_t repetitions, blocks;
    enum stop stop;
} cases[] = {
    /* 10 blocks with a tenth of the time each; 0.09 s of it are repetitions. */
    {TIMING_ISOLATED, 1, {0.9e-3 + 1e-9, 0.01}, 990, 10, STOP_MAX_TIME},
    /* A repetition takes more than a tenth of the time, but six fit. */
    {TIMING_ISOLATED, 1, {0.13, 0}, 7, 7, STOP_MAX_TIME},
    {TIMING_ISOLATED, 1, {0.1, 0.04}, 7, 7, STOP_MAX_TIME},
    {TIMING_ISOLATED, 1, {0.17, 0}, 6, 6, STOP_LEAST},
    {TIMING_ISOLATED, 1, {1e-3, 2}, 6, 6, STOP_LEAST},
    {TIMING_ISOLATED, 1, {3600, 3600}, 6, 6, STOP_LEAST},
    /* So quick that the longest blocks end before the time does. */
    {TIMING_ISOLATED, 1, {1e-6, 0}, 10000, 10, STOP_MOST},
    {TIMING_ISOLATED, 1, {0, 0}, 10000, 10, STOP_MOST},
    {TIMING_STREAMING, 1, {1e-9, 0}, 20000000, 20, STOP_MOST},
    /* 20 batches; one of less than a millisecond would be blurred. */
    {TIMING_STREAMING, 1, {0.999e-6, 0}, 1001000, 20, STOP_MAX_TIME},
    {TIMING_STREAMING, 0.01, {0.9999e-6, 0}, 9009, 9, STOP_MAX_TIME},
    {TIMING_STREAMING, 1e-3, {1.0001e-5, 0}, 600, 6, STOP_LEAST},
    {TIMING_STREAMING, 1, {0.06, 0}, 16, 16, STOP_MAX_TIME},
    {TIMING_STREAMING, 0.0105, {1e-9, 0}, 10000000, 10, STOP_MAX_TIME},
};

static void test_cases(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct schedule schedule;

        schedule_timed(&schedule, cases[i].timing, cases[i].max_time, cases[i].cost);
        assert_int_equal(schedule.repetitions, cases[i].repetitions);
        assert_int_equal(schedule.blocks, cases[i].blocks);
        assert_string_equal(stop_name(schedule.stop), stop_name(cases[i].stop));
    }
}

static void test_stop_names(void **state)
{
    static const char *const expected[] = {[STOP_ITERATIONS] = "iterations",
                                           [STOP_MAX_TIME] = "max-time",
                                           [STOP_MOST] = "max-repetitions",
                                           [STOP_LEAST] = "min-repetitions",
                                           [STOP_NOT_OFFERED] = "not offered"};

    (void)state;
    for (size_t i = 0; i < COUNT(expected); i++)
        assert_string_equal(stop_name((enum stop)i), expected[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fixed),
        cmocka_unit_test(test_fixed_streaming_has_few_batches),
        cmocka_unit_test(test_timed),
        cmocka_unit_test(test_cases),
        cmocka_unit_test(test_stop_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
