/* SPDX-License-Identifier: BSD-3-Clause */
/* Options from files: an argument "@FILE" stands for the words of FILE. Words are set
 * apart by white space; "..." holds one together; # begins a comment at the start of a
 * word. A file does not name further files. */
#ifndef RACKMARK_ARGFILE_H
#define RACKMARK_ARGFILE_H

#include "err.h"

struct argfile {
    int argc;
    char **argv;  /* as main's, ended by NULL; words live until argfile_close */
    char **texts; /* of the files, cut into words */
    int ntexts;
};

/* EXIT_CODE_USAGE where a file cannot be read, or a quotation mark is not closed. Close
 * it in either case. */
int argfile_open(struct argfile *file, int argc, char **argv, struct err *err);
void argfile_close(struct argfile *file);

#endif
