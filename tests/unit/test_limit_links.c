/* SPDX-License-Identifier: BSD-3-Clause */
/* limit's formulas against what ports carry when each algorithm is played. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "arithmetic.h"
#include "limit_fixture.h"
#include "limit_plays.h"

enum where { ONE_DOMAIN = 1, LONE_RANKS = 2, SEVERAL = 4, ACROSS = 6, ANYWHERE = 7 };

static enum where where_of(const struct links *l)
{
    return l->m == 1 ? ONE_DOMAIN : l->g == 1 ? LONE_RANKS : SEVERAL;
}

/* What a rank has at first of a unit, by its number and the unit's. */
static uint64_t contribution(int rank, int unit)
{
    return ((uint64_t)rank + 1) * 0x9e3779b97f4a7c15 ^ ((uint64_t)unit * 0x2545f491 << 8);
}

static void links_start(struct links *l, enum limit_operation operation)
{
    l->nvlink = l->nvlink_before = (struct ports){{0}, {0}};
    l->network = l->network_before = (struct ports){{0}, {0}};
    l->phase_seconds = 0;
    l->network_only = false;
    for (int r = 0; r < l->n; r++)
        for (int u = 0; u < vector_units(l); u++) {
            bool has = operation == LIMIT_ALLGATHER   ? u / (2 * l->g) == r
                       : operation == LIMIT_BROADCAST ? r == l->root
                                                      : true;

            l->value[r][u] = has ? contribution(r, u) : 0;
            l->got[r][u] = 0;
        }
}

static uint64_t contribution_sum(const struct links *l, int unit)
{
    uint64_t sum = 0;

    for (int r = 0; r < l->n; r++)
        sum += contribution(r, unit);
    return sum;
}

/* Of the ranks that receive messages, all units; of two-way ones, only ranks 0 and its
 * peer take part. */
static void check_messages(const struct links *l, bool two_way)
{
    for (int from = 0; from < l->n; from++) {
        int to = message_peer(l, from);

        for (int u = 0; u < vector_units(l); u++) {
            if (!two_way || from == 0)
                assert_int_equal(l->got[to][u], contribution(from, u));
            if (two_way && from == 0)
                assert_int_equal(l->got[from][u], contribution(to, u));
        }
    }
}

static void check_alltoall(const struct links *l)
{
    int block = 2 * l->g;

    for (int r = 0; r < l->n; r++)
        for (int u = 0; u < vector_units(l); u++)
            assert_int_equal(l->got[r][u],
                             contribution(u / block, r * block + u % block));
}

/* That the algorithm did its work: the cost of one that did not would prove nothing. */
static void check_data(const struct links *l, enum limit_operation operation)
{
    if (operation == LIMIT_ONE_WAY || operation == LIMIT_TWO_WAY) {
        check_messages(l, operation == LIMIT_TWO_WAY);
        return;
    }
    if (operation == LIMIT_ALLTOALL) {
        check_alltoall(l);
        return;
    }
    for (int u = 0; u < vector_units(l); u++) {
        int owner = u / (2 * l->g);
        uint64_t expected = operation == LIMIT_ALLGATHER   ? contribution(owner, u)
                            : operation == LIMIT_BROADCAST ? contribution(l->root, u)
                                                           : contribution_sum(l, u);

        for (int r = 0; r < l->n; r++)
            if (operation != LIMIT_REDUCESCATTER || r == owner)
                assert_int_equal(l->value[r][u], expected);
    }
}

/* busbw of a vector in a time, as nccl-tests defines it. */
static double busbw_of(const struct links *l, enum limit_operation operation,
                       double seconds)
{
    double n = l->n, algbw = vector_units(l) / seconds;

    switch (operation) {
    case LIMIT_ALLREDUCE:
        return algbw * (2 * (n - 1) / n);
    case LIMIT_ALLGATHER:
    case LIMIT_REDUCESCATTER:
    case LIMIT_ALLTOALL:
        return algbw * ((n - 1) / n);
    default:
        return algbw;
    }
}

