/* SPDX-License-Identifier: BSD-3-Clause */
/* What the links allow: the greatest busbw, from the rates of the links and the bytes
 * that the busiest of them has to carry. Two numbers that never stand for each other:
 *
 *   ceiling  holds whatever the algorithm: a figure above it is an error
 *   bound    of one algorithm: the denominator of a percentage
 *
 * Both are for large vectors, where start-up no longer counts. (Not limits.h: that would
 * hide C's header of this name.) */
#ifndef RACKMARK_LIMIT_H
#define RACKMARK_LIMIT_H

#include <stdbool.h>
#include <stddef.h>

#include "err.h"

/* Ranks of one GPU each, in equal domains: the ranks of a domain reach each other over
 * NVLink, other ranks over the network. Rates are payload, in bytes/s, of one rank and
 * one direction, with both directions at once; 0 or NAN: unknown. */
struct limit_machine {
    int ranks, domain_ranks, domains; /* ranks = domain_ranks * domains */
    double nvlink_Bps;                /* NVLink ports of a GPU together */
    double network_Bps; /* a rank's share of its domain's network ports; point to point:
                           of all ports that its messages may take */
    double path_Bps;    /* between a GPU and its network ports: PCIe, C2C */
};

/* What busbw is a figure of. Point to point: a machine of one domain stands for ranks
 * that talk inside domains, one of several for ranks that talk across. */
enum limit_operation {
    LIMIT_ALLREDUCE,
    LIMIT_ALLGATHER,
    LIMIT_REDUCESCATTER,
    LIMIT_ALLTOALL,
    LIMIT_BROADCAST,
    LIMIT_ONE_WAY, /* also a ping-pong: one direction at a time */
    LIMIT_TWO_WAY, /* links carry both directions at once: busbw is of one */
    LIMIT_OPERATIONS
};

enum limit_algorithm {
    ALGORITHM_UNKNOWN,
    ALGORITHM_RING,         /* by domains; each rank leaves its domain in its turn */
    ALGORITHM_TREE,         /* double binary tree of domains, chains inside */
    ALGORITHM_NVLS,         /* NVSwitch multicast; several domains: SHARP across */
    ALGORITHM_NVLS_TREE,    /* NVSwitch multicast, double binary tree across */
    ALGORITHM_SHARP,        /* SHARP across, point to point inside */
    ALGORITHM_HIERARCHICAL, /* reduce-scatter inside, rails across, all-gather inside */
    ALGORITHM_PAT,          /* logarithmic, all-gather and reduce-scatter */
    ALGORITHM_DIRECT,       /* each block from its source to its destination */
    ALGORITHM_PIPELINED,    /* stripes on all rails, from domain to domain */
    ALGORITHM_COUNT
};

/* Which switches may reduce and multicast; others only forward. */
enum limit_switches { SWITCHES_NONE, SWITCHES_NVLINK, SWITCHES_ALL };

/* How the part over NVLink and the part over the network follow each other. */
enum limit_phases {
    PHASES_OVERLAP, /* at the same time: the slower one decides */
    PHASES_SERIES,  /* one after the other: the times of the two parts add up */
};

enum limit_kind {
    LIMIT_NONE,      /* no figure: the name says why */
    LIMIT_CEILING,   /* physics */
    LIMIT_BOUND,     /* of the algorithm */
    LIMIT_REFERENCE, /* measured, such as a copy: can be passed, so never a ceiling */
};

enum { LIMIT_NAME = 96 };

struct limit {
    enum limit_kind kind;
    double busbw_Bps; /* bytes/s; NAN: LIMIT_NONE */
    /* What either part alone would allow; NAN: it carries nothing, or its rate is
     * unknown. Of a ceiling: all ports of a GPU, and the network ports of a domain. */
    double nvlink_busbw_Bps, network_busbw_Bps;
    enum limit_phases phases;
    const char *missing;   /* "NVLink rate": unknown, and the limit may be lower for it;
                              NULL: nothing is missing */
    char name[LIMIT_NAME]; /* "ring over the network" */
};

/* Both return 0, with LIMIT_NONE where no figure can be given, or -1 with
 * EXIT_CODE_USAGE for a machine that they cannot describe: unequal domains, a rate that
 * is negative or infinite.
 *
 * Ceilings take it that ranks of one domain alone use no network, and that a GPU's
 * traffic takes its own ports; ranks of several domains may use the network inside a
 * domain, too. switches: what the measured library might have used. */
int limit_ceiling(const struct limit_machine *machine, enum limit_operation operation,
                  enum limit_switches switches, struct limit *ceiling, struct err *err);

/* algorithm: the observed one. */
int limit_bound(const struct limit_machine *machine, enum limit_operation operation,
                enum limit_algorithm algorithm, enum limit_phases phases,
                struct limit *bound, struct err *err);

/* A measured rate to stand beside a figure. what: "copy on this host". */
void limit_reference(double busbw_Bps, const char *what, struct limit *reference);

/* Whether a figure is too good to be true: only a ceiling says so. */
bool limit_exceeded(const struct limit *limit, double busbw_Bps);

/* "ring", and so on; NULL after the last. */
const char *limit_algorithm_name(size_t index);

/* By that name or the name that NCCL's profiler reports, in any case of letters.
 * ALGORITHM_UNKNOWN: no such, or NULL. */
enum limit_algorithm limit_algorithm_find(const char *name);

/* The switches that take part in an algorithm: which ceiling it is held against. All,
 * where the algorithm is unknown. */
enum limit_switches limit_algorithm_switches(enum limit_algorithm algorithm);

#endif
