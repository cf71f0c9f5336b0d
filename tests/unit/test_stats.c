/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "stats.h"

enum { VALUES_MOST = 20 };

/* Worked by hand. */
static const struct {
    size_t count;
    double values[VALUES_MOST];
    struct stats stats;
} cases[] = {
    {1, {7}, {.min = 7, .max = 7, .mean = 7, .median = 7, .p95 = 7, .p99 = 7}},
    {2, {3, 1}, {.min = 1, .max = 3, .mean = 2, .median = 2, .p95 = 3, .p99 = 3}},
    {3, {5, -4, 2}, {.min = -4, .max = 5, .mean = 1, .median = 2, .p95 = 5, .p99 = 5}},
    {5,
     {5, 4, 3, 2, 1},
     {.min = 1, .max = 5, .mean = 3, .median = 3, .p95 = 5, .p99 = 5}},
    {6,
     {6, 1, 16, 2, 3, 8},
     {.min = 1,
      .max = 16,
      .mean = 6,
      .median = 4.5,
      .p95 = 16,
      .p99 = 16,
      .low = 1,
      .high = 16,
      .has_interval = true}},
    {9,
     {90, 10, 80, 20, 70, 30, 60, 40, 50},
     {.min = 10,
      .max = 90,
      .mean = 50,
      .median = 50,
      .p95 = 90,
      .p99 = 90,
      .low = 20,
      .high = 80,
      .has_interval = true}},
    /* 95 % of 20 are 19 values exactly; the 6th and 15th, as P(B <= 5) = 21700 / 2^20. */
    {20,
     {20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1},
     {.min = 1,
      .max = 20,
      .mean = 10.5,
      .median = 10.5,
      .p95 = 19,
      .p99 = 20,
      .low = 6,
      .high = 15,
      .has_interval = true}},
};

static void test_small_sets(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double scratch[VALUES_MOST];
        const struct stats *expected = &cases[i].stats;
        struct stats got;

        stats_of(cases[i].values, scratch, cases[i].count, cases[i].count, &got);
        assert_int_equal(got.count, cases[i].count);
        assert_true(got.min == expected->min && got.max == expected->max);
        assert_true(got.mean == expected->mean && got.median == expected->median);
        assert_true(got.p95 == expected->p95 && got.p99 == expected->p99);
        assert_int_equal(got.has_interval, expected->has_interval);
        if (expected->has_interval)
            assert_true(got.low == expected->low && got.high == expected->high);
        else
            assert_true(isnan(got.low) && isnan(got.high));
    }
}

static void test_no_values(void **state)
{
    struct stats got;

    (void)state;
    stats_of(NULL, NULL, 0, 0, &got);
    assert_int_equal(got.count, 0);
    assert_true(isnan(got.min) && isnan(got.max) && isnan(got.mean));
    assert_true(isnan(got.median) && isnan(got.p95) && isnan(got.p99));
    assert_true(isnan(got.low) && isnan(got.high));
    assert_true(isnan(got.lag1) && isnan(got.drift));
    assert_false(got.has_interval || got.drifts);
}

/* Equal values have no other mean or median than themselves, to the last bit. */
static void test_equal_values(void **state)
{
    double values[1001], scratch[1001];
    struct stats got;

    (void)state;
    for (size_t count = 1; count <= 1001; count += 100) {
        for (size_t i = 0; i < count; i++)
            values[i] = 0.1;
        stats_of(values, scratch, count, count, &got);
        assert_true(got.mean == 0.1 && got.median == 0.1 && got.p95 == 0.1);
        assert_false(got.drifts);
    }
}

/* Values 1..count: a percentile is the rank that the definition asks for. */
static void test_nearest_rank(void **state)
{
    static double values[1000], scratch[1000];

    (void)state;
    for (size_t count = 1; count <= 1000; count++) {
        struct stats got;
        size_t rank95 = 1, rank99 = 1;

        for (size_t i = 0; i < count; i++)
            values[i] = (double)(count - i);
        while (rank95 * 100 < count * 95)
            rank95++;
        while (rank99 * 100 < count * 99)
            rank99++;
        stats_of(values, scratch, count, count, &got);
        assert_true(got.p95 == (double)rank95 && got.p99 == (double)rank99);
    }
}

