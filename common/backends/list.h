/* SPDX-License-Identifier: BSD-3-Clause */
/* The backends of this build: list_mpi.c or list_local.c, chosen by configure. */
#ifndef RACKMARK_BACKENDS_LIST_H
#define RACKMARK_BACKENDS_LIST_H

#include "backends/backend.h"

extern const struct backend_type backend_mpi, backend_local;

extern const struct backend_type *const backend_list[]; /* ended by NULL */

#endif
