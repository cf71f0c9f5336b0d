/* SPDX-License-Identifier: BSD-3-Clause */
/* The formulas, and which of them holds where. n ranks, g in each of m domains; S bytes
 * of the vector. */
#include "limit_private.h"

/* Point to point, a broadcast's root: S. Any cut of ports that carries the busbw factor
 * times S, the least that an operation needs (see ceilings). */
static double times_one(const struct limit_sizes *s)
{
    (void)s;
    return 1;
}

/* Rings: each rank passes on the busbw factor times S. The ranks of a domain take turns
 * (channels) to be the one that leaves it, so g-1 of g such hops are NVLink's; in a
 * single domain all are. */
static double ring_nvlink(const struct limit_sizes *s)
{
    return s->m > 1 ? s->g / (s->g - 1) : 1;
}

/* And out of a domain goes what one rank passes on: all its ports together carry it. */
static double domain_ports(const struct limit_sizes *s)
{
    return s->g;
}

/* Reduce-scatter and all-gather inside, point to point: (g-1)/g of S each. A chain with
 * rotating ends, up and down, carries the same on the average rank. */
static double spread_nvlink(const struct limit_sizes *s)
{
    return s->g / (s->g - 1) * (s->n - 1) / s->n;
}

/* Each rank's share S/g, all-reduced with those of equal place in the other domains: a
 * factor 2(m-1)/m. The two halves of that, (m-1)/m each, for gather and scatter. It is
 * also the least that a domain can send when no switch of the network reduces. */
static double spread_network(const struct limit_sizes *s)
{
    return (s->n - 1) / (s->m - 1);
}

/* Two trees with half of the vector each; a domain that is inner in one is a leaf in the
 * other (Sanders, Speck, Traeff, Parallel Computing 35, 2009). Inner with two children
 * and a parent: S and S/2, a leaf: S/2, so 2S. Chains of two and three domains have no
 * such node: S, and 1.5 S. As NCCL builds them, with one child at the root: four domains
 * could do with 1.5 S otherwise. */
static double tree_network(const struct limit_sizes *s)
{
    double vectors = s->m > 3 ? 2 : s->m > 2 ? 1.5 : 1;

    return 2 / vectors * s->g * (s->n - 1) / s->n;
}

/* The switch fetches S from each GPU and returns to each the reduction of its S/g, which
 * the GPU then sends once and the switch to all g, its sender included: S(1 + 1/g) each
 * way (Klenk et al., ISCA 2020, on reduction and multicast in NVSwitch). */
static double nvls_reduce_nvlink(const struct limit_sizes *s)
{
    return 2 * s->g / (s->g + 1) * (s->n - 1) / s->n;
}

/* Multicast to all, its sender included: S into each. To scatter, S out of each. */
static double nvls_move_nvlink(const struct limit_sizes *s)
{
    return (s->n - 1) / s->n;
}

/* A domain sends S up into the network's switches, and S comes down (Graham et al.,
 * COMHPC 2016). */
static double sharp_network(const struct limit_sizes *s)
{
    return 2 * (s->n - 1) / s->n * s->g;
}

/* The same for all ports of one GPU, whichever switches reduce. */
static double reduced_ports(const struct limit_sizes *s)
{
    return 2 * (s->n - 1) / s->n;
}

/* S/n to each of the g-1 others inside, and to each of n-g others across. */
static double direct_nvlink(const struct limit_sizes *s)
{
    return (s->n - 1) / (s->g - 1);
}

static double direct_network(const struct limit_sizes *s)
{
    return (s->n - 1) / (s->n - s->g);
}

/* Kinds of machine, as bits. */
enum { ONE_DOMAIN = 1, LONE_RANKS = 2, SEVERAL = 4, ACROSS = LONE_RANKS | SEVERAL };
enum { ANYWHERE = ONE_DOMAIN | ACROSS };

#define BIT(number)  (1u << (number))
#define MOVES        (BIT(LIMIT_ALLGATHER) | BIT(LIMIT_REDUCESCATTER))
#define MESSAGES     (BIT(LIMIT_ONE_WAY) | BIT(LIMIT_TWO_WAY))
#define ANY_SWITCHES (BIT(SWITCHES_NONE) | BIT(SWITCHES_NVLINK) | BIT(SWITCHES_ALL))

