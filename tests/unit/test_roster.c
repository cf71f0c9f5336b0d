/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "memory.h"
#include "roster.h"
#include "units.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define GIB          (UINT64_C(1) << 30)

/* Two hosts: ranks 0, 2 and 3 on the first, 1 on the second. */
enum { RANKS = 4, NODES = 2 };

struct hand_made {
    struct roster roster;
    int node[RANKS], ranks[NODES];
    char hosts[NODES][WORLD_HOST_TEXT];
    uint64_t need[NODES], available[NODES];
};

static const struct roster *make(struct hand_made *made, uint64_t need_first,
                                 uint64_t available_first, uint64_t need_second,
                                 uint64_t available_second)
{
    *made = (struct hand_made){
        .node = {0, 1, 0, 0},
        .ranks = {3, 1},
        .hosts = {"alpha", "beta"},
        .need = {need_first, need_second},
        .available = {available_first, available_second},
    };
    made->roster = (struct roster){
        .nranks = RANKS,
        .nnodes = NODES,
        .node = made->node,
        .hosts = made->hosts,
        .ranks = made->ranks,
        .need = made->need,
        .available = made->available,
    };
    return &made->roster;
}

static void test_hosts(void **state)
{
    struct hand_made made;
    const struct roster *roster = make(&made, 1, 1, 1, 1);

    (void)state;
    assert_string_equal(roster_host(roster, -1), "");
    assert_string_equal(roster_host(roster, RANKS), "");
    assert_string_equal(roster_host(roster, 0), "alpha");
    assert_string_equal(roster_host(roster, 1), "beta");
    assert_string_equal(roster_host(roster, 3), "alpha");
}

static const struct {
    uint64_t need[NODES], available[NODES];
    const char *text; /* NULL: it suffices */
} checks[] = {
    {{12 * GIB, GIB},
     {12 * GIB - 1, GIB},
     "host alpha: 3 ranks need 12 GiB of buffers, 12 GiB of memory are available: choose "
     "sizes up to 512M, or fewer ranks per host"},
    {{GIB, 4 * GIB},
     {64 * GIB, 3 * GIB},
     "host beta: 1 ranks need 4.0 GiB of buffers, 3.0 GiB of memory are available: "
     "choose "
     "sizes up to 512M, or fewer ranks per host"},
    {{12 * GIB, 12 * GIB},
     {3 * GIB, GIB},
     "host alpha: 3 ranks need 12 GiB of buffers, 3.0 GiB of memory are available: "
     "choose "
     "sizes up to 256M, or fewer ranks per host"},

    {{12 * GIB, GIB}, {12 * GIB, GIB}, NULL},
    {{0, 0}, {0, 0}, NULL},
    {{UINT64_MAX - 1, GIB}, {UINT64_MAX, UINT64_MAX}, NULL}, /* unknown */
};

static void test_memory(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(checks); i++) {
        struct hand_made made;
        struct err err = {0};
        const struct roster *roster =
            make(&made, checks[i].need[0], checks[i].available[0], checks[i].need[1],
                 checks[i].available[1]);
        int rc = roster_check_memory(roster, GIB, &err);

        assert_int_equal(rc, checks[i].text ? -1 : 0);
        assert_int_equal(err.code, checks[i].text ? EXIT_CODE_USAGE : 0);
        if (checks[i].text)
            assert_string_equal(err.text, checks[i].text);
    }
}

/* The size that a message proposes: the largest power of two that is not refused when
 * buffers grow with the size. */
static void check_proposal(uint64_t largest, uint64_t per_byte, uint64_t available)
{
    struct hand_made made;
    struct err err = {0};
    uint64_t fits = 0;
    char typed[UNITS_TEXT];
    const char *at;

    make(&made, largest * per_byte, available, 0, 0);
    if (roster_check_memory(&made.roster, largest, &err) == 0) {
        assert_in_range(largest * per_byte, 0, available);
        return;
    }
    at = strstr(err.text, "sizes up to ");
    assert_non_null(at);
    assert_int_equal(sscanf(at, "sizes up to %31[^,],", typed), 1);
    assert_int_equal(units_parse_bytes(typed, &fits, &err), 0);
    assert_int_equal(fits & (fits - 1), 0);
    assert_in_range(fits * per_byte, per_byte, available);
    assert_in_range(2 * fits * per_byte, available + 1, UINT64_MAX);
}

static void test_proposals_fit(void **state)
{
    (void)state;
    for (uint64_t largest = 1 << 20; largest <= UINT64_C(1) << 50; largest *= 4)
        for (uint64_t per_byte = 1; per_byte <= 4096; per_byte += 91)
            for (uint64_t available = GIB; available <= 4096 * GIB; available *= 3)
                check_proposal(largest + (per_byte % 2) * 12345, per_byte, available);
}

/* A rank of many, played alone: what rank 0 gathers is what the others gave before. */
struct script {
    struct world world;
    char mine[RANKS][256];
    size_t bytes;
    bool fails;
};

static int script_gather(struct world *world, const void *mine, size_t bytes, void *all,
                         struct err *err)
{
    struct script *script = world->state;

