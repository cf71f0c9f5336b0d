/* SPDX-License-Identifier: BSD-3-Clause */
/* What a library does with elements: each operation in each type's own arithmetic, and
 * for integers both as C wraps and as libraries that saturate do it. */
#ifndef RACKMARK_TESTS_ARITHMETIC_H
#define RACKMARK_TESTS_ARITHMETIC_H

#include <stdint.h>
#include <string.h>

#include "datatypes.h"

enum { ELEMENT_MOST = 16 };

struct arithmetic {
    void (*wrapping)(enum op_id op, const void *a, const void *b, void *to);
    void (*saturating)(enum op_id op, const void *a, const void *b, void *to);
    long double (*value)(const void *element);
};

static inline __int128 whole_of(enum op_id op, __int128 a, __int128 b)
{
    switch (op) {
    case OP_SUM:
        return a + b;
    case OP_PROD:
        return a * b;
    case OP_MIN:
        return a < b ? a : b;
    default:
        return a > b ? a : b;
    }
}

#define ARITHMETIC_INTEGER(name, least, most)                                            \
    static void wrapping_##name(enum op_id op, const void *a, const void *b, void *to)   \
    {                                                                                    \
        name##_t x, y;                                                                   \
        memcpy(&x, a, sizeof x);                                                         \
        memcpy(&y, b, sizeof y);                                                         \
        x = (name##_t)whole_of(op, x, y);                                                \
        memcpy(to, &x, sizeof x);                                                        \
    }                                                                                    \
    static void saturating_##name(enum op_id op, const void *a, const void *b, void *to) \
    {                                                                                    \
        name##_t x, y;                                                                   \
        memcpy(&x, a, sizeof x);                                                         \
        memcpy(&y, b, sizeof y);                                                         \
        __int128 whole = whole_of(op, x, y);                                             \
        x = whole < least ? least : whole > most ? most : (name##_t)whole;               \
        memcpy(to, &x, sizeof x);                                                        \
    }                                                                                    \
    static long double value_##name(const void *element)                                 \
    {                                                                                    \
        name##_t x;                                                                      \
        memcpy(&x, element, sizeof x);                                                   \
        return (long double)x;                                                           \
    }

#define ARITHMETIC_REAL(name)                                                            \
    static void wrapping_##name(enum op_id op, const void *a, const void *b, void *to)   \
    {                                                                                    \
        name x, y;                                                                       \
        memcpy(&x, a, sizeof x);                                                         \
        memcpy(&y, b, sizeof y);                                                         \
        x = op == OP_SUM    ? x + y                                                      \
            : op == OP_PROD ? x * y                                                      \
            : op == OP_MIN  ? (x < y ? x : y)                                            \
                            : (x > y ? x : y);                                            \
        memcpy(to, &x, sizeof x);                                                        \
    }                                                                                    \
    static long double value_##name(const void *element)                                 \
    {                                                                                    \
        name x;                                                                          \
        memcpy(&x, element, sizeof x);                                                   \
        return (long double)x;                                                           \
    }

ARITHMETIC_INTEGER(int8, INT8_MIN, INT8_MAX)
ARITHMETIC_INTEGER(uint8, 0, UINT8_MAX)
ARITHMETIC_INTEGER(int16, INT16_MIN, INT16_MAX)
ARITHMETIC_INTEGER(uint16, 0, UINT16_MAX)
ARITHMETIC_INTEGER(int32, INT32_MIN, INT32_MAX)
ARITHMETIC_INTEGER(uint32, 0, UINT32_MAX)
ARITHMETIC_INTEGER(int64, INT64_MIN, INT64_MAX)
ARITHMETIC_INTEGER(uint64, 0, UINT64_MAX)
ARITHMETIC_REAL(float)
ARITHMETIC_REAL(double)

/* Indexed by enum datatype_id; a row without functions fails the tests that use it. */
/* clang-format off */
static const struct arithmetic arithmetic_rows[DATATYPE_COUNT] = {
    [DATATYPE_INT8] = {wrapping_int8, saturating_int8, value_int8},
    [DATATYPE_UINT8] = {wrapping_uint8, saturating_uint8, value_uint8},
    [DATATYPE_INT16] = {wrapping_int16, saturating_int16, value_int16},
    [DATATYPE_UINT16] = {wrapping_uint16, saturating_uint16, value_uint16},
    [DATATYPE_INT32] = {wrapping_int32, saturating_int32, value_int32},
    [DATATYPE_UINT32] = {wrapping_uint32, saturating_uint32, value_uint32},
    [DATATYPE_INT64] = {wrapping_int64, saturating_int64, value_int64},
    [DATATYPE_UINT64] = {wrapping_uint64, saturating_uint64, value_uint64},
    [DATATYPE_FLOAT] = {wrapping_float, wrapping_float, value_float},
    [DATATYPE_DOUBLE] = {wrapping_double, wrapping_double, value_double},
};
/* clang-format on */

/* A generator that has nothing in common with the hashes under test (xorshift64). */
static inline uint64_t random_next(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

#endif
