/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts about a machine whose files lie in a directory of the test's. */
#include "output_fixture.h"

#include <sched.h>
#include <sys/utsname.h>

#include "cgroup.h"
#include "small_file.h"
#include "system.h"
#include "topology.h"

/* Writes a file of the machine, and the directories above it. */
static void put(const struct fixture *fixture, const char *path, const char *text)
{
    char whole[FIXTURE_PATH * 2];

    snprintf(whole, sizeof whole, "%s%s", fixture->directory, path);
    for (char *slash = whole + strlen(fixture->directory); slash;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(whole, 0755);
        *slash = '/';
    }
    spill(whole, text, strlen(text));
}

static const struct {
    const char *path, *text;
    const char *key, *value; /* NULL: left out */
} files[] = {
    {"/etc/os-release", "NAME=x\nPRETTY_NAME=\"Debian 12 (a b)\"\nID=y\n", "os",
     "Debian 12 (a b)"},
    {"/etc/os-release", "PRETTY_NAME='Rocky 9'\n", "os", "Rocky 9"},
    {"/etc/os-release", "PRETTY_NAME=Arch", "os", "Arch"},
    {"/etc/os-release", "PRETTY_NAME=\"a\xff\"", "os", "a?"},
    {"/etc/os-release", "PRETTY_NAME=\"\"\n", "os", NULL},
    {"/etc/os-release", "NAME=x\n", "os", NULL},
    {"/etc/os-release", "", "os", NULL},
    {"/proc/cpuinfo", "processor\t: 0\nmodel name\t: Chip 9000\nmodel name\t: b\n", "cpu",
     "Chip 9000"},
    {"/proc/cpuinfo", "processor\t: 0\n", "cpu", NULL},
    {"/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n",
     "transparent_hugepage", "madvise"},
    {"/sys/kernel/mm/transparent_hugepage/enabled", "[always]", "transparent_hugepage",
     "always"},
    {"/sys/kernel/mm/transparent_hugepage/enabled", "always\n", "transparent_hugepage",
     NULL},
    {"/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n", "governor",
     "performance"},
    {"/sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n",
     "clocksource", "tsc"},
    {"/.dockerenv", "", "container", "docker"},
    {"/run/.containerenv", "", "container", "podman"},
    {"/.singularity.d", "", "container", "apptainer"},
};

static void test_files(void **state)
{
    /* hwloc knows no model there: the kernel is asked */
    setenv("HWLOC_SYNTHETIC", "pack:1 core:1 pu:1", 1);
    for (size_t i = 0; i < COUNT(files); i++) {
        struct fixture *fixture;
        json_t *system, *value;

        assert_int_equal(fixture_setup(state), 0);
        fixture = *state;
        system = system_json(fixture->directory);
        assert_null(json_object_get(system, files[i].key)); /* no file */
        json_decref(system);
        put(fixture, files[i].path, files[i].text);
        system = system_json(fixture->directory);
        value = json_object_get(system, files[i].key);
        if (files[i].value)
            assert_string_equal(json_string_value(value), files[i].value);
        else
            assert_null(value);
        json_decref(system);
        fixture_teardown(state);
    }
    unsetenv("HWLOC_SYNTHETIC");
}

static const char machine_xml[] =
    "<?xml version=\"1.0\"?><!DOCTYPE topology SYSTEM \"hwloc2.dtd\">"
    "<topology version=\"2.0\"><object type=\"Machine\" os_index=\"0\" cpuset=\"0x1\" "
    "complete_cpuset=\"0x1\" allowed_cpuset=\"0x1\" nodeset=\"0x1\" "
    "complete_nodeset=\"0x1\" allowed_nodeset=\"0x1\"><object type=\"NUMANode\" "
    "os_index=\"0\" cpuset=\"0x1\" complete_cpuset=\"0x1\" nodeset=\"0x1\" "
    "complete_nodeset=\"0x1\" local_memory=\"4096\"/><object type=\"Package\" "
    "os_index=\"0\" cpuset=\"0x1\" complete_cpuset=\"0x1\" nodeset=\"0x1\" "
    "complete_nodeset=\"0x1\"><info name=\"CPUModel\" value=\"Chip 7\"/><object "
    "type=\"PU\" os_index=\"0\" cpuset=\"0x1\" complete_cpuset=\"0x1\" nodeset=\"0x1\" "
    "complete_nodeset=\"0x1\"/></object></object></topology>";

