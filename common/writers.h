/* SPDX-License-Identifier: BSD-3-Clause */
/* The formats of standard output: one struct writer each. Private to output.c. */
#ifndef RACKMARK_WRITERS_H
#define RACKMARK_WRITERS_H

#include <jansson.h>
#include <stddef.h>
#include <stdio.h>

#include "columns.h"
#include "record.h"

enum { GROUP_TEXT = 400 };

struct writer_state {
    FILE *to;         /* memory: what one call writes there reaches the reader whole */
    struct columns columns;
    const char *path; /* of the result file; NULL: none */
    char group[GROUP_TEXT]; /* title of the table that the last record stands in */
    size_t empty, weak, wrong, unchecked; /* records so far */
};

struct ending {
    const char *run, *status, *cause; /* cause: NULL where there is none */
    int exit_code;
    size_t records;
};

/* What one call is to show: one of the four, and for all but notes the same as a line of
 * JSON, with its newline. */
struct writer_item {
    const json_t *header;
    const struct record *record;
    const char *note;
    const struct ending *ending;
    const char *line;
};

/* Failures show in state->to. */
typedef void writer_show(struct writer_state *state, const struct writer_item *item);

struct writer {
    writer_show *run, *record, *note, *end; /* NULL: shows nothing */
};

extern const struct writer writer_text, writer_csv, writer_json;

/* Lines of JSON with their newline, to be freed. NULL: out of memory. */
char *writer_json_run(const json_t *header);
char *writer_json_record(const char *run, size_t index, const struct record *record);
char *writer_json_end(const struct ending *ending);

#endif
