/* SPDX-License-Identifier: BSD-3-Clause */
#include "output_fixture.h"

#include "run_header.h"

static const char *library(void)
{
    return "Test MPI 1.2";
}

struct settings {
    uint64_t bytes;
    bool flag, other_flag;
};

static const struct option rows[] = {
    {.name = "bytes",
     .type = OPTION_BYTES,
     .offset = offsetof(struct settings, bytes),
     .otherwise = "1M",
     .text = "bytes"},
    {.name = "flag",
     .type = OPTION_FLAG,
     .offset = offsetof(struct settings, flag),
     .text = "flag"},
    {.name = "other-flag",
     .type = OPTION_FLAG,
     .offset = offsetof(struct settings, other_flag),
     .text = "flag"},
};

static const struct operation reducing = {.name = "allreduce", .reduces = true};
static const struct operation moving = {.name = "allgather"};
static const struct pattern ring = {.name = "ring"};

static const struct point first_point = {.operation = &reducing,
                                         .datatype = DATATYPE_FLOAT,
                                         .op = OP_SUM,
                                         .timing = TIMING_ISOLATED,
                                         .bytes = 1024,
                                         .window = 1};

/* What a run is made of, in one piece. */
struct facts {
    struct settings settings;
    struct option_set set;
    struct world world;
    struct backend_type backend;
    struct point points[2];
    struct plan plan;
    struct run_facts run;
};

static const char hosts[][WORLD_HOST_TEXT] = {"alpha", "b\xff"};
static const int ranks_per_node[] = {3, 1};

static void make_facts(struct facts *facts)
{
    *facts = (struct facts){
        .settings = {.bytes = 2048, .flag = true},
        .set = {.rows = rows, .count = COUNT(rows), .values = &facts->settings},
        .world = {.nranks = 4, .nnodes = 2},
        .backend = {.name = "test", .library = library},
        .points = {first_point, first_point},
        .plan = {.points = facts->points, .count = 1, .rounded = 3},
        .run = {.program = "rackmark-test",
                .world = &facts->world,
                .backend = &facts->backend,
                .plan = &facts->plan,
                .sets = &facts->set,
                .nsets = 1,
                .hosts = hosts,
                .ranks_per_node = ranks_per_node},
    };
}

static const char *text_of(const json_t *header, const char *object, const char *key)
{
    const json_t *in = object ? json_object_get(header, object) : header;

    return json_string_value(json_object_get(in, key));
}

static json_int_t whole_of(const json_t *header, const char *object, const char *key)
{
    return json_integer_value(json_object_get(json_object_get(header, object), key));
}

/* result_file.c knows its files by the first key. */
static void test_order_of_keys(void **state)
{
    static const char *const keys[] = {
        "kind",      "schema",      "run",    "program", "version",  "git",
        "start_utc", "backend",     "world",  "hosts",   "binding",  "config",
        "plan",      "environment", "system", "build",   "libraries"};
    struct facts facts;
    json_t *header, *value;
    const char *key;
    size_t at = 0;

    (void)state;
    make_facts(&facts);
    header = run_header_make(&facts.run);
    json_object_foreach(header, key, value)
    {
        if (strcmp(keys[at], "git") == 0 && strcmp(key, "git") != 0)
            at++; /* a tree without a revision has none */
        assert_true(at < COUNT(keys));
        assert_string_equal(key, keys[at++]);
    }
    assert_int_equal(at, COUNT(keys));
    json_decref(header);
}

/* Neighbours that are bound alike on the same host share an entry. */
static void test_binding(void **state)
{
    static const int node[] = {0, 0, 1, 1};
    static const struct binding binding[] = {
        {"0-1", 2, 1}, {"0-1", 2, 1}, {"0-1", 2, 1}, {"3", 1, 1}};
    static const struct {
        int first_rank, ranks;
        const char *cpus;
    } expected[] = {{0, 2, "0-1"}, {2, 1, "0-1"}, {3, 1, "3"}};
    struct facts facts;
    struct world world;
    json_t *header;

    (void)state;
    make_facts(&facts);
    world = *facts.run.world;
    world.nranks = 4;
    facts.run.world = &world;
    facts.run.node = node;
    facts.run.binding = binding;
    header = run_header_make(&facts.run);
    const json_t *bindings = json_object_get(header, "binding");
    assert_int_equal(json_array_size(bindings), COUNT(expected));
    for (size_t i = 0; i < COUNT(expected); i++) {
        const json_t *entry = json_array_get(bindings, i);

        assert_int_equal(json_integer_value(json_object_get(entry, "first_rank")),
                         expected[i].first_rank);
        assert_int_equal(json_integer_value(json_object_get(entry, "ranks")),
                         expected[i].ranks);
        assert_string_equal(json_string_value(json_object_get(entry, "cpus")),
                            expected[i].cpus);
        assert_non_null(json_string_value(json_object_get(entry, "host")));
    }
    json_decref(header);
}

