/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "backends/backend.h"
#include "operations.h"
#include "patterns.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { RANKS_MOST = 64 };

/* assert_float_equal compares floats. */
static void assert_near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-12))
        fail_msg("%.17g is not %.17g", value, expected);
}

static void test_names_are_unique(void **state)
{
    const struct operation *row, *other;
    const struct pattern *pattern, *next;

    (void)state;
    for (size_t i = 0; (row = operation_get(i)); i++) {
        assert_true(strlen(row->name) > 0 && strlen(row->title) > 0);
        assert_ptr_equal(operation_find(row->name), row);
        for (size_t j = 0; j < i && (other = operation_get(j)); j++)
            assert_string_not_equal(row->name, other->name);
    }
    for (size_t i = 0; (pattern = pattern_get(i)); i++) {
        assert_string_equal(pattern_name(i), pattern->name);
        assert_true(strlen(pattern->text) > 0);
        for (size_t j = 0; j < i && (next = pattern_get(j)); j++)
            assert_string_not_equal(pattern->name, next->name);
    }
}

static void test_the_ends_of_the_tables(void **state)
{
    static const char *const strangers[] = {"", "all", "allreduc", "allreduce ",
                                            "AllReduce"};
    size_t operations = 0, patterns = 0;

    (void)state;
    for (size_t i = 0; i < COUNT(strangers); i++)
        assert_null(operation_find(strangers[i]));
    while (operation_get(operations))
        operations++;
    while (pattern_get(patterns))
        patterns++;
    assert_in_range(operations, 5, 100);
    assert_in_range(patterns, 2, 100);
    assert_null(operation_get(operations + 1));
    assert_null(pattern_name(patterns));
}

/* Steps in which every rank passes one block to the next until all have all blocks. */
static int ring_steps(int nranks)
{
    bool has[RANKS_MOST][RANKS_MOST] = {{false}};
    int steps = 0, missing = nranks * (nranks - 1);

    for (int rank = 0; rank < nranks; rank++)
        has[rank][rank] = true;
    for (; missing > 0; steps++)
        for (int rank = 0; rank < nranks; rank++) {
            bool *next = &has[(rank + 1) % nranks][(rank + nranks - steps) % nranks];

            missing -= !*next;
            *next = true;
        }
    return steps;
}

/* Blocks that a rank gives to others, each straight to the rank that it is for, when all
 * have one for each. */
static int blocks_given(int nranks)
{
    int given = 0;

    for (int to = 0; to < nranks; to++)
        given += to != nranks / 2;
    return given;
}

/* What moves through each rank's link per direction, in vectors. A ring moves a block a
 * step: (steps / n) of the vector for an all-gather, as much for a reduce-scatter, which
 * is the same backwards, and both for an all-reduce. All-to-all moves every block but a
 * rank's own. */
static void test_busbw_of_collectives(void **state)
{
    const struct operation *allreduce = operation_find("allreduce");
    const struct operation *allgather = operation_find("allgather");
    const struct operation *reducescatter = operation_find("reducescatter");
    const struct operation *alltoall = operation_find("alltoall");

    (void)state;
    for (int n = 2; n <= RANKS_MOST; n++) {
        double once = (double)ring_steps(n) / n;

        assert_near(allgather->busbw_factor(n), once);
        assert_near(reducescatter->busbw_factor(n), once);
        assert_near(allreduce->busbw_factor(n), 2 * once);
        assert_near(alltoall->busbw_factor(n), (double)blocks_given(n) / n);
        /* Each receiver gets the whole vector once. */
        assert_near(operation_find("broadcast")->busbw_factor(n), 1);
    }
    assert_near(allreduce->busbw_factor(2), 1);
    assert_near(allreduce->busbw_factor(8), 1.75);
    assert_near(allreduce->busbw_factor(72), 142.0 / 72);
    assert_near(allgather->busbw_factor(2), 0.5);
    assert_near(allgather->busbw_factor(72), 71.0 / 72);
    assert_near(reducescatter->busbw_factor(72), 71.0 / 72);
    assert_near(alltoall->busbw_factor(72), 71.0 / 72);
}

/* The vector counts once. A barrier moves nothing that could be counted, and one rank
 * alone uses no bus. */
static void test_algbw_of_collectives(void **state)
{
    const struct operation *row;

    (void)state;
    for (size_t i = 0; (row = operation_get(i)); i++) {
        assert_true(isnan(row->busbw_factor(1)));
        if (operation_is_p2p(row))
            continue;
        assert_near(row->time_factor, 1);
        if (operation_moves_data(row))
            assert_near(row->data_factor, 1);
        else
            assert_true(isnan(row->data_factor));
    }
}

/* What the columns say, in other words: who gives and who gets, "v" a vector, "b" a
 * block of one, "-" nothing; first everyone, then the root. */
