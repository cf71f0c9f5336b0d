/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench.h"

static const struct program program = {
    .name = "rackmark-p2p",
    .summary = "latency and bandwidth between ranks, point to point",
    .what =
        "BYTES is the size of one message. pingpong sends one message to and fro; its "
        "time is half of the round trip. oneway and twoway send a window of messages "
        "per repetition, which ends when the receiver has answered; the time is that "
        "of the whole window. algbw is the bytes of all its messages over that time, "
        "with twoway those of both directions; busbw is one direction's share. In a "
        "ring both figures are per rank: with twoway, algbw is what a rank sends to "
        "its two neighbours together, busbw what it sends to one of them.",
    .min_ranks = 2,
    .defaults = (const struct option_default[]){{"timing", "streaming"}, {0}},
    .examples =
        (const char *const[]){
            "mpirun -np 2 --host node1,node2 rackmark-p2p",
            "ping-pong, one way and two way, between two hosts",
            "mpirun -np 8 rackmark-p2p --pattern ring --transfer oneway,twoway -e 4M",
            "every rank to its neighbour, all at once",
            NULL,
        },
};

int main(int argc, char **argv)
{
    return bench_main(argc, argv, &program);
}
