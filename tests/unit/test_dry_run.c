/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "dry_run.h"
#include "patterns.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define MIB          (UINT64_C(1) << 20)

enum { NODES_MOST = 40 };

struct hand_made {
    struct roster roster;
    char hosts[NODES_MOST][WORLD_HOST_TEXT];
    int ranks[NODES_MOST];
    uint64_t need[NODES_MOST], available[NODES_MOST];
};

/* Two ranks per host, but one on the first. */
static struct roster *make_roster(struct hand_made *made, int nnodes)
{
    *made = (struct hand_made){
        .roster = {.nranks = 2 * nnodes - 1,
                   .nnodes = nnodes,
                   .hosts = made->hosts,
                   .ranks = made->ranks,
                   .need = made->need,
                   .available = made->available},
    };
    for (int i = 0; i < nnodes; i++) {
        snprintf(made->hosts[i], WORLD_HOST_TEXT, "host%d", i);
        made->ranks[i] = i == 0 ? 1 : 2;
        made->need[i] = (uint64_t)(i + 1) * MIB;
        made->available[i] = 512 * MIB;
    }
    return &made->roster;
}

/* The text, for free(). */
static char *print(const struct plan *plan, const struct config *config,
                   const struct roster *roster)
{
    struct err err = {0};
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);

    assert_non_null(to);
    assert_int_equal(dry_run_print(plan, config, roster, to, &err), 0);
    assert_int_equal(err.code, 0);
    assert_int_equal(fclose(to), 0);
    return text;
}

static void expect(const struct plan *plan, const struct config *config,
                   const struct roster *roster, const char *expected)
{
    char *text = print(plan, config, roster);

    assert_string_equal(text, expected);
    free(text);
}

/* A table for all that differs but the size, whatever the order of the points. What an
 * operation does not know does not part its tables. */
static void test_tables(void **state)
{
    const struct operation *allreduce = operation_find("allreduce"),
                           *broadcast = operation_find("broadcast"),
                           *oneway = operation_find("oneway"),
                           *barrier = operation_find("barrier");
    const struct pattern *pair = pattern_get(0), *ring = pattern_get(1);
    struct point points[] = {
        {allreduce, .datatype = DATATYPE_FLOAT, .op = OP_SUM, .bytes = 64},
        {allreduce, .datatype = DATATYPE_FLOAT, .op = OP_MAX, .bytes = 8},
        {allreduce, .datatype = DATATYPE_FLOAT, .op = OP_SUM, .bytes = 8},
        {allreduce, .datatype = DATATYPE_INT8, .op = OP_SUM, .bytes = 8},
        {allreduce, .datatype = DATATYPE_FLOAT, .op = OP_SUM, .bytes = 3 * MIB / 2},
        {allreduce, .datatype = DATATYPE_FLOAT, .op = OP_SUM, .bytes = 8,
         .placement = PLACEMENT_IN_PLACE},
        {allreduce, .datatype = DATATYPE_FLOAT, .op = OP_SUM, .bytes = 8,
         .timing = TIMING_STREAMING},
        {broadcast, .datatype = DATATYPE_FLOAT, .op = OP_SUM, .bytes = 16},
        {broadcast, .datatype = DATATYPE_FLOAT, .op = OP_MAX, .bytes = 32},
        {oneway, pair, .datatype = DATATYPE_FLOAT, .bytes = 8},
        {oneway, ring, .datatype = DATATYPE_FLOAT, .bytes = 8},
        {barrier, .datatype = DATATYPE_FLOAT},
        {barrier, .datatype = DATATYPE_FLOAT, .timing = TIMING_STREAMING},
    };
    struct plan plan = {.points = points, .count = COUNT(points)};
    struct config config = {.max_time = 1, .order = ORDER_SHUFFLED};
    struct hand_made made;

    (void)state;
    expect(&plan, &config, make_roster(&made, 2),
           "Plan: 13 points, 3 ranks on 2 hosts, in shuffled order\n"
           "  all-reduce, float, sum, isolated, out-of-place:\n    64 8 1.5M\n"
           "  all-reduce, float, max, isolated, out-of-place:\n    8\n"
           "  all-reduce, int8, sum, isolated, out-of-place:\n    8\n"
           "  all-reduce, float, sum, isolated, in-place:\n    8\n"
           "  all-reduce, float, sum, streaming, out-of-place:\n    8\n"
           "  broadcast, float, isolated:\n    16 32\n"
           "  one-way bandwidth, pair, float, isolated:\n    8\n"
           "  one-way bandwidth, ring, float, isolated:\n    8\n"
           "  barrier, isolated: no sizes\n"
           "  barrier, streaming: no sizes\n"
           "Buffers:\n"
           "  host host0: 1 rank, 1.0 MiB of 512 MiB available\n"
           "  host host1: 2 ranks, 2.0 MiB of 512 MiB available\n"
           "Time: at most about 16 s, where six blocks of each point fit into "
           "--max-time\n");
}

static struct plan one_point(struct point *point)
{
    *point = (struct point){.operation = operation_find("barrier")};
    return (struct plan){.points = point, .count = 1};
}

