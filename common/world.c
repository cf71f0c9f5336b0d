/* SPDX-License-Identifier: BSD-3-Clause */
#include "world.h"

/* Orders exit codes as exit_code_worse does: how many codes this one is worse than. */
static int severity(int code)
{
    int count = 0;

    for (int other = EXIT_CODE_GOOD; other <= EXIT_CODE_CEILING; other++)
        count += other != code && exit_code_worse(code, other) == code;
    return count;
}

int world_max_everywhere(struct world *world, struct world_max *values, size_t count,
                         struct err *err)
{
    if (world->ops->max(world, values, count, err))
        return -1;
    return world->ops->bcast(world, values, count * sizeof *values, 0, err);
}

int world_agree(struct world *world, struct err *err)
{
    struct world_max worst = {.value = severity(err->code)};
    struct err trouble = {0};

    if (world_max_everywhere(world, &worst, 1, &trouble)) {
        *err = trouble;
        return -1;
    }
    if (worst.value == severity(EXIT_CODE_GOOD))
        return 0;
    if (world->ops->bcast(world, err, sizeof *err, worst.rank, &trouble))
        *err = trouble;
    return -1;
}