static const struct {
    const char *name, *moves, *properties;
} collectives[] = {
    {"allreduce", "vv", "in-place reduces"},
    {"allgather", "bv", "in-place splits"},
    {"reducescatter", "vb", "in-place splits reduces"},
    {"alltoall", "vv", "in-place splits"},
    {"broadcast", "-v v-", "rooted"},
    {"barrier", "--", ""},
};

static char letter_of(enum share share)
{
    static const char letters[] = {
        [SHARE_NONE] = '-',
        [SHARE_BLOCK] = 'b',
        [SHARE_VECTOR] = 'v',
    };

    assert_in_range(share, 0, sizeof letters - 1);
    return letters[share];
}

static void check_row(const struct operation *row, const char *moves,
                      const char *properties)
{
    assert_int_equal(letter_of(row->send), moves[0]);
    assert_int_equal(letter_of(row->recv), moves[1]);
    assert_int_equal(letter_of(row->root_send), row->rooted ? moves[3] : '-');
    assert_int_equal(letter_of(row->root_recv), row->rooted ? moves[4] : '-');
    assert_int_equal(row->rooted, !!strstr(properties, "rooted"));
    assert_int_equal(row->in_place, !!strstr(properties, "in-place"));
    assert_int_equal(row->splits, !!strstr(properties, "splits"));
    assert_int_equal(row->reduces, !!strstr(properties, "reduces"));
    assert_false(row->two_way || row->single);
    assert_int_equal(operation_moves_data(row), strcspn(moves, "bv") < strlen(moves));
    assert_int_equal(operation_moves_data(row), !!row->origin);
}

static void test_columns_of_collectives(void **state)
{
    const struct operation *row;
    size_t seen = 0;

    (void)state;
    for (size_t i = 0; i < COUNT(collectives); i++) {
        row = operation_find(collectives[i].name);
        assert_non_null(row);
        check_row(row, collectives[i].moves, collectives[i].properties);
    }
    for (size_t i = 0; (row = operation_get(i)); i++)
        seen += !operation_is_p2p(row);
    assert_int_equal(seen, COUNT(collectives));
}

static const struct {
    const char *name;
    double data, time, bus;
} p2p_factors[] = {
    {"pingpong", 1, 0.5, 1}, /* half of a round trip */
    {"oneway", 1, 1, 1},
    {"twoway", 2, 1, 0.5}, /* both directions; the bus figure is one of them */
};

static void test_factors_of_point_to_point(void **state)
{
    const struct operation *row;
    size_t seen = 0;

    (void)state;
    for (size_t i = 0; i < COUNT(p2p_factors); i++) {
        row = operation_find(p2p_factors[i].name);
        assert_non_null(row);
        assert_near(row->data_factor, p2p_factors[i].data);
        assert_near(row->time_factor, p2p_factors[i].time);
        for (int n = 2; n <= RANKS_MOST; n++)
            assert_near(row->busbw_factor(n), p2p_factors[i].bus);
    }
    for (size_t i = 0; (row = operation_get(i)); i++)
        seen += operation_is_p2p(row);
    assert_int_equal(seen, COUNT(p2p_factors));
}

/* How often rank a sends to rank b, and b receives from a. */
struct traffic {
    int sent[RANKS_MOST][RANKS_MOST], received[RANKS_MOST][RANKS_MOST];
    bool starts[RANKS_MOST];
};

static void traffic_of(struct traffic *traffic, const struct pattern *pattern, int nranks,
                       bool two_way)
{
    memset(traffic, 0, sizeof *traffic);
    for (int rank = 0; rank < nranks; rank++) {
        struct peers peers;

        memset(&peers, 0x55, sizeof peers); /* the row sets all of it */
        pattern->peers(rank, nranks, two_way, &peers);
        assert_in_range(peers.nsend, 0, PEERS_MOST);
        assert_in_range(peers.nrecv, 0, PEERS_MOST);
        for (int i = 0; i < peers.nsend; i++) {
            assert_in_range(peers.send_to[i], 0, nranks - 1);
            assert_int_not_equal(peers.send_to[i], rank);
            traffic->sent[rank][peers.send_to[i]]++;
        }
        for (int i = 0; i < peers.nrecv; i++) {
            assert_in_range(peers.recv_from[i], 0, nranks - 1);
            traffic->received[peers.recv_from[i]][rank]++;
        }
        traffic->starts[rank] = peers.starts;
    }
}

static void check_pairs(const struct traffic *traffic, const struct pattern *pattern,
                        int nranks)
{
    for (int a = 0; a < nranks; a++) {
        int partners = 0;

        for (int b = 0; b < nranks; b++) {
            partners += traffic->sent[a][b];
            if (traffic->sent[a][b] > 0 && pattern->pairs)
                assert_int_equal(traffic->starts[a] + traffic->starts[b], 1);
        }
        if (pattern->pairs)
            assert_in_range(partners, 0, 1);
    }
}

