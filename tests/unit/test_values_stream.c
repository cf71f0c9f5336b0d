/* SPDX-License-Identifier: BSD-3-Clause */
/* Streams of reference data, and how surely they show data that is displaced. */
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

/* Element by element by the definition, through no stream. */
static void assert_elements(const struct values *values, struct origin origin,
                            uint64_t elements, const unsigned char *data)
{
    struct values_source source;

    values_source_of(&source, values, origin);
    for (uint64_t i = 0; i < elements; i++) {
        uint64_t element = origin.element + i;
        uint64_t turn = values_rotation(&source, element / P);
        unsigned char expected[ELEMENT_MOST];

        values_table(&source, (element % P + turn) % P, 1, expected);
        assert_memory_equal(data + i * values->type->bytes, expected,
                            values->type->bytes);
    }
}

static const uint64_t lengths[] = {0, 1,     2,     63,        511,   4097,  P - 1,
                                   P, P + 1, 2 * P, 2 * P + 1, 16384, 3 * P, 5 * P + 77};
static const uint64_t starts[] = {0, 1, P - 1, P, 7 * P + 4000, UINT64_C(1) << 40};
enum { LENGTHS = sizeof lengths / sizeof lengths[0] };
enum { STARTS = sizeof starts / sizeof starts[0] };

/* One stream for all, so that each start meets what others left behind. */
static void test_streams_are_the_elements(void **state)
{
    struct values_stream *stream = values_stream_open();

    (void)state;
    for (int id = 0; id < DATATYPE_COUNT; id++)
        for (int kind = 0; kind <= OP_COUNT; kind++)
            for (int i = 0; i < LENGTHS * STARTS; i++) {
                struct values values =
                    values_of((enum datatype_id)id, kind < OP_COUNT,
                              (enum op_id)(kind % OP_COUNT), 6, (uint64_t)(i % 2));
                struct origin origin = from(i % 3, i % 3 == 0 && kind < OP_COUNT ? 6 : 1,
                                            starts[i % STARTS]);
                uint64_t elements = lengths[i / STARTS];
                unsigned char *data = read_all(stream, &values, origin, elements);

                assert_elements(&values, origin, elements, data);
                free(data);
            }
    values_stream_close(stream);
}

/* A stream that holds a tile must not take it for another's. Each start differs from the
 * one before in one thing. */
static void test_streams_tell_sources_apart(void **state)
{
    static const struct {
        enum datatype_id id;
        bool reduces;
        enum op_id op;
        int nranks;
        uint64_t seed;
        int first_rank, source_ranks;
    } sources[] = {
        {DATATYPE_INT32, true, OP_SUM, 6, 1, 0, 6},
        {DATATYPE_FLOAT, true, OP_SUM, 6, 1, 0, 6},
        {DATATYPE_FLOAT, true, OP_MAX, 6, 1, 0, 6},
        {DATATYPE_FLOAT, true, OP_MAX, 7, 1, 0, 6},
        {DATATYPE_FLOAT, true, OP_MAX, 7, 2, 0, 6},
        {DATATYPE_FLOAT, true, OP_MAX, 7, 2, 1, 6},
        {DATATYPE_FLOAT, true, OP_MAX, 7, 2, 1, 1},
        {DATATYPE_FLOAT, false, OP_MAX, 7, 2, 1, 1},
        {DATATYPE_FLOAT, false, OP_MAX, 7, 2, 2, 1},
        {DATATYPE_FLOAT, false, OP_SUM, 7, 2, 2, 1},
        {DATATYPE_FLOAT, true, OP_SUM, 7, 2, 2, 1},
    };
    struct values_stream *stream = values_stream_open();

    (void)state;
    for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++) {
        struct values values = values_of(sources[i].id, sources[i].reduces, sources[i].op,
                                         sources[i].nranks, sources[i].seed);
        struct origin origin = from(sources[i].first_rank, sources[i].source_ranks, 0);
        unsigned char *data = read_all(stream, &values, origin, 4 * P);

        assert_elements(&values, origin, 4 * P, data);
        free(data);
    }
    values_stream_close(stream);
}

