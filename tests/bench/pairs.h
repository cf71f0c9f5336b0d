/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the programs that tests/bench/run starts: each prints one line per pair,
 * "ROW<TAB>UNIT<TAB>OURS<TAB>PEER", which the script turns into a table of ratios. */
#ifndef RACKMARK_TESTS_BENCH_PAIRS_H
#define RACKMARK_TESTS_BENCH_PAIRS_H

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "err.h"

/* Processor time of this thread: what other processes take does not count. */
static inline double pairs_cpu_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline void pairs_print(const char *row, const char *unit, double ours,
                               double peer)
{
    printf("%s\t%s\t%.6g\t%.6g\n", row, unit, ours, peer);
}

static inline void pairs_fail(const char *program, const char *text)
{
    fprintf(stderr, "%s: %s\n", program, text);
    exit(EXIT_CODE_FAILURE);
}

/* A whole number above 0; ends the program where it is none. */
static inline uint64_t pairs_argument(const char *program, const char *text)
{
    char *end;
    unsigned long long value = strtoull(text, &end, 10);

    if (*end || value == 0)
        pairs_fail(program, "arguments are whole numbers above 0");
    return value;
}

#endif
