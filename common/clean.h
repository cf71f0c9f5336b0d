/* SPDX-License-Identifier: BSD-3-Clause */
/* Text that comes from outside (host names, the environment, libraries), made fit for
 * result files and terminals. */
#ifndef RACKMARK_CLEAN_H
#define RACKMARK_CLEAN_H

#include <jansson.h>
#include <stddef.h>

/* Copies as much of from as fits into size, clean as by err_clean. Returns to. */
char *clean_text(char *to, size_t size, const char *from);

/* The same as a JSON string. NULL for NULL and "", or when out of memory. */
json_t *clean_json(const char *from);

#endif
