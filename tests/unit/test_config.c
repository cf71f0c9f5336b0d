/* SPDX-License-Identifier: BSD-3-Clause */
/* The rows of config_options.c and of the backends of this build. How rows are parsed is
 * in test_options.c. */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "backends/backend.h"
#include "config.h"
#include "datatypes.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { SETS_MOST = 8, LINES_MOST = 64, LINE_TEXT = 512 };

/* All sets of this build, with values of their own. */
struct tables {
    struct config config;
    struct option_set sets[SETS_MOST];
    size_t nsets;
    void *settings[SETS_MOST];
};

static void tables_open(struct tables *tables)
{
    const struct backend_type *type;
    struct err err = {0};

    memset(tables, 0, sizeof *tables);
    memset(&tables->config, 0x55, sizeof tables->config);
    tables->sets[0] =
        (struct option_set){config_options, config_options_count, &tables->config};
    tables->sets[1] = (struct option_set){
        config_collective_options, config_collective_options_count, &tables->config};
    tables->sets[2] = (struct option_set){config_p2p_options, config_p2p_options_count,
                                          &tables->config};
    tables->nsets = 3;
    for (size_t i = 0; (type = backend_type_get(i)); i++) {
        tables->settings[i] = calloc(1, type->settings_bytes + 1);
        tables->sets[tables->nsets++] =
            (struct option_set){type->options, type->noptions, tables->settings[i]};
    }
    if (options_defaults(tables->sets, tables->nsets, NULL, &err) != 0)
        fail_msg("%s", err.text);
}

static void tables_close(struct tables *tables)
{
    for (size_t i = 0; i < SETS_MOST; i++)
        free(tables->settings[i]);
}

/* Row number index over all sets. */
static const struct option *row_at(const struct tables *tables, size_t index)
{
    for (size_t i = 0; i < tables->nsets; i++) {
        if (index < tables->sets[i].count)
            return &tables->sets[i].rows[index];
        index -= tables->sets[i].count;
    }
    return NULL;
}

/* words: arguments, with spaces. They stay valid until the next call. */
static int parse(struct tables *tables, const char *words, struct err *err)
{
    static char copy[1024];
    char *argv[LINES_MOST] = {"program"};
    int argc = 1;

    assert_in_range(snprintf(copy, sizeof copy, "%s", words), 0, sizeof copy - 1);
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
        argv[argc++] = word;
    memset(err, 0, sizeof *err);
    return options_parse(tables->sets, tables->nsets, argc, argv, err);
}

static const struct {
    const char *words, *part; /* NULL: accepted */
} checks[] = {
    {"-b 16 -e 8", "--min-bytes (16) is above --max-bytes (8)"},
    {"-b 1T", "--max-bytes (67108864)"},
    {"--max-time 0", "--iterations"},
    {"--max-time 0 -n 0", "--iterations"},
    {"--max-time 0 --min-iterations 50", "--iterations"},
    {"--min-iterations 100001",
     "--min-iterations (100001) is above --max-iterations (100000)"},
    {"--max-iterations 19", "--min-iterations (20) is above --max-iterations (19)"},

    {"", NULL},
    {"-b 8 -e 8", NULL},
    {"-b 16 -e 8 -s 4", NULL},
    {"--max-time 0 -n 1", NULL},
    {"--max-time 1us", NULL},
    {"--min-iterations 50 --max-iterations 50", NULL},
    {"--min-iterations 1 --max-iterations 6 --precision 0", NULL},
};

static void test_check(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(checks); i++) {
        struct tables tables;
        struct err err;
        int rc;

        tables_open(&tables);
        if (parse(&tables, checks[i].words, &err) != 0)
            fail_msg("%s", err.text);
        rc = config_check(&tables.config, &err);
        assert_int_equal(rc, checks[i].part ? -1 : 0);
        assert_int_equal(err.code, checks[i].part ? EXIT_CODE_USAGE : 0);
        if (checks[i].part && !strstr(err.text, checks[i].part))
            fail_msg("'%s' does not say '%s'", err.text, checks[i].part);
        tables_close(&tables);
    }
}

static const char *const out_of_range[] = {
    "-b 0",
    "-b 1025T",
    "-e 0",
    "-e 1025T",
    "-f 0",
    "-f 1",
    "-f 8193",
    "-i 1025T",
    "-s 0",
    "-s 8,1025T",
    "-n 100000001",
    "-w 100000001",
    "--max-time 169h",
    "--precision=-0.1",
    "--precision 100.5",
    "--precision 2%",
    "--min-iterations 0",
    "--min-iterations 100000001",
    "--max-iterations 5", /* too few for an interval */
    "--max-iterations 100000001",
    "--cache hot",
    "--order sorted",
    "--placement in",
    "--root=-1",
    "-r 100000001",
    "--progress",
    "--progress yes",
    "--window 65537",
    "-d none",
    "-o avg",
    "--backend nccl",
    "-t both",
    "-c maybe",
    "--format xml",
    "--transfer allreduce",
    "-p star",
    "--seed -1",
};

