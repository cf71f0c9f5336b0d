/* SPDX-License-Identifier: BSD-3-Clause */
/* The measured calls of MPI. They go through MPI_*, so that a tool which wraps MPI sees
 * them and them alone. */
#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "backends/list.h"
#include "mpi_text.h"

enum { TAG_DATA = 1, TAG_DONE = 2 };

/* Calls of MPI 3 count in ints. A reduction goes in chunks of this many elements, a
 * larger block of moved data is one element of a derived type. */
static const uint64_t chunk_elements = (uint64_t)1 << 30;

struct mpi_state {
    MPI_Comm comm; /* for measured traffic alone */
    MPI_Datatype type;
    MPI_Op op;
    size_t element_bytes;
    MPI_Datatype block_type; /* a block is block_count of block_type */
    int block_count;
    MPI_Request *requests; /* of one repetition, point to point */
};

static MPI_Datatype mpi_type(enum datatype_id id)
{
    switch (id) {
    case DATATYPE_INT8:
        return MPI_INT8_T;
    case DATATYPE_UINT8:
        return MPI_UINT8_T;
    case DATATYPE_INT16:
        return MPI_INT16_T;
    case DATATYPE_UINT16:
        return MPI_UINT16_T;
    case DATATYPE_INT32:
        return MPI_INT32_T;
    case DATATYPE_UINT32:
        return MPI_UINT32_T;
    case DATATYPE_INT64:
        return MPI_INT64_T;
    case DATATYPE_UINT64:
        return MPI_UINT64_T;
    case DATATYPE_FLOAT:
        return MPI_FLOAT;
    case DATATYPE_DOUBLE:
        return MPI_DOUBLE;
    case DATATYPE_COUNT:
        break;
    }
    return MPI_DATATYPE_NULL;
}

static MPI_Op mpi_op(enum op_id id)
{
    switch (id) {
    case OP_SUM:
        return MPI_SUM;
    case OP_PROD:
        return MPI_PROD;
    case OP_MIN:
        return MPI_MIN;
    case OP_MAX:
        return MPI_MAX;
    case OP_COUNT:
        break;
    }
    return MPI_OP_NULL;
}

static int mpi_open(struct backend *backend, const void *settings, struct err *err)
{
    struct mpi_state *mpi = calloc(1, sizeof *mpi);

    (void)settings;
    backend->state = mpi;
    if (!mpi)
        return err_set(err, EXIT_CODE_FAILURE, "out of memory");
    mpi->block_type = MPI_DATATYPE_NULL;
    int code = PMPI_Comm_dup(MPI_COMM_WORLD, &mpi->comm);
    if (code == MPI_SUCCESS)
        code = PMPI_Comm_set_errhandler(mpi->comm, MPI_ERRORS_RETURN);
    return mpi_text_error(err, "MPI_Comm_dup", code);
}

/* A type of our own, as opposed to the row's. */
static void free_block_type(struct mpi_state *mpi)
{
    if (mpi->block_type != MPI_DATATYPE_NULL && mpi->block_type != mpi->type)
        PMPI_Type_free(&mpi->block_type);
    mpi->block_type = MPI_DATATYPE_NULL;
}

static void mpi_close(struct backend *backend)
{
    struct mpi_state *mpi = backend->state;

    free_block_type(mpi);
    PMPI_Comm_free(&mpi->comm);
    free(mpi->requests);
    free(mpi);
}

/* One element that holds a whole block: full chunks, then the rest. */
static int make_large_type(struct mpi_state *mpi, uint64_t elements, struct err *err)
{
    uint64_t chunks = elements / chunk_elements;
    uint64_t rest = elements % chunk_elements;
    MPI_Datatype chunk;
    int code = PMPI_Type_contiguous((int)chunk_elements, mpi->type, &chunk);

    if (code != MPI_SUCCESS)
        return mpi_text_error(err, "MPI_Type_contiguous", code);
    code = PMPI_Type_create_struct(
        2, (int[]){(int)chunks, (int)rest},
        (MPI_Aint[]){0, (MPI_Aint)(chunks * chunk_elements * mpi->element_bytes)},
        (MPI_Datatype[]){chunk, mpi->type}, &mpi->block_type);
    if (code == MPI_SUCCESS)
        code = PMPI_Type_commit(&mpi->block_type);
    PMPI_Type_free(&chunk);
    mpi->block_count = 1;
    return mpi_text_error(err, "MPI_Type_create_struct", code);
}

