/* SPDX-License-Identifier: BSD-3-Clause */
#include "slots.h"

#include <unistd.h>

/* Slots start on cache lines of their own (two lines: adjacent ones are fetched
 * together), large ones on pages. */
enum { LINE_BYTES = 128, PAGE_BYTES = 4096 };

/* What a batch of in-place repetitions may take, unless two buffers take more. */
static const uint64_t in_place_bytes = (uint64_t)64 << 20;

static uint64_t stride_of(uint64_t bytes)
{
    uint64_t unit = bytes < PAGE_BYTES ? LINE_BYTES : PAGE_BYTES;

    return (bytes + unit - 1) / unit * unit;
}

static uint64_t clamp(uint64_t value, uint64_t least, uint64_t most)
{
    return value < least ? least : value > most ? most : value;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

void slots_of(struct slots *slots, const struct point *point, const struct shape *shape,
              enum cache cache, uint64_t cache_bytes)
{
    size_t element = datatype_get(point->datatype)->bytes;
    uint64_t vector = stride_of(point->bytes * point->window);
    uint64_t send = shape_send_elements(shape) * element;
    uint64_t recv = shape_recv_elements(shape) * element;

    /* The count must be the same on all ranks: it follows from the point alone. Each rank
     * that takes part sends or receives a whole vector, or a window of messages. */
    uint64_t count = SLOTS_LEAST;
    if (cache == CACHE_COLD && vector > 0)
        count = clamp(2 * cache_bytes / vector + 1, count, SLOTS_MOST);
    if (point->placement == PLACEMENT_IN_PLACE) {
        recv = larger(send, recv);
        send = 0;
        if (point->timing == TIMING_STREAMING)
            count = larger(
                count, clamp(in_place_bytes / vector, SLOTS_LEAST, SLOTS_IN_PLACE_MOST));
    }
    *slots = (struct slots){
        .count = count,
        .send_stride = stride_of(send),
        .recv_stride = stride_of(recv),
    };
}

uint64_t slots_cache_bytes(void)
{
    static const int levels[] = {_SC_LEVEL4_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE,
                                 _SC_LEVEL2_CACHE_SIZE};

    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
        long bytes = sysconf(levels[i]);

        if (bytes > 0)
            return (uint64_t)bytes;
    }
    return 0;
}