static void test_ranges(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(out_of_range); i++) {
        struct tables tables;
        struct err err;

        tables_open(&tables);
        if (parse(&tables, out_of_range[i], &err) == 0)
            fail_msg("accepted: %s", out_of_range[i]);
        assert_int_equal(err.code, EXIT_CODE_USAGE);
        tables_close(&tables);
    }
}

/* What a run does that was given nothing. */
static void test_defaults(void **state)
{
    struct tables tables;
    const struct config *config = &tables.config;

    (void)state;
    tables_open(&tables);
    assert_int_equal(config->min_bytes, 8);
    assert_int_equal(config->max_bytes, 64 << 20);
    assert_int_equal(config->factor, 2);
    assert_int_equal(config->step, 0);
    assert_int_equal(config->sizes.count, 0);
    assert_int_equal(config->datatypes, 1 << DATATYPE_FLOAT);
    assert_int_equal(config->ops, 1 << OP_SUM);
    assert_int_equal(config->placements, 1 << PLACEMENT_OUT_OF_PLACE);
    assert_int_equal(config->root, 0);
    assert_int_equal(config->timings, 1 << TIMING_ISOLATED);
    assert_int_equal(config->iterations, 0);
    assert_int_equal(config->warmup, 5);
    assert_true(config->max_time == 1);
    assert_true(config->precision == 2);
    assert_int_equal(config->min_iterations, 20);
    assert_int_equal(config->max_iterations, 100000);
    assert_int_equal(config->cache, CACHE_WARM);
    assert_int_equal(config->order, ORDER_AS_LISTED);
    assert_int_equal(config->check, CHECK_FULL);
    assert_int_equal(config->seed, 1);
    assert_int_equal(config->backend, 0);
    assert_null(config->output);
    assert_int_equal(config->format, FORMAT_TEXT);
    assert_null(config->columns);
    assert_int_equal(config->progress, PROGRESS_AUTO);
    assert_false(config->dry_run || config->allow_single || config->list ||
                 config->version || config->help);
    assert_int_equal(config->transfers, 7);
    assert_int_equal(config->patterns, 1);
    assert_int_equal(config->window, 0);
    tables_close(&tables);
}

/* Each row's default can be typed, and typing it changes nothing. */
static void test_defaults_parse(void **state)
{
    const struct option *row;
    struct tables tables;
    size_t typed = 0;

    (void)state;
    tables_open(&tables);
    for (size_t i = 0; (row = row_at(&tables, i)); i++) {
        char words[LINE_TEXT];
        struct config before;
        struct err err;

        if (!row->otherwise)
            continue;
        memcpy(&before, &tables.config, sizeof before); /* what is between members, too */
        snprintf(words, sizeof words, "--%s=%s", row->name, row->otherwise);
        if (parse(&tables, words, &err) != 0)
            fail_msg("%s", err.text);
        assert_memory_equal(&tables.config, &before, sizeof before);
        typed++;
    }
    assert_in_range(typed, 10, 1000);
    tables_close(&tables);
}

static void test_rows_can_be_told_apart(void **state)
{
    const struct option *row, *other;
    struct tables tables;

    (void)state;
    tables_open(&tables);
    for (size_t i = 0; (row = row_at(&tables, i)); i++)
        for (size_t j = 0; j < i && (other = row_at(&tables, j)); j++) {
            if (strcmp(row->name, other->name) == 0)
                fail_msg("--%s stands twice", row->name);
            if (row->letter && row->letter == other->letter)
                fail_msg("--%s and --%s are both -%c", row->name, other->name,
                         row->letter);
        }
    tables_close(&tables);
}

/* What help and man page rely on. */
static void test_rows_are_described(void **state)
{
    const struct option *row;
    struct tables tables;

    (void)state;
    tables_open(&tables);
    for (size_t i = 0; (row = row_at(&tables, i)); i++) {
        size_t length = strlen(row->text);

        assert_in_range(length, 10, 1000);
        if (row->text[length - 1] == '.')
            fail_msg("--%s: its text ends with a full stop", row->name);
        assert_true(islower((unsigned char)row->text[0]));
        assert_true(strlen(row->section) > 0);
        if ((row->unit == NULL) != (row->type == OPTION_FLAG))
            fail_msg("--%s: a unit for values, and for values alone", row->name);
        for (const char *at = row->unit; at && *at; at++)
            assert_true(isupper((unsigned char)*at));
    }
    tables_close(&tables);
}

