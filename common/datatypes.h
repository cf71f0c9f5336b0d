/* SPDX-License-Identifier: BSD-3-Clause */
/* The element types and the reduction operations: one row each. */
#ifndef RACKMARK_DATATYPES_H
#define RACKMARK_DATATYPES_H

#include <stddef.h>
#include <stdint.h>

enum datatype_id {
    DATATYPE_INT8,
    DATATYPE_UINT8,
    DATATYPE_INT16,
    DATATYPE_UINT16,
    DATATYPE_INT32,
    DATATYPE_UINT32,
    DATATYPE_INT64,
    DATATYPE_UINT64,
    DATATYPE_FLOAT,
    DATATYPE_DOUBLE,
    DATATYPE_COUNT
};

struct datatype {
    const char *name;
    size_t bytes;    /* of one element */
    int is_signed;   /* holds negative values */
    uint64_t exact;  /* the largest M with every whole number 0..M held exactly */
    unsigned twos;   /* the largest t with 2^t held exactly and t <= 62 */
    uint64_t poison; /* bits of an element (repeated) that no reduction's result shows and
                        that spoils a sum it is added to: see values.h */
    void (*encode)(int64_t value, void *element); /* value within +-exact or +-2^twos */
    void (*print)(const void *element, char *text, size_t size); /* for messages */
};

/* id in [0, DATATYPE_COUNT). */
const struct datatype *datatype_get(enum datatype_id id);
const char *datatype_name(size_t index); /* NULL after the last: an option's choices */

enum op_id { OP_SUM, OP_PROD, OP_MIN, OP_MAX, OP_COUNT };

const char *op_name(size_t index); /* NULL after the last */

#endif
