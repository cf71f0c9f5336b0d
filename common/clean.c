/* SPDX-License-Identifier: BSD-3-Clause */
#include "clean.h"

#include <stdlib.h>
#include <string.h>

#include "err.h"

char *clean_text(char *to, size_t size, const char *from)
{
    size_t length = strnlen(from, size - 1);

    memcpy(to, from, length);
    to[length] = '\0';
    err_clean(to);
    return to;
}

json_t *clean_json(const char *from)
{
    size_t size = from ? strlen(from) + 1 : 1;
    char *text = size > 1 ? malloc(size) : NULL;
    json_t *json = text ? json_string(clean_text(text, size, from)) : NULL;

    free(text);
    return json;
}
