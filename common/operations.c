/* SPDX-License-Identifier: BSD-3-Clause */
#include "operations.h"

#include <math.h>
#include <string.h>

#include "shape.h"

/* Factors from algbw to busbw: the bytes that a bandwidth-optimal algorithm moves per
 * rank and direction, over the bytes of the vector (limits and derivation:
 * Rabenseifner, ICCS 2004, for the reductions; the field's name is nccl-tests'
 * PERFORMANCE.md). A single rank uses no bus. */
static double factor_allreduce(int nranks)
{
    return nranks > 1 ? 2.0 * (nranks - 1) / nranks : NAN;
}

static double factor_split(int nranks)
{
    return nranks > 1 ? (double)(nranks - 1) / nranks : NAN;
}

static double factor_one(int nranks)
{
    return nranks > 1 ? 1 : NAN;
}

/* algbw counts both directions, busbw one. */
static double factor_two_way(int nranks)
{
    return nranks > 1 ? 0.5 : NAN;
}

/* The whole vector, reduced. */
static struct origin origin_reduced(const struct shape *shape, uint64_t block)
{
    return (struct origin){.nranks = shape->nranks, .element = block * shape->block};
}

/* Block r of the result is the one block that rank r sent. */
static struct origin origin_gathered(const struct shape *shape, uint64_t block)
{
    (void)shape;
    return (struct origin){.first_rank = (int)block, .nranks = 1};
}

/* This rank's block of the vector, reduced. */
static struct origin origin_scattered(const struct shape *shape, uint64_t block)
{
    (void)block;
    return (struct origin){
        .nranks = shape->nranks,
        .element = (uint64_t)shape->rank * shape->block,
    };
}

/* Block r of the result is what rank r sent to this one. */
static struct origin origin_exchanged(const struct shape *shape, uint64_t block)
{
    return (struct origin){
        .first_rank = (int)block,
        .nranks = 1,
        .element = (uint64_t)shape->rank * shape->block,
    };
}

static struct origin origin_root(const struct shape *shape, uint64_t block)
{
    (void)block;
    return (struct origin){.first_rank = shape->root, .nranks = 1};
}

/* `window` messages from the first peer, then from the next; a sender sends the same
 * messages to all of its peers. */
static struct origin origin_message(const struct shape *shape, uint64_t block)
{
    return (struct origin){
        .first_rank = shape->peers.recv_from[block / shape->window],
        .nranks = 1,
        .element = block % shape->window * shape->block,
    };
}

static const struct operation operations[] = {
    {
        .name = "allreduce",
        .title = "all-reduce",
        .send = SHARE_VECTOR,
        .recv = SHARE_VECTOR,
        .in_place = true,
        .reduces = true,
        .data_factor = 1,
        .time_factor = 1,
        .limit = LIMIT_ALLREDUCE,
        .busbw_factor = factor_allreduce,
        .origin = origin_reduced,
    },
    {
        .name = "allgather",
        .title = "all-gather",
        .send = SHARE_BLOCK,
        .recv = SHARE_VECTOR,
        .in_place = true,
        .splits = true,
        .data_factor = 1,
        .time_factor = 1,
        .limit = LIMIT_ALLGATHER,
        .busbw_factor = factor_split,
        .origin = origin_gathered,
    },
    {
        .name = "reducescatter",
        .title = "reduce-scatter",
        .send = SHARE_VECTOR,
        .recv = SHARE_BLOCK,
        .in_place = true,
        .splits = true,
        .reduces = true,
        .data_factor = 1,
        .time_factor = 1,
        .limit = LIMIT_REDUCESCATTER,
        .busbw_factor = factor_split,
        .origin = origin_scattered,
    },
    {
        .name = "alltoall",
        .title = "all-to-all",
        .send = SHARE_VECTOR,
        .recv = SHARE_VECTOR,
        .in_place = true,
        .splits = true,
        .data_factor = 1,
        .time_factor = 1,
        .limit = LIMIT_ALLTOALL,
        .busbw_factor = factor_split,
        .origin = origin_exchanged,
    },
    {
        .name = "broadcast",
        .title = "broadcast",
        .recv = SHARE_VECTOR,
        .root_send = SHARE_VECTOR,
        .rooted = true,
        .data_factor = 1,
        .time_factor = 1,
        .limit = LIMIT_BROADCAST,
        .busbw_factor = factor_one,
        .origin = origin_root,
    },
    {
        .name = "barrier",
        .title = "barrier",
        .data_factor = NAN, /* no bytes, no bandwidth */
        .time_factor = 1,
        .limit = LIMIT_OPERATIONS, /* none */
        .busbw_factor = factor_one,
    },
    {
        .name = "pingpong",
        .title = "ping-pong latency",
        .send = SHARE_MESSAGES,
        .recv = SHARE_MESSAGES,
        .single = true,
        .data_factor = 1,
        .time_factor = 0.5,
        .limit = LIMIT_ONE_WAY,
        .busbw_factor = factor_one,
        .origin = origin_message,
    },
    {
        .name = "oneway",
        .title = "one-way bandwidth",
        .send = SHARE_MESSAGES,
        .recv = SHARE_MESSAGES,
        .data_factor = 1,
        .time_factor = 1,
        .limit = LIMIT_ONE_WAY,
        .busbw_factor = factor_one,
        .origin = origin_message,
    },
    {
        .name = "twoway",
        .title = "two-way bandwidth",
        .send = SHARE_MESSAGES,
        .recv = SHARE_MESSAGES,
        .two_way = true,
        .data_factor = 2,
        .time_factor = 1,
        .limit = LIMIT_TWO_WAY,
        .busbw_factor = factor_two_way,
        .origin = origin_message,
    },
};

enum { OPERATION_COUNT = sizeof operations / sizeof operations[0] };

const struct operation *operation_get(size_t index)
{
    return index < OPERATION_COUNT ? &operations[index] : NULL;
}

const struct operation *operation_find(const char *name)
{
    for (size_t i = 0; i < OPERATION_COUNT; i++)
        if (strcmp(operations[i].name, name) == 0)
            return &operations[i];
    return NULL;
}
