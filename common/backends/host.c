/* SPDX-License-Identifier: BSD-3-Clause */
/* Host memory and host clock, for the backends that work on them. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "backends/backend.h"

enum { PAGE_BYTES = 4096 };

int64_t backend_host_ns(struct backend *backend)
{
    struct timespec now;

    (void)backend;
    clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

void *backend_host_alloc(struct backend *backend, size_t bytes, struct err *err)
{
    void *buffer = NULL;

    (void)backend;
    if (posix_memalign(&buffer, PAGE_BYTES, bytes > 0 ? bytes : 1) != 0) {
        err_set(err, EXIT_CODE_FAILURE, "cannot allocate a buffer of %zu bytes", bytes);
        return NULL;
    }
    memset(buffer, 0, bytes); /* the owning rank touches its pages first */
    return buffer;
}

void backend_host_free(struct backend *backend, void *buffer)
{
    (void)backend;
    free(buffer);
}

int backend_host_copy_in(struct backend *backend, void *buffer, const void *host,
                         size_t bytes, struct err *err)
{
    (void)backend;
    (void)err;
    memcpy(buffer, host, bytes);
    return 0;
}

int backend_host_copy_out(struct backend *backend, void *host, const void *buffer,
                          size_t bytes, struct err *err)
{
    (void)backend;
    (void)err;
    memcpy(host, buffer, bytes);
    return 0;
}
