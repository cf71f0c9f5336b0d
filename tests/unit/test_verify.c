/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "verify_fixture.h"

static void test_right_data_passes(void **state)
{
    (void)state;
    for (size_t i = 0; i < LAYOUTS; i++) {
        struct fixture fixture;

        fixture_open(&fixture, &layouts[i]);
        assert_int_equal(check(&fixture), 0);
        assert_string_equal(fixture.mismatch.got, "");
        assert_true(fixture.copies.gets > 0 && fixture.copies.puts == 0);
        assert_guards(&fixture);
        fixture_close(&fixture);
    }
}

/* One flipped bit: counted once, at its place, with both values. */
static void assert_fault_found(struct fixture *fixture, uint64_t element, unsigned bit)
{
    const struct datatype *type = fixture->values.type;
    const unsigned char *at = fixture->recv + element * fixture->bytes;
    char got[MISMATCH_TEXT], expected[MISMATCH_TEXT];
    uint64_t before = element >= 5 ? element - 5 : 0;

    type->print(at, expected, sizeof expected);
    flip(fixture, element, bit);
    type->print(at, got, sizeof got);
    assert_int_equal(check(fixture), 1);
    assert_int_equal(fixture->mismatch.element, element);
    assert_string_equal(fixture->mismatch.got, got);
    assert_string_equal(fixture->mismatch.expected, expected);
    assert_int_equal(probe(fixture, element, 1), 1);
    assert_int_equal(fixture->mismatch.element, element);
    assert_string_equal(fixture->mismatch.got, got);
    assert_int_equal(probe(fixture, before, element - before), 0);
    assert_int_equal(probe(fixture, before, element - before + 1), 1);
    assert_int_equal(probe(fixture, element + 1, element + 1 < fixture->elements), 0);
    flip(fixture, element, bit);
}

/* The ends and the middle, those of blocks, and around every power of two: wherever the
 * chunks of the copies and the tiles of the reference begin. */
static void test_single_faults(void **state)
{
    (void)state;
    for (size_t i = 0; i < LAYOUTS; i++) {
        struct fixture fixture;
        uint64_t places[256], count = 0;

        fixture_open(&fixture, &layouts[i]);
        places[count++] = fixture.elements - 1;
        places[count++] = fixture.elements / 2;
        for (uint64_t power = 1; power <= fixture.elements; power *= 2) {
            places[count++] = power - 1;
            places[count++] = power;
        }
        for (uint64_t block = 0; block < 3; block++) {
            places[count++] = block * fixture.shape.block;
            places[count++] = (block + 1) * fixture.shape.block - 1;
            places[count++] = fixture.elements - 1 - block * fixture.shape.block;
        }
        for (uint64_t p = 0; p < count; p++)
            if (places[p] < fixture.elements)
                assert_fault_found(&fixture, places[p],
                                   (unsigned)(places[p] % (8 * fixture.bytes)));
        assert_int_equal(check(&fixture), 0);
        fixture_close(&fixture);
    }
}

/* Every bit of an element counts. */
static void test_every_bit(void **state)
{
    struct fixture fixture;

    (void)state;
    fixture_open(&fixture, &layouts[1]);
    for (unsigned bit = 0; bit < 8 * fixture.bytes; bit++)
        assert_fault_found(&fixture, 500, bit);
    fixture_close(&fixture);
}

/* Elements are counted, not bytes; the first stays named over several checks. */
static void test_many_faults(void **state)
{
    struct fixture fixture;
    struct mismatch *mismatch = &fixture.mismatch;
    char first[MISMATCH_TEXT];

    (void)state;
    fixture_open(&fixture, &layouts[3]);
    for (uint64_t element = 1000; element < fixture.elements; element += 1000) {
        flip(&fixture, element, 1);
        flip(&fixture, element, 62);
    }
    assert_int_equal(check(&fixture), 300);
    assert_int_equal(mismatch->element, 1000);
    memcpy(first, mismatch->got, sizeof first);
    flip(&fixture, 3, 5);
    assert_int_equal(verify_check(fixture.verifier, &fixture.shape, &fixture.values,
                                  fixture.recv, mismatch, &fixture.err),
                     0);
    assert_int_equal(mismatch->wrong, 601);
    assert_int_equal(mismatch->element, 1000);
    assert_string_equal(mismatch->got, first);
    fixture_close(&fixture);
}

/* A block that came from another rank, twice, or from the same rank one block on. */
static void test_wrong_blocks(void **state)
{
    struct fixture fixture;

    (void)state;
    for (size_t i = 0; i < LAYOUTS; i++) {
        if (layouts[i].blocks < 3 || layouts[i].block < 8)
            continue;
        fixture_open(&fixture, &layouts[i]);
        size_t block = fixture.shape.block * fixture.bytes;

        memcpy(fixture.recv + block, fixture.recv + 2 * block, block);
        assert_true(check(&fixture) > 0);
        assert_in_range(fixture.mismatch.element, fixture.shape.block,
                        2 * fixture.shape.block - 1);
        assert_true(fixture.mismatch.wrong <= fixture.shape.block);
        fixture_close(&fixture);
    }
}

static void test_other_seed(void **state)
{
    (void)state;
    for (size_t i = 0; i < LAYOUTS; i++) {
        struct fixture fixture;

        if (layouts[i].block * layouts[i].blocks < 1000)
            continue;
        fixture_open(&fixture, &layouts[i]);
        values_init(&fixture.values, fixture.values.type, fixture.values.reduces, OP_SUM,
                    fixture.values.nranks, 78);
        assert_true(check(&fixture) > fixture.elements / 2);
        fixture_close(&fixture);
    }
}