/* How phases in series compare with the sum of both parts' times. */
enum series { SERIES_NONE, SERIES_SUM, SERIES_NVLS };

struct play {
    enum limit_operation operation;
    enum limit_algorithm algorithm;
    enum where where;
    void (*play)(struct links *links);
    enum series series;
};

/* clang-format off */
static const struct play plays[] = {
    {LIMIT_ALLREDUCE, ALGORITHM_RING, ANYWHERE, play_ring, SERIES_NONE},
    {LIMIT_ALLREDUCE, ALGORITHM_TREE, ANYWHERE, play_tree, SERIES_NONE},
    {LIMIT_ALLREDUCE, ALGORITHM_NVLS, ANYWHERE, play_nvls, SERIES_NVLS},
    {LIMIT_ALLREDUCE, ALGORITHM_NVLS_TREE, ACROSS, play_nvls_tree, SERIES_NVLS},
    {LIMIT_ALLREDUCE, ALGORITHM_SHARP, ACROSS, play_sharp, SERIES_SUM},
    {LIMIT_ALLREDUCE, ALGORITHM_HIERARCHICAL, ANYWHERE, play_hierarchical, SERIES_SUM},
    {LIMIT_ALLGATHER, ALGORITHM_RING, ANYWHERE, play_ring_gather, SERIES_NONE},
    {LIMIT_ALLGATHER, ALGORITHM_NVLS, ONE_DOMAIN, play_nvls_gather, SERIES_NONE},
    {LIMIT_ALLGATHER, ALGORITHM_HIERARCHICAL, ANYWHERE, play_hierarchical_gather, SERIES_SUM},
    {LIMIT_ALLGATHER, ALGORITHM_PAT, LONE_RANKS, play_pat_gather, SERIES_NONE},
    {LIMIT_ALLGATHER, ALGORITHM_DIRECT, ANYWHERE, play_direct_gather, SERIES_NONE},
    {LIMIT_REDUCESCATTER, ALGORITHM_RING, ANYWHERE, play_ring_reduce, SERIES_NONE},
    {LIMIT_REDUCESCATTER, ALGORITHM_NVLS, ONE_DOMAIN, play_nvls_reduce, SERIES_NONE},
    {LIMIT_REDUCESCATTER, ALGORITHM_HIERARCHICAL, ANYWHERE, play_hierarchical_reduce, SERIES_SUM},
    {LIMIT_REDUCESCATTER, ALGORITHM_PAT, LONE_RANKS, play_pat_reduce, SERIES_NONE},
    {LIMIT_REDUCESCATTER, ALGORITHM_DIRECT, ANYWHERE, play_direct_reduce, SERIES_NONE},
    {LIMIT_ALLTOALL, ALGORITHM_DIRECT, ANYWHERE, play_direct_alltoall, SERIES_NONE},
    {LIMIT_BROADCAST, ALGORITHM_RING, ANYWHERE, play_ring_broadcast, SERIES_NONE},
    {LIMIT_BROADCAST, ALGORITHM_PIPELINED, ANYWHERE, play_pipelined, SERIES_NONE},
    {LIMIT_ONE_WAY, ALGORITHM_DIRECT, ANYWHERE, play_one_way, SERIES_NONE},
    {LIMIT_TWO_WAY, ALGORITHM_DIRECT, ANYWHERE, play_two_way, SERIES_NONE},
};
/* clang-format on */

enum { PLAYS = sizeof plays / sizeof plays[0] };

static uint64_t busiest_of(const struct ports *ports)
{
    return busiest(ports, &(struct ports){{0}, {0}});
}

static struct limit_machine machine_with(const struct links *l)
{
    return machine_of(l->g, l->m, l->nvlink_Bps, l->network_Bps);
}

static struct limit play_bound(const struct links *l, const struct play *play,
                               enum limit_phases phases)
{
    return bound_of(machine_with(l), play->operation, play->algorithm, phases);
}

