/* SPDX-License-Identifier: BSD-3-Clause */
/* n ranks in one process, one thread each: a world and a backend for tests. Time is
 * scripted, data really moves. Strict where hardware is: work happens in finish alone. */
#ifndef FAKE_RANKS_H
#define FAKE_RANKS_H

#include "backends/backend.h"
#include "world.h"

struct fake_script {
    /* Nanoseconds that call number `call` (warm-up and pilot count) takes on rank.
     * NULL: 1000. */
    int64_t (*duration_ns)(void *context, int rank, uint64_t call);
    /* After a call delivered `bytes` into recv: may damage them. NULL: nothing. */
    void (*deliver)(void *context, int rank, uint64_t call,
                    const struct backend_call *what, void *recv, size_t bytes);
    /* True: the call delivers nothing, but takes its time. NULL: never. */
    bool (*skip)(void *context, int rank, uint64_t call);
    int64_t copy_ns;  /* of a copy within the backend's memory */
    bool not_offered; /* prepare says so */
    void *context;
};

/* Runs rank_main on nranks threads and returns when all have ended. */
void fake_ranks_run(int nranks, const struct fake_script *script,
                    void (*rank_main)(struct world *world, void *context), void *context);

/* Its open takes the world of fake_ranks_run. */
extern const struct backend_type fake_backend;

/* Calls of run on this rank so far. */
uint64_t fake_ranks_calls(const struct world *world);

/* The most by which two ranks ever differed in when they started the same call. */
int64_t fake_ranks_skew_ns(const struct world *world);

#endif
