/* SPDX-License-Identifier: BSD-3-Clause */
/* Statistics of whole series, against a computation that sorts nothing. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "series_fixture.h"
#include "stats.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { VALUES_MOST = 100001, DRIFT_BLOCKS = 21 };

static bool is_near(double a, double b)
{
    return fabs(a - b) <= 1e-12 * fmax(fabs(a), fabs(b));
}

/* The k-th smallest, counted from 1. */
static double select_value(const double *values, size_t count, size_t k)
{
    for (size_t i = 0; i < count; i++) {
        size_t below = 0, equal = 0;

        for (size_t j = 0; j < count; j++) {
            below += values[j] < values[i];
            equal += values[j] == values[i];
        }
        if (below < k && k <= below + equal)
            return values[i];
    }
    return NAN;
}

static double select_median(const double *values, size_t count)
{
    return (select_value(values, count, (count + 1) / 2) +
            select_value(values, count, count / 2 + 1)) /
           2;
}

static void medians_of(const double *values, size_t count, size_t blocks, double *medians)
{
    for (size_t b = 0; b < blocks; b++) {
        size_t start = count * b / blocks, end = count * (b + 1) / blocks;

        medians[b] = select_median(values + start, end - start);
    }
}

/* Two-sided p of the Mann-Kendall test, from the pairs that are in order and those that
 * are not. */
static double trend_probability(const double *values, size_t count)
{
    double n = (double)count, rising = 0, falling = 0;

    for (size_t j = 1; j < count; j++)
        for (size_t i = 0; i < j; i++) {
            rising += values[i] < values[j];
            falling += values[i] > values[j];
        }
    double z = (fabs(rising - falling) - 1) / sqrt(n * (n - 1) * (2 * n + 5) / 18);
    return erfc(fmax(z, 0) / sqrt(2));
}

static void check_drift(const double *values, size_t count, const struct stats *got)
{
    size_t blocks = count < DRIFT_BLOCKS ? count : DRIFT_BLOCKS, third = blocks / 3;
    double medians[DRIFT_BLOCKS];

    if (third == 0) {
        assert_true(isnan(got->drift) && !got->drifts);
        return;
    }
    medians_of(values, count, blocks, medians);
    double first = select_median(medians, third);
    double last = select_median(medians + blocks - third, third);
    assert_true(is_near(got->drift, (last - first) / select_median(values, count)));
    assert_int_equal(got->drifts, trend_probability(medians, blocks) < 0.01);
}

static void check_lag1(const double *values, size_t count, const struct stats *got)
{
    double median = select_median(values, count), alike = 0, unlike = 0, off = 0;

    if (count < 3) {
        assert_true(isnan(got->lag1));
        return;
    }
    for (size_t i = 0; i < count; i++) {
        off += values[i] != median;
        if (i == 0)
            continue;
        alike += (values[i] - median) * (values[i - 1] - median) > 0;
        unlike += (values[i] - median) * (values[i - 1] - median) < 0;
    }
    double n = (double)count;
    double r = off > 0 ? (alike - unlike) / (n - 1) / (off / n) : 0;
    assert_true(fabs(got->lag1 - sin(acos(-1) / 2 * fmax(fmin(r, 1), -1))) < 1e-12);
}

/* Ranks of the lower end, of which 95 % intervals have one: from tables of the binomial
 * distribution. */
static const struct {
    size_t blocks, low;
} ends[] = {{5, 0}, {6, 1}, {9, 2}, {12, 3}, {15, 4}, {17, 5}, {20, 6}, {60, 22}};

static void check_interval(const double *values, double *scratch, size_t count)
{
    for (size_t i = 0; i < COUNT(ends) && ends[i].blocks <= count; i++) {
        double medians[STATS_BLOCKS_MOST];
        struct stats got;

        stats_of(values, scratch, count, ends[i].blocks, &got);
        assert_int_equal(got.has_interval, ends[i].low > 0);
        if (!got.has_interval) {
            assert_true(isnan(got.low) && isnan(got.high));
            continue;
        }
        medians_of(values, count, ends[i].blocks, medians);
        assert_true(is_near(got.low, select_value(medians, ends[i].blocks, ends[i].low)));
        assert_true(is_near(got.high, select_value(medians, ends[i].blocks,
                                                   ends[i].blocks + 1 - ends[i].low)));
    }
}

static void check_figures(const double *values, size_t count, const struct stats *got)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += values[i];
    assert_int_equal(got->count, count);
    assert_true(is_near(got->mean, sum / (double)count));
    assert_true(is_near(got->median, select_median(values, count)));
    assert_true(got->min == select_value(values, count, 1));
    assert_true(got->max == select_value(values, count, count));
    assert_true(got->p95 == select_value(values, count, (count * 95 + 99) / 100));
    assert_true(got->p99 == select_value(values, count, (count * 99 + 99) / 100));
}