static double ceiling_busbw(const struct links *l, enum limit_operation operation,
                            enum limit_switches switches)
{
    return ceiling_of(machine_with(l), operation, switches).busbw_Bps;
}

static void check_part(const struct links *l, const struct play *play, double seconds,
                       double busbw)
{
    if (seconds > 0)
        assert_close(busbw, busbw_of(l, play->operation, seconds));
    else
        assert_true(isnan(busbw));
}

/* In series the times of the two parts add up. NVSwitch is out of balance before the
 * network (S out, S/g in) and after it: were these two apart as well, the time would be
 * (1 - 1/g) S / rate longer; the bound takes them for one part, and so stays above. */
static void check_series(const struct links *l, const struct play *play, double nvlink,
                         double network)
{
    struct limit limit = play_bound(l, play, PHASES_SERIES);
    double apart = play->series == SERIES_NVLS
                       ? (1 - 1.0 / l->g) * vector_units(l) / l->nvlink_Bps
                       : 0;

    assert_close(limit.busbw_Bps, busbw_of(l, play->operation, nvlink + network));
    assert_close(l->phase_seconds, nvlink + network + apart);
}

static void check_play(struct links *l, const struct play *play)
{
    struct limit limit = play_bound(l, play, PHASES_OVERLAP);
    double nvlink, network;

    if (!(play->where & where_of(l))) {
        assert_int_equal(limit.kind, LIMIT_NONE);
        return;
    }
    links_start(l, play->operation);
    play->play(l);
    check_data(l, play->operation);
    nvlink = (double)busiest_of(&l->nvlink) / l->nvlink_Bps;
    network = (double)busiest_of(&l->network) / l->network_Bps;
    assert_int_equal(limit.kind, LIMIT_BOUND);
    check_part(l, play, nvlink, limit.nvlink_busbw_Bps);
    check_part(l, play, network, limit.network_busbw_Bps);
    assert_close(limit.busbw_Bps, busbw_of(l, play->operation, fmax(nvlink, network)));
    if (play->series != SERIES_NONE)
        check_series(l, play, nvlink, network);
}

/* All small machines, each with rates and a root of its own. Too large for a stack. */
static struct links machine;

static void each_machine(void (*check)(struct links *links))
{
    uint64_t seed = 972;

    for (int g = 1; g <= INSIDE_MOST; g++)
        for (int m = 1; m <= DOMAINS_MOST; m++) {
            machine.g = g;
            machine.m = m;
            machine.n = g * m;
            machine.root = (int)(random_next(&seed) % (uint64_t)machine.n);
            machine.nvlink_Bps = 1e9 * (1 + (double)(random_next(&seed) % 2000));
            machine.network_Bps = 1e9 * (1 + (double)(random_next(&seed) % 2000));
            /* Where the network is far slower, another part decides. */
            if (m % 2)
                machine.network_Bps /= 2 * machine.n;
            if (machine.n > 1)
                check(&machine);
        }
}

static void check_plays(struct links *l)
{
    for (size_t i = 0; i < PLAYS; i++)
        check_play(l, &plays[i]);
}

static void test_bounds_are_what_the_busiest_port_allows(void **state)
{
    (void)state;
    each_machine(check_plays);
}

/* Two algorithms that each do a share of the work: the one keeps to NVLink as far as it
 * can, the other one to the network. */
static const struct {
    enum limit_operation operation;
    void (*near)(struct links *links);
    void (*far)(struct links *links);
} mixtures[] = {
    {LIMIT_ALLREDUCE, play_hierarchical, play_far},
    {LIMIT_ALLGATHER, play_hierarchical_gather, play_far_gather},
    {LIMIT_REDUCESCATTER, play_hierarchical_reduce, play_far_reduce},
    {LIMIT_ALLTOALL, play_direct_alltoall, play_far_alltoall},
    {LIMIT_BROADCAST, play_ring_broadcast, play_far_broadcast},
};

