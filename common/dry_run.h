/* SPDX-License-Identifier: BSD-3-Clause */
/* --dry-run: what would be measured, and what it would take. */
#ifndef RACKMARK_DRY_RUN_H
#define RACKMARK_DRY_RUN_H

#include <stdio.h>

#include "config.h"
#include "err.h"
#include "plan.h"
#include "roster.h"

/* Tables with their sizes, memory of each host, time. EXIT_CODE_FAILURE when `to` cannot
 * be written. */
int dry_run_print(const struct plan *plan, const struct config *config,
                  const struct roster *roster, FILE *to, struct err *err);

#endif
