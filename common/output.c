/* SPDX-License-Identifier: BSD-3-Clause */
#include "output.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "clean.h"
#include "result_file.h"
#include "writers.h"

enum { LINE_TEXT = 1024 }; /* of a note or a cause */

struct output {
    /* Two locks, always taken in this order. Standard output may block for ever (a
     * pager that nobody scrolls): the end mark must reach the file all the same. */
    pthread_mutex_t call; /* held during a whole call: guards writer_state */
    pthread_mutex_t mark; /* guards the rest; never held while standard output is
                             written */
    struct result_file file;
    enum format format;
    const struct writer *writer;
    struct writer_state state;
    char run[64];
    size_t records;
    bool started, ended;
};

static int out_of_memory(struct err *err)
{
    return err_set(err, EXIT_CODE_FAILURE, "out of memory");
}

int output_open(struct output **output, const char *path, enum format format,
                struct err *err)
{
    static const struct writer *const writers[] = {
        [FORMAT_TEXT] = &writer_text,
        [FORMAT_CSV] = &writer_csv,
        [FORMAT_JSONL] = &writer_json,
    };
    struct output *made = calloc(1, sizeof *made);

    *output = NULL;
    if (!made)
        return out_of_memory(err);
    if (result_file_open(&made->file, path, err) != 0) {
        free(made);
        return -1;
    }
    pthread_mutex_init(&made->call, NULL);
    pthread_mutex_init(&made->mark, NULL);
    made->format = format;
    made->writer = writers[format];
    made->state.path = path;
    *output = made;
    return output_columns(made, NULL, err);
}

int output_columns(struct output *output, const char *keys, struct err *err)
{
    return columns_choose(&output->state.columns, output->format, keys, err);
}

static int put_shown(const char *text, size_t size, struct err *err)
{
    if (result_file_put(STDOUT_FILENO, text, size) == size)
        return 0;
    return err_set(err, EXIT_CODE_FAILURE, "standard output: %s", strerror(errno));
}

/* Gathers in memory what the writer shows, so that it goes out in one write. */
static int show(struct output *output, writer_show *shows, const struct writer_item *item,
                struct err *err)
{
    char *text = NULL;
    size_t size = 0;
    bool failed;
    int rc;

    if (!shows)
        return 0;
    output->state.to = open_memstream(&text, &size);
    if (!output->state.to)
        return out_of_memory(err);
    shows(&output->state, item);
    failed = ferror(output->state.to) != 0;
    failed |= fclose(output->state.to) != 0;
    rc = failed ? out_of_memory(err) : put_shown(text, size, err);
    free(text);
    return rc;
}

/* The first error of a call is the one that is told. */
static int also(int rc, int next_rc, struct err *err, const struct err *next)
{
    if (rc != 0 || next_rc == 0)
        return rc;
    *err = *next;
    return next_rc;
}

/* Without its header a run's lines would be taken for another run's. */
static int store_run(struct output *output, const char *line, struct err *err)
{
    int rc = result_file_append(&output->file, line, strlen(line), err);

    output->started = true;
    if (rc != 0)
        output->file.broken = true;
    return rc;
}

int output_run(struct output *output, const json_t *header, struct err *err)
{
    const char *run = json_string_value(json_object_get(header, "run"));
    char *line = writer_json_run(header);
    struct writer_item item = {.header = header, .line = line};
    struct err next = {.code = 0};
    bool first;
    int rc = 0;

    if (!line)
        return out_of_memory(err);
    pthread_mutex_lock(&output->call);
    pthread_mutex_lock(&output->mark);
    first = !output->started && !output->ended;
    if (first) {
        clean_text(output->run, sizeof output->run, run ? run : "");
        rc = store_run(output, line, err);
    }
    pthread_mutex_unlock(&output->mark);
    if (first)
        rc = also(rc, show(output, output->writer->run, &item, &next), err, &next);
    pthread_mutex_unlock(&output->call);
    free(line);
    return rc;
}

/* Under both locks. *line is NULL when the run takes no records. */
static int store_record(struct output *output, const struct record *record, char **line,
                        struct err *err)
{
    int rc;

    *line = NULL;
    if (!output->started || output->ended)
        return 0;
    *line = writer_json_record(output->run, output->records, record);
    if (!*line)
        return out_of_memory(err);
    rc = result_file_append(&output->file, *line, strlen(*line), err);
    if (rc == 0)
        output->records++;
    return rc;
}

int output_record(struct output *output, const struct record *record, struct err *err)
{
    struct writer_item item = {.record = record};
    struct err next = {.code = 0};
    char *line;
    int rc;

    pthread_mutex_lock(&output->call);
    pthread_mutex_lock(&output->mark);
    rc = store_record(output, record, &line, err);
    pthread_mutex_unlock(&output->mark);
    item.line = line;
    if (line)
        rc = also(rc, show(output, output->writer->record, &item, &next), err, &next);
    pthread_mutex_unlock(&output->call);
    free(line);
    return rc;
}

int output_note(struct output *output, const char *text, struct err *err)
{
    char clean[LINE_TEXT];
    struct writer_item item = {.note = clean_text(clean, sizeof clean, text)};
    bool ended;
    int rc = 0;

    pthread_mutex_lock(&output->call);
    pthread_mutex_lock(&output->mark);
    ended = output->ended;
    pthread_mutex_unlock(&output->mark);
    if (!ended)
        rc = show(output, output->writer->note, &item, err);
    pthread_mutex_unlock(&output->call);
    return rc;
}

/* Under the mark. *line is NULL when there is no run to end, or no longer. */
static int store_end(struct output *output, struct ending *ending, char **line,
                     struct err *err)
{
    struct err next = {.code = 0};
    bool first = output->started && !output->ended;
    int rc;

    *line = NULL;
    output->ended = true;
    if (!first)
        return 0;
    ending->run = output->run;
    ending->records = output->records;
    *line = writer_json_end(ending);
    if (!*line)
        return out_of_memory(err);
    rc = result_file_append(&output->file, *line, strlen(*line), err);
    return also(rc, result_file_sync(&output->file, &next), err, &next);
}

static bool take_call(struct output *output)
{
    struct timespec until;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 1;
    return pthread_mutex_timedlock(&output->call, &until) == 0;
}

static int show_end(struct output *output, const struct ending *ending, const char *line,
                    bool alone, struct err *err)
{
    struct writer_item item = {.ending = ending, .line = line};

    if (!line)
        return 0;
    if (!alone)
        return err_set(err, EXIT_CODE_FAILURE, "standard output is stuck");
    return show(output, output->writer->end, &item, err);
}

int output_end(struct output *output, const char *status, int exit_code,
               const char *cause, struct err *err)
{
    struct ending ending = {.status = status, .exit_code = exit_code};
    struct err next = {.code = 0};
    bool alone;
    char clean[LINE_TEXT], *line;
    int rc;

    if (cause && *cause)
        ending.cause = clean_text(clean, sizeof clean, cause);
    pthread_mutex_lock(&output->mark);
    rc = store_end(output, &ending, &line, err);
    pthread_mutex_unlock(&output->mark);
    /* The file first: a launcher may leave no time for a reader that is slow. */
    alone = take_call(output);
    rc = also(rc, show_end(output, &ending, line, alone, &next), err, &next);
    if (alone)
        pthread_mutex_unlock(&output->call);
    free(line);
    return rc;
}

void output_close(struct output *output)
{
    if (!output)
        return;
    result_file_close(&output->file);
    pthread_mutex_destroy(&output->call);
    pthread_mutex_destroy(&output->mark);
    free(output);
}