/* What a long start has built serves a short one of the same source: its runs are longer
 * than any that is computed on the spot (4 KiB). */
static void test_tile_is_kept(void **state)
{
    struct values values = values_of(DATATYPE_DOUBLE, true, OP_SUM, 5, 1);
    struct values_stream *stream = values_stream_open();
    uint64_t longest = 0;

    (void)state;
    values_stream_start(stream, &values, from(0, 5, 0), 4 * P);
    for (uint64_t tile = 0; tile < 10; tile++) {
        const void *run;
        uint64_t count;

        values_stream_start(stream, &values, from(0, 5, tile * P), 1000);
        count = values_stream_next(stream, 1000, &run);
        longest = count > longest ? count : longest;
    }
    assert_int_equal(longest, 1000);
    values_stream_close(stream);
}

/* Runs are as short as asked for, and the same data. */
static void test_short_runs(void **state)
{
    struct values values = values_of(DATATYPE_INT16, false, OP_SUM, 2, 1);
    struct values_stream *stream = values_stream_open();
    unsigned char *data = read_all(stream, &values, from(1, 1, 0), 3 * P);
    uint64_t seed = 1, done = 0;

    (void)state;
    values_stream_start(stream, &values, from(1, 1, 0), 3 * P);
    while (done < 3 * P) {
        const void *run;
        uint64_t most = 1 + random_next(&seed) % 700;
        uint64_t count = values_stream_next(stream, most, &run);

        assert_in_range(count, 1, most);
        assert_memory_equal(data + 2 * done, run, 2 * count);
        done += count;
    }
    free(data);
    values_stream_close(stream);
}

/* How often one element equals another that takes its place: as often as two
 * independent results of that kind. */
static const struct {
    enum datatype_id id;
    bool reduces;
    enum op_id op;
    int nranks;
    double equal;
} displaced[] = {
    {DATATYPE_INT8, false, OP_SUM, 8, 1.0 / 256},
    {DATATYPE_UINT16, false, OP_SUM, 8, 1.0 / 65536},
    {DATATYPE_INT32, true, OP_SUM, 5, 1.0 / 10},
    {DATATYPE_FLOAT, true, OP_SUM, 100, 1.0 / 200},
    {DATATYPE_UINT8, true, OP_SUM, 5, 1.0 / 5},
    {DATATYPE_DOUBLE, true, OP_PROD, 8, 1.0 / 2},
    {DATATYPE_UINT64, true, OP_PROD, 8, 1.0 / 8},
    {DATATYPE_INT8, true, OP_MAX, 8, 1.0 / 250},
    {DATATYPE_UINT8, true, OP_MIN, 8, 1.0 / 253},
};
enum { DISPLACED = sizeof displaced / sizeof displaced[0] };

/* Element 100 of an origin against element 100 + distance of another, over seeds. */
static uint64_t count_equal(size_t row, struct origin a, struct origin b,
                            uint64_t other_seed, uint64_t seeds)
{
    struct values_stream *stream = values_stream_open();
    uint64_t equal = 0;

    for (uint64_t seed = 0; seed < seeds; seed++) {
        struct values values = values_of(displaced[row].id, displaced[row].reduces,
                                         displaced[row].op, displaced[row].nranks, seed);
        struct values other =
            values_of(displaced[row].id, displaced[row].reduces, displaced[row].op,
                      displaced[row].nranks, seed + other_seed);
        void *x = read_all(stream, &values, a, 1), *y = read_all(stream, &other, b, 1);

        equal += memcmp(x, y, values.type->bytes) == 0;
        free(x);
        free(y);
    }
    values_stream_close(stream);
    return equal;
}

