/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "autoconf.h"
#include "backends/backend.h"
#include "config.h"
#include "datatypes.h"
#include "help.h"
#include "operations.h"
#include "patterns.h"
#include "record.h"
#include "revision.h"
#include "topology.h"
#include "world.h"

enum { TEXT_MOST = 65536 };

/* Its text is full of what roff takes for its own. */
static const struct option_default defaults[] = {{"min-bytes", "4K"}, {NULL, NULL}};
static const struct program program = {
    .name = "rackmark-trial",
    .summary = "a trial - of 'help'",
    .what =
        ".first word. Sends a\\nb and `c' to \"d\"^2, ~e.\n\n'second paragraph, of more "
        "words than there is place for on one line of a terminal",
    .defaults = defaults,
    .examples =
        (const char *const[]){"mpirun -np 4 rackmark-trial -b '8'", ".of what it does",
                              "rackmark-trial --list", "what there is", NULL},
};

static const struct program bare_programs[] = {
    {.name = "rackmark-p2p", .summary = "bare", .what = "Nothing more."},
    {.name = "rackmark-p2p",
     .summary = "bare",
     .what = "Nothing more.",
     .examples = (const char *const[]){NULL}},
};

/* The tables of all programs, as rackmark-p2p has them. */
static struct config config;
static const struct option_set *all_sets(void)
{
    static struct option_set sets[2];

    sets[0] = (struct option_set){config_options, config_options_count, &config};
    sets[1] = (struct option_set){config_p2p_options, config_p2p_options_count, &config};
    return sets;
}

/* Reads what print wrote for a program. */
static const char *written(void (*print)(const struct program *program, FILE *to),
                           const struct program *of)
{
    static char text[TEXT_MOST];
    FILE *file = tmpfile();
    size_t length;

    assert_non_null(file);
    print(of, file);
    rewind(file);
    length = fread(text, 1, sizeof text - 1, file);
    text[length] = '\0';
    fclose(file);
    assert_in_range(length, 1, sizeof text - 2);
    return text;
}

static void print_help(const struct program *of, FILE *to)
{
    help_print(of, all_sets(), 2, to);
}

static void print_man(const struct program *of, FILE *to)
{
    help_man(of, all_sets(), 2, to);
}

static void print_list(const struct program *of, FILE *to)
{
    (void)of;
    help_list(to);
}

static void assert_contains(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("'%s' is missing in: %s", part, text);
}

/* The parts, ended by NULL, stand in the text in this order. */
static void assert_in_order(const char *text, const char *const *parts)
{
    for (; *parts; parts++) {
        const char *found = strstr(text, *parts);

        if (!found)
            fail_msg("'%s' is missing in: %s", *parts, text);
        else
            text = found + strlen(*parts);
    }
}

static void test_help_order(void **state)
{
    static const char *const parts[] = {
        "Usage: mpirun -np RANKS rackmark-trial [OPTION]...\n\n.first word.",
        "~e.\n\n'second paragraph",
        "\n\nSizes:\n  -b, --min-bytes BYTES     ",
        "(default 4K",
        "\n\nExamples:\n  mpirun -np 4 rackmark-trial -b '8'\n      .of what it does\n"
        "  rackmark-trial --list\n      what there is\n",
        "\nExit codes:\n  0  ",
        "\n  7  ",
        "\n\nManual: man rackmark-trial, ",
        NULL};

    (void)state;
    assert_in_order(written(print_help, &program), parts);
}

static void test_help_fits_a_terminal(void **state)
{
    const char *text = written(print_help, &program);

    (void)state;
    while (*text) {
        size_t length = strcspn(text, "\n");

        if (length > 80)
            fail_msg("%zu columns: %.*s", length, (int)length, text);
        assert_true(length == 0 || text[length - 1] != ' ');
        text += length + (text[length] == '\n');
    }
}

/* Each option of each table, with its letter and text. */
static void test_help_has_every_option(void **state)
{
    const char *text = written(print_help, &program);

    (void)state;
    for (size_t i = 0; i < 2; i++)
        for (size_t j = 0; j < all_sets()[i].count; j++) {
            const struct option *row = &all_sets()[i].rows[j];
            char line[100], word[20];

            sscanf(row->text, "%19s", word);
            snprintf(line, sizeof line, "\n  %c%c%c --%s", row->letter ? '-' : ' ',
                     row->letter ? row->letter : ' ', row->letter ? ',' : ' ', row->name);
            assert_contains(text, line);
            assert_contains(strstr(text, line), word);
        }
}

