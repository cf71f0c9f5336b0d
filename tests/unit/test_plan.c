/* SPDX-License-Identifier: BSD-3-Clause */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "plan.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define KIB          UINT64_C(1024)
#define TIB          (UINT64_C(1) << 40)
#define BYTES_MOST   (UINT64_C(1) << 50) /* as in config.c */

/* What the option tables say, and then what a test wants otherwise. */
static struct config config_default(void)
{
    struct config config;
    struct err err = {0};
    const struct option_set sets[] = {
        {config_options, config_options_count, &config},
        {config_collective_options, config_collective_options_count, &config},
        {config_p2p_options, config_p2p_options_count, &config},
    };

    memset(&config, 0, sizeof config);
    assert_int_equal(options_defaults(sets, COUNT(sets), NULL, &err), 0);
    return config;
}

static uint64_t bit(unsigned index)
{
    return UINT64_C(1) << index;
}

/* The bit of a name among the choices of an option. */
static uint64_t bit_of(const char *(*choice)(size_t index), const char *name)
{
    for (unsigned i = 0; choice(i); i++)
        if (strcmp(choice(i), name) == 0)
            return bit(i);
    fail_msg("no choice %s", name);
    return 0;
}

/* names: of operations, with spaces. */
static int make(struct plan *plan, const struct config *config, const char *names,
                int nranks, struct err *err)
{
    const struct operation *operations[8];
    char copy[80];
    size_t count = 0;

    snprintf(copy, sizeof copy, "%s", names);
    for (char *name = strtok(copy, " "); name; name = strtok(NULL, " "))
        operations[count++] = operation_find(name);
    operations[count] = NULL;
    memset(plan, 0x55, sizeof *plan);
    memset(err, 0, sizeof *err);
    return plan_make(plan, config, operations, nranks, err);
}

static void make_good(struct plan *plan, const struct config *config, const char *names,
                      int nranks)
{
    struct err err;

    if (make(plan, config, names, nranks, &err) != 0)
        fail_msg("refused: %s", err.text);
    assert_int_equal(err.code, 0);
}

static const struct {
    uint64_t min, max, factor, step;
    struct size_list list;
    size_t count;
    uint64_t sizes[8]; /* as planned */
} ladders[] = {
    {8, 64, 2, 0, {0}, 4, {8, 16, 32, 64}},
    {8, 63, 2, 0, {0}, 3, {8, 16, 32}},
    {8, 8, 2, 0, {0}, 1, {8}},
    {1, 1000, 10, 0, {0}, 4, {1, 10, 100, 1000}},
    {3, 100, 3, 0, {0}, 4, {3, 9, 27, 81}},
    {100, 200, 8192, 0, {0}, 1, {100}},
    /* A step replaces the factor. */
    {8, 40, 2, 8, {0}, 5, {8, 16, 24, 32, 40}},
    {8, 39, 2, 8, {0}, 4, {8, 16, 24, 32}},
    {5, 5, 2, 1, {0}, 1, {5}},
    {1, 10, 2, BYTES_MOST, {0}, 1, {1}},
    /* A list replaces all of it, in the order of the list. */
    {8, 64, 2, 8, {3, {1000, 1, 7}}, 3, {1000, 1, 7}},
    {8, 64, 2, 0, {2, {BYTES_MOST, 4096}}, 2, {BYTES_MOST, 4096}},
    {64, 8, 2, 0, {1, {5}}, 1, {5}},
    /* The ends of the range. */
    {BYTES_MOST, BYTES_MOST, 8192, 0, {0}, 1, {BYTES_MOST}},
    {BYTES_MOST / 2, BYTES_MOST, 2, 0, {0}, 2, {BYTES_MOST / 2, BYTES_MOST}},
    {BYTES_MOST, BYTES_MOST, 2, BYTES_MOST, {0}, 1, {BYTES_MOST}},
    {1, BYTES_MOST, 8192, 0, {0}, 4, {1, 8192, 8192 * 8192, BYTES_MOST / 2048}},
};