static void test_content(void **state)
{
    struct facts facts;
    json_t *header, *config;

    (void)state;
    make_facts(&facts);
    header = run_header_make(&facts.run);
    config = json_object_get(header, "config");
    assert_string_equal(text_of(header, NULL, "kind"), "run");
    assert_int_equal(json_integer_value(json_object_get(header, "schema")),
                     RECORD_SCHEMA);
    assert_string_equal(text_of(header, NULL, "program"), "rackmark-test");
    assert_non_null(text_of(header, NULL, "version"));
    assert_string_equal(text_of(header, "backend", "name"), "test");
    assert_string_equal(text_of(header, "backend", "library"), "Test MPI 1.2");
    assert_non_null(text_of(header, "world", "library"));
    assert_int_equal(whole_of(header, "world", "ranks"), 4);
    assert_int_equal(whole_of(header, "world", "nodes"), 2);
    assert_string_equal(text_of(header, "config", "bytes"), "2K");
    assert_string_equal(text_of(header, "config", "flag"), "true");
    assert_int_equal(json_object_size(config), 2);
    assert_int_equal(whole_of(header, "plan", "points"), 1);
    assert_int_equal(whole_of(header, "plan", "rounded"), 3);
    assert_non_null(text_of(header, "system", "kernel"));
    assert_non_null(text_of(header, "build", "compiler"));
    assert_non_null(text_of(header, "libraries", "libc"));
    assert_non_null(text_of(header, "libraries", "topology"));
    json_decref(header);
}

static void test_hosts(void **state)
{
    struct facts facts;
    json_t *header, *list;
    char *text;

    (void)state;
    make_facts(&facts);
    header = run_header_make(&facts.run);
    list = json_object_get(header, "hosts");
    text = json_dumps(list, JSON_COMPACT);
    assert_string_equal(text, "[{\"host\":\"alpha\",\"ranks\":3},"
                              "{\"host\":\"b?\",\"ranks\":1}]");
    free(text);
    json_decref(header);
}

static void test_ids_differ(void **state)
{
    struct facts facts;
    json_t *first, *second;

    (void)state;
    make_facts(&facts);
    first = run_header_make(&facts.run);
    second = run_header_make(&facts.run);
    assert_int_equal(strlen(text_of(first, NULL, "run")), 32);
    assert_int_equal(strspn(text_of(first, NULL, "run"), "0123456789abcdef"), 32);
    assert_string_not_equal(text_of(first, NULL, "run"), text_of(second, NULL, "run"));
    json_decref(first);
    json_decref(second);
}

static void test_backend_without_library(void **state)
{
    struct facts facts;
    json_t *header;

    (void)state;
    make_facts(&facts);
    facts.backend.library = NULL;
    header = run_header_make(&facts.run);
    assert_string_equal(text_of(header, "backend", "name"), "test");
    assert_null(text_of(header, "backend", "library"));
    json_decref(header);
}

static void test_nothing_else_of_the_environment(void **state)
{
    struct facts facts;
    json_t *header;
    char *text;

    (void)state;
    setenv("NCCL_TEST_SETTING", "shown-value", 1);
    setenv("NCCL_TEST_TOKEN", "hidden-value", 1);
    setenv("SOMETHING_ELSE", "hidden-value", 1);
    make_facts(&facts);
    header = run_header_make(&facts.run);
    assert_string_equal(text_of(header, "environment", "NCCL_TEST_SETTING"),
                        "shown-value");
    text = json_dumps(header, 0);
    assert_null(strstr(text, "hidden-value"));
    free(text);
    json_decref(header);
}

static void hash_of(const struct plan *plan, char hash[17])
{
    struct facts facts;
    json_t *header;

    make_facts(&facts);
    facts.run.plan = plan;
    header = run_header_make(&facts.run);
    assert_int_equal(strlen(text_of(header, "plan", "hash")), 16);
    strcpy(hash, text_of(header, "plan", "hash"));
    json_decref(header);
}

/* FNV-1a of no bytes, and of the text of one point, worked out elsewhere. */
static void test_hash_values(void **state)
{
    struct point point = first_point;
    struct plan plan = {.points = &point, .count = 0};
    char hash[17];

    (void)state;
    hash_of(&plan, hash);
    assert_string_equal(hash, "cbf29ce484222325");
    plan.count = 1; /* "allreduce||float|sum|isolated|1024|1\n" */
    hash_of(&plan, hash);
    assert_string_equal(hash, "353e229949b890a8");
}

/* Each field of a point counts, and so does the order; the op only where one is used. */
static void test_hash_sees_every_field(void **state)
{
    struct point points[9];
    struct plan plan = {.count = 1};
    char hashes[COUNT(points)][17], again[17];

    (void)state;
    for (size_t i = 0; i < COUNT(points); i++)
        points[i] = first_point;
    points[1].operation = &moving;
    points[2].pattern = &ring;
    points[3].datatype = DATATYPE_INT8;
    points[4].op = OP_MAX;
    points[5].timing = TIMING_STREAMING;
    points[6].bytes = 2048;
    points[7].window = 2;
    points[8].bytes = 102;
    points[8].window = 41;
    for (size_t i = 0; i < COUNT(points); i++) {
        plan.points = &points[i];
        hash_of(&plan, hashes[i]);
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(hashes[i], hashes[j]);
        hash_of(&plan, again);
        assert_string_equal(hashes[i], again);
    }
    points[0] = points[1];
    points[0].op = OP_MAX;
    plan.points = &points[0];
    hash_of(&plan, again);
    assert_string_equal(hashes[1], again);
    plan = (struct plan){.points = &points[5], .count = 2};
    hash_of(&plan, hashes[0]);
    points[7] = points[5];
    plan.points = &points[6];
    hash_of(&plan, again);
    assert_string_not_equal(hashes[0], again);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_of_keys),
        cmocka_unit_test(test_binding),
        cmocka_unit_test(test_content),
        cmocka_unit_test(test_hosts),
        cmocka_unit_test(test_ids_differ),
        cmocka_unit_test(test_backend_without_library),
        cmocka_unit_test(test_nothing_else_of_the_environment),
        cmocka_unit_test(test_hash_values),
        cmocka_unit_test(test_hash_sees_every_field),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
