/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives played message by message on a machine of numbered ports: what each port
 * carries is counted, and the data is really moved and added, so that an algorithm which
 * leaves something out shows. Knows nothing of formulas. */
#ifndef RACKMARK_TESTS_LINK_COUNTER_H
#define RACKMARK_TESTS_LINK_COUNTER_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* A unit is a byte of the vector; a rank's block has 2 g of them, so that each of g
 * channels has two, for two trees. */
enum { INSIDE_MOST = 12, DOMAINS_MOST = 9, RANKS_MOST = INSIDE_MOST * DOMAINS_MOST };
enum { UNITS_MOST = 2 * INSIDE_MOST * RANKS_MOST };

/* Of every rank: bytes out of and into its NVLink ports and its network ports. */
struct ports {
    uint64_t out[RANKS_MOST], in[RANKS_MOST];
};

struct links {
    int n, g, m, root;
    struct ports nvlink, network, nvlink_before, network_before;
    double nvlink_Bps, network_Bps;
    double phase_seconds; /* of the phases so far, one after the other */
    bool network_only;    /* messages inside a domain take the network, too */
    uint64_t value[RANKS_MOST][UNITS_MOST], got[RANKS_MOST][UNITS_MOST];
};

/* repeat stretches of count units, stride apart. */
struct slice {
    int first, stride, repeat, count;
};

enum put { SET, ADD };

static inline int vector_units(const struct links *l)
{
    return 2 * l->g * l->n;
}

static inline struct slice slice_vector(const struct links *l)
{
    return (struct slice){0, 0, 1, vector_units(l)};
}

static inline struct slice slice_block(const struct links *l, int rank)
{
    return (struct slice){rank * 2 * l->g, 0, 1, 2 * l->g};
}

/* A channel's part of a block, and of all blocks. */
static inline struct slice slice_part(const struct links *l, int rank, int channel)
{
    return (struct slice){rank * 2 * l->g + 2 * channel, 0, 1, 2};
}

static inline struct slice slice_channel(const struct links *l, int channel)
{
    return (struct slice){2 * channel, 2 * l->g, l->n, 2};
}

/* The blocks of all ranks that have place `place` in their domains. */
static inline struct slice slice_shard(const struct links *l, int place)
{
    return (struct slice){place * 2 * l->g, 2 * l->g * l->g, l->m, 2 * l->g};
}

static inline struct slice slice_half(struct slice whole, int half)
{
    whole.count /= 2;
    whole.first += half * whole.count;
    return whole;
}

static inline uint64_t slice_bytes(struct slice s)
{
    return (uint64_t)s.repeat * (uint64_t)s.count;
}

static inline void copy_slice(uint64_t *to, const uint64_t *from, struct slice s,
                              enum put put)
{
    for (int i = 0; i < s.repeat; i++)
        for (int u = s.first + i * s.stride; u < s.first + i * s.stride + s.count; u++)
            to[u] = put == ADD ? to[u] + from[u] : from[u];
}

static inline void count_message(struct links *l, int from, int to, uint64_t bytes)
{
    bool inside = from / l->g == to / l->g && !l->network_only;
    struct ports *ports = inside ? &l->nvlink : &l->network;

    ports->out[from] += bytes;
    ports->in[to] += bytes;
}

static inline void message(struct links *l, int from, int to, struct slice s,
                           enum put put)
{
    count_message(l, from, to, slice_bytes(s));
    copy_slice(l->value[to], l->value[from], s, put);
}

/* Ranks on one switch: a domain's on NVSwitch, or those of one place on the network. */
struct members {
    int first, stride, count;
    struct ports *ports;
};

static inline struct members members_domain(struct links *l, int domain)
{
    return (struct members){domain * l->g, 1, l->g, &l->nvlink};
}

static inline struct members members_rail(struct links *l, int place)
{
    return (struct members){place, l->g, l->m, &l->network};
}

/* The switch fetches the slice from each member, its own reader included. */
static inline void switch_reduce(struct links *l, struct members who, int to,
                                 struct slice s)
{
    uint64_t sum[UNITS_MOST] = {0};

    for (int i = 0; i < who.count; i++) {
        int from = who.first + i * who.stride;

        who.ports->out[from] += slice_bytes(s);
        copy_slice(sum, l->value[from], s, ADD);
    }
    who.ports->in[to] += slice_bytes(s);
    copy_slice(l->value[to], sum, s, SET);
}

