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
    backend_run *run;
    struct backend_call calls[BUFFER_SLOTS];
    struct values values[BUFFER_SLOTS]; /* of the block under way */
    struct mismatch mismatch;           /* of all blocks, this rank's */
    uint64_t checks;                    /* whole buffers compared */
    bool checked;                       /* --check full */
};

/* Runs one block and leaves the slowest ranks' seconds of each sample in
 * measure->times at rank 0: `length` samples with isolated timing, one with streaming.
 * Each block has a number of its own, which sets its seeds. cost may be NULL. */
int trial_block(struct trial *trial, uint64_t block, uint64_t length,
                struct block_cost *cost, struct err *err);

/* Repetitions that are neither timed nor checked. */
int trial_warmup(struct trial *trial, uint64_t length, struct err *err);

/* Samples that a block of this length gives. */
size_t trial_samples(const struct trial *trial, uint64_t length);

#endif
