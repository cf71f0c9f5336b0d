/* SPDX-License-Identifier: BSD-3-Clause */
#include "sentinel.h"

#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

enum { LAST_RESORT_SECONDS = 5 };

static void watched_signals(sigset_t *set)
{
    sigemptyset(set);
    sigaddset(set, SIGINT);
    sigaddset(set, SIGTERM);
}

static void *sentinel_run(void *argument)
{
    struct sentinel *sentinel = argument;
    sigset_t set;
    int signal_number;

    watched_signals(&set);
    if (sigwait(&set, &signal_number) != 0)
        return NULL;
    pthread_mutex_lock(&sentinel->lock);
    if (sentinel->handler) {
        /* The kernel ends the process when the handler gets stuck in a library. */
        alarm(LAST_RESORT_SECONDS);
        sentinel->handler(sentinel->context, signal_number);
    }
    signal(signal_number, SIG_DFL);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    raise(signal_number);
    return NULL;
}

int sentinel_open(struct sentinel *sentinel, bool under_launcher, struct err *err)
{
    sigset_t set;
    pthread_t thread;

    *sentinel = (struct sentinel){.lock = PTHREAD_MUTEX_INITIALIZER};
    watched_signals(&set);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    signal(SIGPIPE, SIG_IGN); /* a closed standard output is an error of a write */
    if (under_launcher)
        prctl(PR_SET_PDEATHSIG, SIGTERM);
    int code = pthread_create(&thread, NULL, sentinel_run, sentinel);
    if (code != 0)
        return err_set(err, EXIT_CODE_FAILURE, "cannot start a thread: %s",
                       strerror(code));
    pthread_detach(thread);
    return 0;
}

void sentinel_watch(struct sentinel *sentinel, sentinel_handler *handler, void *context)
{
    pthread_mutex_lock(&sentinel->lock);
    sentinel->handler = handler;
    sentinel->context = context;
    pthread_mutex_unlock(&sentinel->lock);
}
