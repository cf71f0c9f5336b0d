/* SPDX-License-Identifier: BSD-3-Clause */
/* Each test forks a child that opens a sentinel, and waits for what becomes of it: for
 * what it writes into a pipe, and for how it ends. Nothing here sleeps. */
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "sentinel.h"

enum { CODE = 42, PATIENCE_MS = 10000 };

/* The end of the pipe that a child writes to. */
struct child {
    int pipe;
    struct sentinel sentinel;
};

static void tell(int pipe, const char *text)
{
    if (write(pipe, text, strlen(text) + 1) < 0)
        _exit(99);
}

/* Waits for the next text. "" when all writers have ended, "late" when none comes. */
static const char *hear(int pipe, char text[32])
{
    struct pollfd readable = {.fd = pipe, .events = POLLIN};
    size_t length = 0;

    if (poll(&readable, 1, PATIENCE_MS) != 1)
        return strcpy(text, "late");
    /* Up to its end and no further: the next may stand in the pipe already. */
    while (length < 31 && read(pipe, &text[length], 1) == 1 && text[length])
        length++;
    text[length] = '\0';
    return text;
}

static void quick_handler(void *context, int signal_number)
{
    struct child *child = context;
    char text[32];

    snprintf(text, sizeof text, "signal %d", signal_number);
    tell(child->pipe, text);
    _exit(CODE);
}

/* Gets stuck; says before how long the kernel would wait, and makes that short. */
static void stuck_handler(void *context, int signal_number)
{
    struct child *child = context;
    struct itimerval soon = {.it_value = {.tv_usec = 1000}}, left;
    char text[32];

    (void)signal_number;
    setitimer(ITIMER_REAL, &soon, &left);
    snprintf(text, sizeof text, "%ld s",
             (long)left.it_value.tv_sec + (left.it_value.tv_usec > 0));
    tell(child->pipe, text);
    for (;;)
        pause();
}

/* Comes back: the signal then does what it does by default. */
static void idle_handler(void *context, int signal_number)
{
    (void)context;
    (void)signal_number;
}

/* In the child: what main does until the signal comes. Says first when it is ready, and
 * what the death of its parent means. */
static void child_main(int pipe, sentinel_handler *handler, bool under_launcher)
{
    static struct child child;
    struct err err = {0};
    int signal_number = 0;
    char text[32];

    child.pipe = pipe;
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* no child outlives a test that fails */
    if (sentinel_open(&child.sentinel, under_launcher, &err))
        _exit(98);
    sentinel_watch(&child.sentinel, handler, &child);
    prctl(PR_GET_PDEATHSIG, &signal_number);
    snprintf(text, sizeof text, "ready, death signal %d", signal_number);
    tell(pipe, text);
    for (;;)
        pause();
}

/* Returns the child when it is ready. Started by hand, it is not to die with its parent:
 * the sentinel leaves that as it was. */
static pid_t start(sentinel_handler *handler, int pipes[2])
{
    char text[32];
    pid_t child;

    assert_int_equal(pipe(pipes), 0);
    child = fork();
    assert_int_not_equal(child, -1);
    if (child == 0)
        child_main(pipes[1], handler, false);
    close(pipes[1]);
    assert_string_equal(hear(pipes[0], text), "ready, death signal 9");
    return child;
}

static int end_of(pid_t child, int pipe)
{
    int status = 0;

    close(pipe);
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void check_killed_by(int status, int signal_number)
{
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), signal_number);
}

static const int signals[] = {SIGINT, SIGTERM};

static void test_handler(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        char text[32], expected[32];
        int pipes[2], status;
        pid_t child = start(quick_handler, pipes);

        kill(child, signals[i]);
        snprintf(expected, sizeof expected, "signal %d", signals[i]);
        assert_string_equal(hear(pipes[0], text), expected);
        status = end_of(child, pipes[0]);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), CODE);
    }
}

static void test_no_handler(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        char text[32];
        int pipes[2];
        pid_t child = start(NULL, pipes);

        kill(child, signals[i]);
        assert_string_equal(hear(pipes[0], text), "");
        check_killed_by(end_of(child, pipes[0]), signals[i]);
    }
}

static void test_handler_that_returns(void **state)
{
    char text[32];
    int pipes[2];
    pid_t child = start(idle_handler, pipes);

    (void)state;
    kill(child, SIGINT);
    assert_string_equal(hear(pipes[0], text), "");
    check_killed_by(end_of(child, pipes[0]), SIGINT);
}

static void test_handler_that_is_stuck(void **state)
{
    char text[32];
    int pipes[2];
    pid_t child = start(stuck_handler, pipes);

    (void)state;
    kill(child, SIGTERM);
    assert_string_equal(hear(pipes[0], text), "5 s");
    assert_string_equal(hear(pipes[0], text), "");
    check_killed_by(end_of(child, pipes[0]), SIGALRM);
}

/* A second signal, of an impatient user, does not cut a handler short. */
static void patient_handler(void *context, int signal_number)
{
    struct child *child = context;
    sigset_t pending;

    kill(getpid(), SIGINT);
    kill(getpid(), SIGTERM);
    sigpending(&pending);
    tell(child->pipe, sigismember(&pending, SIGINT) && sigismember(&pending, SIGTERM)
                          ? "both pending"
                          : "not blocked");
    quick_handler(context, signal_number);
}

static void test_second_signal(void **state)
{
    char text[32];
    int pipes[2];
    pid_t child = start(patient_handler, pipes);

    (void)state;
    kill(child, SIGTERM);
    assert_string_equal(hear(pipes[0], text), "both pending");
    assert_int_equal(WEXITSTATUS(end_of(child, pipes[0])), CODE);
}

/* Writing to a closed pipe is an error of that write, and no end without a word. */
static void test_sigpipe(void **state)
{
    int out[2], status;
    pid_t child;

    (void)state;
    assert_int_equal(pipe(out), 0);
    close(out[0]);
    child = fork();
    assert_int_not_equal(child, -1);
    if (child == 0) {
        struct sentinel sentinel;
        struct err err = {0};

        if (sentinel_open(&sentinel, false, &err))
            _exit(98);
        _exit(write(out[1], "x", 1) < 0 ? CODE : 97);
    }
    close(out[1]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), CODE);
}

/* The launcher's death is a SIGTERM to a rank that has one. The rank, an orphan then,
 * becomes a child of this test. */
static void test_launcher_dies(void **state)
{
    char text[32];
    int pipes[2], status;
    pid_t launcher, rank;

    (void)state;
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
    assert_int_equal(pipe(pipes), 0);
    launcher = fork();
    assert_int_not_equal(launcher, -1);
    if (launcher == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (fork() == 0)
            child_main(pipes[1], quick_handler, true);
        close(pipes[1]);
        for (;;)
            pause();
    }
    close(pipes[1]);
    assert_string_equal(hear(pipes[0], text), "ready, death signal 15");
    kill(launcher, SIGKILL);
    assert_string_equal(hear(pipes[0], text), "signal 15");
    check_killed_by(end_of(launcher, pipes[0]), SIGKILL);
    rank = waitpid(-1, &status, 0);
    assert_in_range(rank, 1, INT32_MAX);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), CODE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_handler),
        cmocka_unit_test(test_no_handler),
        cmocka_unit_test(test_handler_that_returns),
        cmocka_unit_test(test_handler_that_is_stuck),
        cmocka_unit_test(test_second_signal),
        cmocka_unit_test(test_sigpipe),
        cmocka_unit_test(test_launcher_dies),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
