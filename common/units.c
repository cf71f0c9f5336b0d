/* SPDX-License-Identifier: BSD-3-Clause */
#include "units.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* "16M": what the unit is called alone, in full, and when it is ambiguous. */
struct byte_unit {
    const char *letter, *full, *ambiguous;
    unsigned shift; /* the unit is 2^shift bytes */
};

static const struct byte_unit byte_units[] = {
    {"K", "KiB", "KB", 10},
    {"M", "MiB", "MB", 20},
    {"G", "GiB", "GB", 30},
    {"T", "TiB", "TB", 40},
};
enum { BYTE_UNITS = sizeof byte_units / sizeof *byte_units, SHIFT_MOST = 40 };

/* Multiplication and division apart, for both are exact for a number that is whole in
 * the unit: "5us" is the double nearest to 0.000005. */
struct second_unit {
    const char *name;
    double times, over;
};

static const struct second_unit second_units[] = {
    {"", 1, 1}, {"us", 1, 1e6}, {"ms", 1, 1e3}, {"s", 1, 1}, {"m", 60, 1}, {"h", 3600, 1},
};
enum { SECOND_UNITS = sizeof second_units / sizeof *second_units };

#define BYTES_ACCEPTED                                                                   \
    "a whole number of bytes, or a number with K, M, G or T, such as 16M"
#define SECONDS_ACCEPTED                                                                 \
    "a number of seconds, or one with us, ms, s, m or h, such as 1.5s"

static int err_number(struct err *err, const char *text, const char *what)
{
    char quoted[ERR_QUOTE];

    return err_set(err, EXIT_CODE_USAGE, "'%s' is not %s", err_quote(quoted, text), what);
}

static int err_too_large(struct err *err, const char *text)
{
    char quoted[ERR_QUOTE];

    return err_set(err, EXIT_CODE_USAGE, "'%s' is too large", err_quote(quoted, text));
}

static const char *skip_digits(const char *at)
{
    while (isdigit((unsigned char)*at))
        at++;
    return at;
}

/* The end of "12" or "12.5" at the start of text; text itself where there is neither.
 * *point: the decimal point, or the end when there is none. */
static const char *skip_number(const char *text, const char **point)
{
    const char *end = skip_digits(text);

    *point = end;
    if (end == text || *end != '.')
        return end;
    end = skip_digits(*point + 1);
    return end == *point + 1 ? text : end;
}

/* The whole number in [text, end), which holds digits only; false: too large. */
static bool whole_number(const char *text, const char *end, uint64_t *number)
{
    *number = 0;
    for (; text < end; text++) {
        unsigned digit = (unsigned)(*text - '0');

        if (*number > (UINT64_MAX - digit) / 10)
            return false;
        *number = *number * 10 + digit;
    }
    return true;
}

int units_parse_count(const char *text, uint64_t *count, struct err *err)
{
    const char *end = skip_digits(text);
    uint64_t number;

    if (end == text || *end)
        return err_number(err, text, "a whole number such as 100");
    if (!whole_number(text, end, &number))
        return err_too_large(err, text);
    *count = number;
    return 0;
}

/* The decimal fraction whose digits are [digits, end), times 2^shift: false when that is
 * not whole. Exact, for it doubles the decimal digits themselves. */
static bool whole_fraction(const char *digits, const char *end, unsigned shift,
                           uint64_t *result)
{
    char place[SHIFT_MOST];
    size_t count;

    while (end > digits && end[-1] == '0')
        end--;
    count = (size_t)(end - digits);
    if (count > shift) /* each doubling removes at most one digit */
        return false;
    for (size_t i = 0; i < count; i++)
        place[i] = (char)(digits[i] - '0');
    *result = 0;
    for (unsigned twice = 0; twice < shift; twice++) {
        int carry = 0;

        for (size_t i = count; i-- > 0;) {
            carry += 2 * place[i];
            place[i] = (char)(carry % 10);
            carry /= 10;
        }
        *result = *result * 2 + (uint64_t)carry;
    }
    for (size_t i = 0; i < count; i++)
        if (place[i])
            return false;
    return true;
}

static const struct byte_unit *byte_unit_find(const char *suffix)
{
    for (size_t i = 0; i < BYTE_UNITS; i++)
        if (strcmp(suffix, byte_units[i].letter) == 0 ||
            strcmp(suffix, byte_units[i].full) == 0)
            return &byte_units[i];
    return NULL;
}

