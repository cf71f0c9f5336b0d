/* SPDX-License-Identifier: BSD-3-Clause */
/* The detection power that values_power states, against what data really shows. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "values_fixture.h"

/* What a check must see: the result without rank r differs from the reference, and so
 * does (where anything is counted) the result with r twice. */
static void count_shown(struct values_stream *stream, enum datatype_id id,
                        const struct values *values, uint64_t elements, int rank,
                        uint64_t shown[2])
{
    int after = values->nranks - rank - 1;
    size_t bytes = values->type->bytes;
    unsigned char *all = read_all(stream, values, from(0, values->nranks, 3), elements);
    unsigned char *one = read_all(stream, values, from(rank, 1, 3), elements);
    unsigned char *left =
        rank > 0 ? read_all(stream, values, from(0, rank, 3), elements) : NULL;
    unsigned char *right =
        after > 0 ? read_all(stream, values, from(rank + 1, after, 3), elements) : NULL;
    bool lost = false, doubled = false;

    for (uint64_t at = 0; at < elements * bytes; at += bytes) {
        unsigned char with[ELEMENT_MOST], without[ELEMENT_MOST];

        arithmetic_rows[id].wrapping(values->op, all + at, one + at, with);
        if (left != NULL && right != NULL)
            arithmetic_rows[id].wrapping(values->op, left + at, right + at, without);
        else
            memcpy(without, (left != NULL ? left : right) + at, bytes);
        lost |= memcmp(without, all + at, bytes) != 0;
        doubled |= memcmp(with, all + at, bytes) != 0;
    }
    shown[0] += lost;
    shown[1] += doubled;
    free(all);
    free(one);
    free(left);
    free(right);
}

static const struct {
    enum datatype_id id;
    enum op_id op;
    int nranks;
    uint64_t elements;
} powers[] = {
    {DATATYPE_INT8, OP_SUM, 2, 1},     {DATATYPE_FLOAT, OP_SUM, 7, 1},
    {DATATYPE_UINT8, OP_SUM, 1000, 4}, {DATATYPE_INT8, OP_SUM, 1000, 10},
    {DATATYPE_UINT8, OP_PROD, 64, 10}, {DATATYPE_INT8, OP_PROD, 1000, 1},
    {DATATYPE_FLOAT, OP_PROD, 5, 2},   {DATATYPE_UINT64, OP_PROD, 100, 1},
    {DATATYPE_INT8, OP_MAX, 8, 3},     {DATATYPE_DOUBLE, OP_MIN, 100, 60},
    {DATATYPE_UINT16, OP_MIN, 3, 1},   {DATATYPE_UINT8, OP_SUM, 127, 1},
};

static void test_power_is_what_is_seen(void **state)
{
    const uint64_t trials = 2000;
    struct values_stream *stream = values_stream_open();
    uint64_t seed = 1;

    (void)state;
    for (size_t i = 0; i < sizeof powers / sizeof powers[0]; i++) {
        uint64_t shown[2] = {0, 0};
        struct values values;

        for (uint64_t t = 0; t < trials; t++) {
            int rank = (int)(random_next(&seed) % (uint64_t)powers[i].nranks);

            values = values_of(powers[i].id, true, powers[i].op, powers[i].nranks, t);
            count_shown(stream, powers[i].id, &values, powers[i].elements, rank, shown);
        }
        double power = values_power(&values, powers[i].elements, 1);
        assert_true(power > 0.05 && power < 0.95);
        assert_frequency(shown[0], trials, power);
        assert_frequency(shown[1], trials,
                         powers[i].op == OP_MIN || powers[i].op == OP_MAX ? 0 : power);
    }
    values_stream_close(stream);
}

/* Beyond a tile, more elements show no more: seen on a contribution to 2^20 ranks. */
static void test_power_of_repeated_tiles(void **state)
{
    const uint64_t trials = 300;
    struct values_stream *stream = values_stream_open();
    struct values values;
    uint64_t shown = 0;

    (void)state;
    for (uint64_t t = 0; t < trials; t++) {
        values = values_of(DATATYPE_INT8, true, OP_SUM, 1 << 20, t);
        unsigned char *one = read_all(stream, &values, from((int)t * 999, 1, 0), 3 * P);
        bool any = false;

        for (uint64_t i = 0; i < 3 * P; i++)
            any |= one[i] != 0;
        shown += any;
        free(one);
    }
    assert_frequency(shown, trials, values_power(&values, 3 * P, 1));
    assert_true(values_power(&values, 3 * P, 1) == values_power(&values, P, 1));
    assert_true(values_power(&values, P, 1) > values_power(&values, P - 1, 1));
    values_stream_close(stream);
}

/* By hand. */
static const struct {
    enum datatype_id id;
    bool reduces;
    enum op_id op;
    int nranks;
    uint64_t elements, checks;
    double power;
} exact[] = {
    {DATATYPE_INT8, true, OP_SUM, 2, 0, 5, 0},
    {DATATYPE_INT8, true, OP_SUM, 2, 5, 0, 0},
    {DATATYPE_INT8, true, OP_SUM, 1, 0, 1, 0},
    {DATATYPE_INT8, true, OP_SUM, 1, 1, 1, 1},
    {DATATYPE_INT8, true, OP_MAX, 1, 1, 1, 1},
    {DATATYPE_INT8, true, OP_SUM, 2, 1, 1, 0.75},
    {DATATYPE_INT8, true, OP_SUM, 2, 1, 2, 0.9375},
    {DATATYPE_INT8, true, OP_SUM, 2, 2, 1, 0.9375},
    {DATATYPE_INT8, true, OP_SUM, 1000, 1, 1, 0.0635}, /* (126 + 1) / 2 / 1000 */
    {DATATYPE_INT8, true, OP_PROD, 1000, 1, 1, 0.5005},
    {DATATYPE_UINT8, true, OP_PROD, 1000, 1, 1, 0.0035}, /* (6 + 1) / 2 / 1000 */
    {DATATYPE_FLOAT, true, OP_MIN, 10, 1, 2, 0.19},
    {DATATYPE_INT8, false, OP_SUM, 10, 1, 1, 255.0 / 256},
    {DATATYPE_UINT16, false, OP_SUM, 10, 1, 1, 65535.0 / 65536},
    {DATATYPE_INT8, false, OP_SUM, 10, 2, 1, 65535.0 / 65536},
    {DATATYPE_DOUBLE, false, OP_SUM, 10, 1000000, 1, 1},
};

static void test_power_by_hand(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof exact / sizeof exact[0]; i++) {
        struct values values =
            values_of(exact[i].id, exact[i].reduces, exact[i].op, exact[i].nranks, 1);
        double power = values_power(&values, exact[i].elements, exact[i].checks);

        assert_true(fabs(power - exact[i].power) < 1e-12);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_power_by_hand),
        cmocka_unit_test(test_power_is_what_is_seen),
        cmocka_unit_test(test_power_of_repeated_tiles),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
