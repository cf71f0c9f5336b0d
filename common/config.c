/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "operations.h"

static const char *const timing_names[TIMING_COUNT + 1] = {
    [TIMING_ISOLATED] = "isolated",
    [TIMING_STREAMING] = "streaming",
};

static const char *const format_names[] = {
    [FORMAT_TEXT] = "text",
    [FORMAT_CSV] = "csv",
    [FORMAT_JSONL] = "jsonl",
    NULL,
};

static const char *const check_names[] = {
    [CHECK_FULL] = "full",
    [CHECK_NONE] = "none",
    NULL,
};

static const char *const cache_names[] = {
    [CACHE_WARM] = "warm",
    [CACHE_COLD] = "cold",
    NULL,
};

static const char *const order_names[] = {
    [ORDER_AS_LISTED] = "as-listed",
    [ORDER_SHUFFLED] = "shuffled",
    NULL,
};

static const char *const progress_names[] = {
    [PROGRESS_AUTO] = "auto",
    [PROGRESS_ON] = "on",
    [PROGRESS_OFF] = "off",
    NULL,
};

static const char *const placement_names[PLACEMENT_COUNT + 1] = {
    [PLACEMENT_OUT_OF_PLACE] = "out-of-place",
    [PLACEMENT_IN_PLACE] = "in-place",
};

const char *timing_name(size_t index)
{
    return timing_names[index];
}

const char *format_name(size_t index)
{
    return format_names[index];
}

const char *check_name(size_t index)
{
    return check_names[index];
}

const char *cache_name(size_t index)
{
    return cache_names[index];
}

const char *order_name(size_t index)
{
    return order_names[index];
}

const char *progress_name(size_t index)
{
    return progress_names[index];
}

const char *placement_name(size_t index)
{
    return placement_names[index];
}

const char *transfer_name(size_t index)
{
    const struct operation *operation;

    for (size_t i = 0; (operation = operation_get(i)); i++)
        if (operation_is_p2p(operation) && index-- == 0)
            return operation->name;
    return NULL;
}

int config_check(const struct config *config, struct err *err)
{
    if (config->sizes.count == 0 && config->min_bytes > config->max_bytes)
        return err_set(
            err, EXIT_CODE_USAGE, "--min-bytes (%llu) is above --max-bytes (%llu)",
            (unsigned long long)config->min_bytes, (unsigned long long)config->max_bytes);
    if (config->min_iterations > config->max_iterations)
        return err_set(err, EXIT_CODE_USAGE,
                       "--min-iterations (%llu) is above --max-iterations (%llu)",
                       (unsigned long long)config->min_iterations,
                       (unsigned long long)config->max_iterations);
    if (config->iterations == 0 && config->max_time <= 0)
        return err_set(err, EXIT_CODE_USAGE,
                       "--max-time 0 leaves nothing to measure: give --iterations, too");
    return 0;
}
