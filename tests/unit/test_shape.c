/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "shape.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define TIB          (UINT64_C(1) << 40)

static const struct pattern *pattern_named(const char *name)
{
    const struct pattern *pattern;

    for (size_t i = 0; (pattern = pattern_get(i)); i++)
        if (strcmp(pattern->name, name) == 0)
            return pattern;
    fail_msg("no pattern %s", name);
    return NULL;
}

static const struct {
    const char *operation;
    int nranks;
    uint64_t bytes;
    size_t element;
    uint64_t block, rounded;
} sizes[] = {
    /* One block: whole elements. */
    {"allreduce", 3, 1, 1, 1, 1},
    {"allreduce", 3, 1, 8, 1, 8},
    {"allreduce", 3, 8, 8, 1, 8},
    {"allreduce", 3, 9, 8, 2, 16},
    {"allreduce", 72, 1000001, 4, 250001, 1000004},
    {"allreduce", 72, TIB, 1, TIB, TIB},
    {"allreduce", 72, TIB + 1, 8, TIB / 8 + 1, TIB + 8},
    /* One block per rank. */
    {"allgather", 1, 5, 4, 2, 8},
    {"allgather", 3, 1, 1, 1, 3},
    {"allgather", 3, 1, 8, 1, 24},
    {"allgather", 3, 24, 8, 1, 24},
    {"allgather", 3, 25, 8, 2, 48},
    {"allgather", 72, 72, 1, 1, 72},
    {"allgather", 72, 73, 1, 2, 144},
    {"allgather", 72, TIB, 8, 1908874354, UINT64_C(1099511627904)},
    {"allgather", 3, TIB, 1, UINT64_C(366503875926), UINT64_C(1099511627778)},
    {"reducescatter", 3, 25, 8, 2, 48},
    {"alltoall", 72, 73, 1, 2, 144},
    {"broadcast", 72, TIB + 1, 8, TIB / 8 + 1, TIB + 8},
    /* None: the rounding is the same, of nothing. */
    {"barrier", 3, 0, 1, 0, 0},
    /* One message. */
    {"pingpong", 2, 1, 8, 1, 8},
    {"oneway", 72, 7, 4, 2, 8},
    {"twoway", 3, TIB, 8, TIB / 8, TIB},
};

static void test_sizes_are_whole_blocks(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(sizes); i++) {
        const struct operation *operation = operation_find(sizes[i].operation);

        for (int rank = 0; rank < sizes[i].nranks; rank++) {
            struct shape shape;

            shape_of(&shape, operation, pattern_get(0), rank, sizes[i].nranks,
                     sizes[i].bytes, sizes[i].element, 1, 0);
            assert_int_equal(shape.block, sizes[i].block);
            assert_int_equal(shape_bytes(&shape, sizes[i].element), sizes[i].rounded);
            assert_int_equal(shape.rank, rank);
            assert_int_equal(shape.nranks, sizes[i].nranks);
        }
    }
}

/* What is measured is the least that holds what was asked. */
static void test_rounding_is_least(void **state)
{
    const struct operation *row;

    (void)state;
    for (size_t i = 0; (row = operation_get(i)); i++)
        for (int n = 2; n <= 9; n++)
            for (size_t element = 1; element <= 8; element *= 2)
                for (uint64_t bytes = 1; bytes < 200; bytes++) {
                    uint64_t unit = element * (row->splits ? (uint64_t)n : 1);
                    uint64_t rounded;
                    struct shape shape;

                    shape_of(&shape, row, pattern_get(0), 0, n, bytes, element, 1, 0);
                    rounded = shape_bytes(&shape, element);
                    assert_int_equal(rounded % unit, 0);
                    assert_in_range(rounded, bytes, bytes + unit - 1);
                }
}

