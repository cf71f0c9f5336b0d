/* SPDX-License-Identifier: BSD-3-Clause */
/* For the tests of the verifier: a backend, layouts of received data, and one of them set
 * up with right data. Include it after cmocka.h. */
#ifndef RACKMARK_TESTS_VERIFY_FIXTURE_H
#define RACKMARK_TESTS_VERIFY_FIXTURE_H

#include <stdlib.h>
#include <string.h>

#include "verify.h"

/* A backend on host memory that counts its copies, and fails one of them on demand. */
struct copies {
    uint64_t puts, gets;
    uint64_t fail_at; /* the copy that fails, counted from 1; 0: none */
};

static inline int copy(struct backend *backend, void *to, const void *from, size_t bytes,
                       struct err *err)
{
    struct copies *copies = backend->state;

    if (copies->puts + copies->gets == copies->fail_at)
        return err_set(err, EXIT_CODE_FAILURE, "copy failed");
    memcpy(to, from, bytes);
    return 0;
}

static inline int copy_in(struct backend *backend, void *buffer, const void *host,
                          size_t bytes, struct err *err)
{
    ((struct copies *)backend->state)->puts++;
    return copy(backend, buffer, host, bytes, err);
}

static inline int copy_out(struct backend *backend, void *host, const void *buffer,
                           size_t bytes, struct err *err)
{
    ((struct copies *)backend->state)->gets++;
    return copy(backend, host, buffer, bytes, err);
}

static const struct backend_type backend_type = {
    .name = "test", .put = copy_in, .get = copy_out};

/* Origins by hand: all ranks' result, a block of each rank, and messages of the next
 * rank from element 10 on. */
static inline struct origin origin_reduced(const struct shape *shape, uint64_t block)
{
    return (struct origin){.nranks = shape->nranks, .element = block * shape->block};
}

static inline struct origin origin_gathered(const struct shape *shape, uint64_t block)
{
    (void)shape;
    return (struct origin){.first_rank = (int)block, .nranks = 1};
}

static inline struct origin origin_shifted(const struct shape *shape, uint64_t block)
{
    return (struct origin){.first_rank = (shape->rank + 1) % shape->nranks,
                           .nranks = 1,
                           .element = 10 + block * shape->block};
}

static const struct operation reduced = {.reduces = true, .origin = origin_reduced};
static const struct operation gathered = {.origin = origin_gathered};
static const struct operation shifted = {.origin = origin_shifted};

static const struct layout {
    const struct operation *operation;
    enum datatype_id id;
    int nranks;
    uint64_t block, blocks; /* elements of one, and how many are received */
} layouts[] = {
    {&reduced, DATATYPE_INT8, 4, 1, 1},
    {&reduced, DATATYPE_FLOAT, 4, 1000, 1},
    {&reduced, DATATYPE_INT8, 4, 1300001, 1},
    {&reduced, DATATYPE_DOUBLE, 3, 300007, 1},
    {&reduced, DATATYPE_INT16, 3, 5000, 7},
    {&gathered, DATATYPE_UINT8, 5000, 1, 5000},
    {&gathered, DATATYPE_INT32, 4000, 77, 4000},
    {&gathered, DATATYPE_DOUBLE, 8, 40000, 8},
    {&gathered, DATATYPE_UINT8, 3, 8191, 3},
    {&shifted, DATATYPE_UINT64, 2, 65536, 4},
    {&shifted, DATATYPE_INT8, 2, 1, 64},
};
enum { LAYOUTS = sizeof layouts / sizeof layouts[0], GUARD = 64, GUARD_BYTE = 0x5c };

/* One layout set up with a right receive buffer between guards. */
struct fixture {
    struct copies copies;
    struct backend backend;
    struct verifier *verifier;
    struct shape shape;
    struct values values;
    size_t bytes; /* of one element */
    uint64_t elements;
    unsigned char *memory, *recv;
    struct mismatch mismatch;
    struct err err;
};

/* Element by element, each by a stream of its own: not as verify.c goes about it. */
static inline void write_right(struct fixture *fixture)
{
    struct values_stream *stream = values_stream_open();

    for (uint64_t i = 0; i < fixture->elements; i++) {
        struct origin origin =
            fixture->shape.operation->origin(&fixture->shape, i / fixture->shape.block);
        const void *element;

        origin.element += i % fixture->shape.block;
        values_stream_start(stream, &fixture->values, origin, 1);
        assert_int_equal(values_stream_next(stream, 1, &element), 1);
        memcpy(fixture->recv + i * fixture->bytes, element, fixture->bytes);
    }
    values_stream_close(stream);
}

static inline void fixture_open(struct fixture *fixture, const struct layout *layout)
{
    const struct datatype *type = datatype_get(layout->id);
    size_t size;

    *fixture = (struct fixture){.bytes = type->bytes,
                                .elements = layout->block * layout->blocks};
    fixture->backend = (struct backend){.type = &backend_type, .state = &fixture->copies};
    fixture->shape = (struct shape){.operation = layout->operation,
                                    .nranks = layout->nranks,
                                    .block = layout->block,
                                    .send_blocks = layout->blocks,
                                    .recv_blocks = layout->blocks};
    values_init(&fixture->values, type, layout->operation->reduces, OP_SUM,
                layout->nranks, 77);
    fixture->verifier = verify_open(&fixture->backend);
    size = fixture->elements * type->bytes + 2 * GUARD;
    fixture->memory = malloc(size);
    assert_non_null(fixture->memory);
    assert_non_null(fixture->verifier);
    memset(fixture->memory, GUARD_BYTE, size);
    fixture->recv = fixture->memory + GUARD;
    write_right(fixture);
}

static inline void fixture_close(struct fixture *fixture)
{
    verify_close(fixture->verifier);
    free(fixture->memory);
}

static inline void assert_guards(const struct fixture *fixture)
{
    const unsigned char *end = fixture->recv + fixture->elements * fixture->bytes;

    for (int i = 0; i < GUARD; i++)
        assert_true(fixture->memory[i] == GUARD_BYTE && end[i] == GUARD_BYTE);
}

static inline uint64_t check(struct fixture *fixture)
{
    fixture->mismatch = (struct mismatch){0};
    assert_int_equal(verify_check(fixture->verifier, &fixture->shape, &fixture->values,
                                  fixture->recv, &fixture->mismatch, &fixture->err),
                     0);
    return fixture->mismatch.wrong;
}

static inline uint64_t probe(struct fixture *fixture, uint64_t element, uint64_t count)
{
    fixture->mismatch = (struct mismatch){0};
    assert_int_equal(verify_probe(fixture->verifier, &fixture->shape, &fixture->values,
                                  fixture->recv, element, count, &fixture->mismatch,
                                  &fixture->err),
                     0);
    return fixture->mismatch.wrong;
}

static inline void flip(struct fixture *fixture, uint64_t element, unsigned bit)
{
    fixture->recv[element * fixture->bytes + bit / 8] ^= (unsigned char)(1U << bit % 8);
}

#endif
