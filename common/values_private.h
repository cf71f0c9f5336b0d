/* SPDX-License-Identifier: BSD-3-Clause */
/* Inside of values: the table that the tiles of a stream are rotations of. */
#ifndef RACKMARK_VALUES_PRIVATE_H
#define RACKMARK_VALUES_PRIVATE_H

#include "values.h"

/* Elements of a tile. A prime, so that no block or stride of a power of two (or of any
 * size but its multiples) falls on equal elements; those of 8 bytes take 64 KiB, which
 * stay in a core's second-level cache. */
enum { VALUES_TILE = 8191 };

/* The ranks whose contribution or result is wanted: those of a struct origin. */
struct values_source {
    struct values values;
    int first_rank, nranks;
    uint64_t key; /* the hash that all of its data comes from */
};

static inline uint64_t values_min(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

void values_source_of(struct values_source *source, const struct values *values,
                      struct origin origin);

bool values_source_equal(const struct values_source *a, const struct values_source *b);

/* Entries [first, first + count) of the source's table, packed, for first + count up to
 * VALUES_TILE. */
void values_table(const struct values_source *source, uint64_t first, uint64_t count,
                  void *elements);

/* How far tile number `tile` is rotated: its element x is entry
 * (x + rotation) % VALUES_TILE. */
uint64_t values_rotation(const struct values_source *source, uint64_t tile);

#endif
