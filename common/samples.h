/* SPDX-License-Identifier: BSD-3-Clause */
/* The samples of one point, at rank 0: seconds, each the slowest rank's, and how often
 * each rank was the slowest. Grows with repetitions and with ranks, never with both. */
#ifndef RACKMARK_SAMPLES_H
#define RACKMARK_SAMPLES_H

#include <stddef.h>
#include <stdint.h>

#include "err.h"
#include "world.h"

struct samples {
    double *seconds; /* in the order in which they were taken */
    double *scratch; /* room for as many, for what sorts them */
    size_t count, room;
    uint64_t *slowest; /* per rank: in how many samples */
    int nranks;
};

int samples_open(struct samples *samples, int nranks, struct err *err);
void samples_close(struct samples *samples);
void samples_clear(struct samples *samples);
int samples_add(struct samples *samples, const struct world_max *values, size_t count,
                struct err *err);

/* The rank that was the slowest most often (the lowest of equals), and the share of the
 * samples in which it was. -1 without samples. */
int samples_slowest(const struct samples *samples, double *share);

/* "3:0.57 0:0.21 1:0.12": the few ranks that were the slowest most often, with their
 * shares. */
void samples_slowest_text(const struct samples *samples, char *text, size_t size);

#endif
