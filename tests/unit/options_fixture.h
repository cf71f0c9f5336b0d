/* SPDX-License-Identifier: BSD-3-Clause */
/* A small option table with a row of every type, for the tests of options.h. */
#ifndef RACKMARK_OPTIONS_FIXTURE_H
#define RACKMARK_OPTIONS_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "options.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
enum { ARGS_MOST = 24 };

/* Two sets, as a program has its own and the backend's. */
struct settings {
    uint64_t min_bytes, factor, limit;
    struct size_list sizes;
    double time, share;
    int format;
    uint64_t types;
    const char *output;
    bool help, version;
};

struct extra {
    uint64_t depth, anything;
    bool quick;
};

static inline const char *format_choice(size_t index)
{
    static const char *const names[] = {"text", "csv", "jsonl", NULL};

    return names[index];
}

static inline const char *type_choice(size_t index)
{
    static const char *const names[] = {"int8", "uint8", "float", "double", NULL};

    return names[index];
}

/* clang-format off */
static const struct option fixture_rows[] = {
    {.name = "min-bytes", .letter = 'b', .type = OPTION_BYTES,
     .offset = offsetof(struct settings, min_bytes), .otherwise = "8",
     .unit = "BYTES", .section = "Sizes", .text = "first size"},
    {.name = "factor", .letter = 'f', .type = OPTION_COUNT, .min = 2,
     .offset = offsetof(struct settings, factor), .otherwise = "2",
     .unit = "N", .section = "Sizes", .text = "each size is N times the one before"},
    {.name = "limit", .type = OPTION_BYTES, .min = 2048, .max = 1073741824,
     .offset = offsetof(struct settings, limit), .unit = "BYTES", .section = "Other",
     .text = "no more than this"},
    {.name = "sizes", .letter = 's', .type = OPTION_SIZES, .min = 1, .max = 1048576,
     .offset = offsetof(struct settings, sizes), .unit = "BYTES,...",
     .section = "Sizes", .text = "these sizes alone"},
    {.name = "time", .letter = 't', .type = OPTION_SECONDS, .max = 3600,
     .offset = offsetof(struct settings, time), .otherwise = "500ms",
     .unit = "SECONDS", .section = "Other",
     .text = "how long each point is measured, which is a sentence that takes more than "
             "one line, and goes on for a while until two are full"},
    {.name = "share", .type = OPTION_REAL, .max = 100,
     .offset = offsetof(struct settings, share), .otherwise = "2.5",
     .unit = "PERCENT", .section = "Other", .text = "of the whole"},
    {.name = "format", .type = OPTION_CHOICE,
     .offset = offsetof(struct settings, format),
     .choice = format_choice, .unit = "FORMAT", .section = "Other",
     .text = "of standard output"},
    {.name = "datatype", .letter = 'd', .type = OPTION_CHOICES,
     .offset = offsetof(struct settings, types), .otherwise = "float",
     .choice = type_choice, .unit = "TYPE,...", .section = "Sizes",
     .text = "types of the elements"},
    {.name = "output", .letter = 'O', .type = OPTION_TEXT,
     .offset = offsetof(struct settings, output), .unit = "FILE", .section = "Other",
     .text = "where results go"},
    {.name = "help", .letter = 'h', .type = OPTION_FLAG,
     .offset = offsetof(struct settings, help), .section = "Other",
     .text = "print this text"},
    {.name = "version", .letter = 'V', .type = OPTION_FLAG,
     .offset = offsetof(struct settings, version), .section = "Other",
     .text = "print versions"},
};

static const struct option fixture_extra_rows[] = {
    {.name = "depth", .letter = 'D', .type = OPTION_COUNT, .max = 64,
     .offset = offsetof(struct extra, depth), .otherwise = "4",
     .unit = "N", .section = "Backend", .text = "of the queue"},
    {.name = "a-name-that-is-rather-long", .type = OPTION_COUNT,
     .offset = offsetof(struct extra, anything), .section = "Sizes",
     .text = "anything"},
    {.name = "quick", .letter = 'q', .type = OPTION_FLAG,
     .offset = offsetof(struct extra, quick), .text = "hurry"},
};
/* clang-format on */

struct fixture {
    struct settings settings;
    struct extra extra;
    struct option_set sets[2];
    struct err err;
};

static inline void fixture_init(struct fixture *fixture,
                                const struct option_default *overrides)
{
    memset(fixture, 0, sizeof *fixture);
    fixture->sets[0] =
        (struct option_set){fixture_rows, COUNT(fixture_rows), &fixture->settings};
    fixture->sets[1] = (struct option_set){fixture_extra_rows, COUNT(fixture_extra_rows),
                                           &fixture->extra};
    if (options_defaults(fixture->sets, 2, overrides, &fixture->err))
        fail_msg("%s", fixture->err.text);
}

/* args is ended by NULL. */
static inline int fixture_parse(struct fixture *fixture, const char *const *args)
{
    char *argv[ARGS_MOST + 2] = {(char *)"program"};
    int argc = 1;

    while (*args)
        argv[argc++] = (char *)*args++;
    return options_parse(fixture->sets, 2, argc, argv, &fixture->err);
}

#endif
