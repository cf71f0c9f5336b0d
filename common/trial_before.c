/* SPDX-License-Identifier: BSD-3-Clause */
/* What comes before the repetitions that count: warm-up, and a copy to compare with. */
#include <math.h>

#include "stats.h"
#include "trial.h"

enum { WARMUP_GROUP = 5 };
enum { COPY_TRIES = 5, COPY_BYTES_LEAST = 4096 };

/* A group that takes less than this of the fastest so far: it still gets warmer. */
static const double warmup_gain = 0.95;
static const double warmup_share = 0.1; /* of --max-time */

static int warm_up(struct trial *trial, uint64_t length, struct err *err)
{
    struct world *world = trial->measure->world;
    struct backend *backend = trial->measure->backend;

    for (uint64_t r = 0; r < length; r++) {
        uint64_t slot = trial->warmup++ % trial->slots.count;

        if (world->ops->barrier(world, err) ||
            trial->run(backend, &trial->measure->calls[slot], err) ||
            backend->type->finish(backend, err))
            return -1;
    }
    return 0;
}

/* The median of a few repetitions that are timed, but do not count. At rank 0. */
static int warm_up_group(struct trial *trial, double *seconds, struct err *err)
{
    struct measure *measure = trial->measure;
    struct backend *backend = measure->backend;

    for (int i = 0; i < WARMUP_GROUP; i++) {
        int64_t start_ns = backend->type->now_ns(backend);

        if (warm_up(trial, 1, err))
            return -1;
        measure->times[i].value = trial_seconds_since(backend, start_ns);
    }
    if (measure->world->ops->max(measure->world, measure->times, WARMUP_GROUP, err))
        return -1;
    double sorted[WARMUP_GROUP];
    for (int i = 0; i < WARMUP_GROUP; i++)
        sorted[i] = measure->times[i].value;
    stats_sort(sorted, WARMUP_GROUP);
    *seconds = sorted[WARMUP_GROUP / 2];
    return 0;
}

/* Groups of repetitions, until one is no longer clearly faster than the fastest before
 * it, or a share of --max-time is used up. Rank 0 decides. */
static int warm_up_until_steady(struct trial *trial, struct err *err)
{
    struct world *world = trial->measure->world;
    double most = trial->measure->config->max_time * warmup_share;
    double fastest = INFINITY, spent = 0;
    bool steady = false;

    while (!steady) {
        double seconds;

        if (warm_up_group(trial, &seconds, err))
            return -1;
        spent += seconds * WARMUP_GROUP;
        steady = seconds > fastest * warmup_gain || spent > most;
        fastest = fmin(fastest, seconds);
        if (world->ops->bcast(world, &steady, sizeof steady, 0, err))
            return -1;
    }
    return 0;
}

int trial_warmup(struct trial *trial, struct err *err)
{
    const struct config *config = trial->measure->config;

    if (warm_up(trial, config->warmup, err))
        return -1;
    return config->iterations > 0 ? 0 : warm_up_until_steady(trial, err);
}

/* Bytes that this rank can copy from one of its slots to the next. */
static uint64_t copy_bytes(const struct trial *trial, char **from, char **to)
{
    const struct buffers *buffers = &trial->measure->buffers;
    size_t element = datatype_get(trial->point->datatype)->bytes;
    uint64_t recv = shape_recv_elements(&trial->shape) * element;
    uint64_t send = shape_send_elements(&trial->shape) * element;
    bool receives = recv >= send || trial->point->placement == PLACEMENT_IN_PLACE;

    *from = receives ? buffers->recv : buffers->send;
    *to = *from + (receives ? trial->slots.recv_stride : trial->slots.send_stride);
    return receives ? recv : send;
}

int trial_copy(struct trial *trial, double *seconds_per_byte, struct err *err)
{
    struct world *world = trial->measure->world;
    struct backend *backend = trial->measure->backend;
    struct world_max tries[COPY_TRIES];
    char *from, *to;
    uint64_t bytes = copy_bytes(trial, &from, &to);

    *seconds_per_byte = NAN;
    if (trial->point->bytes < COPY_BYTES_LEAST)
        return 0;
    for (int i = 0; i < COPY_TRIES; i++) {
        if (world->ops->barrier(world, err))
            return -1;
        int64_t start_ns = backend->type->now_ns(backend);
        if (bytes > 0 && backend->type->copy(backend, to, from, bytes, err))
            return -1;
        tries[i].value =
            bytes > 0 ? trial_seconds_since(backend, start_ns) / (double)bytes : 0;
    }
    if (world->ops->max(world, tries, COPY_TRIES, err))
        return -1;
    *seconds_per_byte = tries[0].value;
    for (int i = 1; i < COPY_TRIES; i++)
        *seconds_per_byte = fmin(*seconds_per_byte, tries[i].value);
    return 0;
}