/* 25 elements, on three ranks nine in each block. */
static const struct {
    const char *operation;
    int rank, root;
    uint64_t sends, receives; /* elements */
    uint64_t input;           /* where that is in the receive buffer, in place */
} elements[] = {
    {"allreduce", 2, 0, 25, 25, 0},    {"allgather", 0, 0, 9, 27, 0},
    {"allgather", 2, 0, 9, 27, 18},    {"reducescatter", 0, 0, 27, 9, 0},
    {"reducescatter", 2, 0, 27, 9, 0}, {"alltoall", 2, 0, 27, 27, 0},
    {"broadcast", 0, 0, 25, 0, 0},     {"broadcast", 1, 0, 0, 25, 0},
    {"broadcast", 0, 2, 0, 25, 0},     {"broadcast", 2, 2, 25, 0, 0},
};

static void test_elements_of_collectives(void **state)
{
    struct shape shape;

    (void)state;
    for (size_t i = 0; i < COUNT(elements); i++) {
        shape_of(&shape, operation_find(elements[i].operation), NULL, elements[i].rank, 3,
                 100, 4, 1, elements[i].root);
        assert_int_equal(shape.root, elements[i].root);
        assert_int_equal(shape_send_elements(&shape), elements[i].sends);
        assert_int_equal(shape_recv_elements(&shape), elements[i].receives);
        assert_int_equal(shape_input_element(&shape), elements[i].input);
    }
    shape_of(&shape, operation_find("allgather"), NULL, 71, 72, TIB, 8, 1, 0);
    assert_int_equal(shape_send_elements(&shape) * 72, shape_recv_elements(&shape));
    shape_of(&shape, operation_find("barrier"), NULL, 1, 3, 0, 4, 1, 0);
    assert_int_equal(shape_send_elements(&shape) + shape_recv_elements(&shape), 0);
}

/* An input that lies in the receive buffer is inside of it, or is the larger of the two
 * from its start; of one block it is where that will be in the result. */
static void test_inputs_in_place(void **state)
{
    const struct operation *row;

    (void)state;
    for (size_t i = 0; (row = operation_get(i)); i++)
        for (int n = 1; row->in_place && n <= 9; n++)
            for (int rank = 0; rank < n; rank++) {
                struct shape shape;
                uint64_t at, end;

                shape_of(&shape, row, NULL, rank, n, 100, 4, 1, 0);
                at = shape_input_element(&shape);
                end = at + shape_send_elements(&shape);
                assert_true(end <= shape_recv_elements(&shape) || at == 0);
                if (row->send == SHARE_BLOCK)
                    assert_int_equal(row->origin(&shape, at / shape.block).first_rank,
                                     rank);
            }
}

static const struct {
    const char *operation, *pattern;
    int rank, nranks;
    uint64_t sends, receives; /* messages, of a window of 3 */
} messages[] = {
    {"oneway", "pair", 0, 3, 3, 0},   {"oneway", "pair", 1, 3, 0, 3},
    {"oneway", "pair", 2, 3, 0, 0},   {"twoway", "pair", 0, 3, 3, 3},
    {"twoway", "pair", 2, 3, 0, 0},   {"oneway", "ring", 2, 3, 3, 3},
    {"twoway", "ring", 0, 3, 3, 6},   {"twoway", "ring", 1, 2, 3, 6},
    {"pingpong", "pair", 0, 2, 3, 3}, {"pingpong", "pair", 1, 2, 3, 3},
};

/* A sender sends one set of messages to all of its peers. */
static void test_elements_of_messages(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(messages); i++) {
        struct shape shape;

        shape_of(&shape, operation_find(messages[i].operation),
                 pattern_named(messages[i].pattern), messages[i].rank, messages[i].nranks,
                 40, 8, 3, 0);
        assert_int_equal(shape.block, 5);
        assert_int_equal(shape_send_elements(&shape), 5 * messages[i].sends);
        assert_int_equal(shape_recv_elements(&shape), 5 * messages[i].receives);
    }
}

