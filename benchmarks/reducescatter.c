/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench.h"

static const struct program program = {
    .name = "rackmark-reducescatter",
    .summary = "bandwidth and latency of reduce-scatter",
    .what = "Every rank contributes a vector of BYTES bytes, and receives its own block of their "
            "reduction: one of n blocks for n ranks. Sizes are rounded up to whole blocks. "
            "algbw is BYTES over the time of the slowest rank; busbw is algbw times (n-1)/n.",
    .operations = (const char *const[]){"reducescatter", NULL},
    .min_ranks = 1,
    .examples =
        (const char *const[]){
            "mpirun -np 4 rackmark-reducescatter -b 1K -e 16M",
            "sizes from 1 KiB to 16 MiB, each twice the one before",
            NULL,
        },
};

int main(int argc, char **argv)
{
    return bench_main(argc, argv, &program);
}