/* hwloc's word comes before the kernel's. */
static void test_model_of_hwloc(void **state)
{
    const struct fixture *fixture = *state;
    char path[FIXTURE_PATH];
    json_t *system;

    if (strcmp(topology_library(), "none") == 0)
        skip();
    put(fixture, "/machine.xml", machine_xml);
    put(fixture, "/proc/cpuinfo", "model name\t: Chip 9000\n");
    setenv("HWLOC_XMLFILE", fixture_path(fixture, path, "machine.xml"), 1);
    system = system_json(fixture->directory);
    unsetenv("HWLOC_XMLFILE");
    assert_string_equal(json_string_value(json_object_get(system, "cpu")), "Chip 7");
    assert_int_equal(json_integer_value(json_object_get(system, "memory_bytes")), 4096);
    json_decref(system);
}

static void test_this_process(void **state)
{
    json_t *system;
    struct utsname name;
    cpu_set_t before, one;

    (void)state;
    uname(&name);
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    CPU_ZERO(&one);
    for (int cpu = 0; CPU_COUNT(&one) == 0; cpu++) {
        if (CPU_ISSET(cpu, &before))
            CPU_SET(cpu, &one);
    }
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    system = system_json("/nowhere");
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
    assert_int_equal(json_integer_value(json_object_get(system, "affinity_cpus")), 1);
    assert_int_equal(json_integer_value(json_object_get(system, "page_size_bytes")),
                     sysconf(_SC_PAGESIZE));
    assert_string_equal(json_string_value(json_object_get(system, "host")),
                        name.nodename);
    assert_string_equal(json_string_value(json_object_get(system, "machine")),
                        name.machine);
    assert_true(json_integer_value(json_object_get(system, "threads")) > 0);
    assert_true(json_integer_value(json_object_get(system, "memory_bytes")) > 0);
    json_decref(system);
}

enum { FILES_MOST = 6 };

