/* SPDX-License-Identifier: BSD-3-Clause */
/* Plain lines on standard error: which point is under way, how long the rest will take.
 * Not more often than every few seconds. */
#ifndef RACKMARK_PROGRESS_H
#define RACKMARK_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "config.h"
#include "plan.h"

struct progress {
    const char *program;
    const struct plan *plan;
    bool shown;
    int64_t start_ns, last_ns; /* of the run, and of the last line */
};

/* At rank 0. when: auto takes a terminal at standard error or output for somebody who
 * looks (some launchers give only the latter). */
void progress_start(struct progress *progress, const char *program,
                    const struct plan *plan, enum progress_when when);

/* Before point number `index`. now_ns: CLOCK_MONOTONIC. */
void progress_point(struct progress *progress, size_t index, int64_t now_ns);

/* The line, without its newline: "point 3 of 20: all-reduce, 1M bytes; about 12 s left".
 * elapsed: since the first point began. */
enum { PROGRESS_TEXT = 160 };
const char *progress_text(char text[PROGRESS_TEXT], const struct plan *plan, size_t index,
                          double elapsed_seconds);

int64_t progress_now_ns(void);

#endif
