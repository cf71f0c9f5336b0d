/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "samples.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static struct samples open_good(int nranks)
{
    struct samples samples;
    struct err err = {0};

    memset(&samples, 0x55, sizeof samples);
    assert_int_equal(samples_open(&samples, nranks, &err), 0);
    assert_int_equal(samples.count, 0);
    return samples;
}

/* ranks: the slowest of each sample, one digit each. */
static void add(struct samples *samples, const char *ranks)
{
    struct world_max values[16];
    struct err err = {0};
    size_t count = strlen(ranks);

    for (size_t i = 0; i < count; i++)
        values[i] = (struct world_max){(double)(samples->count + i), ranks[i] - '0'};
    assert_int_equal(samples_add(samples, values, count, &err), 0);
}

static const struct {
    int nranks;
    const char *ranks;
    int slowest;
    int times; /* in how many samples */
} cases[] = {
    {1, "", -1, 0},    {1, "0", 0, 1},      {1, "000", 0, 3},     {2, "1", 1, 1},
    {2, "011", 1, 2},  {2, "0011", 0, 2},   {2, "1100", 0, 2},    {9, "8", 8, 1},
    {9, "876", 6, 1},  {9, "8766", 6, 2},   {4, "3333", 3, 4},    {4, "32103210", 0, 2},
    {4, "2132", 2, 2}, {5, "443322", 2, 2}, {5, "4433221", 2, 2},
};

static void test_slowest(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct samples samples = open_good(cases[i].nranks);
        size_t count = strlen(cases[i].ranks);
        double share = 77;

        add(&samples, cases[i].ranks);
        assert_int_equal(samples.count, count);
        assert_int_equal(samples_slowest(&samples, &share), cases[i].slowest);
        assert_true(share == (count ? (double)cases[i].times / (double)count : 0));
        samples_close(&samples);
    }
}

/* clang-format off */
static const struct {
    int nranks;
    const char *ranks, *text;
} texts[] = {
    {1, "", ""},
    {1, "000", "0:1"},
    {4, "3333", "3:1"},
    {2, "0011", "0:0.5 1:0.5"},
    {2, "011", "1:0.67 0:0.33"},
    {5, "44443332201", "4:0.36 3:0.27 2:0.18"},
    {5, "1432014320", "0:0.2 1:0.2 2:0.2"},
    {9, "8886667", "6:0.43 8:0.43 7:0.14"},
    {9, "8765", "5:0.25 6:0.25 7:0.25"},
};
/* clang-format on */

static void test_slowest_text(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(texts); i++) {
        struct samples samples = open_good(texts[i].nranks);
        char text[64];

        add(&samples, texts[i].ranks);
        samples_slowest_text(&samples, text, sizeof text);
        assert_string_equal(text, texts[i].text);
        /* Too small: cut, and ended. */
        for (size_t size = 1; size <= strlen(texts[i].text); size++) {
            memset(text, '#', sizeof text);
            samples_slowest_text(&samples, text, size);
            for (size_t at = size; at < sizeof text; at++)
                assert_int_equal(text[at], '#');
            assert_int_equal(strlen(text), size - 1);
            assert_memory_equal(text, texts[i].text, size - 1);
        }
        samples_close(&samples);
    }
}

/* Eight ranks, of which one is late each tenth time: its name and share stand first. */
static void test_one_slow_rank(void **state)
{
    struct samples samples = open_good(8);
    double share;
    char text[64];

    (void)state;
    for (int i = 0; i < 1000; i++) {
        int rank = i % 10 < 6 ? 3 : i % 8;
        const struct world_max value = {1e-5 * (rank == 3 ? 6 : 1), rank};

        assert_int_equal(samples_add(&samples, &value, 1, &(struct err){0}), 0);
    }
    assert_int_equal(samples_slowest(&samples, &share), 3);
    assert_true(share == 0.65);
    samples_slowest_text(&samples, text, sizeof text);
    assert_memory_equal(text, "3:0.65 ", 7);
    samples_close(&samples);
}

/* One at a time, none, and many at once: all are kept, in their order. */
static void test_growth(void **state)
{
    static const char *const parts[] = {"", "0", "1", "", "012", "0120120120120120"};
    struct samples samples = open_good(3);
    uint64_t total = 0;

    (void)state;
    for (int round = 0; round < 500; round++)
        for (size_t i = 0; i < COUNT(parts); i++)
            add(&samples, parts[i]);
    assert_int_equal(samples.count, 500 * 21);
    for (size_t i = 0; i < samples.count; i++)
        assert_true(samples.seconds[i] == (double)i);
    /* What sorts them has a place of its own for all of them. */
    memset(samples.scratch, 0x55, samples.count * sizeof *samples.scratch);
    assert_true(samples.seconds[samples.count - 1] == 500 * 21 - 1);
    for (int rank = 0; rank < 3; rank++)
        total += samples.slowest[rank];
    assert_int_equal(total, samples.count);
    assert_int_equal(samples.slowest[0], 500 * 8);
    samples_close(&samples);
}

static void test_clear(void **state)
{
    struct samples samples = open_good(3);
    double share;

    (void)state;
    add(&samples, "2222");
    samples_clear(&samples);
    assert_int_equal(samples.count, 0);
    assert_int_equal(samples_slowest(&samples, &share), -1);
    assert_true(share == 0);
    add(&samples, "112");
    assert_int_equal(samples_slowest(&samples, &share), 1);
    assert_true(share == 2.0 / 3);
    assert_true(samples.seconds[0] == 0);
    samples_close(&samples);
    assert_null(samples.seconds);
    assert_null(samples.scratch);
    assert_null(samples.slowest);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slowest),       cmocka_unit_test(test_slowest_text),
        cmocka_unit_test(test_one_slow_rank), cmocka_unit_test(test_growth),
        cmocka_unit_test(test_clear),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
