/* SPDX-License-Identifier: BSD-3-Clause */
/* Defaults, and tables that are wrong. */
#include <stdio.h>

#include "options_fixture.h"

/* "c0", "c1", ... */
static const char *numbered(size_t index, size_t count)
{
    static char names[65][24];

    if (index >= count)
        return NULL;
    snprintf(names[index], sizeof names[index], "c%zu", index);
    return names[index];
}

static const char *choices_64(size_t index)
{
    return numbered(index, 64);
}

static const char *choices_65(size_t index)
{
    return numbered(index, 65);
}

static const char *no_choices(size_t index)
{
    (void)index;
    return NULL;
}

static void test_defaults(void **state)
{
    static const char *const nothing[] = {NULL};
    struct fixture fixture;

    (void)state;
    fixture_init(&fixture, NULL);
    assert_int_equal(fixture_parse(&fixture, nothing), 0);
    assert_int_equal(fixture.settings.min_bytes, 8);
    assert_int_equal(fixture.settings.factor, 2);
    assert_int_equal(fixture.settings.limit, 0);
    assert_int_equal(fixture.settings.sizes.count, 0);
    assert_true(fixture.settings.time == 0.5);
    assert_true(fixture.settings.share == 2.5);
    assert_int_equal(fixture.settings.format, 0);
    assert_int_equal(fixture.settings.types, 1 << 2);
    assert_null(fixture.settings.output);
    assert_false(fixture.settings.help);
    assert_int_equal(fixture.extra.depth, 4);
    assert_false(fixture.extra.quick);
}

/* What was in the struct before does not shine through. */
static void test_defaults_overwrite_everything(void **state)
{
    struct fixture fixture, fresh;

    (void)state;
    fixture_init(&fresh, NULL);
    fixture_init(&fixture, NULL);
    memset(&fixture.settings.sizes, 0xff, sizeof fixture.settings.sizes);
    memset(&fixture.settings.help, 0xff, sizeof fixture.settings.help);
    fixture.settings.limit = fixture.settings.types = fixture.settings.factor = 99;
    fixture.settings.output = "old";
    fixture.settings.format = 2;
    fixture.settings.time = fixture.settings.share = 7;
    fixture.extra.quick = true;
    assert_int_equal(options_defaults(fixture.sets, 2, NULL, &fixture.err), 0);
    assert_memory_equal(&fixture.settings, &fresh.settings, sizeof fresh.settings);
    assert_memory_equal(&fixture.extra, &fresh.extra, sizeof fresh.extra);
}

/* Without a default the value is zero, all of it, and what is beside it stays. */
static void test_no_default_is_zero(void **state)
{
    static const size_t sizes[] = {
        [OPTION_FLAG] = sizeof(bool),         [OPTION_COUNT] = sizeof(uint64_t),
        [OPTION_BYTES] = sizeof(uint64_t),    [OPTION_SIZES] = sizeof(struct size_list),
        [OPTION_SECONDS] = sizeof(double),    [OPTION_REAL] = sizeof(double),
        [OPTION_CHOICE] = sizeof(int),        [OPTION_CHOICES] = sizeof(uint64_t),
        [OPTION_TEXT] = sizeof(const char *),
    };

    (void)state;
    for (size_t type = 0; type < COUNT(sizes); type++) {
        unsigned char value[sizeof(struct size_list) + 8];
        struct option row = {
            .name = "row", .type = (enum option_type)type, .choice = type_choice};
        struct option_set set = {&row, 1, value};
        struct err err = {0};

        memset(value, 0xff, sizeof value);
        assert_int_equal(options_defaults(&set, 1, NULL, &err), 0);
        for (size_t i = 0; i < sizeof value; i++)
            assert_int_equal(value[i], i < sizes[type] ? 0 : 0xff);
    }
}

static void test_overrides(void **state)
{
    static const struct option_default overrides[] = {
        {"min-bytes", "1M"}, {"depth", "7"}, {"sizes", "8,16"}, {NULL, NULL}};
    struct fixture fixture;

    (void)state;
    fixture_init(&fixture, overrides);
    assert_int_equal(fixture.settings.min_bytes, 1048576);
    assert_int_equal(fixture.extra.depth, 7);
    assert_int_equal(fixture.settings.sizes.count, 2);
    assert_int_equal(fixture.settings.sizes.bytes[1], 16);
    assert_int_equal(fixture.settings.factor, 2);
}

