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

#include "argfile.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { PATH_TEXT = 128, WORDS_MOST = 8, FILE_BYTES_MOST = 1 << 20 };

struct fixture {
    char directory[PATH_TEXT / 2];
    char at[2][PATH_TEXT]; /* "@" + the path of a file, as an argument */
};

static int setup(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    const char *base = getenv("TMPDIR");

    snprintf(fixture->directory, sizeof fixture->directory, "%s/rackmark-XXXXXX",
             base && *base && strlen(base) < 40 ? base : "/tmp");
    if (!mkdtemp(fixture->directory))
        return -1;
    for (int i = 0; i < 2; i++)
        snprintf(fixture->at[i], PATH_TEXT, "@%s/%d", fixture->directory, i);
    *state = fixture;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;

    for (int i = 0; i < 2; i++)
        unlink(fixture->at[i] + 1);
    rmdir(fixture->directory);
    free(fixture);
    return 0;
}

/* Returns the argument that names the file. */
static char *write_file(struct fixture *fixture, int number, const char *text,
                        size_t size)
{
    FILE *to = fopen(fixture->at[number] + 1, "w");

    assert_non_null(to);
    assert_int_equal(fwrite(text, 1, size, to), size);
    assert_int_equal(fclose(to), 0);
    return fixture->at[number];
}

/* Exactly these, after the program's name. */
static void expect_words(const struct argfile *file, const char *const *words)
{
    int count = 0;

    assert_string_equal(file->argv[0], "prog");
    for (; words[count]; count++) {
        assert_true(count + 1 < file->argc);
        assert_string_equal(file->argv[count + 1], words[count]);
    }
    assert_int_equal(file->argc, count + 1);
    assert_null(file->argv[file->argc]);
}

static void expect_refused(char *argument, const char *text)
{
    char *argv[] = {"prog", "-n", argument, NULL};
    struct argfile file;
    struct err err = {0};

    assert_int_equal(argfile_open(&file, 3, argv, &err), -1);
    argfile_close(&file);
    assert_int_equal(err.code, EXIT_CODE_USAGE);
    assert_non_null(strstr(err.text, text));
}

static void test_no_file(void **state)
{
    struct fixture *fixture = *state;
    char directory[PATH_TEXT], text[2 * PATH_TEXT];

    snprintf(text, sizeof text, "cannot read options from %s: No such file",
             fixture->at[0] + 1);
    expect_refused(fixture->at[0], text);
    expect_refused("@", "cannot read options from ");
    snprintf(directory, sizeof directory, "@%s", fixture->directory);
    snprintf(text, sizeof text, "%s is not a file of options", fixture->directory);
    expect_refused(directory, text);
}

static void test_bad_files(void **state)
{
    static const struct {
        const char *text;
        size_t size;
        const char *says;
    } cases[] = {
        {"\"", 1, ": a quotation mark is not closed"},
        {"-n 6 -O \"a b\n-s 8\n", 17, ": a quotation mark is not closed"},
        {"a\"b\"\"", 5, ": a quotation mark is not closed"},
        {"-n\0 6", 5, " is not a file of options"},
        {"\0", 1, " is not a file of options"},
    };
    struct fixture *fixture = *state;

    for (size_t i = 0; i < COUNT(cases); i++) {
        char *argument = write_file(fixture, 0, cases[i].text, cases[i].size);

        expect_refused(argument, argument + 1);
        expect_refused(argument, cases[i].says);
    }
}

/* What is no file of options is not read for ever. */
static void test_size(void **state)
{
    static char text[FILE_BYTES_MOST];
    char *argv[] = {"prog", NULL};
    struct argfile file;
    struct err err = {0};

    memset(text, ' ', sizeof text);
    text[sizeof text - 2] = 'x';
    expect_refused(write_file(*state, 0, text, sizeof text), "is not a file of options");
    expect_refused("@/dev/zero", "is not a file of options");
    argv[1] = write_file(*state, 0, text, sizeof text - 1);
    assert_int_equal(argfile_open(&file, 2, argv, &err), 0);
    expect_words(&file, (const char *const[]){"x", NULL});
    argfile_close(&file);
}

