/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef RACKMARK_SUGGEST_H
#define RACKMARK_SUGGEST_H

#include <stddef.h>

/* "Did you mean": feed candidates one by one, ask for the nearest at the end. */
struct suggest {
    const char *typed;
    const char *nearest; /* NULL: nothing is close enough to be worth naming */
    size_t distance;
};

void suggest_start(struct suggest *suggest, const char *typed);
void suggest_candidate(struct suggest *suggest, const char *name);

#endif
