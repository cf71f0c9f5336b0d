/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "schedule.h"
#include "stats.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* An interval of a median at 95 % needs as many values. */
enum { BLOCKS_LEAST = 6, BLOCKS_USUAL = 20 };

enum { PILOT = 100 };
static const double slack = 1 + 1e-9; /* for rounding */

/* Blocks differ by one repetition at the most, and together are all repetitions. */
static void check_lengths(const struct schedule *schedule, uint64_t length_most)
{
    uint64_t blocks = schedule->blocks, total = 0;
    uint64_t longest = schedule_length(schedule, 0);

    assert_in_range(longest, 1, length_most);
    assert_in_range(longest - schedule_length(schedule, blocks - 1), 0, 1);
    if (blocks > 1000)
        return;
    for (uint64_t block = 0; block < blocks; block++) {
        uint64_t length = schedule_length(schedule, block);

        assert_in_range(longest - length, 0, 1);
        total += length;
    }
    assert_int_equal(total, schedule->repetitions);
}

static void check_fixed(uint64_t iterations, uint64_t length_most)
{
    struct schedule schedule;

    memset(&schedule, 0x55, sizeof schedule);
    schedule_fixed(&schedule, iterations, length_most);
    assert_int_equal(schedule.repetitions, iterations);
    assert_int_equal(schedule.stop, STOP_ITERATIONS);
    /* As many as there can be, up to the usual number, and more only for length_most. */
    uint64_t usual = iterations < BLOCKS_USUAL ? iterations : BLOCKS_USUAL;
    uint64_t needed = (iterations - 1) / length_most + 1;
    assert_int_equal(schedule.blocks, needed > usual ? needed : usual);
    assert_int_equal(schedule.stretches, usual);
    check_lengths(&schedule, length_most);
}

static void test_fixed(void **state)
{
    static const uint64_t lengths[] = {1, 2, 7, 4096, SCHEDULE_LENGTH_MOST, UINT64_MAX};
    static const uint64_t many[] = {
        9999,    10000,   10001,    81919,     81920,     81921,   1310719,
        1310720, 1310721, 99999999, 100000000, 100000001, 9999999, UINT64_C(1) << 40};

    (void)state;
    for (size_t l = 0; l < COUNT(lengths); l++) {
        for (uint64_t n = 1; n <= 3000; n++)
            check_fixed(n, lengths[l]);
        for (size_t i = 0; i < COUNT(many); i++)
            check_fixed(many[i], lengths[l]);
    }
}

/* From 1 to 2 in equal steps, in turns from the lower and the upper half: independent. */
static void fill_uniform(double seconds[PILOT])
{
    for (int i = 0; i < PILOT; i++)
        seconds[i] = 1 + (i / 2 + i % 2 * (PILOT / 2)) / (PILOT - 1.0);
}

static void fill_equal(double seconds[PILOT])
{
    for (int i = 0; i < PILOT; i++)
        seconds[i] = 1e-5;
}

static void fill_zeros(double seconds[PILOT])
{
    memset(seconds, 0, PILOT * sizeof *seconds);
}

/* Waves: neighbours are alike. */
static void fill_waves(double seconds[PILOT])
{
    for (int i = 0; i < PILOT; i++)
        seconds[i] = 2 + sin(0.5 * i);
}

static void plan_from(struct schedule *schedule, enum timing timing,
                      const struct aim *aim, struct block_cost cost, size_t count,
                      void (*fill)(double seconds[PILOT]))
{
    double seconds[PILOT], scratch[PILOT], kept[PILOT];

    fill(seconds);
    memcpy(kept, seconds, sizeof kept);
    memset(scratch, 0x55, sizeof scratch);
    memset(schedule, 0x55, sizeof *schedule);
    schedule_from_pilot(schedule, timing, aim,
                        &(struct pilot){cost, seconds, scratch, count});
    assert_memory_equal(seconds, kept, sizeof kept);
}

static double cost_of(const struct schedule *schedule, struct block_cost cost)
{
    return (double)schedule->blocks * cost.fixed +
           (double)schedule->repetitions * cost.per_repetition;
}

