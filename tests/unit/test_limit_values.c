/* SPDX-License-Identifier: BSD-3-Clause */
/* Bounds of known machines. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "limit_fixture.h"

/* GB/s, in as many digits as published. */
/* clang-format off */
static const struct {
    enum limit_operation operation;
    enum limit_algorithm algorithm;
    int g, m;
    double nvlink, network;
    const char *busbw, *name;
} checks[] = {
    {LIMIT_ALLREDUCE, ALGORITHM_NVLS, 72, 1, 900, 0, "1750.7", "NVLS over NVLink"},
    {LIMIT_ALLREDUCE, ALGORITHM_NVLS, 8, 1, 900, 0, "1400.0", "NVLS over NVLink"},
    {LIMIT_ALLREDUCE, ALGORITHM_NVLS, 4, 1, 900, 0, "1080.0", "NVLS over NVLink"},
    {LIMIT_ALLREDUCE, ALGORITHM_NVLS, 8, 1, 450, 0, "700.0", "NVLS over NVLink"},
    {LIMIT_ALLREDUCE, ALGORITHM_NVLS, 3, 1, 900, 0, "900.0", "NVLS over NVLink"},
    {LIMIT_ALLREDUCE, ALGORITHM_NVLS, 2, 1, 900, 0, "600.0", "NVLS over NVLink"},
    {LIMIT_ALLREDUCE, ALGORITHM_RING, 8, 1, 450, 50, "450.0", "ring over NVLink"},
    {LIMIT_ALLREDUCE, ALGORITHM_TREE, 8, 1, 450, 50, "450.0", "tree over NVLink"},
    {LIMIT_ALLREDUCE, ALGORITHM_RING, 4, 3, 900, 50, "200.0", "ring over the network"},
    {LIMIT_ALLREDUCE, ALGORITHM_RING, 8, 3, 900, 50, "400.0", "ring over the network"},
    {LIMIT_ALLREDUCE, ALGORITHM_TREE, 4, 3, 900, 50, "244.4",
     "double binary tree over the network"},
    {LIMIT_ALLREDUCE, ALGORITHM_TREE, 8, 3, 900, 50, "511.1",
     "double binary tree over the network"},
    /* Racks of 72: the network is far from what decides. */
    {LIMIT_ALLREDUCE, ALGORITHM_NVLS, 72, 2, 900, 100, "1763.0", "NVLS over NVLink"},
    {LIMIT_ALLREDUCE, ALGORITHM_RING, 72, 2, 900, 100, "912.7", "ring over NVLink"},
    /* One GPU of each rack. */
    {LIMIT_ALLREDUCE, ALGORITHM_RING, 1, 8, 900, 100, "100.0", "ring over the network"},
    {LIMIT_ALLREDUCE, ALGORITHM_NVLS, 1, 8, 900, 100, "175.0", "SHARP over the network"},
    {LIMIT_ALLGATHER, ALGORITHM_NVLS, 8, 1, 900, 0, "787.5", "NVLS over NVLink"},
    {LIMIT_REDUCESCATTER, ALGORITHM_RING, 4, 2, 900, 100, "400.0", "ring over the network"},
    {LIMIT_ALLTOALL, ALGORITHM_DIRECT, 4, 2, 900, 100, "175.0", "direct over the network"},
    {LIMIT_BROADCAST, ALGORITHM_PIPELINED, 4, 2, 900, 100, "400.0",
     "pipelined over the network"},
    {LIMIT_BROADCAST, ALGORITHM_PIPELINED, 72, 2, 900, 100, "900.0", "pipelined over NVLink"},
    {LIMIT_ONE_WAY, ALGORITHM_DIRECT, 2, 1, 900, 100, "900.0", "direct over NVLink"},
    {LIMIT_TWO_WAY, ALGORITHM_DIRECT, 1, 2, 900, 100, "100.0", "direct over the network"},
};
/* clang-format on */

static void test_check_values(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++) {
        struct limit limit =
            bound_of(machine_of(checks[i].g, checks[i].m, checks[i].nvlink * 1e9,
                                checks[i].network * 1e9),
                     checks[i].operation, checks[i].algorithm, PHASES_OVERLAP);
        char text[32];

        snprintf(text, sizeof text, "%.1f", limit.busbw_Bps / 1e9);
        assert_string_equal(text, checks[i].busbw);
        assert_string_equal(limit.name, checks[i].name);
        assert_int_equal(limit.kind, LIMIT_BOUND);
        assert_null(limit.missing);
    }
}

static void assert_rounds_to(double got, double rounded, double digit)
{
    if (!(fabs(got - rounded) <= digit / 2 * (1 + 1e-9)))
        fail_msg("%.12g is not %g", got, rounded);
}

static double allreduce_busbw(int g, int m, double network,
                              enum limit_algorithm algorithm)
{
    return bound_of(machine_of(g, m, 900e9, network), LIMIT_ALLREDUCE, algorithm,
                    PHASES_OVERLAP)
        .busbw_Bps;
}

/* Four GPUs in a domain, 100 GB/s each across: m, point to point, SHARP. */
static void test_network_only(void **state)
{
    static const double busbw[][3] = {
        {2, 700, 700}, {4, 500, 750}, {8, 443, 775}, {18, 418, 789}, {64, 405, 797}};

    (void)state;
    for (size_t i = 0; i < sizeof busbw / sizeof busbw[0]; i++) {
        int m = (int)busbw[i][0];

        assert_rounds_to(allreduce_busbw(4, m, 100e9, ALGORITHM_HIERARCHICAL) / 1e9,
                         busbw[i][1], 1);
        assert_rounds_to(allreduce_busbw(4, m, 100e9, ALGORITHM_SHARP) / 1e9, busbw[i][2],
                         1);
    }
}

/* Figures of others over three domains: percent of the bound. */
static void test_published_figures(void **state)
{
    (void)state;
    assert_rounds_to(100 * 196.9e9 / allreduce_busbw(4, 3, 50e9, ALGORITHM_RING), 98.4,
                     0.1);
    assert_rounds_to(100 * 393.7e9 / allreduce_busbw(8, 3, 50e9, ALGORITHM_RING), 98.4,
                     0.1);
    assert_rounds_to(100 * 234.4e9 / allreduce_busbw(4, 3, 50e9, ALGORITHM_TREE), 96, 1);
    assert_rounds_to(100 * 485.7e9 / allreduce_busbw(8, 3, 50e9, ALGORITHM_TREE), 95, 1);
}

/* What reduction in the network can gain, against both bases. */
static void test_sharp_ratios(void **state)
{
    (void)state;
    for (int m = 2; m <= 64; m++) {
        struct limit_machine machine = machine_of(4, m, 0, 50e9);
        double sharp =
            bound_of(machine, LIMIT_ALLREDUCE, ALGORITHM_SHARP, PHASES_OVERLAP).busbw_Bps;
        double ring =
            bound_of(machine, LIMIT_ALLREDUCE, ALGORITHM_RING, PHASES_OVERLAP).busbw_Bps;

        assert_close(sharp / ring, 2.0 * (4 * m - 1) / (4 * m));
        assert_close(sharp /
                         ceiling_of(machine, LIMIT_ALLREDUCE, SWITCHES_NVLINK).busbw_Bps,
                     2.0 * (m - 1) / m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_check_values),
        cmocka_unit_test(test_network_only),
        cmocka_unit_test(test_published_figures),
        cmocka_unit_test(test_sharp_ratios),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
