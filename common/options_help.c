/* SPDX-License-Identifier: BSD-3-Clause */
/* The table as text for people: --help and the man page. */
#include <string.h>

#include "options_private.h"
#include "prose.h"

enum { HELP_COLUMN = 28 }; /* where the text of an option starts */

/* How a section and an option of it are written. */
struct style {
    void (*section)(const char *name, bool first, FILE *to);
    void (*row)(const struct option *row, const char *text, FILE *to);
};

static const char *section_of(const struct option *row)
{
    return row->section ? row->section : "Options";
}

static const char *unit_of(const struct option *row)
{
    return row->unit ? row->unit : "VALUE";
}

/* The row's sentence, then "(default 8; 2 or more)". */
static void describe(const struct option *row, const char *otherwise,
                     struct option_text *text)
{
    const char *between = " (";
    struct option_text range, choices;

    option_text_add(text, "%s", row->text);
    option_range_text(row, &range);
    if (!otherwise && row->type == OPTION_CHOICE)
        otherwise = row->choice(0);
    if (otherwise) {
        option_text_add(text, "%sdefault %s", between, otherwise);
        between = "; ";
    }
    if (row->choice) {
        option_choices_text(row, &choices);
        option_text_add(text, "%schoices: %s", between, choices.at);
        between = "; ";
    }
    if (range.length) {
        option_text_add(text, "%s%s", between, range.at);
        between = "; ";
    }
    if (between[0] == ';')
        option_text_add(text, ")");
}

static bool is_first_of_section(const struct option_set *sets, size_t nsets, size_t index)
{
    const char *section = section_of(options_row(sets, nsets, index, NULL));

    for (size_t i = 0; i < index; i++)
        if (strcmp(section_of(options_row(sets, nsets, i, NULL)), section) == 0)
            return false;
    return true;
}

static void write_section(const struct option_set *sets, size_t nsets,
                          const struct option_default *overrides, size_t first,
                          const struct style *style, FILE *to)
{
    const char *section = section_of(options_row(sets, nsets, first, NULL));
    const struct option *row;

    style->section(section, first == 0, to);
    for (size_t i = first; (row = options_row(sets, nsets, i, NULL)); i++) {
        struct option_text text = {0};

        if (strcmp(section_of(row), section) != 0)
            continue;
        describe(row, option_default_text(row, overrides), &text);
        style->row(row, text.at, to);
    }
}

static void write_all(const struct option_set *sets, size_t nsets,
                      const struct option_default *overrides, const struct style *style,
                      FILE *to)
{
    for (size_t i = 0; options_row(sets, nsets, i, NULL); i++)
        if (is_first_of_section(sets, nsets, i))
            write_section(sets, nsets, overrides, i, style, to);
}

static void help_section(const char *name, bool first, FILE *to)
{
    fprintf(to, "%s%s:\n", first ? "" : "\n", name);
}

static void help_row(const struct option *row, const char *text, FILE *to)
{
    bool is_flag = row->type == OPTION_FLAG;
    char letter[] = {'-', row->letter, ',', '\0'};
    int column = fprintf(to, "  %3s --%s%s%s", row->letter ? letter : "", row->name,
                         is_flag ? "" : " ", is_flag ? "" : unit_of(row));

    /* two blanks at least between an option and its text */
    if (column + 2 > HELP_COLUMN) {
        fputc('\n', to);
        column = 0;
    }
    fprintf(to, "%*s", HELP_COLUMN - column, "");
    prose_wrap(text, HELP_COLUMN, HELP_COLUMN, to);
}

void options_help(const struct option_set *sets, size_t nsets,
                  const struct option_default *overrides, FILE *to)
{
    static const struct style style = {.section = help_section, .row = help_row};

    write_all(sets, nsets, overrides, &style, to);
}

static void man_section(const char *name, bool first, FILE *to)
{
    (void)first;
    fputs(".SS ", to);
    prose_roff(name, to);
    fputc('\n', to);
}

static void man_row(const struct option *row, const char *text, FILE *to)
{
    fputs(".TP\n", to);
    if (row->letter)
        fprintf(to, "\\fB\\-%c\\fR, ", row->letter);
    fputs("\\fB", to);
    prose_roff("--", to);
    prose_roff(row->name, to);
    fputs("\\fR", to);
    if (row->type != OPTION_FLAG) {
        fputs(" \\fI", to);
        prose_roff(unit_of(row), to);
        fputs("\\fR", to);
    }
    fputc('\n', to);
    prose_roff(text, to);
    fputc('\n', to);
}

void options_man(const struct option_set *sets, size_t nsets,
                 const struct option_default *overrides, FILE *to)
{
    static const struct style style = {.section = man_section, .row = man_row};

    write_all(sets, nsets, overrides, &style, to);
}