static void test_words(void **state)
{
    static const struct {
        const char *text, *words[WORDS_MOST];
    } cases[] = {
        {"", {NULL}},
        {" \t\r\n\v\f", {NULL}},
        {"-n 6", {"-n", "6", NULL}},
        {"\n\n  -n\t6\r\n--format=csv\n\n", {"-n", "6", "--format=csv", NULL}},
        {"a\vb\fc", {"a", "b", "c", NULL}},
        {"# nothing", {NULL}},
        {"#\n#\n-n #6\n6#7 # \"8\n9", {"-n", "6#7", "9", NULL}},
        {"\"a b\" c", {"a b", "c", NULL}},
        {"--output=\"a  b\"c d", {"--output=a  bc", "d", NULL}},
        {"\"#\" \"\" \"\n\"", {"#", "", "\n", NULL}},
        {"\"\"\"\"x\"\"", {"x", NULL}},
        {"a\"\"", {"a", NULL}},
        {"'a b' \\n $HOME", {"'a", "b'", "\\n", "$HOME", NULL}},
        {"@other @", {"@other", "@", NULL}},
        {"\303\244 \"\303\266 \303\274\"", {"\303\244", "\303\266 \303\274", NULL}},
    };
    struct fixture *fixture = *state;

    for (size_t i = 0; i < COUNT(cases); i++) {
        char *argv[] = {"prog", NULL, NULL};
        struct argfile file;
        struct err err = {0};

        argv[1] = write_file(fixture, 0, cases[i].text, strlen(cases[i].text));
        assert_int_equal(argfile_open(&file, 2, argv, &err), 0);
        assert_int_equal(err.code, 0);
        expect_words(&file, cases[i].words);
        argfile_close(&file);
    }
}

/* The words of a file stand where its name stood; the program's name is no file. */
static void test_among_others(void **state)
{
    static const char *const words[] = {"-n", "6", "-s", "8", "--list", "6", "-t", NULL};
    struct fixture *fixture = *state;
    char *argv[] = {"prog", "-n", NULL, "--list", NULL, "-t", NULL};
    char *strange[] = {"@prog", "a@b", NULL};
    struct argfile file;
    struct err err = {0};

    argv[2] = write_file(fixture, 0, "6 -s 8", 6);
    argv[4] = write_file(fixture, 1, "6", 1);
    assert_int_equal(argfile_open(&file, 6, argv, &err), 0);
    expect_words(&file, words);
    argfile_close(&file);
    assert_int_equal(argfile_open(&file, 2, strange, &err), 0);
    assert_int_equal(file.argc, 2);
    assert_string_equal(file.argv[0], "@prog");
    assert_string_equal(file.argv[1], "a@b");
    assert_null(file.argv[2]);
    argfile_close(&file);
}

static int next_descriptor(void)
{
    int descriptor = dup(STDERR_FILENO);

    assert_true(descriptor >= 0);
    close(descriptor);
    return descriptor;
}

/* Nothing is left open, nor to free twice. */
static void test_close(void **state)
{
    char *argv[] = {"prog", NULL, NULL};
    struct argfile file, none = {0};
    struct err err = {0};
    int descriptor = next_descriptor();

    argv[1] = write_file(*state, 0, "a b", 3);
    assert_int_equal(argfile_open(&file, 2, argv, &err), 0);
    assert_int_equal(next_descriptor(), descriptor);
    argfile_close(&file);
    assert_null(file.argv);
    argfile_close(&file);
    argfile_close(&none);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_no_file), TEST(test_bad_files),    TEST(test_size),
        TEST(test_words),   TEST(test_among_others), TEST(test_close),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
