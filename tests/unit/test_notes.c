/* SPDX-License-Identifier: BSD-3-Clause */
/* Notes above the tables, as standard output gets them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "notes.h"

enum { RANKS = 4, TEXT = 2000 };

struct case_of {
    struct config config;
    struct plan plan;
    struct roster roster;
};

/* Four ranks of two hosts, each bound to a processor of its own. */
static int node[RANKS] = {0, 0, 1, 1}, ranks[2] = {2, 2}, cpus[2];
static struct binding binding[RANKS];
static char hosts[2][WORLD_HOST_TEXT] = {"alpha", "beta"};
static struct point points[2];

static struct case_of usual(void)
{
    for (int r = 0; r < RANKS; r++) {
        binding[r] = (struct binding){.ncpus = 1, .ncores = 1};
        snprintf(binding[r].cpus, sizeof binding[r].cpus, "%d", r % 2);
    }
    cpus[0] = cpus[1] = 8;
    points[0] = (struct point){.operation = operation_find("allreduce")};
    return (struct case_of){
        .config = {.max_time = 1},
        .plan = {.points = points, .count = 1},
        .roster = {.nranks = RANKS,
                   .nnodes = 2,
                   .node = node,
                   .ranks = ranks,
                   .cpus = cpus,
                   .hosts = hosts,
                   .binding = binding},
    };
}

/* What notes_put prints, by way of a file in the place of standard output. */
static void notes_of(const struct case_of *c, char text[TEXT])
{
    FILE *file = tmpfile();
    int saved = dup(STDOUT_FILENO);
    struct output *output;
    struct err err = {0};
    size_t size;

    assert_non_null(file);
    assert_int_equal(output_open(&output, NULL, FORMAT_TEXT, &err), 0);
    fflush(stdout);
    dup2(fileno(file), STDOUT_FILENO);
    int failed = notes_put(output, &c->config, &c->plan, &c->roster, &err);
    dup2(saved, STDOUT_FILENO);
    close(saved);
    output_close(output);
    rewind(file);
    size = fread(text, 1, TEXT - 1, file);
    text[size] = '\0';
    fclose(file);
    assert_int_equal(failed, 0);
}

static void test_nothing_to_say(void **state)
{
    struct case_of c = usual();
    char text[TEXT];

    (void)state;
    notes_of(&c, text);
    assert_string_equal(text, "");
}

static void test_rounded(void **state)
{
    struct case_of c = usual();
    char text[TEXT];

    (void)state;
    c.plan.rounded = 1;
    notes_of(&c, text);
    assert_non_null(strstr(text, "# 1 size was rounded up"));
    c.plan.rounded = 3;
    notes_of(&c, text);
    assert_non_null(strstr(text, "# 3 sizes were rounded up"));
}

static void test_crowded_host(void **state)
{
    struct case_of c = usual();
    char text[TEXT];

    (void)state;
    cpus[1] = 1;
    notes_of(&c, text);
    assert_string_equal(text,
                        "# WARNING: host beta: 2 ranks share 1 processor: times are the "
                        "scheduler's as much as the library's\n");
}

static void test_shared_processors(void **state)
{
    struct case_of c = usual();
    char text[TEXT];

    (void)state;
    strcpy(binding[2].cpus, "1"); /* as rank 3; rank 1 is on another host */
    notes_of(&c, text);
    assert_string_equal(text, "# WARNING: host beta: 2 ranks (one is 2) are bound to the "
                              "same processors 1, 1 core: bind each to its own\n");
    /* The same set with room for both is no trouble. */
    binding[2].ncores = binding[3].ncores = 2;
    notes_of(&c, text);
    assert_string_equal(text, "");
}

static void test_pair_and_window(void **state)
{
    struct case_of c = usual();
    char text[TEXT];

    (void)state;
    points[0] =
        (struct point){.operation = operation_find("oneway"), .pattern = pattern_get(0)};
    notes_of(&c, text);
    assert_non_null(strstr(text, "# pair: rank 0 on alpha, rank 1 on alpha\n"));
    assert_non_null(strstr(text, "a window of 64 messages"));
    c.config.window = 5;
    notes_of(&c, text);
    assert_non_null(strstr(text, "--window messages"));
}

static void test_long_run(void **state)
{
    struct case_of c = usual();
    char text[TEXT];

    (void)state;
    c.config.max_time = 7200;
    notes_of(&c, text);
    assert_string_equal(text,
                        "# 1 point may take up to about 2.0 hours; see --dry-run\n");
    c.config.iterations = 5; /* nobody knows */
    notes_of(&c, text);
    assert_string_equal(text, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_to_say),  cmocka_unit_test(test_rounded),
        cmocka_unit_test(test_crowded_host),    cmocka_unit_test(test_shared_processors),
        cmocka_unit_test(test_pair_and_window), cmocka_unit_test(test_long_run),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
