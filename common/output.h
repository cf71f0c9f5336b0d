/* SPDX-License-Identifier: BSD-3-Clause */
/* Where results go: standard output in one of three formats, and a JSON Lines file.
 * Rank 0 alone has one. Each line of the file is one write, made when its point was
 * measured, so that a run that dies leaves valid lines. Nothing passes through stdio's
 * buffer. A failed write is EXIT_CODE_FAILURE, told by the call that made it and by no
 * later one; what can still be written is. SIGPIPE is the caller's to ignore. */
#ifndef RACKMARK_OUTPUT_H
#define RACKMARK_OUTPUT_H

#include <jansson.h>
#include <stdint.h>

#include "config.h"
#include "err.h"
#include "record.h"

struct output;

/* Opens path (NULL: no file) for appending: several runs may stand in one file, one
 * after the other. An unterminated last line, which a killed run leaves, is cut off. A
 * file that is not Rackmark's is refused, and one that another run is writing to.
 * EXIT_CODE_USAGE when it cannot be written. path is kept, not copied. */
int output_open(struct output **output, const char *path, enum format format,
                struct err *err);

/* Which fields text and CSV show: see columns_choose. Before output_run. */
int output_columns(struct output *output, const char *keys, struct err *err);

/* header: an object with "kind": "run" first, its id as "run", and all of provenance.
 * Once, before records: without it they and the end mark are left out. */
int output_run(struct output *output, const json_t *header, struct err *err);

int output_record(struct output *output, const struct record *record, struct err *err);

/* A line for people: goes to standard output as "# text" with FORMAT_TEXT only. */
int output_note(struct output *output, const char *text, struct err *err);

/* The end mark. status: "complete", "failed", "interrupted". cause: one line, or NULL.
 * May be called from another thread than the rest; only the first call writes, and
 * after it all others do nothing. The file comes first; when a call in another thread is stuck
 * in a write to standard output, that gets no mark. */
int output_end(struct output *output, const char *status, int exit_code,
               const char *cause, struct err *err);

void output_close(struct output *output);

#endif
