/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE 1 /* posix_openpt, memfd_create */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "operations.h"
#include "progress.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define SECOND_NS    INT64_C(1000000000)

enum { POINTS = 20, SAID_TEXT = 1024 };

static void make_plan(struct plan *plan, struct point points[POINTS], const char *name)
{
    *plan = (struct plan){.points = points, .count = POINTS};
    for (size_t i = 0; i < POINTS; i++)
        points[i] = (struct point){
            .operation = operation_find(name),
            .bytes = (uint64_t)8 << i,
        };
}

static void test_text(void **state)
{
    static const struct {
        const char *name;
        size_t index;
        double elapsed;
        const char *text;
    } cases[] = {
        {"allreduce", 0, 0, "point 1 of 20: all-reduce, 8 bytes"},
        {"allreduce", 0, 7, "point 1 of 20: all-reduce, 8 bytes"},
        {"allreduce", 1, 2, "point 2 of 20: all-reduce, 16 bytes; about 38 s left"},
        {"allgather", 17, 17, "point 18 of 20: all-gather, 1M bytes; about 3 s left"},
        {"twoway", 19, 0.19,
         "point 20 of 20: two-way bandwidth, 4M bytes; about 0 s left"},
        {"barrier", 0, 0, "point 1 of 20: barrier"},
        {"barrier", 10, 5, "point 11 of 20: barrier; about 5 s left"},
        {"broadcast", 10, 1e6,
         "point 11 of 20: broadcast, 8K bytes; about 1000000 s left"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct point points[POINTS];
        struct plan plan;
        char text[PROGRESS_TEXT];

        make_plan(&plan, points, cases[i].name);
        assert_ptr_equal(progress_text(text, &plan, cases[i].index, cases[i].elapsed),
                         text);
        assert_string_equal(text, cases[i].text);
    }
}

/* The largest numbers there are do not run over. */
static void test_text_fits(void **state)
{
    struct point points[POINTS];
    struct plan plan;
    char text[PROGRESS_TEXT + 1];

    (void)state;
    make_plan(&plan, points, "pingpong");
    points[1].bytes = UINT64_MAX;
    plan.count = SIZE_MAX;
    text[PROGRESS_TEXT] = '!';
    progress_text(text, &plan, 1, 1e280);
    assert_non_null(memchr(text, '\0', PROGRESS_TEXT));
    assert_int_equal(text[PROGRESS_TEXT], '!');
    assert_non_null(
        strstr(text, "ping-pong latency, 18446744073709551615 bytes; about "));
}

/* Has `out` and `err` for standard output and error while it starts. */
static void start(struct progress *progress, const struct plan *plan,
                  enum progress_when when, int out, int err)
{
    int saved_out = dup(STDOUT_FILENO), saved_err = dup(STDERR_FILENO);
    int64_t before = progress_now_ns();

    fflush(NULL);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    progress_start(progress, "prog", plan, when);
    dup2(saved_out, STDOUT_FILENO);
    dup2(saved_err, STDERR_FILENO);
    close(saved_out);
    close(saved_err);
    assert_in_range(progress->start_ns, before, progress_now_ns());
}

/* Standard error goes there meanwhile. */
static void point(struct progress *progress, size_t index, int64_t now_ns, int err)
{
    int saved_err = dup(STDERR_FILENO);

    dup2(err, STDERR_FILENO);
    progress_point(progress, index, now_ns);
    fflush(stderr);
    dup2(saved_err, STDERR_FILENO);
    close(saved_err);
}

/* What was said in `file`, which is empty then. */
static void expect_said(int file, const char *expected)
{
    char said[SAID_TEXT];
    ssize_t size = pread(file, said, sizeof said - 1, 0);

    assert_true(size >= 0);
    said[size] = '\0';
    assert_string_equal(said, expected);
    assert_int_equal(ftruncate(file, 0), 0);
    lseek(file, 0, SEEK_SET);
}

/* auto: for somebody who looks, at either of the two. */
static void test_when(void **state)
{
    static const struct {
        enum progress_when when;
        bool out, err; /* is a terminal */
        bool shown;
    } cases[] = {
        {PROGRESS_OFF, false, false, false},  {PROGRESS_OFF, true, true, false},
        {PROGRESS_ON, false, false, true},    {PROGRESS_ON, true, true, true},
        {PROGRESS_AUTO, false, false, false}, {PROGRESS_AUTO, true, false, true},
        {PROGRESS_AUTO, false, true, true},   {PROGRESS_AUTO, true, true, true},
    };
    int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    int file = memfd_create("said", 0);

    (void)state;
    assert_true(file >= 0);
    if (terminal < 0 || !isatty(terminal)) {
        close(file);
        skip();
    }
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct point points[POINTS];
        struct plan plan;
        struct progress progress;

        make_plan(&plan, points, "allreduce");
        start(&progress, &plan, cases[i].when, cases[i].out ? terminal : file,
              cases[i].err ? terminal : file);
        point(&progress, 1, progress.start_ns + 10 * SECOND_NS, file);
        expect_said(file,
                    cases[i].shown
                        ? "prog: point 2 of 20: all-reduce, 16 bytes; about 190 s left\n"
                        : "");
    }
    close(terminal);
    close(file);
}

/* Not more often than every five seconds, from the start on. */
static void test_pause(void **state)
{
    static const struct {
        size_t index;
        double seconds;
        const char *said;
    } cases[] = {
        {0, 0, ""},
        {1, 4.999, ""},
        {2, 5, "prog: point 3 of 20: all-reduce, 32 bytes; about 45 s left\n"},
        {3, 5, ""},
        {4, 9.999, ""},
        {5, 15, "prog: point 6 of 20: all-reduce, 256 bytes; about 45 s left\n"},
        {6, 19.999, ""},
        {19, 20, "prog: point 20 of 20: all-reduce, 4M bytes; about 1 s left\n"},
    };
    int file = memfd_create("said", 0);
    struct point points[POINTS];
    struct plan plan;
    struct progress progress;

    (void)state;
    assert_true(file >= 0);
    make_plan(&plan, points, "allreduce");
    start(&progress, &plan, PROGRESS_ON, file, file);
    for (size_t i = 0; i < COUNT(cases); i++) {
        int64_t after_ns = (int64_t)(cases[i].seconds * 1e9);

        point(&progress, cases[i].index, progress.start_ns + after_ns, file);
        expect_said(file, cases[i].said);
    }
    close(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_text_fits),
        cmocka_unit_test(test_when),
        cmocka_unit_test(test_pause),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