static void check_pattern(const struct pattern *pattern, int nranks)
{
    static struct traffic one, two;
    int messages = 0;

    traffic_of(&one, pattern, nranks, false);
    traffic_of(&two, pattern, nranks, true);
    for (int a = 0; a < nranks; a++)
        for (int b = 0; b < nranks; b++) {
            assert_int_equal(one.sent[a][b], one.received[a][b]);
            assert_int_equal(two.sent[a][b], two.received[a][b]);
            assert_int_equal(two.sent[a][b], one.sent[a][b] + one.sent[b][a]);
            messages += one.sent[a][b];
        }
    assert_in_range(messages, 1, nranks);
    check_pairs(&two, pattern, nranks);
}

static void test_patterns(void **state)
{
    const struct pattern *pattern;

    (void)state;
    for (size_t i = 0; (pattern = pattern_get(i)); i++) {
        assert_in_range(pattern->min_ranks, 2, RANKS_MOST);
        for (int n = pattern->min_ranks; n <= RANKS_MOST; n++)
            check_pattern(pattern, n);
    }
}

/* Who a rank talks to, written out. */
static const struct {
    const char *pattern;
    int rank, nranks;
    bool two_way;
    struct peers peers;
} talks[] = {
    {"pair", 0, 5, false, {1, 0, {1}, {0}, true}},
    {"pair", 1, 5, false, {0, 1, {0}, {0}, false}},
    {"pair", 4, 5, true, {0, 0, {0}, {0}, false}},
    {"pair", 1, 2, true, {1, 1, {0}, {0}, false}},
    {"ring", 4, 5, false, {1, 1, {0}, {3}, false}},
    {"ring", 0, 5, true, {2, 2, {1, 4}, {4, 1}, false}},
    {"ring", 1, 2, true, {2, 2, {0, 0}, {0, 0}, false}},
};

static const struct pattern *pattern_named(const char *name)
{
    const struct pattern *pattern;

    for (size_t i = 0; (pattern = pattern_get(i)); i++)
        if (strcmp(pattern->name, name) == 0)
            return pattern;
    fail_msg("no pattern %s", name);
    return NULL;
}

static void test_who_talks_to_whom(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(talks); i++) {
        struct peers peers;

        pattern_named(talks[i].pattern)
            ->peers(talks[i].rank, talks[i].nranks, talks[i].two_way, &peers);
        assert_int_equal(peers.nsend, talks[i].peers.nsend);
        assert_int_equal(peers.nrecv, talks[i].peers.nrecv);
        assert_int_equal(peers.starts, talks[i].peers.starts);
        for (int p = 0; p < peers.nsend; p++)
            assert_int_equal(peers.send_to[p], talks[i].peers.send_to[p]);
        for (int p = 0; p < peers.nrecv; p++)
            assert_int_equal(peers.recv_from[p], talks[i].peers.recv_from[p]);
    }
}

static void test_backends_offer_rows(void **state)
{
    const struct backend_type *type;
    const struct operation *row;
    size_t backends = 0;

    (void)state;
    for (; (type = backend_type_get(backends)); backends++) {
        assert_non_null(type->operations[0].name);
        for (size_t i = 0; type->operations[i].name; i++) {
            if (!operation_find(type->operations[i].name))
                fail_msg("%s offers an unknown %s", type->name, type->operations[i].name);
            assert_ptr_equal(backend_find(type, type->operations[i].name),
                             type->operations[i].run);
        }
        assert_null(backend_find(type, "nothing"));
        /* MPI has all that there is. */
        for (size_t i = 0; strcmp(type->name, "mpi") == 0 && (row = operation_get(i));
             i++)
            if (!backend_find(type, row->name))
                fail_msg("mpi does not offer %s", row->name);
    }
    assert_in_range(backends, 1, 100);
    assert_string_equal(backend_type_get(backends - 1)->name, "local");
}

/* A backend is in this build or said to be missing, with the reason; never both. */
static void test_backends_that_are_missing(void **state)
{
    static const char *const known[] = {"mpi", "nccl", "verbs"};
    const char *why;
    size_t missing = 0, present = 0;

    (void)state;
    for (; (why = backend_missing(missing)); missing++)
        assert_non_null(strchr(why, ':'));
    for (size_t i = 0; i < COUNT(known); i++) {
        const char *name;
        size_t told = 0, here = 0;

        for (size_t j = 0; (why = backend_missing(j)); j++)
            told += strncmp(why, known[i], strlen(known[i])) == 0;
        for (size_t j = 0; (name = backend_name(j)); j++)
            here += strcmp(name, known[i]) == 0;
        assert_int_equal(told + here, 1);
        present += here;
    }
    assert_int_equal(missing + present, COUNT(known));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_are_unique),
        cmocka_unit_test(test_the_ends_of_the_tables),
        cmocka_unit_test(test_busbw_of_collectives),
        cmocka_unit_test(test_algbw_of_collectives),
        cmocka_unit_test(test_columns_of_collectives),
        cmocka_unit_test(test_factors_of_point_to_point),
        cmocka_unit_test(test_patterns),
        cmocka_unit_test(test_who_talks_to_whom),
        cmocka_unit_test(test_backends_offer_rows),
        cmocka_unit_test(test_backends_that_are_missing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
