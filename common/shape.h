/* SPDX-License-Identifier: BSD-3-Clause */
/* The shape of one point on one rank: what it sends and receives, in elements. */
#ifndef RACKMARK_SHAPE_H
#define RACKMARK_SHAPE_H

#include <stdint.h>

#include "err.h"
#include "operations.h"
#include "patterns.h"

struct shape {
    const struct operation *operation;
    int rank, nranks;
    int root;
    uint64_t block;                    /* elements of one block or message */
    uint64_t send_blocks, recv_blocks; /* of this rank; 0: it does not take part */
    uint64_t window;                   /* messages per peer; 1 for collectives */
    struct peers peers;                /* point to point */
};

/* bytes: the vector, or one message. It is rounded up to whole elements and, where the
 * row splits, to whole blocks; shape_bytes says what became of it.
 * pattern and window matter for point to point only. */
void shape_of(struct shape *shape, const struct operation *operation,
              const struct pattern *pattern, int rank, int nranks, uint64_t bytes,
              size_t element_bytes, uint64_t window, int root);

/* The bytes of the vector or message as measured. */
uint64_t shape_bytes(const struct shape *shape, size_t element_bytes);

/* In place: where in the receive buffer this rank's input lies, in elements. The one
 * block that a rank sends lies where it will be in the result; a result of one block
 * lies at the start. */
static inline uint64_t shape_input_element(const struct shape *shape)
{
    return shape->send_blocks == 1 && shape->recv_blocks > 1
               ? (uint64_t)shape->rank * shape->block
               : 0;
}

static inline uint64_t shape_send_elements(const struct shape *shape)
{
    return shape->send_blocks * shape->block;
}

static inline uint64_t shape_recv_elements(const struct shape *shape)
{
    return shape->recv_blocks * shape->block;
}

#endif
