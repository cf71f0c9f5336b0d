/* SPDX-License-Identifier: BSD-3-Clause */
#include "help.h"

#include <ctype.h>
#include <jansson.h>
#include <string.h>

#include "autoconf.h"
#include "backends/backend.h"
#include "datatypes.h"
#include "err.h"
#include "operations.h"
#include "patterns.h"
#include "prose.h"
#include "record.h"
#include "revision.h"
#include "topology.h"
#include "world.h"

/* For the man pages' SEE ALSO. */
static const char *const programs[] = {
    "rackmark-allreduce",     "rackmark-allgather", "rackmark-reducescatter",
    "rackmark-alltoall",      "rackmark-broadcast", "rackmark-barrier",
    "rackmark-p2p",
    NULL,
};

static void print_examples(const struct program *program, FILE *to)
{
    const char *const *example = program->examples;

    if (!example || !*example)
        return;
    fputs("\nExamples:\n", to);
    for (; *example; example += 2) {
        fprintf(to, "  %s\n", example[0]);
        prose_wrap(example[1], 0, 6, to);
    }
}

void help_print(const struct program *program, const struct option_set *sets,
                size_t nsets, FILE *to)
{
    const char *text;

    fprintf(to, "Usage: mpirun -np RANKS %s [OPTION]...\n\n", program->name);
    prose_wrap(program->what, 0, 0, to);
    fputc('\n', to);
    options_help(sets, nsets, program->defaults, to);
    print_examples(program, to);
    fputs("\nExit codes:\n", to);
    for (int code = 0; (text = exit_code_text(code)); code++)
        prose_wrap(text, (size_t)fprintf(to, "  %d", code), 5, to);
    fprintf(to, "\nManual: man %s, or %s --man | man -l -\n", program->name,
            program->name);
}

/* The item of a tagged list, in bold. */
static void man_item(const char *item, FILE *to)
{
    fputs(".TP\n\\fB", to);
    prose_roff(item, to);
    fputs("\\fR\n", to);
}

static void man_line(const char *text, FILE *to)
{
    prose_roff(text, to);
    fputc('\n', to);
}

static void man_head(const struct program *program, FILE *to)
{
    fputs(".TH ", to);
    for (const char *at = program->name; *at; at++)
        prose_roff((char[]){(char)toupper((unsigned char)*at), '\0'}, to);
    fputs(" 1 \"\" \"Rackmark ", to);
    prose_roff(PACKAGE_VERSION, to);
    /* names in the text must stay whole, for readers and for searching */
    fputs("\" \"User Commands\"\n.nh\n.ad l\n.SH NAME\n", to);
    prose_roff(program->name, to);
    fputs(" \\- ", to);
    man_line(program->summary, to);
    fputs(".SH SYNOPSIS\n\\fBmpirun\\fR \\fB\\-np\\fR \\fIRANKS\\fR \\fB", to);
    prose_roff(program->name, to);
    fputs("\\fR [\\fIOPTION\\fR]...\n", to);
}

static void man_examples(const struct program *program, FILE *to)
{
    const char *const *example = program->examples;

    if (!example || !*example)
        return;
    fputs(".SH EXAMPLES\n", to);
    for (; *example; example += 2) {
        man_item(example[0], to);
        man_line(example[1], to);
    }
}

static void man_column(const struct field *field, FILE *to)
{
    fputs("(column \\fB", to);
    prose_roff(field->title, to);
    fputs("\\fR", to);
    if (field->unit) {
        fputs(", in ", to);
        prose_roff(field->unit, to);
    }
    fputs(")\n", to);
}