    assert_in_range(bytes, 1, sizeof script->mine[0]);
    if (script->fails)
        return err_set(err, EXIT_CODE_FAILURE, "gather: scripted");
    memcpy(script->mine[world->rank], mine, bytes);
    assert_int_equal(all != NULL, world->rank == 0);
    for (int rank = 0; all && rank < world->nranks; rank++)
        memcpy((char *)all + (size_t)rank * bytes, script->mine[rank], bytes);
    return 0;
}

static int script_max(struct world *world, struct world_max *values, size_t count,
                      struct err *err)
{
    (void)err;
    for (size_t i = 0; i < count; i++)
        values[i].rank = world->rank;
    return 0;
}

static int script_bcast(struct world *world, void *data, size_t bytes, int root,
                        struct err *err)
{
    (void)world;
    (void)data;
    (void)bytes;
    (void)root;
    (void)err;
    return 0;
}

static const struct world_ops script_ops = {
    .gather = script_gather, .max = script_max, .bcast = script_bcast};

/* need: 100 bytes times a power of ten of each rank. */
static int play(struct script *script, int rank, int node, struct roster *roster,
                struct err *err)
{
    static const uint64_t needs[RANKS] = {100, 1000, 10000, 100000};

    script->world = (struct world){
        .rank = rank,
        .nranks = RANKS,
        .node = node,
        .nnodes = NODES,
        .ops = &script_ops,
        .state = script,
    };
    snprintf(script->world.host, sizeof script->world.host, "host%d", node);
    memset(roster, 0x55, sizeof *roster);
    return roster_gather(roster, &script->world, needs[rank], err);
}

static void test_gather_of_many(void **state)
{
    static const int nodes[RANKS] = {1, 0, 1, 0};
    struct script script = {.fails = false};
    struct roster roster;
    struct err err = {0};

    (void)state;
    for (int rank = RANKS - 1; rank > 0; rank--) {
        assert_int_equal(play(&script, rank, nodes[rank], &roster, &err), 0);
        assert_int_equal(roster.nranks, 0); /* filled at rank 0 alone */
        roster_free(&roster);
    }
    assert_int_equal(play(&script, 0, nodes[0], &roster, &err), 0);
    assert_int_equal(roster.nranks, RANKS);
    assert_int_equal(roster.nnodes, NODES);
    for (int rank = 0; rank < RANKS; rank++) {
        assert_int_equal(roster.node[rank], nodes[rank]);
        assert_string_equal(roster_host(&roster, rank), nodes[rank] ? "host1" : "host0");
    }
    assert_int_equal(roster.ranks[0], 2);
    assert_int_equal(roster.ranks[1], 2);
    assert_int_equal(roster.need[0], 101000);
    assert_int_equal(roster.need[1], 10100);
    assert_in_range(roster.available[0], 1 << 20, UINT64_MAX);
    assert_in_range(roster.available[1], 1 << 20, UINT64_MAX);
    roster_free(&roster);
    assert_null(roster.hosts);
    assert_int_equal(roster.nranks, 0);
}

static void test_gather_that_fails(void **state)
{
    struct script script = {.fails = true};
    struct roster roster;
    struct err err = {0};

    (void)state;
    assert_int_equal(play(&script, 0, 0, &roster, &err), -1);
    assert_string_equal(err.text, "gather: scripted");
    roster_free(&roster);
    assert_int_equal(play(&script, 1, 0, &roster, &err), -1);
    roster_free(&roster);
}

static void test_gather_of_one(void **state)
{
    struct world world;
    struct roster roster;
    struct err err = {0};

    (void)state;
    world_open_single(&world);
    assert_true(strlen(world.host) > 0);
    assert_int_equal(roster_gather(&roster, &world, 12345, &err), 0);
    assert_int_equal(roster.nranks, 1);
    assert_int_equal(roster.nnodes, 1);
    assert_int_equal(roster.ranks[0], 1);
    assert_int_equal(roster.need[0], 12345);
    assert_string_equal(roster_host(&roster, 0), world.host);
    assert_int_equal(roster_check_memory(&roster, 12345, &err), 0);
    roster_free(&roster);
    /* No machine has it. */
    assert_int_equal(roster_gather(&roster, &world, UINT64_MAX / 2, &err), 0);
    assert_int_equal(roster_check_memory(&roster, UINT64_MAX / 2, &err), -1);
    assert_non_null(strstr(err.text, world.host));
    roster_free(&roster);
}

static uint64_t mem_available(void)
{
    unsigned long long kib = 0;
    char line[256];
    FILE *file = fopen("/proc/meminfo", "r");

    assert_non_null(file);
    while (fgets(line, sizeof line, file) && kib == 0)
        if (sscanf(line, "MemAvailable: %llu kB", &kib) != 1)
            kib = 0;
    fclose(file);
    return kib * 1024;
}

/* No more than the kernel says, but for what others take and free meanwhile; a control
 * group can make it less. Tests do not run where this little is left. */
static void test_memory_available(void **state)
{
    const uint64_t mib = 1 << 20;
    uint64_t before = mem_available(), available = memory_available();
    uint64_t after = mem_available();

    (void)state;
    assert_in_range(available, 64 * mib, (before > after ? before : after) + 256 * mib);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hosts),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_proposals_fit),
        cmocka_unit_test(test_gather_of_many),
        cmocka_unit_test(test_gather_that_fails),
        cmocka_unit_test(test_gather_of_one),
        cmocka_unit_test(test_memory_available),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
