/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "arithmetic.h"
#include "limit_fixture.h"

static const struct {
    struct limit_machine machine;
    const char *text; /* part of the error's */
} bad_machines[] = {
    {{71, 4, 18, 900e9, 100e9, 0}, "71 ranks in 18 domains that do not all have 4"},
    {{8, 8, 2, 900e9, 100e9, 0}, "8 ranks in 2 domains"},
    {{0, 0, 0, 900e9, 100e9, 0}, "each must be 1 or more"},
    {{4, -2, -2, 900e9, 100e9, 0}, "each must be 1 or more"},
    {{0, 65536, 65536, 900e9, 100e9, 0}, "each must be 1 or more"},
    {{131073, 65537, 65537, 900e9, 100e9, 0}, "131073 ranks in 65537 domains"},
    {{8, 4, 2, -1, 100e9, 0}, "-1 bytes/s is no rate of NVLink"},
    {{8, 4, 2, 900e9, -1, 0}, "-1 bytes/s is no rate of the network"},
    {{8, 4, 2, 900e9, 100e9, INFINITY}, "inf bytes/s is no rate of the GPU-NIC path"},
};

static void test_bad_machines(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad_machines / sizeof bad_machines[0]; i++)
        for (int ceiling = 0; ceiling < 2; ceiling++) {
            struct err err = {0};
            struct limit limit;
            int rc = ceiling ? limit_ceiling(&bad_machines[i].machine, LIMIT_ALLREDUCE,
                                             SWITCHES_ALL, &limit, &err)
                             : limit_bound(&bad_machines[i].machine, LIMIT_ALLREDUCE,
                                           ALGORITHM_RING, PHASES_OVERLAP, &limit, &err);

            assert_int_equal(rc, -1);
            assert_int_equal(err.code, EXIT_CODE_USAGE);
            assert_non_null(strstr(err.text, bad_machines[i].text));
            assert_int_equal(limit.kind, LIMIT_NONE);
            assert_true(isnan(limit.busbw_Bps));
        }
}

static void assert_none(struct limit limit, const char *name)
{
    assert_int_equal(limit.kind, LIMIT_NONE);
    assert_true(isnan(limit.busbw_Bps));
    assert_true(isnan(limit.nvlink_busbw_Bps) && isnan(limit.network_busbw_Bps));
    assert_string_equal(limit.name, name);
    assert_false(limit_exceeded(&limit, 1e30));
}

static void test_one_rank(void **state)
{
    struct limit_machine one = machine_of(1, 1, 900e9, 100e9);

    (void)state;
    for (unsigned operation = 0; operation < LIMIT_OPERATIONS; operation++) {
        for (unsigned algorithm = 0; algorithm < ALGORITHM_COUNT; algorithm++)
            assert_none(bound_of(one, operation, algorithm, PHASES_OVERLAP),
                        "none: one rank moves nothing");
        for (unsigned switches = 0; switches <= SWITCHES_ALL; switches++)
            assert_none(ceiling_of(one, operation, switches),
                        "none: one rank moves nothing");
    }
}

static void test_what_is_not_known(void **state)
{
    static const char unknown[] = "none: not known for this algorithm";
    struct limit_machine racks = machine_of(4, 2, 900e9, 100e9);

    (void)state;
    for (unsigned operation = 0; operation < LIMIT_OPERATIONS; operation++)
        assert_none(bound_of(racks, operation, ALGORITHM_UNKNOWN, PHASES_OVERLAP),
                    unknown);
    assert_none(bound_of(racks, LIMIT_ALLGATHER, ALGORITHM_NVLS, PHASES_OVERLAP),
                unknown);
    assert_none(bound_of(racks, LIMIT_ALLGATHER, ALGORITHM_PAT, PHASES_OVERLAP), unknown);
    assert_none(bound_of(machine_of(4, 1, 900e9, 0), LIMIT_ALLREDUCE, ALGORITHM_SHARP,
                         PHASES_OVERLAP),
                unknown);
    assert_none(bound_of(machine_of(4, 1, 0, 100e9), LIMIT_ALLREDUCE, ALGORITHM_RING,
                         PHASES_OVERLAP),
                "none: unknown NVLink rate");
    assert_none(bound_of(machine_of(1, 4, 900e9, NAN), LIMIT_ALLREDUCE, ALGORITHM_RING,
                         PHASES_OVERLAP),
                "none: unknown network rate");
    assert_none(bound_of(machine_of(4, 2, NAN, 0), LIMIT_ALLREDUCE, ALGORITHM_RING,
                         PHASES_OVERLAP),
                "none: unknown NVLink rate and network rate");
    assert_none(ceiling_of(machine_of(4, 2, 900e9, 0), LIMIT_ALLREDUCE, SWITCHES_ALL),
                "none: unknown network rate");
}

