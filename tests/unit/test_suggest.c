/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "suggest.h"

enum { CANDIDATES = 4 };

static const struct {
    const char *typed, *candidates[CANDIDATES], *nearest;
} cases[] = {
    /* nothing is near */
    {"", {"a", "ab"}, NULL},
    {"frobnicate", {"min-bytes", "factor"}, NULL},
    {"", {""}, NULL},
    {"ab", {"cd"}, NULL},
    {"ab", {"abcde"}, NULL}, /* two letters are no abbreviation */
    {"abcde", {"abxyz"}, NULL},
    {"abcdef", {"abcxyz"}, NULL},
    {"ca", {"abc"}, NULL}, /* 3 in this form of the distance, which a swap ends */
    /* one slip */
    {"lfoat", {"double", "float", "int8"}, "float"},
    {"min-byte", {"max-bytes", "min-bytes"}, "min-bytes"},
    {"min_bytes", {"max-bytes", "min-bytes"}, "min-bytes"},
    {"factr", {"factor"}, "factor"},
    {"ffactor", {"factor"}, "factor"},
    {"fcator", {"factor"}, "factor"},
    {"a", {"b"}, "b"},
    /* a third of the letters may be wrong, no more */
    {"abcdef", {"abcdxy"}, "abcdxy"},
    {"abcdefghi", {"abcdefxyz"}, "abcdefxyz"},
    {"abcdefgh", {"abcdexyz"}, NULL},
    /* the nearest, and the first among equals */
    {"min-bytee", {"max-bytes", "min-bytes", "xin-bytes"}, "min-bytes"},
    {"int", {"ints", "inta"}, "ints"},
    {"abcdef", {"abcdxy", "abcdex", "abcdef"}, "abcdef"},
    /* abbreviations of three letters and more, whatever is missing */
    {"min", {"factor", "minimum-of-everything"}, "minimum-of-everything"},
    {"dat", {"rat", "datatype"}, "rat"},
    {"mi", {"minimum"}, NULL},
    /* case is no difference */
    {"FLOAT", {"double", "float"}, "float"},
    {"FCATOR", {"factor"}, "factor"},
    {"MIN", {"minimum-of-everything"}, "minimum-of-everything"},
};

static void test_nearest(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct suggest suggest;

        suggest_start(&suggest, cases[i].typed);
        assert_null(suggest.nearest);
        for (size_t j = 0; j < CANDIDATES && cases[i].candidates[j]; j++)
            suggest_candidate(&suggest, cases[i].candidates[j]);
        if (cases[i].nearest)
            assert_string_equal(suggest.nearest, cases[i].nearest);
        else
            assert_null(suggest.nearest);
    }
}

static const struct {
    const char *typed, *candidate;
    size_t distance;
} distances[] = {
    {"float", "float", 0},
    {"lfoat", "float", 1},
    {"kitten-kitten", "sitting-kitten", 3},
    {"abcdefghijkl", "badcfeghijkl", 3},
    {"abcdefghi", "abcefghi", 1},
    {"abcdefghi", "abcdefghijk", 1}, /* abbreviation */
    {"abcdefghi", "xabcdefghiy", 2},
};

static void test_distance(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof distances / sizeof *distances; i++) {
        struct suggest suggest;

        suggest_start(&suggest, distances[i].typed);
        suggest_candidate(&suggest, distances[i].candidate);
        assert_ptr_equal(suggest.nearest, distances[i].candidate);
        assert_int_equal(suggest.distance, distances[i].distance);
    }
}

/* Neither side may run over a buffer; 10000 letters are no name. */
static void test_long_texts(void **state)
{
    char typed[10001], name[10001];
    struct suggest suggest;

    (void)state;
    memset(typed, 'x', sizeof typed);
    memset(name, 'x', sizeof name);
    for (size_t length = 40; length < sizeof typed; length = length * 5 / 4) {
        typed[length] = name[length] = '\0';
        suggest_start(&suggest, typed);
        suggest_candidate(&suggest, name);
        suggest_candidate(&suggest, "short");
        if (length <= 48)
            assert_ptr_equal(suggest.nearest, name);
        else
            assert_null(suggest.nearest);
        typed[length] = name[length] = 'x';
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nearest),
        cmocka_unit_test(test_distance),
        cmocka_unit_test(test_long_texts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
