/* SPDX-License-Identifier: BSD-3-Clause */
/* One rank alone: every operation is a copy in its own memory. It needs no library, and
 * tries the programs where there is no MPI. */
#include <string.h>

#include "backends/list.h"

static int local_open(struct backend *backend, const void *settings, struct err *err)
{
    (void)settings;
    if (backend->world->nranks == 1)
        return 0;
    return err_set(err, EXIT_CODE_USAGE,
                   "--backend local measures one rank alone, %d were started: start one, "
                   "or choose another backend (see --list)",
                   backend->world->nranks);
}

static void local_close(struct backend *backend)
{
    (void)backend;
}

static int local_prepare(struct backend *backend, const struct backend_call *call,
                         struct err *err)
{
    (void)backend;
    (void)call;
    (void)err;
    return 0;
}

/* With one rank the reduction of the vector, and the gathering of blocks, are the vector
 * itself. */
static int local_copy(struct backend *backend, const struct backend_call *call,
                      struct err *err)
{
    size_t element = datatype_get(call->datatype)->bytes;

    (void)backend;
    (void)err;
    if (call->in_place)
        return 0;
    memcpy(call->recv, call->send, shape_send_elements(call->shape) * element);
    return 0;
}

/* The root of one rank has nobody to send to, and a barrier nobody to wait for. */
static int local_nothing(struct backend *backend, const struct backend_call *call,
                         struct err *err)
{
    (void)backend;
    (void)call;
    (void)err;
    return 0;
}

static int local_finish(struct backend *backend, struct err *err)
{
    (void)backend;
    (void)err;
    return 0;
}

static const char *local_library(void)
{
    return "memcpy";
}

static const struct backend_operation local_operations[] = {
    {"allreduce", local_copy},
    {"allgather", local_copy},
    {"reducescatter", local_copy},
    {"alltoall", local_copy},
    {"broadcast", local_nothing},
    {"barrier", local_nothing},
    {NULL, NULL},
};

const struct backend_type backend_local = {
    .name = "local",
    .text = "one rank alone, copies in its own memory",
    .operations = local_operations,
    .open = local_open,
    .close = local_close,
    .alloc = backend_host_alloc,
    .free = backend_host_free,
    .put = backend_host_copy_in,
    .get = backend_host_copy_out,
    .copy = backend_host_copy_out,
    .prepare = local_prepare,
    .finish = local_finish,
    .now_ns = backend_host_ns,
    .library = local_library,
};
