/* SPDX-License-Identifier: BSD-3-Clause */
#include "values.h"

#include <math.h>
#include <string.h>

#include "values_private.h"

/* The increment and the finalizer of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014;
 * constants: variant 13 of Stafford's mixers, in the public domain). */
static const uint64_t golden = UINT64_C(0x9e3779b97f4a7c15);

static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

/* The index-th number of the sequence that key names. */
static uint64_t hash(uint64_t key, uint64_t index)
{
    return mix(key + (index + 1) * golden);
}

/* Scales a hash to [0, range), range <= 2^32: the upper 64 bits of their product. */
static uint64_t scale(uint64_t hashed, uint64_t range)
{
    return ((hashed >> 32) * range + ((hashed & UINT32_MAX) * range >> 32)) >> 32;
}

/* What the sequences of numbers are for. Those of a table entry stand together, so that
 * entries of one key never share one. */
enum draw { DRAW_COUNT, DRAW_START, DRAW_SIGN, DRAW_OTHERS, DRAWS };
enum purpose { FOR_MULTIPLIER, FOR_TABLE, FOR_MOVED };

static uint64_t draw(const struct values_source *source, uint64_t entry, enum draw which)
{
    return hash(source->key, entry * DRAWS + which);
}

static uint64_t gcd(uint64_t a, uint64_t b)
{
    while (b != 0) {
        uint64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

/* The largest s of sums and products: see values.h. */
static uint64_t count_most(const struct values *values)
{
    uint64_t n = (uint64_t)values->nranks;

    if (values->op == OP_PROD)
        return values->type->is_signed ? n : values_min(n, values->type->twos - 1);
    return values_min(n, values->type->exact - 1);
}

/* t of min and max. */
static int64_t level_most(const struct values *values)
{
    return (int64_t)values_min(values->type->exact - 1, UINT64_C(1) << 62);
}

static bool is_negative(const struct values_source *source, uint64_t entry)
{
    return source->values.type->is_signed && draw(source, entry, DRAW_SIGN) >> 63;
}

/* How many ranks of the source are among the s that take part in this entry. Products
 * stay under 2^62, as a, r and n are under 2^31. */
static uint64_t count_of(const struct values_source *source, uint64_t entry)
{
    uint64_t n = (uint64_t)source->values.nranks, a = source->values.multiplier;
    uint64_t s = 1 + scale(draw(source, entry, DRAW_COUNT), count_most(&source->values));
    uint64_t b = scale(draw(source, entry, DRAW_START), n);
    uint64_t place = (a * (uint64_t)source->first_rank + b) % n, count = 0;

    if (source->nranks == source->values.nranks)
        return s;
    for (int i = 0; i < source->nranks; i++) {
        count += place < s;
        place += a;
        place -= place >= n ? n : 0;
    }
    return count;
}

/* The largest value among the ranks of the source, as max has them. */
static int64_t level_of(const struct values_source *source, uint64_t entry)
{
    const struct values *values = &source->values;
    int64_t most = level_most(values), low = values->type->is_signed ? -most : 0;
    int64_t s = 1 + (int64_t)scale(draw(source, entry, DRAW_COUNT), (uint64_t)most - 1);
    int64_t win = is_negative(source, entry) ? -s : s, level = low;
    int winner = (int)scale(draw(source, entry, DRAW_START), (uint64_t)values->nranks);
    int after = source->first_rank + source->nranks;
    uint64_t others = draw(source, entry, DRAW_OTHERS);

    if (winner >= source->first_rank && winner < after)
        return win;
    for (int rank = source->first_rank; rank < after; rank++) {
        uint64_t above = scale(hash(others, (uint64_t)rank), (uint64_t)(win - low));

        level = low + (int64_t)above > level ? low + (int64_t)above : level;
    }
    return level;
}

static int64_t value_sum(const struct values_source *source, uint64_t entry)
{
    int64_t count = (int64_t)count_of(source, entry);

    return is_negative(source, entry) ? -count : count;
}

static int64_t value_prod(const struct values_source *source, uint64_t entry)
{
    uint64_t count = count_of(source, entry);

    if (source->values.type->is_signed)
        return count % 2 == 1 ? -1 : 1;
    return (int64_t)1 << count;
}

static int64_t value_min(const struct values_source *source, uint64_t entry)
{
    int64_t level = level_of(source, entry);

    return source->values.type->is_signed ? -level : level_most(&source->values) - level;
}

/* A lost or a doubled contribution shows in an entry exactly when the rank is one of its
 * s: with b uniform, s of n times; the mean of s / n over s uniform in [1, k]. */
static double shown_counted(const struct values *values)
{
    return ((double)count_most(values) + 1) / (2.0 * values->nranks);
}

/* A lost contribution shows exactly when the rank is the hashed one, since all others
 * are strictly behind it; a doubled one changes nothing and is nothing to look for. */
static double shown_ordered(const struct values *values)
{
    return 1.0 / values->nranks;
}

static const struct {
    int64_t (*value)(const struct values_source *source, uint64_t entry);
    double (*shown)(const struct values *values); /* probability per entry */
} ops[OP_COUNT] = {
    [OP_SUM] = {.value = value_sum, .shown = shown_counted},
    [OP_PROD] = {.value = value_prod, .shown = shown_counted},
    [OP_MIN] = {.value = value_min, .shown = shown_ordered},
    [OP_MAX] = {.value = level_of, .shown = shown_ordered},
};

void values_init(struct values *values, const struct datatype *type, bool reduces,
                 enum op_id op, int nranks, uint64_t seed)
{
    uint64_t key = hash(mix(seed), FOR_MULTIPLIER), n = (uint64_t)nranks;

    *values = (struct values){
        .type = type, .op = op, .reduces = reduces, .nranks = nranks, .seed = seed};
    for (uint64_t i = 0;; i++) {
        values->multiplier = scale(hash(key, i), n);
        if (gcd(values->multiplier, n) == 1)
            break;
    }
}

void values_source_of(struct values_source *source, const struct values *values,
                      struct origin origin)
{
    uint64_t rank = (uint64_t)origin.first_rank;

    *source = (struct values_source){
        .values = *values, .first_rank = origin.first_rank, .nranks = origin.nranks};
    if (values->reduces)
        source->key = hash(mix(values->seed), FOR_TABLE);
    else
        source->key = hash(hash(mix(values->seed), FOR_MOVED), rank);
}

bool values_source_equal(const struct values_source *a, const struct values_source *b)
{
    const struct values *x = &a->values, *y = &b->values;

    return x->type == y->type && x->reduces == y->reduces && x->nranks == y->nranks &&
           x->seed == y->seed && (!x->reduces || x->op == y->op) &&
           a->first_rank == b->first_rank && a->nranks == b->nranks;
}

/* The end of the finalizer; other multipliers give other numbers. */
static void finish(uint64_t x, uint64_t multiplier, unsigned char *to)
{
    uint64_t word = x * multiplier;

    word ^= word >> 31;
    memcpy(to, &word, sizeof word);
}

enum { GROUP_BYTES = 32 };

/* The index-th 32 bytes of a sequence of random bits: one hash that ends in four ways
 * (the third and fourth multiplier: the finalizer of MurmurHash3, in the public domain),
 * at half the cost of four hashes. All-gather of many blocks is checked at its speed. */
static void random_group(uint64_t key, uint64_t index, unsigned char *to)
{
    uint64_t x = key + (index + 1) * golden;

    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x ^= x >> 27;
    finish(x, UINT64_C(0x94d049bb133111eb), to);
    finish(x, UINT64_C(0xbf58476d1ce4e5b9), to + 8);
    finish(x, UINT64_C(0xff51afd7ed558ccd), to + 16);
    finish(x, UINT64_C(0xc4ceb9fe1a85ec53), to + 24);
}

/* Bytes [offset, offset + bytes) of the sequence. */
static void random_bytes(uint64_t key, uint64_t offset, uint64_t bytes, unsigned char *to)
{
    unsigned char group[GROUP_BYTES];

    while (bytes > 0) {
        uint64_t index = offset / GROUP_BYTES, skip = offset % GROUP_BYTES;
        uint64_t take = values_min(GROUP_BYTES - skip, bytes);

        if (take == GROUP_BYTES) {
            random_group(key, index, to);
        } else {
            random_group(key, index, group);
            memcpy(to, group + skip, take);
        }
        to += take;
        offset += take;
        bytes -= take;
    }
}

void values_table(const struct values_source *source, uint64_t first, uint64_t count,
                  void *elements)
{
    const struct datatype *type = source->values.type;
    unsigned char *to = elements;

    if (!source->values.reduces) {
        random_bytes(source->key, first * type->bytes, count * type->bytes, to);
        return;
    }
    for (uint64_t i = 0; i < count; i++)
        type->encode(ops[source->values.op].value(source, first + i),
                     to + i * type->bytes);
}

/* Odd tiles turn by more than half, even ones by less: neighbours always differ. */
uint64_t values_rotation(const struct values_source *source, uint64_t tile)
{
    uint64_t half = VALUES_TILE / 2;
    uint64_t hashed = hash(mix(source->key), tile);

    return scale(hashed, half) + (tile % 2 == 1 ? half + 1 : 0);
}

double values_power(const struct values *values, uint64_t elements, uint64_t checks)
{
    double entries = (double)values_min(elements, VALUES_TILE) * (double)checks;
    double log_missed; /* logarithm of the probability that one entry shows nothing */

    if (values->reduces)
        log_missed = log1p(-ops[values->op].shown(values));
    else /* what was there before has the same bits */
        log_missed = -8.0 * (double)values->type->bytes * log(2);
    return entries > 0 ? -expm1(entries * log_missed) : 0;
}
