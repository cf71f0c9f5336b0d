/* SPDX-License-Identifier: BSD-3-Clause */
/* The table for people: 100 columns, "# " before all that is not a row of figures. */
#include "writers.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "clean.h"
#include "operations.h"

enum { CELL_TEXT = 64, LINE_COLUMNS = 100 };

static const char *text_at(const json_t *header, const char *object, const char *key)
{
    const json_t *in = object ? json_object_get(header, object) : header;
    const char *text = json_string_value(json_object_get(in, key));

    return text ? text : "not known";
}

static json_int_t whole_at(const json_t *header, const char *object, const char *key)
{
    return json_integer_value(json_object_get(json_object_get(header, object), key));
}

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

static void put_program(FILE *to, const json_t *header)
{
    fprintf(to, "# %s %s (git: %s)\n# run %s, started %s\n",
            text_at(header, NULL, "program"), text_at(header, NULL, "version"),
            text_at(header, NULL, "git"), text_at(header, NULL, "run"),
            text_at(header, NULL, "start_utc"));
}

static void put_backend(FILE *to, const json_t *header)
{
    fprintf(to, "# backend %s: %s; ranks meet over %s\n",
            text_at(header, "backend", "name"), text_at(header, "backend", "library"),
            text_at(header, "world", "library"));
}

/* As many hosts as one line holds. */
static void put_hosts(FILE *to, const json_t *header)
{
    const json_t *hosts = json_object_get(header, "hosts"), *host;
    size_t count = json_array_size(hosts), i;
    json_int_t ranks = whole_at(header, "world", "ranks");
    int columns = fprintf(to, "# %" JSON_INTEGER_FORMAT " rank%s on %zu host%s", ranks,
                          plural((uint64_t)ranks), count, plural(count));

    json_array_foreach(hosts, i, host)
    {
        char text[CELL_TEXT * 2];
        int length = snprintf(text, sizeof text, "%s %s (%" JSON_INTEGER_FORMAT ")",
                              i ? "," : ":", text_at(host, NULL, "host"),
                              json_integer_value(json_object_get(host, "ranks")));

        if (i && columns + length > LINE_COLUMNS - 16) {
            fprintf(to, ", and %zu more", count - i);
            break;
        }
        columns += fprintf(to, "%s", text);
    }
    fputc('\n', to);
}

static void put_plan(FILE *to, const json_t *header)
{
    static const char *const keys[] = {"timing",    "check",    "seed", "iterations",
                                       "precision", "max-time", NULL};
    const json_t *config = json_object_get(header, "config");
    json_int_t points = whole_at(header, "plan", "points");

    fprintf(to, "# %" JSON_INTEGER_FORMAT " point%s", points, plural((uint64_t)points));
    for (size_t i = 0; keys[i]; i++) {
        const char *value = json_string_value(json_object_get(config, keys[i]));

        if (value && strcmp(value, "0") != 0)
            fprintf(to, "; %s %s", keys[i], value);
    }
    fputc('\n', to);
}

static void show_header(struct writer_state *state, const struct writer_item *item)
{
    put_program(state->to, item->header);
    put_backend(state->to, item->header);
    put_hosts(state->to, item->header);
    put_plan(state->to, item->header);
    fputs("# Times are of the slowest rank. low, high: 95 % interval of the median within"
          " this run.\n"
          "# slow: the rank that was the slowest most often, and in what share of the"
          " samples.\n"
          "# lim: busbw over a limit: a copy of the same size on one host, the network ports "
          "of several.\n",
          state->to);
}

/* Cells are set against right edges, so that columns line up again after a number that
 * was wider than its column. */
struct cursor {
    int printed, edge;
};

static void put_cell(FILE *to, struct cursor *cursor, const char *text, int width)
{
    int length = (int)strlen(text);
    int least = cursor->edge ? 1 : 0;
    int gap;

    cursor->edge += width + least;
    if (!*text) /* no blanks at the end of a line */
        return;
    gap = cursor->edge - cursor->printed - length;
    gap = gap < least ? least : gap;
    fprintf(to, "%*s%s", gap, "", text);
    cursor->printed += gap + length;
}

static void put_headings(FILE *to, const struct columns *columns)
{
    struct cursor titles = {.printed = 1}, units = {.printed = 1};

    fputc('#', to);
    for (size_t i = 0; i < columns->count; i++)
        put_cell(to, &titles, columns->at[i].title, columns->at[i].width);
    fputs("\n#", to);
    for (size_t i = 0; i < columns->count; i++)
        put_cell(to, &units, columns->at[i].unit, columns->at[i].width);
    fputc('\n', to);
}

static void format_text(char *cell, const struct column *column,
                        const struct field_value *value)
{
    (void)column;
    clean_text(cell, CELL_TEXT, value->text);
}

static void format_whole(char *cell, const struct column *column,
                         const struct field_value *value)
{
    (void)column;
    snprintf(cell, CELL_TEXT, "%" PRId64, value->whole);
}

