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

#define OUT      PLACEMENT_OUT_OF_PLACE
#define IN_PLACE PLACEMENT_IN_PLACE

/* clang-format off */
static const struct {
    struct part parts[POINTS_MOST + 1];
    int rank, nranks;
    enum cache cache;
    enum placement placement; /* of all of them */
    struct buffers_need need;
} needs[] = {
    {{{0}}, 0, 3, CACHE_WARM, OUT, {0, 0, 0}},
    /* Two slots each, on lines of 128 bytes, or pages. */
    {{{"allreduce", PAIR, DATATYPE_FLOAT, 3000, 1}}, 1, 3, CACHE_WARM, OUT, {6144, 6144, 2}},
    {{{"allgather", PAIR, DATATYPE_DOUBLE, 2400, 1}}, 1, 3, CACHE_WARM, OUT, {1792, 4864, 2}},
    {{{"allgather", PAIR, DATATYPE_DOUBLE, 24000, 1}}, 1, 3, CACHE_WARM, OUT, {16384, 49152, 2}},
    {{{"oneway", PAIR, DATATYPE_INT8, 3000, 5}}, 0, 3, CACHE_WARM, OUT, {32768, 0, 2}},
    {{{"oneway", PAIR, DATATYPE_INT8, 3000, 5}}, 1, 3, CACHE_WARM, OUT, {0, 32768, 2}},
    {{{"oneway", PAIR, DATATYPE_INT8, 3000, 5}}, 2, 3, CACHE_WARM, OUT, {0, 0, 2}},
    {{{"twoway", RING, DATATYPE_INT64, 3000, 5}}, 2, 3, CACHE_WARM, OUT, {32768, 65536, 2}},
    {{{"barrier", PAIR, DATATYPE_INT8, 0, 0}}, 0, 3, CACHE_COLD, OUT, {0, 0, 2}},
    /* 1 MiB of cache twice, in slots of 128 bytes, and one more. */
    {{{"allreduce", PAIR, DATATYPE_FLOAT, 8, 1}}, 1, 3, CACHE_COLD, OUT,
     {16385 * 128, 16385 * 128, 16385}},
    {{{"allreduce", PAIR, DATATYPE_FLOAT, 8, 1}}, 1, 3, CACHE_COLD, IN_PLACE,
     {0, 16385 * 128, 16385}},
    {{{"reducescatter", PAIR, DATATYPE_FLOAT, 3000, 1}}, 1, 3,
     CACHE_WARM, IN_PLACE, {0, 6144, 2}},
    /* The most of each kind, wherever it stands. */
    {{{"allgather", PAIR, DATATYPE_FLOAT, 3000, 1},
      {"allreduce", PAIR, DATATYPE_INT8, 2000, 1},
      {"allreduce", PAIR, DATATYPE_INT8, 500, 1}}, 0, 3, CACHE_WARM, OUT, {4096, 6144, 2}},
    {{{"oneway", PAIR, DATATYPE_INT8, 10, 500},
      {"pingpong", PAIR, DATATYPE_INT8, 3000, 1},
      {"pingpong", PAIR, DATATYPE_INT8, 8, 1}}, 0, 2, CACHE_WARM, OUT, {16384, 6144, 2}},
    /* Many small slots need less than two large ones. */
    {{{"allreduce", PAIR, DATATYPE_INT8, 128, 1},
      {"allreduce", PAIR, DATATYPE_INT8, 8 << 20, 1}}, 0, 3, CACHE_COLD, OUT,
     {16 << 20, 16 << 20, 16385}},
    /* The most that plan_make lets through. */
    {{{"twoway", RING, DATATYPE_INT8, BYTES_MOST, 1}}, 0, 3, CACHE_COLD, OUT,
     {2 * BYTES_MOST, 4 * BYTES_MOST, 2}},
    {{{"twoway", RING, DATATYPE_DOUBLE, BYTES_MOST / 65536, 65536}}, 0, 3, CACHE_COLD, OUT,
     {2 * BYTES_MOST, 4 * BYTES_MOST, 2}},
};
/* clang-format on */

static void plan_of(struct plan *plan, struct point points[POINTS_MOST],
                    const struct part *parts, enum placement placement)
{
    *plan = (struct plan){.points = points, .cache_bytes = 1 << 20};
    for (; parts->operation; parts++)
        points[plan->count++] = (struct point){
            .operation = operation_find(parts->operation),
            .pattern = pattern_get(parts->pattern),
            .datatype = parts->datatype,
            .bytes = parts->bytes,
            .window = parts->window,
            .placement = placement,
        };
}

static void test_need(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(needs); i++) {
        const struct config config = {.cache = needs[i].cache};
        struct point points[POINTS_MOST];
        struct buffers_need need;
        struct plan plan;

        memset(&need, 0x55, sizeof need);
        plan_of(&plan, points, needs[i].parts, needs[i].placement);
        buffers_need(&plan, &config, needs[i].rank, needs[i].nranks, &need);
        assert_int_equal(need.send_bytes, needs[i].need.send_bytes);
        assert_int_equal(need.recv_bytes, needs[i].need.recv_bytes);
        assert_int_equal(need.slots, needs[i].need.slots);
        /* All buffers of a thousand ranks of one host still add up. */
        assert_in_range(need.send_bytes + need.recv_bytes, 0, UINT64_MAX / 1000);
    }
}

enum { SEND = 1000, RECV = 3000, ARENAS = 2 };

/* Memory that is counted, and that runs out. */
struct stock {
    int left; /* allocations until there is no more */
    int live; /* not yet freed */
    size_t bytes[ARENAS];
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

static const struct buffers_need some = {.send_bytes = SEND, .recv_bytes = RECV};

/* One arena to send from and one to receive into, all of it memory of its own. */
static void test_open(void **state)
{
    struct stock stock = {.left = ARENAS};
    struct backend backend = {.type = &stock_type, .state = &stock};
    struct buffers buffers;
    struct err err = {0};

    (void)state;
    assert_int_equal(buffers_open(&buffers, &backend, &some, &err), 0);
    assert_int_equal(stock.live, ARENAS);
    assert_int_equal(stock.bytes[0] + stock.bytes[1], SEND + RECV);
    assert_true(stock.bytes[0] == SEND || stock.bytes[1] == SEND);
    memset(buffers.send, 1, SEND);
    memset(buffers.recv, 2, RECV);
    for (int at = 0; at < SEND; at++)
        assert_int_equal(((unsigned char *)buffers.send)[at], 1);
    for (int at = 0; at < RECV; at++)
        assert_int_equal(((unsigned char *)buffers.recv)[at], 2);
    buffers_close(&buffers, &backend);
    assert_int_equal(stock.live, 0);
    buffers_close(&buffers, &backend); /* of what is closed: nothing happens */
    assert_int_equal(stock.live, 0);
}

/* Whichever allocation fails: close frees those that did not. */
static void test_open_without_memory(void **state)
{
    (void)state;
    for (int left = 0; left < ARENAS; left++) {
        struct stock stock = {.left = left};
        struct backend backend = {.type = &stock_type, .state = &stock};
        struct buffers buffers;
        struct err err = {0};

        memset(&buffers, 0x55, sizeof buffers);
        assert_int_equal(buffers_open(&buffers, &backend, &some, &err), -1);
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
    assert_int_equal(buffers_open(&buffers, &backend, &(struct buffers_need){0}, &err),
                     0);
    assert_non_null(buffers.send);
    assert_non_null(buffers.recv);
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
