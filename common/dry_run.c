/* SPDX-License-Identifier: BSD-3-Clause */
#include "dry_run.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "datatypes.h"
#include "units.h"

/* Hosts that are listed; the rest is counted. */
enum { HOSTS_MOST = 32 };

/* Points of one table differ in size alone. */
static bool same_table(const struct point *a, const struct point *b)
{
    return a->operation == b->operation && a->pattern == b->pattern &&
           a->datatype == b->datatype && a->timing == b->timing &&
           a->placement == b->placement && (!a->operation->reduces || a->op == b->op);
}

static void print_title(const struct point *point, FILE *to)
{
    const struct operation *operation = point->operation;

    fprintf(to, "  %s", operation->title);
    if (point->pattern)
        fprintf(to, ", %s", point->pattern->name);
    if (operation_moves_data(operation))
        fprintf(to, ", %s", datatype_get(point->datatype)->name);
    if (operation->reduces)
        fprintf(to, ", %s", op_name(point->op));
    fprintf(to, ", %s", timing_name(point->timing));
    if (operation->in_place)
        fprintf(to, ", %s", placement_name(point->placement));
    fputs(":", to);
}

/* Of point number `first` and those like it, which become listed. */
static void print_table(const struct plan *plan, size_t first, bool *listed, FILE *to)
{
    char bytes[UNITS_TEXT];
    size_t column = 80;

    print_title(&plan->points[first], to);
    if (!operation_moves_data(plan->points[first].operation)) {
        fputs(" no sizes\n", to);
        return;
    }
    for (size_t i = first; i < plan->count; i++) {
        if (!same_table(&plan->points[first], &plan->points[i]))
            continue;
        const char *text = units_format_bytes(bytes, plan->points[i].bytes);

        listed[i] = true;
        if (column + strlen(text) > 76) {
            fputs("\n   ", to);
            column = 3;
        }
        column += (size_t)fprintf(to, " %s", text);
    }
    fputs("\n", to);
}

/* Plans have up to a million points, of which most lie in a table that is printed. */
static int print_tables(const struct plan *plan, FILE *to, struct err *err)
{
    bool *listed = calloc(plan->count, sizeof *listed);

    if (!listed)
        return err_set(err, EXIT_CODE_FAILURE, "out of memory for the tables");
    for (size_t i = 0; i < plan->count; i++)
        if (!listed[i])
            print_table(plan, i, listed, to);
    free(listed);
    return 0;
}

static void print_memory(const struct roster *roster, FILE *to)
{
    char need[UNITS_TEXT], available[UNITS_TEXT];

    fputs("Buffers:\n", to);
    for (int node = 0; node < roster->nnodes && node < HOSTS_MOST; node++)
        fprintf(to, "  host %s: %d rank%s, %s of %s available\n", roster->hosts[node],
                roster->ranks[node], roster->ranks[node] == 1 ? "" : "s",
                units_format_human(need, roster->need[node]),
                roster->available[node] == UINT64_MAX
                    ? "an unknown amount"
                    : units_format_human(available, roster->available[node]));
    if (roster->nnodes > HOSTS_MOST)
        fprintf(to, "  and %d more host%s\n", roster->nnodes - HOSTS_MOST,
                roster->nnodes == HOSTS_MOST + 1 ? "" : "s");
}

/* Warm-up may add a tenth, and so may the pilot. */
static void print_time(const struct plan *plan, const struct config *config, FILE *to)
{
    const double shares = 1.2;

    if (config->iterations > 0)
        fprintf(to,
                "Time: not known beforehand, as --iterations sets %llu repetitions of "
                "each point\n",
                (unsigned long long)config->iterations);
    else
        fprintf(to,
                "Time: at most about %.0f s, where six blocks of each point fit into "
                "--max-time\n",
                ceil(shares * config->max_time * (double)plan->count));
}

int dry_run_print(const struct plan *plan, const struct config *config,
                  const struct roster *roster, FILE *to, struct err *err)
{
    fprintf(to, "Plan: %zu point%s, %d rank%s on %d host%s%s\n", plan->count,
            plan->count == 1 ? "" : "s", roster->nranks, roster->nranks == 1 ? "" : "s",
            roster->nnodes, roster->nnodes == 1 ? "" : "s",
            config->order == ORDER_SHUFFLED ? ", in shuffled order" : "");
    if (print_tables(plan, to, err))
        return -1;
    print_memory(roster, to);
    print_time(plan, config, to);
    if (fflush(to) != 0 || ferror(to))
        return err_set(err, EXIT_CODE_FAILURE, "standard output: %s", strerror(errno));
    return 0;
}
