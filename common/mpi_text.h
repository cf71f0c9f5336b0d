/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the two files that include mpi.h. */
#ifndef RACKMARK_MPI_TEXT_H
#define RACKMARK_MPI_TEXT_H

#include "err.h"

/* "Open MPI 4.1.4", "MPICH 4.0.2", or the first line of MPI's own version string. */
const char *mpi_text_library(void);

/* err: "MPI_Allreduce: <MPI's text>"; returns -1. 0 when code is MPI_SUCCESS. */
int mpi_text_error(struct err *err, const char *call, int code);

#endif
