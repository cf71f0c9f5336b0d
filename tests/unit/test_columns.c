/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "columns.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { KEYS_TEXT = 4096 };

/* "bytes,bytes,...": count keys. */
static const char *repeat(char keys[KEYS_TEXT], size_t count)
{
    keys[0] = '\0';
    for (size_t i = 0; i < count; i++)
        strcat(keys, i ? ",bytes" : "bytes");
    return keys;
}

static void test_bad_keys(void **state)
{
    static const struct {
        const char *keys, *text;
    } cases[] = {
        {"", "--columns: a key is missing"},
        {",", "--columns: a key is missing"},
        {"bytes,", "--columns: a key is missing"},
        {",bytes", "--columns: a key is missing"},
        {"bytes,,op", "--columns: a key is missing"},
        {"byte", "--columns: unknown key 'byte': did you mean bytes?"},
        {"Bytes", "--columns: unknown key 'Bytes': did you mean bytes?"},
        {"bytes,op,bus_GBps",
         "--columns: unknown key 'bus_GBps': did you mean busbw_GBps?"},
        {"time_median,op",
         "--columns: unknown key 'time_median': did you mean time_median_s?"},
        {"bytes, colour",
         "--columns: unknown key ' colour': the man page lists them all"},
        {"quux\nquux", "--columns: unknown key 'quux?quux': the man page lists them all"},
        {"no_such_key_however_long_it_is_and_this_one_is_longer_than_any_key_can_be_at_"
         "all_,op",
         "--columns: unknown key "
         "'no_such_key_however_long_it_is_and_this_one_is_longer_than_a"
         "...': the man page lists them all"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        for (enum format format = FORMAT_TEXT; format <= FORMAT_JSONL; format++) {
            struct columns columns;
            struct err err = {0};

            assert_int_equal(columns_choose(&columns, format, cases[i].keys, &err), -1);
            assert_int_equal(err.code, EXIT_CODE_USAGE);
            assert_string_equal(err.text, cases[i].text);
        }
}

static void test_too_many(void **state)
{
    char keys[KEYS_TEXT];
    struct columns columns;
    struct err err = {0};

    (void)state;
    assert_int_equal(
        columns_choose(&columns, FORMAT_CSV, repeat(keys, COLUMNS_MOST), &err), 0);
    assert_int_equal(columns.count, COLUMNS_MOST);
    assert_int_equal(
        columns_choose(&columns, FORMAT_CSV, repeat(keys, COLUMNS_MOST + 1), &err), -1);
    assert_int_equal(err.code, EXIT_CODE_USAGE);
    assert_string_equal(err.text, "--columns: more than 96 columns");
}

/* The usual ones: those with a heading for text, all for what programs read. */
static void test_defaults(void **state)
{
    (void)state;
    for (enum format format = FORMAT_TEXT; format <= FORMAT_JSONL; format++) {
        struct columns columns;
        struct err err = {0};
        size_t count = 0;

        assert_int_equal(columns_choose(&columns, format, NULL, &err), 0);
        for (size_t i = 0; i < record_fields_count; i++)
            if (format != FORMAT_TEXT || record_fields[i].title)
                assert_ptr_equal(columns.at[count++].field, &record_fields[i]);
        assert_int_equal(columns.count, count);
    }
}

/* In the order of the keys, and instead of what was chosen before. */
static void test_order(void **state)
{
    static const char *const expected[] = {"busbw_GBps", "time_min_s", "bytes",
                                           "busbw_GBps"};
    struct columns columns;
    struct err err = {0};

    (void)state;
    assert_int_equal(columns_choose(&columns, FORMAT_TEXT, NULL, &err), 0);
    assert_int_equal(columns_choose(&columns, FORMAT_TEXT,
                                    "busbw_GBps,time_min_s,bytes,busbw_GBps", &err),
                     0);
    assert_int_equal(columns.count, COUNT(expected));
    for (size_t i = 0; i < COUNT(expected); i++)
        assert_string_equal(columns.at[i].field->key, expected[i]);
}

/* Every field can be a column. One that the text table knows looks as it does there;
 * another has its key for a heading, and the scale that the key speaks of. */
static void test_every_field(void **state)
{
    (void)state;
    for (size_t i = 0; i < record_fields_count; i++) {
        const struct field *field = &record_fields[i];
        const struct column *column;
        struct columns columns;
        struct err err = {0};

        assert_int_equal(columns_choose(&columns, FORMAT_TEXT, field->key, &err), 0);
        assert_int_equal(columns.count, 1);
        column = &columns.at[0];
        assert_ptr_equal(column->field, field);
        assert_string_equal(column->title, field->title ? field->title : field->key);
        assert_string_equal(column->unit, field->title && field->unit ? field->unit : "");
        assert_true(column->width >= (int)strlen(column->title));
        assert_true(column->width >= (int)strlen(column->unit));
        if (field->title)
            assert_int_equal(column->width, field->width);
        if (field->type != FIELD_REAL)
            continue;
        assert_true(column->scale == (field->title ? field->text_scale : field->scale));
        assert_true(column->digits > 0);
    }
}

/* A time of some 100 ns still has four digits, though it stands in seconds. */
static void test_widths(void **state)
{
    static const struct {
        const char *key;
        int width;
    } cases[] = {
        {"op", 6},          {"root", 6},  {"wrong_element", 13},
        {"time_min_s", 13}, {"lag1", 13}, {"busbw_high_GBps", 15},
    };
    struct columns columns;
    struct err err = {0};

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_int_equal(columns_choose(&columns, FORMAT_TEXT, cases[i].key, &err), 0);
        assert_int_equal(columns.at[0].width, cases[i].width);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_keys),    cmocka_unit_test(test_too_many),
        cmocka_unit_test(test_defaults),    cmocka_unit_test(test_order),
        cmocka_unit_test(test_every_field), cmocka_unit_test(test_widths),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
