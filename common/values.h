/* SPDX-License-Identifier: BSD-3-Clause */
/* The values that ranks contribute, chosen so that the result of any reduction is
 * known exactly, in any order of combination, at O(1) per element whatever the number
 * of ranks n. Hashes of (seed, element) give s, b and sign; a is coprime to n. With
 * m = the type's `exact` less one (one contribution too many is then still exact, and
 * shows):
 *
 *   sum   rank r gives sign * [(a r + b) mod n < s], s in [1, min(n, m)]: exactly s ranks
 *         give one, the sum is sign * s, and every partial sum lies between 0 and it
 *         (unsigned: sign +)
 *   prod  signed: such s ranks give -1, the others 1, s in [1, n]; unsigned: s in
 *         [1, min(n, twos - 1)], they give 2, the others 1, the result is 2^s
 *   max   one hashed rank gives the result w, the others less. With t = min(m, 2^62),
 *         signed: w = sign * s, s in [1, t - 1], the others in [-t, w);
 *         unsigned: w = s, the others in [0, w)
 *   min   signed: minus the values of max; unsigned: t minus them
 *   moved data (no reduction): random bits, of each rank its own
 *
 * No result is zero, so that equality is equality of bits, and none shows the type's
 * poison. Elements repeat in tiles of a prime number of elements, each tile rotated by a
 * hash of its number: large references cost a copy, and a displaced block of any size
 * still shows (but for a chance of at most 1 in 4095 per pair of tiles that their hashes
 * make up for the distance; neighbouring tiles never agree whole). */
#ifndef RACKMARK_VALUES_H
#define RACKMARK_VALUES_H

#include <stdbool.h>
#include <stdint.h>

#include "datatypes.h"
#include "operations.h"

struct values {
    const struct datatype *type;
    enum op_id op;
    bool reduces; /* false: op does not matter */
    int nranks;
    uint64_t seed;
    uint64_t multiplier; /* a */
};

/* op is ignored where nothing reduces. nranks >= 1. */
void values_init(struct values *values, const struct datatype *type, bool reduces,
                 enum op_id op, int nranks, uint64_t seed);

/* A stretch of reference data, prepared once and read in order of elements. Holds a
 * tile; create with values_stream_open, free with values_stream_close. */
struct values_stream;

/* Returns NULL when out of memory. */
struct values_stream *values_stream_open(void);
void values_stream_close(struct values_stream *stream);

/* Sets what the stream yields: elements origin.element, origin.element + 1, ..., at most
 * `elements` of them. Short streams compute element by element, long ones build a tile
 * and keep it for the next start that can use it. An origin of one rank is what this
 * rank contributes, one of several their result (moved data: the first rank's). Costs
 * O(1) per element of a tile for one rank and for all ranks, else O(origin.nranks). */
void values_stream_start(struct values_stream *stream, const struct values *values,
                         struct origin origin, uint64_t elements);

/* The next contiguous run: *run points at up to `most` elements of reference data that
 * stay valid until the next call. Returns how many (>= 1 while elements are left). */
uint64_t values_stream_next(struct values_stream *stream, uint64_t most,
                            const void **run);

/* The probability that the contribution of one rank to all of `elements` elements, lost
 * or doubled (min, max: lost, as nothing is counted there; moved data: not delivered),
 * changes at least one of them in one of `checks` checks with independent seeds.
 * `elements` are those which that rank contributes to: a block of moved data, the vector
 * of a reduction. Repeated tiles count once. */
double values_power(const struct values *values, uint64_t elements, uint64_t checks);

#endif
