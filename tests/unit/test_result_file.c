/* SPDX-License-Identifier: BSD-3-Clause */
/* Which files are taken, what becomes of what stands in them, and failing writes. */
#include "output_fixture.h"

#include <signal.h>
#include <sys/resource.h>

enum { MIB = 1 << 20 };

static void open_refused(const char *path, const char *message)
{
    struct output *output;
    struct err err = {.code = 0};

    assert_int_equal(output_open(&output, path, FORMAT_JSONL, &err), -1);
    assert_int_equal(err.code, EXIT_CODE_USAGE);
    assert_string_equal(err.text, message);
    assert_null(output);
}

static void test_refused_names(void **state)
{
    const struct fixture *fixture = *state;
    char path[FIXTURE_PATH], message[FIXTURE_PATH * 2];

    open_refused("", "the name of the result file is empty");
    open_refused("-", "cannot write -: for standard output use --format jsonl");
    snprintf(message, sizeof message, "cannot write %s: Is a directory",
             fixture->directory);
    open_refused(fixture->directory, message);
    fixture_path(fixture, path, "missing/results");
    snprintf(message, sizeof message, "cannot write %s: No such file or directory", path);
    open_refused(path, message);
}

static void test_refused_read_only(void **state)
{
    const struct fixture *fixture = *state;
    char message[FIXTURE_PATH * 2];

    spill(fixture->path, "", 0);
    assert_int_equal(chmod(fixture->path, 0444), 0);
    /* root may write anything */
    if (geteuid() == 0 && seteuid(65534) != 0)
        skip();
    snprintf(message, sizeof message, "cannot write %s: Permission denied",
             fixture->path);
    open_refused(fixture->path, message);
    if (getuid() == 0)
        assert_int_equal(seteuid(0), 0);
}

static void test_refused_pipe_without_reader(void **state)
{
    const struct fixture *fixture = *state;
    char message[FIXTURE_PATH * 2];

    assert_int_equal(mkfifo(fixture->path, 0600), 0);
    snprintf(message, sizeof message,
             "cannot write %s: nothing reads this pipe; start its reader first",
             fixture->path);
    open_refused(fixture->path, message);
}

/* Tables and JSON Lines would mix. */
static void test_refused_standard_output(void **state)
{
    struct fixture *fixture = *state;
    char path[FIXTURE_PATH], message[FIXTURE_PATH * 2];

    capture(fixture);
    fixture_path(fixture, path, "stdout");
    snprintf(message, sizeof message,
             "cannot write %s: standard output goes there already", path);
    open_refused(path, message);
    open_refused("/dev/stdout",
                 "cannot write /dev/stdout: standard output goes there already");
    restore(fixture);
}

static const struct {
    const char *content;
} foreign[] = {
    {"hello\n"},
    {"\n"},
    {"\n" RUN_LINE},
    {" " RUN_LINE},
    {"\xef\xbb\xbf" RUN_LINE},
    {"{\"kind\":\"record\",\"run\":\"x\"}\n" RUN_LINE},
    {"{\"kind\":\"end\",\"run\":\"x\"}\n" RUN_LINE},
    {"{\"kind\":\"runner\"}\n"},
    {"{\"kind\": \"run\"}\n"},
    {"{\"kind\":\"run\" }\n"},
    {"{\"kind\":\"run\"\n"},
    {"no line end"},
    {"{"},
    {"{\"kind\":\"run\""},
    {"{\"kind\":\"rec"},
};

static void test_refused_content(void **state)
{
    const struct fixture *fixture = *state;
    char message[FIXTURE_PATH * 2];

    snprintf(message, sizeof message,
             "%s is not a Rackmark result file: choose another name", fixture->path);
    for (size_t i = 0; i < COUNT(foreign); i++) {
        char *content;

        spill(fixture->path, foreign[i].content, strlen(foreign[i].content));
        open_refused(fixture->path, message);
        content = slurp(fixture->path);
        assert_string_equal(content, foreign[i].content);
        free(content);
    }
}

/* A zero byte ends no comparison. */
static void test_refused_zero_byte(void **state)
{
    static const char content[] = "{\"kind\":\"run\"\0}\n";
    const struct fixture *fixture = *state;
    char message[FIXTURE_PATH * 2];

    spill(fixture->path, content, sizeof content - 1);
    snprintf(message, sizeof message,
             "%s is not a Rackmark result file: choose another name", fixture->path);
    open_refused(fixture->path, message);
}

