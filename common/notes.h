/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines above the tables: what a reader of these figures should know first. */
#ifndef RACKMARK_NOTES_H
#define RACKMARK_NOTES_H

#include "config.h"
#include "err.h"
#include "output.h"
#include "plan.h"
#include "roster.h"

/* At rank 0. */
int notes_put(struct output *output, const struct config *config, const struct plan *plan,
              const struct roster *roster, struct err *err);

#endif
