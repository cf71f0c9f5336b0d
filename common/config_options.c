/* SPDX-License-Identifier: BSD-3-Clause */
/* The option table: one row is all there is to an option. */
#include "backends/backend.h"
#include "config.h"
#include "datatypes.h"
#include "patterns.h"

#define BYTES_MOST   ((uint64_t)1 << 50)
#define SECONDS_MOST (7 * 24 * 3600)

/* clang-format off */
const struct option config_options[] = {
    {
        .name = "min-bytes", .letter = 'b', .type = OPTION_BYTES,
        .offset = offsetof(struct config, min_bytes), .otherwise = "8",
        .min = 1, .max = BYTES_MOST, .unit = "BYTES", .section = "Sizes",
        .text = "first size; K, M, G and T are binary: 1K is 1024",
    }, {
        .name = "max-bytes", .letter = 'e', .type = OPTION_BYTES,
        .offset = offsetof(struct config, max_bytes), .otherwise = "64M",
        .min = 1, .max = BYTES_MOST, .unit = "BYTES", .section = "Sizes",
        .text = "upper limit of the sizes; the series ends at or below it",
    }, {
        .name = "factor", .letter = 'f', .type = OPTION_COUNT,
        .offset = offsetof(struct config, factor), .otherwise = "2",
        .min = 2, .max = 8192, .unit = "N", .section = "Sizes",
        .text = "each size is N times the one before",
    }, {
        .name = "step", .letter = 'i', .type = OPTION_BYTES,
        .offset = offsetof(struct config, step), .otherwise = "0",
        .max = BYTES_MOST, .unit = "BYTES", .section = "Sizes",
        .text = "each size is BYTES more than the one before; 0: use --factor",
    }, {
        .name = "sizes", .letter = 's', .type = OPTION_SIZES,
        .offset = offsetof(struct config, sizes),
        .min = 1, .max = BYTES_MOST, .unit = "LIST", .section = "Sizes",
        .text = "exactly these sizes, such as 8,1K,1000000,1.5G, instead of a series",
    }, {
        .name = "datatype", .letter = 'd', .type = OPTION_CHOICES,
        .offset = offsetof(struct config, datatypes), .otherwise = "float",
        .choice = datatype_name, .unit = "TYPES", .section = "What is measured",
        .text = "type of the elements; several with commas, or all",
    }, {
        .name = "backend", .type = OPTION_CHOICE,
        .offset = offsetof(struct config, backend),
        .choice = backend_name, .unit = "NAME", .section = "What is measured",
        .text = "the library that moves the data; --list says which this build has",
    }, {
        .name = "timing", .letter = 't', .type = OPTION_CHOICES,
        .offset = offsetof(struct config, timings), .otherwise = "isolated",
        .choice = timing_name, .unit = "MODES", .section = "Repetitions",
        .text = "isolated: ranks start together, each repetition is timed alone; "
                "streaming: back to back, a batch's time over its count. Several with commas, or all",
    }, {
        .name = "iterations", .letter = 'n', .type = OPTION_COUNT,
        .offset = offsetof(struct config, iterations), .otherwise = "0",
        .max = 100000000, .unit = "N", .section = "Repetitions",
        .text = "exactly N repetitions of each point (a line of a table); 0: as many as the "
                "options below ask for. With streaming they are spread over 20 batches: give "
                "thousands",
    }, {
        .name = "warmup", .letter = 'w', .type = OPTION_COUNT,
        .offset = offsetof(struct config, warmup), .otherwise = "5",
        .max = 100000000, .unit = "N", .section = "Repetitions",
        .text = "repetitions before each point that do not count; without --iterations, more of "
                "them until times no longer fall, for a tenth of --max-time at the most",
    }, {
        .name = "precision", .type = OPTION_REAL,
        .offset = offsetof(struct config, precision), .otherwise = "2",
        .max = 100, .unit = "PERCENT", .section = "Repetitions",
        .text = "repeat until half of the median's 95 % interval is within PERCENT of the median. "
                "A pilot that does not count tells how many repetitions that takes; 0: use all of "
                "--max-time",
    }, {
        .name = "min-iterations", .type = OPTION_COUNT,
        .offset = offsetof(struct config, min_iterations), .otherwise = "20",
        .min = 1, .max = 100000000, .unit = "N", .section = "Repetitions",
        .text = "at least N repetitions, where --max-time allows",
    }, {
        .name = "max-iterations", .type = OPTION_COUNT,
        .offset = offsetof(struct config, max_iterations), .otherwise = "100000",
        .min = 6, .max = 100000000, .unit = "N", .section = "Repetitions",
        .text = "at most N repetitions",
    }, {
        .name = "max-time", .type = OPTION_SECONDS,
        .offset = offsetof(struct config, max_time), .otherwise = "1",
        .max = SECONDS_MOST, .unit = "SECONDS", .section = "Repetitions",
        .text = "at most this time for each point, data checks included; us, ms, s, m and h "
                "are accepted. At least six blocks of repetitions are made, however long they "
                "take. Ignored where --iterations is given",
    }, {
        .name = "cache", .type = OPTION_CHOICE,
        .offset = offsetof(struct config, cache), .otherwise = "warm",
        .choice = cache_name, .unit = "STATE", .section = "Repetitions",
        .text = "warm: repetitions take turns in two buffers; cold: in so many that a buffer has "
                "left the last-level cache before its next turn (65536 at the most)",
    }, {
        .name = "order", .type = OPTION_CHOICE,
        .offset = offsetof(struct config, order), .otherwise = "as-listed",
        .choice = order_name, .unit = "ORDER", .section = "Repetitions",
        .text = "order of the points; shuffled: as --seed decides, so that what changes with time "
                "does not look like an effect of size. Give each launch a seed of its own",
    }, {
        .name = "check", .letter = 'c', .type = OPTION_CHOICE,
        .offset = offsetof(struct config, check), .otherwise = "full",
        .choice = check_name, .unit = "HOW", .section = "Data",
        .text = "full: repetitions run in blocks, and what a block leaves in the receive buffers "
                "is compared, whole and exactly, with the right result; isolated timing also "
                "looks at three elements after each repetition. none: no data is checked",
    }, {
        .name = "seed", .type = OPTION_COUNT,
        .offset = offsetof(struct config, seed), .otherwise = "1",
        .unit = "N", .section = "Data",
        .text = "seed of the data that is sent, and of --order shuffled",
    }, {
        .name = "output", .letter = 'O', .type = OPTION_TEXT,
        .offset = offsetof(struct config, output),
        .unit = "FILE", .section = "Output",
        .text = "append run header, records and end mark to FILE as JSON Lines",
    }, {
        .name = "format", .type = OPTION_CHOICE,
        .offset = offsetof(struct config, format), .otherwise = "text",
        .choice = format_name, .unit = "FORMAT", .section = "Output",
        .text = "format of standard output",
    }, {
        .name = "columns", .type = OPTION_TEXT,
        .offset = offsetof(struct config, columns),
        .unit = "KEYS", .section = "Output",
        .text = "columns of text and CSV on standard output: keys of records with commas, such "
                "as bytes,time_median_s,busbw_GBps. The man page lists all keys",
    }, {
        .name = "progress", .type = OPTION_CHOICE,
        .offset = offsetof(struct config, progress), .otherwise = "auto",
        .choice = progress_name, .unit = "WHEN", .section = "Output",
        .text = "say on standard error, every few seconds, which point is under way and how long "
                "the rest will take; auto: at a terminal, where no table shows it",
    }, {
        .name = "dry-run", .type = OPTION_FLAG,
        .offset = offsetof(struct config, dry_run), .section = "Other",
        .text = "print the plan, the memory that it takes on each host and the time that it will "
                "take, and end",
    }, {
        .name = "allow-single", .type = OPTION_FLAG,
        .offset = offsetof(struct config, allow_single), .section = "Other",
        .text = "measure with one rank, which is refused otherwise unless a launcher was "
                "asked for exactly one",
    }, {
        .name = "list", .letter = 'l', .type = OPTION_FLAG,
        .offset = offsetof(struct config, list), .section = "Other",
        .text = "list operations, patterns, types, reductions and backends, and end",
    }, {
        .name = "version", .letter = 'V', .type = OPTION_FLAG,
        .offset = offsetof(struct config, version), .section = "Other",
        .text = "print the versions of the program and of its libraries, and end",
    }, {
        .name = "help", .letter = 'h', .type = OPTION_FLAG,
        .offset = offsetof(struct config, help), .section = "Other",
        .text = "print this text, and end",
    },
};
const size_t config_options_count = sizeof config_options / sizeof config_options[0];

