/* SPDX-License-Identifier: BSD-3-Clause */
/* From the value back to its text. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "options_private.h"
#include "units.h"

/* The shortest plain decimal number that is read back as the same double: options take
 * no exponent. The smallest double needs 17 digits after 323 zeros. */
static void echo_seconds(double seconds, struct option_text *text)
{
    for (int digits = 0; digits <= 345; digits++) {
        text->length = 0;
        option_text_add(text, "%.*f", digits, seconds);
        if (strtod(text->at, NULL) == seconds)
            break;
    }
}

/* Likewise, where an exponent is taken: 17 digits tell any two doubles apart. */
static void echo_real(double real, struct option_text *text)
{
    for (int digits = 1; digits <= 17; digits++) {
        text->length = 0;
        option_text_add(text, "%.*g", digits, real);
        if (strtod(text->at, NULL) == real)
            break;
    }
}

static void echo_sizes(const struct size_list *sizes, struct option_text *text)
{
    char bytes[UNITS_TEXT];

    for (size_t i = 0; i < sizes->count; i++)
        option_text_add(text, "%s%s", i ? "," : "",
                        units_format_bytes(bytes, sizes->bytes[i]));
}

static void echo_choice(const struct option *row, int index, struct option_text *text)
{
    option_text_add(text, "%s", row->choice((size_t)index));
}

static void echo_choices(const struct option *row, uint64_t bits,
                         struct option_text *text)
{
    size_t count = option_choices_count(row);

    if (bits == UINT64_MAX >> (OPTION_CHOICES_MOST - count)) {
        option_text_add(text, "all");
        return;
    }
    for (size_t i = 0; i < count; i++)
        if (bits >> i & 1)
            option_text_add(text, "%s%s", text->length ? "," : "", row->choice(i));
}

static void echo_number(const struct option *row, uint64_t number,
                        struct option_text *text)
{
    char bytes[UNITS_TEXT];

    if (!option_holds_number(row, number))
        return;
    if (row->type == OPTION_BYTES)
        option_text_add(text, "%s", units_format_bytes(bytes, number));
    else
        option_text_add(text, "%" PRIu64, number);
}

/* Leaves text empty where the value is one that nobody can type: not set. */
static void echo_value(const struct option *row, const void *value,
                       struct option_text *text)
{
    switch (row->type) {
    case OPTION_FLAG:
        option_text_add(text, "%s", *(const bool *)value ? "true" : "false");
        break;
    case OPTION_COUNT:
    case OPTION_BYTES:
        echo_number(row, *(const uint64_t *)value, text);
        break;
    case OPTION_SIZES:
        echo_sizes(value, text);
        break;
    case OPTION_SECONDS:
        if (option_holds_real(row, *(const double *)value))
            echo_seconds(*(const double *)value, text);
        break;
    case OPTION_REAL:
        if (option_holds_real(row, *(const double *)value))
            echo_real(*(const double *)value, text);
        break;
    case OPTION_CHOICE:
        echo_choice(row, *(const int *)value, text);
        break;
    case OPTION_CHOICES:
        echo_choices(row, *(const uint64_t *)value, text);
        break;
    case OPTION_TEXT:
        break;
    }
}

void options_echo(const struct option_set *sets, size_t nsets,
                  void (*emit)(void *context, const struct option *row,
                               const char *value),
                  void *context)
{
    const struct option *row;
    void *value;

    for (size_t i = 0; (row = options_row(sets, nsets, i, &value)); i++) {
        struct option_text text = {0};
        const char *echo = text.at;

        if (row->type == OPTION_TEXT)
            echo = *(const char *const *)value;
        else
            echo_value(row, value, &text);
        if (echo && *echo)
            emit(context, row, echo);
    }
}
