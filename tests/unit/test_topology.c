/* SPDX-License-Identifier: BSD-3-Clause */
/* Machines that hwloc makes up. Without hwloc only what must hold anywhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "topology.h"

static bool has_hwloc(void)
{
    return strncmp(topology_library(), "hwloc ", 6) == 0;
}

static void need_hwloc(void)
{
    if (!has_hwloc())
        skip();
}

static const struct {
    const char *machine;
    int packages, cores, threads, numa_nodes;
    uint64_t memory_bytes;
} machines[] = {
    {"pack:2 [numa(memory=1GB)] core:4 pu:2", 2, 8, 16, 2, 2000000000},
    {"pack:1 [numa(memory=4096)] core:3 pu:1", 1, 3, 3, 1, 4096},
    /* several nodes in a package */
    {"pack:2 group:2 [numa(memory=1MB)] core:2 pu:1", 2, 8, 8, 4, 4000000},
    /* HBM beside DDR: memory without CPUs */
    {"pack:2 [numa(memory=1MB)] [numa(memory=1MB)] core:2 pu:1", 2, 4, 4, 2, 4000000},
    /* a GPU's memory: near all CPUs, of none */
    {"[numa(memory=1MB)] pack:2 [numa(memory=1MB)] core:2 pu:1", 2, 4, 4, 2, 3000000},
    {"[numa(memory=1MB)] [numa(memory=1MB)] [numa(memory=1MB)] pack:1 core:2 pu:1", 1, 2,
     2, 1, 3000000},
};

static void test_machines(void **state)
{
    struct err err = {.code = 0};

    (void)state;
    need_hwloc();
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        struct topology topology;

        setenv("HWLOC_SYNTHETIC", machines[i].machine, 1);
        assert_int_equal(topology_read(&topology, &err), 0);
        assert_int_equal(topology.packages, machines[i].packages);
        assert_int_equal(topology.cores, machines[i].cores);
        assert_int_equal(topology.threads, machines[i].threads);
        assert_int_equal(topology.numa_nodes, machines[i].numa_nodes);
        assert_int_equal(topology.memory_bytes, machines[i].memory_bytes);
    }
    unsetenv("HWLOC_SYNTHETIC");
}

/* A virtual machine may show neither packages nor cores. */
static void test_unknown_levels(void **state)
{
    struct topology topology;
    struct err err = {.code = 0};

    (void)state;
    need_hwloc();
    setenv("HWLOC_SYNTHETIC", "[numa] pu:3", 1);
    assert_int_equal(topology_read(&topology, &err), 0);
    assert_int_equal(topology.packages, -1);
    assert_int_equal(topology.cores, -1);
    assert_int_equal(topology.threads, 3);
    assert_string_equal(topology.cpu, "");
    unsetenv("HWLOC_SYNTHETIC");
}

static void test_this_machine(void **state)
{
    long threads = sysconf(_SC_NPROCESSORS_ONLN);
    struct topology topology;
    struct err err = {.code = 0};

    (void)state;
    assert_int_equal(topology_read(&topology, &err), 0);
    assert_int_equal(err.code, 0);
    assert_true(topology.threads >= threads);
    assert_true(topology.memory_bytes > 1000000);
    if (topology.cores >= 0)
        assert_true(topology.cores >= 1 && topology.cores <= topology.threads);
    if (topology.packages >= 0)
        assert_true(topology.packages >= 1 && topology.packages <= topology.threads);
}

static void test_library(void **state)
{
    (void)state;
    if (has_hwloc())
        assert_true(strchr("0123456789", topology_library()[6]) != NULL);
    else
        assert_string_equal(topology_library(), "none");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_machines),
        cmocka_unit_test(test_unknown_levels),
        cmocka_unit_test(test_this_machine),
        cmocka_unit_test(test_library),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
