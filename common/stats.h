/* SPDX-License-Identifier: BSD-3-Clause */
/* Statistics of the samples of a point, in the order in which they were taken. Times are
 * in seconds. Nothing is assumed about their distribution, and neighbours may depend on
 * each other. */
#ifndef RACKMARK_STATS_H
#define RACKMARK_STATS_H

#include <stdbool.h>
#include <stddef.h>

enum { STATS_BLOCKS_MOST = 64 };

struct stats {
    size_t count;
    double min, max, mean;
    double median;   /* the mean of the two middle values of an even count */
    double p95, p99; /* nearest rank: the smallest value with at least 95 % at or below */
    double low, high;  /* 95 % interval of the median, see stats_of */
    bool has_interval; /* false under 6 blocks: no such interval exists */
    double lag1;       /* correlation of neighbours, -1 to 1, see stats_correlation */
    double drift;      /* change from the first third to the last, over the median */
    bool drifts;       /* that change is no accident: Mann-Kendall test, p < 0.01 */
};

/* The interval stands on the medians of `blocks` stretches of consecutive values: order
 * statistics of these (stats_interval) cover the median whatever the distribution, where
 * stretches are long against the correlation of neighbours. blocks == count: on the
 * values themselves. 1 <= blocks <= count; above STATS_BLOCKS_MOST only blocks == count.
 * scratch has room for count values. count may be 0: every figure is then NaN. */
void stats_of(const double *values, double *scratch, size_t count, size_t blocks,
              struct stats *stats);

/* The 1-based order statistics j < k = count + 1 - j of the narrowest symmetric interval
 * that covers the median with probability >= confidence, whatever the distribution of
 * independent values (binomial(count, 1/2); Conover, Practical Nonparametric
 * Statistics, 3.2). Returns false where even the extremes do not reach it. */
bool stats_interval(size_t count, double confidence, size_t *j, size_t *k);

/* Correlation of values `lag` apart, from their signs about the median: whatever the
 * tails. For normal values it is the usual coefficient (sign correlation r gives
 * sin(pi r / 2): Kendall, Rank Correlation Methods). 0 for constant values. */
double stats_correlation(const double *values, size_t count, double median, size_t lag);

/* How many values are worth one independent value: 1 + 2 * the sum of the sign
 * correlations over lags, up to the first pair of lags whose sum is not positive. At
 * least 1. */
double stats_correlation_time(const double *values, size_t count, double median);

/* The value with a share of `place` (0 to 1) of the sorted values below it. */
double stats_quantile(const double *sorted, size_t count, double place);

void stats_sort(double *values, size_t count);

#endif
