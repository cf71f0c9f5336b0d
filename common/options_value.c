/* SPDX-License-Identifier: BSD-3-Clause */
/* From the text of a value to the value: one function per type of option. */
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "options_private.h"
#include "suggest.h"
#include "units.h"

void option_text_add(struct option_text *text, const char *format, ...)
{
    size_t space = sizeof text->at - text->length;
    va_list args;
    int length;

    va_start(args, format);
    length = vsnprintf(text->at + text->length, space, format, args);
    va_end(args);
    if (length > 0)
        text->length += (size_t)length < space ? (size_t)length : space - 1;
}

/* Whole seconds in the largest unit that keeps them whole: "168h". */
static void seconds_add(uint64_t seconds, struct option_text *range)
{
    if (seconds % 3600 == 0)
        option_text_add(range, "%" PRIu64 "h", seconds / 3600);
    else if (seconds % 60 == 0)
        option_text_add(range, "%" PRIu64 "m", seconds / 60);
    else
        option_text_add(range, "%" PRIu64 "s", seconds);
}

static void limit_add(const struct option *row, uint64_t limit, struct option_text *range)
{
    char bytes[UNITS_TEXT];

    if (row->type == OPTION_SECONDS)
        seconds_add(limit, range);
    else if (row->type == OPTION_BYTES || row->type == OPTION_SIZES)
        option_text_add(range, "%s", units_format_bytes(bytes, limit));
    else
        option_text_add(range, "%" PRIu64, limit);
}

void option_range_text(const struct option *row, struct option_text *range)
{
    range->length = 0;
    range->at[0] = '\0';
    bool least = row->min || row->type == OPTION_REAL;
    if (least)
        limit_add(row, row->min, range);
    if (least && row->max)
        option_text_add(range, " to ");
    if (row->max)
        limit_add(row, row->max, range);
    if (least && !row->max)
        option_text_add(range, " or more");
    if (row->max && !least)
        option_text_add(range, " or less");
}

size_t option_choices_count(const struct option *row)
{
    size_t count = 0;

    while (count <= OPTION_CHOICES_MOST && row->choice(count))
        count++;
    return count;
}

void option_choices_text(const struct option *row, struct option_text *choices)
{
    choices->length = 0;
    choices->at[0] = '\0';
    for (size_t i = 0; row->choice(i); i++)
        option_text_add(choices, "%s%s", i ? ", " : "", row->choice(i));
}

bool option_holds_number(const struct option *row, uint64_t number)
{
    return number >= row->min && (row->max == 0 || number <= row->max);
}

bool option_holds_real(const struct option *row, double real)
{
    return real >= (double)row->min && (row->max == 0 || real <= (double)row->max);
}

static int err_range(const struct option *row, const char *text, struct err *err)
{
    char quoted[ERR_QUOTE];
    struct option_text range;

    option_range_text(row, &range);
    return err_set(err, EXIT_CODE_USAGE, "%s is out of range (%s)",
                   err_quote(quoted, text), range.at);
}

static int parse_count(const struct option *row, void *value, const char *text,
                       struct err *err)
{
    uint64_t number;

    if (units_parse_count(text, &number, err))
        return -1;
    if (!option_holds_number(row, number))
        return err_range(row, text, err);
    *(uint64_t *)value = number;
    return 0;
}

static int parse_bytes(const struct option *row, void *value, const char *text,
                       struct err *err)
{
    uint64_t number;

    if (units_parse_bytes(text, &number, err))
        return -1;
    if (!option_holds_number(row, number))
        return err_range(row, text, err);
    *(uint64_t *)value = number;
    return 0;
}

static int parse_seconds(const struct option *row, void *value, const char *text,
                         struct err *err)
{
    double seconds;

    if (units_parse_seconds(text, &seconds, err))
        return -1;
    if (!option_holds_real(row, seconds))
        return err_range(row, text, err);
    *(double *)value = seconds;
    return 0;
}

static int parse_real(const struct option *row, void *value, const char *text,
                      struct err *err)
{
    double number;

    if (units_parse_real(text, &number, err))
        return -1;
    if (!option_holds_real(row, number))
        return err_range(row, text, err);
    *(double *)value = number;
    return 0;
}

/* Takes the element of a comma separated list at *at. Returns 1, or 0 after the last
 * (*at is NULL then), or -1. No element that would be accepted is longer than this. */
