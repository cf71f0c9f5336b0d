/* SPDX-License-Identifier: BSD-3-Clause */
#include "suggest.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

/* Longer texts are no mistyped names. */
enum { LENGTH_MOST = 48 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static bool same_letter(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Damerau-Levenshtein distance in its restricted form (optimal string alignment): how
 * many insertions, deletions, replacements and swaps of neighbours lead from a to b,
 * none of them touching a letter twice. Upper and lower case are the same. */
static size_t distance_of(const char *a, const char *b)
{
    size_t length_a = strlen(a), length_b = strlen(b);
    /* table[i][j]: from the first i letters of a to the first j of b */
    size_t table[LENGTH_MOST + 1][LENGTH_MOST + 1];

    for (size_t j = 0; j <= length_b; j++)
        table[0][j] = j;
    for (size_t i = 1; i <= length_a; i++) {
        table[i][0] = i;
        for (size_t j = 1; j <= length_b; j++) {
            size_t change = table[i - 1][j - 1] + !same_letter(a[i - 1], b[j - 1]);
            size_t other = least(table[i - 1][j], table[i][j - 1]) + 1;

            table[i][j] = least(change, other);
            if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) &&
                same_letter(a[i - 2], b[j - 1]))
                table[i][j] = least(table[i][j], table[i - 2][j - 2] + 1);
        }
    }
    return table[length_a][length_b];
}

void suggest_start(struct suggest *suggest, const char *typed)
{
    suggest->typed = typed;
    suggest->nearest = NULL;
    suggest->distance = SIZE_MAX;
}

void suggest_candidate(struct suggest *suggest, const char *name)
{
    size_t length = strlen(suggest->typed), near = length / 3 > 1 ? length / 3 : 1;
    size_t distance;

    if (length == 0 || length > LENGTH_MOST || strlen(name) > LENGTH_MOST)
        return;
    distance = distance_of(suggest->typed, name);
    /* an abbreviation says as much as a slip of one letter */
    if (length >= 3 && strncasecmp(suggest->typed, name, length) == 0)
        distance = least(distance, 1);
    if (distance <= near && distance < suggest->distance) {
        suggest->nearest = name;
        suggest->distance = distance;
    }
}
