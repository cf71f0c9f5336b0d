/* SPDX-License-Identifier: BSD-3-Clause */
#include "fake_ranks.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { QUEUE_MOST = 65536 };

struct fake;

struct fake_rank {
    struct fake *fake;
    struct world world;
    int64_t clock_ns;
    uint64_t calls;
    int64_t start_ns; /* of the call under way */
    int64_t skew_ns;  /* the most by which another rank started later or earlier */
    struct backend_call queue[QUEUE_MOST];
    size_t queued;
    char *kept;         /* input of the call under way, where that is in place */
    const void *shared; /* what this rank shows the others between two meetings */
    void (*rank_main)(struct world *world, void *context);
    void *context;
};

struct fake {
    int nranks;
    const struct fake_script *script;
    pthread_barrier_t barrier;
    struct fake_rank *ranks;
};

static struct fake_rank *rank_of(const struct world *world)
{
    return world->state;
}

static void meet(struct fake *fake)
{
    pthread_barrier_wait(&fake->barrier);
}

/* Everyone shows something; the caller may read all until it meets again. */
static struct fake_rank *show(struct fake_rank *me, const void *what)
{
    me->shared = what;
    meet(me->fake);
    return me->fake->ranks;
}

/* A barrier ends for all when the last one came. */
static int fake_barrier(struct world *world, struct err *err)
{
    struct fake_rank *me = rank_of(world);
    struct fake_rank *ranks = show(me, NULL);
    int64_t latest_ns = 0;

    (void)err;
    for (int r = 0; r < world->nranks; r++)
        if (ranks[r].clock_ns > latest_ns)
            latest_ns = ranks[r].clock_ns;
    meet(me->fake);
    me->clock_ns = latest_ns;
    meet(me->fake);
    return 0;
}

static int fake_bcast(struct world *world, void *data, size_t bytes, int root,
                      struct err *err)
{
    struct fake_rank *me = rank_of(world);
    struct fake_rank *ranks = show(me, data);

    (void)err;
    if (world->rank != root)
        memcpy(data, ranks[root].shared, bytes);
    meet(me->fake);
    return 0;
}

static int fake_max(struct world *world, struct world_max *values, size_t count,
                    struct err *err)
{
    struct fake_rank *me = rank_of(world);
    struct fake_rank *ranks = show(me, values);

    (void)err;
    for (size_t i = 0; i < count && world->rank == 0; i++) {
        values[i].rank = 0;
        for (int r = 1; r < world->nranks; r++) {
            const struct world_max *theirs = ranks[r].shared;

            if (theirs[i].value > values[i].value)
                values[i] = (struct world_max){theirs[i].value, r};
        }
    }
    meet(me->fake);
    return 0;
}

static int fake_gather(struct world *world, const void *mine, size_t bytes, void *all,
                       struct err *err)
{
    struct fake_rank *me = rank_of(world);
    struct fake_rank *ranks = show(me, mine);

    (void)err;
    for (int r = 0; r < world->nranks && world->rank == 0; r++)
        memcpy((char *)all + (size_t)r * bytes, ranks[r].shared, bytes);
    meet(me->fake);
    return 0;
}

static void fake_abort(struct world *world, int code)
{
    fprintf(stderr, "rank %d aborted with code %d\n", world->rank, code);
    abort();
}

static int fake_close(struct world *world)
{
    (void)world;
    return 0;
}

static const struct world_ops fake_world_ops = {
    .barrier = fake_barrier,
    .bcast = fake_bcast,
    .max = fake_max,
    .gather = fake_gather,
    .abort = fake_abort,
    .close = fake_close,
};

static void *thread_main(void *argument)
{
    struct fake_rank *me = argument;

    me->rank_main(&me->world, me->context);
    return NULL;
}

static void rank_init(struct fake_rank *me, struct fake *fake, int rank)
{
    me->fake = fake;
    me->world = (struct world){
        .rank = rank,
        .nranks = fake->nranks,
        .local_rank = rank % 2,
        .local_nranks = 2 - (rank == fake->nranks - 1 && fake->nranks % 2),
        .node = rank / 2,
        .nnodes = (fake->nranks + 1) / 2,
        .ops = &fake_world_ops,
        .state = me,
    };
    snprintf(me->world.host, sizeof me->world.host, "fake%d", rank / 2);
}

void fake_ranks_run(int nranks, const struct fake_script *script,
                    void (*rank_main)(struct world *world, void *context), void *context)
{
    struct fake fake = {.nranks = nranks, .script = script};
    pthread_t *threads = calloc((size_t)nranks, sizeof *threads);

    fake.ranks = calloc((size_t)nranks, sizeof *fake.ranks);
    pthread_barrier_init(&fake.barrier, NULL, (unsigned)nranks);
    for (int r = 0; r < nranks; r++) {
        rank_init(&fake.ranks[r], &fake, r);
        fake.ranks[r].rank_main = rank_main;
        fake.ranks[r].context = context;
        pthread_create(&threads[r], NULL, thread_main, &fake.ranks[r]);
    }
    for (int r = 0; r < nranks; r++)
        pthread_join(threads[r], NULL);
    pthread_barrier_destroy(&fake.barrier);
    free(fake.ranks);
    free(threads);
}

