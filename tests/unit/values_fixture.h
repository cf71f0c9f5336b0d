/* SPDX-License-Identifier: BSD-3-Clause */
/* For the tests of values: reading whole origins, and frequencies against expectations.
 * Include it after cmocka.h. */
#ifndef RACKMARK_TESTS_VALUES_FIXTURE_H
#define RACKMARK_TESTS_VALUES_FIXTURE_H

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "arithmetic.h"
#include "values_private.h"

enum { P = VALUES_TILE };

static inline struct values values_of(enum datatype_id id, bool reduces, enum op_id op,
                                      int nranks, uint64_t seed)
{
    struct values values;

    values_init(&values, datatype_get(id), reduces, op, nranks, seed);
    return values;
}

static inline struct origin from(int first_rank, int nranks, uint64_t element)
{
    return (struct origin){
        .first_rank = first_rank, .nranks = nranks, .element = element};
}

/* All elements of an origin, read as the stream likes to give them. */
static inline void *read_all(struct values_stream *stream, const struct values *values,
                             struct origin origin, uint64_t elements)
{
    size_t bytes = values->type->bytes;
    unsigned char *data = malloc(elements * bytes + 1);
    const void *run;
    uint64_t done = 0;

    assert_non_null(data);
    values_stream_start(stream, values, origin, elements);
    while (done < elements) {
        uint64_t count = values_stream_next(stream, elements - done, &run);

        assert_in_range(count, 1, elements - done);
        memcpy(data + done * bytes, run, count * bytes);
        done += count;
    }
    assert_int_equal(values_stream_next(stream, 1, &run), 0);
    return data;
}

/* Within 5 standard deviations of a binomial with `trials` of probability p. Seeds are
 * fixed, so that what passes once passes always. */
static inline void assert_frequency(uint64_t hits, uint64_t trials, double p)
{
    double mean = p * (double)trials, deviation = sqrt(mean * (1 - p));

    assert_true(fabs((double)hits - mean) <= 5 * deviation + 1e-9);
}

#endif