/* At least the column's significant digits, where the column holds them, and all those
 * before the point. */
static void format_real(char *cell, const struct column *column,
                        const struct field_value *value)
{
    double real = value->real * column->scale;
    int magnitude = real > 0 ? (int)floor(log10(real)) : 0;
    int decimals = column->digits - 1 - magnitude;

    if (decimals > column->width - 2)
        decimals = column->width - 2;
    snprintf(cell, CELL_TEXT, "%.*f", decimals > 0 ? decimals : 0, real);
}

static void format_cell(char *cell, const struct column *column,
                        const struct field_value *value)
{
    static void (*const formats[])(char *, const struct column *,
                                   const struct field_value *) = {
        [FIELD_TEXT] = format_text,  [FIELD_CHARS] = format_text,
        [FIELD_UINT] = format_whole, [FIELD_INT] = format_whole,
        [FIELD_REAL] = format_real,
    };

    strcpy(cell, "-");
    if (value->present)
        formats[column->field->type](cell, column, value);
}

static void put_row(FILE *to, const struct columns *columns, const struct record *record)
{
    struct cursor cursor = {.printed = 0};
    struct field_value value;
    char cell[CELL_TEXT];

    for (size_t i = 0; i < columns->count; i++) {
        record_get(record, columns->at[i].field, &value);
        format_cell(cell, &columns->at[i], &value);
        put_cell(to, &cursor, cell, columns->at[i].width);
    }
    fputc('\n', to);
}

/* What is the same in all rows of a table. */
static void format_group(char group[GROUP_TEXT], const struct record *record)
{
    const struct operation *operation =
        record->operation ? operation_find(record->operation) : NULL;
    const char *const parts[] = {operation ? operation->title : record->operation,
                                 record->pattern,
                                 record->datatype,
                                 record->op,
                                 record->timing,
                                 record->placement};
    size_t length = 0;

    group[0] = '\0';
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (!parts[i] || !*parts[i] || length >= GROUP_TEXT)
            continue;
        length += (size_t)snprintf(group + length, GROUP_TEXT - length, "%s%s",
                                   length ? ", " : "", parts[i]);
    }
}

static void put_wrong(FILE *to, const struct record *record)
{
    char host[RECORD_TEXT];

    fprintf(to, "# WRONG DATA: %" PRIu64 " element%s", record->wrong,
            plural(record->wrong));
    if (record->wrong_rank >= 0)
        fprintf(to, "; first: rank %d on %s, element %" PRIu64 ": got %s, expected %s",
                record->wrong_rank, clean_text(host, sizeof host, record->wrong_host),
                record->wrong_element, record->wrong_got, record->wrong_expected);
    fputc('\n', to);
}

/* Where the backend does not offer a point, there is no figure to show. */
static void put_not_offered(FILE *to, const struct record *record)
{
    fprintf(to, "# %" PRIu64 " bytes: not offered by the backend\n", record->bytes);
}

static bool check_is(const struct record *record, const char *outcome)
{
    return record->check && strcmp(record->check, outcome) == 0;
}

static void show_row(struct writer_state *state, const struct writer_item *item)
{
    const struct record *record = item->record;
    char group[GROUP_TEXT];

    format_group(group, record);
    if (strcmp(group, state->group) != 0) {
        fprintf(state->to, "\n# %s\n", group);
        put_headings(state->to, &state->columns);
        strcpy(state->group, group);
    }
    if (record->samples == 0) {
        put_not_offered(state->to, record);
        state->empty++;
        return;
    }
    put_row(state->to, &state->columns, record);
    if (record->wrong > 0) {
        put_wrong(state->to, record);
        state->wrong++;
    }
    state->weak += check_is(record, "weak");
    state->unchecked += check_is(record, "none");
}

static void show_note(struct writer_state *state, const struct writer_item *item)
{
    fprintf(state->to, "# %s\n", item->note);
}

static void put_count(FILE *to, size_t count, const char *text)
{
    if (count)
        fprintf(to, "# %zu record%s %s\n", count, plural(count), text);
}

static void show_footer(struct writer_state *state, const struct writer_item *item)
{
    const struct ending *ending = item->ending;

    fprintf(state->to, "\n# %s", ending->status);
    if (ending->exit_code)
        fprintf(state->to, ", exit code %d", ending->exit_code);
    if (ending->cause)
        fprintf(state->to, ": %s", ending->cause);
    fprintf(state->to, "\n# %zu record%s%s%s\n", ending->records, plural(ending->records),
            state->path ? ", also in " : "", state->path ? state->path : "");
    put_count(state->to, state->empty, "without a figure: not offered by the backend");
    put_count(state->to, state->wrong, "with WRONG DATA");
    put_count(state->to, state->weak,
              "with a weak check: a lost contribution could have gone unseen");
    put_count(state->to, state->unchecked, "not checked: their data may be wrong");
}

const struct writer writer_text = {
    .run = show_header, .record = show_row, .note = show_note, .end = show_footer};
