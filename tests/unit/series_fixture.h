/* SPDX-License-Identifier: BSD-3-Clause */
/* Series of values that are known in law: normal, each correlated with the one before,
 * from a generator of a few lines (splitmix64), the same everywhere. */
#ifndef RACKMARK_TESTS_SERIES_FIXTURE_H
#define RACKMARK_TESTS_SERIES_FIXTURE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

struct series {
    uint64_t state; /* the seed */
    double rho;     /* correlation of neighbours */
    double value;   /* the last one */
    double spare;   /* normals come in pairs */
    bool has_spare;
};

static inline uint64_t series_bits(struct series *series)
{
    uint64_t z = series->state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* Between 0 and 1, neither of them. */
static inline double series_uniform(struct series *series)
{
    return ((double)(series_bits(series) >> 11) + 0.5) / 9007199254740992.0;
}

/* Independent of all others (Box and Muller). */
static inline double series_normal(struct series *series)
{
    series->has_spare = !series->has_spare;
    if (!series->has_spare)
        return series->spare;

    double radius = sqrt(-2 * log(series_uniform(series)));
    double angle = 6.283185307179586 * series_uniform(series);
    series->spare = radius * sin(angle);
    return radius * cos(angle);
}

static inline void series_start(struct series *series, uint64_t seed, double rho)
{
    *series = (struct series){.state = seed, .rho = rho};
    series->value = series_normal(series);
}

/* Standard normal; values k apart have correlation rho^k. */
static inline double series_next(struct series *series)
{
    series->value = series->rho * series->value +
                    sqrt(1 - series->rho * series->rho) * series_normal(series);
    return series->value;
}

#endif
