/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan.h"

#include <inttypes.h>
#include <stdlib.h>

#include "units.h"

enum { POINTS_MOST = 1000000 };
enum { WINDOW_MOST = 64, WINDOW_BYTES = 16 << 20 };

/* Of a whole window: no memory holds it, and the sum over a host's ranks does not
 * overflow. */
static const uint64_t window_bytes_most = UINT64_C(1) << 50;

static bool has_bit(uint64_t bits, size_t bit)
{
    return bits >> bit & 1;
}

/* The size after bytes, or 0 after the last. index counts from 0. */
static uint64_t size_at(const struct config *config, size_t index, uint64_t previous)
{
    uint64_t bytes;

    if (config->sizes.count > 0)
        return index < config->sizes.count ? config->sizes.bytes[index] : 0;
    if (index == 0)
        bytes = config->min_bytes;
    else if (config->step > 0)
        bytes = previous + config->step;
    else
        bytes = previous * config->factor; /* at most 2^50 * 2^13: see config.c */
    return bytes <= config->max_bytes ? bytes : 0;
}

static uint64_t window_of(const struct config *config, const struct operation *operation,
                          uint64_t bytes)
{
    uint64_t fit = WINDOW_BYTES / bytes;

    if (!operation_is_p2p(operation) || operation->single)
        return 1;
    if (config->window > 0)
        return config->window;
    return fit < 1 ? 1 : fit > WINDOW_MOST ? WINDOW_MOST : fit;
}

static int add_point(struct plan *plan, struct point point, struct err *err)
{
    if (plan->count == POINTS_MOST)
        return err_set(err, EXIT_CODE_USAGE,
                       "the plan has more than %d points: choose fewer sizes, types or "
                       "reductions",
                       POINTS_MOST);
    /* The array doubles at each power of two. */
    if ((plan->count & (plan->count - 1)) == 0) {
        size_t room = plan->count ? 2 * plan->count : 1;
        struct point *points = realloc(plan->points, room * sizeof *points);

        if (!points)
            return err_set(err, EXIT_CODE_FAILURE, "out of memory for the plan");
        plan->points = points;
    }
    plan->points[plan->count++] = point;
    return 0;
}

static int check_window(const struct point *point, uint64_t bytes, struct err *err)
{
    char text[UNITS_TEXT];

    if (point->window <= 1 || point->window <= window_bytes_most / bytes)
        return 0;
    return err_set(err, EXIT_CODE_USAGE,
                   "--window %" PRIu64
                   " of messages of %s is more than any memory holds: "
                   "choose fewer or smaller messages",
                   point->window, units_format_bytes(text, bytes));
}

/* All sizes of one (operation, pattern, timing, type, op). Sizes that become the same by
 * rounding up to whole blocks are measured once. */
static int add_sizes(struct plan *plan, const struct config *config, struct point point,
                     int nranks, struct err *err)
{
    size_t element = datatype_get(point.datatype)->bytes;
    uint64_t asked = 0;
    uint64_t previous = 0;

    for (size_t i = 0; (asked = size_at(config, i, asked)) != 0; i++) {
        struct shape shape;

        point.window = window_of(config, point.operation, asked);
        if (check_window(&point, asked, err))
            return -1;
        shape_of(&shape, point.operation, point.pattern, 0, nranks, asked, element,
                 point.window, point.root);
        point.bytes = shape_bytes(&shape, element);
        plan->rounded += point.bytes != asked;
        if (point.bytes == previous)
            continue;
        previous = point.bytes;
        if (add_point(plan, point, err))
            return -1;
    }
    return 0;
}

static int add_types(struct plan *plan, const struct config *config, struct point point,
                     int nranks, struct err *err)
{
    if (!operation_moves_data(point.operation))
        return add_point(plan, point, err);
    for (size_t type = 0; type < DATATYPE_COUNT; type++) {
        if (!has_bit(config->datatypes, type))
            continue;
        point.datatype = (enum datatype_id)type;
        for (size_t op = 0; op < OP_COUNT; op++) {
            if (point.operation->reduces && !has_bit(config->ops, op))
                continue;
            point.op = (enum op_id)op;
            if (add_sizes(plan, config, point, nranks, err))
                return -1;
            if (!point.operation->reduces)
                break;
        }
    }
    return 0;
}

/* In place where that is asked for and known; out of place is also what operations are
 * measured as that know one way only. */
static int add_placements(struct plan *plan, const struct config *config,
                          struct point point, int nranks, struct err *err)
{
    bool both = point.operation->in_place;

    for (size_t placement = 0; placement < PLACEMENT_COUNT; placement++) {
        if (both ? !has_bit(config->placements, placement)
                 : placement != PLACEMENT_OUT_OF_PLACE)
            continue;
        point.placement = (enum placement)placement;
        if (add_types(plan, config, point, nranks, err))
            return -1;
    }
    return 0;
}

static int add_timings(struct plan *plan, const struct config *config, struct point point,
                       int nranks, struct err *err)
{
    for (size_t timing = 0; timing < TIMING_COUNT; timing++) {
        if (!has_bit(config->timings, timing))
            continue;
        point.timing = (enum timing)timing;
        if (add_placements(plan, config, point, nranks, err))
            return -1;
    }
    return 0;
}

static int add_patterns(struct plan *plan, const struct config *config,
                        struct point point, int nranks, struct err *err)
{
    for (size_t i = 0; (point.pattern = pattern_get(i)); i++) {
        if (!has_bit(config->patterns, i) || nranks < point.pattern->min_ranks)
            continue;
        if (point.operation->single && !point.pattern->pairs)
            continue;
        if (add_timings(plan, config, point, nranks, err))
            return -1;
    }
    return 0;
}

int plan_make(struct plan *plan, const struct config *config,
              const struct operation *const *operations, int nranks, struct err *err)
{
    *plan = (struct plan){0};
    for (; *operations; operations++) {
        struct point point = {
            .operation = *operations,
            .root = (int)config->root,
            .window = 1,
        };
        int failed = operation_is_p2p(*operations)
                         ? add_patterns(plan, config, point, nranks, err)
                         : add_timings(plan, config, point, nranks, err);

        if (failed) {
            plan_free(plan);
            return -1;
        }
    }
    if (plan->count == 0)
        return err_set(err, EXIT_CODE_USAGE,
                       "nothing to measure: a ring has no ping-pong; see --transfer and "
                       "--pattern");
    return 0;
}

void plan_shuffle(struct plan *plan, uint64_t seed)
{
    /* Fisher and Yates, with Knuth's MMIX generator (TAOCP 2, 3.3.4). */
    for (size_t left = plan->count; left > 1; left--) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        size_t pick = (size_t)((seed >> 32) % left);
        struct point point = plan->points[pick];

        plan->points[pick] = plan->points[left - 1];
        plan->points[left - 1] = point;
    }
}

void plan_free(struct plan *plan)
{
    free(plan->points);
    *plan = (struct plan){0};
}

void plan_shape(const struct point *point, int rank, int nranks, struct shape *shape)
{
    shape_of(shape, point->operation, point->pattern, rank, nranks, point->bytes,
             datatype_get(point->datatype)->bytes, point->window, point->root);
}