/* What the precision takes with fill_uniform: its 95 % interval of the median reaches
 * 0.98 / sqrt(PILOT) of the values' range, up and down; 0.6 of the precision is wanted.
 */
static double needed_of(double precision)
{
    double half_width = 0.98 / sqrt(PILOT) / 1.5;

    return precision > 0 ? PILOT * pow(half_width / (0.6 * precision), 2) : INFINITY;
}

/* Is the time used, up to what one repetition more would add, or one block more in each
 * stretch, or one batch? */
static void check_filled(const struct schedule *schedule, enum timing timing,
                         const struct aim *aim, struct block_cost cost)
{
    double left = aim->max_time - cost_of(schedule, cost);
    double more = timing == TIMING_ISOLATED
                      ? (double)schedule->stretches * cost.fixed + cost.per_repetition
                      : cost_of(schedule, cost) / (double)schedule->blocks;

    assert_true(left < more + 1e-9 * aim->max_time);
}

static void check_stop(const struct schedule *schedule, enum timing timing,
                       const struct aim *aim, struct block_cost cost)
{
    uint64_t unit = timing == TIMING_ISOLATED ? 1 : schedule_length(schedule, 0);
    double spent = cost_of(schedule, cost), needed = needed_of(aim->precision);

    switch (schedule->stop) {
    case STOP_PRECISION:
        /* A sample of streaming is a batch. */
        assert_true((double)schedule->repetitions * slack >= needed * (double)unit);
        break;
    case STOP_MAX_ITERATIONS:
        assert_true(schedule->repetitions > aim->max_iterations - unit);
        break;
    case STOP_MAX_TIME:
        check_filled(schedule, timing, aim, cost);
        assert_true(schedule->repetitions < aim->max_iterations + unit);
        break;
    case STOP_MIN_BLOCKS:
        assert_int_equal(schedule->blocks, BLOCKS_LEAST);
        assert_int_equal(schedule->repetitions, BLOCKS_LEAST * unit);
        assert_true(spent * slack > aim->max_time);
        return;
    case STOP_ITERATIONS:
    case STOP_NOT_OFFERED:
        fail_msg("stopped: %s", stop_name(schedule->stop));
    }
    assert_true(spent <= aim->max_time * slack);
    if (schedule->stop != STOP_MAX_TIME)
        assert_true(schedule->repetitions + unit > aim->min_iterations);
}

static void check_timed(enum timing timing, const struct aim *aim, struct block_cost cost)
{
    struct schedule schedule;

    plan_from(&schedule, timing, aim, cost, PILOT, fill_uniform);
    assert_in_range(schedule.repetitions, schedule.blocks, aim->max_iterations);
    assert_in_range(schedule.stretches, BLOCKS_LEAST, schedule.blocks);
    if (timing == TIMING_ISOLATED) {
        assert_in_range(schedule.stretches, BLOCKS_LEAST, BLOCKS_USUAL);
        assert_int_equal(schedule.blocks % schedule.stretches, 0);
    } else {
        assert_int_equal(schedule.blocks, schedule.stretches);
        assert_int_equal(schedule.repetitions % schedule.blocks, 0);
    }
    check_lengths(&schedule, aim->length_most);
    check_stop(&schedule, timing, aim, cost);
}

static const struct aim aims[] = {
    {.precision = 0.02, .min_iterations = 20, .max_iterations = 100000},
    {.precision = 0.5, .min_iterations = 1, .max_iterations = 6},
    {.precision = 0.1, .min_iterations = 1, .max_iterations = 101},
    {.precision = 0.05, .min_iterations = 100, .max_iterations = 1009},
    {.precision = 0.01, .min_iterations = 999, .max_iterations = 1000},
    {.precision = 1e-5, .min_iterations = 20, .max_iterations = 100000000},
    {.precision = 1, .min_iterations = 5000, .max_iterations = 100000000},
    {.precision = 0, .min_iterations = 20, .max_iterations = 100000},
    {.precision = 0, .min_iterations = 100000000, .max_iterations = 100000000},
};