static void test_memory_and_time(void **state)
{
    struct hand_made made;
    struct point point;
    struct plan plan = one_point(&point);
    struct config config = {.iterations = 100, .max_time = 1};

    (void)state;
    make_roster(&made, 1);
    made.need[0] = 3 * 1024 * MIB;
    expect(&plan, &config, &made.roster,
           "Plan: 1 point, 1 rank on 1 host\n"
           "  barrier, isolated: no sizes\n"
           "Buffers:\n"
           "  host host0: 1 rank, 3.0 GiB of 512 MiB available\n"
           "Time: not known beforehand, as --iterations sets 100 repetitions of each "
           "point\n");
    made.available[0] = UINT64_MAX;
    config.iterations = 0;
    config.max_time = 0.01;
    expect(&plan, &config, &made.roster,
           "Plan: 1 point, 1 rank on 1 host\n"
           "  barrier, isolated: no sizes\n"
           "Buffers:\n"
           "  host host0: 1 rank, 3.0 GiB of an unknown amount available\n"
           "Time: at most about 1 s, where six blocks of each point fit into "
           "--max-time\n");
}

/* The first 32 hosts, and how many more there are. */
static void test_hosts(void **state)
{
    static const struct {
        int nnodes;
        const char *last;
    } cases[] = {
        {31, "  host host30: 2 ranks, 31 MiB of 512 MiB available\nTime:"},
        {32, "  host host31: 2 ranks, 32 MiB of 512 MiB available\nTime:"},
        {33,
         "  host host31: 2 ranks, 32 MiB of 512 MiB available\n  and 1 more host\nTime:"},
        {40, "  host host31: 2 ranks, 32 MiB of 512 MiB available\n  and 8 more "
             "hosts\nTime:"},
    };
    struct config config = {.max_time = 1};
    struct point point;
    struct plan plan = one_point(&point);

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct hand_made made;
        char *text = print(&plan, &config, make_roster(&made, cases[i].nnodes));

        assert_non_null(strstr(text, cases[i].last));
        assert_null(strstr(text, "host32"));
        free(text);
    }
}

/* Long tables are wrapped; each size is there, once, in its order. */
static void test_wraps(void **state)
{
    struct point points[300];
    struct plan plan = {.points = points, .count = COUNT(points)};
    struct config config = {.max_time = 1};
    struct hand_made made;
    size_t seen = 0, lines = 0;
    char *text, *rest, *line;

    (void)state;
    for (size_t i = 0; i < COUNT(points); i++)
        points[i] = (struct point){
            .operation = operation_find("allreduce"),
            .bytes = 1000001 + 1000 * i,
        };
    text = print(&plan, &config, make_roster(&made, 2));
    rest = strstr(text, "out-of-place:\n");
    assert_non_null(rest);
    strtok_r(rest, "\n", &rest);
    while ((line = strtok_r(rest, "\n", &rest)) && strcmp(line, "Buffers:") != 0) {
        assert_in_range(strlen(line), 1, 80);
        assert_memory_equal(line, "    ", 4);
        for (char *word; (word = strtok_r(line, " ", &line)); seen++)
            assert_int_equal(strtoull(word, NULL, 10), 1000001 + 1000 * seen);
        lines++;
    }
    assert_int_equal(seen, COUNT(points));
    assert_in_range(lines, 300 * 8 / 76, 300 * 8 / 70);
    free(text);
}

/* The time grows with the number of points, not with its square: this takes a tenth of a
 * second, or a quarter of a minute. */
static void test_many_points(void **state)
{
    enum { EACH = 3000, SECONDS_MOST = 5 };
    static struct point points[EACH * DATATYPE_COUNT * OP_COUNT];
    struct plan plan = {.points = points, .count = COUNT(points)};
    struct config config = {.max_time = 1};
    struct hand_made made;
    clock_t start = clock();
    size_t tables = 0;
    char *text;

    (void)state;
    for (size_t i = 0; i < COUNT(points); i++)
        points[i] = (struct point){
            .operation = operation_find("allreduce"),
            .datatype = (enum datatype_id)(i / EACH / OP_COUNT),
            .op = (enum op_id)(i / EACH % OP_COUNT),
            .bytes = 1 + i % EACH,
        };
    text = print(&plan, &config, make_roster(&made, 2));
    for (const char *at = text; (at = strstr(at, "all-reduce, ")); at++)
        tables++;
    free(text);
    assert_int_equal(tables, DATATYPE_COUNT * OP_COUNT);
    assert_true((clock() - start) / CLOCKS_PER_SEC < SECONDS_MOST);
}

static void test_no_room(void **state)
{
    static const int buffers[] = {_IOFBF, _IONBF};
    struct config config = {.max_time = 1};
    struct point point;
    struct plan plan = one_point(&point);
    struct hand_made made;

    (void)state;
    for (size_t i = 0; i < COUNT(buffers); i++) {
        struct err err = {0};
        FILE *to = fopen("/dev/full", "w");

        if (!to)
            skip();
        setvbuf(to, NULL, buffers[i], BUFSIZ);
        assert_int_equal(dry_run_print(&plan, &config, make_roster(&made, 2), to, &err),
                         -1);
        fclose(to);
        assert_int_equal(err.code, EXIT_CODE_FAILURE);
        assert_string_equal(err.text, "standard output: No space left on device");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables),      cmocka_unit_test(test_memory_and_time),
        cmocka_unit_test(test_hosts),       cmocka_unit_test(test_wraps),
        cmocka_unit_test(test_many_points), cmocka_unit_test(test_no_room),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
