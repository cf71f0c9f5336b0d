/* SPDX-License-Identifier: BSD-3-Clause */
/* The world of a build without MPI. */
#include "world.h"

int world_open(struct world *world, int *argc, char ***argv, struct err *err)
{
    (void)argc;
    (void)argv;
    (void)err;
    world_open_single(world);
    return 0;
}

const char *world_library(void)
{
    return "none";
}