/* Costs and times from nanoseconds to hours. */
static void check_costs(enum timing timing, struct aim aim)
{
    for (aim.max_time = 1e-6; aim.max_time < 700000; aim.max_time *= 5.3)
        for (double each = 1e-9; each < 4000; each *= 4.1)
            for (double fixed = 1e-8; fixed < 4000; fixed *= 4.7)
                check_timed(timing, &aim,
                            (struct block_cost){each, fixed < 2e-8 ? 0 : fixed});
}

static void test_timed(void **state)
{
    static const uint64_t isolated[] = {SCHEDULE_LENGTH_MOST, 100};
    static const uint64_t streaming[] = {UINT64_MAX, 2};

    (void)state;
    for (size_t i = 0; i < COUNT(aims); i++)
        for (int l = 0; l < 2; l++) {
            struct aim aim = aims[i];

            aim.length_most = isolated[l];
            check_costs(TIMING_ISOLATED, aim);
            aim.length_most = streaming[l];
            check_costs(TIMING_STREAMING, aim);
        }
}

/* Without other limits, as many samples as the pilot's spread asks for. */
static void test_samples_that_a_precision_takes(void **state)
{
    static const double precisions[] = {0.2, 0.1, 0.03, 0.01, 0.003, 0.001};
    const struct block_cost cost = {1e-3, 1e-3};

    (void)state;
    for (size_t i = 0; i < COUNT(precisions); i++) {
        const struct aim aim = {.precision = precisions[i],
                                .max_time = 1e9,
                                .min_iterations = 1,
                                .max_iterations = 100000000,
                                .length_most = SCHEDULE_LENGTH_MOST};
        struct schedule schedule;
        double needed = needed_of(precisions[i]);

        plan_from(&schedule, TIMING_ISOLATED, &aim, cost, PILOT, fill_uniform);
        assert_int_equal(schedule.stop, STOP_PRECISION);
        assert_true(fabs((double)schedule.repetitions - fmax(needed, BLOCKS_USUAL)) <
                    1 + 1e-6 * needed);
        plan_from(&schedule, TIMING_STREAMING, &aim, cost, PILOT, fill_uniform);
        assert_int_equal(schedule.stop, STOP_PRECISION);
        assert_true(fabs((double)schedule.blocks - fmax(needed, BLOCKS_LEAST)) <
                    1 + 1e-6 * needed);
    }
}

/* Where neighbours are alike, stretches are ten times as long as that lasts, or there
 * are but the fewest. */
static void test_dependent_samples(void **state)
{
    static const uint64_t most[] = {6, 100, 300, 500, 700, 1000, 1500, 100000};
    double seconds[PILOT], sorted[PILOT], length;
    int fewest = 0;

    (void)state;
    fill_waves(seconds);
    fill_waves(sorted);
    stats_sort(sorted, PILOT);
    length =
        10 * stats_correlation_time(seconds, PILOT, stats_quantile(sorted, PILOT, 0.5));
    assert_true(length > 30);
    for (size_t i = 0; i < COUNT(most); i++) {
        const struct aim aim = {.precision = 0.5,
                                .max_time = 1e9,
                                .min_iterations = 1,
                                .max_iterations = most[i],
                                .length_most = SCHEDULE_LENGTH_MOST};
        struct schedule schedule;

        plan_from(&schedule, TIMING_ISOLATED, &aim, (struct block_cost){1e-3, 1e-3},
                  PILOT, fill_waves);
        assert_in_range(schedule.repetitions, BLOCKS_LEAST, most[i]);
        assert_in_range(schedule.stretches, BLOCKS_LEAST, BLOCKS_USUAL);
        fewest += schedule.stretches == BLOCKS_LEAST;
        if (schedule.stretches > BLOCKS_LEAST)
            assert_true((double)schedule.repetitions >=
                        (double)schedule.stretches * length);
    }
    assert_in_range(fewest, 1, COUNT(most) - 1);
}

