/* SPDX-License-Identifier: BSD-3-Clause */
/* JSON Lines: see results/record.schema.json. */
#include "writers.h"

#include <stdlib.h>
#include <string.h>

#include "clean.h"
#include "utc.h"

/* Clocks give fewer digits, and 17 would show the binary fraction of every rate. */
#define FIGURE_DIGITS JSON_REAL_PRECISION(12)

static json_t *from_text(const struct field *field, const struct field_value *value)
{
    (void)field;
    return clean_json(value->text);
}

static json_t *from_whole(const struct field *field, const struct field_value *value)
{
    (void)field;
    return json_integer(value->whole);
}

static json_t *from_real(const struct field *field, const struct field_value *value)
{
    return json_real(value->real * field->scale);
}

static int add_field(json_t *object, const struct record *record,
                     const struct field *field)
{
    static json_t *(*const makers[])(const struct field *, const struct field_value *) = {
        [FIELD_TEXT] = from_text, [FIELD_CHARS] = from_text, [FIELD_UINT] = from_whole,
        [FIELD_INT] = from_whole, [FIELD_REAL] = from_real,
    };
    struct field_value value;

    record_get(record, field, &value);
    if (!value.present)
        return 0;
    return json_object_set_new(object, field->key, makers[field->type](field, &value));
}

/* Takes the object; NULL in, NULL out. */
static char *line_of(json_t *object)
{
    char *text = object ? json_dumps(object, JSON_COMPACT | FIGURE_DIGITS) : NULL;
    size_t length = text ? strlen(text) : 0;
    char *line = text ? realloc(text, length + 2) : NULL;

    if (line)
        memcpy(line + length, "\n", 2);
    else
        free(text);
    json_decref(object);
    return line;
}

char *writer_json_run(const json_t *header)
{
    return line_of(json_is_object(header) ? json_copy((json_t *)header) : NULL);
}

char *writer_json_record(const char *run, size_t index, const struct record *record)
{
    json_t *object = json_pack("{s:s, s:s, s:I}", "kind", "record", "run", run, "index",
                               (json_int_t)index);

    for (size_t i = 0; object && i < record_fields_count; i++) {
        if (add_field(object, record, &record_fields[i]) != 0) {
            json_decref(object);
            object = NULL;
        }
    }
    return line_of(object);
}

char *writer_json_end(const struct ending *ending)
{
    char now[UTC_TEXT];

    return line_of(json_pack("{s:s, s:s, s:s, s:i, s:o*, s:I, s:s}", "kind", "end", "run",
                             ending->run, "status", ending->status, "exit_code",
                             ending->exit_code, "cause", clean_json(ending->cause),
                             "records", (json_int_t)ending->records, "end_utc",
                             utc_now(now)));
}

static void show_line(struct writer_state *state, const struct writer_item *item)
{
    fputs(item->line, state->to);
}

const struct writer writer_json = {
    .run = show_line, .record = show_line, .end = show_line};
