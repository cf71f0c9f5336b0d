/* SPDX-License-Identifier: BSD-3-Clause */
#include "verify.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Small enough to stay in a core's second-level cache next to a tile of reference data,
 * large enough to make the cost of a device copy small. */
enum { STAGING_BYTES = 512 * 1024 };

struct verifier {
    struct backend *backend;
    struct values_stream *stream;
    unsigned char *staging;
};

/* Reads the reference of elements [element, element + left) of a buffer, block by
 * block. */
struct cursor {
    struct values_stream *stream;
    const struct shape *shape;
    const struct values *values;
    struct origin (*origin)(const struct shape *shape, uint64_t block);
    uint64_t block; /* elements of one */
    uint64_t element, left;
    uint64_t left_in_block;
};

struct verifier *verify_open(struct backend *backend)
{
    struct verifier *verifier = calloc(1, sizeof *verifier);

    if (verifier == NULL)
        return NULL;
    verifier->backend = backend;
    verifier->stream = values_stream_open();
    verifier->staging = malloc(STAGING_BYTES);
    if (verifier->stream == NULL || verifier->staging == NULL) {
        verify_close(verifier);
        return NULL;
    }
    return verifier;
}

void verify_close(struct verifier *verifier)
{
    if (verifier == NULL)
        return;
    values_stream_close(verifier->stream);
    free(verifier->staging);
    free(verifier);
}

static uint64_t min_of(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static void cursor_start_block(struct cursor *cursor)
{
    uint64_t skip = cursor->element % cursor->block;
    struct origin origin = cursor->origin(cursor->shape, cursor->element / cursor->block);

    origin.element += skip;
    cursor->left_in_block = min_of(cursor->block - skip, cursor->left);
    values_stream_start(cursor->stream, cursor->values, origin, cursor->left_in_block);
}

/* The next contiguous run of at most `most` elements, while left > 0. */
static uint64_t cursor_next(struct cursor *cursor, uint64_t most, const void **run)
{
    uint64_t count;

    if (cursor->left_in_block == 0)
        cursor_start_block(cursor);
    count = values_stream_next(cursor->stream, most, run);
    cursor->element += count;
    cursor->left -= count;
    cursor->left_in_block -= count;
    return count;
}

/* Counts the wrong ones among `count` elements, the first of which is number `first`. */
static void run_compare(const struct datatype *type, const unsigned char *got,
                        const unsigned char *expected, uint64_t count, uint64_t first,
                        struct mismatch *mismatch)
{
    if (memcmp(got, expected, count * type->bytes) == 0)
        return;
    for (uint64_t i = 0; i < count; i++) {
        const unsigned char *a = got + i * type->bytes, *b = expected + i * type->bytes;

        if (memcmp(a, b, type->bytes) == 0)
            continue;
        if (mismatch->wrong++ > 0)
            continue;
        mismatch->element = first + i;
        type->print(a, mismatch->got, sizeof mismatch->got);
        type->print(b, mismatch->expected, sizeof mismatch->expected);
    }
}

/* Writes the next `count` elements to `to`. */
static void cursor_copy(struct cursor *cursor, uint64_t count, unsigned char *to)
{
    while (count > 0) {
        const void *run;
        uint64_t length = cursor_next(cursor, count, &run);
        size_t bytes = length * cursor->values->type->bytes;

        memcpy(to, run, bytes);
        to += bytes;
        count -= length;
    }
}

/* Compares the next `count` elements with those at `got`. */
static void cursor_compare(struct cursor *cursor, uint64_t count,
                           const unsigned char *got, struct mismatch *mismatch)
{
    while (count > 0) {
        const void *run;
        uint64_t first = cursor->element;
        uint64_t length = cursor_next(cursor, count, &run);

        run_compare(cursor->values->type, got, run, length, first, mismatch);
        got += length * cursor->values->type->bytes;
        count -= length;
    }
}

/* Everything that a rank sends is one block: its contribution from element 0 on. */
static struct origin origin_own(const struct shape *shape, uint64_t block)
{
    (void)block;
    return (struct origin){.first_rank = shape->rank, .nranks = 1};
}

int verify_fill(struct verifier *verifier, const struct shape *shape,
                const struct values *values, void *send, struct err *err)
{
    size_t bytes = values->type->bytes;
    uint64_t elements = shape_send_elements(shape), most = STAGING_BYTES / bytes;
    struct cursor cursor = {.stream = verifier->stream,
                            .shape = shape,
                            .values = values,
                            .origin = origin_own,
                            .block = elements,
                            .left = elements};

    while (cursor.left > 0) {
        unsigned char *to = (unsigned char *)send + cursor.element * bytes;
        uint64_t chunk = min_of(cursor.left, most);

        cursor_copy(&cursor, chunk, verifier->staging);
        if (verifier->backend->type->put(verifier->backend, to, verifier->staging,
                                         chunk * bytes, err) != 0)
            return -1;
    }
    return 0;
}

int verify_poison(struct verifier *verifier, const struct datatype *type, void *recv,
                  uint64_t offset, uint64_t bytes, struct err *err)
{
    uint64_t most = min_of(bytes, STAGING_BYTES);

    for (uint64_t i = 0; i < most; i += sizeof type->poison)
        memcpy(verifier->staging + i, &type->poison, sizeof type->poison);
    for (uint64_t done = 0; done < bytes; done += most) {
        unsigned char *to = (unsigned char *)recv + offset + done;

        if (verifier->backend->type->put(verifier->backend, to, verifier->staging,
                                         min_of(bytes - done, most), err) != 0)
            return -1;
    }
    return 0;
}

int verify_probe(struct verifier *verifier, const struct shape *shape,
                 const struct values *values, const void *recv, uint64_t element,
                 uint64_t count, struct mismatch *mismatch, struct err *err)
{
    size_t bytes = values->type->bytes;
    uint64_t elements = shape_recv_elements(shape), most = STAGING_BYTES / bytes;
    struct cursor cursor = {.stream = verifier->stream,
                            .shape = shape,
                            .values = values,
                            .origin = shape->operation->origin,
                            .block = shape->block,
                            .element = element,
                            .left = count};

    if (element > elements || count > elements - element)
        return err_set(err, EXIT_CODE_FAILURE,
                       "check of %" PRIu64 " elements from %" PRIu64
                       " on of a buffer of %" PRIu64,
                       count, element, elements);
    while (cursor.left > 0) {
        const unsigned char *from = (const unsigned char *)recv + cursor.element * bytes;
        uint64_t chunk = min_of(cursor.left, most);

        if (verifier->backend->type->get(verifier->backend, verifier->staging, from,
                                         chunk * bytes, err) != 0)
            return -1;
        cursor_compare(&cursor, chunk, verifier->staging, mismatch);
    }
    return 0;
}

int verify_check(struct verifier *verifier, const struct shape *shape,
                 const struct values *values, const void *recv, struct mismatch *mismatch,
                 struct err *err)
{
    return verify_probe(verifier, shape, values, recv, 0, shape_recv_elements(shape),
                        mismatch, err);
}