/* A pilot that cannot tell asks for all there is time for. */
static void test_poor_pilots(void **state)
{
    static const struct {
        size_t count;
        void (*fill)(double seconds[PILOT]);
    } pilots[] = {
        {1, fill_uniform}, {2, fill_uniform}, {3, fill_equal}, {PILOT, fill_zeros}};
    const struct aim aim = {.precision = 0.02,
                            .max_time = 1,
                            .min_iterations = 20,
                            .max_iterations = 1000,
                            .length_most = SCHEDULE_LENGTH_MOST};

    (void)state;
    for (size_t i = 0; i < COUNT(pilots); i++)
        for (int timing = 0; timing < TIMING_COUNT; timing++) {
            struct schedule schedule;

            plan_from(&schedule, (enum timing)timing, &aim, (struct block_cost){1e-4, 0},
                      pilots[i].count, pilots[i].fill);
            assert_int_equal(schedule.repetitions, 1000);
            assert_int_equal(schedule.stop, STOP_MAX_ITERATIONS);
        }
}

/* Powers of two, so that no rounding blurs what is expected. */
#define P(n) (1.0 / (UINT64_C(1) << (n)))
#define ALL  SCHEDULE_LENGTH_MOST
#define ISO  TIMING_ISOLATED
#define STR  TIMING_STREAMING

/* Of a pilot whose samples are equal: any precision above 0 is met at once. */
/* clang-format off */
static const struct {
    enum timing timing;
    struct aim aim; /* precision, max_time, min_iterations, max_iterations, length_most */
    struct block_cost cost;
    uint64_t repetitions, blocks, stretches;
    enum stop stop;
} cases[] = {
    {ISO, {0.02, 1, 20, 100000, ALL}, {P(17), P(14)}, 20, 20, 20, STOP_PRECISION},
    {ISO, {0.02, 1, 777, 100000, ALL}, {P(17), P(14)}, 777, 20, 20, STOP_PRECISION},
    /* Fewer, where more are not allowed. */
    {ISO, {0.02, 1, 1, 16, ALL}, {P(17), P(14)}, 15, 15, 15, STOP_PRECISION},
    {ISO, {0.02, 1, 16, 16, ALL}, {P(17), P(14)}, 16, 15, 15, STOP_PRECISION},
    {ISO, {0.02, 1, 1, 6, ALL}, {P(17), P(14)}, 6, 6, 6, STOP_PRECISION},
    /* Fewer, where there is no time for more. */
    {ISO, {0.02, 1, 1, 100000, ALL}, {P(4), 0}, 15, 15, 15, STOP_PRECISION},
    {ISO, {0.02, 1, 20, 100000, ALL}, {P(4), 0}, 16, 15, 15, STOP_MAX_TIME},
    {ISO, {0.02, 1, 20, 100000, ALL}, {P(10), P(4) - P(10)}, 20, 15, 15, STOP_PRECISION},
    /* All the time. */
    {ISO, {0, 0.5, 20, 100000, ALL}, {P(17), 0}, 65536, 20, 20, STOP_MAX_TIME},
    {ISO, {0, 0.5, 20, 100000, ALL}, {P(17), P(6)}, 24576, 20, 20, STOP_MAX_TIME},
    {ISO, {0, 0.5, 20, 50001, ALL}, {P(17), 0}, 50001, 20, 20, STOP_MAX_ITERATIONS},
    {ISO, {0, 1, 20, 100000, ALL}, {P(3), 0}, 8, 6, 6, STOP_MAX_TIME},
    {ISO, {0, 1, 20, 100000, ALL}, {P(2), 0}, 6, 6, 6, STOP_MIN_BLOCKS},
    {ISO, {0, 1, 20, 100000, ALL}, {P(10), 2}, 6, 6, 6, STOP_MIN_BLOCKS},
    {ISO, {0, 1, 20, 100000, ALL}, {3600, 3600}, 6, 6, 6, STOP_MIN_BLOCKS},
    /* A stretch of several blocks. */
    {ISO, {0, 1e9, 20, 10000000, ALL}, {P(17), P(14)}, 10000000, 160, 20, STOP_MAX_ITERATIONS},
    {ISO, {0, 2, 20, 10000000, 4096}, {P(20), 0}, 2097152, 520, 20, STOP_MAX_TIME},
    /* Six batches, of a millisecond each, that no limit of repetitions forbids. */
    {STR, {0.02, 1, 20, 100000, UINT64_MAX}, {P(20), 0}, 6294, 6, 6, STOP_PRECISION},
    {STR, {0.02, 1, 20, 1000, UINT64_MAX}, {P(20), 0}, 996, 6, 6, STOP_PRECISION},
    {STR, {0.02, 1, 20, 6, UINT64_MAX}, {P(20), 0}, 6, 6, 6, STOP_PRECISION},
    {STR, {0.02, 1, 20, 100000, 2}, {P(20), 0}, 20, 10, 10, STOP_PRECISION},
    {STR, {0.02, 1, 7000, 100000, UINT64_MAX}, {P(20), 0}, 7343, 7, 7, STOP_PRECISION},
    /* Batches last as long as filling and checking them. */
    {STR, {0.02, 9, 20, 100000, UINT64_MAX}, {P(10), P(3)}, 768, 6, 6, STOP_PRECISION},
    {STR, {0, 1, 20, 100000, UINT64_MAX}, {P(20), 0}, 99655, 95, 95, STOP_MAX_ITERATIONS},
    {STR, {0, P(6), 20, 100000, UINT64_MAX}, {P(20), 0}, 15735, 15, 15, STOP_MAX_TIME},
    {STR, {0.02, P(8), 20, 100000, UINT64_MAX}, {P(20), 0}, 6294, 6, 6, STOP_MIN_BLOCKS},
    {STR, {0.02, 1, 20, 100000, UINT64_MAX}, {0.5, 0}, 6, 6, 6, STOP_MIN_BLOCKS},
    {STR, {0, 16, 1, 100000, UINT64_MAX}, {0.5, 0}, 32, 32, 32, STOP_MAX_TIME},
};
/* clang-format on */

