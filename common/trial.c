/* SPDX-License-Identifier: BSD-3-Clause */
#include "trial.h"

enum { PROBES = 3 };

/* The elements that are looked at after an isolated repetition: the ends, and one that
 * moves. Returns how many: no element stands twice. */
static int probe_places(const struct trial *trial, uint64_t repetition,
                        uint64_t places[PROBES])
{
    uint64_t elements = shape_recv_elements(&trial->shape);
    int count = 0;

    if (elements == 0)
        return 0;
    const uint64_t wanted[PROBES] = {0, elements - 1,
                                     (repetition + 1) * 0x9e3779b97f4a7c15u % elements};
    for (int i = 0; i < PROBES; i++) {
        bool seen = false;

        for (int j = 0; j < count; j++)
            seen |= places[j] == wanted[i];
        if (!seen)
            places[count++] = wanted[i];
    }
    return count;
}

/* Poisons the probes, so that a repetition that does nothing shows even where a later
 * one into the same buffer does its work. */
static int probes_set(struct trial *trial, int slot, uint64_t repetition, struct err *err)
{
    const struct datatype *type = datatype_get(trial->point->datatype);
    uint64_t places[PROBES];
    int count = probe_places(trial, repetition, places);

    for (int i = 0; i < count; i++)
        if (verify_poison(trial->measure->verifier, type, trial->calls[slot].recv,
                          places[i] * type->bytes, type->bytes, err))
            return -1;
    return 0;
}

static int probes_check(struct trial *trial, int slot, uint64_t repetition,
                        struct err *err)
{
    uint64_t places[PROBES];
    int count = probe_places(trial, repetition, places);

    for (int i = 0; i < count; i++)
        if (verify_probe(trial->measure->verifier, &trial->shape, &trial->values[slot],
                         trial->calls[slot].recv, places[i], 1, &trial->mismatch, err))
            return -1;
    return 0;
}

static double seconds_since(struct backend *backend, int64_t start_ns)
{
    return 1e-9 * (double)(backend->type->now_ns(backend) - start_ns);
}

/* Ranks start together, one operation, local completion: each repetition is a sample. */
static int run_isolated(struct trial *trial, int first_slot, uint64_t length,
                        struct err *err)
{
    struct world *world = trial->measure->world;
    struct backend *backend = trial->measure->backend;

    for (uint64_t r = 0; r < length; r++) {
        int slot = (int)((first_slot + r) % BUFFER_SLOTS);

        if (trial->checked && probes_set(trial, slot, r, err))
            return -1;
        if (world->ops->barrier(world, err))
            return -1;
        int64_t start_ns = backend->type->now_ns(backend);
        if (trial->run(backend, &trial->calls[slot], err) ||
            backend->type->finish(backend, err))
            return -1;
        trial->measure->times[r].value = seconds_since(backend, start_ns);
        /* The last results stay, and are compared as a whole. */
        if (trial->checked && r + BUFFER_SLOTS < length &&
            probes_check(trial, slot, r, err))
            return -1;
    }
    return 0;
}

/* Back to back: the batch is one sample, its elapsed time over its count. */
static int run_streaming(struct trial *trial, int first_slot, uint64_t length,
                         struct err *err)
{
    struct world *world = trial->measure->world;
    struct backend *backend = trial->measure->backend;

    if (world->ops->barrier(world, err))
        return -1;
    int64_t start_ns = backend->type->now_ns(backend);
    for (uint64_t r = 0; r < length; r++)
        if (trial->run(backend, &trial->calls[(first_slot + r) % BUFFER_SLOTS], err))
            return -1;
    if (backend->type->finish(backend, err))
        return -1;
    trial->measure->times[0].value = seconds_since(backend, start_ns) / (double)length;
    return 0;
}

size_t trial_samples(const struct trial *trial, uint64_t length)
{
    return trial->point->timing == TIMING_ISOLATED ? length : 1;
}

/* A rank that waits while others talk has no say in how long it takes. */
static void forget_idle_time(struct trial *trial, size_t count)
{
    const struct shape *shape = &trial->shape;

    if (!operation_is_p2p(shape->operation) ||
        shape->peers.nsend + shape->peers.nrecv > 0)
        return;
    for (size_t i = 0; i < count; i++)
        trial->measure->times[i].value = 0;
}

static uint64_t seed_of(const struct trial *trial, uint64_t block, int slot)
{
    const uint64_t golden = 0x9e3779b97f4a7c15u; /* 2^64 / golden ratio: Knuth, 6.4 */
    uint64_t seed = trial->measure->config->seed;

    seed = seed * golden + trial->number;
    seed = seed * golden + block;
    return seed * golden + (uint64_t)slot;
}

static int fill_slot(struct trial *trial, uint64_t block, int slot, struct err *err)
{
    const struct point *point = trial->point;
    const struct backend_call *call = &trial->calls[slot];
    struct verifier *verifier = trial->measure->verifier;
    const struct datatype *type = datatype_get(point->datatype);

    values_init(&trial->values[slot], type, point->operation->reduces, point->op,
                trial->shape.nranks, seed_of(trial, block, slot));
    if (verify_fill(verifier, &trial->shape, &trial->values[slot],
                    trial->measure->buffers.send[slot], err))
        return -1;
    return verify_poison(verifier, type, call->recv, 0,
                         shape_recv_elements(&trial->shape) * type->bytes, err);
}

static int check_slot(struct trial *trial, int slot, struct err *err)
{
    trial->checks++;
    return verify_check(trial->measure->verifier, &trial->shape, &trial->values[slot],
                        trial->calls[slot].recv, &trial->mismatch, err);
}

int trial_block(struct trial *trial, uint64_t block, uint64_t length,
                struct block_cost *cost, struct err *err)
{
    struct measure *measure = trial->measure;
    struct backend *backend = measure->backend;
    int first_slot = (int)(block % BUFFER_SLOTS);
    int slots = length < BUFFER_SLOTS ? (int)length : BUFFER_SLOTS;
    int64_t start_ns = backend->type->now_ns(backend);

    for (int i = 0; i < slots && trial->checked; i++)
        if (fill_slot(trial, block, (first_slot + i) % BUFFER_SLOTS, err))
            return -1;
    int64_t loop_ns = backend->type->now_ns(backend);
    if (trial->point->timing == TIMING_ISOLATED
            ? run_isolated(trial, first_slot, length, err)
            : run_streaming(trial, first_slot, length, err))
        return -1;
    double loop_seconds = seconds_since(backend, loop_ns);

    forget_idle_time(trial, trial_samples(trial, length));
    if (measure->world->ops->max(measure->world, measure->times,
                                 trial_samples(trial, length), err))
        return -1;
    for (int i = 0; i < slots && trial->checked; i++)
        if (check_slot(trial, (first_slot + i) % BUFFER_SLOTS, err))
            return -1;
    if (cost)
        *cost = (struct block_cost){
            .per_repetition = loop_seconds / (double)length,
            .fixed = seconds_since(backend, start_ns) - loop_seconds,
        };
    return 0;
}

int trial_warmup(struct trial *trial, uint64_t length, struct err *err)
{
    struct world *world = trial->measure->world;
    struct backend *backend = trial->measure->backend;

    for (uint64_t r = 0; r < length; r++)
        if (world->ops->barrier(world, err) ||
            trial->run(backend, &trial->calls[r % BUFFER_SLOTS], err) ||
            backend->type->finish(backend, err))
            return -1;
    return 0;
}
