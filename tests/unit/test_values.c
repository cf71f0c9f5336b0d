/* SPDX-License-Identifier: BSD-3-Clause */
/* What ranks contribute and what comes of it. See test_values_stream.c for displaced
 * data and detection power. */
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

static const int rank_counts[] = {1,   2,   3,   5,   8,    17,   127,
                                  128, 255, 256, 257, 1000, 10007};
enum { RANK_COUNTS = sizeof rank_counts / sizeof rank_counts[0] };

/* Element e of an origin by the definition: one entry of the table, through no stream. */
static void element_of(const struct values *values, int first_rank, int nranks,
                       uint64_t element, void *to)
{
    struct values_source source;
    uint64_t turn;

    values_source_of(&source, values,
                     (struct origin){.first_rank = first_rank, .nranks = nranks});
    turn = values_rotation(&source, element / VALUES_TILE);
    values_table(&source, (element % VALUES_TILE + turn) % VALUES_TILE, 1, to);
}

/* One element's contributions of all ranks, combined until one is left. */
struct pool {
    const struct values *values;
    const struct arithmetic *arithmetic;
    unsigned char (*elements)[ELEMENT_MOST];
    int count;
};

/* Both ways of integer arithmetic agree, and nothing leaves the exact range. */
static void pool_combine(struct pool *pool, int a, int b)
{
    const struct datatype *type = pool->values->type;
    unsigned char wrapped[ELEMENT_MOST], saturated[ELEMENT_MOST];
    long double value;

    pool->arithmetic->wrapping(pool->values->op, pool->elements[a], pool->elements[b],
                               wrapped);
    pool->arithmetic->saturating(pool->values->op, pool->elements[a], pool->elements[b],
                                 saturated);
    assert_memory_equal(wrapped, saturated, type->bytes);
    value = pool->arithmetic->value(wrapped);
    assert_true(value <= (long double)type->exact && -value <= (long double)type->exact);
    memcpy(pool->elements[a], wrapped, type->bytes);
    memcpy(pool->elements[b], pool->elements[--pool->count], type->bytes);
}

/* Which two to combine next: a random tree, or a chain in random order. */
static void pool_reduce(struct pool *pool, bool chain, uint64_t *state)
{
    while (pool->count > 1) {
        uint64_t a = chain ? 0 : random_next(state) % (uint64_t)pool->count;
        uint64_t b = random_next(state) % (uint64_t)(pool->count - 1);

        pool_combine(pool, (int)a, (int)(b >= a ? b + 1 : b));
    }
}

static void pool_fill(struct pool *pool, const struct values *values, int first_rank,
                      int nranks, uint64_t element)
{
    pool->count = nranks;
    for (int i = 0; i < nranks; i++)
        element_of(values, first_rank + i, 1, element, pool->elements[i]);
}

static void pool_open(struct pool *pool, enum datatype_id id, const struct values *values)
{
    pool->values = values;
    pool->arithmetic = &arithmetic_rows[id];
    pool->elements = calloc((size_t)values->nranks, sizeof *pool->elements);
    assert_non_null(pool->elements);
    assert_non_null(pool->arithmetic->wrapping);
}

/* Any order of combination gives the reference, bit by bit, and it is not zero. */
static void check_reduction(enum datatype_id id, enum op_id op, int nranks, uint64_t seed)
{
    uint64_t elements = nranks > 1000 ? 3 : nranks > 100 ? 20 : 200;
    uint64_t state = seed + 1;
    struct values values;
    struct pool pool;

    values_init(&values, datatype_get(id), true, op, nranks, seed);
    pool_open(&pool, id, &values);
    for (uint64_t i = 0; i < elements; i++) {
        unsigned char expected[ELEMENT_MOST];
        uint64_t element = random_next(&state) % (3 * VALUES_TILE);

        pool_fill(&pool, &values, 0, nranks, element);
        pool_reduce(&pool, i % 2 == 0, &state);
        element_of(&values, 0, nranks, element, expected);
        assert_memory_equal(pool.elements[0], expected, values.type->bytes);
        assert_true(pool.arithmetic->value(expected) != 0);
        assert_memory_not_equal(expected, &values.type->poison, values.type->bytes);
    }
    free(pool.elements);
}