/* Seconds of the best mixture: all near, or as much as makes both links end together. */
static double mixture_seconds(struct links *l, size_t i)
{
    double nvlink, network, far, share;

    links_start(l, mixtures[i].operation);
    mixtures[i].near(l);
    check_data(l, mixtures[i].operation);
    nvlink = (double)busiest_of(&l->nvlink) / l->nvlink_Bps;
    network = (double)busiest_of(&l->network) / l->network_Bps;
    links_start(l, mixtures[i].operation);
    mixtures[i].far(l);
    check_data(l, mixtures[i].operation);
    assert_int_equal(busiest_of(&l->nvlink), 0);
    far = (double)busiest_of(&l->network) / l->network_Bps;
    if (nvlink <= network)
        return network;
    share = far / (nvlink + far - network);
    return share * nvlink;
}

/* Several domains: what the ceiling says can be had, so it is not too low; that it is not
 * too high either is what the equality says. */
static void check_mixtures(struct links *l)
{
    for (size_t i = 0; i < sizeof mixtures / sizeof mixtures[0] && l->m > 1; i++)
        assert_close(ceiling_busbw(l, mixtures[i].operation, SWITCHES_NONE),
                     busbw_of(l, mixtures[i].operation, mixture_seconds(l, i)));
}

static void test_ceilings_are_reached(void **state)
{
    (void)state;
    each_machine(check_mixtures);
}

/* In one domain: the ring, the direct algorithm and the pipeline are as good as it gets;
 * with reduction, a switch that takes S from each GPU and gives S to each. */
static void check_one_domain(struct links *l)
{
    if (l->m > 1)
        return;
    for (enum limit_operation o = 0; o < LIMIT_OPERATIONS; o++)
        assert_close(ceiling_busbw(l, o, SWITCHES_NONE), l->nvlink_Bps);
    links_start(l, LIMIT_ALLREDUCE);
    play_switched(l);
    check_data(l, LIMIT_ALLREDUCE);
    for (enum limit_switches s = SWITCHES_NVLINK; s <= SWITCHES_ALL; s++)
        assert_close(
            ceiling_busbw(l, LIMIT_ALLREDUCE, s),
            busbw_of(l, LIMIT_ALLREDUCE, (double)busiest_of(&l->nvlink) / l->nvlink_Bps));
}

/* Across: what SHARP puts on a domain's ports; what hierarchical does, where only
 * NVSwitch reduces; and a GPU's vector that leaves it once, over all its ports. */
static void check_reducing(struct links *l)
{
    static const struct play sharp = {.algorithm = ALGORITHM_SHARP};
    static const struct play hierarchical = {.algorithm = ALGORITHM_HIERARCHICAL};
    struct limit all = ceiling_of(machine_with(l), LIMIT_ALLREDUCE, SWITCHES_ALL);
    struct limit inside = ceiling_of(machine_with(l), LIMIT_ALLREDUCE, SWITCHES_NVLINK);
    double seconds = vector_units(l) / (l->network_Bps + l->nvlink_Bps);

    if (l->m == 1)
        return;
    assert_close(all.network_busbw_Bps,
                 play_bound(l, &sharp, PHASES_OVERLAP).network_busbw_Bps);
    assert_close(inside.network_busbw_Bps,
                 play_bound(l, &hierarchical, PHASES_OVERLAP).network_busbw_Bps);
    if (l->g == 1)
        return;
    assert_close(all.nvlink_busbw_Bps, busbw_of(l, LIMIT_ALLREDUCE, seconds));
    assert_close(inside.nvlink_busbw_Bps, busbw_of(l, LIMIT_ALLREDUCE, seconds));
}

static void test_ceilings_of_one_domain(void **state)
{
    (void)state;
    each_machine(check_one_domain);
}

static void test_ceilings_where_switches_reduce(void **state)
{
    (void)state;
    each_machine(check_reducing);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bounds_are_what_the_busiest_port_allows),
        cmocka_unit_test(test_ceilings_are_reached),
        cmocka_unit_test(test_ceilings_of_one_domain),
        cmocka_unit_test(test_ceilings_where_switches_reduce),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
