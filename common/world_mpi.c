/* SPDX-License-Identifier: BSD-3-Clause */
/* The world over MPI. Everything here goes through PMPI_*: a tool that wraps MPI_*
 * meets the measured calls alone. */
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mpi_text.h"
#include "world.h"

enum { TAG_BARRIER = 1 };

struct mpi_world {
    MPI_Comm comm;
    bool yields; /* more ranks than processors: waiting must let others run */
};

const char *mpi_text_library(void)
{
    static const struct {
        const char *starts, *name;
        bool version_field; /* MPICH: "MPICH Version:\t4.0.2" */
    } known[] = {{"Open MPI v", "Open MPI", false}, {"MPICH Version:", "MPICH", true}};
    /* Written once with the same text each time: constant for the whole run. */
    static char text[MPI_MAX_LIBRARY_VERSION_STRING + 16];
    char raw[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;

    PMPI_Get_library_version(raw, &length);
    raw[strcspn(raw, "\n,")] = '\0';
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        size_t skip = strlen(known[i].starts);

        if (strncmp(raw, known[i].starts, skip) != 0)
            continue;
        const char *version = raw + skip + strspn(raw + skip, " \t");
        snprintf(text, sizeof text, "%s %.*s", known[i].name,
                 (int)strcspn(version, " \t"), version);
        return text;
    }
    snprintf(text, sizeof text, "%s", raw);
    return text;
}

const char *world_library(void)
{
    return mpi_text_library();
}

int mpi_text_error(struct err *err, const char *call, int code)
{
    char text[MPI_MAX_ERROR_STRING] = "unknown error";
    int length;

    if (code == MPI_SUCCESS)
        return 0;
    PMPI_Error_string(code, text, &length);
    text[strcspn(text, "\n")] = '\0';
    return err_set(err, EXIT_CODE_FAILURE, "%s: %s", call, text);
}

/* Waits for what the control plane started, letting other ranks run where they share
 * processors with this one. */
static int wait_all(const struct mpi_world *mpi, MPI_Request *requests, int count,
                    const char *what, struct err *err)
{
    int done = 0;

    for (;;) {
        int code = PMPI_Testall(count, requests, &done, MPI_STATUSES_IGNORE);

        if (code != MPI_SUCCESS)
            return mpi_text_error(err, what, code);
        if (done)
            return 0;
        if (mpi->yields)
            sched_yield();
    }
}

/* Dissemination barrier in point-to-point messages: independent of the library's own
 * barrier, whose exit skew would become part of the figures. */
static int mpi_barrier(struct world *world, struct err *err)
{
    const struct mpi_world *mpi = world->state;

    for (int distance = 1; distance < world->nranks; distance *= 2) {
        int to = (world->rank + distance) % world->nranks;
        int from = (world->rank - distance + world->nranks) % world->nranks;
        MPI_Request requests[2];
        int code = PMPI_Irecv(NULL, 0, MPI_BYTE, from, TAG_BARRIER, mpi->comm, requests);

        if (code == MPI_SUCCESS)
            code =
                PMPI_Isend(NULL, 0, MPI_BYTE, to, TAG_BARRIER, mpi->comm, requests + 1);
        if (code != MPI_SUCCESS)
            return mpi_text_error(err, "barrier", code);
        if (wait_all(mpi, requests, 2, "barrier", err))
            return -1;
    }
    return 0;
}

static int mpi_bcast(struct world *world, void *data, size_t bytes, int root,
                     struct err *err)
{
    const struct mpi_world *mpi = world->state;
    MPI_Request request;
    int code = PMPI_Ibcast(data, (int)bytes, MPI_BYTE, root, mpi->comm, &request);

    if (code != MPI_SUCCESS)
        return mpi_text_error(err, "broadcast", code);
    return wait_all(mpi, &request, 1, "broadcast", err);
}

static int mpi_max(struct world *world, struct world_max *values, size_t count,
                   struct err *err)
{
    /* struct world_max is laid out as MPI_DOUBLE_INT: a double, then an int. */
    const struct mpi_world *mpi = world->state;
    MPI_Request request;

    for (size_t i = 0; i < count; i++)
        values[i].rank = world->rank;

    int code = world->rank == 0
                   ? PMPI_Ireduce(MPI_IN_PLACE, values, (int)count, MPI_DOUBLE_INT,
                                  MPI_MAXLOC, 0, mpi->comm, &request)
                   : PMPI_Ireduce(values, NULL, (int)count, MPI_DOUBLE_INT, MPI_MAXLOC, 0,
                                  mpi->comm, &request);
    if (code != MPI_SUCCESS)
        return mpi_text_error(err, "reduce", code);
    return wait_all(mpi, &request, 1, "reduce", err);
}