static void test_sizes(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(ladders); i++) {
        struct config config = config_default();
        struct plan plan;

        config.min_bytes = ladders[i].min;
        config.max_bytes = ladders[i].max;
        config.factor = ladders[i].factor;
        config.step = ladders[i].step;
        config.sizes = ladders[i].list;
        config.datatypes = bit(DATATYPE_INT8);
        make_good(&plan, &config, "allreduce", 4);
        assert_int_equal(plan.count, ladders[i].count);
        for (size_t p = 0; p < plan.count; p++)
            assert_int_equal(plan.points[p].bytes, ladders[i].sizes[p]);
        assert_int_equal(plan.rounded, 0);
        plan_free(&plan);
        assert_null(plan.points);
        assert_int_equal(plan.count, 0);
    }
}

static const struct {
    const char *operation;
    int nranks;
    enum datatype_id datatype;
    struct size_list list;
    size_t count;
    uint64_t sizes[6], rounded;
} roundings[] = {
    {"allreduce", 3, DATATYPE_INT64, {3, {8, 9, 16}}, 2, {8, 16}, 1},
    {"allreduce", 3, DATATYPE_INT8, {3, {8, 9, 16}}, 3, {8, 9, 16}, 0},
    {"allgather", 3, DATATYPE_FLOAT, {4, {1, 12, 13, 24}}, 2, {12, 24}, 2},
    {"allgather", 72, DATATYPE_DOUBLE, {3, {8, 64, 577}}, 2, {576, 1152}, 3},
    /* What comes between is no reason to leave out a size that was asked for again. */
    {"allgather", 3, DATATYPE_FLOAT, {3, {12, 24, 12}}, 3, {12, 24, 12}, 0},
    {"reducescatter", 3, DATATYPE_FLOAT, {4, {1, 12, 13, 24}}, 2, {12, 24}, 2},
    {"alltoall", 3, DATATYPE_FLOAT, {4, {1, 12, 13, 24}}, 2, {12, 24}, 2},
    {"broadcast", 3, DATATYPE_INT64, {3, {8, 9, 16}}, 2, {8, 16}, 1},
    {"allgather", 3, DATATYPE_INT8, {1, {BYTES_MOST}}, 1, {BYTES_MOST + 2}, 1},
};

static void test_rounding(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(roundings); i++) {
        struct config config = config_default();
        struct plan plan;

        config.sizes = roundings[i].list;
        config.datatypes = bit(roundings[i].datatype);
        make_good(&plan, &config, roundings[i].operation, roundings[i].nranks);
        assert_int_equal(plan.count, roundings[i].count);
        for (size_t p = 0; p < plan.count; p++)
            assert_int_equal(plan.points[p].bytes, roundings[i].sizes[p]);
        assert_int_equal(plan.rounded, roundings[i].rounded);
        plan_free(&plan);
    }
}

/* Operation, timing, placement, type, reduction, size: the last turns fastest. */
static void test_order_of_collectives(void **state)
{
    struct config config = config_default();
    struct plan plan;
    size_t at = 0;

    (void)state;
    config.sizes = (struct size_list){2, {64, 8}};
    config.datatypes = bit(DATATYPE_DOUBLE) | bit(DATATYPE_INT8);
    config.ops = bit(OP_MAX) | bit(OP_PROD);
    config.timings = bit(TIMING_STREAMING) | bit(TIMING_ISOLATED);
    config.placements = bit(PLACEMENT_COUNT) - 1;
    make_good(&plan, &config, "allgather allreduce", 2);
    assert_int_equal(plan.count, 2 * 2 * 2 * 2 + 2 * 2 * 2 * 2 * 2);
    for (size_t i = 0; i < 16; i++, at++)
        assert_string_equal(plan.points[at].operation->name, "allgather");
    for (int i = 0; i < 32; i++, at++) {
        const struct point *point = &plan.points[at];

        assert_string_equal(point->operation->name, "allreduce");
        assert_null(point->pattern);
        assert_int_equal(point->timing, i & 16 ? TIMING_STREAMING : TIMING_ISOLATED);
        assert_int_equal(point->placement,
                         i & 8 ? PLACEMENT_IN_PLACE : PLACEMENT_OUT_OF_PLACE);
        assert_int_equal(point->datatype, i & 4 ? DATATYPE_DOUBLE : DATATYPE_INT8);
        assert_int_equal(point->op, i & 2 ? OP_MAX : OP_PROD);
        assert_int_equal(point->bytes, i & 1 ? 8 : 64);
        assert_int_equal(point->window, 1);
    }
    plan_free(&plan);
}

