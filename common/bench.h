/* SPDX-License-Identifier: BSD-3-Clause */
/* From argv to exit code: what every program's main calls. */
#ifndef RACKMARK_BENCH_H
#define RACKMARK_BENCH_H

#include "options.h"

struct program {
    const char *name;    /* "rackmark-allreduce" */
    const char *summary; /* one line, for --help and the man page's NAME */
    const char *what;    /* a paragraph or two: what is measured, what bytes means */
    const char *const *operations; /* rows of operations.c, ended by NULL; NULL: those that
                                      --transfer names */
    int min_ranks;                 /* fewer are refused */
    const struct option_default *defaults; /* that differ from the table's; or NULL */
    const char *const *examples; /* pairs: command, what it does; ended by NULL */
};

/* `--man` as the only argument prints the man page as roff, without starting MPI. */
int bench_main(int argc, char **argv, const struct program *program);

#endif
