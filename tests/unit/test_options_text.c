/* SPDX-License-Identifier: BSD-3-Clause */
/* What is written from the table: the echo, --help and the man page. */
#include <stdio.h>

#include "options_fixture.h"

/* The echo, as the arguments that it claims to be. */
struct echo {
    size_t count;
    char args[ARGS_MOST][2000];
};

static void echo_add(void *context, const struct option *row, const char *value)
{
    struct echo *echo = context;
    char *arg = echo->args[echo->count];

    assert_non_null(value);
    assert_in_range(echo->count, 0, ARGS_MOST - 1);
    if (row->type != OPTION_FLAG)
        snprintf(arg, sizeof echo->args[0], "--%s=%s", row->name, value);
    else if (strcmp(value, "true") == 0)
        snprintf(arg, sizeof echo->args[0], "--%s", row->name);
    else
        assert_string_equal(value, "false");
    echo->count += arg[0] != '\0';
}

static void test_echo(void **state)
{
    static const char *const args[] = {"-b1048576",
                                       "-s1024,1536,786432",
                                       "-t90s",
                                       "-dint8,double",
                                       "--format=csv",
                                       "-Oa file",
                                       "-q",
                                       "--share=0.1",
                                       NULL};
    /* not --limit, which has no value within its range */
    static const char *const expected[] = {"--min-bytes=1M",
                                           "--factor=2",
                                           "--sizes=1K,1536,768K",
                                           "--time=90",
                                           "--share=0.1",
                                           "--format=csv",
                                           "--datatype=int8,double",
                                           "--output=a file",
                                           "--depth=4",
                                           "--a-name-that-is-rather-long=0",
                                           "--quick"};
    struct fixture fixture;
    struct echo echo = {0};

    (void)state;
    fixture_init(&fixture, NULL);
    assert_int_equal(fixture_parse(&fixture, args), 0);
    options_echo(fixture.sets, 2, echo_add, &echo);
    assert_int_equal(echo.count, COUNT(expected));
    for (size_t i = 0; i < COUNT(expected); i++)
        assert_string_equal(echo.args[i], expected[i]);
}

static void test_echo_of_defaults(void **state)
{
    static const char *const expected[] = {
        "--min-bytes=8", "--factor=2",
        "--time=0.5",    "--share=2.5",
        "--format=text", "--datatype=float",
        "--depth=4",     "--a-name-that-is-rather-long=0"};
    struct fixture fixture;
    struct echo echo = {0};

    (void)state;
    fixture_init(&fixture, NULL);
    options_echo(fixture.sets, 2, echo_add, &echo);
    assert_int_equal(echo.count, COUNT(expected));
    for (size_t i = 0; i < COUNT(expected); i++)
        assert_string_equal(echo.args[i], expected[i]);
}

static uint64_t random_next(uint64_t *random)
{
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    return *random;
}

/* Any size in the range, round ones as well. */
static uint64_t random_bytes(uint64_t *random, unsigned bits)
{
    uint64_t shift = random_next(random) % bits;

    return (random_next(random) >> (64 - bits)) >>
           shift << random_next(random) % (shift + 1);
}

/* Seconds in [0, 3600], down to the smallest double. */
static double random_seconds(uint64_t *random)
{
    double seconds = (double)random_next(random) / 18446744073709551616.0 * 3600;

    for (uint64_t i = random_next(random) % 4; i > 0 && seconds > 0; i--)
        seconds /= 1e100;
    return seconds;
}

/* A real in [0, 100], down to the smallest double. */
static double random_real(uint64_t *random)
{
    return random_seconds(random) / 36;
}

static void random_settings(uint64_t *random, struct settings *settings)
{
    static const char *const outputs[] = {NULL,     "a",     "-",     "-x",
                                          "--help", "a=b c", "\n\xff"};

    settings->min_bytes = random_bytes(random, 64);
    settings->factor = 2 + random_bytes(random, 63);
    settings->limit = random_next(random) % 2 ? 2048 + random_bytes(random, 29) : 0;
    settings->sizes.count = random_next(random) % (SIZE_LIST_MOST + 1);
    for (size_t i = 0; i < settings->sizes.count; i++)
        settings->sizes.bytes[i] = 1 + random_bytes(random, 20);
    settings->time = random_seconds(random);
    settings->share = random_real(random);
    settings->format = (int)(random_next(random) % 3);
    settings->types = 1 + random_next(random) % 15;
    settings->output = outputs[random_next(random) % COUNT(outputs)];
    settings->help = random_next(random) % 2;
    settings->version = random_next(random) % 2;
}

