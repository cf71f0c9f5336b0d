/* SPDX-License-Identifier: BSD-3-Clause */
/* For LD_PRELOAD: flips one bit of what one MPI call delivered on one rank. Control
 * traffic goes through PMPI_* and never comes here. The environment says where:
 *
 *   DAMAGE_CALL     MPI_Allreduce, MPI_Allgather, MPI_Reduce_scatter_block,
 *                   MPI_Alltoall, MPI_Bcast, MPI_Recv or MPI_Irecv (damaged when
 *                   MPI_Waitall has completed it)
 *   DAMAGE_RANK     in MPI_COMM_WORLD
 *   DAMAGE_AT       which of that rank's calls, from 0; those without data do not count
 *   DAMAGE_ELEMENT  which element of the receive buffer of that call, from 0
 *
 * Without DAMAGE_CALL nothing is damaged. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The receive that is to be damaged once it is complete. */
struct pending {
    MPI_Request request;
    void *buffer;
    long count;
    MPI_Datatype type;
};

/* MPI is called from one thread. */
static long calls_so_far;
static struct pending pending = {.request = MPI_REQUEST_NULL};

static void give_up(const char *what)
{
    fprintf(stderr, "pmpi_damage: %s\n", what);
    PMPI_Abort(MPI_COMM_WORLD, 70);
}

static long number(const char *variable)
{
    const char *text = getenv(variable);

    if (!text)
        give_up(variable);
    return text ? atol(text) : 0;
}

/* Whether this is the call that is meant. Counts it. */
static int is_meant(const char *call, long count)
{
    const char *meant = getenv("DAMAGE_CALL");
    int rank;

    if (!meant || strcmp(meant, call) != 0 || count == 0)
        return 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank == number("DAMAGE_RANK") && calls_so_far++ == number("DAMAGE_AT");
}

static void damage(void *buffer, long count, MPI_Datatype type)
{
    long element = number("DAMAGE_ELEMENT");
    int bytes;

    if (element < 0 || element >= count)
        give_up("DAMAGE_ELEMENT lies outside of the buffer");
    PMPI_Type_size(type, &bytes);
    ((unsigned char *)buffer)[element * bytes] ^= 1;
}

int MPI_Allreduce(const void *send, void *recv, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm)
{
    int code = PMPI_Allreduce(send, recv, count, type, op, comm);

    if (is_meant("MPI_Allreduce", count))
        damage(recv, count, type);
    return code;
}

int MPI_Allgather(const void *send, int send_count, MPI_Datatype send_type, void *recv,
                  int recv_count, MPI_Datatype recv_type, MPI_Comm comm)
{
    int size;
    int code =
        PMPI_Allgather(send, send_count, send_type, recv, recv_count, recv_type, comm);

    PMPI_Comm_size(comm, &size);
    if (is_meant("MPI_Allgather", recv_count))
        damage(recv, (long)recv_count * size, recv_type);
    return code;
}

int MPI_Reduce_scatter_block(const void *send, void *recv, int count, MPI_Datatype type,
                             MPI_Op op, MPI_Comm comm)
{
    int code = PMPI_Reduce_scatter_block(send, recv, count, type, op, comm);

    if (is_meant("MPI_Reduce_scatter_block", count))
        damage(recv, count, type);
    return code;
}

int MPI_Alltoall(const void *send, int send_count, MPI_Datatype send_type, void *recv,
                 int recv_count, MPI_Datatype recv_type, MPI_Comm comm)
{
    int size;
    int code =
        PMPI_Alltoall(send, send_count, send_type, recv, recv_count, recv_type, comm);

    PMPI_Comm_size(comm, &size);
    if (is_meant("MPI_Alltoall", recv_count))
        damage(recv, (long)recv_count * size, recv_type);
    return code;
}

/* What the root's buffer holds is nothing that was delivered. */
int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    int rank, code = PMPI_Bcast(buffer, count, type, root, comm);

    PMPI_Comm_rank(comm, &rank);
    if (rank != root && is_meant("MPI_Bcast", count))
        damage(buffer, count, type);
    return code;
}

int MPI_Recv(void *buffer, int count, MPI_Datatype type, int source, int tag,
             MPI_Comm comm, MPI_Status *status)
{
    int code = PMPI_Recv(buffer, count, type, source, tag, comm, status);

    if (is_meant("MPI_Recv", count))
        damage(buffer, count, type);
    return code;
}

int MPI_Irecv(void *buffer, int count, MPI_Datatype type, int source, int tag,
              MPI_Comm comm, MPI_Request *request)
{
    int code = PMPI_Irecv(buffer, count, type, source, tag, comm, request);

    if (is_meant("MPI_Irecv", count))
        pending = (struct pending){*request, buffer, count, type};
    return code;
}

int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[])
{
    int found = 0;

    for (int i = 0; i < count && pending.request != MPI_REQUEST_NULL; i++)
        found |= requests[i] == pending.request;

    int code = PMPI_Waitall(count, requests, statuses);

    if (found) {
        damage(pending.buffer, pending.count, pending.type);
        pending.request = MPI_REQUEST_NULL;
    }
    return code;
}
