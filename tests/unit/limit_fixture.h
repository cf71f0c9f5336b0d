/* SPDX-License-Identifier: BSD-3-Clause */
/* Limits of machines that are good, and comparison. Included after cmocka.h. */
#ifndef RACKMARK_TESTS_LIMIT_FIXTURE_H
#define RACKMARK_TESTS_LIMIT_FIXTURE_H

#include <math.h>

#include "limit.h"

static inline struct limit_machine machine_of(int g, int m, double nvlink, double network)
{
    return (struct limit_machine){.ranks = g * m,
                                  .domain_ranks = g,
                                  .domains = m,
                                  .nvlink_Bps = nvlink,
                                  .network_Bps = network};
}

static inline struct limit bound_of(struct limit_machine machine,
                                    enum limit_operation operation,
                                    enum limit_algorithm algorithm,
                                    enum limit_phases phases)
{
    struct err err = {0};
    struct limit limit;

    assert_int_equal(limit_bound(&machine, operation, algorithm, phases, &limit, &err),
                     0);
    return limit;
}

static inline struct limit ceiling_of(struct limit_machine machine,
                                      enum limit_operation operation,
                                      enum limit_switches switches)
{
    struct err err = {0};
    struct limit limit;

    assert_int_equal(limit_ceiling(&machine, operation, switches, &limit, &err), 0);
    return limit;
}

static inline void assert_close(double got, double expected)
{
    if (!(fabs(got - expected) <= 1e-9 * fabs(expected)))
        fail_msg("%.12g is not %.12g", got, expected);
}

#endif