static int mpi_prepare(struct backend *backend, const struct backend_call *call,
                       struct err *err)
{
    struct mpi_state *mpi = backend->state;
    const struct shape *shape = call->shape;
    uint64_t requests =
        (uint64_t)(shape->peers.nsend + shape->peers.nrecv) * (shape->window + 1);

    free_block_type(mpi);
    mpi->type = mpi_type(call->datatype);
    mpi->op = mpi_op(call->op);
    mpi->element_bytes = datatype_get(call->datatype)->bytes;
    mpi->requests = reallocarray(mpi->requests, requests + 1, sizeof *mpi->requests);
    if (!mpi->requests)
        return err_set(err, EXIT_CODE_FAILURE, "out of memory for requests");
    if (shape->block > INT_MAX && shape->operation->reduces && shape->operation->splits) {
        snprintf(err->text, sizeof err->text, "blocks of more than %d elements", INT_MAX);
        return -1;
    }
    if (shape->block > INT_MAX)
        return make_large_type(mpi, shape->block, err);
    mpi->block_type = mpi->type;
    mpi->block_count = (int)shape->block;
    return 0;
}

/* MPI's own mark for input that lies in the receive buffer. */
static const void *input_of(const struct backend_call *call)
{
    return call->in_place ? MPI_IN_PLACE : call->send;
}

static int run_allreduce(struct backend *backend, const struct backend_call *call,
                         struct err *err)
{
    const struct mpi_state *mpi = backend->state;
    const char *send = input_of(call);
    char *recv = call->recv;
    uint64_t left = call->shape->block;

    while (left > 0) {
        uint64_t count = left < chunk_elements ? left : chunk_elements;
        int code = MPI_Allreduce(send, recv, (int)count, mpi->type, mpi->op, mpi->comm);

        if (code != MPI_SUCCESS)
            return mpi_text_error(err, "MPI_Allreduce", code);
        if (!call->in_place)
            send += count * mpi->element_bytes;
        recv += count * mpi->element_bytes;
        left -= count;
    }
    return 0;
}

static int run_allgather(struct backend *backend, const struct backend_call *call,
                         struct err *err)
{
    const struct mpi_state *mpi = backend->state;
    int code = MPI_Allgather(input_of(call), mpi->block_count, mpi->block_type,
                             call->recv, mpi->block_count, mpi->block_type, mpi->comm);

    return mpi_text_error(err, "MPI_Allgather", code);
}

static int run_reducescatter(struct backend *backend, const struct backend_call *call,
                             struct err *err)
{
    const struct mpi_state *mpi = backend->state;
    int code = MPI_Reduce_scatter_block(input_of(call), call->recv, mpi->block_count,
                                        mpi->type, mpi->op, mpi->comm);

    return mpi_text_error(err, "MPI_Reduce_scatter_block", code);
}

static int run_alltoall(struct backend *backend, const struct backend_call *call,
                        struct err *err)
{
    const struct mpi_state *mpi = backend->state;
    int code = MPI_Alltoall(input_of(call), mpi->block_count, mpi->block_type, call->recv,
                            mpi->block_count, mpi->block_type, mpi->comm);

    return mpi_text_error(err, "MPI_Alltoall", code);
}

static int run_broadcast(struct backend *backend, const struct backend_call *call,
                         struct err *err)
{
    const struct mpi_state *mpi = backend->state;
    const struct shape *shape = call->shape;
    /* The root's buffer is only read. */
    void *buffer = shape->rank == shape->root ? (void *)call->send : call->recv;
    int code =
        MPI_Bcast(buffer, mpi->block_count, mpi->block_type, shape->root, mpi->comm);

    return mpi_text_error(err, "MPI_Bcast", code);
}

static int run_barrier(struct backend *backend, const struct backend_call *call,
                       struct err *err)
{
    const struct mpi_state *mpi = backend->state;

    (void)call;
    return mpi_text_error(err, "MPI_Barrier", MPI_Barrier(mpi->comm));
}

static int run_pingpong(struct backend *backend, const struct backend_call *call,
                        struct err *err)
{
    const struct mpi_state *mpi = backend->state;
    const struct peers *peers = &call->shape->peers;
    int code = MPI_SUCCESS;

