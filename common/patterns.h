/* SPDX-License-Identifier: BSD-3-Clause */
/* Patterns of point-to-point traffic: who talks to whom. One row each. */
#ifndef RACKMARK_PATTERNS_H
#define RACKMARK_PATTERNS_H

#include <stdbool.h>
#include <stddef.h>

/* The peers of one rank in one round. Rank a sends to b exactly when b receives from a. */
enum { PEERS_MOST = 2 };

struct peers {
    int nsend, nrecv;
    int send_to[PEERS_MOST], recv_from[PEERS_MOST];
    bool starts; /* in a ping-pong: this rank sends first */
};

struct pattern {
    const char *name;
    const char *text;    /* for --list */
    int min_ranks;
    bool pairs; /* ranks form disjoint pairs: a ping-pong is possible */
    void (*peers)(int rank, int nranks, bool two_way, struct peers *peers);
};

const struct pattern *pattern_get(size_t index); /* NULL after the last */
const char *pattern_name(size_t index);

#endif