static double constant(struct series *series, size_t i)
{
    (void)series, (void)i;
    return 1e-5;
}

static double two_modes(struct series *series, size_t i)
{
    (void)i;
    return series_uniform(series) < 0.5 ? 1e-5 : 4e-5;
}

static double in_turns(struct series *series, size_t i)
{
    (void)series;
    return i % 2 ? 1e-5 : 4e-5;
}

static double drifting(struct series *series, size_t i)
{
    return 1e-5 * (10 + 0.01 * (double)i + series_normal(series));
}

static double getting_faster(struct series *series, size_t i)
{
    (void)series;
    return 1 / (1 + (double)i);
}

static double heavy_tailed(struct series *series, size_t i)
{
    (void)i;
    return 1e-5 / series_uniform(series);
}

static double correlated(struct series *series, size_t i)
{
    (void)i;
    return 1e-5 * (20 + series_next(series));
}

static double coarse_clock(struct series *series, size_t i)
{
    (void)i;
    return 1e-6 * floor(20 + 2 * series_normal(series));
}

/* The largest of eight ranks, one of which is late each tenth time. */
static double one_slow_rank(struct series *series, size_t i)
{
    double slowest = 0;

    for (int rank = 0; rank < 8; rank++) {
        double late = rank == 3 && i % 10 == 7 ? 5e-5 : 0;

        slowest = fmax(slowest, 1e-5 * (1 + 0.1 * series_uniform(series)) + late);
    }
    return slowest;
}

static double (*const plays[])(struct series *series, size_t i) = {
    constant,     two_modes,  in_turns,     drifting,     getting_faster,
    heavy_tailed, correlated, coarse_clock, one_slow_rank};

static void check_series(double (*play)(struct series *, size_t), size_t count)
{
    enum { MOST = 1000 };
    double values[MOST] = {0}, kept[MOST], scratch[MOST];
    struct series series;
    struct stats got;

    series_start(&series, count, 0.7);
    for (size_t i = 0; i < count; i++)
        kept[i] = values[i] = play(&series, i);
    memset(scratch, 0x55, sizeof scratch);
    stats_of(values, scratch, count, count, &got);
    check_figures(values, count, &got);
    check_drift(values, count, &got);
    check_lag1(values, count, &got);
    check_interval(values, scratch, count);
    assert_memory_equal(values, kept, count * sizeof *values);
}

static void test_scripted_series(void **state)
{
    static const size_t counts[] = {1,  2,  3,  4,  5,  6,   7,   8,   20,  21,
                                    22, 23, 40, 41, 63, 119, 200, 357, 500, 1000};

    (void)state;
    for (size_t i = 0; i < COUNT(plays); i++)
        for (size_t c = 0; c < COUNT(counts); c++)
            check_series(plays[i], counts[c]);
}

/* Known trends, and how far they are known. */
static void test_trends(void **state)
{
    static const struct {
        double (*play)(struct series *series, size_t i);
        double drift;
        bool drifts;
    } cases[] = {
        {constant, 0, false},
        {in_turns, 0, false},
        {two_modes, NAN, false},
        {heavy_tailed, NAN, false},
        {one_slow_rank, NAN, false},
        /* From 10 to 20, by thirds' middles: 11.67 to 18.33, over 15. */
        {drifting, 0.444, true},
        {getting_faster, NAN, true},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        double values[1000], scratch[1000];
        struct series series;
        struct stats got;

        series_start(&series, 1, 0);
        for (size_t at = 0; at < 1000; at++)
            values[at] = cases[i].play(&series, at);
        stats_of(values, scratch, 1000, 20, &got);
        assert_int_equal(got.drifts, cases[i].drifts);
        if (!isnan(cases[i].drift))
            assert_true(fabs(got.drift - cases[i].drift) < 0.04);
    }
}

/* Of ten values, S = 29 (8 pairs are out of order) is 1 short of a trend: the correction
 * for continuity counts. */
static void test_nearly_a_trend(void **state)
{
    static const double most[] = {4, 3, 2, 1, 6, 5, 7, 8, 9, 10};
    static const double less[] = {4, 3, 2, 1, 6, 5, 8, 7, 9, 10};
    double scratch[10];
    struct stats got;

    (void)state;
    stats_of(most, scratch, 10, 10, &got);
    assert_true(got.drifts);
    stats_of(less, scratch, 10, 10, &got);
    assert_false(got.drifts);
}

/* Less than one in a hundred independent series seems to have a trend; one with a drift
 * of half its spread hardly ever seems to have none. */