/* One rate is enough, and what is missing is said. */
static void test_one_rate(void **state)
{
    struct limit limit;

    (void)state;
    limit = bound_of(machine_of(4, 2, NAN, 100e9), LIMIT_ALLREDUCE, ALGORITHM_RING,
                     PHASES_SERIES);
    assert_true(limit.busbw_Bps == 400e9 && isnan(limit.nvlink_busbw_Bps));
    assert_string_equal(limit.missing, "NVLink rate");
    assert_string_equal(limit.name, "ring over the network");
    limit = bound_of(machine_of(4, 2, 900e9, 0), LIMIT_ALLREDUCE, ALGORITHM_RING,
                     PHASES_SERIES);
    assert_true(limit.busbw_Bps == 1200e9 && isnan(limit.network_busbw_Bps));
    assert_string_equal(limit.missing, "network rate");
    limit = ceiling_of(machine_of(4, 2, 0, 100e9), LIMIT_ALLREDUCE, SWITCHES_NONE);
    assert_true(limit.busbw_Bps == 700e9);
    assert_string_equal(limit.missing, "NVLink rate");
    limit = bound_of(machine_of(1, 4, 0, 100e9), LIMIT_ALLREDUCE, ALGORITHM_RING,
                     PHASES_OVERLAP);
    assert_null(limit.missing);
    limit = bound_of(machine_of(4, 1, 900e9, 0), LIMIT_ALLREDUCE, ALGORITHM_RING,
                     PHASES_OVERLAP);
    assert_null(limit.missing);
    limit = ceiling_of(machine_of(4, 2, 0, 100e9), LIMIT_ONE_WAY, SWITCHES_NONE);
    assert_null(limit.missing);
}

static void test_path_and_series(void **state)
{
    struct limit_machine machine = machine_of(4, 2, 900e9, 100e9);
    struct limit limit;

    (void)state;
    machine.path_Bps = 55e9;
    limit = bound_of(machine, LIMIT_ALLREDUCE, ALGORITHM_RING, PHASES_OVERLAP);
    assert_close(limit.busbw_Bps, 220e9);
    assert_string_equal(limit.name, "ring over the GPU-NIC path");
    limit = ceiling_of(machine, LIMIT_ALLREDUCE, SWITCHES_NONE);
    assert_close(limit.busbw_Bps, 385e9);
    assert_string_equal(limit.name, "a domain's GPU-NIC paths");
    machine.path_Bps = 100e9;
    limit = bound_of(machine, LIMIT_ALLREDUCE, ALGORITHM_NVLS, PHASES_SERIES);
    assert_close(limit.network_busbw_Bps, 700e9);
    assert_close(limit.nvlink_busbw_Bps, 1260e9);
    assert_close(limit.busbw_Bps, 450e9);
    assert_int_equal(limit.phases, PHASES_SERIES);
    assert_string_equal(limit.name,
                        "NVLS over NVLink and SHARP over the network, in series");
    machine.network_Bps = 0;
    limit = bound_of(machine, LIMIT_ALLREDUCE, ALGORITHM_RING, PHASES_OVERLAP);
    assert_close(limit.busbw_Bps, 400e9);
    assert_string_equal(limit.name, "ring over the GPU-NIC path");
    assert_string_equal(limit.missing, "network rate");
}

/* Rates over four orders of magnitude; one in eight is unknown. */
static double random_rate(uint64_t *seed)
{
    double u = (double)(random_next(seed) >> 11) * 0x1p-53;

    return random_next(seed) % 8 ? 1e9 * pow(10, 4 * u) : 0;
}

static struct limit_machine random_machine(uint64_t *seed)
{
    int g = 1 + (int)(random_next(seed) % 72), m = 1 + (int)(random_next(seed) % 64);
    struct limit_machine machine = machine_of(g, m, random_rate(seed), random_rate(seed));

    machine.path_Bps = random_next(seed) % 2 ? random_rate(seed) : 0;
    return machine;
}

/* No algorithm passes the ceiling that it is held against, parts in series are slower,
 * and switches that do more allow more. */
static void test_bounds_are_under_ceilings(void **state)
{
    uint64_t seed = 20250611;
    size_t compared = 0;

    (void)state;
    for (int round = 0; round < 20000; round++) {
        struct limit_machine machine = random_machine(&seed);
        enum limit_operation operation = round % LIMIT_OPERATIONS;
        enum limit_algorithm algorithm = random_next(&seed) % ALGORITHM_COUNT;
        enum limit_switches switches = limit_algorithm_switches(algorithm);
        struct limit bound = bound_of(machine, operation, algorithm, PHASES_OVERLAP);
        struct limit series = bound_of(machine, operation, algorithm, PHASES_SERIES);
        struct limit ceiling = ceiling_of(machine, operation, switches);

        assert_int_equal(bound.kind, series.kind);
        assert_false(series.busbw_Bps > bound.busbw_Bps);
        for (; switches < SWITCHES_ALL; switches++)
            assert_false(ceiling.busbw_Bps * (1 - 1e-12) >
                         ceiling_of(machine, operation, switches + 1).busbw_Bps);
        if (bound.kind == LIMIT_NONE || ceiling.kind == LIMIT_NONE)
            continue;
        assert_true(bound.busbw_Bps > 0);
        assert_true(bound.busbw_Bps <= ceiling.busbw_Bps * (1 + 1e-12));
        compared++;
    }
    assert_true(compared > 3000);
}

