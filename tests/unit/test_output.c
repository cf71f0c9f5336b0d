/* SPDX-License-Identifier: BSD-3-Clause */
/* The order of lines, whoever writes them and however the writer dies. */
#include "output_fixture.h"

#include <signal.h>
#include <sys/wait.h>

static void test_nothing_before_the_run(void **state)
{
    struct fixture *fixture = *state;
    struct output *output = open_good(fixture->path, FORMAT_JSONL);
    struct record record = good_record();
    struct err err = {.code = 0};
    char *text;

    capture(fixture);
    assert_int_equal(output_record(output, &record, &err), 0);
    assert_int_equal(output_end(output, "failed", 1, "early", &err), 0);
    assert_int_equal(run_output(output, &err), 0);
    output_close(output);
    text = captured(fixture);
    assert_string_equal(text, "");
    free(text);
    text = slurp(fixture->path);
    assert_string_equal(text, "");
    free(text);
}

static void test_nothing_after_the_end(void **state)
{
    static const enum format formats[] = {FORMAT_TEXT, FORMAT_CSV, FORMAT_JSONL};
    struct fixture *fixture = *state;
    struct record record = good_record();
    struct err err = {.code = 0};

    for (size_t i = 0; i < COUNT(formats); i++) {
        struct output *output = open_good(fixture->path, formats[i]);
        char *text;

        capture(fixture);
        assert_int_equal(run_output(output, &err), 0);
        assert_int_equal(output_end(output, "complete", 0, NULL, &err), 0);
        text = captured(fixture);
        free(text);
        capture(fixture);
        assert_int_equal(output_record(output, &record, &err), 0);
        assert_int_equal(output_note(output, "late", &err), 0);
        assert_int_equal(output_end(output, "failed", 1, "late", &err), 0);
        assert_int_equal(run_output(output, &err), 0);
        output_close(output);
        text = captured(fixture);
        assert_string_equal(text, "");
        free(text);
        text = slurp(fixture->path);
        assert_null(strstr(text, "late"));
        assert_null(strstr(text, "record\""));
        free(text);
        unlink(fixture->path);
    }
}

static void test_second_run_is_left_out(void **state)
{
    struct fixture *fixture = *state;
    struct output *output = open_good(fixture->path, FORMAT_JSONL);
    struct err err = {.code = 0};
    char *text;

    capture(fixture);
    assert_int_equal(run_output(output, &err), 0);
    assert_int_equal(run_output(output, &err), 0);
    output_close(output);
    text = captured(fixture);
    assert_string_equal(text, RUN_LINE);
    free(text);
}

static void test_header_that_was_not_made(void **state)
{
    const struct fixture *fixture = *state;
    struct output *output = open_good(fixture->path, FORMAT_JSONL);
    struct err err = {.code = 0};

    assert_int_equal(output_run(output, NULL, &err), -1);
    assert_int_equal(err.code, EXIT_CODE_FAILURE);
    output_close(output);
}

/* What the end mark says, the cause in clean text on one line. */
static void test_end_mark(void **state)
{
    struct fixture *fixture = *state;
    struct output *output = open_good(fixture->path, FORMAT_TEXT);
    struct record record = good_record();
    struct err err = {.code = 0};
    char *text, *last;
    json_t *end;

    capture(fixture);
    assert_int_equal(run_output(output, &err), 0);
    assert_int_equal(output_record(output, &record, &err), 0);
    err_set(&err, EXIT_CODE_WRONG_DATA, "x");
    assert_int_equal(output_end(output, "interrupted", 3, "by\n\xff", &err), 0);
    assert_int_equal(err.code, EXIT_CODE_WRONG_DATA); /* good calls leave err alone */
    output_close(output);
    restore(fixture);
    text = slurp(fixture->path);
    last = strstr(text, "{\"kind\":\"end\"");
    assert_non_null(last);
    end = json_loads(last, 0, NULL);
    assert_string_equal(line_text(end, "run"), RUN_ID);
    assert_string_equal(line_text(end, "status"), "interrupted");
    assert_string_equal(line_text(end, "cause"), "by??");
    assert_int_equal(line_whole(end, "exit_code"), 3);
    assert_int_equal(line_whole(end, "records"), 1);
    assert_int_equal(strlen(line_text(end, "end_utc")),
                     sizeof "2026-01-31T12:00:00.000Z" - 1);
    json_decref(end);
    free(text);
}

