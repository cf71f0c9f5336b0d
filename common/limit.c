/* SPDX-License-Identifier: BSD-3-Clause */
#include "limit.h"

#include <math.h>
#include <stdio.h>
#include <strings.h>

#include "limit_private.h"

/* What the parts of a row run on, in the words that follow a part's name. */
struct rates {
    double nvlink, network; /* NAN: unknown */
    const char *nvlink_links, *network_links;
};

static double rate_or_nan(double rate)
{
    return rate > 0 ? rate : NAN;
}

/* Data from a GPU to the network passes the path and the ports at the same time. fmin
 * yields the other one where one is NAN. */
static double network_rate(const struct limit_machine *machine)
{
    return fmin(rate_or_nan(machine->network_Bps), rate_or_nan(machine->path_Bps));
}

static bool path_limits(const struct limit_machine *machine)
{
    return machine->path_Bps > 0 &&
           !(machine->network_Bps <= machine->path_Bps && machine->network_Bps > 0);
}

static struct rates bound_rates(const struct limit_machine *machine)
{
    return (struct rates){
        .nvlink = rate_or_nan(machine->nvlink_Bps),
        .network = network_rate(machine),
        .nvlink_links = "over NVLink",
        .network_links =
            path_limits(machine) ? "over the GPU-NIC path" : "over the network",
    };
}

/* All ports of a GPU: those of the network count where the network is used at all. */
static struct rates ceiling_rates(const struct limit_machine *machine)
{
    bool across = machine->domains > 1;
    double network = network_rate(machine);

    return (struct rates){
        .nvlink = rate_or_nan(machine->nvlink_Bps) + (across ? network : 0),
        .network = network,
        .nvlink_links = across ? "NVLink and network ports" : "NVLink ports",
        .network_links = path_limits(machine) ? "GPU-NIC paths" : "network ports",
    };
}

static double part_busbw(const struct limit_part *part, bool used, double rate,
                         const struct limit_machine *machine)
{
    struct limit_sizes sizes = {machine->ranks, machine->domain_ranks, machine->domains};

    return used && part->multiple ? part->multiple(&sizes) * rate : NAN;
}

static const char *missing_rates(const struct limit_row *row,
                                 const struct limit_machine *machine)
{
    static const char *const texts[] = {NULL, "NVLink rate", "network rate",
                                        "NVLink rate and network rate"};
    bool nvlink = machine->domain_ranks > 1 && row->nvlink.multiple;
    bool network = machine->domains > 1 && row->network.multiple;

    return texts[(nvlink && !(machine->nvlink_Bps > 0)) +
                 2 * (network && !(machine->network_Bps > 0))];
}

/* The slower part decides; where equal, the network, as it is the one to look at. */
static void limit_combine(struct limit *limit, const struct limit_row *row,
                          const struct rates *rates)
{
    double nvlink = limit->nvlink_busbw_Bps, network = limit->network_busbw_Bps;
    const char *note = row->note ? row->note : "";

    if (limit->phases == PHASES_SERIES && !isnan(nvlink) && !isnan(network)) {
        limit->busbw_Bps = 1 / (1 / nvlink + 1 / network);
        snprintf(limit->name, sizeof limit->name, "%s %s and %s %s, in series",
                 row->nvlink.name, rates->nvlink_links, row->network.name,
                 rates->network_links);
    } else if (isnan(network) || nvlink < network) {
        limit->busbw_Bps = nvlink;
        snprintf(limit->name, sizeof limit->name, "%s %s%s", row->nvlink.name,
                 rates->nvlink_links, note);
    } else {
        limit->busbw_Bps = network;
        snprintf(limit->name, sizeof limit->name, "%s %s%s", row->network.name,
                 rates->network_links, note);
    }
}

static void limit_evaluate(struct limit *limit, const struct limit_row *row,
                           const struct limit_machine *machine, const struct rates *rates,
                           enum limit_kind kind)
{
    limit->nvlink_busbw_Bps =
        part_busbw(&row->nvlink, machine->domain_ranks > 1, rates->nvlink, machine);
    limit->network_busbw_Bps =
        part_busbw(&row->network, machine->domains > 1, rates->network, machine);
    limit->missing = missing_rates(row, machine);
    if (isnan(limit->nvlink_busbw_Bps) && isnan(limit->network_busbw_Bps)) {
        snprintf(limit->name, sizeof limit->name, "none: unknown %s", limit->missing);
        return;
    }
    limit->kind = kind;
    limit_combine(limit, row, rates);
}

static int check_rate(double Bps, const char *name, struct err *err)
{
    if (Bps < 0 || isinf(Bps))
        return err_set(
            err, EXIT_CODE_USAGE,
            "%g bytes/s is no rate of %s: give a number above 0, or 0 where it "
            "is unknown",
            Bps, name);
    return 0;
}