static void test_everything(void **state)
{
    struct config config = config_default();
    struct plan plan;

    (void)state;
    config.sizes = (struct size_list){1, {64}};
    config.datatypes = bit(DATATYPE_COUNT) - 1;
    config.ops = bit(OP_COUNT) - 1;
    config.timings = bit(TIMING_COUNT) - 1;
    config.placements = bit(PLACEMENT_COUNT) - 1;
    config.patterns = UINT64_MAX;
    make_good(&plan, &config, "reducescatter broadcast barrier oneway pingpong", 2);
    /* Only the first can be in place, a barrier has no types, and the ping-pong knows one
     * pattern of the two. */
    assert_int_equal(plan.count,
                     TIMING_COUNT *
                         (DATATYPE_COUNT * (PLACEMENT_COUNT * OP_COUNT + 1 + 2 + 1) + 1));
    plan_free(&plan);
}

/* What is measured of an operation when these placements are asked for. */
static const struct {
    const char *operation;
    bool asked[PLACEMENT_COUNT];
    bool planned[PLACEMENT_COUNT];
} placements[] = {
    {"allreduce", {true, false}, {true, false}},
    {"allreduce", {false, true}, {false, true}},
    {"alltoall", {true, true}, {true, true}},
    /* These know one way only: what is asked for does not matter. */
    {"broadcast", {false, true}, {true, false}},
    {"broadcast", {true, true}, {true, false}},
    {"barrier", {false, true}, {true, false}},
    {"twoway", {false, true}, {true, false}},
};

static void test_placements(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(placements); i++) {
        struct config config = config_default();
        bool planned[PLACEMENT_COUNT] = {false};
        struct plan plan;

        config.sizes = (struct size_list){1, {64}};
        config.placements = 0;
        for (unsigned p = 0; p < PLACEMENT_COUNT; p++)
            config.placements |= placements[i].asked[p] ? bit(p) : 0;
        make_good(&plan, &config, placements[i].operation, 3);
        for (size_t p = 0; p < plan.count; p++) {
            assert_false(planned[plan.points[p].placement]);
            planned[plan.points[p].placement] = true;
        }
        assert_memory_equal(planned, placements[i].planned, sizeof planned);
        plan_free(&plan);
    }
}

/* One point for each timing, whatever sizes, types and reductions are asked for. */
static void test_barrier(void **state)
{
    struct config config = config_default();
    struct plan plan;

    (void)state;
    config.datatypes = bit(DATATYPE_COUNT) - 1;
    config.ops = bit(OP_COUNT) - 1;
    config.timings = bit(TIMING_COUNT) - 1;
    make_good(&plan, &config, "barrier", 3);
    assert_int_equal(plan.count, TIMING_COUNT);
    for (size_t i = 0; i < plan.count; i++) {
        struct shape shape;

        assert_int_equal(plan.points[i].timing, i);
        assert_int_equal(plan.points[i].bytes, 0);
        plan_shape(&plan.points[i], 1, 3, &shape);
        assert_int_equal(shape_send_elements(&shape), 0);
        assert_int_equal(shape_recv_elements(&shape), 0);
    }
    assert_int_equal(plan.rounded, 0);
    plan_free(&plan);
}