/* Two runs at once would mix their lines. */
static void test_refused_while_locked(void **state)
{
    const struct fixture *fixture = *state;
    struct output *output = open_good(fixture->path, FORMAT_CSV);
    char message[FIXTURE_PATH * 2];

    snprintf(message, sizeof message, "another run is writing to %s", fixture->path);
    open_refused(fixture->path, message);
    output_close(output);
    output_close(open_good(fixture->path, FORMAT_CSV));
}

/* keep bytes of line, then tail bytes without a line end. */
static void fill(const char *path, const char *line, size_t tail)
{
    size_t keep = strlen(line);
    char *data = malloc(keep + tail + 1);

    memcpy(data, line, keep);
    memset(data + keep, 'x', tail);
    spill(path, data, keep + tail);
    free(data);
}

/* A killed run leaves a part of a line: it goes, wherever the line before it ends. */
static void test_tail_is_cut(void **state)
{
    static const size_t tails[] = {
        0, 1, 4095 - (sizeof RUN_LINE - 1), 4094, 4095, 4096, 4097, MIB / 2, MIB - 4096};
    const struct fixture *fixture = *state;

    for (size_t i = 0; i < COUNT(tails); i++) {
        char *content;

        fill(fixture->path, RUN_LINE, tails[i]);
        output_close(open_good(fixture->path, FORMAT_CSV));
        content = slurp(fixture->path);
        assert_string_equal(content, RUN_LINE);
        free(content);
    }
}

/* All of the file is one unfinished header. */
static void test_unfinished_header_is_cut(void **state)
{
    static const size_t tails[] = {0, 1, 5000};
    const struct fixture *fixture = *state;

    for (size_t i = 0; i < COUNT(tails); i++) {
        char *content;

        fill(fixture->path, "{\"kind\":\"run\",", tails[i]);
        output_close(open_good(fixture->path, FORMAT_CSV));
        content = slurp(fixture->path);
        assert_string_equal(content, "");
        free(content);
    }
}

/* No line of ours is that long: it is somebody's data. */
static void test_long_tail_is_kept(void **state)
{
    static const char *const lines[] = {RUN_LINE, "{\"kind\":\"run\","};
    const struct fixture *fixture = *state;
    char message[FIXTURE_PATH * 2];

    snprintf(message, sizeof message,
             "cannot write %s: its last line has no end; choose another name",
             fixture->path);
    for (size_t i = 0; i < COUNT(lines); i++) {
        struct stat status;

        fill(fixture->path, lines[i], MIB + 1);
        open_refused(fixture->path, message);
        assert_int_equal(stat(fixture->path, &status), 0);
        assert_int_equal(status.st_size, strlen(lines[i]) + MIB + 1);
    }
}

/* A second run stands after the first, and nothing of that is lost. */
static void test_runs_are_appended(void **state)
{
    struct fixture *fixture = *state;
    struct err err = {.code = 0};
    struct output *output;
    char *content;

    spill(fixture->path, RUN_LINE "{\"kind\":\"rec", sizeof RUN_LINE + 11);
    capture(fixture);
    output = open_good(fixture->path, FORMAT_CSV);
    assert_int_equal(run_output(output, &err), 0);
    output_close(output);
    restore(fixture);
    content = slurp(fixture->path);
    assert_string_equal(content, RUN_LINE RUN_LINE);
    free(content);
}

static void test_full_device(void **state)
{
    struct fixture *fixture = *state;
    struct record record = good_record();
    struct err err = {.code = 0};
    struct output *output;

    capture(fixture);
    output = open_good("/dev/full", FORMAT_CSV);
    assert_int_equal(run_output(output, &err), -1);
    assert_int_equal(err.code, EXIT_CODE_FAILURE);
    assert_string_equal(err.text, "cannot write /dev/full: No space left on device");
    /* told once; what follows has no run to belong to */
    err.code = 0;
    assert_int_equal(output_record(output, &record, &err), 0);
    assert_int_equal(output_end(output, "failed", 1, "why", &err), 0);
    assert_int_equal(err.code, 0);
    output_close(output);
}

