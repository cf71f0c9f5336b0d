/* SPDX-License-Identifier: BSD-3-Clause */
/* The operations that are measured, collectives and point to point alike: one row
 * each. The same row serves every backend, the verifier, the memory check, the
 * figures and the tables. */
#ifndef RACKMARK_OPERATIONS_H
#define RACKMARK_OPERATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct shape;

/* What a rank sends or receives. The vector is the `bytes` of a point: a row with
 * `splits` divides it into one block per rank, else it is one block. */
enum share {
    SHARE_NONE,
    SHARE_BLOCK,    /* one block */
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
    const char *name;  /* in records and options: "allreduce" */
    const char *title; /* for people: "all-reduce" */
    enum share send, recv;
    bool splits;  /* the vector is one block per rank */
    bool reduces; /* takes an op; rows without move any bits */
    bool two_way; /* point to point: both directions at once */
    bool single;  /* point to point: one message to and fro, by ranks in pairs */
    /* algbw = data_factor * bytes * messages / time, busbw = algbw * busbw_factor(n);
     * time = time_factor * measured (a ping-pong's one-way time is half a round trip). */
    double data_factor, time_factor;
    double (*busbw_factor)(int nranks);
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

#endif
