/* SPDX-License-Identifier: BSD-3-Clause */
/* The buffers of a run: allocated once, for the point that needs most. */
#ifndef RACKMARK_BUFFERS_H
#define RACKMARK_BUFFERS_H

#include <stdint.h>

#include "backends/backend.h"
#include "err.h"
#include "plan.h"
#include "slots.h"

struct buffers {
    void *send, *recv;
};

struct buffers_need {
    uint64_t send_bytes, recv_bytes;
    uint64_t slots; /* the most that a point has */
};

/* What this rank needs for the whole plan. */
void buffers_need(const struct plan *plan, const struct config *config, int rank,
                  int nranks, struct buffers_need *need);

int buffers_open(struct buffers *buffers, struct backend *backend,
                 const struct buffers_need *need, struct err *err);
void buffers_close(struct buffers *buffers, struct backend *backend);

#endif
