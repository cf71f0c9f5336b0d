/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "plan.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Points that their number tells apart. */
static void make_numbered(struct plan *plan, struct point *points, size_t count)
{
    *plan = (struct plan){.points = points, .count = count, .rounded = 3};
    for (size_t i = 0; i < count; i++)
        points[i] = (struct point){.bytes = i};
}

static void test_keeps_all_points(void **state)
{
    static struct point points[1000];
    struct plan plan;

    (void)state;
    for (size_t count = 0; count < COUNT(points); count = 3 * count + 1) {
        bool seen[COUNT(points)] = {false};

        make_numbered(&plan, points, count);
        plan_shuffle(&plan, count);
        assert_ptr_equal(plan.points, points);
        assert_int_equal(plan.count, count);
        assert_int_equal(plan.rounded, 3);
        for (size_t i = 0; i < count; i++) {
            assert_in_range(points[i].bytes, 0, count - 1);
            assert_false(seen[points[i].bytes]);
            seen[points[i].bytes] = true;
        }
    }
}

/* The same seed, the same order, on every rank; the next seed, another. */
static void test_follows_the_seed(void **state)
{
    static const uint64_t seeds[] = {0, 1, 2, UINT64_C(1) << 63, UINT64_MAX};
    struct point points[COUNT(seeds)][40], again[40];
    struct plan plan;

    (void)state;
    for (size_t i = 0; i < COUNT(seeds); i++) {
        make_numbered(&plan, points[i], COUNT(again));
        plan_shuffle(&plan, seeds[i]);
        make_numbered(&plan, again, COUNT(again));
        plan_shuffle(&plan, seeds[i]);
        assert_memory_equal(points[i], again, sizeof again);
        for (size_t j = 0; j < i; j++)
            assert_memory_not_equal(points[i], points[j], sizeof again);
    }
}

/* Over many launches, each with the next seed, every order of four points comes about as
 * often as any other: five standard deviations of chance. */
static void test_is_fair(void **state)
{
    enum { POINTS = 4, ORDERS = 24, EACH = 1000, SLACK = 155 };
    int counts[POINTS * POINTS * POINTS * POINTS] = {0};
    int orders = 0;

    (void)state;
    for (uint64_t seed = 0; seed < ORDERS * EACH; seed++) {
        struct point points[POINTS];
        struct plan plan;
        uint64_t order = 0;

        make_numbered(&plan, points, POINTS);
        plan_shuffle(&plan, seed);
        for (size_t i = 0; i < POINTS; i++)
            order = order * POINTS + points[i].bytes;
        counts[order]++;
    }
    for (size_t i = 0; i < COUNT(counts); i++) {
        if (counts[i] == 0)
            continue;
        assert_in_range(counts[i], EACH - SLACK, EACH + SLACK);
        orders++;
    }
    assert_int_equal(orders, ORDERS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keeps_all_points),
        cmocka_unit_test(test_follows_the_seed),
        cmocka_unit_test(test_is_fair),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
