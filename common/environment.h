/* SPDX-License-Identifier: BSD-3-Clause */
/* The part of the environment that changes what is measured, and none of the rest:
 * environments hold secrets, and result files get published. */
#ifndef RACKMARK_ENVIRONMENT_H
#define RACKMARK_ENVIRONMENT_H

#include <jansson.h>
#include <stdbool.h>

/* Whether a variable of this name may be recorded. */
bool environment_records(const char *name, size_t length);

/* {"NAME": "value", ...} of entries "NAME=value" that are ended by NULL. NULL when out
 * of memory. */
json_t *environment_json(char *const *entries);

#endif