static void test_reductions(void **state)
{
    (void)state;
    for (int i = 0; i < RANK_COUNTS; i++)
        for (int id = 0; id < DATATYPE_COUNT; id++)
            for (int op = 0; op < OP_COUNT; op++)
                for (uint64_t seed = 0; seed < 3; seed++)
                    check_reduction((enum datatype_id)id, (enum op_id)op, rank_counts[i],
                                    seed);
}

/* An origin of some of the ranks, as in a scan, is what these make together. */
static void check_partial(enum datatype_id id, enum op_id op, int nranks)
{
    uint64_t state = (uint64_t)nranks;
    struct values values;
    struct pool pool;

    values_init(&values, datatype_get(id), true, op, nranks, 5);
    pool_open(&pool, id, &values);
    for (int i = 0; i < 30; i++) {
        int first = (int)(random_next(&state) % (uint64_t)nranks);
        int count = 1 + (int)(random_next(&state) % (uint64_t)(nranks - first));
        uint64_t element = random_next(&state) % (3 * VALUES_TILE);
        unsigned char expected[ELEMENT_MOST];

        pool_fill(&pool, &values, first, count, element);
        pool_reduce(&pool, false, &state);
        element_of(&values, first, count, element, expected);
        assert_memory_equal(pool.elements[0], expected, values.type->bytes);
    }
    free(pool.elements);
}

static void test_partial_reductions(void **state)
{
    (void)state;
    for (int i = 0; i < RANK_COUNTS - 1; i++)
        for (int id = 0; id < DATATYPE_COUNT; id++)
            for (int op = 0; op < OP_COUNT; op++)
                check_partial((enum datatype_id)id, (enum op_id)op, rank_counts[i]);
}

/* Many ranks: all contributions of a few elements summed up. */
static void test_a_million_ranks(void **state)
{
    static const enum datatype_id ids[] = {DATATYPE_INT8, DATATYPE_FLOAT,
                                           DATATYPE_UINT64};
    const int nranks = 1 << 20;

    (void)state;
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++)
        for (int op = 0; op < OP_COUNT; op++) {
            const struct arithmetic *arithmetic = &arithmetic_rows[ids[i]];
            unsigned char sum[ELEMENT_MOST], one[ELEMENT_MOST];
            struct values values;

            values_init(&values, datatype_get(ids[i]), true, (enum op_id)op, nranks, 9);
            element_of(&values, 0, 1, 4321, sum);
            for (int rank = 1; rank < nranks; rank++) {
                element_of(&values, rank, 1, 4321, one);
                arithmetic->wrapping((enum op_id)op, sum, one, sum);
            }
            element_of(&values, 0, nranks, 4321, one);
            assert_memory_equal(sum, one, values.type->bytes);
        }
}

/* The last ranks of the most that an int can count: nothing overflows. */
static void test_most_ranks(void **state)
{
    const int nranks = INT32_MAX, some = 1000;

    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct values values;
        int64_t sum = 0;

        values_init(&values, datatype_get(DATATYPE_INT64), true, OP_SUM, nranks, seed);
        for (int rank = nranks - some; rank < nranks; rank++) {
            int64_t one;

            element_of(&values, rank, 1, seed, &one);
            assert_true(one >= -1 && one <= 1);
            sum += one;
        }
        int64_t expected, all;
        element_of(&values, nranks - some, some, seed, &expected);
        element_of(&values, 0, nranks, seed, &all);
        assert_true(sum == expected);
        assert_true(sum * all >= 0 && llabs(sum) <= llabs(all));
    }
}

static void test_multiplier(void **state)
{
    (void)state;
    for (int nranks = 1; nranks < 3000; nranks++)
        for (uint64_t seed = 0; seed < 5; seed++) {
            struct values values;
            uint64_t place = 0, steps = 0;

            values_init(&values, datatype_get(DATATYPE_INT8), true, OP_SUM, nranks, seed);
            assert_true(values.multiplier < (uint64_t)nranks);
            /* Coprime: the ranks take all places. */
            do {
                place = (place + values.multiplier) % (uint64_t)nranks;
                steps++;
            } while (place != 0);
            assert_int_equal(steps, nranks);
        }
}