/* The root reaches points and shapes, and turns who sends. */
static void test_roots(void **state)
{
    (void)state;
    for (int root = 0; root < 3; root++) {
        struct config config = config_default();
        struct plan plan;

        config.sizes = (struct size_list){1, {64}};
        config.root = (uint64_t)root;
        make_good(&plan, &config, "broadcast", 3);
        assert_int_equal(plan.count, 1);
        assert_int_equal(plan.points[0].root, root);
        assert_int_equal(plan.points[0].bytes, 64);
        for (int rank = 0; rank < 3; rank++) {
            struct shape shape;

            plan_shape(&plan.points[0], rank, 3, &shape);
            assert_int_equal(shape.root, root);
            assert_int_equal(shape_send_elements(&shape), rank == root ? 16 : 0);
            assert_int_equal(shape_recv_elements(&shape), rank == root ? 0 : 16);
        }
        plan_free(&plan);
    }
}

static void test_order_of_point_to_point(void **state)
{
    static const struct {
        const char *operation, *pattern;
    } expected[] = {
        {"twoway", "pair"}, {"twoway", "ring"}, {"pingpong", "pair"},
        {"oneway", "pair"}, {"oneway", "ring"},
    };
    struct config config = config_default();
    struct plan plan;

    (void)state;
    config.sizes = (struct size_list){1, {8}};
    config.patterns = bit_of(pattern_name, "ring") | bit_of(pattern_name, "pair");
    config.ops = bit(OP_COUNT) - 1; /* messages are not reduced */
    make_good(&plan, &config, "twoway pingpong oneway", 2);
    assert_int_equal(plan.count, COUNT(expected));
    for (size_t i = 0; i < COUNT(expected); i++) {
        assert_string_equal(plan.points[i].operation->name, expected[i].operation);
        assert_string_equal(plan.points[i].pattern->name, expected[i].pattern);
    }
    plan_free(&plan);
}

static const struct {
    const char *operation;
    uint64_t asked, bytes, window;
} windows[] = {
    /* Chosen by size: 64, or as many as 16 MiB hold. */
    {"oneway", 0, 1, 64},
    {"twoway", 0, 256 * KIB, 64},
    {"oneway", 0, 256 * KIB + 4, 63},
    {"oneway", 0, 8 * KIB *KIB, 2},
    {"oneway", 0, 16 * KIB *KIB, 1},
    {"oneway", 0, 16 * KIB *KIB + 4, 1},
    {"oneway", 0, BYTES_MOST, 1},
    {"oneway", 5, BYTES_MOST / 8, 5},
    {"twoway", 65536, 4, 65536},
    {"twoway", 65536, BYTES_MOST / 65536, 65536},
    {"twoway", 1, 8, 1},
    /* One message at a time, whatever is asked. */
    {"pingpong", 0, 8, 1},
    {"pingpong", 64, 8, 1},
    {"pingpong", 65536, BYTES_MOST, 1},
    {"allreduce", 64, 8, 1},
};

static void test_windows(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(windows); i++) {
        struct config config = config_default();
        struct plan plan;

        config.sizes = (struct size_list){1, {windows[i].bytes}};
        config.window = windows[i].asked;
        make_good(&plan, &config, windows[i].operation, 2);
        assert_int_equal(plan.count, 1);
        assert_int_equal(plan.points[0].window, windows[i].window);
        plan_free(&plan);
    }
}