static void test_what_is_exceeded(void **state)
{
    struct limit ceiling =
        ceiling_of(machine_of(8, 1, 450e9, 0), LIMIT_ALLREDUCE, SWITCHES_NVLINK);
    struct limit bound = bound_of(machine_of(8, 1, 450e9, 0), LIMIT_ALLREDUCE,
                                  ALGORITHM_RING, PHASES_OVERLAP);
    struct limit reference;

    (void)state;
    assert_string_equal(ceiling.name, "a GPU's NVLink ports, NVSwitch reduces");
    assert_close(ceiling.busbw_Bps, 787.5e9);
    assert_false(limit_exceeded(&ceiling, ceiling.busbw_Bps));
    assert_true(limit_exceeded(&ceiling, 787.6e9));
    assert_false(limit_exceeded(&ceiling, NAN));
    assert_false(limit_exceeded(&bound, 1e12));
    limit_reference(20e9, "copy on this host", &reference);
    assert_int_equal(reference.kind, LIMIT_REFERENCE);
    assert_true(reference.busbw_Bps == 20e9);
    assert_string_equal(reference.name, "copy on this host");
    assert_false(limit_exceeded(&reference, 1e12));
    limit_reference(0, "copy on this host", &reference);
    assert_none(reference, "none: not measured");
    limit_reference(NAN, "copy on this host", &reference);
    assert_none(reference, "none: not measured");
}

static void test_ceiling_names(void **state)
{
    struct limit_machine racks = machine_of(72, 2, 900e9, 100e9);

    (void)state;
    assert_string_equal(ceiling_of(racks, LIMIT_ALLREDUCE, SWITCHES_ALL).name,
                        "a GPU's NVLink and network ports, switches reduce");
    assert_string_equal(ceiling_of(racks, LIMIT_ALLGATHER, SWITCHES_ALL).name,
                        "a GPU's NVLink and network ports");
    assert_string_equal(ceiling_of(racks, LIMIT_TWO_WAY, SWITCHES_NONE).name,
                        "a GPU's network ports");
    racks = machine_of(4, 2, 900e9, 100e9);
    assert_string_equal(ceiling_of(racks, LIMIT_ALLREDUCE, SWITCHES_NVLINK).name,
                        "a domain's network ports, NVSwitch reduces");
}

static const struct {
    const char *reported;
    enum limit_algorithm algorithm;
    enum limit_switches switches;
} reports[] = {
    {NULL, ALGORITHM_UNKNOWN, SWITCHES_ALL},
    {"", ALGORITHM_UNKNOWN, SWITCHES_ALL},
    {"RINGS", ALGORITHM_UNKNOWN, SWITCHES_ALL},
    {"unknown", ALGORITHM_UNKNOWN, SWITCHES_ALL},
    {"RING", ALGORITHM_RING, SWITCHES_NONE},
    {"TREE", ALGORITHM_TREE, SWITCHES_NONE},
    {"COLLNET_DIRECT", ALGORITHM_SHARP, SWITCHES_ALL},
    {"COLLNET_CHAIN", ALGORITHM_SHARP, SWITCHES_ALL},
    {"NVLS", ALGORITHM_NVLS, SWITCHES_ALL},
    {"NVLS_TREE", ALGORITHM_NVLS_TREE, SWITCHES_NVLINK},
    {"PAT", ALGORITHM_PAT, SWITCHES_NONE},
};

static void test_algorithm_names(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof reports / sizeof reports[0]; i++) {
        assert_int_equal(limit_algorithm_find(reports[i].reported), reports[i].algorithm);
        assert_int_equal(limit_algorithm_switches(reports[i].algorithm),
                         reports[i].switches);
    }
    for (size_t i = 0; i < ALGORITHM_COUNT; i++)
        assert_int_equal(limit_algorithm_find(limit_algorithm_name(i)), i);
    assert_null(limit_algorithm_name(ALGORITHM_COUNT));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_machines),
        cmocka_unit_test(test_one_rank),
        cmocka_unit_test(test_what_is_not_known),
        cmocka_unit_test(test_one_rate),
        cmocka_unit_test(test_path_and_series),
        cmocka_unit_test(test_bounds_are_under_ceilings),
        cmocka_unit_test(test_what_is_exceeded),
        cmocka_unit_test(test_ceiling_names),
        cmocka_unit_test(test_algorithm_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
