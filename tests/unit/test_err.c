/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "err.h"

/* What must not reach a terminal, and what must. */
static const struct {
    const char *typed, *quoted;
} quotes[] = {
    {"a\nb\tc\x1b[31m\x7f", "a?b?c?[31m?"},
    {"\x80\xbf\xff\xfe", "????"},
    {"\xc0\xaf", "??"},                /* overlong */
    {"\xe0\x80\xaf", "???"},           /* overlong */
    {"\xf0\x80\x80\xaf", "????"},      /* overlong */
    {"\xed\xa0\x80", "???"},           /* surrogate */
    {"\xf4\x90\x80\x80", "????"},      /* above the last character */
    {"\xf8\x88\x80\x80\x80", "?????"}, /* five bytes */
    {"a\xc2", "a?"},                   /* ends too early */
    {"a\xe2\x82", "a??"},              /* ends too early */
    {"a\xf0\x9d\x84z", "a???z"},       /* ends too early */
    {"\xc2\x85", "??"},                /* a control character of two bytes */
    {"a\xe2\x80\xa8z", "a???z"},       /* line separator */
    {"a\xe2\x80\xaez", "a???z"},       /* turns the reading direction */
    {"a\xe2\x81\xa6z", "a???z"},       /* likewise */
    {"", ""},
    {"plain -text", "plain -text"},
    {"\xc3\xa9 \xe2\x82\xac \xf0\x9d\x84\x9e", "\xc3\xa9 \xe2\x82\xac \xf0\x9d\x84\x9e"},
};

static void test_quote_cleans(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof quotes / sizeof *quotes; i++) {
        char quoted[ERR_QUOTE];

        assert_ptr_equal(err_quote(quoted, quotes[i].typed), quoted);
        assert_string_equal(quoted, quotes[i].quoted);
    }
}

static void test_quote_cuts_long_text(void **state)
{
    char typed[200], quoted[ERR_QUOTE];

    (void)state;
    memset(typed, 'x', sizeof typed);
    typed[ERR_QUOTE - 1] = '\0';
    assert_string_equal(err_quote(quoted, typed), typed);
    typed[ERR_QUOTE - 1] = 'x';
    typed[sizeof typed - 1] = '\0';
    err_quote(quoted, typed);
    assert_int_equal(strlen(quoted), ERR_QUOTE - 1);
    assert_memory_equal(quoted, typed, ERR_QUOTE - 4);
    assert_string_equal(quoted + ERR_QUOTE - 4, "...");
}

/* Wherever the cut falls, no character is left in pieces. */
static void test_quote_cuts_between_characters(void **state)
{
    (void)state;
    for (size_t shift = 0; shift < 4; shift++) {
        char typed[200] = "", quoted[ERR_QUOTE];

        memset(typed, 'x', shift);
        for (int i = 0; i < 30; i++)
            strcat(typed, "\xf0\x9d\x84\x9e");
        err_quote(quoted, typed);
        assert_null(strchr(quoted, '?'));
        assert_int_equal((strlen(quoted) - shift) % 4, 3);
        assert_string_equal(quoted + strlen(quoted) - 3, "...");
    }
}

static void test_set(void **state)
{
    struct err err = {0};

    (void)state;
    assert_int_equal(err_set(&err, EXIT_CODE_FAILURE, "disk %d of %s", 3, "host"), -1);
    assert_int_equal(err.code, EXIT_CODE_FAILURE);
    assert_string_equal(err.text, "disk 3 of host");
    assert_int_equal(err_set(&err, EXIT_CODE_USAGE, "no"), -1);
    assert_int_equal(err.code, EXIT_CODE_USAGE);
    assert_string_equal(err.text, "no");
}

static void test_set_is_one_line(void **state)
{
    struct err err = {0};

    (void)state;
    err_set(&err, EXIT_CODE_FAILURE, "library: %s", "first\nsecond\r\n");
    assert_string_equal(err.text, "library: first?second??");
}

static void test_set_takes_its_own_text(void **state)
{
    struct err err = {0};

    (void)state;
    err_set(&err, EXIT_CODE_FAILURE, "inner");
    err_set(&err, EXIT_CODE_USAGE, "outer: %s", err.text);
    assert_string_equal(err.text, "outer: inner");
}

static void test_long_text_is_cut(void **state)
{
    char text[1000];
    struct err err = {0};

    (void)state;
    memset(text, 'x', sizeof text);
    text[sizeof err.text - 1] = '\0';
    err_set(&err, EXIT_CODE_FAILURE, "%s", text);
    assert_string_equal(err.text, text);
    err_set(&err, EXIT_CODE_FAILURE, "y%s", text);
    assert_int_equal(strlen(err.text), sizeof err.text - 1);
    assert_string_equal(err.text + sizeof err.text - 4, "...");
    assert_int_equal(err.text[sizeof err.text - 5], 'x');
}

static void test_prefix(void **state)
{
    struct err err = {0};

    (void)state;
    err_set(&err, EXIT_CODE_DEADLINE, "disk full");
    assert_int_equal(err_prefix(&err, "%s:%d: ", "a\nfile", 7), -1);
    assert_string_equal(err.text, "a?file:7: disk full");
    assert_int_equal(err.code, EXIT_CODE_DEADLINE);
}

static void test_prefix_too_long(void **state)
{
    char text[1000];
    struct err err = {0};

    (void)state;
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    err_set(&err, EXIT_CODE_USAGE, "disk full");
    err_prefix(&err, "%s: ", text);
    assert_int_equal(strlen(err.text), sizeof err.text - 1);
    assert_string_equal(err.text + sizeof err.text - 4, "...");
}

/* Each code of the list is worse than those behind it. */
static void test_exit_code_order(void **state)
{
    static const int order[] = {2, 1, 5, 3, 7, 6, 4, 0};
    const size_t count = sizeof order / sizeof *order;

    (void)state;
    for (size_t i = 0; i < count; i++)
        for (size_t j = i; j < count; j++) {
            assert_int_equal(exit_code_worse(order[i], order[j]), order[i]);
            assert_int_equal(exit_code_worse(order[j], order[i]), order[i]);
        }
}

static void test_exit_code_unknown_is_not_lost(void **state)
{
    (void)state;
    assert_int_equal(exit_code_worse(0, 137), 137);
    assert_int_equal(exit_code_worse(137, 0), 137);
    assert_int_equal(exit_code_worse(137, 3), 137);
}

static void test_exit_code_texts(void **state)
{
    (void)state;
    assert_null(exit_code_text(-1));
    assert_null(exit_code_text(EXIT_CODE_CEILING + 1));
    for (int i = EXIT_CODE_GOOD; i <= EXIT_CODE_CEILING; i++) {
        assert_non_null(exit_code_text(i));
        for (int j = EXIT_CODE_GOOD; j < i; j++)
            assert_string_not_equal(exit_code_text(i), exit_code_text(j));
    }
    assert_non_null(strstr(exit_code_text(EXIT_CODE_WRONG_DATA), "wrong data"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quote_cleans),
        cmocka_unit_test(test_quote_cuts_long_text),
        cmocka_unit_test(test_quote_cuts_between_characters),
        cmocka_unit_test(test_set),
        cmocka_unit_test(test_set_is_one_line),
        cmocka_unit_test(test_set_takes_its_own_text),
        cmocka_unit_test(test_long_text_is_cut),
        cmocka_unit_test(test_prefix),
        cmocka_unit_test(test_prefix_too_long),
        cmocka_unit_test(test_exit_code_order),
        cmocka_unit_test(test_exit_code_unknown_is_not_lost),
        cmocka_unit_test(test_exit_code_texts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
