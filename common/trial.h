/* SPDX-License-Identifier: BSD-3-Clause */
/* One block of repetitions: filled, run under the clock, checked. */
#ifndef RACKMARK_TRIAL_H
#define RACKMARK_TRIAL_H

#include "measure.h"

/* One point under way on one rank. */
struct trial {
    struct measure *measure;
    const struct point *point;
    size_t number; /* of the point in the plan */
    struct shape shape;
    struct slots slots;
    backend_run *run;
    struct mismatch mismatch; /* of all blocks, this rank's */
    uint64_t checks;          /* whole buffers compared */
    uint64_t warmup;          /* repetitions that did not count */
    bool checked;             /* --check full, and there is something to check */
};

void trial_init(struct trial *trial, struct measure *measure, const struct point *point,
                size_t number);

/* Runs one block and leaves the slowest ranks' seconds of each sample in
 * measure->times at rank 0: `length` samples with isolated timing, one with streaming.
 * Each block has a number of its own, which sets its seeds. cost may be NULL. */
int trial_block(struct trial *trial, uint64_t block, uint64_t length,
                struct block_cost *cost, struct err *err);

/* Repetitions that are neither checked nor counted: as many as --warmup says, then until
 * times no longer fall. */
int trial_warmup(struct trial *trial, struct err *err);

/* What the ranks contribute, with a seed. */
void trial_values(const struct trial *trial, uint64_t seed, struct values *values);

/* Seconds that a copy of one byte takes within this rank's buffers, when all ranks copy
 * at once, on the slowest one: the best of a few tries. NAN where points are too small
 * to tell. At rank 0. */
int trial_copy(struct trial *trial, double *seconds_per_byte, struct err *err);

/* On the backend's clock. */
double trial_seconds_since(struct backend *backend, int64_t start_ns);

/* Samples that a block of this length gives. */
size_t trial_samples(const struct trial *trial, uint64_t length);

/* The longest block that the point's buffers allow. */
uint64_t trial_length_most(const struct trial *trial);

#endif