static void test_without_examples(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bare_programs / sizeof *bare_programs; i++) {
        const char *text = written(print_help, &bare_programs[i]);

        assert_null(strstr(text, "Examples"));
        assert_contains(text, "Exit codes:\n");
        text = written(print_man, &bare_programs[i]);
        assert_null(strstr(text, "EXAMPLES"));
        assert_contains(text, "EXIT STATUS\n");
    }
}

static void test_help_exit_codes(void **state)
{
    const char *text = written(print_help, &program);

    (void)state;
    for (int code = 0; code <= EXIT_CODE_CEILING; code++) {
        char line[100];

        snprintf(line, sizeof line, "\n  %d  %s\n", code, exit_code_text(code));
        assert_contains(text, line);
    }
}

static void test_man_source(void **state)
{
    static const char *const parts[] = {".TH RACKMARK\\-TRIAL 1 ",
                                        "\n.SH NAME\nrackmark\\-trial \\- a trial",
                                        "\n.SH SYNOPSIS\n",
                                        "\n.SH DESCRIPTION\n\\&.first",
                                        "\n.PP\n\\(aqsecond",
                                        "\n.SH OPTIONS\n.SS Sizes\n.TP\n",
                                        "(default 4K",
                                        "\n.SH EXAMPLES\n.TP\n",
                                        "\n\\&.of what it does\n",
                                        "\n.SH OUTPUT\n",
                                        "\n.SH EXIT STATUS\n",
                                        "\n.SH SEE ALSO\n",
                                        NULL};

    (void)state;
    assert_in_order(written(print_man, &program), parts);
}

/* Key, column and text of each field. Of the text, what has nothing to escape. */
static void test_man_fields(void **state)
{
    const char *text = strstr(written(print_man, &program), "\n.SH OUTPUT\n");

    (void)state;
    for (size_t i = 0; i < record_fields_count; i++) {
        const struct field *field = &record_fields[i];
        char line[200], column[100];

        snprintf(line, sizeof line, "\n.TP\n\\fB%s\\fR\n%.*s", field->key,
                 (int)strcspn(field->text, "-'\"`^~\\"), field->text);
        snprintf(column, sizeof column, "\n(column \\fB%s\\fR%s%s)\n.",
                 field->title ? field->title : "", field->unit ? ", in " : "",
                 field->unit ? field->unit : "");
        assert_contains(text, line);
        text = strstr(text, line) + 1;
        if (field->title)
            assert_contains(text, column);
    }
}

/* A page does not point at itself. */
static void test_man_see_also(void **state)
{
    const char *text = written(print_man, &bare_programs[0]);

    (void)state;
    text = strstr(text, ".SH SEE ALSO");
    assert_non_null(text);
    assert_contains(text, "rackmark\\-allreduce\\fR(1)");
    assert_contains(text, "rackmark\\-allgather\\fR(1)");
    assert_contains(text, "mpirun\\fR(1)\n");
    assert_null(strstr(text, "p2p"));
}

/* What a command says about the man page. output: where its standard output goes, if
 * not here like what it says on standard error. */
static const char *page_through(const char *command, const char *output)
{
    static char text[TEXT_MOST];
    char path[] = "/tmp/test_help.XXXXXX", line[200];
    int file = mkstemp(path);
    FILE *page = fdopen(file, "w"), *pipe;
    size_t length;

    assert_non_null(page);
    print_man(&program, page);
    fclose(page);
    snprintf(line, sizeof line, "%s %s 2>&1 %s </dev/null", command, path, output);
    pipe = popen(line, "r");
    assert_non_null(pipe);
    length = fread(text, 1, sizeof text - 1, pipe);
    text[length] = '\0';
    assert_int_equal(pclose(pipe), 0);
    unlink(path);
    return text;
}

static int has_program(const char *command)
{
    return system(command) == 0;
}

static void test_man_has_no_warnings(void **state)
{
    (void)state;
    if (!has_program("command -v groff >/dev/null 2>&1"))
        skip();
    assert_string_equal(page_through("groff -man -ww -z", ""), "");
}

static void test_man_is_accepted_by_man(void **state)
{
    (void)state;
    if (!has_program("man --version >/dev/null 2>&1"))
        skip();
    assert_string_equal(
        page_through("env LC_ALL=C.UTF-8 man --warnings -l -Tutf8", ">/dev/null"), "");
}

