/* SPDX-License-Identifier: BSD-3-Clause */
#include "options_fixture.h"

#define SIZES_63                                                                         \
    "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,"           \
    "28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,"           \
    "52,53,54,55,56,57,58,59,60,61,62,63"

/* What is typed, and the whole message. */
static const struct {
    const char *args[5];
    const char *message;
} refused[] = {
    /* no operands */
    {{"x"}, "unexpected argument 'x'"},
    {{"--help", "3"}, "unexpected argument '3'"},
    {{"-b", "8", "16"}, "unexpected argument '16'"},
    {{""}, "unexpected argument ''"},
    {{"-"}, "unexpected argument '-'"},
    {{"--"}, "unexpected argument '--'"},
    {{"--", "x"}, "unexpected argument '--'"},
    {{"a\nb"}, "unexpected argument 'a?b'"},
    /* unknown names */
    {{"--min-byte", "8"}, "unknown option '--min-byte': did you mean --min-bytes?"},
    {{"--min-byte=8"}, "unknown option '--min-byte': did you mean --min-bytes?"},
    {{"--min_bytes=8"}, "unknown option '--min_bytes': did you mean --min-bytes?"},
    {{"--Help"}, "unknown option '--Help': did you mean --help?"},
    {{"--dpeth=3"}, "unknown option '--dpeth': did you mean --depth?"},
    {{"--min", "8"},
     "unknown option '--min': did you mean --min-bytes?"}, /* no abbreviation */
    {{"--frobnicate"}, "unknown option '--frobnicate': see --help"},
    {{"--frob\x1bnicate\xff"}, "unknown option '--frob?nicate?': see --help"},
    {{"--=8"}, "unknown option '--': see --help"},
    {{"---help"}, "unknown option '---help': did you mean --help?"},
    {{"--help "}, "unknown option '--help ': did you mean --help?"},
    {{"-x"}, "unknown option '-x': see --help"},
    {{"-5"}, "unknown option '-5': see --help"},
    {{"-hx"}, "unknown option '-x' in '-hx': see --help"},
    {{"-h3"}, "unknown option '-3' in '-h3': see --help"},
    {{"-h\xc3\xa9"}, "unknown option '-h\xc3\xa9': see --help"},
    {{"-\n"}, "unknown option '-?': see --help"},
    {{"-help"}, "unknown option '-help': did you mean --help?"},
    {{"-min-bytes", "8"}, "unknown option '-min-bytes': did you mean --min-bytes?"},
    {{"--xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx="
      "8"},
     "unknown option '--xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...': "
     "see --help"},
    /* no value, an empty one, or one too many */
    {{"--min-bytes"}, "--min-bytes: the value is missing"},
    {{"-b"}, "--min-bytes: the value is missing"},
    {{"-hb"}, "--min-bytes: the value is missing"},
    {{"--output", "--format", "csv"}, "--output: the value is missing before '--format'"},
    {{"-O", "-h"}, "--output: the value is missing before '-h'"},
    {{"--min-bytes="}, "--min-bytes: the value is empty"},
    {{"--min-bytes", ""}, "--min-bytes: the value is empty"},
    {{"-b", ""}, "--min-bytes: the value is empty"},
    {{"--output="}, "--output: the value is empty"},
    {{"--datatype="}, "--datatype: the value is empty"},
    {{"--sizes="}, "--sizes: the value is empty"},
    {{"--help=3"}, "--help: takes no value, but '3' was given"},
    {{"--help="}, "--help: takes no value, but '' was given"},
    {{"-h=3"}, "'-h=3': --help takes no value"},
    {{"-b=8"}, "'-b=8': write --min-bytes=VALUE"},
    {{"-hO=x"}, "'-hO=x': write --output=VALUE"},
    /* numbers */
    {{"--factor", "16X"}, "--factor: '16X' is not a whole number such as 100"},
    {{"--factor", "-5"}, "--factor: '-5' is not a whole number such as 100"},
    {{"--factor", "1e400"}, "--factor: '1e400' is not a whole number such as 100"},
    {{"--factor", "0x10"}, "--factor: '0x10' is not a whole number such as 100"},
    {{"--factor", " 8"}, "--factor: ' 8' is not a whole number such as 100"},
    {{"--factor", "8 "}, "--factor: '8 ' is not a whole number such as 100"},
    {{"--factor", "8\n"}, "--factor: '8?' is not a whole number such as 100"},
    {{"-f", "18446744073709551616"}, "--factor: '18446744073709551616' is too large"},
    {{"-b", "18446744073709551616"}, "--min-bytes: '18446744073709551616' is too large"},
    {{"-b16777216T"}, "--min-bytes: '16777216T' is too large"},
    {{"-b", "0.3K"}, "--min-bytes: '0.3K' is not a whole number of bytes"},
    {{"-b", "16KB"}, "--min-bytes: '16KB' is ambiguous: write K or KiB"},
    {{"--time", "1min"},
     "--time: '1min' is not a number of seconds, or one with us, ms, s, "
     "m or h, such as 1.5s"},
    {{"--share", "2%"}, "--share: '2%' is not a number such as 0.5"},
    {{"--share", "1s"}, "--share: '1s' is not a number such as 0.5"},
    {{"--share=nan"}, "--share: 'nan' is not a number such as 0.5"},
    {{"--share", "0x10"}, "--share: '0x10' is not a number such as 0.5"},
    {{"--share=1e400"}, "--share: '1e400' is too large"},
    {{"--share=1,5"}, "--share: '1,5' is not a number such as 0.5"},
    /* ranges */
    {{"--share=-1"}, "--share: -1 is out of range (0 to 100)"},
    {{"--share=100.0001"}, "--share: 100.0001 is out of range (0 to 100)"},
    {{"--factor", "1"}, "--factor: 1 is out of range (2 or more)"},
    {{"-f0"}, "--factor: 0 is out of range (2 or more)"},
    {{"--depth=65"}, "--depth: 65 is out of range (64 or less)"},
    {{"--limit", "1K"}, "--limit: 1K is out of range (2K to 1G)"},
    {{"--limit", "1073741825"}, "--limit: 1073741825 is out of range (2K to 1G)"},
    {{"-t", "61m"}, "--time: 61m is out of range (1h or less)"},
    {{"-t", "3600.0001"}, "--time: 3600.0001 is out of range (1h or less)"},
    {{"-s", "8,2M"}, "--sizes: 2M is out of range (1 to 1M)"},
    {{"-s", "0"}, "--sizes: 0 is out of range (1 to 1M)"},
    /* lists */
    {{"-s", "8,,16"}, "--sizes: '8,,16' has an empty element"},
    {{"-s", "8,"}, "--sizes: '8,' has an empty element"},
    {{"-s", ","}, "--sizes: ',' has an empty element"},
    {{"-s", ",8"}, "--sizes: ',8' has an empty element"},
    {{"-s", "8, 16"},
     "--sizes: ' 16' is not a whole number of bytes, or a number with K, "
     "M, G or T, such as 16M"},
    {{"-s", SIZES_63 ",64,65"}, "--sizes: more than 64 sizes"},
    /* choices */
    {{"--datatype", "lfoat"},
     "--datatype: unknown choice 'lfoat': did you mean float? "
     "(int8, uint8, float, double, all)"},
    {{"-d", "int8,xyzzy"},
     "--datatype: unknown choice 'xyzzy' (int8, uint8, float, double, "
     "all)"},
    {{"-d", "int8,,float"}, "--datatype: 'int8,,float' has an empty element"},
    {{"-d", "int8,"}, "--datatype: 'int8,' has an empty element"},
    {{"-d", "int"},
     "--datatype: unknown choice 'int': did you mean int8? "
     "(int8, uint8, float, double, all)"},
    {{"-d", "al"},
     "--datatype: unknown choice 'al': did you mean all? "
     "(int8, uint8, float, double, all)"},
    {{"-d", "\x1b[2Jint8"},
     "--datatype: unknown choice '?[2Jint8' "
     "(int8, uint8, float, double, all)"},
    {{"--format", "json"},
     "--format: unknown choice 'json': did you mean jsonl? "
     "(text, csv, jsonl)"},
    {{"--format", "TEXT"},
     "--format: unknown choice 'TEXT': did you mean text? "
     "(text, csv, jsonl)"},
    {{"--format", "text,csv"}, "--format: unknown choice 'text,csv' (text, csv, jsonl)"},
    {{"--format", "all"}, "--format: unknown choice 'all' (text, csv, jsonl)"},
    /* the first error is the one that is told */
    {{"--factor=1", "--frobnicate"}, "--factor: 1 is out of range (2 or more)"},
};

