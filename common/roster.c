/* SPDX-License-Identifier: BSD-3-Clause */
#include "roster.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "nic.h"
#include "units.h"

struct entry {
    int node, cpus;
    char host[WORLD_HOST_TEXT];
    uint64_t need, available;
    double nic_Bps;
    struct binding binding;
};

static int roster_allocate(struct roster *roster, const struct world *world)
{
    size_t ranks = (size_t)world->nranks, nodes = (size_t)world->nnodes;

    *roster = (struct roster){
        .nranks = world->nranks,
        .nnodes = world->nnodes,
        .node = calloc(ranks, sizeof *roster->node),
        .binding = calloc(ranks, sizeof *roster->binding),
        .hosts = calloc(nodes, sizeof *roster->hosts),
        .ranks = calloc(nodes, sizeof *roster->ranks),
        .cpus = calloc(nodes, sizeof *roster->cpus),
        .need = calloc(nodes, sizeof *roster->need),
        .available = calloc(nodes, sizeof *roster->available),
    };
    return roster->node && roster->binding && roster->hosts && roster->ranks &&
           roster->cpus && roster->need && roster->available;
}

static void roster_fill(struct roster *roster, const struct entry *entries)
{
    for (int rank = 0; rank < roster->nranks; rank++) {
        const struct entry *entry = &entries[rank];

        roster->node[rank] = entry->node;
        roster->binding[rank] = entry->binding;
        roster->cpus[entry->node] = entry->cpus;
        memcpy(roster->hosts[entry->node], entry->host, WORLD_HOST_TEXT);
        roster->need[entry->node] += entry->need;
        if (rank == 0 || entry->nic_Bps < roster->nic_Bps)
            roster->nic_Bps = entry->nic_Bps;
        /* Ranks of a host read it one after the other: the first answer, whoever's. */
        if (roster->ranks[entry->node]++ == 0)
            roster->available[entry->node] = entry->available;
    }
}

int roster_gather(struct roster *roster, struct world *world, uint64_t need_bytes,
                  struct err *err)
{
    struct entry mine = {
        .node = world->node,
        .cpus = world->local_cpus,
        .need = need_bytes,
        .available = memory_available(),
        .nic_Bps = nic_rate_Bps(""),
    };
    struct entry *all = NULL;

    binding_read(&mine.binding);
    memcpy(mine.host, world->host, sizeof mine.host);
    *roster = (struct roster){0};
    if (world->rank == 0) {
        all = calloc((size_t)world->nranks, sizeof *all);
        if (!all || !roster_allocate(roster, world))
            err_set(err, EXIT_CODE_FAILURE, "out of memory for the list of ranks");
    }
    if (world_agree(world, err) == 0 &&
        world->ops->gather(world, &mine, sizeof mine, all, err) == 0 && all)
        roster_fill(roster, all);
    free(all);
    return err->code ? -1 : 0;
}

void roster_free(struct roster *roster)
{
    free(roster->node);
    free(roster->binding);
    free(roster->hosts);
    free(roster->ranks);
    free(roster->cpus);
    free(roster->need);
    free(roster->available);
    *roster = (struct roster){0};
}

const char *roster_host(const struct roster *roster, int rank)
{
    return rank >= 0 && rank < roster->nranks ? roster->hosts[roster->node[rank]] : "";
}

/* The largest power of two whose share of the need fits. */
static uint64_t size_that_fits(uint64_t largest, uint64_t need, uint64_t available)
{
    double room = (double)largest * (double)available / (double)need;
    uint64_t fits = 1;

    while (2.0 * (double)fits <= room)
        fits *= 2;
    return fits;
}

int roster_check_memory(const struct roster *roster, uint64_t largest_bytes,
                        struct err *err)
{
    char need[UNITS_TEXT], available[UNITS_TEXT], fits[UNITS_TEXT];

    for (int node = 0; node < roster->nnodes; node++) {
        if (roster->need[node] <= roster->available[node])
            continue;
        return err_set(
            err, EXIT_CODE_USAGE,
            "host %s: %d ranks need %s of buffers, %s of memory are available: choose "
            "sizes up to %s, or fewer ranks per host",
            roster->hosts[node], roster->ranks[node],
            units_format_human(need, roster->need[node]),
            units_format_human(available, roster->available[node]),
            units_format_bytes(fits, size_that_fits(largest_bytes, roster->need[node],
                                                    roster->available[node])));
    }
    return 0;
}
