/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "backends/list.h"

/* What Rackmark knows of, and why a build may lack it. */
static const struct {
    const char *name, *why;
} known[] = {
    {"mpi", "mpi: configured without, or none was found (libopenmpi-dev, libmpich-dev)"},
    {"nccl", "nccl: not part of this release"},
    {"verbs", "verbs: not part of this release"},
};

const struct backend_type *backend_type_get(size_t index)
{
    return backend_list[index];
}

const char *backend_name(size_t index)
{
    return backend_list[index] ? backend_list[index]->name : NULL;
}

static int in_build(const char *name)
{
    for (size_t i = 0; backend_list[i]; i++)
        if (strcmp(backend_list[i]->name, name) == 0)
            return 1;
    return 0;
}

const char *backend_missing(size_t index)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (!in_build(known[i].name) && index-- == 0)
            return known[i].why;
    return NULL;
}

backend_run *backend_find(const struct backend_type *type, const char *operation)
{
    for (const struct backend_operation *row = type->operations; row->name; row++)
        if (strcmp(row->name, operation) == 0)
            return row->run;
    return NULL;
}
