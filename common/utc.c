/* SPDX-License-Identifier: BSD-3-Clause */
#include "utc.h"

#include <stdio.h>

char *utc_format(char text[UTC_TEXT], const struct timespec *at)
{
    struct tm tm;
    size_t length;

    gmtime_r(&at->tv_sec, &tm);
    length = strftime(text, UTC_TEXT, "%Y-%m-%dT%H:%M:%S", &tm);
    snprintf(text + length, UTC_TEXT - length, ".%03dZ", (int)(at->tv_nsec / 1000000));
    return text;
}

char *utc_now(char text[UTC_TEXT])
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return utc_format(text, &now);
}
