/* SPDX-License-Identifier: BSD-3-Clause */
#include "small_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool join(char path[SMALL_FILE_PATH], const char *root, const char *below)
{
    return snprintf(path, SMALL_FILE_PATH, "%s%s", root, below) < SMALL_FILE_PATH;
}

bool small_file_read(char text[SMALL_FILE_TEXT], const char *root, const char *path)
{
    char whole[SMALL_FILE_PATH];
    ssize_t got = -1;
    int fd = join(whole, root, path) ? open(whole, O_RDONLY | O_CLOEXEC) : -1;

    if (fd >= 0) {
        got = read(fd, text, SMALL_FILE_TEXT - 1);
        close(fd);
    }
    text[got > 0 ? got : 0] = '\0';
    if (got > 0 && text[got - 1] == '\n')
        text[got - 1] = '\0';
    return got >= 0;
}

bool small_file_exists(const char *root, const char *path)
{
    char whole[SMALL_FILE_PATH];

    return join(whole, root, path) && access(whole, F_OK) == 0;
}

char *small_file_line(char *text, const char *key)
{
    size_t length = strlen(key);

    for (char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, key, length) == 0) {
            line[strcspn(line, "\n")] = '\0';
            return line + length;
        }
    }
    return NULL;
}
