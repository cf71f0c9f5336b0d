/* SPDX-License-Identifier: BSD-3-Clause */
/* A directory of its own for each test, and what the program writes to standard output
 * in a file there. */
#ifndef RACKMARK_OUTPUT_FIXTURE_H
#define RACKMARK_OUTPUT_FIXTURE_H

#define _GNU_SOURCE 1 /* nftw, strptime */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <ftw.h>
#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

#define RUN_ID   "0123456789abcdef0123456789abcdef"
#define RUN_LINE "{\"kind\":\"run\",\"schema\":1,\"run\":\"" RUN_ID "\"}\n"

enum { FIXTURE_PATH = 256 };

struct fixture {
    char directory[FIXTURE_PATH / 2];
    char path[FIXTURE_PATH]; /* "results" in it: not there yet */
    int terminal;            /* standard output as it was; -1: is still there */
};

/* The name of a file in the directory. */
static inline char *fixture_path(const struct fixture *fixture, char path[FIXTURE_PATH],
                                 const char *name)
{
    snprintf(path, FIXTURE_PATH, "%s/%s", fixture->directory, name);
    return path;
}

static inline int fixture_setup(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    const char *base = getenv("TMPDIR");

    snprintf(fixture->directory, sizeof fixture->directory, "%s/rackmark-XXXXXX",
             base && *base ? base : "/tmp");
    if (!mkdtemp(fixture->directory) || chmod(fixture->directory, 0755) != 0)
        return -1;
    fixture_path(fixture, fixture->path, "results");
    fixture->terminal = -1;
    *state = fixture;
    return 0;
}

/* Standard output becomes fd, which is closed. */
static inline void redirect(struct fixture *fixture, int fd)
{
    assert_true(fd >= 0);
    fflush(stdout);
    if (fixture->terminal < 0)
        fixture->terminal = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10);
    assert_int_equal(dup2(fd, STDOUT_FILENO), STDOUT_FILENO);
    close(fd);
}

static inline void restore(struct fixture *fixture)
{
    if (fixture->terminal < 0)
        return;
    dup2(fixture->terminal, STDOUT_FILENO);
    close(fixture->terminal);
    fixture->terminal = -1;
}

static inline int remove_any(const char *path, const struct stat *status, int type,
                             struct FTW *walk)
{
    (void)status;
    (void)type;
    (void)walk;
    return remove(path);
}

static inline int fixture_teardown(void **state)
{
    struct fixture *fixture = *state;

    restore(fixture);
    nftw(fixture->directory, remove_any, 16, FTW_DEPTH | FTW_PHYS);
    free(fixture);
    return 0;
}

