/* SPDX-License-Identifier: BSD-3-Clause */
/* The result of one point, and the table of its fields. Text, CSV, JSON Lines and the
 * schema check loop over the table. */
#ifndef RACKMARK_RECORD_H
#define RACKMARK_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stats.h"

enum { RECORD_SCHEMA = 1 }; /* version of the record format */
enum { RECORD_LIMIT = 96, RECORD_TEXT = 64, RECORD_UTC = 32 };

/* A count that has no meaning: "wrong_element" where none was wrong. */
#define RECORD_ABSENT UINT64_MAX

/* Absent: NULL or "" for text, a value that is not finite for reals, negative for ints,
 * RECORD_ABSENT for counts. What is absent is left out of JSON, empty in CSV. */
struct record {
    const char *operation, *pattern, *datatype, *op, *backend, *timing, *placement;
    uint64_t bytes;    /* of the vector, or of one message */
    uint64_t elements; /* bytes / size of the type */
    uint64_t messages; /* per peer and repetition; 1 for collectives */
    int ranks, nodes;
    int root; /* -1: the operation has none */
    uint64_t warmup, repetitions, blocks, samples;
    struct stats time;   /* seconds, of samples that each are the slowest rank's */
    double algbw, busbw; /* bytes/s, from the median */
    double busbw_low, busbw_high; /* from the ends of the median's interval */
    int slowest_rank;             /* the rank that was the slowest most often */
    char slowest_host[RECORD_TEXT];
    double slowest_share; /* of the samples in which it was */
    char slowest_ranks[RECORD_TEXT]; /* samples_slowest_text */
    double precision;        /* half of the median's interval over the median */
    double precision_target; /* NAN: none was set */
    char flags[RECORD_TEXT]; /* what to know before the figure is used; "": nothing */
    const char *limit_kind; /* "reference", "ceiling"; NULL: no limit is known */
    char limit_name[RECORD_LIMIT];
    double limit;       /* of busbw, bytes/s */
    double limit_share; /* busbw over it */
    bool above_ceiling;
    const char *stopped;  /* stop_name; "not offered": nothing was measured */
    const char *check;    /* "passed", "weak", "failed", "none" */
    uint64_t checked;     /* repetitions whose whole result was compared, per rank */
    double check_power;   /* values_power; NAN where not checked */
    uint64_t wrong;       /* wrong elements of wrong_rank, all checks */
    int wrong_rank;       /* with the most of them; -1: none */
    char wrong_host[RECORD_TEXT];
    uint64_t wrong_element; /* in the receive buffer of wrong_rank; RECORD_ABSENT */
    char wrong_got[RECORD_TEXT], wrong_expected[RECORD_TEXT];
    char start_utc[RECORD_UTC], end_utc[RECORD_UTC]; /* 2026-01-31T12:00:00.000Z */
};

enum field_type {
    FIELD_TEXT,  /* const char * */
    FIELD_CHARS, /* char[] */
    FIELD_UINT,  /* uint64_t */
    FIELD_INT,   /* int */
    FIELD_REAL,  /* double */
};

struct field {
    const char *key; /* in JSON and CSV, unit at its end: "time_median_s" */
    enum field_type type;
    size_t offset;
    double scale;      /* of a real in JSON and CSV: 1e-9 turns bytes/s into GB/s */
    const char *title; /* column heading of the text table; NULL: not in it */
    const char *unit;  /* second line of the heading; NULL: none */
    double text_scale; /* of a real in the text table */
    int width, digits; /* text: columns, significant digits */
    const char *text;  /* what it is, for the documents and the schema */
};

extern const struct field record_fields[];
extern const size_t record_fields_count;

/* One field of one record, whatever its type in the struct. */
struct field_value {
    bool present;
    const char *text; /* FIELD_TEXT, FIELD_CHARS */
    int64_t whole;    /* FIELD_UINT, FIELD_INT */
    double real;      /* FIELD_REAL, not scaled */
};

void record_get(const struct record *record, const struct field *field,
                struct field_value *value);

/* A record with everything absent, but counts that are 0. */
void record_clear(struct record *record);

#endif
