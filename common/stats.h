/* SPDX-License-Identifier: BSD-3-Clause */
/* Statistics of a set of samples. Times are in seconds. Nothing is assumed about
 * their distribution. */
#ifndef RACKMARK_STATS_H
#define RACKMARK_STATS_H

#include <stdbool.h>
#include <stddef.h>

struct stats {
    size_t count;
    double min, max, mean;
    double median;   /* the mean of the two middle values of an even count */
    double p95, p99; /* nearest rank: the smallest value with at least 95 % at or below */
    double low, high; /* interval of the median: order statistics, see stats_interval */
    bool has_interval; /* false under 6 values: no 95 % interval exists */
};

/* Sorts values in place. count may be 0: every figure is then NaN. */
void stats_of(double *values, size_t count, struct stats *stats);

/* The 1-based order statistics j < k = count + 1 - j of the narrowest symmetric interval
 * that covers the median with probability >= confidence, whatever the distribution of
 * independent values (binomial(count, 1/2); Conover, Practical Nonparametric
 * Statistics, 3.2). Returns false where even the extremes do not reach it. */
bool stats_interval(size_t count, double confidence, size_t *j, size_t *k);

#endif
