/* SPDX-License-Identifier: BSD-3-Clause */
/* Repetitions take turns in several buffers, the slots of a point: two at least, so that
 * one which did nothing leaves the wrong data. */
#ifndef RACKMARK_SLOTS_H
#define RACKMARK_SLOTS_H

#include <stdint.h>

#include "config.h"
#include "plan.h"
#include "shape.h"

/* In place: as many as make a batch of a millisecond of the quickest repetitions. */
enum { SLOTS_LEAST = 2, SLOTS_MOST = 65536, SLOTS_IN_PLACE_MOST = 8192 };

struct slots {
    uint64_t count;
    uint64_t send_stride, recv_stride; /* bytes from one slot to the next */
};

/* Warm: two, which stay in the cache as far as they fit. Cold: as many as it takes for a
 * buffer to have left a cache of cache_bytes (the same on all ranks) before its next
 * turn. In place, streaming: as many as a batch may have repetitions, since each needs
 * fresh input. */
void slots_of(struct slots *slots, const struct point *point, const struct shape *shape,
              enum cache cache, uint64_t cache_bytes);

/* The last-level cache of this host in bytes; 0: unknown. */
uint64_t slots_cache_bytes(void);

#endif