static inline void capture(struct fixture *fixture)
{
    char path[FIXTURE_PATH];

    redirect(fixture, open(fixture_path(fixture, path, "stdout"),
                           O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
}

/* The whole file, to be freed. */
static inline char *slurp(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    char *text;

    assert_true(fd >= 0);
    assert_int_equal(fstat(fd, &status), 0);
    text = calloc(1, (size_t)status.st_size + 1);
    assert_non_null(text);
    assert_int_equal(read(fd, text, (size_t)status.st_size), status.st_size);
    close(fd);
    return text;
}

static inline char *captured(struct fixture *fixture)
{
    char path[FIXTURE_PATH];

    restore(fixture);
    return slurp(fixture_path(fixture, path, "stdout"));
}

static inline void spill(const char *path, const char *data, size_t size)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

    assert_true(fd >= 0);
    assert_int_equal(write(fd, data, size), size);
    close(fd);
}

/* The least that output_run needs. */
static inline json_t *plain_header(void)
{
    return json_pack("{s:s, s:i, s:s}", "kind", "run", "schema", 1, "run", RUN_ID);
}

static inline struct output *open_good(const char *path, enum format format)
{
    struct output *output;
    struct err err = {.code = 0};

    if (output_open(&output, path, format, &err) != 0)
        fail_msg("%s", err.text);
    return output;
}

static inline int run_output(struct output *output, struct err *err)
{
    json_t *header = plain_header();
    int rc = output_run(output, header, err);

    json_decref(header);
    return rc;
}

/* A record with everything there, and nothing the same as anything else. */
static inline struct record full_record(void)
{
    return (struct record){
        .operation = "allreduce",
        .pattern = "ring",
        .datatype = "float",
        .op = "sum",
        .backend = "mpi",
        .timing = "isolated",
        .placement = "out-of-place",
        .bytes = 1048576,
        .elements = 262144,
        .messages = 3,
        .root = 4,
        .ranks = 8,
        .nodes = 2,
        .warmup = 5,
        .repetitions = 1200,
        .blocks = 6,
        .samples = 600,
        .time = {.count = 600,
                 .min = 1e-6,
                 .mean = 2.5e-6,
                 .median = 2e-6,
                 .low = 1.5e-6,
                 .high = 2.25e-6,
                 .p95 = 4e-6,
                 .p99 = 5e-6,
                 .max = 0.125,
                 .has_interval = true,
                 .lag1 = -0.25,
                 .drift = 0.046875},
        .algbw = 12.5e9,
        .busbw = 21.875e9,
        .busbw_low = 20e9,
        .busbw_high = 29e9,
        .limit_kind = "ceiling",
        .limit_name = "a port",
        .limit = 40e9,
        .limit_share = 0.546875,
        .slowest_rank = 7,
        .slowest_host = "beta",
        .slowest_share = 0.625,
        .slowest_ranks = "7:0.62 3:0.21",
        .precision = 0.1875,
        .precision_target = 0.02,
        .flags = "imprecise,drift",
        .stopped = "max-time",
        .check = "failed",
        .checked = 72,
        .check_power = 0.9995,
        .wrong = 4,
        .wrong_rank = 2,
        .wrong_host = "alpha",
        .wrong_element = 17,
        .wrong_got = "3",
        .wrong_expected = "4.5",
        .start_utc = "2026-01-31T12:00:00.000Z",
        .end_utc = "2026-01-31T12:00:01.500Z",
    };
}

/* One that passed its check. */
static inline struct record good_record(void)
{
    struct record record = full_record();

    record.check = "passed";
    record.flags[0] = '\0';
    record.wrong = 0;
    record.wrong_rank = -1;
    record.wrong_element = RECORD_ABSENT;
    record.wrong_host[0] = record.wrong_got[0] = record.wrong_expected[0] = '\0';
    return record;
}

static inline const char *line_text(const json_t *line, const char *key)
{
    const char *text = json_string_value(json_object_get(line, key));

    return text ? text : "";
}

static inline json_int_t line_whole(const json_t *line, const char *key)
{
    return json_integer_value(json_object_get(line, key));
}

/* Reads lines as a reader does: each that ends in a newline is JSON, in the order run,
 * record, ..., end, with the numbers that belong there. Returns how many runs have an
 * end mark; *records is the number of all records. */
static inline int check_lines(const char *text, size_t *records)
{
    json_int_t index = 0;
    bool inside = false;
    int ended = 0;

    *records = 0;
    for (const char *end; (end = strchr(text, '\n')); text = end + 1) {
        json_error_t error;
        json_t *line =
            json_loadb(text, (size_t)(end - text), JSON_REJECT_DUPLICATES, &error);

        if (!line)
            fail_msg("%s: %.*s", error.text, (int)(end - text), text);
        assert_string_equal(line_text(line, "run"), RUN_ID);
        if (strcmp(line_text(line, "kind"), "run") == 0) {
            index = 0;
            inside = true;
        } else if (strcmp(line_text(line, "kind"), "record") == 0) {
            assert_true(inside);
            assert_int_equal(line_whole(line, "index"), index++);
            ++*records;
        } else {
            assert_true(inside);
            assert_string_equal(line_text(line, "kind"), "end");
            assert_int_equal(line_whole(line, "records"), index);
            inside = false;
            ended++;
        }
        json_decref(line);
    }
    return ended;
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, fixture_setup, fixture_teardown)

#endif