/* What a reader sees: nothing is lost on the way, nothing is turned into another sign. */
static void test_man_as_shown(void **state)
{
    static const char *const parts[] = {
        "RACKMARK-TRIAL(1)",
        "rackmark-trial - a trial - of 'help'",
        ".first word. Sends a\\nb and `c' to \"d\"^2, ~e.",
        "'second paragraph, of more words",
        "-b, --min-bytes BYTES",
        "mpirun -np 4 rackmark-trial -b '8'",
        ".of what it does",
        NULL};
    const char *text;

    (void)state;
    if (!has_program("command -v groff >/dev/null 2>&1"))
        skip();
    text = page_through("groff -man -Tascii -P-cbou", "");
    assert_in_order(text, parts);
    for (size_t i = 0; i < 2; i++)
        for (size_t j = 0; j < all_sets()[i].count; j++) {
            char name[60];

            snprintf(name, sizeof name, "--%s", all_sets()[i].rows[j].name);
            assert_contains(text, name);
        }
    for (size_t i = 0; i < record_fields_count; i++)
        assert_contains(strstr(text, "\nOUTPUT\n"), record_fields[i].key);
    for (int code = 0; code <= EXIT_CODE_CEILING; code++)
        assert_contains(strstr(text, "\nEXIT STATUS\n"), exit_code_text(code));
}

/* name stands first on a line of the part of the list that begins with heading. */
static void assert_listed(const char *list, const char *heading, const char *name)
{
    char line[100];
    const char *start = strstr(list, heading), *end, *found;

    if (!start)
        fail_msg("no '%s' in: %s", heading, list);
    end = start ? strstr(start, "\n\n") : NULL;
    snprintf(line, sizeof line, "\n  %s", name);
    found = start ? strstr(start, line) : NULL;
    if (!found || (end && found > end))
        fail_msg("'%s' is missing under '%s' in: %s", name, heading, list);
}

static void test_list(void **state)
{
    const char *list = written(print_list, NULL);

    (void)state;
    for (size_t i = 0; operation_get(i); i++)
        assert_listed(list, "Operations:", operation_get(i)->name);
    for (size_t i = 0; pattern_get(i); i++)
        assert_listed(list, "Patterns", pattern_get(i)->name);
    for (size_t i = 0; datatype_name(i); i++)
        assert_listed(list, "Types", datatype_name(i));
    for (size_t i = 0; op_name(i); i++)
        assert_listed(list, "Reductions:", op_name(i));
    for (size_t i = 0; backend_type_get(i); i++)
        assert_listed(list, "Backends:", backend_type_get(i)->name);
    for (size_t i = 0; backend_missing(i); i++)
        assert_listed(list, "Backends that this build lacks:", backend_missing(i));
    assert_contains(list, operation_get(0)->title);
    assert_contains(list, pattern_get(0)->text);
    assert_contains(list, backend_type_get(0)->text);
    assert_contains(list, "\n  int8         1 byte\n");
    assert_contains(list, "\n  double       8 bytes\n");
}

static void test_version(void **state)
{
    char first[200], line[200];
    const char *text = written(help_version, &program);

    (void)state;
    snprintf(first, sizeof first, "rackmark-trial " PACKAGE_VERSION "%s%s%s\n",
             *rackmark_revision() ? " (git " : "", rackmark_revision(),
             *rackmark_revision() ? ")" : "");
    assert_memory_equal(text, first, strlen(first));
    snprintf(line, sizeof line, "ranks meet through: %s\n", world_library());
    assert_contains(text, line);
    snprintf(line, sizeof line, "topology: %s\n", topology_library());
    assert_contains(text, line);
    assert_contains(text, "JSON: jansson 2.");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_help_order),
        cmocka_unit_test(test_help_fits_a_terminal),
        cmocka_unit_test(test_help_has_every_option),
        cmocka_unit_test(test_without_examples),
        cmocka_unit_test(test_help_exit_codes),
        cmocka_unit_test(test_man_source),
        cmocka_unit_test(test_man_fields),
        cmocka_unit_test(test_man_see_also),
        cmocka_unit_test(test_man_has_no_warnings),
        cmocka_unit_test(test_man_is_accepted_by_man),
        cmocka_unit_test(test_man_as_shown),
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_version),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
