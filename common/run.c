/* SPDX-License-Identifier: BSD-3-Clause */
#include "run.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "dry_run.h"
#include "measure.h"
#include "notes.h"
#include "output.h"
#include "plan.h"
#include "progress.h"
#include "roster.h"
#include "run_header.h"

/* Everything a run holds open. */
struct session {
    const struct run *run;
    struct world *world;
    struct plan plan;
    struct roster roster;
    struct backend backend;
    struct measure measure;
    struct output *output; /* at rank 0 */
    pid_t parent;
    struct err worst; /* what went wrong without ending the run */
};

/* Runs in the sentinel's thread. Everything measured is on disk; the end mark is added,
 * and the ranks are ended, by the launcher where it is still alive. */
static void on_signal(void *context, int signal_number)
{
    struct session *session = context;
    bool orphan = session->run->under_launcher && getppid() != session->parent;
    struct err ignored = {0};
    char cause[80];

    snprintf(cause, sizeof cause, "%s",
             orphan                    ? "the launcher is gone"
             : signal_number == SIGINT ? "interrupted by SIGINT"
                                       : "ended by SIGTERM");
    if (session->output) {
        output_end(session->output, "interrupted", EXIT_CODE_FAILURE, cause, &ignored);
        if (!session->run->under_launcher)
            fprintf(stderr, "%s: %s\n", session->run->program, cause);
    }
    if (orphan)
        _exit(EXIT_CODE_FAILURE);
    session->world->ops->abort(session->world, EXIT_CODE_FAILURE);
}

/* A failure on this rank that the others may not share: say who, leave a valid file,
 * and end all ranks. Rank 0 goes first, so that what all meet is printed once. */
static void fail_alone(struct session *session, const struct err *err)
{
    struct world *world = session->world;
    struct err ignored = {0};
    char cause[sizeof err->text + 128];

    snprintf(cause, sizeof cause, "rank %d on %s: %s", world->rank, world->host,
             err->text);
    if (world->rank != 0)
        sleep(1);
    if (session->output)
        output_end(session->output, "failed", err->code, cause, &ignored);
    fflush(stdout);
    fprintf(stderr, "%s: %s\n", session->run->program, cause);
    world->ops->abort(world, err->code);
}

/* At rank 0: where results go, and the header that says where they come from. */
static int open_output(struct session *session, struct err *err)
{
    const struct run *run = session->run;
    struct run_facts facts = {
        .program = run->program,
        .world = run->world,
        .backend = run->type,
        .plan = &session->plan,
        .sets = run->sets,
        .nsets = run->nsets,
        .hosts = (const char(*)[WORLD_HOST_TEXT])session->roster.hosts,
        .ranks_per_node = session->roster.ranks,
        .node = session->roster.node,
        .binding = session->roster.binding,
    };

    if (output_open(&session->output, run->config->output,
                    (enum format)run->config->format, err) ||
        output_columns(session->output, run->config->columns, err))
        return -1;
    json_t *header = run_header_make(&facts);
    int failed = header ? output_run(session->output, header, err)
                        : err_set(err, EXIT_CODE_FAILURE, "out of memory for the header");
    json_decref(header);
    return failed ? -1
                  : notes_put(session->output, run->config, &session->plan,
                              &session->roster, err);
}

static uint64_t largest_size(const struct plan *plan)
{
    uint64_t largest = 0;

    for (size_t i = 0; i < plan->count; i++)
        if (plan->points[i].bytes > largest)
            largest = plan->points[i].bytes;
    return largest;
}

/* The plan, and where its ranks are: all that --dry-run takes. */
static int prepare_plan(struct session *session, struct err *err)
{
    const struct run *run = session->run;
    struct world *world = session->world;
    struct world_max cache = {.value = (double)slots_cache_bytes()};
    struct buffers_need need;

    if (plan_make(&session->plan, run->config, run->operations, world->nranks, err) == 0)
        session->backend.type->open(&session->backend, run->settings, err);
    if (world_agree(world, err) || world_max_everywhere(world, &cache, 1, err))
        return -1;
    session->plan.cache_bytes = (uint64_t)cache.value;
    if (run->config->order == ORDER_SHUFFLED)
        plan_shuffle(&session->plan, run->config->seed);
    buffers_need(&session->plan, run->config, world->rank, world->nranks, &need);
    return roster_gather(&session->roster, world, need.send_bytes + need.recv_bytes, err);
}

