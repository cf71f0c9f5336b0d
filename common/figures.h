/* SPDX-License-Identifier: BSD-3-Clause */
/* From the samples of a point to the figures, limits, flags and the verdict on its data
 * that its record holds. */
#ifndef RACKMARK_FIGURES_H
#define RACKMARK_FIGURES_H

#include "err.h"
#include "record.h"
#include "schedule.h"
#include "trial.h"

/* What was asked for. On all ranks. */
void figures_describe(const struct trial *trial, struct record *record);

/* What came of it. At rank 0, which has the samples. record->wrong is set already.
 * copy_seconds_per_byte: from trial_copy. */
int figures_set(const struct trial *trial, const struct schedule *schedule,
                double copy_seconds_per_byte, struct record *record, struct err *err);

#endif