/* What a rank sends is its own contribution from element 0 on. */
static void test_fill(void **state)
{
    (void)state;
    for (size_t i = 0; i < LAYOUTS; i++) {
        struct fixture fixture;
        struct values_stream *stream = values_stream_open();
        const void *element;

        fixture_open(&fixture, &layouts[i]);
        fixture.shape.rank = fixture.shape.nranks - 1;
        assert_int_equal(verify_fill(fixture.verifier, &fixture.shape, &fixture.values,
                                     fixture.recv, &fixture.err),
                         0);
        for (uint64_t e = 0; e < fixture.elements; e++) {
            values_stream_start(stream, &fixture.values,
                                (struct origin){.first_rank = fixture.shape.rank,
                                                .nranks = 1,
                                                .element = e},
                                1);
            values_stream_next(stream, 1, &element);
            assert_memory_equal(fixture.recv + e * fixture.bytes, element, fixture.bytes);
        }
        assert_guards(&fixture);
        assert_true(fixture.copies.puts > 0 && fixture.copies.gets == 0);
        fixture_close(&fixture);
        values_stream_close(stream);
    }
}

/* Poison fills its range, no byte more, and a reduction that left it shows everywhere. */
static void test_poison(void **state)
{
    (void)state;
    for (size_t i = 0; i < LAYOUTS; i++) {
        struct fixture fixture;
        uint64_t first = layouts[i].block * layouts[i].blocks / 3, count;

        fixture_open(&fixture, &layouts[i]);
        count = fixture.elements - first;
        count -= count > 1;
        assert_int_equal(verify_poison(fixture.verifier, fixture.values.type,
                                       fixture.recv, first * fixture.bytes,
                                       count * fixture.bytes, &fixture.err),
                         0);
        for (uint64_t e = first; e < first + count; e++)
            assert_memory_equal(fixture.recv + e * fixture.bytes,
                                &fixture.values.type->poison, fixture.bytes);
        if (fixture.values.reduces)
            assert_int_equal(check(&fixture), count);
        else
            assert_in_range(check(&fixture), count - count / 64 - 2, count);
        assert_int_equal(probe(&fixture, 0, first), 0);
        assert_int_equal(probe(&fixture, first + count, fixture.elements - first - count),
                         0);
        assert_guards(&fixture);
        fixture_close(&fixture);
    }
}

/* A rank that receives or sends nothing has no buffer to look at. */
static void test_nothing(void **state)
{
    struct fixture fixture;

    (void)state;
    fixture_open(&fixture, &layouts[6]);
    fixture.shape.recv_blocks = fixture.shape.send_blocks = 0;
    assert_int_equal(verify_check(fixture.verifier, &fixture.shape, &fixture.values, NULL,
                                  &fixture.mismatch, &fixture.err),
                     0);
    assert_int_equal(verify_fill(fixture.verifier, &fixture.shape, &fixture.values, NULL,
                                 &fixture.err),
                     0);
    assert_int_equal(
        verify_poison(fixture.verifier, fixture.values.type, NULL, 0, 0, &fixture.err),
        0);
    assert_true(fixture.mismatch.wrong == 0 && fixture.copies.gets == 0);
    assert_true(fixture.copies.puts == 0);
    verify_close(NULL);
    fixture_close(&fixture);
}

static void test_probe_outside(void **state)
{
    static const uint64_t outside[][2] = {
        {1000, 1}, {999, 2}, {1001, 0}, {UINT64_MAX, 1}, {1, UINT64_MAX}};
    struct fixture fixture;

    (void)state;
    fixture_open(&fixture, &layouts[1]);
    for (size_t i = 0; i < sizeof outside / sizeof outside[0]; i++) {
        fixture.err.code = 0;
        assert_int_equal(verify_probe(fixture.verifier, &fixture.shape, &fixture.values,
                                      fixture.recv, outside[i][0], outside[i][1],
                                      &fixture.mismatch, &fixture.err),
                         -1);
        assert_int_equal(fixture.err.code, EXIT_CODE_FAILURE);
    }
    assert_int_equal(probe(&fixture, 1000, 0), 0);
    fixture_close(&fixture);
}

/* A copy that fails is reported, whichever it is. */
static void test_failing_copies(void **state)
{
    (void)state;
    for (uint64_t fail_at = 1; fail_at <= 3; fail_at++)
        for (int kind = 0; kind < 3; kind++) {
            struct fixture fixture;
            int failed;

            fixture_open(&fixture, &layouts[3]);
            fixture.copies.fail_at = fail_at;
            if (kind == 0)
                failed = verify_fill(fixture.verifier, &fixture.shape, &fixture.values,
                                     fixture.recv, &fixture.err);
            else if (kind == 1)
                failed =
                    verify_poison(fixture.verifier, fixture.values.type, fixture.recv, 0,
                                  fixture.elements * fixture.bytes, &fixture.err);
            else
                failed = verify_check(fixture.verifier, &fixture.shape, &fixture.values,
                                      fixture.recv, &fixture.mismatch, &fixture.err);
            assert_int_equal(failed, -1);
            assert_string_equal(fixture.err.text, "copy failed");
            assert_int_equal(fixture.copies.puts + fixture.copies.gets, fail_at);
            fixture_close(&fixture);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing),        cmocka_unit_test(test_probe_outside),
        cmocka_unit_test(test_failing_copies), cmocka_unit_test(test_right_data_passes),
        cmocka_unit_test(test_single_faults),  cmocka_unit_test(test_every_bit),
        cmocka_unit_test(test_many_faults),    cmocka_unit_test(test_wrong_blocks),
        cmocka_unit_test(test_other_seed),     cmocka_unit_test(test_fill),
        cmocka_unit_test(test_poison),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