static void test_displaced_elements(void **state)
{
    static const uint64_t distances[] = {1,    2, 8,     16,   24,     64,
                                         4096, P, 2 * P, 8192, 1000000};
    const uint64_t seeds = 20000;

    (void)state;
    for (size_t row = 0; row < DISPLACED; row++)
        for (size_t d = 0; d < sizeof distances / sizeof distances[0]; d++) {
            int ranks = displaced[row].reduces ? displaced[row].nranks : 1;
            uint64_t equal = count_equal(row, from(0, ranks, 100),
                                         from(0, ranks, 100 + distances[d]), 0, seeds);
            /* Two tiles may be turned to the same entry. */
            double p = displaced[row].equal + (distances[d] > 4096 ? 1.0 / 4095 : 0);

            assert_frequency(equal, seeds, p);
        }
}

/* The data of the neighbour, and of the same rank with the next seed. */
static void test_others_elements(void **state)
{
    const uint64_t seeds = 20000;

    (void)state;
    for (size_t row = 0; row < DISPLACED; row++) {
        int ranks = displaced[row].reduces ? displaced[row].nranks : 1;
        struct origin origin = from(0, ranks, 100);

        assert_frequency(count_equal(row, origin, origin, 1, seeds), seeds,
                         displaced[row].equal);
        assert_frequency(count_equal(row, origin, origin, UINT64_C(1) << 63, seeds),
                         seeds, displaced[row].equal);
        if (!displaced[row].reduces)
            assert_frequency(count_equal(row, origin, from(1, 1, 100), 0, seeds), seeds,
                             displaced[row].equal);
    }
}

/* Blocks of many sizes that come from somewhere else: some element is wrong. */
static void test_displaced_blocks(void **state)
{
    static const uint64_t blocks[] = {64,   100,       4095,  4096,  P - 1, P,     P + 1,
                                      8192, 2 * P - 1, 2 * P, 16384, 3 * P, 4 * P, 32768};
    static const int ids[] = {DATATYPE_INT8, DATATYPE_DOUBLE};
    struct values_stream *stream = values_stream_open();

    (void)state;
    for (size_t b = 0; b < sizeof blocks / sizeof blocks[0]; b++)
        for (int kind = 0; kind <= OP_COUNT; kind++)
            for (int i = 0; i < 2; i++) {
                struct values values =
                    values_of((enum datatype_id)ids[i], kind < OP_COUNT,
                              (enum op_id)(kind % OP_COUNT), 8, b);
                int ranks = kind < OP_COUNT ? 8 : 1;
                size_t bytes = blocks[b] * values.type->bytes;
                unsigned char *data =
                    read_all(stream, &values, from(0, ranks, 0), 9 * blocks[b]);

                for (int other = 1; other < 9; other++)
                    assert_memory_not_equal(data, data + (size_t)other * bytes, bytes);
                free(data);
            }
    values_stream_close(stream);
}

/* Tiles side by side are never turned alike; others are once in 4095 times. */
static void test_rotations(void **state)
{
    const uint64_t tiles = 1000000;

    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        struct values values = values_of(DATATYPE_INT8, kind == 1, OP_SUM, 4, 7);
        struct values_source source;
        uint64_t equal = 0;

        values_source_of(&source, &values, from(0, 1, 0));
        for (uint64_t tile = 0; tile < tiles; tile++) {
            uint64_t turn = values_rotation(&source, tile);

            assert_true(turn < P);
            assert_true(turn != values_rotation(&source, tile + 1));
            equal += turn == values_rotation(&source, tile + 2);
        }
        assert_frequency(equal, tiles, 1.0 / 4095);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_streams_are_the_elements),
        cmocka_unit_test(test_streams_tell_sources_apart),
        cmocka_unit_test(test_tile_is_kept),
        cmocka_unit_test(test_short_runs),
        cmocka_unit_test(test_displaced_elements),
        cmocka_unit_test(test_others_elements),
        cmocka_unit_test(test_displaced_blocks),
        cmocka_unit_test(test_rotations),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
