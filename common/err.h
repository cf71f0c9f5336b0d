/* SPDX-License-Identifier: BSD-3-Clause */
/* Errors travel: a function that can fail returns 0 or -1 and puts one line of
 * text and an exit code into its caller's struct err. Only bench.c prints. */
#ifndef RACKMARK_ERR_H
#define RACKMARK_ERR_H

/* The exit codes of every Rackmark program. */
enum exit_code {
    EXIT_CODE_GOOD = 0,
    EXIT_CODE_FAILURE = 1,    /* a library or the system failed */
    EXIT_CODE_USAGE = 2,      /* bad input: nothing was measured */
    EXIT_CODE_WRONG_DATA = 3, /* a repetition delivered wrong data */
    EXIT_CODE_CRITERION = 4,  /* a criterion was not met */
    EXIT_CODE_DEADLINE = 5,   /* no progress before the deadline */
    EXIT_CODE_NO_MODE = 6,    /* the requested mode was not obtained */
    EXIT_CODE_CEILING = 7,    /* a figure lies above its hardware ceiling */
};

struct err {
    int code; /* an enum exit_code; 0 while nothing is wrong */
    char text[480];
};

/* Fills err with one line (no newline, no program name) and returns -1, so that
 * callers can write `return err_set(...)`. A later call replaces an earlier one. The
 * text is made fit to print as by err_quote. */
int err_set(struct err *err, enum exit_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Puts text in front of what err says already: "FILE: " + "disk full". Returns -1. */
int err_prefix(struct err *err, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* What somebody typed, fit to stand in a message: control characters and bytes that are
 * not UTF-8 become '?', and the end of a long text "...". Returns quoted. */
enum { ERR_QUOTE = 64 };
const char *err_quote(char quoted[ERR_QUOTE], const char *typed);

/* In place: control characters and bytes that are not UTF-8 become '?'. */
void err_clean(char *text);

/* What an exit code means, for help and man page; NULL: no such code. The codes run
 * from 0 without a gap. */
const char *exit_code_text(int code);

/* The code that a whole run exits with when both a and b occurred:
 * 2, 1, 5 first (they end a run at once), then 3, 7, 6, 4, 0. */
int exit_code_worse(int a, int b);

#endif