static void man_output(FILE *to)
{
    fputs(".SH OUTPUT\n", to);
    man_line(
        "A point is one thing to measure: an operation with one size, type, reduction "
        "and timing. Its result is a record. The table on standard output shows some of "
        "its fields, in the columns named below; CSV (--format csv) and JSON "
        "Lines (--format jsonl, and the file of --output) have them all, under "
        "these keys. Each line of JSON Lines is an object with a \"kind\": \"run\" "
        "(where, when and how it was measured), \"record\" (a result) or \"end\" "
        "(how the run ended; without it the run is incomplete).",
        to);
    for (size_t i = 0; i < record_fields_count; i++) {
        const struct field *field = &record_fields[i];

        man_item(field->key, to);
        man_line(field->text, to);
        if (field->title)
            man_column(field, to);
    }
}

static void man_exit_status(FILE *to)
{
    const char *text;

    fputs(".SH EXIT STATUS\n", to);
    for (int code = 0; (text = exit_code_text(code)); code++) {
        fprintf(to, ".TP\n\\fB%d\\fR\n", code);
        man_line(text, to);
    }
    fputs(".PP\nA launcher may replace the code: the end of the run names the cause.\n",
          to);
}

static void man_see_also(const struct program *program, FILE *to)
{
    fputs(".SH SEE ALSO\n", to);
    for (const char *const *name = programs; *name; name++) {
        if (strcmp(*name, program->name) == 0)
            continue;
        fputs("\\fB", to);
        prose_roff(*name, to);
        fputs("\\fR(1),\n", to);
    }
    fputs("\\fBmpirun\\fR(1)\n", to);
}

void help_man(const struct program *program, const struct option_set *sets, size_t nsets,
              FILE *to)
{
    man_head(program, to);
    fputs(".SH DESCRIPTION\n", to);
    man_line(program->what, to);
    fputs(".SH OPTIONS\n", to);
    options_man(sets, nsets, program->defaults, to);
    man_examples(program, to);
    man_output(to);
    man_exit_status(to);
    man_see_also(program, to);
}

static void list_item(const char *name, const char *text, FILE *to)
{
    prose_wrap(text, (size_t)fprintf(to, "  %-12s", name), 15, to);
}

static void list_operations(FILE *to)
{
    const struct operation *operation;

    fputs("Operations:\n", to);
    for (size_t i = 0; (operation = operation_get(i)); i++)
        list_item(operation->name, operation->title, to);
}

static void list_patterns(FILE *to)
{
    const struct pattern *pattern;

    fputs("\nPatterns of point to point:\n", to);
    for (size_t i = 0; (pattern = pattern_get(i)); i++)
        list_item(pattern->name, pattern->text, to);
}

static void list_datatypes(FILE *to)
{
    fputs("\nTypes of elements:\n", to);
    for (size_t i = 0; datatype_name(i); i++) {
        char text[32];
        size_t bytes = datatype_get((enum datatype_id)i)->bytes;

        snprintf(text, sizeof text, "%zu byte%s", bytes, bytes == 1 ? "" : "s");
        list_item(datatype_name(i), text, to);
    }
}

static void list_ops(FILE *to)
{
    fputs("\nReductions:\n", to);
    for (size_t i = 0; op_name(i); i++)
        fprintf(to, "  %s\n", op_name(i));
}

static void list_backends(FILE *to)
{
    const struct backend_type *backend;

    fputs("\nBackends:\n", to);
    for (size_t i = 0; (backend = backend_type_get(i)); i++)
        list_item(backend->name, backend->text, to);
    if (backend_missing(0))
        fputs("\nBackends that this build lacks:\n", to);
    for (size_t i = 0; backend_missing(i); i++)
        fprintf(to, "  %s\n", backend_missing(i));
}

void help_list(FILE *to)
{
    list_operations(to);
    list_patterns(to);
    list_datatypes(to);
    list_ops(to);
    list_backends(to);
}

void help_version(const struct program *program, FILE *to)
{
    const char *revision = rackmark_revision();

    fprintf(to, "%s " PACKAGE_VERSION, program->name);
    if (*revision)
        fprintf(to, " (git %s)", revision);
    fprintf(to, "\nranks meet through: %s\ntopology: %s\nJSON: jansson %s\n",
            world_library(), topology_library(), jansson_version_str());
}
