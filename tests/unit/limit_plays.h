/* SPDX-License-Identifier: BSD-3-Clause */
/* Every algorithm that has a bound, on the counted links, and two that reach ceilings. */
#ifndef RACKMARK_TESTS_LIMIT_PLAYS_H
#define RACKMARK_TESTS_LIMIT_PLAYS_H

#include "limit.h"
#include "link_counter.h"

static void rings(struct links *l,
                  void (*ring)(struct links *, const int *, const struct slice *, int))
{
    int order[RANKS_MOST];
    struct slice of[RANKS_MOST];

    for (int channel = 0; channel < l->g; channel++) {
        order_by_domain(l, channel, order);
        for (int p = 0; p < l->n; p++)
            of[p] = slice_part(l, order[p], channel);
        ring(l, order, of, l->n);
    }
}

static void play_ring_gather(struct links *l)
{
    rings(l, ring_gather);
}

static void play_ring_reduce(struct links *l)
{
    rings(l, ring_reduce);
}

static void play_ring(struct links *l)
{
    rings(l, ring_reduce);
    rings(l, ring_gather);
}

/* Each channel starts at the root and ends before it. */
static void play_ring_broadcast(struct links *l)
{
    int order[RANKS_MOST];

    for (int channel = 0; channel < l->g; channel++) {
        int at = 0;

        order_by_domain(l, channel, order);
        while (order[at] != l->root)
            at++;
        for (int i = 0; i < l->n - 1; i++)
            message(l, order[(at + i) % l->n], order[(at + i + 1) % l->n],
                    slice_channel(l, channel), SET);
    }
}

static void play_tree(struct links *l)
{
    for (int channel = 0; channel < l->g; channel++) {
        struct slice s = slice_channel(l, channel);
        int order[RANKS_MOST];

        order_by_domain(l, channel, order);
        for (int i = l->n - 1; i >= 0; i--)
            if (i % l->g > 0)
                message(l, order[i], order[i - 1], s, ADD);
        tree_allreduce(l, channel, s);
        for (int i = 0; i < l->n; i++)
            if (i % l->g > 0)
                message(l, order[i - 1], order[i], s, SET);
    }
}

/* Inside each domain: the rank of a place gets its shard from all; gives it to all. */
static void inside_reduce(struct links *l)
{
    for (int from = 0; from < l->n; from++)
        for (int place = 0; place < l->g; place++)
            if (from % l->g != place)
                message(l, from, from / l->g * l->g + place, slice_shard(l, place), ADD);
    phase_end(l);
}

static void inside_gather(struct links *l)
{
    for (int from = 0; from < l->n; from++)
        for (int place = 0; place < l->g; place++)
            if (from % l->g != place)
                message(l, from, from / l->g * l->g + place, slice_shard(l, from % l->g),
                        SET);
    phase_end(l);
}

/* Across domains, by place: rings over the blocks of a shard. */
static void rails(struct links *l,
                  void (*ring)(struct links *, const int *, const struct slice *, int))
{
    for (int place = 0; place < l->g; place++) {
        int order[DOMAINS_MOST];
        struct slice of[DOMAINS_MOST];

        for (int d = 0; d < l->m; d++) {
            order[d] = d * l->g + place;
            of[d] = slice_block(l, order[d]);
        }
        ring(l, order, of, l->m);
    }
    phase_end(l);
}

static void play_hierarchical(struct links *l)
{
    inside_reduce(l);
    rails(l, ring_reduce);
    rails(l, ring_gather);
    inside_gather(l);
}

static void play_hierarchical_gather(struct links *l)
{
    rails(l, ring_gather);
    inside_gather(l);
}

static void play_hierarchical_reduce(struct links *l)
{
    inside_reduce(l);
    rails(l, ring_reduce);
}

static void rails_sharp(struct links *l)
{
    for (int place = 0; place < l->g && l->m > 1; place++)
        switch_allreduce(l, members_rail(l, place), slice_shard(l, place));
    phase_end(l);
}

static void rails_tree(struct links *l)
{
    for (int place = 0; place < l->g; place++)
        tree_allreduce(l, place, slice_shard(l, place));
    phase_end(l);
}

static void play_sharp(struct links *l)
{
    inside_reduce(l);
    rails_sharp(l);
    inside_gather(l);
}

static void nvls(struct links *l, void (*across)(struct links *))
{
    for (int r = 0; r < l->n && l->g > 1; r++)
        switch_reduce(l, members_domain(l, r / l->g), r, slice_shard(l, r % l->g));
    phase_end(l);
    across(l);
    for (int r = 0; r < l->n && l->g > 1; r++)
        switch_multicast(l, members_domain(l, r / l->g), r, slice_shard(l, r % l->g));
    phase_end(l);
}

static void play_nvls(struct links *l)
{
    nvls(l, rails_sharp);
}

static void play_nvls_tree(struct links *l)
{
    nvls(l, rails_tree);
}

static void play_nvls_gather(struct links *l)
{
    for (int r = 0; r < l->n; r++)
        switch_multicast(l, members_domain(l, 0), r, slice_block(l, r));
}