static int mpi_gather(struct world *world, const void *mine, size_t bytes, void *all,
                      struct err *err)
{
    const struct mpi_world *mpi = world->state;
    MPI_Request request;
    int code = PMPI_Igather(mine, (int)bytes, MPI_BYTE, all, (int)bytes, MPI_BYTE, 0,
                            mpi->comm, &request);

    if (code != MPI_SUCCESS)
        return mpi_text_error(err, "gather", code);
    return wait_all(mpi, &request, 1, "gather", err);
}

static void mpi_abort(struct world *world, int code)
{
    (void)world;
    usleep(300000); /* launchers lose lines that were printed just before an abort */
    PMPI_Abort(MPI_COMM_WORLD, code);
    _exit(code);
}

static int mpi_close(struct world *world)
{
    struct mpi_world *mpi = world->state;

    PMPI_Comm_free(&mpi->comm);
    free(mpi);
    return PMPI_Finalize() == MPI_SUCCESS ? 0 : -1;
}

static const struct world_ops mpi_ops = {
    .barrier = mpi_barrier,
    .bcast = mpi_bcast,
    .max = mpi_max,
    .gather = mpi_gather,
    .abort = mpi_abort,
    .close = mpi_close,
};

/* Processors that at least one rank of this host may run on. */
static int count_cpus(MPI_Comm local)
{
    cpu_set_t cpus;

    CPU_ZERO(&cpus);
    sched_getaffinity(0, sizeof cpus, &cpus);
    PMPI_Allreduce(MPI_IN_PLACE, &cpus, sizeof cpus, MPI_BYTE, MPI_BOR, local);
    return CPU_COUNT(&cpus);
}

/* Numbers the hosts: ranks that can share memory are on one. */
static int find_nodes(struct world *world, struct err *err)
{
    struct mpi_world *mpi = world->state;
    MPI_Comm local, leaders;
    int nodes[2] = {0, 1}; /* this node, all nodes */
    int code = PMPI_Comm_split_type(mpi->comm, MPI_COMM_TYPE_SHARED, world->rank,
                                    MPI_INFO_NULL, &local);

    if (code != MPI_SUCCESS)
        return mpi_text_error(err, "splitting the ranks by host", code);
    PMPI_Comm_rank(local, &world->local_rank);
    PMPI_Comm_size(local, &world->local_nranks);
    world->local_cpus = count_cpus(local);
    code = PMPI_Comm_split(mpi->comm, world->local_rank == 0 ? 0 : MPI_UNDEFINED,
                           world->rank, &leaders);
    if (code == MPI_SUCCESS && leaders != MPI_COMM_NULL) {
        PMPI_Comm_rank(leaders, &nodes[0]);
        PMPI_Comm_size(leaders, &nodes[1]);
        PMPI_Comm_free(&leaders);
    }
    if (code == MPI_SUCCESS)
        code = PMPI_Bcast(nodes, 2, MPI_INT, 0, local);
    world->node = nodes[0];
    world->nnodes = nodes[1];
    PMPI_Comm_free(&local);
    return mpi_text_error(err, "numbering the hosts", code);
}

int world_open(struct world *world, int *argc, char ***argv, struct err *err)
{
    int provided;
    struct mpi_world *mpi = calloc(1, sizeof *mpi);

    *world = (struct world){.ops = &mpi_ops, .state = mpi};
    if (!mpi)
        return err_set(err, EXIT_CODE_FAILURE, "out of memory");
    /* Calls come from one thread, but for the MPI_Abort of the sentinel. */
    int code = PMPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided);
    if (code != MPI_SUCCESS)
        return err_set(err, EXIT_CODE_FAILURE, "MPI_Init_thread failed");
    code = PMPI_Comm_dup(MPI_COMM_WORLD, &mpi->comm);
    if (code != MPI_SUCCESS)
        return mpi_text_error(err, "MPI_Comm_dup", code);
    PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    PMPI_Comm_set_errhandler(mpi->comm, MPI_ERRORS_RETURN);
    PMPI_Comm_rank(mpi->comm, &world->rank);
    PMPI_Comm_size(mpi->comm, &world->nranks);
    gethostname(world->host, sizeof world->host - 1);
    if (find_nodes(world, err))
        return -1;
    mpi->yields = world->local_nranks > world->local_cpus;
    return 0;
}