/* Tables that are wrong, each in one way, and what is said. */
static const struct {
    struct option rows[2];
    const char *override, *message;
} wrong_tables[] = {
    {{{.name = "a", .type = OPTION_FLAG}}, NULL, "--a: not a name"},
    {{{.name = "", .type = OPTION_FLAG}}, NULL, "--: not a name"},
    {{{.name = "a=b", .type = OPTION_FLAG}}, NULL, "--a=b: not a name"},
    {{{.name = "a23456789-123456789-123456789-123456789-12345678"}},
     NULL,
     "--a23456789-123456789-123456789-123456789-12345678: not a name"},
    {{{.name = "twice"}, {.name = "twice"}}, NULL, "--twice: the name is taken"},
    {{{.name = "one", .letter = 'o'}, {.name = "two", .letter = 'o'}},
     NULL,
     "--two: the letter is taken"},
    {{{.name = "one", .letter = '-'}}, NULL, "--one: not a letter"},
    {{{.name = "one", .letter = '1'}}, NULL, "--one: not a letter"},
    {{{.name = "flag", .otherwise = "true"}}, NULL, "--flag: a flag has no default"},
    {{{.name = "count", .type = OPTION_COUNT, .otherwise = "x"}},
     NULL,
     "--count: 'x' is not a whole number such as 100"},
    {{{.name = "count", .type = OPTION_COUNT, .otherwise = ""}},
     NULL,
     "--count: the value is empty"},
    {{{.name = "count", .type = OPTION_COUNT, .min = 2, .otherwise = "1"}},
     NULL,
     "--count: 1 is out of range (2 or more)"},
    {{{.name = "real", .type = OPTION_REAL, .min = 2, .otherwise = "1.5"}},
     NULL,
     "--real: 1.5 is out of range (2 or more)"},
    {{{.name = "real", .type = OPTION_REAL, .otherwise = "-1.5"}},
     NULL,
     "--real: -1.5 is out of range (0 or more)"},
    {{{.name = "choice", .type = OPTION_CHOICE}},
     NULL,
     "--choice: no choices, or too many"},
    {{{.name = "choice", .type = OPTION_CHOICES, .choice = no_choices}},
     NULL,
     "--choice: no choices, or too many"},
    {{{.name = "choice", .type = OPTION_CHOICES, .choice = choices_65}},
     NULL,
     "--choice: no choices, or too many"},
    {{{.name = "count", .type = OPTION_COUNT}}, "cuont", "no --cuont to override"},
    {{{.name = "count", .type = OPTION_COUNT}},
     "count",
     "--count: 'wrong' is not a whole number such as 100"},
    {{{.name = "flag"}}, "flag", "--flag: a flag has no default"},
};

static void test_wrong_tables(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(wrong_tables); i++) {
        union {
            struct size_list sizes;
            const char *text;
        } values;
        const struct option_default overrides[] = {{wrong_tables[i].override, "wrong"},
                                                   {NULL, NULL}};
        struct option_set set = {wrong_tables[i].rows,
                                 wrong_tables[i].rows[1].name ? 2 : 1, &values};
        struct err err = {0};
        char message[200];

        snprintf(message, sizeof message, "option table: %s", wrong_tables[i].message);
        assert_int_equal(options_defaults(&set, 1, overrides, &err), -1);
        assert_int_equal(err.code, EXIT_CODE_FAILURE);
        assert_string_equal(err.text, message);
    }
}

/* The letter of one set may not be that of another. */
static void test_wrong_tables_together(void **state)
{
    static const struct option other[] = {{.name = "brief", .letter = 'b'}};
    struct fixture fixture;
    bool brief;

    (void)state;
    fixture_init(&fixture, NULL);
    fixture.sets[1] = (struct option_set){other, 1, &brief};
    assert_int_equal(options_defaults(fixture.sets, 2, NULL, &fixture.err), -1);
    assert_string_equal(fixture.err.text, "option table: --brief: the letter is taken");
}

/* 64 choices fill all bits. */
static void test_most_choices(void **state)
{
    static const struct option row = {.name = "many",
                                      .letter = 'm',
                                      .type = OPTION_CHOICES,
                                      .otherwise = "all",
                                      .choice = choices_64};
    char *argv[] = {(char *)"program", (char *)"-mc63,c0", NULL};
    uint64_t bits = 0;
    struct option_set set = {&row, 1, &bits};
    struct err err;

    (void)state;
    assert_int_equal(options_defaults(&set, 1, NULL, &err), 0);
    assert_true(bits == UINT64_MAX);
    assert_int_equal(options_parse(&set, 1, 2, argv, &err), 0);
    assert_true(bits == (UINT64_C(1) << 63 | 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_defaults_overwrite_everything),
        cmocka_unit_test(test_no_default_is_zero),
        cmocka_unit_test(test_overrides),
        cmocka_unit_test(test_wrong_tables),
        cmocka_unit_test(test_wrong_tables_together),
        cmocka_unit_test(test_most_choices),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