static void play_nvls_reduce(struct links *l)
{
    for (int r = 0; r < l->n; r++)
        switch_reduce(l, members_domain(l, 0), r, slice_block(l, r));
}

/* In round `far`, what has come together goes `far` ranks on; the last round is cut. */
static void play_pat_gather(struct links *l)
{
    for (int far = 1; far < l->n; far *= 2)
        for (int i = 0; i < far && i + far < l->n; i++)
            for (int r = 0; r < l->n; r++)
                message(l, r, (r + far) % l->n, slice_block(l, (r + l->n - i) % l->n),
                        SET);
}

/* The same rounds backwards. */
static void play_pat_reduce(struct links *l)
{
    int far = 1;

    while (2 * far < l->n)
        far *= 2;
    for (; far > 0; far /= 2)
        for (int i = 0; i < far && i + far < l->n; i++)
            for (int r = 0; r < l->n; r++)
                message(l, (r + far) % l->n, r, slice_block(l, (r + l->n - i) % l->n),
                        ADD);
}

static void play_direct_gather(struct links *l)
{
    for (int from = 0; from < l->n; from++)
        for (int to = 0; to < l->n; to++)
            if (from != to)
                message(l, from, to, slice_block(l, from), SET);
}

static void play_direct_reduce(struct links *l)
{
    for (int from = 0; from < l->n; from++)
        for (int to = 0; to < l->n; to++)
            if (from != to)
                message(l, from, to, slice_block(l, to), ADD);
}

static void play_direct_alltoall(struct links *l)
{
    int block = 2 * l->g;

    for (int from = 0; from < l->n; from++)
        for (int to = 0; to < l->n; to++) {
            if (from != to)
                count_message(l, from, to, (uint64_t)block);
            memcpy(&l->got[to][from * block], &l->value[from][to * block],
                   (size_t)block * sizeof(uint64_t));
        }
}

/* A stripe is on its way over the ranks of one place, and from each on through its
 * domain. In the root's domain the root gives the other places their stripes. */
static void play_pipelined(struct links *l)
{
    int home = l->root / l->g;

    for (int place = 0; place < l->g; place++) {
        struct slice s = slice_channel(l, place);

        for (int i = 0; i < l->m; i++) {
            int domain = (home + i) % l->m, at = domain * l->g + place;

            if (i > 0)
                message(l, (domain + l->m - 1) % l->m * l->g + place, at, s, SET);
            else if (at != l->root)
                message(l, l->root, at, s, SET);
            for (int step = 1; step < l->g; step++) {
                int next = domain * l->g + (place + step) % l->g;

                if (next == l->root)
                    continue;
                message(l, at, next, s, SET);
                at = next;
            }
        }
    }
}

/* To the next place inside the one domain, or the next domain. */
static int message_peer(const struct links *l, int rank)
{
    return l->m > 1 ? (rank + l->g) % l->n : (rank + 1) % l->n;
}

static void play_one_way(struct links *l)
{
    for (int from = 0; from < l->n; from++) {
        int to = message_peer(l, from);

        count_message(l, from, to, (uint64_t)vector_units(l));
        copy_slice(l->got[to], l->value[from], slice_vector(l), SET);
    }
}

/* Ranks 0 and its peer, both ways. */
static void play_two_way(struct links *l)
{
    int peer = message_peer(l, 0);

    count_message(l, 0, peer, (uint64_t)vector_units(l));
    count_message(l, peer, 0, (uint64_t)vector_units(l));
    copy_slice(l->got[peer], l->value[0], slice_vector(l), SET);
    copy_slice(l->got[0], l->value[peer], slice_vector(l), SET);
}

static void play_switched(struct links *l)
{
    switch_allreduce(l, members_domain(l, 0), slice_vector(l));
}

/* Rings that leave the domain with every message. */
static void far_rings(struct links *l, bool reduce, bool gather)
{
    int order[RANKS_MOST];
    struct slice of[RANKS_MOST];

    order_by_place(l, order);
    for (int p = 0; p < l->n; p++)
        of[p] = slice_block(l, order[p]);
    if (reduce)
        ring_reduce(l, order, of, l->n);
    if (gather)
        ring_gather(l, order, of, l->n);
}

static void play_far(struct links *l)
{
    far_rings(l, true, true);
}

static void play_far_gather(struct links *l)
{
    far_rings(l, false, true);
}

static void play_far_reduce(struct links *l)
{
    far_rings(l, true, false);
}

static void play_far_alltoall(struct links *l)
{
    l->network_only = true;
    play_direct_alltoall(l);
}

static void play_far_broadcast(struct links *l)
{
    int order[RANKS_MOST] = {0}, at = 0;

    order_by_place(l, order);
    while (order[at] != l->root)
        at++;
    for (int i = 0; i < l->n - 1; i++)
        message(l, order[(at + i) % l->n], order[(at + i + 1) % l->n], slice_vector(l),
                SET);
}

#endif
