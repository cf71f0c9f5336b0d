/* SPDX-License-Identifier: BSD-3-Clause */
#include "backends/list.h"

const struct backend_type *const backend_list[] = {&backend_mpi, &backend_local, NULL};