/* Where data comes from lies within what that rank sends, and that rank sends it here. */
static void check_origin(const struct shape *shape, const struct pattern *pattern,
                         uint64_t block)
{
    struct origin origin = shape->operation->origin(shape, block);
    int to_here = 0;

    assert_in_range(origin.first_rank, 0, shape->nranks - 1);
    assert_in_range(origin.nranks, 1, shape->nranks - origin.first_rank);
    for (int i = 0; i < origin.nranks; i++) {
        struct shape source;

        shape_of(&source, shape->operation, pattern, origin.first_rank + i, shape->nranks,
                 100, 4, shape->window, shape->root);
        assert_in_range(origin.element + shape->block, shape->block,
                        shape_send_elements(&source));
        assert_int_equal(origin.element % shape->block, 0);
        for (int p = 0; p < source.peers.nsend; p++)
            to_here += source.peers.send_to[p] == shape->rank;
    }
    if (operation_is_p2p(shape->operation)) {
        assert_int_equal(origin.nranks, 1);
        assert_in_range(to_here, 1, PEERS_MOST);
    }
}

static void check_origins(const struct operation *operation,
                          const struct pattern *pattern, int nranks, uint64_t window)
{
    for (int rank = 0; rank < nranks; rank++) {
        struct shape shape;

        shape_of(&shape, operation, pattern, rank, nranks, 100, 4, window, nranks - 2);
        for (uint64_t block = 0; block < shape.recv_blocks; block++)
            check_origin(&shape, pattern, block);
    }
}

static void test_origins_exist(void **state)
{
    const struct operation *row;
    const struct pattern *pattern;

    (void)state;
    for (size_t i = 0; (row = operation_get(i)); i++)
        for (int n = 2; n <= 9; n++)
            for (size_t j = 0; (pattern = pattern_get(j)); j++)
                for (uint64_t window = 1; window <= 5; window += 2)
                    check_origins(row, pattern, n, operation_is_p2p(row) ? window : 1);
}

/* On rank 3 of five, with root 4; block r of the result. */
static const struct {
    const char *operation;
    int first_rank[5], nranks; /* those whose data it is */
    uint64_t blocks, element[5];
} origins[] = {
    {"allreduce", {0}, 5, 1, {0}},
    {"allgather", {0, 1, 2, 3, 4}, 1, 5, {0}},
    {"reducescatter", {0}, 5, 1, {3}},
    {"alltoall", {0, 1, 2, 3, 4}, 1, 5, {3, 3, 3, 3, 3}},
    {"broadcast", {4}, 1, 1, {0}},
};

static void test_origins_of_collectives(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(origins); i++) {
        struct shape shape;

        shape_of(&shape, operation_find(origins[i].operation), NULL, 3, 5, 40, 8, 1, 4);
        assert_int_equal(shape.recv_blocks, origins[i].blocks);
        for (uint64_t block = 0; block < shape.recv_blocks; block++) {
            struct origin origin = shape.operation->origin(&shape, block);

            assert_int_equal(origin.first_rank, origins[i].first_rank[block]);
            assert_int_equal(origin.nranks, origins[i].nranks);
            assert_int_equal(origin.element, origins[i].element[block]);
        }
    }
}

/* The receive buffer holds all of the first peer's messages in their order, then those of
 * the next: as receives are posted. */
static void test_origins_of_messages(void **state)
{
    enum { WINDOW = 4 };
    struct shape shape;

    (void)state;
    shape_of(&shape, operation_find("twoway"), pattern_named("ring"), 2, 5, 24, 8, WINDOW,
             0);
    assert_int_equal(shape.recv_blocks, 2 * WINDOW);
    for (uint64_t block = 0; block < shape.recv_blocks; block++) {
        struct origin origin = shape.operation->origin(&shape, block);

        assert_int_equal(origin.first_rank, block < WINDOW ? 1 : 3);
        assert_int_equal(origin.element, block % WINDOW * 3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes_are_whole_blocks),
        cmocka_unit_test(test_rounding_is_least),
        cmocka_unit_test(test_elements_of_collectives),
        cmocka_unit_test(test_inputs_in_place),
        cmocka_unit_test(test_elements_of_messages),
        cmocka_unit_test(test_origins_exist),
        cmocka_unit_test(test_origins_of_collectives),
        cmocka_unit_test(test_origins_of_messages),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
