/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench.h"

static const struct program program = {
    .name = "rackmark-alltoall",
    .summary = "bandwidth and latency of all-to-all",
    .what = "Every rank sends a block to every rank, itself included. BYTES is all that one rank "
            "sends: n blocks for n ranks; sizes are rounded up to whole blocks. algbw is BYTES "
            "over the time of the slowest rank; busbw is algbw times (n-1)/n.",
    .operations = (const char *const[]){"alltoall", NULL},
    .min_ranks = 1,
    .examples =
        (const char *const[]){
            "mpirun -np 4 rackmark-alltoall -b 1K -e 16M",
            "sizes from 1 KiB to 16 MiB, each twice the one before",
            NULL,
        },
};

int main(int argc, char **argv)
{
    return bench_main(argc, argv, &program);
}