static int check_machine(const struct limit_machine *machine, struct err *err)
{
    if (machine->ranks < 1 || machine->domain_ranks < 1 || machine->domains < 1)
        return err_set(
            err, EXIT_CODE_USAGE,
            "no limits for %d ranks in %d domains of %d: each must be 1 or more",
            machine->ranks, machine->domains, machine->domain_ranks);
    if ((long long)machine->domain_ranks * machine->domains != machine->ranks)
        return err_set(err, EXIT_CODE_USAGE,
                       "no limits for %d ranks in %d domains that do not all have %d: "
                       "they are derived for equal domains",
                       machine->ranks, machine->domains, machine->domain_ranks);
    return check_rate(machine->nvlink_Bps, "NVLink", err) ||
                   check_rate(machine->network_Bps, "the network", err) ||
                   check_rate(machine->path_Bps, "the GPU-NIC path", err)
               ? -1
               : 0;
}

/* No figure, and why. */
static void limit_clear(struct limit *limit, const char *why)
{
    *limit = (struct limit){
        .kind = LIMIT_NONE,
        .busbw_Bps = NAN,
        .nvlink_busbw_Bps = NAN,
        .network_busbw_Bps = NAN,
    };
    snprintf(limit->name, sizeof limit->name, "none: %s", why);
}

static void limit_find(struct limit *limit, const struct limit_row *row,
                       const struct limit_machine *machine, const struct rates *rates,
                       enum limit_kind kind)
{
    if (machine->ranks == 1)
        limit_clear(limit, "one rank moves nothing");
    else if (!row)
        limit_clear(limit, "not known for this algorithm");
    else
        limit_evaluate(limit, row, machine, rates, kind);
}

int limit_ceiling(const struct limit_machine *machine, enum limit_operation operation,
                  enum limit_switches switches, struct limit *ceiling, struct err *err)
{
    struct rates rates = ceiling_rates(machine);

    limit_clear(ceiling, "bad machine");
    if (check_machine(machine, err))
        return -1;
    limit_find(ceiling, limit_ceiling_row(machine, operation, switches), machine, &rates,
               LIMIT_CEILING);
    return 0;
}

int limit_bound(const struct limit_machine *machine, enum limit_operation operation,
                enum limit_algorithm algorithm, enum limit_phases phases,
                struct limit *bound, struct err *err)
{
    struct rates rates = bound_rates(machine);

    limit_clear(bound, "bad machine");
    if (check_machine(machine, err))
        return -1;
    bound->phases = phases;
    limit_find(bound, limit_bound_row(machine, operation, algorithm), machine, &rates,
               LIMIT_BOUND);
    return 0;
}

void limit_reference(double busbw_Bps, const char *what, struct limit *reference)
{
    limit_clear(reference, "not measured");
    if (!(busbw_Bps > 0) || isinf(busbw_Bps))
        return;
    reference->kind = LIMIT_REFERENCE;
    reference->busbw_Bps = busbw_Bps;
    snprintf(reference->name, sizeof reference->name, "%s", what);
}

bool limit_exceeded(const struct limit *limit, double busbw_Bps)
{
    return limit->kind == LIMIT_CEILING && busbw_Bps > limit->busbw_Bps;
}

/* reported: by NCCL's profiler, where that is another name. */
static const struct {
    const char *name, *reported[2];
    enum limit_switches switches;
} algorithms[] = {
    [ALGORITHM_UNKNOWN] = {.name = "unknown", .switches = SWITCHES_ALL},
    [ALGORITHM_RING] = {.name = "ring"},
    [ALGORITHM_TREE] = {.name = "tree"},
    [ALGORITHM_NVLS] = {.name = "nvls", .switches = SWITCHES_ALL},
    [ALGORITHM_NVLS_TREE] = {.name = "nvls_tree", .switches = SWITCHES_NVLINK},
    [ALGORITHM_SHARP] = {.name = "sharp",
                         .reported = {"collnet_direct", "collnet_chain"},
                         .switches = SWITCHES_ALL},
    [ALGORITHM_HIERARCHICAL] = {.name = "hierarchical"},
    [ALGORITHM_PAT] = {.name = "pat"},
    [ALGORITHM_DIRECT] = {.name = "direct"},
    [ALGORITHM_PIPELINED] = {.name = "pipelined"},
};

const char *limit_algorithm_name(size_t index)
{
    return index < ALGORITHM_COUNT ? algorithms[index].name : NULL;
}

static bool names_equal(const char *name, const char *other)
{
    return name && other && strcasecmp(name, other) == 0;
}

enum limit_algorithm limit_algorithm_find(const char *name)
{
    for (int i = 0; i < ALGORITHM_COUNT; i++)
        if (names_equal(name, algorithms[i].name) ||
            names_equal(name, algorithms[i].reported[0]) ||
            names_equal(name, algorithms[i].reported[1]))
            return (enum limit_algorithm)i;
    return ALGORITHM_UNKNOWN;
}

enum limit_switches limit_algorithm_switches(enum limit_algorithm algorithm)
{
    return algorithms[algorithm].switches;
}