/* Whatever the settings are, parsing their echo gives them again. */
static void test_echo_parses_back(void **state)
{
    uint64_t random = UINT64_C(88172645463325252);

    (void)state;
    for (int i = 0; i < 2000; i++) {
        struct fixture fixture, back;
        struct echo echo = {0};
        const char *args[ARGS_MOST + 1] = {NULL};

        fixture_init(&fixture, NULL);
        fixture_init(&back, NULL);
        random_settings(&random, &fixture.settings);
        fixture.extra.depth = random_next(&random) % 65;
        fixture.extra.anything = random_next(&random);
        options_echo(fixture.sets, 2, echo_add, &echo);
        for (size_t j = 0; j < echo.count; j++)
            args[j] = echo.args[j];
        if (fixture_parse(&back, args))
            fail_msg("%s", back.err.text);
        if (fixture.settings.output) {
            assert_string_equal(back.settings.output, fixture.settings.output);
            back.settings.output = fixture.settings.output;
        }
        assert_memory_equal(&back.settings, &fixture.settings, sizeof back.settings);
        assert_memory_equal(&back.extra, &fixture.extra, sizeof back.extra);
    }
}

/* Reads what a function of the table wrote. */
static char *written(void (*write)(const struct option_set *sets, size_t nsets,
                                   const struct option_default *overrides, FILE *to),
                     const struct option_default *overrides, char *text, size_t size)
{
    struct fixture fixture;
    FILE *file = tmpfile();
    size_t length;

    fixture_init(&fixture, overrides);
    assert_non_null(file);
    write(fixture.sets, 2, overrides, file);
    rewind(file);
    length = fread(text, 1, size - 1, file);
    text[length] = '\0';
    fclose(file);
    return text;
}

static void test_help(void **state)
{
    static const struct option_default overrides[] = {{"factor", "4"}, {NULL, NULL}};
    static const char expected[] =
        "Sizes:\n"
        "  -b, --min-bytes BYTES     first size (default 8)\n"
        "  -f, --factor N            each size is N times the one before (default 4; 2 "
        "or\n"
        "                            more)\n"
        "  -s, --sizes BYTES,...     these sizes alone (1 to 1M)\n"
        "  -d, --datatype TYPE,...   types of the elements (default float; choices: "
        "int8,\n"
        "                            uint8, float, double)\n"
        "      --a-name-that-is-rather-long VALUE\n"
        "                            anything\n"
        "\n"
        "Other:\n"
        "      --limit BYTES         no more than this (2K to 1G)\n"
        "  -t, --time SECONDS        how long each point is measured, which is a "
        "sentence\n"
        "                            that takes more than one line, and goes on for a\n"
        "                            while until two are full (default 500ms; 1h or "
        "less)\n"
        "      --share PERCENT       of the whole (default 2.5; 0 to 100)\n"
        "      --format FORMAT       of standard output (default text; choices: text,\n"
        "                            csv, jsonl)\n"
        "  -O, --output FILE         where results go\n"
        "  -h, --help                print this text\n"
        "  -V, --version             print versions\n"
        "\n"
        "Backend:\n"
        "  -D, --depth N             of the queue (default 4; 64 or less)\n"
        "\n"
        "Options:\n"
        "  -q, --quick               hurry\n";
    char text[8192];

    (void)state;
    assert_string_equal(written(options_help, overrides, text, sizeof text), expected);
}

/* Two blanks at least, or the text starts on a line of its own. */
static void test_help_columns(void **state)
{
    static const struct option names[] = {
        {.name = "eighteen-letters-x", .text = "text"},
        {.name = "nineteen-letters-xx", .text = "text"}};
    static const char expected[] = "Options:\n"
                                   "      --eighteen-letters-x  text\n"
                                   "      --nineteen-letters-xx\n"
                                   "                            text\n";
    struct option_set set = {names, COUNT(names), NULL};
    FILE *file = tmpfile();
    char text[1000];
    size_t length;

    (void)state;
    assert_non_null(file);
    options_help(&set, 1, NULL, file);
    rewind(file);
    length = fread(text, 1, sizeof text - 1, file);
    text[length] = '\0';
    fclose(file);
    assert_string_equal(text, expected);
}

static void test_man(void **state)
{
    static const char start[] = ".SS Sizes\n"
                                ".TP\n"
                                "\\fB\\-b\\fR, \\fB\\-\\-min\\-bytes\\fR \\fIBYTES\\fR\n"
                                "first size (default 8)\n"
                                ".TP\n";
    static const char end[] = ".SS Options\n"
                              ".TP\n"
                              "\\fB\\-q\\fR, \\fB\\-\\-quick\\fR\n"
                              "hurry\n";
    char text[8192];
    size_t length;

    (void)state;
    length = strlen(written(options_man, NULL, text, sizeof text));
    assert_memory_equal(text, start, sizeof start - 1);
    assert_in_range(length, sizeof end, sizeof text - 2);
    assert_string_equal(text + length - (sizeof end - 1), end);
    assert_non_null(strstr(text,
                           "\n.TP\n\\fB\\-\\-a\\-name\\-that\\-is\\-rather\\-long\\fR "
                           "\\fIVALUE\\fR\nanything\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_echo),
        cmocka_unit_test(test_echo_of_defaults),
        cmocka_unit_test(test_echo_parses_back),
        cmocka_unit_test(test_help),
        cmocka_unit_test(test_help_columns),
        cmocka_unit_test(test_man),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
