/* SPDX-License-Identifier: BSD-3-Clause */
/* The effective configuration of a run: what the option table of config.c writes. */
#ifndef RACKMARK_CONFIG_H
#define RACKMARK_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "err.h"
#include "options.h"

/* How a repetition is timed. The two never mix in one figure. */
enum timing {
    TIMING_ISOLATED,  /* ranks start together, one repetition, local completion */
    TIMING_STREAMING, /* back to back; a batch's elapsed time over its count */
    TIMING_COUNT
};

/* Where a rank's input lies: apart from its output, or where MPI and NCCL say "in
 * place". Operations that know only one way are measured that way. */
enum placement { PLACEMENT_OUT_OF_PLACE, PLACEMENT_IN_PLACE, PLACEMENT_COUNT };

enum check { CHECK_FULL, CHECK_NONE };
enum cache { CACHE_WARM, CACHE_COLD };
enum order { ORDER_AS_LISTED, ORDER_SHUFFLED };
enum progress_when { PROGRESS_AUTO, PROGRESS_ON, PROGRESS_OFF };
enum format { FORMAT_TEXT, FORMAT_CSV, FORMAT_JSONL };

struct config {
    uint64_t min_bytes, max_bytes; /* first and last size */
    uint64_t factor;               /* next size = size * factor, unless step */
    uint64_t step;                 /* next size = size + step; 0: use factor */
    struct size_list sizes;        /* replaces all of the above where not empty */
    uint64_t datatypes, ops;       /* bit i: enum datatype_id, enum op_id i */
    uint64_t placements;           /* bit i: enum placement i */
    uint64_t root;                 /* of operations that have one */
    uint64_t iterations;           /* repetitions per point; 0: as precision asks */
    uint64_t warmup;               /* repetitions before each point, not counted */
    double precision;              /* per cent: half of the interval over the median */
    double max_time;               /* seconds per point */
    uint64_t min_iterations, max_iterations; /* unless iterations */
    int cache, order;              /* enum cache, enum order */
    uint64_t timings;              /* bit i: enum timing i */
    int check;                     /* enum check */
    uint64_t seed;
    int backend; /* index for backend_type_get */
    const char *output; /* NULL: no file */
    int format;         /* enum format, of standard output */
    const char *columns; /* NULL: the usual ones */
    int progress;       /* enum progress_when */
    bool dry_run;
    bool allow_single;
    bool list, version, help;
    /* point to point */
    uint64_t patterns;  /* bit i: pattern_get(i) */
    uint64_t transfers; /* bit i: transfer_name(i) */
    uint64_t window;    /* messages in flight; 0: chosen by size */
};

const char *timing_name(size_t index); /* NULL after the last */
const char *format_name(size_t index);
const char *check_name(size_t index);
const char *cache_name(size_t index);
const char *order_name(size_t index);
const char *progress_name(size_t index);
const char *placement_name(size_t index);
const char *transfer_name(size_t index); /* the point-to-point operations, in order */

/* The rows common to all programs, those of collectives, and those of rackmark-p2p. */
extern const struct option config_options[];
extern const size_t config_options_count;
extern const struct option config_collective_options[];
extern const size_t config_collective_options_count;
extern const struct option config_p2p_options[];
extern const size_t config_p2p_options_count;

/* What the rows cannot check alone: sizes in order, step and factor not both, ... */
int config_check(const struct config *config, struct err *err);

#endif
