/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "slots.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define MIB          (UINT64_C(1) << 20)

static const enum datatype_id types[] = {DATATYPE_INT8, DATATYPE_FLOAT, DATATYPE_DOUBLE};
static const uint64_t bytes_asked[] = {
    1, 8, 100, 4095, 4096, 4097, 1000000, 16 * MIB, 40 * MIB, 100 * MIB, 3000 * MIB};
static const uint64_t caches[] = {0, 1, 128, 4096, MIB, 33 * MIB, 1024 * MIB};
static const int worlds[] = {1, 2, 3, 8};

/* A point as plan_make would make it. */
static struct point point_of(const struct operation *operation,
                             const struct pattern *pattern, enum datatype_id type,
                             uint64_t bytes, uint64_t window, int nranks)
{
    struct point point = {
        .operation = operation,
        .pattern = pattern,
        .datatype = type,
        .window = pattern && !operation->single ? window : 1,
        .root = nranks - 1,
    };
    size_t element = datatype_get(type)->bytes;
    struct shape shape;

    shape_of(&shape, operation, point.pattern, 0, nranks, bytes, element, point.window,
             point.root);
    point.bytes = shape_bytes(&shape, element);
    if (!operation_moves_data(operation))
        point.bytes = point.window = 0;
    return point;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Slots do not overlap and start on lines of their own; in place, what is sent lies in
 * what is received. */
static void check_strides(const struct slots *slots, const struct point *point,
                          const struct shape *shape)
{
    uint64_t element = datatype_get(point->datatype)->bytes;
    uint64_t send = shape_send_elements(shape) * element;
    uint64_t recv = shape_recv_elements(shape) * element;

    if (point->placement == PLACEMENT_IN_PLACE) {
        assert_int_equal(slots->send_stride, 0);
        recv = larger(recv, shape_input_element(shape) * element + send);
    } else {
        assert_in_range(slots->send_stride, send, send + 4095);
        assert_int_equal(slots->send_stride % 128, 0);
    }
    assert_in_range(slots->recv_stride, recv, recv + 4095);
    assert_int_equal(slots->recv_stride % 128, 0);
}

/* What else is touched before a buffer's next turn does not fit into the cache with it,
 * unless there are as many slots as there can be. */
static void check_cold(const struct slots *slots, uint64_t cache_bytes)
{
    uint64_t stride = larger(slots->send_stride, slots->recv_stride);

    if (stride == 0 || slots->count == SLOTS_MOST)
        return;
    assert_true((slots->count - 1) * stride >= cache_bytes);
}

/* Cold costs a few caches' worth of memory, or two buffers. */
static void check_memory(const struct slots *slots, uint64_t cache_bytes)
{
    uint64_t stride = larger(slots->send_stride, slots->recv_stride);

    if (slots->count > SLOTS_LEAST)
        assert_in_range(slots->count * stride, 0, 2 * (2 * cache_bytes + 2 * stride));
}

/* The count is the same on all ranks of a point. */
static void check_point(const struct point *point, int nranks, enum cache cache,
                        uint64_t cache_bytes)
{
    uint64_t count = 0;

    for (int rank = 0; rank < nranks; rank++) {
        struct shape shape;
        struct slots slots;

        memset(&slots, 0x55, sizeof slots);
        plan_shape(point, rank, nranks, &shape);
        slots_of(&slots, point, &shape, cache, cache_bytes);
        assert_in_range(slots.count, SLOTS_LEAST, SLOTS_MOST);
        assert_int_equal(slots.count, rank > 0 ? count : slots.count);
        count = slots.count;
        check_strides(&slots, point, &shape);
        if (cache == CACHE_COLD)
            check_cold(&slots, cache_bytes);
        else if (point->placement == PLACEMENT_OUT_OF_PLACE ||
                 point->timing == TIMING_ISOLATED)
            assert_int_equal(slots.count, SLOTS_LEAST);
        if (point->placement == PLACEMENT_OUT_OF_PLACE)
            check_memory(&slots, cache_bytes);
    }
}

static void check_ways(struct point point, int nranks)
{
    for (int timing = 0; timing < TIMING_COUNT; timing++)
        for (int placement = 0; placement <= point.operation->in_place; placement++) {
            point.timing = (enum timing)timing;
            point.placement = (enum placement)placement;
            for (size_t c = 0; c < COUNT(caches); c++) {
                check_point(&point, nranks, CACHE_WARM, caches[c]);
                check_point(&point, nranks, CACHE_COLD, caches[c]);
            }
        }
}

static void check_sizes(const struct operation *operation, const struct pattern *pattern,
                        uint64_t window)
{
    for (size_t n = 0; n < COUNT(worlds); n++) {
        int nranks = worlds[n];

        if (pattern && nranks < pattern->min_ranks)
            continue;
        for (size_t b = 0; b < COUNT(bytes_asked); b++)
            for (size_t t = 0; t < COUNT(types); t++)
                check_ways(point_of(operation, pattern, types[t], bytes_asked[b], window,
                                    nranks),
                           nranks);
    }
}

/* All operations, ranks, patterns, sizes, timings, placements and caches. */
static void test_points(void **state)
{
    const struct operation *operation;
    const struct pattern *pattern;

    (void)state;
    for (size_t i = 0; (operation = operation_get(i)); i++) {
        if (!operation_is_p2p(operation))
            check_sizes(operation, NULL, 1);
        for (size_t p = 0; operation_is_p2p(operation) && (pattern = pattern_get(p)); p++)
            if (!operation->single || pattern->pairs) {
                check_sizes(operation, pattern, 1);
                check_sizes(operation, pattern, 64);
            }
    }
}

/* clang-format off */
static const struct {
    const char *operation;
    enum timing timing;
    enum placement placement;
    uint64_t bytes;
    enum cache cache;
    uint64_t cache_bytes;
    struct slots slots; /* of rank 1 of 4 */
} cases[] = {
    {"allreduce", TIMING_ISOLATED, PLACEMENT_OUT_OF_PLACE, 8, CACHE_WARM, MIB, {2, 128, 128}},
    {"allreduce", TIMING_STREAMING, PLACEMENT_OUT_OF_PLACE, 4000, CACHE_WARM, MIB,
     {2, 4096, 4096}},
    {"allgather", TIMING_ISOLATED, PLACEMENT_OUT_OF_PLACE, 4004, CACHE_WARM, MIB,
     {2, 1024, 4096}},
    {"reducescatter", TIMING_ISOLATED, PLACEMENT_OUT_OF_PLACE, 40000, CACHE_WARM, MIB,
     {2, 40960, 12288}},
    {"barrier", TIMING_ISOLATED, PLACEMENT_OUT_OF_PLACE, 0, CACHE_COLD, MIB, {2, 0, 0}},
    {"broadcast", TIMING_ISOLATED, PLACEMENT_OUT_OF_PLACE, 4096, CACHE_WARM, MIB,
     {2, 4096, 0}}, /* the root */
    /* Twice the cache: 256 slots of 8 KiB each, and one more. */
    {"allreduce", TIMING_ISOLATED, PLACEMENT_OUT_OF_PLACE, 8192, CACHE_COLD, MIB,
     {257, 8192, 8192}},
    {"allreduce", TIMING_ISOLATED, PLACEMENT_OUT_OF_PLACE, 2 * MIB, CACHE_COLD, MIB,
     {2, 2 * MIB, 2 * MIB}},
    {"allreduce", TIMING_ISOLATED, PLACEMENT_OUT_OF_PLACE, 8, CACHE_COLD, 1024 * MIB,
     {65536, 128, 128}},
    {"allreduce", TIMING_ISOLATED, PLACEMENT_IN_PLACE, 8, CACHE_WARM, MIB, {2, 0, 128}},
    {"allgather", TIMING_ISOLATED, PLACEMENT_IN_PLACE, 4096, CACHE_WARM, MIB, {2, 0, 4096}},
    {"reducescatter", TIMING_ISOLATED, PLACEMENT_IN_PLACE, 40000, CACHE_WARM, MIB,
     {2, 0, 40960}},
    /* A batch in place takes a slot for each repetition: 64 MiB of them, if not two, and
     * no more than the quickest batch has. */
    {"allreduce", TIMING_STREAMING, PLACEMENT_IN_PLACE, MIB, CACHE_WARM, MIB, {64, 0, MIB}},
    {"allreduce", TIMING_STREAMING, PLACEMENT_IN_PLACE, 8, CACHE_WARM, MIB, {8192, 0, 128}},
    {"allreduce", TIMING_STREAMING, PLACEMENT_IN_PLACE, 8, CACHE_COLD, MIB, {16385, 0, 128}},
    {"allreduce", TIMING_STREAMING, PLACEMENT_IN_PLACE, 64 * MIB, CACHE_WARM, MIB,
     {2, 0, 64 * MIB}},
    {"alltoall", TIMING_STREAMING, PLACEMENT_IN_PLACE, MIB, CACHE_COLD, 100 * MIB,
     {201, 0, MIB}},
    {"alltoall", TIMING_STREAMING, PLACEMENT_IN_PLACE, MIB, CACHE_COLD, MIB, {64, 0, MIB}},
};
/* clang-format on */

static void test_cases(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct point point = {
            .operation = operation_find(cases[i].operation),
            .datatype = DATATYPE_FLOAT,
            .timing = cases[i].timing,
            .placement = cases[i].placement,
            .bytes = cases[i].bytes,
            .window = 1,
            .root = 1,
        };
        struct shape shape;
        struct slots slots;

        plan_shape(&point, 1, 4, &shape);
        slots_of(&slots, &point, &shape, cases[i].cache, cases[i].cache_bytes);
        assert_int_equal(slots.count, cases[i].slots.count);
        assert_int_equal(slots.send_stride, cases[i].slots.send_stride);
        assert_int_equal(slots.recv_stride, cases[i].slots.recv_stride);
    }
}

/* No cache is larger than memory, and none smaller than a page; 0: the host does not
 * say. */
static void test_cache_of_this_host(void **state)
{
    uint64_t bytes = slots_cache_bytes();

    (void)state;
    if (bytes > 0)
        assert_in_range(bytes, 4096, UINT64_C(1) << 36);
    assert_int_equal(bytes, slots_cache_bytes());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases),
        cmocka_unit_test(test_points),
        cmocka_unit_test(test_cache_of_this_host),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
