/* SPDX-License-Identifier: BSD-3-Clause */
#include "stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* The smallest of the sorted values with at least `percent` % of them at or below. */
static double nearest_rank(const double *sorted, size_t count, unsigned percent)
{
    size_t whole = count / 100 * percent, rest = (count % 100 * percent + 99) / 100;

    return sorted[whole + rest - 1];
}

/* Summed as distances from the least, so that equal values have exactly that mean. */
static double mean_of(const double *sorted, size_t count)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += sorted[i] - sorted[0];
    return sorted[0] + sum / (double)count;
}

void stats_sort(double *values, size_t count)
{
    qsort(values, count, sizeof *values, compare_doubles);
}

static double median_of(const double *sorted, size_t count)
{
    return sorted[(count - 1) / 2] / 2 + sorted[count / 2] / 2;
}

double stats_quantile(const double *sorted, size_t count, double place)
{
    double at = fmin(fmax(place * (double)(count - 1), 0), (double)(count - 1));
    size_t below = (size_t)at;
    size_t above = below + 1 < count ? below + 1 : below;

    return sorted[below] + (at - (double)below) * (sorted[above] - sorted[below]);
}

static int sign_of(double value)
{
    return (value > 0) - (value < 0);
}

/* Mean product of the signs of values `lag` apart, over the mean of their squares. */
static double sign_correlation(const double *values, size_t count, double median,
                               size_t lag)
{
    double products = 0, squares = 0;

    for (size_t i = 0; i < count; i++) {
        int sign = sign_of(values[i] - median);

        squares += sign * sign;
        if (i + lag < count)
            products += sign * sign_of(values[i + lag] - median);
    }
    if (squares == 0 || lag >= count)
        return 0;
    return products / (double)(count - lag) * (double)count / squares;
}

double stats_correlation(const double *values, size_t count, double median, size_t lag)
{
    const double half_pi = 1.5707963267948966;
    double r = sign_correlation(values, count, median, lag);

    return sin(half_pi * fmin(fmax(r, -1), 1));
}

/* Sums over pairs of lags stay positive for as long as they are more than noise (Geyer,
 * Statistical Science 7, 1992); a third of the values is as far as they can tell. */
double stats_correlation_time(const double *values, size_t count, double median)
{
    double sum = 0;

    for (size_t lag = 1; lag + 1 < count / 3; lag += 2) {
        double pair = sign_correlation(values, count, median, lag) +
                      sign_correlation(values, count, median, lag + 1);

        if (pair <= 0)
            break;
        sum += pair;
    }
    return fmax(1 + 2 * sum, 1);
}

/* Medians of consecutive stretches of near equal length; values is overwritten. */
static void block_medians(double *values, size_t count, size_t blocks, double *medians)
{
    size_t start = 0;

    for (size_t b = 0; b < blocks; b++) {
        size_t end = count * (b + 1) / blocks;

        stats_sort(values + start, end - start);
        medians[b] = median_of(values + start, end - start);
        start = end;
    }
}

/* Mann-Kendall: do later blocks tend to lie above, or below, the earlier ones? Normal
 * approximation of S with correction for continuity (Kendall, Rank Correlation Methods);
 * 2.576: two-sided, p < 0.01. */
static bool has_trend(const double *medians, size_t count)
{
    double n = (double)count;
    double variance = n * (n - 1) * (2 * n + 5) / 18;
    double s = 0;

    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 1; j < count; j++)
            s += sign_of(medians[j] - medians[i]);
    return fabs(s) - 1 > 2.576 * sqrt(variance);
}

static void find_drift(const double *values, double *scratch, size_t count,
                       struct stats *stats)
{
    enum { DRIFT_BLOCKS = 21, THIRD = DRIFT_BLOCKS / 3 };
    double medians[DRIFT_BLOCKS];
    size_t blocks = count < DRIFT_BLOCKS ? count : DRIFT_BLOCKS, third = blocks / 3;

