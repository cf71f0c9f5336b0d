/* SPDX-License-Identifier: BSD-3-Clause */
#include "patterns.h"

/* Rank 0 sends to rank 1; two-way: and back. The others wait. */
static void peers_pair(int rank, int nranks, bool two_way, struct peers *peers)
{
    (void)nranks;
    *peers = (struct peers){.starts = rank == 0};
    if (rank > 1)
        return;
    if (rank == 0 || two_way)
        peers->send_to[peers->nsend++] = 1 - rank;
    if (rank == 1 || two_way)
        peers->recv_from[peers->nrecv++] = 1 - rank;
}

/* Every rank sends to the next one; two-way: to the previous one, too. */
static void peers_ring(int rank, int nranks, bool two_way, struct peers *peers)
{
    int next = (rank + 1) % nranks;
    int previous = (rank + nranks - 1) % nranks;

    *peers = (struct peers){0};
    peers->send_to[peers->nsend++] = next;
    peers->recv_from[peers->nrecv++] = previous;
    if (two_way) {
        peers->send_to[peers->nsend++] = previous;
        peers->recv_from[peers->nrecv++] = next;
    }
}

static const struct pattern patterns[] = {
    {
        .name = "pair",
        .text = "ranks 0 and 1; the others wait",
        .min_ranks = 2,
        .pairs = true,
        .peers = peers_pair,
    },
    {
        .name = "ring",
        .text = "every rank to the next one, all at once",
        .min_ranks = 2,
        .peers = peers_ring,
    },
};

enum { PATTERN_COUNT = sizeof patterns / sizeof patterns[0] };

const struct pattern *pattern_get(size_t index)
{
    return index < PATTERN_COUNT ? &patterns[index] : NULL;
}

const char *pattern_name(size_t index)
{
    return index < PATTERN_COUNT ? patterns[index].name : NULL;
}