/* Everything that can refuse a run, before anything is measured. */
static int prepare(struct session *session, struct err *err)
{
    const struct run *run = session->run;
    struct world *world = session->world;

    if (world->rank == 0 &&
        roster_check_memory(&session->roster, largest_size(&session->plan), err) == 0)
        open_output(session, err);
    if (world_agree(world, err))
        return -1;
    return measure_open(&session->measure, world, &session->backend, run->config,
                        &session->plan, &session->roster, err);
}

/* The plan is shown even where memory does not suffice for it. */
static int show_plan(struct session *session, struct err *err)
{
    if (session->world->rank == 0 && dry_run_print(&session->plan, session->run->config,
                                                   &session->roster, stdout, err) == 0)
        roster_check_memory(&session->roster, largest_size(&session->plan), err);
    return world_agree(session->world, err);
}

/* Rank 0 alone knows of it, until all agree at the end. */
static void remember_ceiling(struct session *session, const struct record *record)
{
    if (!record->above_ceiling || session->worst.code != 0)
        return;
    err_set(&session->worst, EXIT_CODE_CEILING,
            "%s of %" PRIu64 " bytes: %.4g GB/s is more than the hardware can do, "
            "%.4g GB/s (%s)",
            record->operation, record->bytes, 1e-9 * record->busbw, 1e-9 * record->limit,
            record->limit_name);
}

static void remember_wrong_data(struct session *session, const struct record *record)
{
    if (record->wrong == 0 || session->worst.code == EXIT_CODE_WRONG_DATA)
        return;
    err_set(&session->worst, EXIT_CODE_WRONG_DATA,
            "wrong data: %s of %" PRIu64 " bytes, %s%s%s: rank %d%s%s, element %" PRIu64
            ": got %s, expected %s",
            record->operation, record->bytes, record->datatype, record->op ? " " : "",
            record->op ? record->op : "", record->wrong_rank,
            record->wrong_host[0] ? " on " : "", record->wrong_host,
            record->wrong_element, record->wrong_got, record->wrong_expected);
}

/* The rows of a table show progress enough, and some launchers make every standard output
 * look like a terminal. */
static enum progress_when progress_wanted(const struct session *session)
{
    const struct config *config = session->run->config;

    if (!session->output ||
        (config->progress == PROGRESS_AUTO && config->format == FORMAT_TEXT))
        return PROGRESS_OFF;
    return (enum progress_when)config->progress;
}

static int run_points(struct session *session, struct err *err)
{
    struct progress progress;

    progress_start(&progress, session->run->program, &session->plan,
                   progress_wanted(session));
    for (size_t i = 0; i < session->plan.count; i++) {
        struct record record;

        progress_point(&progress, i, progress_now_ns());
        if (measure_point(&session->measure, &session->plan.points[i], i, &record, err))
            fail_alone(session, err);
        remember_wrong_data(session, &record);
        remember_ceiling(session, &record);
        if (session->output)
            output_record(session->output, &record, err);
        if (world_agree(session->world, err))
            return -1;
    }
    return 0;
}

static int finish(struct session *session, struct err *err)
{
    if (session->output)
        output_end(session->output, err->code == 0 ? "complete" : "failed", err->code,
                   err->code ? err->text : NULL, err);
    return world_agree(session->world, err);
}

static void close_all(struct session *session)
{
    if (session->measure.world)
        measure_close(&session->measure);
    if (session->backend.state)
        session->backend.type->close(&session->backend);
    if (session->output)
        output_close(session->output);
    plan_free(&session->plan);
    roster_free(&session->roster);
}

int run_measure(const struct run *run, struct err *err)
{
    struct session session = {
        .run = run,
        .world = run->world,
        .parent = getppid(),
        .backend = {.type = run->type, .world = run->world},
    };

    if (prepare_plan(&session, err) == 0 && run->config->dry_run)
        show_plan(&session, err);
    else if (err->code == 0 && prepare(&session, err) == 0) {
        sentinel_watch(run->sentinel, on_signal, &session);
        if (run_points(&session, err) == 0)
            *err = session.worst;
    }
    finish(&session, err);
    sentinel_watch(run->sentinel, NULL, NULL);
    close_all(&session);
    return err->code ? -1 : 0;
}
