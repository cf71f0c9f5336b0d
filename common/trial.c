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

static bool in_place(const struct trial *trial)
{
    return trial->point->placement == PLACEMENT_IN_PLACE;
}

static struct backend_call *call_of(struct trial *trial, uint64_t slot)
{
    return &trial->measure->calls[slot];
}

/* Poisons the probes, so that a repetition that does nothing shows even where a later
 * one into the same buffer does its work. */
static int probes_set(struct trial *trial, uint64_t slot, uint64_t repetition,
                      struct err *err)
{
    const struct datatype *type = datatype_get(trial->point->datatype);
    uint64_t places[PROBES];
    int count = probe_places(trial, repetition, places);

    for (int i = 0; i < count; i++)
        if (verify_poison(trial->measure->verifier, type, call_of(trial, slot)->recv,
                          places[i] * type->bytes, type->bytes, err))
            return -1;
    return 0;
}

static int probes_check(struct trial *trial, uint64_t slot, uint64_t repetition,
                        struct err *err)
{
    uint64_t places[PROBES];
    int count = probe_places(trial, repetition, places);

    for (int i = 0; i < count; i++)
        if (verify_probe(trial->measure->verifier, &trial->shape,
                         &trial->measure->values[slot], call_of(trial, slot)->recv,
                         places[i], 1, &trial->mismatch, err))
            return -1;
    return 0;
}

static uint64_t seed_of(const struct trial *trial, uint64_t block, uint64_t slot)
{
    const uint64_t golden = 0x9e3779b97f4a7c15u; /* 2^64 / golden ratio: Knuth, 6.4 */
    uint64_t seed = trial->measure->config->seed;

    seed = seed * golden + trial->number;
    seed = seed * golden + block;
    return seed * golden + slot;
}

/* Poisons the output and writes the input, which in place is a part of it. */
static int write_input(struct trial *trial, uint64_t slot, struct err *err)
{
    const struct datatype *type = datatype_get(trial->point->datatype);
    const struct backend_call *call = call_of(trial, slot);
    struct verifier *verifier = trial->measure->verifier;
    char *send = (char *)trial->measure->buffers.send + slot * trial->slots.send_stride;

    if (in_place(trial))
        send = (char *)call->recv + shape_input_element(&trial->shape) * type->bytes;
    if (verify_poison(verifier, type, call->recv, 0,
                      shape_recv_elements(&trial->shape) * type->bytes, err))
        return -1;
    return verify_fill(verifier, &trial->shape, &trial->measure->values[slot], send, err);
}

void trial_values(const struct trial *trial, uint64_t seed, struct values *values)
{
    const struct point *point = trial->point;

    values_init(values, datatype_get(point->datatype), point->operation->reduces,
                point->op, trial->shape.nranks, seed);
}

static int fill_slot(struct trial *trial, uint64_t block, uint64_t slot, struct err *err)
{
    trial_values(trial, seed_of(trial, block, slot), &trial->measure->values[slot]);
    return write_input(trial, slot, err);
}

static int check_slot(struct trial *trial, uint64_t slot, struct err *err)
{
    return verify_check(trial->measure->verifier, &trial->shape,
                        &trial->measure->values[slot], call_of(trial, slot)->recv,
                        &trial->mismatch, err);
}

/* After a repetition whose result a later one will replace, outside of the clock. An
 * input that was left as it was is no poison: there the whole has to be compared. */
static int look_at_repetition(struct trial *trial, uint64_t slot, uint64_t repetition,
                              struct err *err)
{
    return in_place(trial) ? check_slot(trial, slot, err)
                           : probes_check(trial, slot, repetition, err);
}

/* Before a repetition, outside of the clock. In place the one before has eaten the
 * input. */
static int prepare_repetition(struct trial *trial, uint64_t slot, uint64_t repetition,
                              struct err *err)
{
    if (!trial->checked)
        return 0;
    if (!in_place(trial))
        return probes_set(trial, slot, repetition, err);
    return repetition < trial->slots.count ? 0 : write_input(trial, slot, err);
}

double trial_seconds_since(struct backend *backend, int64_t start_ns)
{
    return 1e-9 * (double)(backend->type->now_ns(backend) - start_ns);
}

/* Ranks start together, one operation, local completion: each repetition is a sample. */
static int run_isolated(struct trial *trial, uint64_t first_slot, uint64_t length,
                        struct err *err)
{
    struct world *world = trial->measure->world;
    struct backend *backend = trial->measure->backend;