uint64_t fake_ranks_calls(const struct world *world)
{
    return rank_of(world)->calls;
}

int64_t fake_ranks_skew_ns(const struct world *world)
{
    return rank_of(world)->skew_ns;
}

/* ---- the backend ---- */

static int fake_open(struct backend *backend, const void *settings, struct err *err)
{
    (void)settings;
    (void)err;
    backend->state = backend->world->state;
    return 0;
}

static void fake_backend_close(struct backend *backend)
{
    (void)backend;
}

static int fake_prepare(struct backend *backend, const struct backend_call *call,
                        struct err *err)
{
    const struct fake_rank *me = backend->state;

    (void)call;
    if (!me->fake->script->not_offered)
        return 0;
    snprintf(err->text, sizeof err->text, "the script says so");
    return -1;
}

/* Element-wise, in the order of ranks, in the type's own arithmetic: independent of the
 * reference that the verifier uses. */
#define REDUCE(type)                                                                     \
    do {                                                                                 \
        type *to = into;                                                                 \
        const type *from = with;                                                         \
        for (uint64_t i = 0; i < count; i++)                                             \
            to[i] = op == OP_SUM    ? (type)(to[i] + from[i])                            \
                    : op == OP_PROD ? (type)(to[i] * from[i])                            \
                    : op == OP_MIN  ? (to[i] < from[i] ? to[i] : from[i])                \
                                    : (to[i] > from[i] ? to[i] : from[i]);                \
    } while (0)

static void reduce(enum datatype_id datatype, enum op_id op, void *into, const void *with,
                   uint64_t count)
{
    switch (datatype) {
    case DATATYPE_INT8:
        REDUCE(int8_t);
        break;
    case DATATYPE_UINT8:
        REDUCE(uint8_t);
        break;
    case DATATYPE_INT16:
        REDUCE(int16_t);
        break;
    case DATATYPE_UINT16:
        REDUCE(uint16_t);
        break;
    case DATATYPE_INT32:
        REDUCE(int32_t);
        break;
    case DATATYPE_UINT32:
        REDUCE(uint32_t);
        break;
    case DATATYPE_INT64:
        REDUCE(int64_t);
        break;
    case DATATYPE_UINT64:
        REDUCE(uint64_t);
        break;
    case DATATYPE_FLOAT:
        REDUCE(float);
        break;
    case DATATYPE_DOUBLE:
        REDUCE(double);
        break;
    case DATATYPE_COUNT:
        break;
    }
}

/* What rank sent. In place the result goes where the input is: the input is kept. */
static const char *sent_by(const struct fake_rank *ranks, int rank)
{
    const struct backend_call *call = ranks[rank].shared;

    return call->in_place ? ranks[rank].kept : call->send;
}

static void deliver_reduced(const struct fake_rank *ranks,
                            const struct backend_call *call, size_t element)
{
    uint64_t count = call->shape->recv_blocks * call->shape->block;
    uint64_t first = call->shape->send_blocks > 1
                         ? (uint64_t)call->shape->rank * call->shape->block
                         : 0;

    memcpy(call->recv, sent_by(ranks, 0) + first * element, count * element);
    for (int r = 1; r < call->shape->nranks; r++)
        reduce(call->datatype, call->op, call->recv, sent_by(ranks, r) + first * element,
               count);
}

static void deliver_allgather(const struct fake_rank *ranks,
                              const struct backend_call *call, size_t element)
{
    size_t bytes = call->shape->block * element;

    for (int r = 0; r < call->shape->nranks; r++)
        memcpy((char *)call->recv + (size_t)r * bytes, sent_by(ranks, r), bytes);
}

static void deliver_alltoall(const struct fake_rank *ranks,
                             const struct backend_call *call, size_t element)
{
    size_t bytes = call->shape->block * element;

    for (int r = 0; r < call->shape->nranks; r++)
        memcpy((char *)call->recv + (size_t)r * bytes,
               sent_by(ranks, r) + (size_t)call->shape->rank * bytes, bytes);
}

static void deliver_broadcast(const struct fake_rank *ranks,
                              const struct backend_call *call, size_t element)
{
    if (call->shape->rank != call->shape->root)
        memcpy(call->recv, sent_by(ranks, call->shape->root),
               call->shape->block * element);
}

static void deliver_nothing(const struct fake_rank *ranks,
                            const struct backend_call *call, size_t element)
{
    (void)ranks;
    (void)call;
    (void)element;
}

