/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "datatypes.h"

enum { ELEMENT_MOST = 16, TEXT = 40 };

#define ELEMENT(type, value)                                                             \
    .bytes = sizeof(type), .element = &(type)                                            \
    {                                                                                    \
        value                                                                            \
    }

/* Elements as C itself makes them. */
static const struct {
    enum datatype_id id;
    int64_t value;
    const char *text;
    size_t bytes;
    const void *element;
} encodings[] = {
    {DATATYPE_INT8, -127, "-127", ELEMENT(int8_t, -127)},
    {DATATYPE_INT8, 64, "64", ELEMENT(int8_t, 64)},
    {DATATYPE_UINT8, 255, "255", ELEMENT(uint8_t, 255)},
    {DATATYPE_UINT8, 128, "128", ELEMENT(uint8_t, 128)},
    {DATATYPE_INT16, -32767, "-32767", ELEMENT(int16_t, -32767)},
    {DATATYPE_UINT16, 65535, "65535", ELEMENT(uint16_t, 65535)},
    {DATATYPE_INT32, -2147483647, "-2147483647", ELEMENT(int32_t, -2147483647)},
    {DATATYPE_UINT32, 4294967295, "4294967295", ELEMENT(uint32_t, 4294967295)},
    {DATATYPE_INT64, -INT64_MAX, "-9223372036854775807", ELEMENT(int64_t, -INT64_MAX)},
    {DATATYPE_UINT64, INT64_MAX, "9223372036854775807", ELEMENT(uint64_t, INT64_MAX)},
    {DATATYPE_FLOAT, 0, "0", ELEMENT(float, 0.0F)},
    {DATATYPE_FLOAT, -1, "-1", ELEMENT(float, -1.0F)},
    {DATATYPE_FLOAT, 16777215, "16777215", ELEMENT(float, 16777215.0F)},
    {DATATYPE_DOUBLE, -9007199254740991, "-9007199254740991",
     ELEMENT(double, -9007199254740991.0)},
    {DATATYPE_DOUBLE, INT64_C(1) << 62, "4.6116860184273879e+18",
     ELEMENT(double, 4611686018427387904.0)},
};

static void test_encodings(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof encodings / sizeof encodings[0]; i++) {
        const struct datatype *type = datatype_get(encodings[i].id);
        unsigned char element[ELEMENT_MOST];
        char text[TEXT];

        assert_int_equal(type->bytes, encodings[i].bytes);
        type->encode(encodings[i].value, element);
        assert_memory_equal(element, encodings[i].element, type->bytes);
        type->print(encodings[i].element, text, sizeof text);
        assert_string_equal(text, encodings[i].text);
    }
}

/* Texts of elements that no encode makes. */
static const struct {
    enum datatype_id id;
    const void *element;
    const char *text;
} prints[] = {
    {DATATYPE_FLOAT, &(uint32_t){0xffc00001}, "nan 0xffc00001"},
    {DATATYPE_FLOAT, &(uint32_t){0x7f800000}, "inf"},
    {DATATYPE_FLOAT, &(uint32_t){0x80000000}, "-0"},
    {DATATYPE_FLOAT, &(uint32_t){0x3dcccccd}, "0.100000001"},
    {DATATYPE_DOUBLE, &(uint64_t){0x7ff8000000000001}, "nan 0x7ff8000000000001"},
    {DATATYPE_DOUBLE, &(double){0.1}, "0.10000000000000001"},
    {DATATYPE_INT8, &(int8_t){INT8_MIN}, "-128"},
    {DATATYPE_UINT64, &(uint64_t){UINT64_MAX}, "18446744073709551615"},
};

static void test_prints(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof prints / sizeof prints[0]; i++) {
        char text[TEXT], cut[4];
        const struct datatype *type = datatype_get(prints[i].id);

        type->print(prints[i].element, text, sizeof text);
        assert_string_equal(text, prints[i].text);
        type->print(prints[i].element, cut, sizeof cut);
        assert_memory_equal(cut, text, strlen(cut));
        assert_true(strlen(cut) < sizeof cut);
    }
}

/* Encodes and tells whether the element reads as the value again. */
static bool holds(const struct datatype *type, int64_t value)
{
    unsigned char element[ELEMENT_MOST];
    char text[64];
    long double got;

    type->encode(value, element);
    type->print(element, text, sizeof text);
    got = strtold(text, NULL);
    if (strchr(text, 'e') == NULL)
        return got == (long double)value;
    /* The text of a large floating-point number is rounded. */
    return fabsl(got - (long double)value) < 1e-8L * (long double)value;
}

