/* SPDX-License-Identifier: BSD-3-Clause */
#include "notes.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Longer runs say beforehand how long they may take. */
static const double long_run_seconds = 600;

enum { NOTE_TEXT = 320 };

static int note_rounded(struct output *output, const struct plan *plan, struct err *err)
{
    char text[NOTE_TEXT];

    if (plan->rounded == 0)
        return 0;
    snprintf(text, sizeof text,
             "%" PRIu64
             " size%s rounded up to whole elements and blocks; what became the "
             "same size is measured once",
             plan->rounded, plan->rounded == 1 ? " was" : "s were");
    return output_note(output, text, err);
}

static int note_window(struct output *output, const struct config *config,
                       const struct plan *plan, struct err *err)
{
    for (size_t i = 0; i < plan->count; i++) {
        const struct operation *operation = plan->points[i].operation;

        if (!operation_is_p2p(operation) || operation->single)
            continue;
        return output_note(
            output,
            config->window ? "oneway, twoway: times are of --window messages"
                           : "oneway, twoway: times are of a window of 64 messages, or "
                             "of as many as fit into 16 MiB",
            err);
    }
    return 0;
}

/* Whether ranks 0 and 1 share a host decides what a pair measures. */
static int note_pair(struct output *output, const struct plan *plan,
                     const struct roster *roster, struct err *err)
{
    char text[NOTE_TEXT];

    for (size_t i = 0; i < plan->count; i++) {
        const struct pattern *pattern = plan->points[i].pattern;

        if (!pattern || !pattern->pairs)
            continue;
        snprintf(text, sizeof text, "pair: rank 0 on %s, rank 1 on %s",
                 roster_host(roster, 0), roster_host(roster, 1));
        return output_note(output, text, err);
    }
    return 0;
}

/* The first host where ranks have to take turns. */
static int note_crowded(struct output *output, const struct roster *roster,
                        struct err *err)
{
    char text[NOTE_TEXT];

    for (int node = 0; node < roster->nnodes; node++) {
        if (roster->cpus[node] == 0 || roster->ranks[node] <= roster->cpus[node])
            continue;
        snprintf(text, sizeof text,
                 "WARNING: host %s: %d ranks share %d processor%s: times are the "
                 "scheduler's as much as the library's",
                 roster->hosts[node], roster->ranks[node], roster->cpus[node],
                 roster->cpus[node] == 1 ? "" : "s");
        return output_note(output, text, err);
    }
    return 0;
}

/* Ranks of a host that are bound to the same processors, and are more than these. */
static int note_shared(struct output *output, const struct roster *roster,
                       struct err *err)
{
    char text[NOTE_TEXT];

    for (int rank = 0; rank < roster->nranks; rank++) {
        const struct binding *binding = &roster->binding[rank];
        int room = binding_room(binding), sharing = 0, node = roster->node[rank];

        for (int other = 0; other < roster->nranks; other++)
            sharing += roster->node[other] == node &&
                       strcmp(roster->binding[other].cpus, binding->cpus) == 0;
        if (room == 0 || sharing <= room || roster->ranks[node] > roster->cpus[node])
            continue; /* of crowded hosts that was said */
        snprintf(
            text, sizeof text,
            "WARNING: host %s: %d ranks (one is %d) are bound to the same processors "
            "%s, %d core%s: bind each to its own",
            roster->hosts[node], sharing, rank, binding->cpus, room,
            room == 1 ? "" : "s");
        return output_note(output, text, err);
    }
    return 0;
}

static int note_long(struct output *output, const struct config *config,
                     const struct plan *plan, struct err *err)
{
    double seconds = config->max_time * (double)plan->count;
    char text[NOTE_TEXT];

    if (config->iterations > 0 || seconds < long_run_seconds)
        return 0;
    snprintf(text, sizeof text,
             "%zu point%s may take up to about %.1f hours; see --dry-run", plan->count,
             plan->count == 1 ? "" : "s", seconds / 3600);
    return output_note(output, text, err);
}

int notes_put(struct output *output, const struct config *config, const struct plan *plan,
              const struct roster *roster, struct err *err)
{
    return note_rounded(output, plan, err) || note_window(output, config, plan, err) ||
                   note_pair(output, plan, roster, err) ||
                   note_crowded(output, roster, err) ||
                   note_shared(output, roster, err) ||
                   note_long(output, config, plan, err)
               ? -1
               : 0;
}