/* Refuses a suffix that is none, and says which one may have been meant. */
static int err_suffix(struct err *err, const char *text, const char *suffix)
{
    char quoted[ERR_QUOTE];

    err_quote(quoted, text);
    for (size_t i = 0; i < BYTE_UNITS; i++) {
        const struct byte_unit *unit = &byte_units[i];

        if (strcasecmp(suffix, unit->ambiguous) == 0)
            return err_set(err, EXIT_CODE_USAGE, "'%s' is ambiguous: write %s or %s",
                           quoted, unit->letter, unit->full);
        if (strcasecmp(suffix, unit->letter) == 0 || strcasecmp(suffix, unit->full) == 0)
            return err_set(err, EXIT_CODE_USAGE, "'%s' is no size: write %s or %s",
                           quoted, unit->letter, unit->full);
    }
    return err_number(err, text, BYTES_ACCEPTED);
}

int units_parse_bytes(const char *text, uint64_t *bytes, struct err *err)
{
    const char *point, *end = skip_number(text, &point);
    const struct byte_unit *unit = byte_unit_find(end);
    unsigned shift = unit ? unit->shift : 0;
    uint64_t whole, fraction = 0;

    if (end == text)
        return err_number(err, text, BYTES_ACCEPTED);
    if (!unit && *end)
        return err_suffix(err, text, end);
    if (!unit && end != point)
        return err_number(err, text, BYTES_ACCEPTED);
    if (!whole_number(text, point, &whole) || whole > UINT64_MAX >> shift)
        return err_too_large(err, text);
    if (end != point && !whole_fraction(point + 1, end, shift, &fraction))
        return err_number(err, text, "a whole number of bytes");
    *bytes = (whole << shift) + fraction;
    return 0;
}

int units_parse_seconds(const char *text, double *seconds, struct err *err)
{
    const char *point, *end = skip_number(text, &point);
    const struct second_unit *unit = NULL;
    double number;

    for (size_t i = 0; i < SECOND_UNITS; i++)
        if (strcmp(end, second_units[i].name) == 0)
            unit = &second_units[i];
    if (end == text || !unit)
        return err_number(err, text, SECONDS_ACCEPTED);
    number = strtod(text, NULL) * unit->times / unit->over;
    if (!isfinite(number))
        return err_too_large(err, text);
    *seconds = number;
    return 0;
}

/* Past "e-12" at `at`; at itself where there is none. */
static const char *skip_exponent(const char *at)
{
    const char *digits = at + 1;

    if (*at != 'e' && *at != 'E')
        return at;
    if (*digits == '+' || *digits == '-')
        digits++;
    return skip_digits(digits) == digits ? at : skip_digits(digits);
}

int units_parse_real(const char *text, double *value, struct err *err)
{
    const char *start = text + (*text == '-' || *text == '+'), *point;
    const char *end = skip_number(start, &point);
    double number;

    if (end == start || *skip_exponent(end))
        return err_number(err, text, "a number such as 0.5");
    number = strtod(text, NULL);
    if (!isfinite(number))
        return err_too_large(err, text);
    *value = number;
    return 0;
}

/* bytes in the unit, exact, as a decimal number; false when that takes `most` letters
 * or more together with the unit's. */
static bool format_exact(char *text, size_t most, uint64_t bytes,
                         const struct byte_unit *unit)
{
    uint64_t mask = (UINT64_C(1) << unit->shift) - 1, rest = bytes & mask;
    size_t length = (size_t)sprintf(text, "%" PRIu64, bytes >> unit->shift);

    if (rest)
        text[length++] = '.';
    for (; rest && length < most; rest &= mask) {
        rest *= 10;
        text[length++] = (char)('0' + (rest >> unit->shift));
    }
    if (rest || length + 1 >= most)
        return false;
    strcpy(text + length, unit->letter);
    return true;
}

const char *units_format_bytes(char text[UNITS_TEXT], uint64_t bytes)
{
    char candidate[UNITS_TEXT];

    snprintf(text, UNITS_TEXT, "%" PRIu64, bytes);
    for (size_t i = 0; i < BYTE_UNITS; i++)
        if (format_exact(candidate, strlen(text), bytes, &byte_units[i]))
            strcpy(text, candidate);
    return text;
}

const char *units_format_human(char text[UNITS_TEXT], uint64_t bytes)
{
    static const char *const names[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    const size_t last = sizeof names / sizeof *names - 1;
    double value = (double)bytes;
    size_t unit = 0;
    int digits = 0;

    for (; value >= 999.5 && unit < last; unit++)
        value /= 1024;
    if (unit > 0)
        digits = value < 0.995 ? 2 : value < 9.95 ? 1 : 0;
    snprintf(text, UNITS_TEXT, "%.*f %s", digits, value, names[unit]);
    return text;
}
