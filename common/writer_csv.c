/* SPDX-License-Identifier: BSD-3-Clause */
/* Comma-separated values after RFC 4180, but with lines that end as Unix text does: a
 * row of keys, then a row per record. The run header and the end mark have no place in
 * it; they stand in the result file. */
#include "writers.h"

#include <inttypes.h>
#include <string.h>

#include "clean.h"

static void put_text(FILE *to, const char *text)
{
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, to);
        return;
    }
    fputc('"', to);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', to);
        fputc(*text, to);
    }
    fputc('"', to);
}

static void show_text(FILE *to, const struct field *field,
                      const struct field_value *value)
{
    char text[256];

    (void)field;
    put_text(to, clean_text(text, sizeof text, value->text));
}

static void show_whole(FILE *to, const struct field *field,
                       const struct field_value *value)
{
    (void)field;
    fprintf(to, "%" PRId64, value->whole);
}

static void show_real(FILE *to, const struct field *field,
                      const struct field_value *value)
{
    fprintf(to, "%.12g", value->real * field->scale);
}

static void show_cell(FILE *to, const struct field *field,
                      const struct field_value *value)
{
    static void (*const showers[])(FILE *, const struct field *,
                                   const struct field_value *) = {
        [FIELD_TEXT] = show_text, [FIELD_CHARS] = show_text, [FIELD_UINT] = show_whole,
        [FIELD_INT] = show_whole, [FIELD_REAL] = show_real,
    };

    if (value->present)
        showers[field->type](to, field, value);
}

static void show_keys(struct writer_state *state, const struct writer_item *item)
{
    (void)item;
    for (size_t i = 0; i < state->columns.count; i++)
        fprintf(state->to, "%s%s", i ? "," : "", state->columns.at[i].field->key);
    fputc('\n', state->to);
}

static void show_row(struct writer_state *state, const struct writer_item *item)
{
    struct field_value value;

    for (size_t i = 0; i < state->columns.count; i++) {
        const struct field *field = state->columns.at[i].field;

        record_get(item->record, field, &value);
        if (i)
            fputc(',', state->to);
        show_cell(state->to, field, &value);
    }
    fputc('\n', state->to);
}

const struct writer writer_csv = {.run = show_keys, .record = show_row};
