/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples.h"

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

        if (!seconds)
            return err_set(err, EXIT_CODE_FAILURE, "out of memory for samples");
        samples->seconds = seconds;
        samples->room = room;
    }
    for (size_t i = 0; i < count; i++) {
        samples->seconds[samples->count++] = values[i].value;
        samples->slowest[values[i].rank]++;
    }
    return 0;
}

int samples_slowest(const struct samples *samples, double *share)
{
    int slowest = 0;

    *share = 0;
    if (samples->count == 0)
        return -1;
    for (int rank = 1; rank < samples->nranks; rank++)
        if (samples->slowest[rank] > samples->slowest[slowest])
            slowest = rank;
    *share = (double)samples->slowest[slowest] / (double)samples->count;
    return slowest;
}
