/* SPDX-License-Identifier: BSD-3-Clause */
#include <float.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "units.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define KIB          UINT64_C(1024)

/* An error names what was typed and is one of usage; the value stays as it was. */
static void assert_refused(int rc, const struct err *err, const char *typed,
                           const char *part)
{
    char quoted[ERR_QUOTE + 2];

    snprintf(quoted, sizeof quoted, "'%s'", typed);
    assert_int_equal(rc, -1);
    assert_int_equal(err->code, EXIT_CODE_USAGE);
    assert_non_null(strstr(err->text, quoted));
    if (!strstr(err->text, part))
        fail_msg("'%s' does not say '%s'", err->text, part);
}

static const struct {
    const char *typed, *part;
} bad_counts[] = {
    {"", "whole number"},
    {" ", "whole number"},
    {" 8", "whole number"},
    {"8 ", "whole number"},
    {"16X", "whole number"},
    {"16K", "whole number"},
    {"-5", "whole number"},
    {"+5", "whole number"},
    {"1e3", "whole number"},
    {"1e400", "whole number"},
    {"0x10", "whole number"},
    {"1.0", "whole number"},
    {"1,000", "whole number"},
    {"nan", "whole number"},
    {"8a8", "whole number"},
    {"18446744073709551616", "too large"},
    {"18446744073709551620", "too large"},
    {"99999999999999999999999999999999999999", "too large"},
};

static const struct {
    const char *typed;
    uint64_t count;
} good_counts[] = {
    {"0", 0},
    {"1", 1},
    {"100", 100},
    {"007", 7},
    {"18446744073709551615", UINT64_MAX},
    {"0000000000000000000000000000018446744073709551615", UINT64_MAX},
};

static void test_count(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(bad_counts); i++) {
        struct err err = {0};
        uint64_t count = 77;

        assert_refused(units_parse_count(bad_counts[i].typed, &count, &err), &err,
                       bad_counts[i].typed, bad_counts[i].part);
        assert_int_equal(count, 77);
    }
    for (size_t i = 0; i < COUNT(good_counts); i++) {
        struct err err = {0};
        uint64_t count = 77;

        assert_int_equal(units_parse_count(good_counts[i].typed, &count, &err), 0);
        assert_int_equal(count, good_counts[i].count);
        assert_int_equal(err.code, 0);
    }
}

static const struct {
    const char *typed, *part;
} bad_bytes[] = {
    {"", "whole number of bytes"},
    {"16X", "K, M, G or T"},
    {"-5", "K, M, G or T"},
    {"1e400", "K, M, G or T"},
    {"1e3", "K, M, G or T"},
    {"0x10", "K, M, G or T"},
    {" 8", "K, M, G or T"},
    {"8 ", "K, M, G or T"},
    {"8 K", "K, M, G or T"},
    {"K", "K, M, G or T"},
    {".5K", "K, M, G or T"},
    {"1.K", "K, M, G or T"},
    {"1.5.5K", "K, M, G or T"},
    {"8KK", "K, M, G or T"},
    {"8Ki", "K, M, G or T"},
    {"8P", "K, M, G or T"},
    {"8B", "K, M, G or T"},
    {"8,K", "K, M, G or T"},
    {"1.5", "whole number"},
    {"8.0", "whole number"},
    {"16KB", "ambiguous: write K or KiB"},
    {"16MB", "ambiguous: write M or MiB"},
    {"16GB", "ambiguous: write G or GiB"},
    {"1TB", "ambiguous: write T or TiB"},
    {"16kb", "ambiguous: write K or KiB"},
    {"16Kb", "ambiguous: write K or KiB"},
    {"16k", "write K or KiB"},
    {"128m", "write M or MiB"},
    {"128mib", "write M or MiB"},
    {"0.3K", "is not a whole number of bytes"},
    {"1.0001K", "is not a whole number of bytes"},
    {"1.00000000000000000000000000001K", "is not a whole number of bytes"},
    {"0.0000000000000000000000000000000000000000001T", "is not a whole number of bytes"},
    {"0.00048828125K", "is not a whole number of bytes"}, /* half a byte */
    {"18446744073709551616", "too large"},
    {"16777216T", "too large"},
    {"16777216.5T", "too large"},
    {"17179869184G", "too large"},
    {"18014398509481984K", "too large"},
    {"184467440737095516160K", "too large"},
};

