/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "buffers.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define BYTES_MOST   (UINT64_C(1) << 50) /* as in config.c and plan.c */

enum { POINTS_MOST = 3, PAIR = 0, RING = 1 }; /* rows of patterns.c */

struct part {
    const char *operation; /* NULL after the last */
    size_t pattern;
    enum datatype_id datatype;
    uint64_t bytes, window;
};

/* clang-format off */
static const struct {
    struct part parts[POINTS_MOST + 1];
    int rank, nranks;
    uint64_t send, recv;
} needs[] = {
    {{{0}}, 0, 3, 0, 0},
    {{{"allreduce", PAIR, DATATYPE_FLOAT, 3000, 1}}, 1, 3, 3000, 3000},
    {{{"allgather", PAIR, DATATYPE_DOUBLE, 2400, 1}}, 1, 3, 800, 2400},
    {{{"oneway", PAIR, DATATYPE_INT8, 3000, 5}}, 0, 3, 15000, 0},
    {{{"oneway", PAIR, DATATYPE_INT8, 3000, 5}}, 1, 3, 0, 15000},
    {{{"oneway", PAIR, DATATYPE_INT8, 3000, 5}}, 2, 3, 0, 0},
    {{{"twoway", RING, DATATYPE_INT64, 3000, 5}}, 2, 3, 15000, 30000},
    /* The largest of each kind, wherever it stands. */
    {{{"allgather", PAIR, DATATYPE_FLOAT, 3000, 1},
      {"allreduce", PAIR, DATATYPE_INT8, 2000, 1},
      {"allreduce", PAIR, DATATYPE_INT8, 500, 1}}, 0, 3, 2000, 3000},
    {{{"oneway", PAIR, DATATYPE_INT8, 10, 500},
      {"pingpong", PAIR, DATATYPE_INT8, 3000, 1},
      {"pingpong", PAIR, DATATYPE_INT8, 8, 1}}, 0, 2, 5000, 3000},
    /* The most that plan_make lets through. */
    {{{"twoway", RING, DATATYPE_INT8, BYTES_MOST, 1}}, 0, 3, BYTES_MOST, 2 * BYTES_MOST},
    {{{"twoway", RING, DATATYPE_DOUBLE, BYTES_MOST / 65536, 65536}}, 0, 3, BYTES_MOST,
     2 * BYTES_MOST},
};
/* clang-format on */

static void plan_of(struct plan *plan, struct point points[POINTS_MOST],
                    const struct part *parts)
{
    *plan = (struct plan){.points = points};
    for (; parts->operation; parts++)
        points[plan->count++] = (struct point){
            .operation = operation_find(parts->operation),
            .pattern = pattern_get(parts->pattern),
            .datatype = parts->datatype,
            .bytes = parts->bytes,
            .window = parts->window,
        };
}

static void test_need(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(needs); i++) {
        struct point points[POINTS_MOST];
        uint64_t send = 77, recv = 77;
        struct plan plan;

        plan_of(&plan, points, needs[i].parts);
        buffers_need(&plan, needs[i].rank, needs[i].nranks, &send, &recv);
        assert_int_equal(send, needs[i].send);
        assert_int_equal(recv, needs[i].recv);
        /* All buffers of a thousand ranks of one host still add up. */
        assert_in_range(send + recv, 0, UINT64_MAX / BUFFER_SLOTS / 1000);
    }
}

/* Memory that is counted, and that runs out. */
struct stock {
    int left; /* allocations until there is no more */
    int live; /* not yet freed */
    size_t bytes[2 * BUFFER_SLOTS];
};

static void *stock_alloc(struct backend *backend, size_t bytes, struct err *err)
{
    struct stock *stock = backend->state;

    if (stock->left-- == 0) {
        err_set(err, EXIT_CODE_FAILURE, "the stock is empty");
        return NULL;
    }
    assert_in_range(stock->live, 0, COUNT(stock->bytes) - 1);
    stock->bytes[stock->live++] = bytes;
    return malloc(bytes + 1);
}

static void stock_free(struct backend *backend, void *buffer)
{
    struct stock *stock = backend->state;

    assert_non_null(buffer);
    stock->live--;
    free(buffer);
}

static const struct backend_type stock_type = {.alloc = stock_alloc, .free = stock_free};

enum { SEND = 1000, RECV = 3000, KINDS = 2 * BUFFER_SLOTS };

/* Every buffer is memory of its own, all of it. */
static void test_open(void **state)
{
    struct stock stock = {.left = KINDS};
    struct backend backend = {.type = &stock_type, .state = &stock};
    struct buffers buffers;
    struct err err = {0};
    int sends = 0;

    (void)state;
    assert_int_equal(buffers_open(&buffers, &backend, SEND, RECV, &err), 0);
    assert_int_equal(stock.live, KINDS);
    for (int i = 0; i < KINDS; i++)
        sends += stock.bytes[i] == SEND;
    assert_int_equal(sends, BUFFER_SLOTS);
    for (int slot = 0; slot < BUFFER_SLOTS; slot++) {
        memset(buffers.send[slot], 1 + slot, SEND);
        memset(buffers.recv[slot], 101 + slot, RECV);
    }
    for (int slot = 0; slot < BUFFER_SLOTS; slot++) {
        for (int at = 0; at < SEND; at++)
            assert_int_equal(((unsigned char *)buffers.send[slot])[at], 1 + slot);
        for (int at = 0; at < RECV; at++)
            assert_int_equal(((unsigned char *)buffers.recv[slot])[at], 101 + slot);
    }
    buffers_close(&buffers, &backend);
    assert_int_equal(stock.live, 0);
    buffers_close(&buffers, &backend); /* of what is closed: nothing happens */
    assert_int_equal(stock.live, 0);
}

/* Whichever allocation fails: close frees those that did not. */
static void test_open_without_memory(void **state)
{
    (void)state;
    for (int left = 0; left < KINDS; left++) {
        struct stock stock = {.left = left};
        struct backend backend = {.type = &stock_type, .state = &stock};
        struct buffers buffers;
        struct err err = {0};

        memset(&buffers, 0x55, sizeof buffers);
        assert_int_equal(buffers_open(&buffers, &backend, SEND, RECV, &err), -1);
        assert_int_equal(err.code, EXIT_CODE_FAILURE);
        assert_string_equal(err.text, "the stock is empty");
        assert_int_equal(stock.live, left);
        buffers_close(&buffers, &backend);
        assert_int_equal(stock.live, 0);
    }
}

/* A rank that takes no part has buffers, too: no backend is given a NULL. */
static void test_host_memory_of_no_bytes(void **state)
{
    struct world world;
    struct backend backend = {.type = backend_type_get(0), .world = &world};
    struct buffers buffers;
    struct err err = {0};

    (void)state;
    world_open_single(&world);
    assert_int_equal(buffers_open(&buffers, &backend, 0, 0, &err), 0);
    for (int slot = 0; slot < BUFFER_SLOTS; slot++) {
        assert_non_null(buffers.send[slot]);
        assert_non_null(buffers.recv[slot]);
    }
    buffers_close(&buffers, &backend);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_need),
        cmocka_unit_test(test_open),
        cmocka_unit_test(test_open_without_memory),
        cmocka_unit_test(test_host_memory_of_no_bytes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