    if (third == 0)
        return;
    memcpy(scratch, values, count * sizeof *values);
    block_medians(scratch, count, blocks, medians);
    stats->drifts = has_trend(medians, blocks);
    stats_sort(medians, third);
    stats_sort(medians + blocks - third, third);
    stats->drift =
        (median_of(medians + blocks - third, third) - median_of(medians, third)) /
        stats->median;
}

static void find_interval(const double *values, double *scratch, size_t count,
                          size_t blocks, struct stats *stats)
{
    double medians[STATS_BLOCKS_MOST];
    const double *sorted = scratch; /* of the values, as stats_of left them */
    size_t j, k;

    stats->has_interval = stats_interval(blocks, 0.95, &j, &k);
    if (!stats->has_interval)
        return;
    if (blocks < count) {
        memcpy(scratch, values, count * sizeof *values);
        block_medians(scratch, count, blocks, medians);
        stats_sort(medians, blocks);
        sorted = medians;
    }
    stats->low = sorted[j - 1];
    stats->high = sorted[k - 1];
}

void stats_of(const double *values, double *scratch, size_t count, size_t blocks,
              struct stats *stats)
{
    *stats = (struct stats){.min = NAN,
                            .max = NAN,
                            .mean = NAN,
                            .median = NAN,
                            .p95 = NAN,
                            .p99 = NAN,
                            .low = NAN,
                            .high = NAN,
                            .lag1 = NAN,
                            .drift = NAN,
                            .count = count};
    if (count == 0)
        return;
    memcpy(scratch, values, count * sizeof *values);
    stats_sort(scratch, count);
    stats->min = scratch[0];
    stats->max = scratch[count - 1];
    stats->mean = mean_of(scratch, count);
    stats->median = median_of(scratch, count);
    stats->p95 = nearest_rank(scratch, count, 95);
    stats->p99 = nearest_rank(scratch, count, 99);
    if (count > 2)
        stats->lag1 = stats_correlation(values, count, stats->median, 1);
    find_interval(values, scratch, count, blocks, stats);
    find_drift(values, scratch, count, stats);
}

/* Binomial coefficients C(count, i) relative to the middle one, by their exact ratios
 * from the middle down to where they no longer count (1e-300): at most 19 sqrt(count)
 * steps, each with a relative error of 1e-16. */
struct lower_half {
    size_t first;  /* the lowest i that counts */
    double lowest; /* its coefficient */
    double all;    /* the sum over all i from 0 to count */
};

static struct lower_half lower_half_of(size_t count)
{
    size_t i = count / 2;
    double term = 1, sum = 0;

    /* Both halves are alike; an even count has one middle term that belongs to none. */
    while (i > 0 && term > 1e-300) {
        sum += count % 2 == 0 && i == count / 2 ? 0 : term;
        term *= (double)i / (double)(count - i + 1);
        i--;
    }
    sum += count % 2 == 0 && i == count / 2 ? 0 : term;
    return (struct lower_half){
        .first = i, .lowest = term, .all = 2 * sum + (count % 2 == 0 ? 1 : 0)};
}

/* The interval from the j-th to the k-th value misses the median when fewer than j of
 * the values lie under it, or fewer than j above: twice the sum of C(count, i) / 2^count
 * for i < j. The slack is for rounding, where a coverage equals the confidence. */
bool stats_interval(size_t count, double confidence, size_t *j, size_t *k)
{
    struct lower_half half = lower_half_of(count);
    double allowed = (1 - confidence) * half.all * (1 + 1e-12);
    double term = half.lowest, missed = 0;
    size_t i = half.first;

    while (i < (count + 1) / 2 && 2 * (missed + term) <= allowed) {
        missed += term;
        term *= (double)(count - i) / (double)(i + 1);
        i++;
    }
    *j = i;
    *k = count + 1 - i;
    return i > 0 && confidence < 1;
}
