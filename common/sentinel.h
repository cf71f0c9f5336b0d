/* SPDX-License-Identifier: BSD-3-Clause */
/* One thread per process that waits for SIGINT, SIGTERM and the launcher's death: main
 * may be stuck inside a library when they come. */
#ifndef RACKMARK_SENTINEL_H
#define RACKMARK_SENTINEL_H

#include <pthread.h>
#include <stdbool.h>

#include "err.h"

/* Runs in the sentinel's thread, and is to end the process: after 5 s the kernel does. */
typedef void sentinel_handler(void *context, int signal_number);

struct sentinel {
    pthread_mutex_t lock; /* held while the handler runs */
    sentinel_handler *handler;
    void *context;
};

/* Blocks the signals in this thread and all that it will start (so: before any library
 * does), and starts the sentinel's. With under_launcher the kernel sends SIGTERM when
 * the parent dies. sentinel must live as long as the process. */
int sentinel_open(struct sentinel *sentinel, bool under_launcher, struct err *err);

/* From now on handler is called. NULL: signals end the process as they do by default,
 * which is also the state before. context may go once this has returned. */
void sentinel_watch(struct sentinel *sentinel, sentinel_handler *handler, void *context);

#endif
