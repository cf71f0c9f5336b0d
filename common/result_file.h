/* SPDX-License-Identifier: BSD-3-Clause */
/* The file that results are appended to, line by line. Private to output.c. */
#ifndef RACKMARK_RESULT_FILE_H
#define RACKMARK_RESULT_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "err.h"

struct result_file {
    int fd;           /* -1: no file */
    const char *path; /* the caller's */
    bool regular;     /* neither a FIFO nor a device */
    bool broken;      /* half a line stands in it: nothing may follow */
};

/* Opens path for appending, locks it, refuses what is not Rackmark's and cuts off an
 * unterminated last line. EXIT_CODE_USAGE. path NULL: a file that takes everything. */
int result_file_open(struct result_file *file, const char *path, struct err *err);

/* Appends size bytes that end in a newline: all of them or, where the file can be
 * truncated, none. Nothing happens once the file is broken: that was reported. */
int result_file_append(struct result_file *file, const char *line, size_t size,
                       struct err *err);

/* Returns when what was appended is on the disk. */
int result_file_sync(struct result_file *file, struct err *err);

void result_file_close(struct result_file *file);

/* write(2) until all is written. Returns how much was; errno says why not more. */
size_t result_file_put(int fd, const char *data, size_t size);

#endif
