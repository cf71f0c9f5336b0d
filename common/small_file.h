/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of /proc, /sys and /etc. */
#ifndef RACKMARK_SMALL_FILE_H
#define RACKMARK_SMALL_FILE_H

#include <stdbool.h>
#include <stddef.h>

enum { SMALL_FILE_TEXT = 8192, SMALL_FILE_PATH = 4096 };

/* The beginning of root + path, without a newline at the end. false and "" when it
 * cannot be read. */
bool small_file_read(char text[SMALL_FILE_TEXT], const char *root, const char *path);

bool small_file_exists(const char *root, const char *path);

/* The rest of the first line that begins with key, ended in text; NULL: no such line. */
char *small_file_line(char *text, const char *key);

#endif
