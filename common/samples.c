/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int samples_open(struct samples *samples, int nranks, struct err *err)
{
    *samples = (struct samples){
        .nranks = nranks,
        .slowest = calloc((size_t)nranks, sizeof *samples->slowest),
    };
    if (!samples->slowest)
        return err_set(err, EXIT_CODE_FAILURE, "out of memory for samples");
    return 0;
}

void samples_close(struct samples *samples)
{
    free(samples->seconds);
    free(samples->scratch);
    free(samples->slowest);
    *samples = (struct samples){0};
}

void samples_clear(struct samples *samples)
{
    samples->count = 0;
    memset(samples->slowest, 0, (size_t)samples->nranks * sizeof *samples->slowest);
}

int samples_add(struct samples *samples, const struct world_max *values, size_t count,
                struct err *err)
{
    if (samples->room < samples->count + count) {
        size_t room = 2 * (samples->count + count);
        double *seconds = realloc(samples->seconds, room * sizeof *seconds);
        double *scratch = realloc(samples->scratch, room * sizeof *scratch);

        samples->seconds = seconds ? seconds : samples->seconds;
        samples->scratch = scratch ? scratch : samples->scratch;
        if (!seconds || !scratch)
            return err_set(err, EXIT_CODE_FAILURE, "out of memory for samples");
        samples->room = room;
    }
    for (size_t i = 0; i < count; i++) {
        samples->seconds[samples->count++] = values[i].value;
        samples->slowest[values[i].rank]++;
    }
    return 0;
}

/* The rank with the largest count that comes after (count, rank) in the order of
 * falling counts, then rising ranks; -1: none. */
static int next_slowest(const struct samples *samples, uint64_t count, int rank)
{
    int next = -1;

    for (int r = 0; r < samples->nranks; r++) {
        uint64_t c = samples->slowest[r];

        if (c == 0 || c > count || (c == count && r <= rank))
            continue;
        if (next < 0 || c > samples->slowest[next])
            next = r;
    }
    return next;
}

static double share_of(const struct samples *samples, int rank)
{
    return (double)samples->slowest[rank] / (double)samples->count;
}

int samples_slowest(const struct samples *samples, double *share)
{
    int slowest = next_slowest(samples, UINT64_MAX, -1);

    *share = slowest < 0 ? 0 : share_of(samples, slowest);
    return slowest;
}

void samples_slowest_text(const struct samples *samples, char *text, size_t size)
{
    enum { FEW = 3 };
    int rank = next_slowest(samples, UINT64_MAX, -1);
    size_t length = 0;

    text[0] = '\0';
    for (int i = 0; i < FEW && rank >= 0 && length < size; i++) {
        length += (size_t)snprintf(text + length, size - length, "%s%d:%.2g",
                                   i ? " " : "", rank, share_of(samples, rank));
        rank = next_slowest(samples, samples->slowest[rank], rank);
    }
}