    if (peers->nsend == 0)
        return 0;
    int peer = peers->send_to[0];
    if (peers->starts)
        code = MPI_Send(call->send, mpi->block_count, mpi->block_type, peer, TAG_DATA,
                        mpi->comm);
    if (code == MPI_SUCCESS)
        code = MPI_Recv(call->recv, mpi->block_count, mpi->block_type, peer, TAG_DATA,
                        mpi->comm, MPI_STATUS_IGNORE);
    if (code == MPI_SUCCESS && !peers->starts)
        code = MPI_Send(call->send, mpi->block_count, mpi->block_type, peer, TAG_DATA,
                        mpi->comm);
    return mpi_text_error(err, "ping-pong", code);
}

/* Posts `window` messages from or to each peer. */
static int post_receives(struct mpi_state *mpi, const struct backend_call *call,
                         MPI_Request *requests)
{
    const struct shape *shape = call->shape;
    char *recv = call->recv;
    int code = MPI_SUCCESS;

    for (int p = 0; p < shape->peers.nrecv; p++)
        for (uint64_t w = 0; w < shape->window && code == MPI_SUCCESS; w++) {
            code = MPI_Irecv(recv, mpi->block_count, mpi->block_type,
                             shape->peers.recv_from[p], TAG_DATA, mpi->comm, requests++);
            recv += shape->block * mpi->element_bytes;
        }
    return code;
}

static int post_sends(struct mpi_state *mpi, const struct backend_call *call,
                      MPI_Request *requests)
{
    const struct shape *shape = call->shape;
    int code = MPI_SUCCESS;

    for (int p = 0; p < shape->peers.nsend; p++) {
        const char *send = call->send;

        for (uint64_t w = 0; w < shape->window && code == MPI_SUCCESS; w++) {
            code = MPI_Isend(send, mpi->block_count, mpi->block_type,
                             shape->peers.send_to[p], TAG_DATA, mpi->comm, requests++);
            send += shape->block * mpi->element_bytes;
        }
    }
    return code;
}

/* A window of messages each way that the pattern asks for. A receiver answers a whole
 * window with an empty message: a sender's time ends with delivery, and it cannot run
 * ahead of its receiver. */
static int run_exchange(struct backend *backend, const struct backend_call *call,
                        struct err *err)
{
    struct mpi_state *mpi = backend->state;
    const struct peers *peers = &call->shape->peers;
    int receives = peers->nrecv * (int)call->shape->window;
    int sends = peers->nsend * (int)call->shape->window;
    MPI_Request *others = mpi->requests + receives;
    int count = sends;
    int code = post_receives(mpi, call, mpi->requests);

    if (code == MPI_SUCCESS)
        code = post_sends(mpi, call, others);
    for (int p = 0; p < peers->nsend && code == MPI_SUCCESS; p++)
        code = MPI_Irecv(NULL, 0, MPI_BYTE, peers->send_to[p], TAG_DONE, mpi->comm,
                         others + count++);
    if (code == MPI_SUCCESS)
        code = MPI_Waitall(receives, mpi->requests, MPI_STATUSES_IGNORE);
    for (int p = 0; p < peers->nrecv && code == MPI_SUCCESS; p++)
        code = MPI_Isend(NULL, 0, MPI_BYTE, peers->recv_from[p], TAG_DONE, mpi->comm,
                         others + count++);
    if (code == MPI_SUCCESS)
        code = MPI_Waitall(count, others, MPI_STATUSES_IGNORE);
    return mpi_text_error(err, "point-to-point messages", code);
}

/* The calls above return when they are locally complete. */
static int mpi_finish(struct backend *backend, struct err *err)
{
    (void)backend;
    (void)err;
    return 0;
}

static const struct backend_operation mpi_operations[] = {
    {"allreduce", run_allreduce}, {"allgather", run_allgather},
    {"alltoall", run_alltoall},   {"reducescatter", run_reducescatter},
    {"broadcast", run_broadcast}, {"barrier", run_barrier},
    {"pingpong", run_pingpong},   {"oneway", run_exchange},
    {"twoway", run_exchange},     {NULL, NULL},
};

const struct backend_type backend_mpi = {
    .name = "mpi",
    .text = "MPI, on host memory",
    .operations = mpi_operations,
    .open = mpi_open,
    .close = mpi_close,
    .alloc = backend_host_alloc,
    .free = backend_host_free,
    .put = backend_host_copy_in,
    .get = backend_host_copy_out,
    .copy = backend_host_copy_out,
    .prepare = mpi_prepare,
    .finish = mpi_finish,
    .now_ns = backend_host_ns,
    .library = mpi_text_library,
};
