/* SPDX-License-Identifier: BSD-3-Clause */
#include "shape.h"

static uint64_t blocks_of(const struct shape *shape, enum share share, int npeers)
{
    switch (share) {
    case SHARE_BLOCK:
        return 1;
    case SHARE_VECTOR:
        return shape->operation->splits ? (uint64_t)shape->nranks : 1;
    case SHARE_MESSAGES:
        return (uint64_t)npeers * shape->window;
    case SHARE_NONE:
        break;
    }
    return 0;
}

void shape_of(struct shape *shape, const struct operation *operation,
              const struct pattern *pattern, int rank, int nranks, uint64_t bytes,
              size_t element_bytes, uint64_t window, int root)
{
    uint64_t unit = element_bytes * (operation->splits ? (uint64_t)nranks : 1);

    *shape = (struct shape){
        .operation = operation,
        .rank = rank,
        .nranks = nranks,
        .root = root,
        .block = bytes / unit + (bytes % unit != 0),
        .window = window,
    };
    if (operation_is_p2p(operation))
        pattern->peers(rank, nranks, operation->two_way || operation->single,
                       &shape->peers);
    /* One set of messages serves all the peers that a rank sends to. */
    bool is_root = operation->rooted && rank == root;
    shape->send_blocks = blocks_of(
        shape, is_root ? operation->root_send : operation->send, shape->peers.nsend > 0);
    shape->recv_blocks = blocks_of(
        shape, is_root ? operation->root_recv : operation->recv, shape->peers.nrecv);
}

uint64_t shape_bytes(const struct shape *shape, size_t element_bytes)
{
    uint64_t blocks = shape->operation->splits ? (uint64_t)shape->nranks : 1;

    return shape->block * blocks * element_bytes;
}
