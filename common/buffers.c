/* SPDX-License-Identifier: BSD-3-Clause */
#include "buffers.h"

void buffers_need(const struct plan *plan, int rank, int nranks, uint64_t *send_bytes,
                  uint64_t *recv_bytes)
{
    *send_bytes = *recv_bytes = 0;
    for (size_t i = 0; i < plan->count; i++) {
        struct shape shape;
        size_t element = datatype_get(plan->points[i].datatype)->bytes;

        plan_shape(&plan->points[i], rank, nranks, &shape);
        uint64_t send = shape_send_elements(&shape) * element;
        uint64_t recv = shape_recv_elements(&shape) * element;
        if (send > *send_bytes)
            *send_bytes = send;
        if (recv > *recv_bytes)
            *recv_bytes = recv;
    }
}

int buffers_open(struct buffers *buffers, struct backend *backend, uint64_t send_bytes,
                 uint64_t recv_bytes, struct err *err)
{
    *buffers = (struct buffers){0};
    for (int slot = 0; slot < BUFFER_SLOTS; slot++) {
        buffers->send[slot] = backend->type->alloc(backend, send_bytes, err);
        if (!buffers->send[slot])
            return -1;
        buffers->recv[slot] = backend->type->alloc(backend, recv_bytes, err);
        if (!buffers->recv[slot])
            return -1;
    }
    return 0;
}

void buffers_close(struct buffers *buffers, struct backend *backend)
{
    for (int slot = 0; slot < BUFFER_SLOTS; slot++) {
        if (buffers->send[slot])
            backend->type->free(backend, buffers->send[slot]);
        if (buffers->recv[slot])
            backend->type->free(backend, buffers->recv[slot]);
    }
    *buffers = (struct buffers){0};
}
