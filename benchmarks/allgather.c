/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench.h"

static const struct program program = {
    .name = "rackmark-allgather",
    .summary = "bandwidth and latency of all-gather",
    .what =
        "Every rank contributes one block, and receives the blocks of all. BYTES is "
        "the size of the whole result, n blocks for n ranks; sizes are rounded up to "
        "whole blocks. algbw is BYTES over the time of the slowest rank; busbw is algbw "
        "times (n-1)/n: what an optimal algorithm moves through each rank's link per "
        "direction.",
    .operations = (const char *const[]){"allgather", NULL},
    .min_ranks = 1,
    .examples =
        (const char *const[]){
            "mpirun -np 4 rackmark-allgather -b 1K -e 16M",
            "sizes from 1 KiB to 16 MiB, each twice the one before",
            NULL,
        },
};

int main(int argc, char **argv)
{
    return bench_main(argc, argv, &program);
}
