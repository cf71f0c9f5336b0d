/* SPDX-License-Identifier: BSD-3-Clause */
#include "options.h"

#include <ctype.h>
#include <string.h>

#include "options_private.h"
#include "suggest.h"

const struct option *options_row(const struct option_set *sets, size_t nsets,
                                 size_t index, void **value)
{
    for (size_t i = 0; i < nsets; i++) {
        if (index < sets[i].count) {
            const struct option *row = &sets[i].rows[index];

            if (value)
                *value = sets[i].values ? (char *)sets[i].values + row->offset : NULL;
            return row;
        }
        index -= sets[i].count;
    }
    return NULL;
}

const char *option_default_text(const struct option *row,
                                const struct option_default *overrides)
{
    for (; overrides && overrides->name; overrides++)
        if (strcmp(overrides->name, row->name) == 0)
            return overrides->text;
    return row->otherwise;
}

static const struct option *find_name(const struct option_set *sets, size_t nsets,
                                      const char *name, void **value)
{
    const struct option *row;

    for (size_t i = 0; (row = options_row(sets, nsets, i, value)); i++)
        if (strcmp(row->name, name) == 0)
            return row;
    return NULL;
}

static const struct option *find_letter(const struct option_set *sets, size_t nsets,
                                        char letter, void **value)
{
    const struct option *row;

    for (size_t i = 0; (row = options_row(sets, nsets, i, value)); i++)
        if (row->letter && row->letter == letter)
            return row;
    return NULL;
}

static bool choices_fit(const struct option *row)
{
    struct option_text text;
    size_t count = row->choice ? option_choices_count(row) : 0;

    if (count == 0 || count > OPTION_CHOICES_MOST)
        return false;
    option_choices_text(row, &text);
    return text.length < sizeof text.at - 1;
}

static int err_table(struct err *err, const struct option *row, const char *what)
{
    return err_set(err, EXIT_CODE_FAILURE, "option table: --%s: %s", row->name, what);
}

/* What would make an option unreachable or unreadable. */
static int row_check(const struct option_set *sets, size_t nsets,
                     const struct option *row, const char *otherwise, struct err *err)
{
    bool chooses = row->type == OPTION_CHOICE || row->type == OPTION_CHOICES;
    size_t length = strlen(row->name);

    if (length < 2 || length > OPTION_NAME_MOST || strchr(row->name, '='))
        return err_table(err, row, "not a name");
    if (find_name(sets, nsets, row->name, NULL) != row)
        return err_table(err, row, "the name is taken");
    if (row->letter && !isalpha((unsigned char)row->letter))
        return err_table(err, row, "not a letter");
    if (row->letter && find_letter(sets, nsets, row->letter, NULL) != row)
        return err_table(err, row, "the letter is taken");
    if (row->type == OPTION_FLAG && otherwise)
        return err_table(err, row, "a flag has no default");
    if (chooses && !choices_fit(row))
        return err_table(err, row, "no choices, or too many");
    return 0;
}

static int default_write(const struct option *row, void *value, const char *otherwise,
                         struct err *err)
{
    static const size_t value_bytes[] = {
        [OPTION_FLAG] = sizeof(bool),        [OPTION_COUNT] = sizeof(uint64_t),
        [OPTION_BYTES] = sizeof(uint64_t),   [OPTION_SIZES] = sizeof(struct size_list),
        [OPTION_REAL] = sizeof(double),
        [OPTION_SECONDS] = sizeof(double),   [OPTION_CHOICE] = sizeof(int),
        [OPTION_CHOICES] = sizeof(uint64_t), [OPTION_TEXT] = sizeof(const char *),
    };

    memset(value, 0, value_bytes[row->type]);
    if (!otherwise || option_value_parse(row, value, otherwise, err) == 0)
        return 0;
    err_prefix(err, "option table: ");
    err->code = EXIT_CODE_FAILURE;
    return -1;
}

int options_defaults(const struct option_set *sets, size_t nsets,
                     const struct option_default *overrides, struct err *err)
{
    const struct option *row;
    void *value;

    for (const struct option_default *at = overrides; at && at->name; at++)
        if (!find_name(sets, nsets, at->name, NULL))
            return err_set(err, EXIT_CODE_FAILURE, "option table: no --%s to override",
                           at->name);
    for (size_t i = 0; (row = options_row(sets, nsets, i, &value)); i++) {
        const char *otherwise = option_default_text(row, overrides);

        if (row_check(sets, nsets, row, otherwise, err) ||
            default_write(row, value, otherwise, err))
            return -1;
    }
    return 0;
}

/* Where the parser is in argv. */
struct reader {
    const struct option_set *sets;
    size_t nsets;
    char **next, **end;
};

/* The next argument as the value of row. One that looks like an option is none: a
 * forgotten value would swallow it. It can still be given as --name=-value. */