/* What each row says of itself, present rows and future ones. */
static void test_rows_hold_what_they_say(void **state)
{
    (void)state;
    for (int id = 0; id < DATATYPE_COUNT; id++) {
        const struct datatype *type = datatype_get((enum datatype_id)id);
        int64_t exact = (int64_t)(type->exact < INT64_MAX ? type->exact : INT64_MAX);
        unsigned char zero[ELEMENT_MOST] = {0}, element[ELEMENT_MOST];

        assert_in_range(type->bytes, 1, ELEMENT_MOST);
        assert_true(type->exact >= 4 && type->twos >= 3 && type->twos <= 62);
        assert_true(holds(type, exact) && holds(type, exact - 1));
        assert_true(holds(type, (int64_t)1 << type->twos));
        for (int64_t value = 0; value <= exact && value < 70000; value++)
            assert_true(holds(type, value) && (!type->is_signed || holds(type, -value)));
        type->encode(0, element);
        assert_memory_equal(element, zero, type->bytes);
    }
}

/* `exact` and `twos` are the largest that hold: one more does not. */
static void test_limits_are_the_largest(void **state)
{
    static const enum datatype_id small[] = {DATATYPE_INT8,  DATATYPE_UINT8,
                                             DATATYPE_INT16, DATATYPE_UINT16,
                                             DATATYPE_INT32, DATATYPE_UINT32};
    float element;

    (void)state;
    for (size_t i = 0; i < sizeof small / sizeof small[0]; i++) {
        const struct datatype *type = datatype_get(small[i]);

        assert_false(holds(type, (int64_t)type->exact + 1));
        assert_false(holds(type, (int64_t)1 << (type->twos + 1)));
    }
    datatype_get(DATATYPE_FLOAT)->encode((1 << 24) + 1, &element);
    assert_true(element == 0x1p24F);
    assert_true(datatype_get(DATATYPE_FLOAT)->exact == 1 << 24);
    assert_true(datatype_get(DATATYPE_DOUBLE)->exact == UINT64_C(1) << 53);
    assert_true(datatype_get(DATATYPE_INT64)->exact == INT64_MAX);
    assert_true(datatype_get(DATATYPE_UINT64)->exact == UINT64_MAX);
}

/* Poison is the same element again and again, and none of the values in use: up to
 * exact - 1, on either side of zero, and the powers of two. */
static void test_poison_is_no_value(void **state)
{
    (void)state;
    for (int id = 0; id < DATATYPE_COUNT; id++) {
        const struct datatype *type = datatype_get((enum datatype_id)id);
        int64_t most = type->exact - 1 < 70000 ? (int64_t)type->exact - 1 : 70000;
        unsigned char poison[2 * sizeof type->poison], element[ELEMENT_MOST];

        memcpy(poison, &type->poison, sizeof type->poison);
        memcpy(poison + sizeof type->poison, &type->poison, sizeof type->poison);
        assert_memory_equal(poison, poison + type->bytes, type->bytes);
        for (int64_t value = type->is_signed ? -most : 0; value <= most; value++) {
            type->encode(value, element);
            assert_memory_not_equal(element, poison, type->bytes);
        }
        for (unsigned t = 0; t <= type->twos; t++) {
            type->encode((int64_t)1 << t, element);
            assert_memory_not_equal(element, poison, type->bytes);
        }
    }
}

static void test_names(void **state)
{
    static const char *const types[] = {"int8",   "uint8", "int16",  "uint16", "int32",
                                        "uint32", "int64", "uint64", "float",  "double"};
    static const char *const ops[] = {"sum", "prod", "min", "max"};

    (void)state;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        assert_string_equal(datatype_name(i), types[i]);
    for (size_t i = 0; i < DATATYPE_COUNT; i++)
        assert_string_equal(datatype_name(i), datatype_get((enum datatype_id)i)->name);
    assert_null(datatype_name(DATATYPE_COUNT));
    for (size_t i = 0; i < OP_COUNT; i++)
        assert_string_equal(op_name(i), ops[i]);
    assert_null(op_name(OP_COUNT));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_encodings),
        cmocka_unit_test(test_prints),
        cmocka_unit_test(test_rows_hold_what_they_say),
        cmocka_unit_test(test_limits_are_the_largest),
        cmocka_unit_test(test_poison_is_no_value),
        cmocka_unit_test(test_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
