/* SPDX-License-Identifier: BSD-3-Clause */
/* The option table. One row says everything about an option: parsing, --help, the
 * man page, "did you mean" and the echo into the run header all come from it.
 * A set is a table together with the struct that its rows write into, so that a
 * backend brings rows and settings of its own. */
#ifndef RACKMARK_OPTIONS_H
#define RACKMARK_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "err.h"

enum option_type {
    OPTION_FLAG,    /* bool; takes no value and has no default: false */
    OPTION_COUNT,   /* uint64_t, min..max */
    OPTION_BYTES,   /* uint64_t, min..max, binary suffixes */
    OPTION_SIZES,   /* struct size_list: comma separated bytes, each in min..max */
    OPTION_SECONDS, /* double, min..max */
    OPTION_REAL,    /* double, min..max */
    OPTION_CHOICE,  /* int: index of one of the choices */
    OPTION_CHOICES, /* uint64_t: bit i = choice i; comma separated, or "all" */
    OPTION_TEXT,    /* const char *: points into argv or the default */
};

enum { SIZE_LIST_MOST = 64 };

struct size_list {
    size_t count;
    uint64_t bytes[SIZE_LIST_MOST];
};

struct option {
    const char *name; /* without the dashes */
    char letter;      /* 0: long name only */
    enum option_type type;
    size_t offset;         /* of the value in the set's struct */
    const char *otherwise; /* the default, as the user would type it; NULL: zero */
    uint64_t min, max; /* inclusive: counts, bytes or whole seconds; max 0: no limit */
    const char *(*choice)(size_t index); /* names of the choices, NULL after the last */
    const char *unit;                    /* what --help calls the value: "BYTES" */
    const char *section;                 /* heading in --help */
    const char *text; /* one sentence or two, no full stop at the end */
};

struct option_set {
    const struct option *rows;
    size_t count;
    void *values; /* the struct that the offsets count from */
};

/* A program's default that differs from the table's. */
struct option_default {
    const char *name, *text;
};

/* Writes every row's default into its struct; overrides (ended by a NULL name) win.
 * Fails only when a table is wrong. */
int options_defaults(const struct option_set *sets, size_t nsets,
                     const struct option_default *overrides, struct err *err);

/* Parses argv[1..]: "--name value", "--name=value", "-l value", "-lvalue", "-abc" for
 * flags. No operands, no abbreviations; of a repeated option the last counts. A value
 * that begins with a dash, but is no number, must be given as "--name=-value". Unknown
 * names, unknown choices and out-of-range values give EXIT_CODE_USAGE and one line with
 * the nearest name where there is one. */
int options_parse(const struct option_set *sets, size_t nsets, int argc, char **argv,
                  struct err *err);

/* Calls emit for each row with its effective value as text that would parse back: as
 * "--name=" + value, and for flags, "true" or "false". A value that cannot be typed (no
 * text, no sizes, zero where the range forbids it) is not set and not emitted. */
void options_echo(const struct option_set *sets, size_t nsets,
                  void (*emit)(void *context, const struct option *row,
                               const char *value),
                  void *context);

/* The OPTIONS part of --help, wrapped to 80 columns, grouped by section. */
void options_help(const struct option_set *sets, size_t nsets,
                  const struct option_default *overrides, FILE *to);

/* The same as roff for a man page (.SS per section, .TP per option). */
void options_man(const struct option_set *sets, size_t nsets,
                 const struct option_default *overrides, FILE *to);

#endif