static const struct {
    size_t count;
    double confidence;
    size_t j; /* 0: none */
} intervals[] = {
    {0, 0.95, 0},    {1, 0.95, 0},       {5, 0.95, 0},      {6, 0.95, 1},
    {7, 0.95, 1},    {8, 0.95, 1},       {9, 0.95, 2},      {10, 0.95, 2},
    {5, 0.9375, 1},  {5, 0.93750001, 0}, {6, 0.96875, 1},   {100, 0.95, 40},
    {7, 0.99, 0},    {8, 0.99, 1},       {1, 0.0, 1},       {2, 0.0, 1},
    {2, 0.5, 1},     {2, 0.51, 0},       {1000, 1.0, 0},    {1000000, 1.0, 0},
    {1000, 1.01, 0}, {1000, NAN, 0},     {1000, 0.95, 469}, {11, -1.0, 6},
};

static void test_known_intervals(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof intervals / sizeof intervals[0]; i++) {
        size_t j = 0, k = 0;
        bool found = stats_interval(intervals[i].count, intervals[i].confidence, &j, &k);

        assert_int_equal(found, intervals[i].j > 0);
        if (found) {
            assert_int_equal(j, intervals[i].j);
            assert_int_equal(k, intervals[i].count + 1 - j);
        }
    }
}

/* 2 * P(B < j), B binomial(count, 1/2), exactly: Pascal's triangle in integers. */
static double missed_exact(size_t count, size_t j)
{
    uint64_t row[64] = {1}, sum = 0;

    for (size_t n = 1; n <= count; n++)
        for (size_t i = n; i > 0; i--)
            row[i] += row[i - 1];
    for (size_t i = 0; i < j; i++)
        sum += row[i];
    return ldexp((double)sum, 1 - (int)count);
}

/* The same by logarithms of factorials, term by term. */
static long double missed_by_logarithms(size_t count, size_t j)
{
    long double sum = 0, n = (long double)count;

    for (size_t i = 0; i < j; i++)
        sum += expl(lgammal(n + 1) - lgammal((long double)i + 1) -
                    lgammal(n - (long double)i + 1) - n * logl(2));
    return 2 * sum;
}

static void test_intervals_of_up_to_60_exactly(void **state)
{
    static const double confidences[] = {0.5, 0.8, 0.9, 0.95, 0.99, 0.999};

    (void)state;
    for (size_t count = 1; count <= 60; count++)
        for (size_t c = 0; c < sizeof confidences / sizeof confidences[0]; c++) {
            double allowed = 1 - confidences[c];
            size_t j, k, expected = 0;

            while (expected + 1 <= (count + 1) / 2 &&
                   missed_exact(count, expected + 1) <= allowed)
                expected++;
            assert_int_equal(stats_interval(count, confidences[c], &j, &k), expected > 0);
            if (expected > 0)
                assert_true(j == expected && k == count + 1 - expected);
        }
}

/* A confidence that is the coverage itself, to the last bit, is reached. */
static void test_coverage_itself(void **state)
{
    (void)state;
    for (size_t count = 1; count <= 52; count++)
        for (size_t expected = 1; expected <= (count + 1) / 2; expected++) {
            double coverage = 1 - missed_exact(count, expected);
            size_t j, k;

            assert_true(stats_interval(count, coverage, &j, &k));
            assert_int_equal(j, expected);
        }
}

/* The interval holds, and one value less on each side does not. */
static void test_intervals_of_many(void **state)
{
    static const size_t counts[] = {61,   99,   100,  101,   999,   1000,
                                    1022, 1024, 5000, 12345, 99999, 1000000};
    static const double confidences[] = {0.5, 0.95, 0.999, 1 - 1e-9};

    (void)state;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        for (size_t c = 0; c < sizeof confidences / sizeof confidences[0]; c++) {
            double allowed = 1 - confidences[c];
            size_t j, k;

            assert_true(stats_interval(counts[i], confidences[c], &j, &k));
            assert_int_equal(j + k, counts[i] + 1);
            assert_true(missed_by_logarithms(counts[i], j) <= allowed);
            assert_true(missed_by_logarithms(counts[i], j + 1) > allowed);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_values),
        cmocka_unit_test(test_small_sets),
        cmocka_unit_test(test_equal_values),
        cmocka_unit_test(test_nearest_rank),
        cmocka_unit_test(test_known_intervals),
        cmocka_unit_test(test_intervals_of_up_to_60_exactly),
        cmocka_unit_test(test_coverage_itself),
        cmocka_unit_test(test_intervals_of_many),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