enum { ELEMENT_TEXT = 128 };
static int element_next(const char **at, char element[ELEMENT_TEXT], const char *list,
                        struct err *err)
{
    char quoted[ERR_QUOTE];
    size_t length;

    if (!*at)
        return 0;
    length = strcspn(*at, ",");
    snprintf(element, ELEMENT_TEXT, "%.*s",
             (int)(length < ELEMENT_TEXT ? length : ELEMENT_TEXT), *at);
    *at = (*at)[length] ? *at + length + 1 : NULL;
    if (length == 0)
        return err_set(err, EXIT_CODE_USAGE, "'%s' has an empty element",
                       err_quote(quoted, list));
    if (length >= ELEMENT_TEXT)
        return err_set(err, EXIT_CODE_USAGE, "'%s' is too long",
                       err_quote(quoted, element));
    return 1;
}

static int parse_sizes(const struct option *row, void *value, const char *text,
                       struct err *err)
{
    struct size_list sizes = {0};
    char element[ELEMENT_TEXT];
    const char *at = text;
    int more;

    while ((more = element_next(&at, element, text, err)) == 1) {
        if (sizes.count == SIZE_LIST_MOST)
            return err_set(err, EXIT_CODE_USAGE, "more than %d sizes", SIZE_LIST_MOST);
        if (parse_bytes(row, &sizes.bytes[sizes.count], element, err))
            return -1;
        sizes.count++;
    }
    if (more == 0)
        *(struct size_list *)value = sizes;
    return more;
}

static int err_choice(const struct option *row, const char *text, struct err *err)
{
    char quoted[ERR_QUOTE];
    struct option_text choices;
    struct suggest suggest;
    bool several = row->type == OPTION_CHOICES;

    suggest_start(&suggest, text);
    for (size_t i = 0; row->choice(i); i++)
        suggest_candidate(&suggest, row->choice(i));
    if (several)
        suggest_candidate(&suggest, "all");
    option_choices_text(row, &choices);
    return err_set(err, EXIT_CODE_USAGE, "unknown choice '%s'%s%s%s (%s%s)",
                   err_quote(quoted, text), suggest.nearest ? ": did you mean " : "",
                   suggest.nearest ? suggest.nearest : "", suggest.nearest ? "?" : "",
                   choices.at, several ? ", all" : "");
}

static int parse_choice(const struct option *row, void *value, const char *text,
                        struct err *err)
{
    for (size_t i = 0; row->choice(i); i++) {
        if (strcmp(text, row->choice(i)) != 0)
            continue;
        *(int *)value = (int)i;
        return 0;
    }
    return err_choice(row, text, err);
}

static int parse_choices(const struct option *row, void *value, const char *text,
                         struct err *err)
{
    size_t count = option_choices_count(row);
    char element[ELEMENT_TEXT];
    const char *at = text;
    uint64_t bits = 0;
    int more, index = 0;

    while ((more = element_next(&at, element, text, err)) == 1) {
        if (strcmp(element, "all") == 0) {
            bits |= UINT64_MAX >> (OPTION_CHOICES_MOST - count);
            continue;
        }
        if (parse_choice(row, &index, element, err))
            return -1;
        bits |= UINT64_C(1) << index;
    }
    if (more == 0)
        *(uint64_t *)value = bits;
    return more;
}

static int parse_text(const struct option *row, void *value, const char *text,
                      struct err *err)
{
    (void)row;
    (void)err;
    *(const char **)value = text;
    return 0;
}

typedef int parse_function(const struct option *row, void *value, const char *text,
                           struct err *err);

int option_value_parse(const struct option *row, void *value, const char *text,
                       struct err *err)
{
    static parse_function *const functions[] = {
        [OPTION_COUNT] = parse_count,   [OPTION_BYTES] = parse_bytes,
        [OPTION_SIZES] = parse_sizes,   [OPTION_SECONDS] = parse_seconds,
        [OPTION_REAL] = parse_real,
        [OPTION_CHOICE] = parse_choice, [OPTION_CHOICES] = parse_choices,
        [OPTION_TEXT] = parse_text,
    };

    if (text[0] == '\0')
        err_set(err, EXIT_CODE_USAGE, "the value is empty");
    else if (functions[row->type](row, value, text, err) == 0)
        return 0;
    return err_prefix(err, "--%s: ", row->name);
}
