/* SPDX-License-Identifier: BSD-3-Clause */
/* Running text for people: wrapped for a terminal, or as roff for a man page. In both
 * an empty line in the text starts a new paragraph. */
#ifndef RACKMARK_PROSE_H
#define RACKMARK_PROSE_H

#include <stddef.h>
#include <stdio.h>

enum { PROSE_COLUMNS = 80 };

/* Writes text and a newline. The line already holds `column` characters; every further
 * line is indented by `indent`. Words that are too long stand alone, unbroken. */
void prose_wrap(const char *text, size_t column, size_t indent, FILE *to);

/* Writes ASCII text, with everything that roff takes for a command or turns into a
 * typographical sign escaped. No newline at the end. */
void prose_roff(const char *text, FILE *to);

#endif
