/* SPDX-License-Identifier: BSD-3-Clause */
#include "output_fixture.h"

#include "config.h"
#include "schedule.h"

static const struct field *field_of(const char *key)
{
    for (size_t i = 0; i < record_fields_count; i++) {
        if (strcmp(record_fields[i].key, key) == 0)
            return &record_fields[i];
    }
    fail_msg("no field %s", key);
    return NULL;
}

static struct field_value value_of(const struct record *record, const char *key)
{
    struct field_value value;

    record_get(record, field_of(key), &value);
    return value;
}

/* Nothing is known of a record that was cleared, but counts start at nought. */
static void test_clear(void **state)
{
    struct record record;

    (void)state;
    memset(&record, 0x5a, sizeof record);
    record_clear(&record);
    for (size_t i = 0; i < record_fields_count; i++) {
        struct field_value value;

        record_get(&record, &record_fields[i], &value);
        if (record_fields[i].type == FIELD_UINT && value.present)
            assert_int_equal(value.whole, 0);
        else
            assert_false(value.present);
    }
    assert_false(value_of(&record, "wrong_element").present);
    assert_true(value_of(&record, "wrong").present);
    assert_false(record.time.has_interval);
}

static void test_absent_text(void **state)
{
    struct record record = full_record();

    (void)state;
    record.op = NULL;
    record.pattern = "";
    record.slowest_host[0] = '\0';
    assert_false(value_of(&record, "op").present);
    assert_false(value_of(&record, "pattern").present);
    assert_false(value_of(&record, "slowest_host").present);
    assert_string_equal(value_of(&record, "operation").text, "allreduce");
    assert_string_equal(value_of(&record, "wrong_host").text, "alpha");
}

static void test_absent_reals(void **state)
{
    const double absent[] = {NAN, -NAN, INFINITY, -INFINITY};
    struct record record = full_record();

    (void)state;
    for (size_t i = 0; i < COUNT(absent); i++) {
        record.time.median = absent[i];
        assert_false(value_of(&record, "time_median_s").present);
    }
    record.time.median = 0;
    assert_true(value_of(&record, "time_median_s").present);
}

static void test_absent_whole_numbers(void **state)
{
    static const struct {
        uint64_t count;
        bool present;
    } counts[] = {{0, true},
                  {INT64_MAX, true},
                  {(uint64_t)INT64_MAX + 1, false},
                  {RECORD_ABSENT, false}};
    struct record record = full_record();

    (void)state;
    for (size_t i = 0; i < COUNT(counts); i++) {
        record.wrong = counts[i].count;
        assert_int_equal(value_of(&record, "wrong").present, counts[i].present);
        if (counts[i].present)
            assert_int_equal(value_of(&record, "wrong").whole, counts[i].count);
    }
    record.slowest_rank = 0;
    assert_true(value_of(&record, "slowest_rank").present);
    record.slowest_rank = -1;
    assert_false(value_of(&record, "slowest_rank").present);
}

/* What the writers and the documents rely on in each row. */
static void test_table(void **state)
{
    int columns = -1;

    (void)state;
    for (size_t i = 0; i < record_fields_count; i++) {
        const struct field *field = &record_fields[i];

        assert_int_equal(strspn(field->key, "abcdefghijklmnopqrstuvwxyz_0123456789GBps"),
                         strlen(field->key));
        assert_true(field->text && *field->text);
        assert_true(field->offset < sizeof(struct record));
        assert_int_equal(field->scale != 0, field->type == FIELD_REAL);
        for (size_t j = 0; j < i; j++) {
            assert_string_not_equal(field->key, record_fields[j].key);
            assert_int_not_equal(field->offset, record_fields[j].offset);
        }
        if (!field->title)
            continue;
        assert_true(field->width >= (int)strlen(field->title));
        assert_int_equal(field->digits > 0, field->type == FIELD_REAL);
        assert_int_equal(field->text_scale != 0, field->type == FIELD_REAL);
        columns += field->width + 1;
    }
    assert_int_equal(columns, 100);
}

static json_t *load_schema(void)
{
    const char *top = getenv("top_srcdir");
    char path[4096];
    json_error_t error;
    json_t *schema;

    snprintf(path, sizeof path, "%s/results/record.schema.json", top && *top ? top : ".");
    schema = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    if (!schema)
        fail_msg("%s:%d: %s", path, error.line, error.text);
    return schema;
}

static json_t *schema_at(json_t *schema, const char *kind)
{
    json_t *at = json_object_get(json_object_get(schema, "$defs"), kind);

    assert_true(json_is_object(at));
    return at;
}

static const char *string_at(json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

/* The same keys in the same order, with the same type and the same text. */
static void test_schema_has_the_fields(void **state)
{
    static const char *const first[] = {"kind", "run", "index"};
    static const char *const types[] = {
        [FIELD_TEXT] = "string", [FIELD_CHARS] = "string", [FIELD_UINT] = "integer",
        [FIELD_INT] = "integer", [FIELD_REAL] = "number",
    };
    json_t *schema = load_schema();
    json_t *properties = json_object_get(schema_at(schema, "record"), "properties");
    const char *key;
    json_t *property;
    size_t at = 0;

    (void)state;
    assert_int_equal(json_object_size(properties), COUNT(first) + record_fields_count);
    json_object_foreach(properties, key, property)
    {
        if (at < COUNT(first)) {
            assert_string_equal(key, first[at++]);
            continue;
        }
        const struct field *field = &record_fields[at++ - COUNT(first)];

        assert_string_equal(key, field->key);
        assert_string_equal(string_at(property, "type"), types[field->type]);
        assert_string_equal(string_at(property, "description"), field->text);
    }
    json_decref(schema);
}

static void test_schema_is_closed(void **state)
{
    json_t *schema = load_schema();
    json_t *version = json_object_get(
        json_object_get(json_object_get(schema_at(schema, "run"), "properties"),
                        "schema"),
        "const");

    (void)state;
    assert_true(json_is_false(
        json_object_get(schema_at(schema, "record"), "additionalProperties")));
    assert_true(
        json_is_false(json_object_get(schema_at(schema, "end"), "additionalProperties")));
    assert_int_equal(json_integer_value(version), RECORD_SCHEMA);
    json_decref(schema);
}

static const char *stop_at(size_t index)
{
    return index <= STOP_NOT_OFFERED ? stop_name((enum stop)index) : NULL;
}

/* The words that the program has are those that the schema takes. */
static void test_schema_enumerations(void **state)
{
    static const struct {
        const char *key;
        const char *(*name)(size_t index);
    } enumerations[] = {
        {"timing", timing_name}, {"placement", placement_name}, {"stopped", stop_at}};
    json_t *schema = load_schema();
    json_t *properties = json_object_get(schema_at(schema, "record"), "properties");

    (void)state;
    for (size_t i = 0; i < COUNT(enumerations); i++) {
        json_t *words =
            json_object_get(json_object_get(properties, enumerations[i].key), "enum");
        size_t count = 0;

        for (const char *name; (name = enumerations[i].name(count)); count++)
            assert_string_equal(json_string_value(json_array_get(words, count)), name);
        assert_int_equal(json_array_size(words), count);
    }
    json_decref(schema);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clear),
        cmocka_unit_test(test_absent_text),
        cmocka_unit_test(test_absent_reals),
        cmocka_unit_test(test_absent_whole_numbers),
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_schema_has_the_fields),
        cmocka_unit_test(test_schema_is_closed),
        cmocka_unit_test(test_schema_enumerations),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
