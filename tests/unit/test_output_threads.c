/* SPDX-License-Identifier: BSD-3-Clause */
/* The end mark comes from another thread than the records. */
#include "output_fixture.h"

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>

struct ender {
    struct output *output;
    sem_t *go;
    int rc;
    struct err err;
};

static void *end_when_told(void *context)
{
    struct ender *ender = context;

    sem_wait(ender->go);
    ender->rc = output_end(ender->output, "interrupted", 1, "SIGTERM", &ender->err);
    return NULL;
}

/* Two threads end a run while a third writes records: one end mark, and it is last, in
 * the file and on standard output. */
static void end_during_records(struct fixture *fixture, int records_before)
{
    struct output *output = open_good(fixture->path, FORMAT_JSONL);
    struct record record = good_record();
    struct err err = {.code = 0};
    pthread_t threads[2];
    sem_t go;
    struct ender enders[2] = {{.output = output, .go = &go},
                              {.output = output, .go = &go}};

    capture(fixture);
    sem_init(&go, 0, 0);
    assert_int_equal(run_output(output, &err), 0);
    for (size_t i = 0; i < COUNT(threads); i++)
        assert_int_equal(pthread_create(&threads[i], NULL, end_when_told, &enders[i]), 0);
    for (int i = 0; i < 100; i++) {
        if (i == records_before) {
            sem_post(&go);
            sem_post(&go);
        }
        assert_int_equal(output_record(output, &record, &err), 0);
    }
    for (size_t i = 0; i < COUNT(threads); i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(enders[i].rc, 0);
    }
    output_close(output);
    sem_destroy(&go);
}

static void check_that_the_end_is_last(struct fixture *fixture, int records_before)
{
    char *shown = captured(fixture), *text = slurp(fixture->path);
    size_t records;

    assert_string_equal(shown, text);
    assert_int_equal(check_lines(text, &records), 1);
    assert_true(records >= (size_t)records_before);
    assert_ptr_equal(strstr(text, "{\"kind\":\"end\""), strrchr(text, '{'));
    free(text);
    free(shown);
}

static void test_end_from_another_thread(void **state)
{
    struct fixture *fixture = *state;

    for (int i = 0; i < 100; i += 2) {
        end_during_records(fixture, i);
        check_that_the_end_is_last(fixture, i);
        unlink(fixture->path);
    }
}

static void *write_a_record(void *context)
{
    struct ender *writer = context;
    struct record record = good_record();

    writer->rc = output_record(writer->output, &record, &writer->err);
    return NULL;
}

/* A pipe that nobody empties; the write end is standard output. */
static int block_standard_output(struct fixture *fixture)
{
    int ends[2];

    assert_int_equal(pipe(ends), 0);
    assert_int_equal(fcntl(ends[1], F_SETFL, O_NONBLOCK), 0);
    while (write(ends[1], "x", 1) == 1)
        continue;
    assert_int_equal(fcntl(ends[1], F_SETFL, 0), 0);
    redirect(fixture, ends[1]);
    return ends[0];
}

static void wait_for_size(const char *path, off_t bytes)
{
    struct stat status = {.st_size = 0};

    while (stat(path, &status) == 0 && status.st_size < bytes)
        sched_yield();
}

struct drain {
    const char *path;
    int fd;
};

/* Empties the pipe once the record is in the file: main is then about to wait for it. */
static void *drain_when_stored(void *context)
{
    const struct drain *drain = context;
    char data[4096];

    wait_for_size(drain->path, sizeof RUN_LINE + 100);
    while (read(drain->fd, data, sizeof data) > 0)
        continue;
    return NULL;
}

/* Somebody else's setting of a shared terminal: a write that would block is waited for.
 */
static void test_standard_output_that_does_not_block(void **state)
{
    struct fixture *fixture = *state;
    struct output *output = open_good(fixture->path, FORMAT_TEXT);
    struct record record = good_record();
    struct err err = {.code = 0};
    struct drain drain = {.path = fixture->path};
    pthread_t thread;

    capture(fixture);
    assert_int_equal(run_output(output, &err), 0);
    drain.fd = block_standard_output(fixture);
    assert_int_equal(fcntl(STDOUT_FILENO, F_SETFL, O_NONBLOCK), 0);
    assert_int_equal(pthread_create(&thread, NULL, drain_when_stored, &drain), 0);
    assert_int_equal(output_record(output, &record, &err), 0);
    assert_int_equal(output_end(output, "complete", 0, NULL, &err), 0);
    output_close(output);
    restore(fixture); /* the last writer: the reader ends */
    pthread_join(thread, NULL);
    close(drain.fd);
}

/* A pager that nobody scrolls holds main; the end mark still reaches the file. */
static void test_end_while_standard_output_is_stuck(void **state)
{
    struct fixture *fixture = *state;
    struct ender writer = {.output = open_good(fixture->path, FORMAT_TEXT)};
    struct err err = {.code = 0};
    pthread_t thread;
    size_t records;
    char *text;
    int reader;

    signal(SIGPIPE, SIG_IGN);
    capture(fixture);
    assert_int_equal(run_output(writer.output, &err), 0);
    reader = block_standard_output(fixture);
    assert_int_equal(pthread_create(&thread, NULL, write_a_record, &writer), 0);
    wait_for_size(fixture->path, sizeof RUN_LINE + 100);
    assert_int_equal(output_end(writer.output, "interrupted", 1, "SIGINT", &err), -1);
    assert_string_equal(err.text, "standard output is stuck");
    text = slurp(fixture->path);
    assert_int_equal(check_lines(text, &records), 1);
    assert_int_equal(records, 1);
    free(text);
    close(reader);
    pthread_join(thread, NULL);
    assert_int_equal(writer.rc, -1);
    output_close(writer.output);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_end_from_another_thread),
        CASE(test_standard_output_that_does_not_block),
        CASE(test_end_while_standard_output_is_stuck),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