/* What is in no row has no bound that is known. */
/* clang-format off */
static const struct limit_row bounds[] = {
    {.operations = BIT(LIMIT_ALLREDUCE), .ways = BIT(ALGORITHM_RING), .machines = ANYWHERE,
     .nvlink = {"ring", ring_nvlink}, .network = {"ring", domain_ports}},
    {.operations = BIT(LIMIT_ALLREDUCE), .ways = BIT(ALGORITHM_TREE), .machines = ANYWHERE,
     .nvlink = {"tree", spread_nvlink}, .network = {"double binary tree", tree_network}},
    {.operations = BIT(LIMIT_ALLREDUCE), .ways = BIT(ALGORITHM_NVLS), .machines = ANYWHERE,
     .nvlink = {"NVLS", nvls_reduce_nvlink}, .network = {"SHARP", sharp_network}},
    {.operations = BIT(LIMIT_ALLREDUCE), .ways = BIT(ALGORITHM_NVLS_TREE), .machines = ACROSS,
     .nvlink = {"NVLS", nvls_reduce_nvlink},
     .network = {"double binary tree", tree_network}},
    {.operations = BIT(LIMIT_ALLREDUCE), .ways = BIT(ALGORITHM_SHARP), .machines = ACROSS,
     .nvlink = {"point to point", spread_nvlink}, .network = {"SHARP", sharp_network}},
    {.operations = BIT(LIMIT_ALLREDUCE), .ways = BIT(ALGORITHM_HIERARCHICAL),
     .machines = ANYWHERE,
     .nvlink = {"hierarchical", spread_nvlink},
     .network = {"hierarchical", spread_network}},

    {.operations = MOVES, .ways = BIT(ALGORITHM_RING), .machines = ANYWHERE,
     .nvlink = {"ring", ring_nvlink}, .network = {"ring", domain_ports}},
    {.operations = MOVES, .ways = BIT(ALGORITHM_NVLS), .machines = ONE_DOMAIN,
     .nvlink = {"NVLS", nvls_move_nvlink}},
    {.operations = MOVES, .ways = BIT(ALGORITHM_HIERARCHICAL), .machines = ANYWHERE,
     .nvlink = {"hierarchical", spread_nvlink},
     .network = {"hierarchical", spread_network}},
    /* n-1 blocks in and out of each rank, all over its own network port. */
    {.operations = MOVES, .ways = BIT(ALGORITHM_PAT), .machines = LONE_RANKS,
     .network = {"PAT", times_one}},
    {.operations = MOVES | BIT(LIMIT_ALLTOALL), .ways = BIT(ALGORITHM_DIRECT),
     .machines = ANYWHERE,
     .nvlink = {"direct", direct_nvlink}, .network = {"direct", direct_network}},

    /* S into each domain and out again. */
    {.operations = BIT(LIMIT_BROADCAST), .ways = BIT(ALGORITHM_RING), .machines = ANYWHERE,
     .nvlink = {"ring", ring_nvlink}, .network = {"ring", domain_ports}},
    /* The root feeds the rails of all others of its domain. */
    {.operations = BIT(LIMIT_BROADCAST), .ways = BIT(ALGORITHM_PIPELINED),
     .machines = ANYWHERE,
     .nvlink = {"pipelined", times_one}, .network = {"pipelined", domain_ports}},

    {.operations = MESSAGES, .ways = BIT(ALGORITHM_DIRECT), .machines = ONE_DOMAIN,
     .nvlink = {"direct", times_one}},
    {.operations = MESSAGES, .ways = BIT(ALGORITHM_DIRECT), .machines = ACROSS,
     .network = {"direct", times_one}},
};

/* Two cuts. Around all ports of the GPUs: as long as switches only forward, an element
 * of an all-reduce takes 2(n-1) messages (one-way gossip: Harary and Schwenk, J. Franklin
 * Institute 297, 1974), one of a gather, scatter or broadcast n-1; where they reduce, a
 * GPU's vector still has to leave it. Around a domain: the same of m domains, for which
 * only switches of the network count. A mixture of the hierarchical algorithm and one
 * that keeps to the network reaches both, so that neither can be lower. */
static const struct limit_row ceilings[] = {
    {.operations = BIT(LIMIT_ALLREDUCE), .ways = BIT(SWITCHES_NONE), .machines = ANYWHERE,
     .nvlink = {"a GPU's", times_one}, .network = {"a domain's", spread_network}},
    {.operations = BIT(LIMIT_ALLREDUCE), .ways = BIT(SWITCHES_NVLINK), .machines = ANYWHERE,
     .nvlink = {"a GPU's", reduced_ports}, .network = {"a domain's", spread_network},
     .note = ", NVSwitch reduces"},
    {.operations = BIT(LIMIT_ALLREDUCE), .ways = BIT(SWITCHES_ALL), .machines = ANYWHERE,
     .nvlink = {"a GPU's", reduced_ports}, .network = {"a domain's", sharp_network},
     .note = ", switches reduce"},
    {.operations = MOVES, .ways = ANY_SWITCHES, .machines = ANYWHERE,
     .nvlink = {"a GPU's", times_one}, .network = {"a domain's", spread_network}},
    {.operations = BIT(LIMIT_ALLTOALL), .ways = ANY_SWITCHES, .machines = ANYWHERE,
     .nvlink = {"a GPU's", times_one}, .network = {"a domain's", direct_network}},
    {.operations = BIT(LIMIT_BROADCAST), .ways = ANY_SWITCHES, .machines = ANYWHERE,
     .nvlink = {"a GPU's", times_one}, .network = {"a domain's", domain_ports}},
    {.operations = MESSAGES, .ways = ANY_SWITCHES, .machines = ONE_DOMAIN,
     .nvlink = {"a GPU's", times_one}},
    {.operations = MESSAGES, .ways = ANY_SWITCHES, .machines = ACROSS,
     .network = {"a GPU's", times_one}},
};
/* clang-format on */

enum {
    BOUNDS = sizeof bounds / sizeof bounds[0],
    CEILINGS = sizeof ceilings / sizeof ceilings[0],
};

static unsigned machine_kind(const struct limit_machine *machine)
{
    if (machine->domains == 1)
        return ONE_DOMAIN;
    return machine->domain_ranks == 1 ? LONE_RANKS : SEVERAL;
}

static const struct limit_row *row_find(const struct limit_row *rows, size_t count,
                                        const struct limit_machine *machine,
                                        unsigned operation, unsigned way)
{
    unsigned kind = machine_kind(machine);

    for (size_t i = 0; i < count; i++)
        if (rows[i].operations & BIT(operation) && rows[i].ways & BIT(way) &&
            rows[i].machines & kind)
            return &rows[i];
    return NULL;
}

const struct limit_row *limit_ceiling_row(const struct limit_machine *machine,
                                          enum limit_operation operation,
                                          enum limit_switches switches)
{
    return row_find(ceilings, CEILINGS, machine, operation, switches);
}

const struct limit_row *limit_bound_row(const struct limit_machine *machine,
                                        enum limit_operation operation,
                                        enum limit_algorithm algorithm)
{
    return row_find(bounds, BOUNDS, machine, operation, algorithm);
}
