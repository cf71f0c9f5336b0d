/* SPDX-License-Identifier: BSD-3-Clause */
/* verify PAIRS BYTES: how fast one core fills what a rank sends and checks what it
 * received, in GB/s, next to memcpy of as many bytes. Every pair has a seed of its own,
 * as every block of repetitions has: making the reference data is part of the time. */
#include <string.h>

#include "backends/backend.h"
#include "pairs.h"
#include "verify.h"

enum { RANKS = 4 };

struct bench {
    struct backend backend;
    struct verifier *verifier;
    struct values_stream *stream;
    struct shape shape;
    struct values values;
    unsigned char *data, *copy;
    size_t bytes;
};

/* What the reduction of all ranks' data is: an all-reduce that went well. */
static void receive(struct bench *bench)
{
    size_t element = bench->values.type->bytes;
    uint64_t elements = shape_recv_elements(&bench->shape), done = 0;
    const void *run;

    values_stream_start(bench->stream, &bench->values, (struct origin){.nranks = RANKS},
                        elements);
    while (done < elements) {
        uint64_t count = values_stream_next(bench->stream, elements - done, &run);

        memcpy(bench->data + done * element, run, count * element);
        done += count;
    }
}

static double copy_seconds(struct bench *bench, bool from_data)
{
    double start = pairs_cpu_seconds();

    if (from_data)
        memcpy(bench->copy, bench->data, bench->bytes);
    else
        memcpy(bench->data, bench->copy, bench->bytes);
    return pairs_cpu_seconds() - start;
}

static double fill_seconds(struct bench *bench)
{
    struct err err = {0};
    double start = pairs_cpu_seconds();

    if (verify_fill(bench->verifier, &bench->shape, &bench->values, bench->data, &err))
        pairs_fail("verify", err.text);
    return pairs_cpu_seconds() - start;
}

static double check_seconds(struct bench *bench)
{
    struct err err = {0};
    struct mismatch mismatch = {0};
    double start = pairs_cpu_seconds();

    if (verify_check(bench->verifier, &bench->shape, &bench->values, bench->data,
                     &mismatch, &err))
        pairs_fail("verify", err.text);
    double seconds = pairs_cpu_seconds() - start;
    if (mismatch.wrong > 0)
        pairs_fail("verify", "right data was not found right");
    return seconds;
}

/* The one that comes first finds the caches as they were left, so they take turns. */
static void fill_pair(struct bench *bench, const char *row, bool peer_first)
{
    double peer = peer_first ? copy_seconds(bench, false) : 0;
    double ours = fill_seconds(bench);

    if (!peer_first)
        peer = copy_seconds(bench, false);
    pairs_print(row, "GB/s", 1e-9 * (double)bench->bytes / ours,
                1e-9 * (double)bench->bytes / peer);
}

static void check_pair(struct bench *bench, const char *row, bool peer_first)
{
    receive(bench);
    double peer = peer_first ? copy_seconds(bench, true) : 0;
    if (peer_first)
        receive(bench);
    double ours = check_seconds(bench);
    if (!peer_first) {
        receive(bench);
        peer = copy_seconds(bench, true);
    }
    pairs_print(row, "GB/s", 1e-9 * (double)bench->bytes / ours,
                1e-9 * (double)bench->bytes / peer);
}

static void run_pair(struct bench *bench, enum datatype_id id, uint64_t pair)
{
    const struct datatype *type = datatype_get(id);
    char row[64];

    shape_of(&bench->shape, operation_find("allreduce"), NULL, 0, RANKS, bench->bytes,
             type->bytes, 1, 0);
    values_init(&bench->values, type, true, OP_SUM, RANKS, pair + 1);
    snprintf(row, sizeof row, "fill %s, %zu KiB", type->name, bench->bytes >> 10);
    fill_pair(bench, row, pair % 2);
    snprintf(row, sizeof row, "check %s, %zu KiB", type->name, bench->bytes >> 10);
    check_pair(bench, row, pair % 2);
}

static void bench_open(struct bench *bench, size_t bytes)
{
    static const struct backend_type host = {
        .name = "host", .put = backend_host_copy_in, .get = backend_host_copy_out};

    *bench = (struct bench){
        .backend = {.type = &host},
        .stream = values_stream_open(),
        .data = aligned_alloc(4096, bytes),
        .copy = aligned_alloc(4096, bytes),
        .bytes = bytes,
    };
    bench->verifier = verify_open(&bench->backend);
    if (!bench->verifier || !bench->stream || !bench->data || !bench->copy)
        pairs_fail("verify", "out of memory");
    memset(bench->data, 1, bytes);
    memset(bench->copy, 1, bytes);
}

static void bench_close(struct bench *bench)
{
    verify_close(bench->verifier);
    values_stream_close(bench->stream);
    free(bench->data);
    free(bench->copy);
}

int main(int argc, char **argv)
{
    struct bench bench;
    uint64_t pairs = argc == 3 ? pairs_argument("verify", argv[1]) : 0;

    if (pairs == 0)
        pairs_fail("verify", "usage: verify PAIRS BYTES");
    uint64_t bytes = pairs_argument("verify", argv[2]);
    if (bytes % 4096 != 0)
        pairs_fail("verify", "BYTES must be a multiple of 4096");
    bench_open(&bench, bytes);
    for (uint64_t pair = 0; pair < pairs; pair++)
        for (int id = 0; id < DATATYPE_COUNT; id++)
            run_pair(&bench, (enum datatype_id)id, pair);
    bench_close(&bench);
    return EXIT_CODE_GOOD;
}