static void test_trend_errors(void **state)
{
    enum { SERIES = 4000, VALUES = 420 };
    int seen[2] = {0};
    struct series series;

    (void)state;
    series_start(&series, 1, 0);
    for (int i = 0; i < 2 * SERIES; i++) {
        double values[VALUES], scratch[VALUES];
        struct stats got;

        for (size_t at = 0; at < VALUES; at++)
            values[at] =
                100 + series_normal(&series) + (i % 2 ? 1.0 * (double)at / VALUES : 0);
        stats_of(values, scratch, VALUES, 6, &got);
        seen[i % 2] += got.drifts;
    }
    assert_in_range(seen[0], SERIES / 500, SERIES / 80);
    assert_in_range(seen[1], SERIES * 9 / 10, SERIES);
}

static const double rhos[] = {-0.5, 0, 0.3, 0.6, 0.9};

/* Normal values and, with the same signs about the median, far from normal ones. */
static void test_correlation(void **state)
{
    static double values[VALUES_MOST], heavy[VALUES_MOST];

    (void)state;
    for (size_t i = 0; i < COUNT(rhos); i++) {
        struct series series;

        series_start(&series, 1 + i, rhos[i]);
        for (size_t at = 0; at < VALUES_MOST; at++) {
            values[at] = series_next(&series);
            heavy[at] = exp(5 * values[at]);
        }
        for (size_t lag = 1; lag <= 4; lag++) {
            double got = stats_correlation(values, VALUES_MOST, 0, lag);

            assert_true(fabs(got - pow(rhos[i], (double)lag)) < 0.03);
            assert_true(got == stats_correlation(heavy, VALUES_MOST, 1, lag));
        }
    }
}

static void test_extreme_correlations(void **state)
{
    static const double turns[] = {1, 9, 1, 9, 1, 9, 1, 9}, equal[] = {5, 5, 5, 5},
                        halves[] = {1, 2, 3, 4, 6, 7, 8, 9};

    (void)state;
    assert_true(stats_correlation(turns, 8, 5, 1) == -1);
    assert_true(stats_correlation(turns, 8, 5, 2) == 1);
    assert_true(stats_correlation(turns, 8, 5, 7) == -1);
    assert_true(stats_correlation(turns, 8, 5, 8) == 0);
    assert_true(stats_correlation(turns, 8, 5, 100) == 0);
    assert_true(stats_correlation(equal, 4, 5, 1) == 0);
    assert_true(stats_correlation(halves, 8, 5, 4) == -1);
    assert_true(stats_correlation_time(turns, 8, 5) == 1);
    assert_true(stats_correlation_time(equal, 4, 5) == 1);
    assert_true(stats_correlation_time(halves, 1, 1) == 1);
}

/* Signs of values k apart have correlation 2/pi asin(rho^k). Noise that looks like more
 * of it makes the time longer rather than shorter. */
static void test_correlation_time(void **state)
{
    static double values[VALUES_MOST];

    (void)state;
    for (size_t i = 0; i < COUNT(rhos); i++) {
        double expected = 1;
        struct series series;

        for (double power = rhos[i]; fabs(power) > 1e-9; power *= rhos[i])
            expected += 4 / acos(-1) * asin(power);
        series_start(&series, 1 + i, rhos[i]);
        for (size_t at = 0; at < VALUES_MOST; at++)
            values[at] = series_next(&series);

        double got = stats_correlation_time(values, VALUES_MOST, 0);
        assert_true(got > 0.9 * fmax(expected, 1) && got < 1.25 * fmax(expected, 1));
    }
}

/* Where all depends on all, there are few independent values. */
static void test_correlation_time_of_a_trend(void **state)
{
    double values[999];

    (void)state;
    for (size_t i = 0; i < 999; i++)
        values[i] = (double)i;
    assert_true(stats_correlation_time(values, 999, 499) > 100);
}

static void test_quantile(void **state)
{
    static const double values[] = {10, 20, 40, 80, 160};
    static const struct {
        size_t count;
        double place, value;
    } cases[] = {
        {1, 0, 10},  {1, 0.5, 10},  {1, 1, 10},     {2, 0.5, 15}, {2, 0.25, 12.5},
        {5, 0, 10},  {5, 0.25, 20}, {5, 0.375, 30}, {5, 0.5, 40}, {5, 0.75, 80},
        {5, 1, 160}, {5, -0.1, 10}, {5, 1.1, 160},  {4, 0.5, 30}, {5, 0.9375, 140},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_true(is_near(stats_quantile(values, cases[i].count, cases[i].place),
                            cases[i].value));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scripted_series),
        cmocka_unit_test(test_trends),
        cmocka_unit_test(test_nearly_a_trend),
        cmocka_unit_test(test_trend_errors),
        cmocka_unit_test(test_correlation),
        cmocka_unit_test(test_extreme_correlations),
        cmocka_unit_test(test_correlation_time),
        cmocka_unit_test(test_correlation_time_of_a_trend),
        cmocka_unit_test(test_quantile),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
