/* SPDX-License-Identifier: BSD-3-Clause */
/* Fills what a rank sends and checks what it received, whole, against values.h. Works
 * on backend buffers in chunks through put and get. */
#ifndef RACKMARK_VERIFY_H
#define RACKMARK_VERIFY_H

#include <stdint.h>

#include "backends/backend.h"
#include "err.h"
#include "shape.h"
#include "values.h"

enum { MISMATCH_TEXT = 40 };

/* What was wrong on one rank. */
struct mismatch {
    uint64_t wrong;   /* elements that differ; 0: none */
    uint64_t element; /* index of the first in the receive buffer */
    char got[MISMATCH_TEXT], expected[MISMATCH_TEXT];
};

struct verifier;

/* One per run: it owns the staging memory. NULL when out of memory. */
struct verifier *verify_open(struct backend *backend);
void verify_close(struct verifier *verifier);

/* Fills the send buffer of the shape's rank. */
int verify_fill(struct verifier *verifier, const struct shape *shape,
                const struct values *values, void *send, struct err *err);

/* Overwrites bytes [offset, offset + bytes) of a receive buffer, whole elements, with the
 * type's poison: no result of a reduction shows it (nor one that poison was added to);
 * an element of moved data shows it by chance, once in 2^bits. */
int verify_poison(struct verifier *verifier, const struct datatype *type, void *recv,
                  uint64_t offset, uint64_t bytes, struct err *err);

/* Compares the whole receive buffer. Adds to mismatch (zero it before the first of
 * several checks); the first mismatch found stays the named one. */
int verify_check(struct verifier *verifier, const struct shape *shape,
                 const struct values *values, const void *recv, struct mismatch *mismatch,
                 struct err *err);

/* Compares `count` elements of the receive buffer from `element` on. Quick for few. An
 * element outside of the buffer is an error (EXIT_CODE_FAILURE). */
int verify_probe(struct verifier *verifier, const struct shape *shape,
                 const struct values *values, const void *recv, uint64_t element,
                 uint64_t count, struct mismatch *mismatch, struct err *err);

#endif
