/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of the option table share among themselves. */
#ifndef RACKMARK_OPTIONS_PRIVATE_H
#define RACKMARK_OPTIONS_PRIVATE_H

#include "options.h"

enum { OPTION_NAME_MOST = 47, OPTION_CHOICES_MOST = 64 };

/* Text that grows to a limit and is cut there. options_defaults refuses a table whose
 * choices together would not fit. */
enum { OPTION_TEXT_MOST = 4096 };
struct option_text {
    size_t length;
    char at[OPTION_TEXT_MOST];
};
void option_text_add(struct option_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Row number index over all sets, NULL after the last. *value, where not NULL, becomes
 * the place of its value, or NULL when the set has no values. */
const struct option *options_row(const struct option_set *sets, size_t nsets,
                                 size_t index, void **value);

/* The default as the user would type it, or NULL. */
const char *option_default_text(const struct option *row,
                                const struct option_default *overrides);

/* Parses text into value, which stays as it was when that fails. Not for flags. */
int option_value_parse(const struct option *row, void *value, const char *text,
                       struct err *err);

/* "" where there is no limit, else "2 or more", "64 or less", "2 to 64"; of numbers that
 * could be negative "0 to 64". */
void option_range_text(const struct option *row, struct option_text *range);

/* "int8, uint8, float" */
void option_choices_text(const struct option *row, struct option_text *choices);

/* How many choices there are, OPTION_CHOICES_MOST + 1 at most. */
size_t option_choices_count(const struct option *row);

/* Whether a value lies in the range of the row; real: seconds, too. */
bool option_holds_number(const struct option *row, uint64_t number);
bool option_holds_real(const struct option *row, double real);

#endif
