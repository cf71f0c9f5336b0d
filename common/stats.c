/* SPDX-License-Identifier: BSD-3-Clause */
#include "stats.h"

#include <math.h>
#include <stdlib.h>

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

void stats_of(double *values, size_t count, struct stats *stats)
{
    size_t j, k;

    *stats = (struct stats){.min = NAN,
                            .max = NAN,
                            .mean = NAN,
                            .median = NAN,
                            .p95 = NAN,
                            .p99 = NAN,
                            .low = NAN,
                            .high = NAN,
                            .count = count};
    if (count == 0)
        return;
    qsort(values, count, sizeof *values, compare_doubles);
    stats->min = values[0];
    stats->max = values[count - 1];
    stats->mean = mean_of(values, count);
    stats->median = values[(count - 1) / 2] / 2 + values[count / 2] / 2;
    stats->p95 = nearest_rank(values, count, 95);
    stats->p99 = nearest_rank(values, count, 99);
    stats->has_interval = stats_interval(count, 0.95, &j, &k);
    if (stats->has_interval) {
        stats->low = values[j - 1];
        stats->high = values[k - 1];
    }
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
