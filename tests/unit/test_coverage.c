/* SPDX-License-Identifier: BSD-3-Clause */
/* Does a 95 % interval cover the median 95 times of 100, with the number of repetitions
 * that the pilot asks for? Thousands of points with samples of a known law. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "schedule.h"
#include "series_fixture.h"
#include "stats.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { POINTS = 2000, PILOT = 1000, REPETITIONS_MOST = 4000 };

/* What becomes of a standard normal value: times with tails of different weight. */
static double to_normal(double z)
{
    return 10 + z;
}

static double to_log_normal(double z)
{
    return exp(0.8 * z);
}

/* Pareto, whose tail of 1.1 has a mean but no variance. */
static double to_heavy(double z)
{
    return pow(0.5 * erfc(z / sqrt(2)), -1 / 1.1);
}

struct law {
    const char *name;
    double (*of)(double z);
    double precision; /* that takes about a thousand independent values */
};

static const struct law normal = {"normal", to_normal, 0.012};
static const struct law log_normal = {"log-normal", to_log_normal, 0.12};
static const struct law heavy_tail = {"heavy tail", to_heavy, 0.11};

/* Correlated values are worth fewer independent ones: the precision is that much worse.
 * Or much worse: then the length of stretches decides. Or better: the most repetitions
 * do not reach it. */
static const struct {
    double rho, worse;
} dependences[] = {{0, 1}, {0.3, 1.2}, {0.6, 1.6}, {0.9, 3}, {0.9, 40}, {0.9, 0.4}};

struct tally {
    uint64_t covered, met, asked; /* asked: the pilot thought that it will be met */
    double repetitions;
};

static void draw(struct series *series, const struct law *law, double *seconds,
                 uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        seconds[i] = law->of(series_next(series));
}

static void measure_point(struct series *series, const struct law *law,
                          enum timing timing, double precision, struct tally *tally)
{
    static double seconds[REPETITIONS_MOST], scratch[REPETITIONS_MOST];
    double median = law->of(0);
    struct schedule schedule;
    struct stats stats;
    const struct pilot pilot = {
        .cost = {.per_repetition = 1e-3, .fixed = 1e-3},
        .seconds = seconds,
        .scratch = scratch,
        .count = PILOT,
    };
    const struct aim aim = {
        .precision = precision,
        .max_time = 60,
        .min_iterations = 20,
        .max_iterations = REPETITIONS_MOST,
        .length_most = SCHEDULE_LENGTH_MOST,
    };

    draw(series, law, seconds, pilot.count);
    schedule_from_pilot(&schedule, timing, &aim, &pilot);
    assert_in_range(schedule.repetitions, 20, REPETITIONS_MOST);
    draw(series, law, seconds, schedule.repetitions);
    stats_of(seconds, scratch, schedule.repetitions, schedule.stretches, &stats);
    assert_true(stats.has_interval);
    tally->covered += stats.low <= median && median <= stats.high;
    tally->repetitions += (double)schedule.repetitions;
    if (schedule.stop == STOP_PRECISION) {
        tally->asked++;
        tally->met += (stats.high - stats.low) / 2 / stats.median <= precision;
    }
}

/* worse: times the law's precision. */
static void check_coverage(const struct law *law, enum timing timing, double rho,
                           double worse)
{
    struct tally tally = {0};
    struct series series;

    series_start(&series, 1, rho);
    for (int i = 0; i < POINTS; i++)
        measure_point(&series, law, timing, worse * law->precision, &tally);

    double covered = (double)tally.covered / POINTS;
    print_message(
        "%-10s %-9s correlation %.1f: %.2f %% covered, %.0f repetitions, %d of %d "
        "met the precision\n",
        law->name, timing_name(timing), rho, 100 * covered, tally.repetitions / POINTS,
        (int)tally.met, (int)tally.asked);
    assert_true(covered >= 0.93 && covered <= 0.97);
    if (worse >= 1)
        assert_true(tally.asked > 0.9 * POINTS &&
                    (double)tally.met >= 0.7 * (double)tally.asked);
    else
        assert_true(tally.asked < 0.1 * POINTS);
}

static void check_law(const struct law *law)
{
    for (size_t i = 0; i < COUNT(dependences); i++)
        check_coverage(law, TIMING_ISOLATED, dependences[i].rho, dependences[i].worse);
    /* Batches are long enough to be independent. */
    check_coverage(law, TIMING_STREAMING, 0, 1);
}

static void test_normal(void **state)
{
    (void)state;
    check_law(&normal);
}

static void test_log_normal(void **state)
{
    (void)state;
    check_law(&log_normal);
}

static void test_heavy_tail(void **state)
{
    (void)state;
    check_law(&heavy_tail);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_normal),
        cmocka_unit_test(test_log_normal),
        cmocka_unit_test(test_heavy_tail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
