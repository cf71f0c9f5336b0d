/* SPDX-License-Identifier: BSD-3-Clause */
#include "argfile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_BYTES_MOST = 1 << 20 };
static const char white_space[] = " \t\r\n\v\f";

static int add_word(struct argfile *file, char *word, struct err *err)
{
    char **argv = reallocarray(file->argv, (size_t)file->argc + 2, sizeof *argv);

    if (!argv)
        return err_set(err, EXIT_CODE_FAILURE, "out of memory");
    file->argv = argv;
    file->argv[file->argc++] = word;
    file->argv[file->argc] = NULL;
    return 0;
}

/* The whole file as a string, which file keeps. */
static char *read_text(struct argfile *file, const char *path, struct err *err)
{
    FILE *from = fopen(path, "re");
    char *text = malloc(FILE_BYTES_MOST + 1);
    char **texts = reallocarray(file->texts, (size_t)file->ntexts + 1, sizeof *texts);
    char quoted[ERR_QUOTE];
    size_t size = 0;

    if (texts)
        file->texts = texts;
    if (!from)
        err_set(err, EXIT_CODE_USAGE, "cannot read options from %s: %s",
                err_quote(quoted, path), strerror(errno));
    else if (!text || !texts)
        err_set(err, EXIT_CODE_FAILURE, "out of memory");
    else if ((size = fread(text, 1, FILE_BYTES_MOST, from)) == FILE_BYTES_MOST ||
             ferror(from) || memchr(text, '\0', size))
        err_set(err, EXIT_CODE_USAGE, "%s is not a file of options",
                err_quote(quoted, path));
    if (from)
        fclose(from);
    if (err->code) {
        free(text);
        return NULL;
    }
    text[size] = '\0';
    return file->texts[file->ntexts++] = text;
}

/* Ends the word that starts at *at, without its quotation marks, and moves *at behind
 * it. NULL: a mark is not closed. */
static char *cut_word(char **at)
{
    char *word = *at, *to = *at, *from = *at;
    int quoted = 0;

    for (; *from && (quoted || !strchr(white_space, *from)); from++) {
        if (*from == '"')
            quoted = !quoted;
        else
            *to++ = *from;
    }
    *at = *from ? from + 1 : from;
    *to = '\0';
    return quoted ? NULL : word;
}

static int add_file(struct argfile *file, const char *path, struct err *err)
{
    char quoted[ERR_QUOTE];
    char *text = read_text(file, path, err);

    while (text && *(text += strspn(text, white_space))) {
        if (*text == '#') {
            text += strcspn(text, "\n");
            continue;
        }
        char *word = cut_word(&text);
        if (!word)
            return err_set(err, EXIT_CODE_USAGE, "%s: a quotation mark is not closed",
                           err_quote(quoted, path));
        if (add_word(file, word, err))
            return -1;
    }
    return text ? 0 : -1;
}

int argfile_open(struct argfile *file, int argc, char **argv, struct err *err)
{
    *file = (struct argfile){0};
    for (int i = 0; i < argc; i++) {
        int failed = i > 0 && argv[i][0] == '@' ? add_file(file, argv[i] + 1, err)
                                                : add_word(file, argv[i], err);

        if (failed)
            return -1;
    }
    return 0;
}

void argfile_close(struct argfile *file)
{
    for (int i = 0; i < file->ntexts; i++)
        free(file->texts[i]);
    free(file->texts);
    free(file->argv);
    *file = (struct argfile){0};
}
