/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench.h"

static const struct program program = {
    .name = "rackmark-barrier",
    .summary = "latency of barrier",
    .what = "Nobody leaves before everybody came: the time of the slowest rank, no bytes, no "
            "bandwidth. Options on sizes, types and data have no meaning here.",
    .operations = (const char *const[]){"barrier", NULL},
    .min_ranks = 1,
    .examples =
        (const char *const[]){
            "mpirun -np 4 rackmark-barrier --timing all",
            "isolated and back to back",
            NULL,
        },
};

int main(int argc, char **argv)
{
    return bench_main(argc, argv, &program);
}