static void deliver_messages(const struct fake_rank *ranks,
                             const struct backend_call *call, size_t element)
{
    const struct shape *shape = call->shape;
    size_t bytes = shape->window * shape->block * element;

    for (int p = 0; p < shape->peers.nrecv; p++)
        memcpy((char *)call->recv + (size_t)p * bytes,
               sent_by(ranks, shape->peers.recv_from[p]), bytes);
}

static const struct {
    const char *operation;
    void (*deliver)(const struct fake_rank *ranks, const struct backend_call *call,
                    size_t element);
} deliveries[] = {
    {"allreduce", deliver_reduced},   {"reducescatter", deliver_reduced},
    {"allgather", deliver_allgather}, {"alltoall", deliver_alltoall},
    {"broadcast", deliver_broadcast}, {"barrier", deliver_nothing},
    {"pingpong", deliver_messages},   {"oneway", deliver_messages},
    {"twoway", deliver_messages},
};

static void deliver(const struct fake_rank *ranks, const struct backend_call *call)
{
    for (size_t i = 0; i < sizeof deliveries / sizeof deliveries[0]; i++)
        if (strcmp(deliveries[i].operation, call->shape->operation->name) == 0)
            deliveries[i].deliver(ranks, call, datatype_get(call->datatype)->bytes);
}

/* A copy of the input that lies in the receive buffer. */
static char *keep_input(const struct backend_call *call)
{
    size_t element = datatype_get(call->datatype)->bytes;
    size_t bytes = shape_send_elements(call->shape) * element;
    char *kept = malloc(bytes + 1);

    memcpy(kept, (char *)call->recv + shape_input_element(call->shape) * element, bytes);
    return kept;
}

static int fake_run(struct backend *backend, const struct backend_call *call,
                    struct err *err)
{
    struct fake_rank *me = backend->state;

    if (me->queued == QUEUE_MOST)
        return err_set(err, EXIT_CODE_FAILURE, "the fake's queue is full");
    me->queue[me->queued++] = *call;
    return 0;
}

static void note_skew(struct fake_rank *me)
{
    for (int r = 0; r < me->fake->nranks; r++) {
        int64_t skew_ns = llabs(me->fake->ranks[r].start_ns - me->start_ns);

        if (skew_ns > me->skew_ns)
            me->skew_ns = skew_ns;
    }
}

static void complete(struct fake_rank *me, const struct backend_call *call)
{
    const struct fake_script *script = me->fake->script;

    me->start_ns = me->clock_ns;
    me->kept = call->in_place ? keep_input(call) : NULL;
    struct fake_rank *ranks = show(me, call);
    size_t bytes = shape_recv_elements(call->shape) * datatype_get(call->datatype)->bytes;
    uint64_t number = me->calls++;

    note_skew(me);
    if (!script->skip || !script->skip(script->context, me->world.rank, number)) {
        deliver(ranks, call);
        if (script->deliver)
            script->deliver(script->context, me->world.rank, number, call, call->recv,
                            bytes);
    }
    me->clock_ns += script->duration_ns
                        ? script->duration_ns(script->context, me->world.rank, number)
                        : 1000;
    meet(me->fake);
    free(me->kept);
}

static int fake_finish(struct backend *backend, struct err *err)
{
    struct fake_rank *me = backend->state;

    (void)err;
    for (size_t i = 0; i < me->queued; i++)
        complete(me, &me->queue[i]);
    me->queued = 0;
    return 0;
}

static int fake_copy(struct backend *backend, void *to, const void *from, size_t bytes,
                     struct err *err)
{
    struct fake_rank *me = backend->state;

    (void)err;
    memcpy(to, from, bytes);
    me->clock_ns += me->fake->script->copy_ns;
    return 0;
}

static int64_t fake_now_ns(struct backend *backend)
{
    const struct fake_rank *me = backend->state;

    return me->clock_ns;
}

static const char *fake_library(void)
{
    return "FAKE";
}

static const struct backend_operation fake_operations[] = {
    {"allreduce", fake_run},     {"allgather", fake_run},
    {"reducescatter", fake_run}, {"alltoall", fake_run},
    {"broadcast", fake_run},     {"barrier", fake_run},
    {"pingpong", fake_run},      {"oneway", fake_run},
    {"twoway", fake_run},        {NULL, NULL},
};

const struct backend_type fake_backend = {
    .name = "fake",
    .text = "scripted times, for tests",
    .operations = fake_operations,
    .open = fake_open,
    .close = fake_backend_close,
    .alloc = backend_host_alloc,
    .free = backend_host_free,
    .put = backend_host_copy_in,
    .get = backend_host_copy_out,
    .copy = fake_copy,
    .prepare = fake_prepare,
    .finish = fake_finish,
    .now_ns = fake_now_ns,
    .library = fake_library,
};