const struct option config_collective_options[] = {
    {
        .name = "op", .letter = 'o', .type = OPTION_CHOICES,
        .offset = offsetof(struct config, ops), .otherwise = "sum",
        .choice = op_name, .unit = "OPS", .section = "What is measured",
        .text = "reduction, for operations that reduce; several with commas, or all",
    }, {
        .name = "placement", .type = OPTION_CHOICES,
        .offset = offsetof(struct config, placements), .otherwise = "out-of-place",
        .choice = placement_name, .unit = "WHERE", .section = "What is measured",
        .text = "out-of-place: input and output are different memory; in-place: the same, for "
                "operations that know it. Both with a comma, or all",
    }, {
        .name = "root", .letter = 'r', .type = OPTION_COUNT,
        .offset = offsetof(struct config, root), .otherwise = "0",
        .max = 100000000, .unit = "RANK", .section = "What is measured",
        .text = "root of operations that have one, such as broadcast",
    },
};
const size_t config_collective_options_count =
    sizeof config_collective_options / sizeof config_collective_options[0];

const struct option config_p2p_options[] = {
    {
        .name = "transfer", .type = OPTION_CHOICES,
        .offset = offsetof(struct config, transfers), .otherwise = "all",
        .choice = transfer_name, .unit = "KINDS", .section = "What is measured",
        .text = "pingpong: one message to and fro, half the round trip is shown; oneway: a "
                "window of messages one way; twoway: both ways at once. Several with commas, or all",
    }, {
        .name = "pattern", .letter = 'p', .type = OPTION_CHOICES,
        .offset = offsetof(struct config, patterns), .otherwise = "pair",
        .choice = pattern_name, .unit = "PATTERNS", .section = "What is measured",
        .text = "who sends to whom: pair: ranks 0 and 1; ring: every rank to the next, all at "
                "once (pingpong is left out). Several with commas, or all",
    }, {
        .name = "window", .type = OPTION_COUNT,
        .offset = offsetof(struct config, window), .otherwise = "0",
        .max = 65536, .unit = "N", .section = "What is measured",
        .text = "messages in flight per repetition of oneway and twoway, each way; 0: 64, or as "
                "many as fit into 16 MiB where those are fewer, but at least one",
    },
};
const size_t config_p2p_options_count =
    sizeof config_p2p_options / sizeof config_p2p_options[0];
/* clang-format on */