static const struct {
    const char *(*name)(size_t index);
    size_t count;
} names[] = {
    {timing_name, TIMING_COUNT},       {format_name, FORMAT_JSONL + 1},
    {check_name, CHECK_NONE + 1},      {cache_name, CACHE_COLD + 1},
    {order_name, ORDER_SHUFFLED + 1},  {progress_name, PROGRESS_OFF + 1},
    {placement_name, PLACEMENT_COUNT}, {transfer_name, 3},
};

static void test_names(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(names); i++) {
        for (size_t j = 0; j < names[i].count; j++) {
            assert_non_null(names[i].name(j));
            for (size_t k = 0; k < j; k++)
                assert_string_not_equal(names[i].name(j), names[i].name(k));
        }
        assert_null(names[i].name(names[i].count));
    }
    assert_string_equal(timing_name(TIMING_STREAMING), "streaming");
    assert_string_equal(format_name(FORMAT_CSV), "csv");
    assert_string_equal(check_name(CHECK_NONE), "none");
    assert_string_equal(cache_name(CACHE_COLD), "cold");
    assert_string_equal(order_name(ORDER_SHUFFLED), "shuffled");
    assert_string_equal(progress_name(PROGRESS_OFF), "off");
    assert_string_equal(placement_name(PLACEMENT_IN_PLACE), "in-place");
    assert_string_equal(transfer_name(0), "pingpong");
    assert_string_equal(transfer_name(2), "twoway");
}

/* The echo, as arguments. */
struct lines {
    size_t count;
    char at[LINES_MOST][LINE_TEXT];
};

static void line_add(void *context, const struct option *row, const char *value)
{
    struct lines *lines = context;
    bool flag = row->type == OPTION_FLAG;

    if (flag && strcmp(value, "true") != 0) {
        assert_string_equal(value, "false");
        return;
    }
    snprintf(lines->at[lines->count++], LINE_TEXT, "--%s%s%s", row->name, flag ? "" : "=",
             flag ? "" : value);
}

static const char *const echoes[] = {
    "",
    "-b 1 -e 1024T -f 8192 -i 1000001 -n 100000000 -w 0",
    "-s 1,3,1K,1.5G,1000000,1024T -d all -o all -t all",
    "-d int8,double -o max,prod -t streaming -c none --seed 18446744073709551615",
    "--max-time 0.1 -O file=with=signs.jsonl --format csv --backend local",
    "--max-time 1us --output=-x --format jsonl",
    "--precision 0 --min-iterations 1 --max-iterations 6 --cache cold --order shuffled",
    "--precision 0.1 --max-iterations 100000000 --placement all -r 100000000",
    "--precision 33.333333333333336 --placement in-place --columns bytes,algbw_GBps",
    "--progress off --dry-run",
    "--max-time 168h --allow-single --list -V -h",
    "--transfer oneway,twoway -p all --window 65536",
    "--transfer pingpong -p ring --window 1 --max-time 3.14159265358979us",
};

/* The same words in different memory: *text becomes expected, for comparing the rest. */
static void same_text(const char **text, const char *expected)
{
    assert_int_equal(!*text, !expected);
    if (expected)
        assert_string_equal(*text, expected);
    *text = expected;
}

/* What the echo says makes the same configuration again. */
static void check_echo(const char *words)
{
    static struct lines lines;
    struct tables first, second;
    char *argv[LINES_MOST + 1] = {"program"};
    struct err err;

    tables_open(&first);
    tables_open(&second);
    if (parse(&first, words, &err) != 0)
        fail_msg("%s", err.text);
    lines.count = 0;
    options_echo(first.sets, first.nsets, line_add, &lines);
    for (size_t i = 0; i < lines.count; i++)
        argv[i + 1] = lines.at[i];
    if (options_parse(second.sets, second.nsets, (int)lines.count + 1, argv, &err) != 0)
        fail_msg("%s", err.text);
    same_text(&second.config.output, first.config.output);
    same_text(&second.config.columns, first.config.columns);
    assert_memory_equal(&first.config, &second.config, sizeof first.config);
    tables_close(&first);
    tables_close(&second);
}

static void test_echo_parses_back(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(echoes); i++)
        check_echo(echoes[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_check),
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_defaults_parse),
        cmocka_unit_test(test_rows_can_be_told_apart),
        cmocka_unit_test(test_rows_are_described),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_echo_parses_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
