/* SPDX-License-Identifier: BSD-3-Clause */
#include "err.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Characters that would end the line, move the cursor or turn the reading direction. */
static bool is_control(uint32_t character)
{
    return character < 0x20 || (character >= 0x7f && character < 0xa0) ||
           (character >= 0x200e && character <= 0x200f) ||
           (character >= 0x2028 && character <= 0x202e) ||
           (character >= 0x2066 && character <= 0x2069);
}

/* The bytes of the printable UTF-8 character at `at`, or 0 when there is none. */
static size_t character_bytes(const char *at)
{
    /* the smallest character of each length: shorter ones are overlong */
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char lead = (unsigned char)at[0];
    size_t bytes = lead < 0x80 ? 1 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    uint32_t character = bytes == 1 ? lead : lead & (0xffU >> (bytes + 1));

    if (lead >= 0xf8 || (lead >= 0x80 && lead < 0xc0))
        return 0;
    for (size_t i = 1; i < bytes; i++) {
        if (((unsigned char)at[i] & 0xc0) != 0x80)
            return 0;
        character = character << 6 | ((unsigned char)at[i] & 0x3f);
    }
    if (character < smallest[bytes] || character > 0x10ffff ||
        (character >= 0xd800 && character <= 0xdfff) || is_control(character))
        return 0;
    return bytes;
}

void err_clean(char *text)
{
    while (*text) {
        size_t bytes = character_bytes(text);

        if (bytes == 0)
            *text = '?';
        text += bytes ? bytes : 1;
    }
}

/* Ends a text that did not fit into size bytes with "...", between characters. */
static void text_cut(char *text, size_t size)
{
    size_t end = size - sizeof "...";

    for (int i = 0; i < 3 && ((unsigned char)text[end] & 0xc0) == 0x80; i++)
        end--;
    memcpy(text + end, "...", sizeof "...");
}

/* length: of the whole text, as snprintf gives it. */
static void err_store(struct err *err, char *text, int length)
{
    if (length >= (int)sizeof err->text)
        text_cut(text, sizeof err->text);
    err_clean(text);
    memcpy(err->text, text, sizeof err->text);
}

int err_set(struct err *err, enum exit_code code, const char *format, ...)
{
    /* apart from err->text, which may be one of the arguments */
    char text[sizeof err->text] = "";
    va_list args;
    int length;

    va_start(args, format);
    length = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    err->code = code;
    err_store(err, text, length);
    return -1;
}

int err_prefix(struct err *err, const char *format, ...)
{
    char front[sizeof err->text] = "";
    char text[sizeof err->text] = "";
    va_list args;

    va_start(args, format);
    vsnprintf(front, sizeof front, format, args);
    va_end(args);
    err_store(err, text, snprintf(text, sizeof text, "%s%s", front, err->text));
    return -1;
}

const char *err_quote(char quoted[ERR_QUOTE], const char *typed)
{
    size_t length = strnlen(typed, ERR_QUOTE);

    memcpy(quoted, typed, length < ERR_QUOTE ? length + 1 : ERR_QUOTE);
    if (length == ERR_QUOTE)
        text_cut(quoted, ERR_QUOTE);
    err_clean(quoted);
    return quoted;
}

const char *exit_code_text(int code)
{
    static const char *const texts[] = {
        [EXIT_CODE_GOOD] = "all was measured as asked, and no check failed",
        [EXIT_CODE_FAILURE] = "a library or the system failed",
        [EXIT_CODE_USAGE] = "the input was refused: nothing was measured",
        [EXIT_CODE_WRONG_DATA] = "wrong data was delivered",
        [EXIT_CODE_CRITERION] = "reserved: a criterion was not met",
        [EXIT_CODE_DEADLINE] = "reserved: no progress before the deadline",
        [EXIT_CODE_NO_MODE] = "reserved: the requested mode was not obtained",
        [EXIT_CODE_CEILING] = "a figure lies above the ceiling of the hardware",
    };

    if (code < 0 || code >= (int)(sizeof texts / sizeof *texts))
        return NULL;
    return texts[code];
}

/* Codes that are not ours come first: whatever gave them is worse than we know. */
static int exit_code_place(int code)
{
    static const int order[] = {
        EXIT_CODE_USAGE,   EXIT_CODE_FAILURE, EXIT_CODE_DEADLINE,  EXIT_CODE_WRONG_DATA,
        EXIT_CODE_CEILING, EXIT_CODE_NO_MODE, EXIT_CODE_CRITERION, EXIT_CODE_GOOD,
    };
    const int count = sizeof order / sizeof *order;

    for (int i = 0; i < count; i++)
        if (order[i] == code)
            return i;
    return -1;
}

int exit_code_worse(int a, int b)
{
    return exit_code_place(b) < exit_code_place(a) ? b : a;
}
