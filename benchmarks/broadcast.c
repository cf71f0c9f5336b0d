/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench.h"

static const struct program program = {
    .name = "rackmark-broadcast",
    .summary = "bandwidth and latency of broadcast",
    .what = "The root sends BYTES bytes to every other rank. algbw and busbw are BYTES over the "
            "time of the slowest rank.",
    .operations = (const char *const[]){"broadcast", NULL},
    .min_ranks = 1,
    .examples =
        (const char *const[]){
            "mpirun -np 4 rackmark-broadcast --root 1",
            "rank 1 sends",
            NULL,
        },
};

int main(int argc, char **argv)
{
    return bench_main(argc, argv, &program);
}
