/* SPDX-License-Identifier: BSD-3-Clause */
/* What is measured. A backend is one struct backend_type in one file; backends.c lists
 * those of this build. */
#ifndef RACKMARK_BACKEND_H
#define RACKMARK_BACKEND_H

#include <stddef.h>
#include <stdint.h>

#include "datatypes.h"
#include "err.h"
#include "options.h"
#include "shape.h"
#include "world.h"

struct backend;

/* One repetition, resolved before any clock starts. */
struct backend_call {
    const struct shape *shape;
    enum datatype_id datatype;
    enum op_id op;
    bool in_place; /* the input lies in recv, at shape_input_element */
    const void *send;
    void *recv;
};

typedef int backend_run(struct backend *backend, const struct backend_call *call,
                        struct err *err);

struct backend_operation {
    const char *name; /* of a row of operations.c */
    backend_run *run; /* starts (and may finish) one repetition */
};

struct backend_type {
    const char *name;
    const char *text; /* for --list */
    const struct option *options; /* its own rows, offsets into settings */
    size_t noptions;
    size_t settings_bytes;
    const struct backend_operation *operations; /* ended by a NULL name */

    int (*open)(struct backend *backend, const void *settings, struct err *err);
    void (*close)(struct backend *backend);
    /* Buffers that the backend moves. put and get are untimed copies between host
     * memory and such a buffer; buffers may be device memory. */
    void *(*alloc)(struct backend *backend, size_t bytes, struct err *err);
    void (*free)(struct backend *backend, void *buffer);
    int (*put)(struct backend *backend, void *buffer, const void *host, size_t bytes,
               struct err *err);
    int (*get)(struct backend *backend, void *host, const void *buffer, size_t bytes,
               struct err *err);
    /* A copy from one buffer to another where they are, complete on return: timed, as a
     * reference that stands beside figures. */
    int (*copy)(struct backend *backend, void *to, const void *from, size_t bytes,
                struct err *err);
    /* Before a point, untimed: resolves types and the like for the call. Returns 0, or
     * -1 with a code of 0 and the reason in err->text when the backend does not offer
     * this point (the same on all ranks), or -1 with a code when something failed. */
    int (*prepare)(struct backend *backend, const struct backend_call *call,
                   struct err *err);
    /* Returns when all that this rank started is locally complete. */
    int (*finish)(struct backend *backend, struct err *err);
    int64_t (*now_ns)(struct backend *backend); /* only differences have a meaning */
    const char *(*library)(void);               /* "Open MPI 4.1.4" */
};

struct backend {
    const struct backend_type *type;
    struct world *world;
    void *state;
};

/* The backends of this build, the default one first. NULL after the last. */
const struct backend_type *backend_type_get(size_t index);
const char *backend_name(size_t index);

/* Why a backend that Rackmark knows is not in this build: text, or NULL after the last.
 * Text is "nccl: not part of this release". */
const char *backend_missing(size_t index);

/* The run function of an operation, or NULL: not offered. */
backend_run *backend_find(const struct backend_type *type, const char *operation);

/* CLOCK_MONOTONIC_RAW, for backends whose clock is the host's. */
int64_t backend_host_ns(struct backend *backend);

/* alloc, free, put and get of backends that work on host memory. */
void *backend_host_alloc(struct backend *backend, size_t bytes, struct err *err);
void backend_host_free(struct backend *backend, void *buffer);
int backend_host_copy_in(struct backend *backend, void *buffer, const void *host,
                         size_t bytes, struct err *err);
int backend_host_copy_out(struct backend *backend, void *host, const void *buffer,
                          size_t bytes, struct err *err);

#endif
