/* SPDX-License-Identifier: BSD-3-Clause */
#include "columns.h"

#include <string.h>

#include "suggest.h"

/* Of fields that are not among the usual columns. Times are in seconds there: the width
 * leaves a few digits to those that are short. */
enum { WIDTH_LEAST = 6, WIDTH_REAL = 13, DIGITS = 6 };

static struct column column_of(const struct field *field)
{
    int width = (int)strlen(field->key);
    int least = field->type == FIELD_REAL ? WIDTH_REAL : WIDTH_LEAST;

    if (field->title)
        return (struct column){
            .field = field,
            .title = field->title,
            .unit = field->unit ? field->unit : "",
            .scale = field->text_scale,
            .width = field->width,
            .digits = field->digits,
        };
    return (struct column){
        .field = field,
        .title = field->key,
        .unit = "",
        .scale = field->scale,
        .width = width > least ? width : least,
        .digits = DIGITS,
    };
}

static int add(struct columns *columns, const struct field *field, struct err *err)
{
    if (columns->count == COLUMNS_MOST)
        return err_set(err, EXIT_CODE_USAGE, "--columns: more than %d columns",
                       COLUMNS_MOST);
    columns->at[columns->count++] = column_of(field);
    return 0;
}

static int err_unknown(struct err *err, const char *key)
{
    char quoted[ERR_QUOTE];
    struct suggest suggest;

    suggest_start(&suggest, key);
    for (size_t i = 0; i < record_fields_count; i++)
        suggest_candidate(&suggest, record_fields[i].key);
    if (suggest.nearest)
        return err_set(err, EXIT_CODE_USAGE,
                       "--columns: unknown key '%s': did you mean %s?",
                       err_quote(quoted, key), suggest.nearest);
    return err_set(err, EXIT_CODE_USAGE,
                   "--columns: unknown key '%s': the man page lists them all",
                   err_quote(quoted, key));
}

static int add_key(struct columns *columns, const char *key, struct err *err)
{
    for (size_t i = 0; i < record_fields_count; i++)
        if (strcmp(record_fields[i].key, key) == 0)
            return add(columns, &record_fields[i], err);
    return err_unknown(err, key);
}

static int add_keys(struct columns *columns, const char *keys, struct err *err)
{
    char key[80];

    for (;;) {
        size_t length = strcspn(keys, ",");

        if (length == 0)
            return err_set(err, EXIT_CODE_USAGE, "--columns: a key is missing");
        if (length >= sizeof key)
            return err_unknown(err, keys);
        memcpy(key, keys, length);
        key[length] = '\0';
        if (add_key(columns, key, err))
            return -1;
        if (!keys[length])
            return 0;
        keys += length + 1;
    }
}

int columns_choose(struct columns *columns, enum format format, const char *keys,
                   struct err *err)
{
    columns->count = 0;
    if (keys)
        return add_keys(columns, keys, err);
    for (size_t i = 0; i < record_fields_count; i++)
        if ((format != FORMAT_TEXT || record_fields[i].title) &&
            add(columns, &record_fields[i], err))
            return -1;
    return 0;
}