    for (uint64_t r = 0; r < length; r++) {
        uint64_t slot = (first_slot + r) % trial->slots.count;

        if (prepare_repetition(trial, slot, r, err) || world->ops->barrier(world, err))
            return -1;
        int64_t start_ns = backend->type->now_ns(backend);
        if (trial->run(backend, call_of(trial, slot), err) ||
            backend->type->finish(backend, err))
            return -1;
        trial->measure->times[r].value = trial_seconds_since(backend, start_ns);
        /* The last results stay, and are compared as a whole. */
        if (trial->checked && r + trial->slots.count < length &&
            look_at_repetition(trial, slot, r, err))
            return -1;
    }
    return 0;
}

/* Back to back: the batch is one sample, its elapsed time over its count. */
static int run_streaming(struct trial *trial, uint64_t first_slot, uint64_t length,
                         struct err *err)
{
    struct world *world = trial->measure->world;
    struct backend *backend = trial->measure->backend;
    const struct backend_call *calls = trial->measure->calls;
    uint64_t slot = first_slot;

    if (world->ops->barrier(world, err))
        return -1;
    int64_t start_ns = backend->type->now_ns(backend);
    for (uint64_t r = 0; r < length; r++) {
        if (trial->run(backend, &calls[slot], err))
            return -1;
        slot = slot + 1 < trial->slots.count ? slot + 1 : 0;
    }
    if (backend->type->finish(backend, err))
        return -1;
    trial->measure->times[0].value =
        trial_seconds_since(backend, start_ns) / (double)length;
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

uint64_t trial_length_most(const struct trial *trial)
{
    if (trial->point->timing == TIMING_ISOLATED)
        return SCHEDULE_LENGTH_MOST;
    return in_place(trial) ? trial->slots.count : UINT64_MAX;
}

/* Fills or checks the slots that a block of this length uses. */
static int each_slot(struct trial *trial, uint64_t block, uint64_t length, bool fill,
                     struct err *err)
{
    uint64_t count = trial->slots.count;
    uint64_t used = length < count ? length : count;

    for (uint64_t i = 0; i < used && trial->checked; i++) {
        uint64_t slot = (block + i) % count;

        if (fill ? fill_slot(trial, block, slot, err) : check_slot(trial, slot, err))
            return -1;
        trial->checks += !fill;
    }
    return 0;
}

int trial_block(struct trial *trial, uint64_t block, uint64_t length,
                struct block_cost *cost, struct err *err)
{
    struct measure *measure = trial->measure;
    struct backend *backend = measure->backend;
    uint64_t first_slot = block % trial->slots.count;
    int64_t start_ns = backend->type->now_ns(backend);

    if (each_slot(trial, block, length, true, err))
        return -1;
    int64_t loop_ns = backend->type->now_ns(backend);
    if (trial->point->timing == TIMING_ISOLATED
            ? run_isolated(trial, first_slot, length, err)
            : run_streaming(trial, first_slot, length, err))
        return -1;
    double loop_seconds = trial_seconds_since(backend, loop_ns);

    forget_idle_time(trial, trial_samples(trial, length));
    if (measure->world->ops->max(measure->world, measure->times,
                                 trial_samples(trial, length), err))
        return -1;
    if (each_slot(trial, block, length, false, err))
        return -1;
    if (cost)
        *cost = (struct block_cost){
            .per_repetition = loop_seconds / (double)length,
            .fixed = trial_seconds_since(backend, start_ns) - loop_seconds,
        };
    return 0;
}

void trial_init(struct trial *trial, struct measure *measure, const struct point *point,
                size_t number)
{
    *trial = (struct trial){
        .measure = measure,
        .point = point,
        .number = number,
        .run = backend_find(measure->backend->type, point->operation->name),
        .checked = measure->config->check == CHECK_FULL &&
                   operation_moves_data(point->operation),
    };
    plan_shape(point, measure->world->rank, measure->world->nranks, &trial->shape);
    slots_of(&trial->slots, point, &trial->shape, (enum cache)measure->config->cache,
             measure->cache_bytes);
    for (uint64_t slot = 0; slot < trial->slots.count; slot++)
        measure->calls[slot] = (struct backend_call){
            .shape = &trial->shape,
            .datatype = point->datatype,
            .op = point->op,
            .in_place = in_place(trial),
            .send = (char *)measure->buffers.send + slot * trial->slots.send_stride,
            .recv = (char *)measure->buffers.recv + slot * trial->slots.recv_stride,
        };
}