/* What values occur, over many elements. */
static const struct {
    enum datatype_id id;
    enum op_id op;
    int nranks;
    long double least, most; /* results reach these, and go no further */
    bool both_signs;
} ranges[] = {
    {DATATYPE_INT8, OP_SUM, 5, -5, 5, true},
    {DATATYPE_INT8, OP_SUM, 1000, -126, 126, true},
    {DATATYPE_UINT8, OP_SUM, 5, 1, 5, false},
    {DATATYPE_UINT8, OP_SUM, 10007, 1, 254, false},
    {DATATYPE_FLOAT, OP_SUM, 8, -8, 8, true},
    {DATATYPE_INT8, OP_PROD, 1000, -1, 1, true},
    {DATATYPE_DOUBLE, OP_PROD, 3, -1, 1, true},
    {DATATYPE_UINT8, OP_PROD, 3, 2, 8, false},
    {DATATYPE_UINT8, OP_PROD, 1000, 2, 64, false},
    {DATATYPE_UINT64, OP_PROD, 1000, 2, 0x1p61L, false},
    {DATATYPE_INT8, OP_MAX, 8, -125, 125, true},
    {DATATYPE_INT8, OP_MIN, 8, -125, 125, true},
    {DATATYPE_UINT8, OP_MAX, 8, 1, 253, false},
    {DATATYPE_UINT8, OP_MIN, 8, 1, 253, false},
};

static void test_ranges(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        long double least = 1e30L, most = -1e30L;
        struct values values;

        values_init(&values, datatype_get(ranges[i].id), true, ranges[i].op,
                    ranges[i].nranks, 3);
        for (uint64_t element = 0; element < VALUES_TILE; element++) {
            unsigned char result[ELEMENT_MOST];
            long double value;

            element_of(&values, 0, values.nranks, element, result);
            value = arithmetic_rows[ranges[i].id].value(result);
            least = value < least ? value : least;
            most = value > most ? value : most;
        }
        assert_true(least == ranges[i].least && most == ranges[i].most);
        assert_int_equal(least < 0, ranges[i].both_signs);
    }
}

/* Contributions of two ranks to a minimum or maximum are never equal, not even where the
 * type has few values. */
static void test_no_ties(void **state)
{
    static const enum datatype_id ids[] = {DATATYPE_INT8, DATATYPE_UINT8};

    (void)state;
    for (int i = 0; i < 2; i++)
        for (int op = OP_MIN; op <= OP_MAX; op++) {
            struct values values = values_of(ids[i], true, (enum op_id)op, 2, 3);

            for (uint64_t element = 0; element < P; element++) {
                unsigned char a, b;

                element_of(&values, 0, 1, element, &a);
                element_of(&values, 1, 1, element, &b);
                assert_true(a != b);
            }
        }
}

/* They lie on both sides of zero, evenly spread: the winner is positive half the time,
 * at u, and the other one then negative with probability 1 / (1 + u): ln 2 on average. */
static void test_ordered_contributions_spread(void **state)
{
    (void)state;
    for (int op = OP_MIN; op <= OP_MAX; op++) {
        struct values values = values_of(DATATYPE_INT32, true, (enum op_id)op, 2, 3);
        uint64_t mixed = 0;

        for (uint64_t element = 0; element < P; element++) {
            int32_t a, b;

            element_of(&values, 0, 1, element, &a);
            element_of(&values, 1, 1, element, &b);
            mixed += (a < 0) != (b < 0);
        }
        assert_frequency(mixed, P, log(2) / 2);
    }
}

/* Who wins, by how much and with what sign has nothing to do with the elements next to
 * it. */
static void test_neighbours_are_independent(void **state)
{
    struct values values = values_of(DATATYPE_INT32, true, OP_MAX, 2, 3);
    uint64_t sizes = 0, signs = 0, winners = 0;
    int32_t last = 0, result, mine;
    bool lost = false;

    (void)state;
    for (uint64_t element = 0; element < P; element++) {
        element_of(&values, 0, 2, element, &result);
        element_of(&values, 0, 1, element, &mine);
        sizes += (llabs(result) > (1 << 29)) == lost;
        signs += (result < 0) == lost;
        winners += (mine != result) == (last < 0);
        lost = mine != result;
        last = result;
    }
    assert_frequency(sizes, P, 0.5);
    assert_frequency(signs, P, 0.5);
    assert_frequency(winners, P, 0.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_multiplier),
        cmocka_unit_test(test_reductions),
        cmocka_unit_test(test_partial_reductions),
        cmocka_unit_test(test_a_million_ranks),
        cmocka_unit_test(test_most_ranks),
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_no_ties),
        cmocka_unit_test(test_ordered_contributions_spread),
        cmocka_unit_test(test_neighbours_are_independent),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
