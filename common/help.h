/* SPDX-License-Identifier: BSD-3-Clause */
/* --help, --list, --version and man pages, all from the tables. */
#ifndef RACKMARK_HELP_H
#define RACKMARK_HELP_H

#include <stdio.h>

#include "bench.h"
#include "options.h"

void help_print(const struct program *program, const struct option_set *sets,
                size_t nsets, FILE *to);
void help_man(const struct program *program, const struct option_set *sets, size_t nsets,
              FILE *to);
/* Operations, patterns, types, ops, backends of this build and those missing. */
void help_list(FILE *to);
/* Version, git revision, and the libraries' versions. */
void help_version(const struct program *program, FILE *to);

#endif
