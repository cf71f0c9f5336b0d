/* SPDX-License-Identifier: BSD-3-Clause */
/* How ranks meet: launch, barrier, broadcast, reduce, gather. The control plane: never
 * inside a timed region, and apart from the backend that is measured. Every call is
 * collective over all ranks of the world; each returns 0, or -1 with err
 * (EXIT_CODE_FAILURE), after which the world can only be aborted. */
#ifndef RACKMARK_WORLD_H
#define RACKMARK_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "err.h"

/* A value and the rank that it came from. */
struct world_max {
    double value;
    int rank; /* set by the reduction; the lowest rank among equals */
};

struct world;

struct world_ops {
    int (*barrier)(struct world *world, struct err *err);
    int (*bcast)(struct world *world, void *data, size_t bytes, int root,
                 struct err *err);
    /* Element-wise maximum over ranks of values[i].value, with who had it; the result
     * is in values at rank 0 alone. O(log n) rounds, no buffer grows with n. */
    int (*max)(struct world *world, struct world_max *values, size_t count,
               struct err *err);
    /* all (nranks * bytes, at rank 0; NULL elsewhere) receives each rank's mine. */
    int (*gather)(struct world *world, const void *mine, size_t bytes, void *all,
                  struct err *err);
    void (*abort)(struct world *world, int code); /* ends all ranks; does not return */
    int (*close)(struct world *world);
};

enum { WORLD_HOST_TEXT = 64 };

struct world {
    int rank, nranks;
    int local_rank, local_nranks; /* among the ranks that share this host's memory */
    int local_cpus; /* processors that these may run on; 0: unknown */
    int node, nnodes;             /* number of this host among the hosts */
    char host[WORLD_HOST_TEXT];
    const struct world_ops *ops;
    void *state;
};

/* Joins the world that the launcher made; in a build without MPI a world of one.
 * argc and argv as given to main. */
int world_open(struct world *world, int *argc, char ***argv, struct err *err);

/* A world of this process alone. */
void world_open_single(struct world *world);

/* "Open MPI 4.1.4", "none": what the world stands on. Valid for the whole run. */
const char *world_library(void);

/* Everyone learns the worst error of any rank: err is overwritten on all ranks alike
 * with that of the lowest rank which has the worst code, and -1 is returned on all when
 * there is one. Call it with an err that is clear (code 0) where all went well. */
int world_agree(struct world *world, struct err *err);

/* Maximum over ranks, on all ranks. */
int world_max_everywhere(struct world *world, struct world_max *values, size_t count,
                         struct err *err);

#endif