static const struct {
    const char *typed;
    uint64_t bytes;
} good_bytes[] = {
    {"0", 0},
    {"0K", 0},
    {"8", 8},
    {"1K", KIB},
    {"1KiB", KIB},
    {"16M", 16 * KIB *KIB},
    {"16MiB", 16 * KIB *KIB},
    {"2G", 2 * KIB *KIB *KIB},
    {"1GiB", KIB *KIB *KIB},
    {"3T", 3 * KIB *KIB *KIB *KIB},
    {"3TiB", 3 * KIB *KIB *KIB *KIB},
    {"1.5G", 1610612736},
    {"0.5K", 512},
    {"1.50000000000000000000000000000000000000000000000K", 1536},
    {"2.000K", 2048},
    {"0.0009765625K", 1},
    /* one byte in T: as many decimals as there can be */
    {"0.0000000000009094947017729282379150390625T", 1},
    {"16777215T", UINT64_MAX - KIB *KIB *KIB *KIB + 1},
    {"16777215.9999999999990905052982270717620849609375T", UINT64_MAX},
    {"18446744073709551615", UINT64_MAX},
};

static void test_bytes(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(bad_bytes); i++) {
        struct err err = {0};
        uint64_t bytes = 77;

        assert_refused(units_parse_bytes(bad_bytes[i].typed, &bytes, &err), &err,
                       bad_bytes[i].typed, bad_bytes[i].part);
        assert_int_equal(bytes, 77);
    }
    for (size_t i = 0; i < COUNT(good_bytes); i++) {
        struct err err = {0};
        uint64_t bytes = 77;

        assert_int_equal(units_parse_bytes(good_bytes[i].typed, &bytes, &err), 0);
        assert_int_equal(bytes, good_bytes[i].bytes);
    }
}

static const struct {
    const char *typed, *part;
} bad_seconds[] = {
    {"", "number of seconds"},     {" 1", "number of seconds"},
    {"1 ", "number of seconds"},   {"1 s", "number of seconds"},
    {"-1", "number of seconds"},   {"+1", "number of seconds"},
    {"s", "number of seconds"},    {".5", "number of seconds"},
    {"1.", "number of seconds"},   {"1e400", "number of seconds"},
    {"1e3", "number of seconds"},  {"0x10", "number of seconds"},
    {"inf", "number of seconds"},  {"nan", "number of seconds"},
    {"1min", "number of seconds"}, {"1ns", "number of seconds"},
    {"1S", "number of seconds"},   {"1K", "number of seconds"},
};

static const struct {
    const char *typed;
    double seconds;
} good_seconds[] = {
    {"0", 0},       {"1", 1},      {"1.5", 1.5},    {"1.5s", 1.5},
    {"5us", 5e-6},  {"5ms", 5e-3}, {"0.1ms", 1e-4}, {"2m", 120},
    {"1.5h", 5400}, {"0.1", 0.1},  {"300s", 300},
};

static void test_seconds(void **state)
{
    char huge[401];
    struct err err = {0};
    double seconds = 77;

    (void)state;
    for (size_t i = 0; i < COUNT(bad_seconds); i++)
        assert_refused(units_parse_seconds(bad_seconds[i].typed, &seconds, &err), &err,
                       bad_seconds[i].typed, bad_seconds[i].part);
    memset(huge, '9', sizeof huge - 1);
    huge[sizeof huge - 1] = '\0';
    assert_int_equal(units_parse_seconds(huge, &seconds, &err), -1);
    assert_non_null(strstr(err.text, "...' is too large"));
    assert_true(seconds == 77);
    for (size_t i = 0; i < COUNT(good_seconds); i++) {
        assert_int_equal(units_parse_seconds(good_seconds[i].typed, &seconds, &err), 0);
        assert_true(seconds == good_seconds[i].seconds);
    }
}

static const char *const bad_reals[] = {
    "",   " 1", "1 ",  "one",   "1x",   "--1", "+-1", "-",    ".5",
    "1.", "1e", "1e+", "1e5.5", "0x10", "inf", "nan", "-inf", "1,5",
};

static const struct {
    const char *typed;
    double value;
} good_reals[] = {
    {"0", 0},           {"1", 1},        {"-5", -5},
    {"+0.25", 0.25},    {"0.95", 0.95},  {"1e3", 1000},
    {"1.5E-3", 0.0015}, {"-2e+2", -200}, {"1.7976931348623157e308", DBL_MAX},
};

