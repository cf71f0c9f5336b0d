/* SPDX-License-Identifier: BSD-3-Clause */
#include "progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "operations.h"
#include "units.h"

/* Rows of results show progress, too: a line only when these are slow to come. */
static const int64_t pause_ns = 5000000000;

int64_t progress_now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

void progress_start(struct progress *progress, const char *program,
                    const struct plan *plan, enum progress_when when)
{
    bool terminal = isatty(STDERR_FILENO) || isatty(STDOUT_FILENO);

    *progress = (struct progress){
        .program = program,
        .plan = plan,
        .shown = when == PROGRESS_ON || (when == PROGRESS_AUTO && terminal),
        .start_ns = progress_now_ns(),
    };
    progress->last_ns = progress->start_ns;
}

const char *progress_text(char text[PROGRESS_TEXT], const struct plan *plan, size_t index,
                          double elapsed_seconds)
{
    const struct point *point = &plan->points[index];
    double left =
        index > 0 ? elapsed_seconds / (double)index * (double)(plan->count - index) : 0;
    bool sized = operation_moves_data(point->operation);
    char bytes[UNITS_TEXT];
    int length = snprintf(text, PROGRESS_TEXT, "point %zu of %zu: %s%s%s%s", index + 1,
                          plan->count, point->operation->title, sized ? ", " : "",
                          sized ? units_format_bytes(bytes, point->bytes) : "",
                          sized ? " bytes" : "");

    if (index > 0 && length > 0 && length < PROGRESS_TEXT)
        snprintf(text + length, PROGRESS_TEXT - (size_t)length, "; about %.0f s left",
                 left);
    return text;
}

void progress_point(struct progress *progress, size_t index, int64_t now_ns)
{
    char text[PROGRESS_TEXT];

    if (!progress->shown || now_ns - progress->last_ns < pause_ns)
        return;
    progress->last_ns = now_ns;
    fprintf(stderr, "%s: %s\n", progress->program,
            progress_text(text, progress->plan, index,
                          1e-9 * (double)(now_ns - progress->start_ns)));
}