/* Too large for any memory, and for the arithmetic that would find that out. */
static void test_windows_that_no_memory_holds(void **state)
{
    static const struct {
        uint64_t bytes, window;
    } refused[] = {
        {BYTES_MOST, 65536},
        {BYTES_MOST, 2},
        {BYTES_MOST / 65536 + 4, 65536},
        {TIB, 65536},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(refused); i++) {
        struct config config = config_default();
        struct plan plan;
        struct err err;

        config.sizes = (struct size_list){2, {8, refused[i].bytes}};
        config.window = refused[i].window;
        assert_int_equal(make(&plan, &config, "oneway", 2, &err), -1);
        assert_int_equal(err.code, EXIT_CODE_USAGE);
        assert_non_null(strstr(err.text, "--window"));
        assert_null(plan.points);
    }
}

static void test_too_many_points(void **state)
{
    struct config config = config_default();
    struct plan plan;
    struct err err;

    (void)state;
    config.min_bytes = 1;
    config.max_bytes = 1000000;
    config.step = 1;
    config.datatypes = bit(DATATYPE_INT8);
    make_good(&plan, &config, "allreduce", 2);
    assert_int_equal(plan.count, 1000000);
    assert_int_equal(plan.points[999999].bytes, 1000000);
    plan_free(&plan);
    config.max_bytes = 1000001;
    assert_int_equal(make(&plan, &config, "allreduce", 2, &err), -1);
    assert_int_equal(err.code, EXIT_CODE_USAGE);
    assert_non_null(strstr(err.text, "1000000 points"));
    assert_null(plan.points);
    config.max_bytes = BYTES_MOST; /* ends soon, too */
    assert_int_equal(make(&plan, &config, "allreduce", 2, &err), -1);
}

static void test_nothing_to_measure(void **state)
{
    struct config config = config_default();
    struct plan plan;
    struct err err;

    (void)state;
    config.patterns = bit_of(pattern_name, "ring");
    assert_int_equal(make(&plan, &config, "pingpong", 4, &err), -1);
    assert_int_equal(err.code, EXIT_CODE_USAGE);
    assert_non_null(strstr(err.text, "--pattern"));
    assert_null(plan.points);
    make_good(&plan, &config, "pingpong oneway", 4);
    assert_string_equal(plan.points[0].operation->name, "oneway");
    plan_free(&plan);
    /* Patterns need two ranks. */
    config.patterns = UINT64_MAX;
    assert_int_equal(make(&plan, &config, "oneway twoway pingpong", 1, &err), -1);
}

/* The plan, and with it every size, is the same whichever rank asks. */
static void test_shapes_keep_the_size(void **state)
{
    struct config config = config_default();
    struct plan plan;

    (void)state;
    config.min_bytes = 1;
    config.max_bytes = 1000;
    config.factor = 3;
    config.datatypes = bit(DATATYPE_COUNT) - 1;
    config.patterns = UINT64_MAX;
    config.window = 3;
    make_good(&plan, &config, "allreduce reducescatter broadcast barrier twoway", 5);
    for (size_t i = 0; i < plan.count; i++)
        for (int rank = 0; rank < 5; rank++) {
            const struct point *point = &plan.points[i];
            size_t element = datatype_get(point->datatype)->bytes;
            struct shape shape;

            plan_shape(point, rank, 5, &shape);
            assert_int_equal(shape_bytes(&shape, element), point->bytes);
            assert_ptr_equal(shape.operation, point->operation);
            assert_int_equal(shape.rank, rank);
            assert_int_equal(shape.nranks, 5);
            assert_int_equal(shape.window, point->window);
        }
    plan_free(&plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_to_measure),
        cmocka_unit_test(test_too_many_points),
        cmocka_unit_test(test_windows_that_no_memory_holds),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_rounding),
        cmocka_unit_test(test_windows),
        cmocka_unit_test(test_order_of_collectives),
        cmocka_unit_test(test_order_of_point_to_point),
        cmocka_unit_test(test_everything),
        cmocka_unit_test(test_placements),
        cmocka_unit_test(test_barrier),
        cmocka_unit_test(test_roots),
        cmocka_unit_test(test_shapes_keep_the_size),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
