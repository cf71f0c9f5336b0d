/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench.h"

static const struct program program = {
    .name = "rackmark-allreduce",
    .summary = "bandwidth and latency of all-reduce",
    .what = "Every rank contributes a vector of BYTES bytes and receives the reduction of "
            "all of them. algbw is BYTES over the time of the slowest rank; busbw is "
            "algbw times 2(n-1)/n for n ranks: what an optimal algorithm moves through "
            "each rank's link per direction.",
    .operations = (const char *const[]){"allreduce", NULL},
    .min_ranks = 1,
    .examples =
        (const char *const[]){
            "mpirun -np 4 rackmark-allreduce -b 8 -e 16M",
            "sizes from 8 bytes to 16 MiB, each twice the one before",
            "mpirun -np 4 rackmark-allreduce -s 1M,64M -d all -o all -O run.jsonl",
            "two sizes in every type and reduction, kept as JSON Lines",
            NULL,
        },
};

int main(int argc, char **argv)
{
    return bench_main(argc, argv, &program);
}
