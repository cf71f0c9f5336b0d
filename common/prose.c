/* SPDX-License-Identifier: BSD-3-Clause */
#include "prose.h"

#include <stdbool.h>
#include <string.h>

/* One word of `length` letters; returns the column behind it. */
static size_t wrap_word(const char *word, size_t length, size_t column, size_t indent,
                        FILE *to)
{
    if (column > indent && column + 1 + length > PROSE_COLUMNS) {
        fputc('\n', to);
        column = 0;
    }
    /* a line that has nothing yet is indented; one that has gets a blank */
    if (column <= indent)
        fprintf(to, "%*s", (int)(indent - column), "");
    else
        fputc(' ', to);
    fwrite(word, 1, length, to);
    return (column <= indent ? indent : column + 1) + length;
}

void prose_wrap(const char *text, size_t column, size_t indent, FILE *to)
{
    for (;;) {
        size_t space = strspn(text, " \n"), length = strcspn(text + space, " \n");
        const char *line_end = memchr(text, '\n', space);

        if (length == 0)
            break;
        if (line_end &&
            memchr(line_end + 1, '\n', space - (size_t)(line_end + 1 - text))) {
            fputs("\n\n", to);
            column = 0;
        }
        column = wrap_word(text + space, length, column, indent, to);
        text += space + length;
    }
    fputc('\n', to);
}

/* The name of a character that roff would not print as it stands; NULL: it would. */
static const char *roff_name(char character)
{
    switch (character) {
    case '\\':
        return "\\(rs";
    case '-':
        return "\\-";
    case '\'':
        return "\\(aq";
    case '`':
        return "\\(ga";
    case '"':
        return "\\(dq";
    case '^':
        return "\\(ha";
    case '~':
        return "\\(ti";
    default:
        return NULL;
    }
}

void prose_roff(const char *text, FILE *to)
{
    bool line_start = true;

    for (; *text; text++) {
        const char *name = roff_name(*text);

        if (line_start && *text == '.')
            fputs("\\&", to);
        if (name)
            fputs(name, to);
        else if (*text == '\n' && line_start)
            fputs(".PP\n", to);
        else if (*text != ' ' || !line_start)
            fputc(*text, to);
        line_start = *text == '\n' || (line_start && *text == ' ');
    }
}