static void test_cases(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct schedule schedule;

        plan_from(&schedule, cases[i].timing, &cases[i].aim, cases[i].cost, PILOT,
                  fill_equal);
        assert_string_equal(stop_name(schedule.stop), stop_name(cases[i].stop));
        assert_int_equal(schedule.repetitions, cases[i].repetitions);
        assert_int_equal(schedule.blocks, cases[i].blocks);
        assert_int_equal(schedule.stretches, cases[i].stretches);
    }
}

static void test_batch(void **state)
{
    static const struct {
        struct block_cost cost;
        uint64_t length_most, length;
    } batches[] = {
        {{P(20), 0}, UINT64_MAX, 1049}, {{P(20), P(4)}, UINT64_MAX, 65536},
        {{P(20), P(4)}, 64, 64},        {{P(9), 0}, UINT64_MAX, 1},
        {{P(9), P(8)}, UINT64_MAX, 2},  {{100, 1000}, UINT64_MAX, 10},
        {{100, 10}, UINT64_MAX, 1},     {{1e-9, 1}, UINT64_MAX, 1000000},
        {{0, 0}, UINT64_MAX, 1000000},  {{1, 5}, 1, 1},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(batches); i++)
        assert_int_equal(schedule_batch(&batches[i].cost, batches[i].length_most),
                         batches[i].length);
}

static void test_stop_names(void **state)
{
    static const char *const expected[] = {
        [STOP_ITERATIONS] = "iterations", [STOP_PRECISION] = "precision",
        [STOP_MAX_TIME] = "max-time",     [STOP_MAX_ITERATIONS] = "max-iterations",
        [STOP_MIN_BLOCKS] = "min-blocks", [STOP_NOT_OFFERED] = "not offered"};

    (void)state;
    for (size_t i = 0; i < COUNT(expected); i++)
        assert_string_equal(stop_name((enum stop)i), expected[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fixed),
        cmocka_unit_test(test_cases),
        cmocka_unit_test(test_timed),
        cmocka_unit_test(test_samples_that_a_precision_takes),
        cmocka_unit_test(test_dependent_samples),
        cmocka_unit_test(test_poor_pilots),
        cmocka_unit_test(test_batch),
        cmocka_unit_test(test_stop_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