/* One message in, and one out of the switch to each member, its sender included. */
static inline void switch_multicast(struct links *l, struct members who, int from,
                                    struct slice s)
{
    who.ports->out[from] += slice_bytes(s);
    for (int i = 0; i < who.count; i++) {
        int to = who.first + i * who.stride;

        who.ports->in[to] += slice_bytes(s);
        copy_slice(l->value[to], l->value[from], s, SET);
    }
}

/* Up from each member, down to each member. */
static inline void switch_allreduce(struct links *l, struct members who, struct slice s)
{
    uint64_t sum[UNITS_MOST] = {0};

    for (int i = 0; i < who.count; i++) {
        who.ports->out[who.first + i * who.stride] += slice_bytes(s);
        copy_slice(sum, l->value[who.first + i * who.stride], s, ADD);
    }
    for (int i = 0; i < who.count; i++) {
        who.ports->in[who.first + i * who.stride] += slice_bytes(s);
        copy_slice(l->value[who.first + i * who.stride], sum, s, SET);
    }
}

static inline uint64_t busiest(const struct ports *ports, const struct ports *before)
{
    uint64_t most = 0;

    for (int r = 0; r < RANKS_MOST; r++) {
        uint64_t out = ports->out[r] - before->out[r];
        uint64_t in = ports->in[r] - before->in[r];

        most = out > most ? out : most;
        most = in > most ? in : most;
    }
    return most;
}

/* Ends a phase, that the next one waits for where phases are in series. */
static inline void phase_end(struct links *l)
{
    double nvlink = (double)busiest(&l->nvlink, &l->nvlink_before) / l->nvlink_Bps;
    double network = (double)busiest(&l->network, &l->network_before) / l->network_Bps;

    l->phase_seconds += nvlink > network ? nvlink : network;
    l->nvlink_before = l->nvlink;
    l->network_before = l->network;
}

/* Rings of k ranks in an order. After the first, position p has the sum of its slice;
 * after the second, every position has all slices. */
static inline void ring_reduce(struct links *l, const int *order, const struct slice *of,
                               int k)
{
    for (int step = 0; step < k - 1; step++)
        for (int p = 0; p < k; p++)
            message(l, order[p], order[(p + 1) % k], of[(p + 2 * k - step - 1) % k], ADD);
}

static inline void ring_gather(struct links *l, const int *order, const struct slice *of,
                               int k)
{
    for (int step = 0; step < k - 1; step++)
        for (int p = 0; p < k; p++)
            message(l, order[p], order[(p + 1) % k], of[(p + k - step) % k], SET);
}

/* Domain by domain; channel c enters each at place c. */
static inline void order_by_domain(const struct links *l, int channel, int *order)
{
    for (int i = 0; i < l->n; i++)
        order[i] = i / l->g * l->g + (channel + i % l->g) % l->g;
}

/* Neighbours always in different domains (of which there are several). */
static inline void order_by_place(const struct links *l, int *order)
{
    for (int i = 0; i < l->n; i++)
        order[i] = i % l->m * l->g + i / l->m;
}

/* In-order numbering: a vertex's lowest set bit is its height; 0 is above all others. */
static inline int tree_parent(int vertex, int vertices)
{
    int bit = vertex & -vertex;
    int parent = (vertex - bit) | 2 * bit;

    return parent < vertices ? parent : vertex - bit;
}

/* Two trees of the same shape over one rank of each domain, at a place; the other one is
 * mirrored, or shifted where that would leave a vertex inner in both. */
static inline int tree_rank(const struct links *l, int place, int tree, int vertex)
{
    int other = l->m % 2 ? (vertex + 1) % l->m : l->m - 1 - vertex;

    return (tree ? other : vertex) * l->g + place;
}

static inline void tree_visit(struct links *l, int place, int tree, int vertex,
                              struct slice s, enum put put)
{
    for (int child = 1; child < l->m; child++) {
        int up = tree_rank(l, place, tree, vertex);
        int down = tree_rank(l, place, tree, child);

        if (tree_parent(child, l->m) != vertex)
            continue;
        if (put == SET)
            message(l, up, down, s, SET);
        tree_visit(l, place, tree, child, s, put);
        if (put == ADD)
            message(l, down, up, s, ADD);
    }
}

static inline void tree_allreduce(struct links *l, int place, struct slice s)
{
    for (int tree = 0; tree < 2; tree++) {
        tree_visit(l, place, tree, 0, slice_half(s, tree), ADD);
        tree_visit(l, place, tree, 0, slice_half(s, tree), SET);
    }
}

#endif
