/* SPDX-License-Identifier: BSD-3-Clause */
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "binding.h"

static const struct {
    const char *set; /* a flag per CPU */
    const char *text;
} lists[] = {
    {"", ""},      {"000", ""},     {"1", "0"},     {"01", "1"},
    {"11", "0-1"}, {"1111", "0-3"}, {"101", "0,2"}, {"1101110001", "0-1,3-5,9"},
};

static void test_lists(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        unsigned char set[16] = {0};
        char text[BINDING_TEXT] = "left over";
        int count = (int)strlen(lists[i].set);

        for (int cpu = 0; cpu < count; cpu++)
            set[cpu] = lists[i].set[cpu] == '1';
        binding_list(set, count, text);
        assert_string_equal(text, lists[i].text);
    }
}

/* A list that is too long says so, and stays within its room. */
static void test_long_list_is_cut(void **state)
{
    unsigned char set[1024];
    char text[BINDING_TEXT + 1];
    size_t length;

    (void)state;
    for (size_t cpu = 0; cpu < sizeof set; cpu++)
        set[cpu] = cpu % 2 == 0;
    text[BINDING_TEXT] = '!';
    binding_list(set, sizeof set, text);
    length = strlen(text);
    assert_in_range(length, BINDING_TEXT - 8, BINDING_TEXT - 1);
    assert_memory_equal(text, "0,2,4,6,8,10,", 13);
    assert_string_equal(text + length - 3, "...");
    assert_int_equal(text[BINDING_TEXT], '!');
}

static void test_reads_what_the_kernel_says(void **state)
{
    struct binding binding;
    cpu_set_t before, one;
    char cpu_text[16];
    int cpu = 0;

    (void)state;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    binding_read(&binding);
    assert_int_equal(binding.ncpus, CPU_COUNT(&before));
    assert_in_range(binding_room(&binding), 1, CPU_COUNT(&before));
    while (!CPU_ISSET(cpu, &before))
        cpu++;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    binding_read(&binding);
    sched_setaffinity(0, sizeof before, &before);
    snprintf(cpu_text, sizeof cpu_text, "%d", cpu);
    assert_string_equal(binding.cpus, cpu_text);
    assert_int_equal(binding.ncpus, 1);
    assert_int_equal(binding_room(&binding), 1);
}

static void test_room_is_cores_where_they_are_known(void **state)
{
    (void)state;
    assert_int_equal(binding_room(&(struct binding){.ncpus = 8, .ncores = 4}), 4);
    assert_int_equal(binding_room(&(struct binding){.ncpus = 8}), 8);
    assert_int_equal(binding_room(&(struct binding){0}), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_long_list_is_cut),
        cmocka_unit_test(test_reads_what_the_kernel_says),
        cmocka_unit_test(test_room_is_cores_where_they_are_known),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
