/* SPDX-License-Identifier: BSD-3-Clause */
#include "buffers.h"

static void take_more(uint64_t *most, uint64_t value)
{
    if (value > *most)
        *most = value;
}

void buffers_need(const struct plan *plan, const struct config *config, int rank,
                  int nranks, struct buffers_need *need)
{
    *need = (struct buffers_need){0};
    for (size_t i = 0; i < plan->count; i++) {
        struct shape shape;
        struct slots slots;

        plan_shape(&plan->points[i], rank, nranks, &shape);
        slots_of(&slots, &plan->points[i], &shape, (enum cache)config->cache,
                 plan->cache_bytes);
        take_more(&need->send_bytes, slots.count * slots.send_stride);
        take_more(&need->recv_bytes, slots.count * slots.recv_stride);
        take_more(&need->slots, slots.count);
    }
}

int buffers_open(struct buffers *buffers, struct backend *backend,
                 const struct buffers_need *need, struct err *err)
{
    *buffers = (struct buffers){0};
    buffers->send = backend->type->alloc(backend, need->send_bytes, err);
    if (!buffers->send)
        return -1;
    buffers->recv = backend->type->alloc(backend, need->recv_bytes, err);
    return buffers->recv ? 0 : -1;
}

void buffers_close(struct buffers *buffers, struct backend *backend)
{
    if (buffers->send)
        backend->type->free(backend, buffers->send);
    if (buffers->recv)
        backend->type->free(backend, buffers->recv);
    *buffers = (struct buffers){0};
}
