/* SPDX-License-Identifier: BSD-3-Clause */
/* One run: plan, memory, buffers, header, every point, end mark. */
#ifndef RACKMARK_RUN_H
#define RACKMARK_RUN_H

#include "backends/backend.h"
#include "config.h"
#include "err.h"
#include "operations.h"
#include "options.h"
#include "sentinel.h"
#include "world.h"

struct run {
    const char *program;
    struct world *world;
    const struct config *config;
    const struct backend_type *type;
    const void *settings;                      /* the backend's */
    const struct operation *const *operations; /* ended by NULL */
    const struct option_set *sets;             /* for the echo of the configuration */
    size_t nsets;
    struct sentinel *sentinel;
    bool under_launcher;
};

/* Collective. Returns 0, or -1 with err alike on all ranks (wrong data, too, which every
 * rank learns of). A failure that one rank alone meets ends all ranks here. */
int run_measure(const struct run *run, struct err *err);

#endif
