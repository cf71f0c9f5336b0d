/* SPDX-License-Identifier: BSD-3-Clause */
/* Inside of limit: the rows of formulas that limit.c puts rates into. */
#ifndef RACKMARK_LIMIT_PRIVATE_H
#define RACKMARK_LIMIT_PRIVATE_H

#include "limit.h"

/* ranks, domain_ranks, domains. */
struct limit_sizes {
    double n, g, m;
};

/* busbw over the rate of one rank's link, one direction: the busbw factor (2(n-1)/n for
 * all-reduce, (n-1)/n for all-gather, reduce-scatter and all-to-all, else 1; the field's
 * name and factors are those of nccl-tests' PERFORMANCE.md) over the vectors that the
 * busiest such link carries. The network ports of a domain share its load. Not asked
 * where the part carries nothing. */
typedef double limit_multiple(const struct limit_sizes *sizes);

struct limit_part {
    const char *name;
    limit_multiple *multiple; /* NULL: carries nothing */
};

struct limit_row {
    unsigned operations; /* bit i: enum limit_operation i */
    unsigned ways;       /* bit i: enum limit_algorithm or enum limit_switches i */
    unsigned machines;   /* bits of limit_rows.c */
    struct limit_part nvlink, network;
    const char *note; /* closes the limit's name; or NULL */
};

/* NULL: nothing is known. Every operation has a ceiling. */
const struct limit_row *limit_bound_row(const struct limit_machine *machine,
                                        enum limit_operation operation,
                                        enum limit_algorithm algorithm);
const struct limit_row *limit_ceiling_row(const struct limit_machine *machine,
                                          enum limit_operation operation,
                                          enum limit_switches switches);

#endif
