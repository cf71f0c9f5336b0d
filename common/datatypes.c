/* SPDX-License-Identifier: BSD-3-Clause */
#include "datatypes.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* An integer type: how a value becomes an element, and an element text. */
#define INTEGER(name, wide, format)                                                      \
    static void encode_##name(int64_t value, void *element)                              \
    {                                                                                    \
        name##_t typed = (name##_t)value;                                                \
        memcpy(element, &typed, sizeof typed);                                           \
    }                                                                                    \
    static void print_##name(const void *element, char *text, size_t size)               \
    {                                                                                    \
        name##_t typed;                                                                  \
        memcpy(&typed, element, sizeof typed);                                           \
        snprintf(text, size, "%" format, (wide)typed);                                   \
    }

INTEGER(int8, int64_t, PRId64)
INTEGER(uint8, uint64_t, PRIu64)
INTEGER(int16, int64_t, PRId64)
INTEGER(uint16, uint64_t, PRIu64)
INTEGER(int32, int64_t, PRId64)
INTEGER(uint32, uint64_t, PRIu64)
INTEGER(int64, int64_t, PRId64)
INTEGER(uint64, uint64_t, PRIu64)

static void encode_float(int64_t value, void *element)
{
    float typed = (float)value;
    memcpy(element, &typed, sizeof typed);
}

static void encode_double(int64_t value, void *element)
{
    double typed = (double)value;
    memcpy(element, &typed, sizeof typed);
}

/* Nine and seventeen digits tell any two numbers apart; NaNs differ in their bits. */
static void print_float(const void *element, char *text, size_t size)
{
    float typed;
    uint32_t bits;

    memcpy(&typed, element, sizeof typed);
    memcpy(&bits, element, sizeof bits);
    if (isnan(typed))
        snprintf(text, size, "nan 0x%08" PRIx32, bits);
    else
        snprintf(text, size, "%.9g", (double)typed);
}

static void print_double(const void *element, char *text, size_t size)
{
    double typed;
    uint64_t bits;

    memcpy(&typed, element, sizeof typed);
    memcpy(&bits, element, sizeof bits);
    if (isnan(typed))
        snprintf(text, size, "nan 0x%016" PRIx64, bits);
    else
        snprintf(text, size, "%.17g", typed);
}

/* Poison: signed integers have one value below -exact, unsigned ones keep their largest
 * value free, and all bits set is a NaN. */
/* clang-format off */
static const struct datatype datatypes[DATATYPE_COUNT] = {
    [DATATYPE_INT8] = {
        .name = "int8", .bytes = 1, .is_signed = 1, .exact = INT8_MAX, .twos = 6,
        .poison = UINT64_C(0x8080808080808080),
        .encode = encode_int8, .print = print_int8,
    },
    [DATATYPE_UINT8] = {
        .name = "uint8", .bytes = 1, .is_signed = 0, .exact = UINT8_MAX, .twos = 7,
        .poison = UINT64_MAX,
        .encode = encode_uint8, .print = print_uint8,
    },
    [DATATYPE_INT16] = {
        .name = "int16", .bytes = 2, .is_signed = 1, .exact = INT16_MAX, .twos = 14,
        .poison = UINT64_C(0x8000800080008000),
        .encode = encode_int16, .print = print_int16,
    },
    [DATATYPE_UINT16] = {
        .name = "uint16", .bytes = 2, .is_signed = 0, .exact = UINT16_MAX, .twos = 15,
        .poison = UINT64_MAX,
        .encode = encode_uint16, .print = print_uint16,
    },
    [DATATYPE_INT32] = {
        .name = "int32", .bytes = 4, .is_signed = 1, .exact = INT32_MAX, .twos = 30,
        .poison = UINT64_C(0x8000000080000000),
        .encode = encode_int32, .print = print_int32,
    },
    [DATATYPE_UINT32] = {
        .name = "uint32", .bytes = 4, .is_signed = 0, .exact = UINT32_MAX, .twos = 31,
        .poison = UINT64_MAX,
        .encode = encode_uint32, .print = print_uint32,
    },
    [DATATYPE_INT64] = {
        .name = "int64", .bytes = 8, .is_signed = 1, .exact = INT64_MAX, .twos = 62,
        .poison = UINT64_C(0x8000000000000000),
        .encode = encode_int64, .print = print_int64,
    },
    [DATATYPE_UINT64] = {
        .name = "uint64", .bytes = 8, .is_signed = 0, .exact = UINT64_MAX, .twos = 62,
        .poison = UINT64_MAX,
        .encode = encode_uint64, .print = print_uint64,
    },
    [DATATYPE_FLOAT] = {
        .name = "float", .bytes = 4, .is_signed = 1, .exact = UINT64_C(1) << 24, .twos = 62,
        .poison = UINT64_MAX,
        .encode = encode_float, .print = print_float,
    },
    [DATATYPE_DOUBLE] = {
        .name = "double", .bytes = 8, .is_signed = 1, .exact = UINT64_C(1) << 53, .twos = 62,
        .poison = UINT64_MAX,
        .encode = encode_double, .print = print_double,
    },
};
/* clang-format on */

static const char *const op_names[OP_COUNT] = {
    [OP_SUM] = "sum",
    [OP_PROD] = "prod",
    [OP_MIN] = "min",
    [OP_MAX] = "max",
};

const struct datatype *datatype_get(enum datatype_id id)
{
    return &datatypes[id];
}

const char *datatype_name(size_t index)
{
    return index < DATATYPE_COUNT ? datatypes[index].name : NULL;
}

const char *op_name(size_t index)
{
    return index < OP_COUNT ? op_names[index] : NULL;
}
