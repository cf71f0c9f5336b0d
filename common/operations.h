/* SPDX-License-Identifier: BSD-3-Clause */
/* The operations that are measured, collectives and point to point alike: one row
 * each. The same row serves every backend, the verifier, the memory check, the
 * figures and the tables. */
#ifndef RACKMARK_OPERATIONS_H
#define RACKMARK_OPERATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "limit.h"

struct shape;

/* What a rank sends or receives. The vector is the `bytes` of a point: a row with
 * `splits` divides it into one block per rank, else it is one block. */
enum share {
    SHARE_NONE,
    SHARE_BLOCK,    /* one block, this rank's */
    SHARE_VECTOR,   /* all blocks */
    SHARE_MESSAGES, /* point to point: `window` messages per peer, each a block */
};

/* Where the data of a received block comes from: elements from `element` on of what the
 * ranks [first_rank, first_rank + nranks) sent, reduced when nranks > 1. */
struct origin {
    int first_rank, nranks;
    uint64_t element;
};

struct operation {
    const char *name;                /* in records and options: "allreduce" */
    const char *title;               /* for people: "all-reduce" */
    enum share send, recv;           /* of every rank; rooted: of all but the root */
    enum share root_send, root_recv; /* of the root */
    bool rooted;
    bool in_place; /* input and output can lie in the same memory */
    bool splits;   /* the vector is one block per rank */
    bool reduces;  /* takes an op; rows without move any bits */
    bool two_way;  /* point to point: both directions at once */
    bool single;   /* point to point: one message to and fro, by ranks in pairs */
    /* algbw = data_factor * bytes * messages / time, busbw = algbw * busbw_factor(n);
     * time = time_factor * measured (a ping-pong's one-way time is half a round trip). */
    double data_factor, time_factor;
    double (*busbw_factor)(int nranks);
    enum limit_operation limit; /* what bounds its busbw, in limit.h */
    /* The reference: where received block `block` of this rank comes from. */
    struct origin (*origin)(const struct shape *shape, uint64_t block);
};

/* NULL after the last. */
const struct operation *operation_get(size_t index);
const struct operation *operation_find(const char *name); /* NULL: no such */

static inline bool operation_is_p2p(const struct operation *operation)
{
    return operation->send == SHARE_MESSAGES;
}

/* False for a barrier: it has no sizes, and nothing to check. */
static inline bool operation_moves_data(const struct operation *operation)
{
    return operation->recv != SHARE_NONE || operation->root_recv != SHARE_NONE;
}

#endif
