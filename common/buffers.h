/* SPDX-License-Identifier: BSD-3-Clause */
/* The buffers of a run: two of each kind, which repetitions use in turn, so that one
 * which did nothing leaves the wrong data. Allocated once, for the largest point. */
#ifndef RACKMARK_BUFFERS_H
#define RACKMARK_BUFFERS_H

#include <stdint.h>

#include "backends/backend.h"
#include "err.h"
#include "plan.h"

enum { BUFFER_SLOTS = 2 };

struct buffers {
    void *send[BUFFER_SLOTS], *recv[BUFFER_SLOTS];
};

/* Bytes of one send and one receive buffer that rank needs for the whole plan. */
void buffers_need(const struct plan *plan, int rank, int nranks, uint64_t *send_bytes,
                  uint64_t *recv_bytes);

int buffers_open(struct buffers *buffers, struct backend *backend, uint64_t send_bytes,
                 uint64_t recv_bytes, struct err *err);
void buffers_close(struct buffers *buffers, struct backend *backend);

#endif
