/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers with units, strict: the whole text must be the number. Every parser
 * returns 0, or -1 with err saying what is wrong with the text and what is accepted. */
#ifndef RACKMARK_UNITS_H
#define RACKMARK_UNITS_H

#include <stddef.h>
#include <stdint.h>

#include "err.h"

/* A whole number, decimal. No sign, no suffix. */
int units_parse_count(const char *text, uint64_t *count, struct err *err);

/* Bytes: a whole number, or a number (decimals allowed where the result is whole)
 * with K, M, G, T: binary, 1K = 1024. Also KiB, MiB, ...; KB and MB are refused as
 * ambiguous. */
int units_parse_bytes(const char *text, uint64_t *bytes, struct err *err);

/* Seconds: a decimal number, with us, ms, s, m, h; without a unit, seconds. */
int units_parse_seconds(const char *text, double *seconds, struct err *err);

/* A finite decimal number. */
int units_parse_real(const char *text, double *value, struct err *err);

/* "16M", "12": the shortest text that units_parse_bytes reads back exactly. */
enum { UNITS_TEXT = 32 };
const char *units_format_bytes(char text[UNITS_TEXT], uint64_t bytes);

/* Two or three digits for people, never parsed back: "1.5 GiB", "312 MiB". */
const char *units_format_human(char text[UNITS_TEXT], uint64_t bytes);

#endif