/* What stands in the files of the groups, and the limits that follow. */
static const struct {
    const char *files[FILES_MOST][2];
    double cpus;
    uint64_t memory_bytes;
} groups[] = {
    {{{NULL, NULL}}, NAN, UINT64_MAX},
    {{{"/proc/self/cgroup", "nonsense\n::\n0:\n0::relative\n"}}, NAN, UINT64_MAX},
    /* version 2 */
    {{{"/proc/self/cgroup", "0::/a/b\n"},
      {"/sys/fs/cgroup/a/b/cpu.max", "150000 100000\n"},
      {"/sys/fs/cgroup/a/b/memory.max", "4096\n"}},
     1.5,
     4096},
    {{{"/proc/self/cgroup", "0::/a/b\n"},
      {"/sys/fs/cgroup/a/b/cpu.max", "max 100000\n"},
      {"/sys/fs/cgroup/a/b/memory.max", "max\n"}},
     NAN,
     UINT64_MAX},
    /* the narrowest of all levels */
    {{{"/proc/self/cgroup", "0::/a/b\n"},
      {"/sys/fs/cgroup/a/b/cpu.max", "400000 100000\n"},
      {"/sys/fs/cgroup/a/cpu.max", "50000 100000\n"},
      {"/sys/fs/cgroup/a/b/memory.max", "4096\n"},
      {"/sys/fs/cgroup/a/memory.max", "8192\n"},
      {"/sys/fs/cgroup/memory.max", "2048\n"}},
     0.5,
     2048},
    {{{"/proc/self/cgroup", "0::/a/b\n"},
      {"/sys/fs/cgroup/a/b/cpu.max", "50000 100000\n"},
      {"/sys/fs/cgroup/a/cpu.max", "400000 100000\n"},
      {"/sys/fs/cgroup/a/b/memory.max", "2048\n"},
      {"/sys/fs/cgroup/memory.max", "4096\n"}},
     0.5,
     2048},
    /* the host's path inside a container */
    {{{"/proc/self/cgroup", "0::/\n"}, {"/sys/fs/cgroup/cpu.max", "200000 100000\n"}},
     2,
     UINT64_MAX},
    {{{"/proc/self/cgroup", "0::/../../x\n"}, {"/sys/fs/cgroup/memory.max", "12288\n"}},
     NAN,
     12288},
    /* version 1 */
    {{{"/proc/self/cgroup", "4:memory:/j\n3:cpu,cpuacct:/j\n2:cpuset:/q\n0::/\n"},
      {"/sys/fs/cgroup/cpu/j/cpu.cfs_quota_us", "300000\n"},
      {"/sys/fs/cgroup/cpu/j/cpu.cfs_period_us", "100000\n"},
      {"/sys/fs/cgroup/memory/memory.limit_in_bytes", "65536\n"},
      {"/sys/fs/cgroup/memory/j/memory.limit_in_bytes", "9223372036854771712\n"}},
     3,
     65536},
    {{{"/proc/self/cgroup", "4:memory:/\n"},
      {"/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"}},
     NAN,
     UINT64_MAX},
    {{{"/proc/self/cgroup", "3:cpuacct,cpu:/\n"},
      {"/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n"},
      {"/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n"}},
     NAN,
     UINT64_MAX},
    {{{"/proc/self/cgroup", "3:cpuacct,cpu:/\n"},
      {"/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "100000\n"},
      {"/sys/fs/cgroup/cpu/cpu.cfs_period_us", "0\n"}},
     NAN,
     UINT64_MAX},
    {{{"/proc/self/cgroup", "3:cpuset:/\n2:cpuacct:/\n"},
      {"/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "100000\n"},
      {"/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n"}},
     NAN,
     UINT64_MAX},
};

static void test_cgroups(void **state)
{
    for (size_t i = 0; i < COUNT(groups); i++) {
        struct fixture *fixture;
        struct cgroup cgroup;

        assert_int_equal(fixture_setup(state), 0);
        fixture = *state;
        for (size_t j = 0; j < FILES_MOST && groups[i].files[j][0]; j++)
            put(fixture, groups[i].files[j][0], groups[i].files[j][1]);
        cgroup_read(&cgroup, fixture->directory);
        if (isnan(groups[i].cpus))
            assert_true(isnan(cgroup.cpus));
        else
            assert_true(cgroup.cpus == groups[i].cpus);
        assert_int_equal(cgroup.memory_bytes, groups[i].memory_bytes);
        fixture_teardown(state);
    }
}

static void test_cgroup_limits_are_facts(void **state)
{
    struct fixture *fixture = *state;
    json_t *system;

    put(fixture, "/proc/self/cgroup", "0::/\n");
    put(fixture, "/sys/fs/cgroup/cpu.max", "150000 100000\n");
    put(fixture, "/sys/fs/cgroup/memory.max", "4096\n");
    system = system_json(fixture->directory);
    assert_true(json_real_value(json_object_get(system, "cgroup_cpus")) == 1.5);
    assert_int_equal(json_integer_value(json_object_get(system, "cgroup_memory_bytes")),
                     4096);
    json_decref(system);
}

static void test_small_files(void **state)
{
    struct fixture *fixture = *state;
    char text[SMALL_FILE_TEXT], *huge = calloc(1, 3 * SMALL_FILE_TEXT);

    assert_false(small_file_read(text, fixture->directory, "/absent"));
    assert_string_equal(text, "");
    assert_false(small_file_read(text, fixture->directory, "")); /* a directory */
    put(fixture, "/a", "one\ntwo\n");
    assert_true(small_file_read(text, fixture->directory, "/a"));
    assert_string_equal(text, "one\ntwo");
    assert_string_equal(small_file_line(text, "tw"), "o");
    assert_null(small_file_line(text, "three"));
    memset(huge, 'x', 3 * SMALL_FILE_TEXT - 1);
    put(fixture, "/huge", huge);
    assert_true(small_file_read(text, fixture->directory, "/huge"));
    assert_int_equal(strlen(text), SMALL_FILE_TEXT - 1);
    assert_false(small_file_read(text, huge, "/a")); /* a path too long for all */
    free(huge);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files),       cmocka_unit_test(test_this_process),
        cmocka_unit_test(test_cgroups),     CASE(test_model_of_hwloc),
        CASE(test_cgroup_limits_are_facts), CASE(test_small_files),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