static void test_real(void **state)
{
    struct err err = {0};
    double value = 77;

    (void)state;
    for (size_t i = 0; i < COUNT(bad_reals); i++)
        assert_refused(units_parse_real(bad_reals[i], &value, &err), &err, bad_reals[i],
                       "is not a number");
    assert_refused(units_parse_real("1e400", &value, &err), &err, "1e400", "too large");
    assert_refused(units_parse_real("-1e400", &value, &err), &err, "-1e400", "too large");
    assert_true(value == 77);
    for (size_t i = 0; i < COUNT(good_reals); i++) {
        assert_int_equal(units_parse_real(good_reals[i].typed, &value, &err), 0);
        assert_true(value == good_reals[i].value);
    }
}

static void test_messages_are_clean(void **state)
{
    struct err err = {0};
    uint64_t number;
    double real;

    (void)state;
    units_parse_count("1\n2\xff", &number, &err);
    assert_non_null(strstr(err.text, "'1?2?' is not"));
    units_parse_bytes("1\x1b[K", &number, &err);
    assert_non_null(strstr(err.text, "'1?[K' is not"));
    units_parse_seconds("1\x80", &real, &err);
    assert_non_null(strstr(err.text, "'1?' is not"));
}

static const struct {
    uint64_t bytes;
    const char *exact, *human;
} formats[] = {
    {0, "0", "0 B"},
    {1, "1", "1 B"},
    {12, "12", "12 B"},
    {512, "512", "512 B"},
    {999, "999", "999 B"},
    {1000, "1000", "0.98 KiB"},
    {1023, "1023", "1.0 KiB"},
    {1024, "1K", "1.0 KiB"},
    {1025, "1025", "1.0 KiB"},
    {1536, "1536", "1.5 KiB"},
    {10 * KIB - 1, "10239", "10 KiB"},
    {15 * KIB + KIB / 2, "15872", "16 KiB"},
    {100 * KIB + KIB / 2, "102912", "100 KiB"},
    {1536 * KIB, "1.5M", "1.5 MiB"},
    {1792 * KIB, "1792K", "1.8 MiB"},
    {999 * KIB + 600, "1023576", "0.98 MiB"},
    {512 * KIB, "512K", "512 KiB"},
    {1023 * KIB, "1023K", "1.0 MiB"},
    {KIB * KIB, "1M", "1.0 MiB"},
    {16 * KIB * KIB, "16M", "16 MiB"},
    {312 * KIB * KIB, "312M", "312 MiB"},
    {1610612736, "1.5G", "1.5 GiB"},
    {KIB * KIB * KIB + 1, "1073741825", "1.0 GiB"},
    {UINT64_C(1) << 60, "1048576T", "1.0 EiB"},
    {UINT64_MAX, "18446744073709551615", "16 EiB"},
};

static void test_format(void **state)
{
    char text[UNITS_TEXT];

    (void)state;
    for (size_t i = 0; i < COUNT(formats); i++) {
        assert_string_equal(units_format_bytes(text, formats[i].bytes), formats[i].exact);
        assert_string_equal(units_format_human(text, formats[i].bytes), formats[i].human);
    }
}

/* No shorter text than format's gives the same bytes: all numbers with up to two
 * decimals are tried in every unit. */
static void test_format_is_shortest(void **state)
{
    (void)state;
    for (unsigned hundredths = 0; hundredths < 3000; hundredths++)
        for (const char *unit = "KMGT"; *unit; unit++) {
            char typed[64], text[UNITS_TEXT];
            struct err err = {0};
            uint64_t bytes;
            int length = snprintf(typed, sizeof typed, "%u", hundredths / 100);

            if (hundredths % 10)
                length += sprintf(typed + length, ".%02u", hundredths % 100);
            else if (hundredths % 100)
                length += sprintf(typed + length, ".%u", hundredths % 100 / 10);
            sprintf(typed + length, "%c", *unit);
            if (units_parse_bytes(typed, &bytes, &err))
                continue;
            assert_in_range(strlen(units_format_bytes(text, bytes)), 1, strlen(typed));
        }
}

/* format and parse are inverse, for sizes of all lengths and all roundness. */
static void test_format_parses_back(void **state)
{
    uint64_t random = UINT64_C(88172645463325252);

    (void)state;
    for (int i = 0; i < 100000; i++) {
        char text[UNITS_TEXT];
        struct err err = {0};
        uint64_t bytes, back;

        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        bytes = random >> (i % 64) << (i / 64 % 64);
        assert_int_equal(units_parse_bytes(units_format_bytes(text, bytes), &back, &err),
                         0);
        assert_true(back == bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_count),
        cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_seconds),
        cmocka_unit_test(test_real),
        cmocka_unit_test(test_messages_are_clean),
        cmocka_unit_test(test_format),
        cmocka_unit_test(test_format_is_shortest),
        cmocka_unit_test(test_format_parses_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