static void test_null_device(void **state)
{
    struct fixture *fixture = *state;
    struct record record = good_record();
    struct err err = {.code = 0};
    struct output *output;

    redirect(fixture, open("/dev/null", O_WRONLY));
    output = open_good("/dev/null", FORMAT_CSV);
    assert_int_equal(run_output(output, &err), 0);
    assert_int_equal(output_record(output, &record, &err), 0);
    assert_int_equal(output_end(output, "complete", 0, NULL, &err), 0);
    output_close(output);
}

static void test_pipe(void **state)
{
    struct fixture *fixture = *state;
    struct err err = {.code = 0};
    struct output *output;
    char text[256] = "";
    int reader;

    signal(SIGPIPE, SIG_IGN);
    assert_int_equal(mkfifo(fixture->path, 0600), 0);
    reader = open(fixture->path, O_RDONLY | O_NONBLOCK);
    capture(fixture);
    output = open_good(fixture->path, FORMAT_CSV);
    assert_int_equal(run_output(output, &err), 0);
    assert_int_equal(read(reader, text, sizeof text - 1), sizeof RUN_LINE - 1);
    assert_string_equal(text, RUN_LINE);
    close(reader);
    assert_int_equal(output_end(output, "complete", 0, NULL, &err), -1);
    assert_int_equal(err.code, EXIT_CODE_FAILURE);
    assert_non_null(strstr(err.text, ": Broken pipe"));
    output_close(output);
}

/* The disk is full in the middle of a line: that line goes, and once there is space
 * again the end mark stands where it would have. */
static void test_disk_fills_up(void **state)
{
    struct fixture *fixture = *state;
    struct rlimit limit, before;
    struct record record = good_record();
    struct err err = {.code = 0};
    struct output *output;
    char *content;

    signal(SIGXFSZ, SIG_IGN);
    redirect(fixture, open("/dev/null", O_WRONLY));
    output = open_good(fixture->path, FORMAT_CSV);
    assert_int_equal(run_output(output, &err), 0);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = before;
    limit.rlim_cur = sizeof RUN_LINE - 1 + 100;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    assert_int_equal(output_record(output, &record, &err), -1);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(err.code, EXIT_CODE_FAILURE);
    assert_non_null(strstr(err.text, ": File too large"));
    content = slurp(fixture->path);
    assert_string_equal(content, RUN_LINE);
    free(content);
    assert_int_equal(output_end(output, "failed", 1, err.text, &err), 0);
    output_close(output);
    content = slurp(fixture->path);
    assert_memory_equal(content, RUN_LINE "{\"kind\":\"end\",", sizeof RUN_LINE + 13);
    assert_non_null(strstr(content, "File too large\",\"records\":0,"));
    free(content);
}

/* Started with standard output closed: the file must not take its place. */
static void test_closed_standard_output(void **state)
{
    struct fixture *fixture = *state;
    struct record record = good_record();
    struct err err = {.code = 0};
    struct output *output;
    char *content;

    capture(fixture);
    close(STDOUT_FILENO);
    output = open_good(fixture->path, FORMAT_CSV);
    assert_int_equal(run_output(output, &err), -1);
    assert_string_equal(err.text, "standard output: Bad file descriptor");
    assert_int_equal(output_record(output, &record, &err), -1);
    output_close(output);
    restore(fixture);
    content = slurp(fixture->path);
    assert_null(strstr(content, "operation,pattern"));
    assert_null(strstr(content, "\nallreduce"));
    assert_memory_equal(content, RUN_LINE "{\"kind\":\"record\",", sizeof RUN_LINE + 16);
    free(content);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_refused_names),
        CASE(test_refused_read_only),
        CASE(test_refused_pipe_without_reader),
        CASE(test_refused_standard_output),
        CASE(test_refused_content),
        CASE(test_refused_zero_byte),
        CASE(test_refused_while_locked),
        CASE(test_tail_is_cut),
        CASE(test_unfinished_header_is_cut),
        CASE(test_long_tail_is_kept),
        CASE(test_runs_are_appended),
        CASE(test_full_device),
        CASE(test_null_device),
        CASE(test_pipe),
        CASE(test_disk_fills_up),
        CASE(test_closed_standard_output),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