static void test_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(refused); i++) {
        struct fixture fixture;

        fixture_init(&fixture, NULL);
        assert_int_equal(fixture_parse(&fixture, refused[i].args), -1);
        assert_int_equal(fixture.err.code, EXIT_CODE_USAGE);
        assert_string_equal(fixture.err.text, refused[i].message);
    }
}

/* A value that is refused leaves the one before it. */
static void test_refused_changes_nothing(void **state)
{
    static const char *const args[][2] = {
        {"-f1"},         {"-b8X"}, {"-s8,x"},    {"-s8,,9"},  {"--share=x"},
        {"--share=101"}, {"-tx"},  {"-dint8,x"}, {"-dint8,"}, {"--format=x"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(args); i++) {
        struct fixture fixture, before;

        fixture_init(&fixture, NULL);
        fixture_init(&before, NULL);
        assert_int_equal(fixture_parse(&fixture, args[i]), -1);
        assert_memory_equal(&fixture.settings, &before.settings, sizeof before.settings);
    }
}

/* It is not cut after 127 letters, which would give 1 here, and then taken. */
static void test_long_element(void **state)
{
    static const char *const starts[] = {"-s", "-s1,"};
    char typed[200];

    (void)state;
    for (size_t i = 0; i < COUNT(starts); i++) {
        const char *args[] = {typed, NULL};
        struct fixture fixture;

        fixture_init(&fixture, NULL);
        memset(typed, '0', sizeof typed - 1);
        memcpy(typed, starts[i], strlen(starts[i]));
        typed[strlen(starts[i]) + 126] = '1';
        typed[sizeof typed - 1] = '\0';
        assert_int_equal(fixture_parse(&fixture, args), -1);
        assert_non_null(strstr(fixture.err.text, "...' is too long"));
    }
}

/* However long what was typed is, the message is one line that ends well. */
static void test_long_arguments_are_cut(void **state)
{
    static const char *const starts[] = {
        "",     "--", "--min-bytes=", "-",  "-b",      "-d",     "--format=",
        "-s8,", "-s", "-dint8,",      "-h", "--help=", "--time="};
    static char typed[100000];

    (void)state;
    for (size_t i = 0; i < COUNT(starts); i++) {
        struct fixture fixture;
        const char *args[] = {typed, NULL};

        fixture_init(&fixture, NULL);
        memset(typed, '!', sizeof typed - 1);
        memcpy(typed, starts[i], strlen(starts[i]));
        assert_int_equal(fixture_parse(&fixture, args), -1);
        assert_in_range(strlen(fixture.err.text), 10, 200);
        assert_non_null(strstr(fixture.err.text, "..."));
    }
}

/* Every way of writing the same. */
static void test_ways_of_writing(void **state)
{
    static const char *const ways[][ARGS_MOST] = {
        {"--min-bytes", "4K", "--help", "--version", "--quick", "--output", "file"},
        {"--min-bytes=4K", "--help", "--version", "--quick", "--output=file"},
        {"-b", "4K", "-h", "-V", "-q", "-O", "file"},
        {"-b4K", "-hVq", "-Ofile"},
        {"-hVqb", "4K", "-O", "file"},
        {"-qhVb4K", "-Ofile"},
        {"-Ofile", "--quick", "-b4K", "-Vh"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(ways); i++) {
        struct fixture fixture;

        fixture_init(&fixture, NULL);
        assert_int_equal(fixture_parse(&fixture, ways[i]), 0);
        assert_int_equal(fixture.settings.min_bytes, 4096);
        assert_true(fixture.settings.help && fixture.settings.version);
        assert_true(fixture.extra.quick);
        assert_string_equal(fixture.settings.output, "file");
    }
}

/* Each repeated option is as if only the last were there: lists do not grow. */
static void test_last_one_counts(void **state)
{
    static const char *const args[] = {"-b1",
                                       "-b",
                                       "2",
                                       "--min-bytes=3",
                                       "-s1,2,3",
                                       "-s",
                                       "4,5",
                                       "-dint8",
                                       "-d",
                                       "double",
                                       "-Oone",
                                       "-O",
                                       "two",
                                       "-t1h",
                                       "--time=2ms",
                                       "--share=1",
                                       "--share=0.25",
                                       "--format=csv",
                                       "--format=jsonl",
                                       "-h",
                                       "-h",
                                       NULL};
    struct fixture fixture;

    (void)state;
    fixture_init(&fixture, NULL);
    assert_int_equal(fixture_parse(&fixture, args), 0);
    assert_int_equal(fixture.settings.min_bytes, 3);
    assert_int_equal(fixture.settings.sizes.count, 2);
    assert_int_equal(fixture.settings.sizes.bytes[0], 4);
    assert_int_equal(fixture.settings.types, 1 << 3);
    assert_string_equal(fixture.settings.output, "two");
    assert_true(fixture.settings.time == 0.002);
    assert_true(fixture.settings.share == 0.25);
    assert_int_equal(fixture.settings.format, 2);
    assert_true(fixture.settings.help);
}

/* A text that begins with a dash can be given, in the argument itself. */
static void test_text_with_dash(void **state)
{
    static const char *const ways[][3] = {{"--output=-x"}, {"-O-x"}};
    static const char *const dash[] = {"--output", "-", NULL};
    struct fixture fixture;

    (void)state;
    for (size_t i = 0; i < COUNT(ways); i++) {
        fixture_init(&fixture, NULL);
        assert_int_equal(fixture_parse(&fixture, ways[i]), 0);
        assert_string_equal(fixture.settings.output, "-x");
    }
    fixture_init(&fixture, NULL);
    assert_int_equal(fixture_parse(&fixture, dash), 0);
    assert_string_equal(fixture.settings.output, "-");
}

static void test_text_with_equals_sign(void **state)
{
    static const char *const args[] = {"--output=a=b", NULL};
    struct fixture fixture;

    (void)state;
    fixture_init(&fixture, NULL);
    assert_int_equal(fixture_parse(&fixture, args), 0);
    assert_string_equal(fixture.settings.output, "a=b");
}

/* The ends of a range belong to it. */
static void test_ends_of_ranges(void **state)
{
    static const char *const low[] = {"-f2", "--limit=2K", "-D0", "-t0",
                                      "-s1", "--share=0",  NULL};
    static const char *const high[] = {"-f18446744073709551615",
                                       "--limit=1G",
                                       "-D64",
                                       "-t1h",
                                       "-s1M",
                                       "--share=100",
                                       NULL};
    struct fixture fixture;

    (void)state;
    fixture_init(&fixture, NULL);
    if (fixture_parse(&fixture, low))
        fail_msg("%s", fixture.err.text);
    assert_int_equal(fixture.settings.limit, 2048);
    assert_true(fixture.settings.share == 0);
    if (fixture_parse(&fixture, high))
        fail_msg("%s", fixture.err.text);
    assert_true(fixture.settings.factor == UINT64_MAX);
    assert_int_equal(fixture.extra.depth, 64);
    assert_true(fixture.settings.share == 100);
}

static const struct {
    const char *typed;
    double value;
} reals[] = {
    {"0.1", 0.1}, {"1e-3", 0.001}, {"1E2", 100}, {"+7", 7},
};

static void test_reals(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(reals); i++) {
        const char *args[] = {"--share", reals[i].typed, NULL};
        struct fixture fixture;

        fixture_init(&fixture, NULL);
        if (fixture_parse(&fixture, args))
            fail_msg("%s", fixture.err.text);
        assert_true(fixture.settings.share == reals[i].value);
    }
}

static const struct {
    const char *typed;
    uint64_t bits;
} choices[] = {
    {"int8", 1},
    {"double", 8},
    {"all", 15},
    {"int8,uint8", 3},
    {"double,int8,int8", 9},
    {"int8,all,int8", 15},
    {"uint8,int8,double,float", 15},
};

static void test_choices(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(choices); i++) {
        const char *args[] = {"--datatype", choices[i].typed, NULL};
        struct fixture fixture;

        fixture_init(&fixture, NULL);
        assert_int_equal(fixture_parse(&fixture, args), 0);
        assert_int_equal(fixture.settings.types, choices[i].bits);
    }
}

