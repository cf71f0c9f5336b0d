/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef RACKMARK_UTC_H
#define RACKMARK_UTC_H

#include <time.h>

enum { UTC_TEXT = 32 };

/* A time since 1970 as "2026-01-31T12:00:00.000Z". Returns text. */
char *utc_format(char text[UTC_TEXT], const struct timespec *at);

char *utc_now(char text[UTC_TEXT]);

#endif
