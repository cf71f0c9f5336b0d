/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef RACKMARK_MEMORY_H
#define RACKMARK_MEMORY_H

#include <stdint.h>

/* Bytes that this host can still give without swapping: MemAvailable, or what the
 * process's cgroup leaves where that is less. UINT64_MAX: unknown. */
uint64_t memory_available(void);

#endif