static void test_sizes(void **state)
{
    static const char *const args[] = {"--sizes", SIZES_63 ",1M", NULL};
    static const char *const other[] = {"-s", "0.5K,8,8,1KiB", NULL};
    static const uint64_t expected[] = {512, 8, 8, 1024};
    struct fixture fixture;

    (void)state;
    fixture_init(&fixture, NULL);
    assert_int_equal(fixture_parse(&fixture, args), 0);
    assert_int_equal(fixture.settings.sizes.count, SIZE_LIST_MOST);
    for (uint64_t i = 0; i < 63; i++)
        assert_int_equal(fixture.settings.sizes.bytes[i], i + 1);
    assert_int_equal(fixture.settings.sizes.bytes[63], 1048576);
    assert_int_equal(fixture_parse(&fixture, other), 0);
    assert_int_equal(fixture.settings.sizes.count, COUNT(expected));
    assert_memory_equal(fixture.settings.sizes.bytes, expected, sizeof expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_refused_changes_nothing),
        cmocka_unit_test(test_long_element),
        cmocka_unit_test(test_long_arguments_are_cut),
        cmocka_unit_test(test_ways_of_writing),
        cmocka_unit_test(test_last_one_counts),
        cmocka_unit_test(test_text_with_dash),
        cmocka_unit_test(test_text_with_equals_sign),
        cmocka_unit_test(test_ends_of_ranges),
        cmocka_unit_test(test_reals),
        cmocka_unit_test(test_choices),
        cmocka_unit_test(test_sizes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
