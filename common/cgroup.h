/* SPDX-License-Identifier: BSD-3-Clause */
/* The limits that a container or a batch system sets. */
#ifndef RACKMARK_CGROUP_H
#define RACKMARK_CGROUP_H

#include <stdint.h>

struct cgroup {
    double cpus;           /* NAN: no limit known */
    uint64_t memory_bytes; /* UINT64_MAX: no limit known */
};

/* The narrowest limits among this process's groups and those above them, of either
 * version of cgroups. root goes before all paths: "" for this machine. */
void cgroup_read(struct cgroup *cgroup, const char *root);

#endif
