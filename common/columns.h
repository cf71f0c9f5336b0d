/* SPDX-License-Identifier: BSD-3-Clause */
/* The fields of records that standard output shows, as --columns chooses them. */
#ifndef RACKMARK_COLUMNS_H
#define RACKMARK_COLUMNS_H

#include <stddef.h>

#include "config.h"
#include "err.h"
#include "record.h"

enum { COLUMNS_MOST = 96 };

/* How the text table shows a field; CSV needs the field alone. */
struct column {
    const struct field *field;
    const char *title, *unit; /* unit "": none */
    double scale;             /* of reals */
    int width, digits;
};

struct columns {
    size_t count;
    struct column at[COLUMNS_MOST];
};

/* keys: of record fields, with commas. NULL: the format's own choice, which is the usual
 * columns for text and all of them for CSV. EXIT_CODE_USAGE for an unknown key, with the
 * nearest known one. */
int columns_choose(struct columns *columns, enum format format, const char *keys,
                   struct err *err);

#endif