static const char *value_take(struct reader *reader, const struct option *row,
                              struct err *err)
{
    const char *typed = reader->next < reader->end ? *reader->next : NULL;
    char quoted[ERR_QUOTE];

    if (typed && (typed[0] != '-' || !typed[1] || isdigit((unsigned char)typed[1]))) {
        reader->next++;
        return typed;
    }
    err_set(err, EXIT_CODE_USAGE, "--%s: the value is missing%s%s%s", row->name,
            typed ? " before '" : "", typed ? err_quote(quoted, typed) : "",
            typed ? "'" : "");
    return NULL;
}

/* Sets one option; given: what stands in the same argument, or NULL. */
static int option_set_value(struct reader *reader, const struct option *row, void *value,
                            const char *given, struct err *err)
{
    char quoted[ERR_QUOTE];

    if (row->type != OPTION_FLAG) {
        if (!given)
            given = value_take(reader, row, err);
        return given ? option_value_parse(row, value, given, err) : -1;
    }
    if (given)
        return err_set(err, EXIT_CODE_USAGE, "--%s: takes no value, but '%s' was given",
                       row->name, err_quote(quoted, given));
    *(bool *)value = true;
    return 0;
}

/* typed: the whole name with its dashes. */
static int err_unknown(const struct reader *reader, const char *typed, struct err *err)
{
    char quoted[ERR_QUOTE];
    const struct option *row;
    struct suggest suggest;

    suggest_start(&suggest, typed + strspn(typed, "-"));
    for (size_t i = 0; (row = options_row(reader->sets, reader->nsets, i, NULL)); i++)
        suggest_candidate(&suggest, row->name);
    err_quote(quoted, typed);
    if (suggest.nearest)
        return err_set(err, EXIT_CODE_USAGE, "unknown option '%s': did you mean --%s?",
                       quoted, suggest.nearest);
    return err_set(err, EXIT_CODE_USAGE, "unknown option '%s': see --help", quoted);
}

/* "--name" or "--name=value" */
static int read_name(struct reader *reader, const char *typed, struct err *err)
{
    /* one longer than what err_quote shows, for it to see that there is more */
    char name[ERR_QUOTE + 1];
    const char *equals = strchr(typed, '=');
    size_t length = equals ? (size_t)(equals - typed) : strlen(typed);
    const struct option *row;
    void *value;

    if (length > ERR_QUOTE)
        length = ERR_QUOTE;
    memcpy(name, typed, length);
    name[length] = '\0';
    row = find_name(reader->sets, reader->nsets, name + 2, &value);
    if (!row)
        return err_unknown(reader, name, err);
    return option_set_value(reader, row, value, equals ? equals + 1 : NULL, err);
}

static int err_letter(const char *typed, char letter, struct err *err)
{
    char quoted[ERR_QUOTE];

    err_quote(quoted, typed);
    if (typed[2] && isgraph((unsigned char)letter))
        return err_set(err, EXIT_CODE_USAGE, "unknown option '-%c' in '%s': see --help",
                       letter, quoted);
    return err_set(err, EXIT_CODE_USAGE, "unknown option '%s': see --help", quoted);
}

/* "-l", "-lvalue", "-hV", "-hVlvalue" */
static int read_letters(struct reader *reader, const char *typed, struct err *err)
{
    char quoted[ERR_QUOTE];

    /* "-help" would otherwise be -h, then -e with the value "lp" */
    if (typed[2] && find_name(reader->sets, reader->nsets, typed + 1, NULL))
        return err_unknown(reader, typed, err);
    for (const char *at = typed + 1; *at; at++) {
        void *value;
        const struct option *row = find_letter(reader->sets, reader->nsets, *at, &value);
        bool is_flag = row && row->type == OPTION_FLAG;

        if (!row)
            return err_letter(typed, *at, err);
        if (at[1] == '=')
            return err_set(err, EXIT_CODE_USAGE,
                           is_flag ? "'%s': --%s takes no value"
                                   : "'%s': write --%s=VALUE",
                           err_quote(quoted, typed), row->name);
        if (option_set_value(reader, row, value, is_flag || !at[1] ? NULL : at + 1, err))
            return -1;
        if (!is_flag)
            break;
    }
    return 0;
}

int options_parse(const struct option_set *sets, size_t nsets, int argc, char **argv,
                  struct err *err)
{
    struct reader reader = {
        .sets = sets, .nsets = nsets, .next = argv + 1, .end = argv + argc};
    char quoted[ERR_QUOTE];
    int rc = 0;

    while (rc == 0 && reader.next < reader.end) {
        const char *typed = *reader.next++;
        size_t dashes = strspn(typed, "-");

        if (dashes == 0 || !typed[dashes])
            rc = err_set(err, EXIT_CODE_USAGE, "unexpected argument '%s'",
                         err_quote(quoted, typed));
        else if (dashes == 1)
            rc = read_letters(&reader, typed, err);
        else
            rc = read_name(&reader, typed, err);
    }
    return rc;
}