static void test_no_cause_where_all_is_well(void **state)
{
    struct fixture *fixture = *state;
    struct output *output = open_good(fixture->path, FORMAT_TEXT);
    struct err err = {.code = 0};
    char *text;

    capture(fixture);
    assert_int_equal(run_output(output, &err), 0);
    assert_int_equal(output_end(output, "complete", 0, NULL, &err), 0);
    output_close(output);
    text = slurp(fixture->path);
    assert_null(strstr(text, "cause"));
    free(text);
}

/* Standard output fails, and each call says so; the file has everything. */
static void test_standard_output_fails(void **state)
{
    static const enum format formats[] = {FORMAT_TEXT, FORMAT_CSV, FORMAT_JSONL};
    struct fixture *fixture = *state;
    struct record record = good_record();

    for (size_t i = 0; i < COUNT(formats); i++) {
        struct output *output = open_good(fixture->path, formats[i]);
        struct err err = {.code = 0};
        size_t records;
        char *text;

        redirect(fixture, open("/dev/full", O_WRONLY));
        assert_int_equal(run_output(output, &err), -1);
        assert_int_equal(err.code, EXIT_CODE_FAILURE);
        assert_string_equal(err.text, "standard output: No space left on device");
        err.code = 0;
        assert_int_equal(output_record(output, &record, &err), -1);
        assert_int_equal(err.code, EXIT_CODE_FAILURE);
        output_end(output, "failed", 1, "why", &err);
        output_close(output);
        restore(fixture);
        text = slurp(fixture->path);
        assert_int_equal(check_lines(text, &records), 1);
        assert_int_equal(records, 1);
        free(text);
        unlink(fixture->path);
    }
}

static void test_reader_goes_away(void **state)
{
    struct fixture *fixture = *state;
    struct output *output = open_good(NULL, FORMAT_TEXT);
    struct record record = good_record();
    struct err err = {.code = 0};
    int ends[2];

    signal(SIGPIPE, SIG_IGN);
    assert_int_equal(pipe(ends), 0);
    redirect(fixture, ends[1]);
    assert_int_equal(run_output(output, &err), 0);
    close(ends[0]);
    assert_int_equal(output_record(output, &record, &err), -1);
    assert_int_equal(err.code, EXIT_CODE_FAILURE);
    assert_string_equal(err.text, "standard output: Broken pipe");
    output_close(output);
}

/* In the child: records for ever, and a byte into the pipe after each. */
static void write_for_ever(const char *path, int told)
{
    struct record record = full_record();
    struct err err = {.code = 0};
    struct output *output;

    if (output_open(&output, path, FORMAT_JSONL, &err) != 0 ||
        run_output(output, &err) != 0)
        _exit(1);
    while (output_record(output, &record, &err) == 0 && write(told, "", 1) == 1)
        continue;
    _exit(1);
}

static void kill_a_writer(const struct fixture *fixture)
{
    int told[2], status;
    char byte;
    pid_t child;

    assert_int_equal(pipe(told), 0);
    child = fork();
    if (child == 0)
        write_for_ever(fixture->path, told[1]);
    close(told[1]);
    for (int i = 0; i < 50; i++)
        assert_int_equal(read(told[0], &byte, 1), 1);
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    close(told[0]);
}

/* Killed at any point, again and again, into one file: every whole line stays valid, no
 * record that was told of is lost, and the last run ends as it should. */
static void test_killed(void **state)
{
    struct fixture *fixture = *state;
    struct err err = {.code = 0};
    struct output *output;
    size_t records = 0;
    char *text;

    redirect(fixture, open("/dev/null", O_WRONLY));
    for (size_t i = 1; i <= 20; i++) {
        kill_a_writer(fixture);
        text = slurp(fixture->path);
        assert_int_equal(check_lines(text, &records), 0);
        assert_true(records >= 50 * i);
        free(text);
    }
    output = open_good(fixture->path, FORMAT_JSONL);
    assert_int_equal(run_output(output, &err), 0);
    assert_int_equal(output_end(output, "complete", 0, NULL, &err), 0);
    output_close(output);
    text = slurp(fixture->path);
    assert_int_equal(check_lines(text, &records), 1);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_nothing_before_the_run),
        CASE(test_nothing_after_the_end),
        CASE(test_second_run_is_left_out),
        CASE(test_header_that_was_not_made),
        CASE(test_end_mark),
        CASE(test_no_cause_where_all_is_well),
        CASE(test_standard_output_fails),
        CASE(test_reader_goes_away),
        CASE(test_killed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
