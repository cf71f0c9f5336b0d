/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "prose.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

#define TEN     "123456789 "
#define WORD_60 "123456789-123456789-123456789-123456789-123456789-123456789-"

static const struct {
    const char *text;
    size_t column, indent;
    const char *wrapped;
} wraps[] = {
    {"", 0, 0, "\n"},
    {" \n ", 0, 0, "\n"},
    {"one", 0, 0, "one\n"},
    {"  one \n two ", 0, 0, "one two\n"},
    {"one two", 3, 5, "  one two\n"},
    {"one two", 5, 5, "one two\n"},
    /* behind the indent a blank is kept */
    {"one two", 6, 5, " one two\n"},
    /* 80 columns are full, 81 are too many */
    {TEN TEN TEN TEN TEN TEN TEN "1234567890", 0, 0,
     TEN TEN TEN TEN TEN TEN TEN "1234567890\n"},
    {TEN TEN TEN TEN TEN TEN TEN "12345678901", 0, 2,
     "  " TEN TEN TEN TEN TEN TEN "123456789\n  12345678901\n"},
    {TEN TEN TEN TEN TEN TEN TEN "12345678", 0, 2,
     "  " TEN TEN TEN TEN TEN TEN TEN "12345678\n"},
    /* a word that never fits is not broken, nor does it leave an empty line */
    {WORD_60, 30, 30, WORD_60 "\n"},
    {WORD_60, 0, 30, "                              " WORD_60 "\n"},
    {"a " WORD_60 " b", 0, 30,
     "                              a\n                              " WORD_60
     "\n                              b\n"},
    /* paragraphs */
    {"one\n\ntwo", 0, 2, "  one\n\n  two\n"},
    {"one \n \n\n two\nthree", 0, 0, "one\n\ntwo three\n"},
    {"one\n\n", 0, 0, "one\n"},
};

static char *read_back(FILE *file, char *text, size_t size)
{
    size_t length;

    rewind(file);
    length = fread(text, 1, size - 1, file);
    text[length] = '\0';
    fclose(file);
    return text;
}

static void test_wrap(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(wraps); i++) {
        FILE *file = tmpfile();
        char text[1000];

        assert_non_null(file);
        prose_wrap(wraps[i].text, wraps[i].column, wraps[i].indent, file);
        assert_string_equal(read_back(file, text, sizeof text), wraps[i].wrapped);
    }
}

static const struct {
    const char *text, *roff;
} escapes[] = {
    {"", ""},
    {"plain text", "plain text"},
    {"--min-bytes", "\\-\\-min\\-bytes"},
    {"a\\b\\n", "a\\(rsb\\(rsn"},
    /* commands at the start of a line */
    {".TH x", "\\&.TH x"},
    {"'br", "\\(aqbr"},
    {"one\n.two\n'three", "one\n\\&.two\n\\(aqthree"},
    {"one\n .two", "one\n\\&.two"},
    {"...", "\\&..."},
    /* elsewhere they are none */
    {"1.5 e.g. it's", "1.5 e.g. it\\(aqs"},
    /* signs that would change */
    {"`a' \"b\" x^2 ~c", "\\(gaa\\(aq \\(dqb\\(dq x\\(ha2 \\(tic"},
    {"one\n\ntwo", "one\n.PP\ntwo"},
};

static void test_roff(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(escapes); i++) {
        FILE *file = tmpfile();
        char text[1000];

        assert_non_null(file);
        prose_roff(escapes[i].text, file);
        assert_string_equal(read_back(file, text, sizeof text), escapes[i].roff);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrap),
        cmocka_unit_test(test_roff),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
