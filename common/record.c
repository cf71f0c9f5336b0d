/* SPDX-License-Identifier: BSD-3-Clause */
#include "record.h"

#include <math.h>

#define AT(member) offsetof(struct record, member)

/* clang-format off */
const struct field record_fields[] = {
    {.key = "operation", .type = FIELD_TEXT, .offset = AT(operation),
     .text = "What was measured, such as allreduce"},
    {.key = "pattern", .type = FIELD_TEXT, .offset = AT(pattern),
     .text = "Point to point: who talks to whom"},
    {.key = "datatype", .type = FIELD_TEXT, .offset = AT(datatype),
     .text = "Type of the elements"},
    {.key = "op", .type = FIELD_TEXT, .offset = AT(op),
     .text = "Reduction operation, where the operation reduces"},
    {.key = "backend", .type = FIELD_TEXT, .offset = AT(backend),
     .text = "What moved the data, such as mpi"},
    {.key = "timing", .type = FIELD_TEXT, .offset = AT(timing),
     .text = "isolated: ranks start together, each repetition is timed alone; "
             "streaming: back to back, the time of a batch over its count"},
    {.key = "placement", .type = FIELD_TEXT, .offset = AT(placement),
     .text = "Whether send and receive buffer are the same memory: in-place, or out-of-place"},
    {.key = "bytes", .type = FIELD_UINT, .offset = AT(bytes),
     .title = "bytes", .width = 10,
     .text = "Bytes of the vector, or of one message"},
    {.key = "elements", .type = FIELD_UINT, .offset = AT(elements),
     .text = "Elements of the vector, or of one message"},
    {.key = "messages", .type = FIELD_UINT, .offset = AT(messages),
     .text = "Messages per peer and repetition; 1 for collectives"},
    {.key = "root", .type = FIELD_INT, .offset = AT(root),
     .text = "Root of the operation, where it has one"},
    {.key = "ranks", .type = FIELD_INT, .offset = AT(ranks),
     .text = "Ranks that took part"},
    {.key = "nodes", .type = FIELD_INT, .offset = AT(nodes),
     .text = "Hosts that they ran on"},
    {.key = "warmup", .type = FIELD_UINT, .offset = AT(warmup),
     .text = "Repetitions before the measurement, not counted"},
    {.key = "repetitions", .type = FIELD_UINT, .offset = AT(repetitions),
     .text = "Repetitions that were measured"},
    {.key = "blocks", .type = FIELD_UINT, .offset = AT(blocks),
     .text = "Blocks that the repetitions were measured in; the data is new in each, and checked "
             "at its end"},
    {.key = "samples", .type = FIELD_UINT, .offset = AT(samples),
     .text = "Samples that the figures come from: one of each repetition (isolated) or batch "
             "(streaming), the time of the slowest rank"},
    {.key = "time_min_s", .type = FIELD_REAL, .offset = AT(time.min), .scale = 1,
     .text = "Shortest sample, seconds"},
    {.key = "time_mean_s", .type = FIELD_REAL, .offset = AT(time.mean), .scale = 1,
     .text = "Arithmetic mean of the samples, seconds"},
    {.key = "time_median_s", .type = FIELD_REAL, .offset = AT(time.median), .scale = 1,
     .title = "median", .unit = "us", .text_scale = 1e6, .width = 8, .digits = 4,
     .text = "Median of the samples, seconds"},
    {.key = "time_low_s", .type = FIELD_REAL, .offset = AT(time.low), .scale = 1,
     .title = "low", .unit = "us", .text_scale = 1e6, .width = 8, .digits = 4,
     .text = "Lower end of the 95 % interval of the median within this run, seconds"},
    {.key = "time_high_s", .type = FIELD_REAL, .offset = AT(time.high), .scale = 1,
     .title = "high", .unit = "us", .text_scale = 1e6, .width = 8, .digits = 4,
     .text = "Upper end of the 95 % interval of the median within this run, seconds"},
    {.key = "time_p95_s", .type = FIELD_REAL, .offset = AT(time.p95), .scale = 1,
     .text = "95th percentile of the samples, seconds"},
    {.key = "time_p99_s", .type = FIELD_REAL, .offset = AT(time.p99), .scale = 1,
     .title = "p99", .unit = "us", .text_scale = 1e6, .width = 8, .digits = 4,
     .text = "99th percentile of the samples, seconds"},
    {.key = "time_max_s", .type = FIELD_REAL, .offset = AT(time.max), .scale = 1,
     .title = "max", .unit = "us", .text_scale = 1e6, .width = 8, .digits = 4,
     .text = "Longest sample, seconds"},
    {.key = "algbw_GBps", .type = FIELD_REAL, .offset = AT(algbw), .scale = 1e-9,
     .title = "algbw", .unit = "GB/s", .text_scale = 1e-9, .width = 7, .digits = 4,
     .text = "Algorithm bandwidth from the median, 1e9 bytes per second"},
    {.key = "busbw_GBps", .type = FIELD_REAL, .offset = AT(busbw), .scale = 1e-9,
     .title = "busbw", .unit = "GB/s", .text_scale = 1e-9, .width = 7, .digits = 4,
     .text = "Bus bandwidth from the median, 1e9 bytes per second"},
    {.key = "busbw_low_GBps", .type = FIELD_REAL, .offset = AT(busbw_low), .scale = 1e-9,
     .text = "Bus bandwidth from the upper end of the median's interval, "
             "1e9 bytes per second"},
    {.key = "busbw_high_GBps", .type = FIELD_REAL, .offset = AT(busbw_high),
     .scale = 1e-9,
     .text = "Bus bandwidth from the lower end of the median's interval, "
             "1e9 bytes per second"},
    {.key = "limit_kind", .type = FIELD_TEXT, .offset = AT(limit_kind),
     .text = "What limit_GBps is: reference (the rate of a copy of the same size, on all ranks "
             "at once: a figure can pass it) or ceiling (of the hardware: none can)"},
    {.key = "limit_name", .type = FIELD_CHARS, .offset = AT(limit_name),
     .text = "Where limit_GBps comes from"},
    {.key = "limit_GBps", .type = FIELD_REAL, .offset = AT(limit), .scale = 1e-9,
     .text = "Limit of busbw, 1e9 bytes per second; absent below 4096 bytes and where the "
             "rates are not known"},
    {.key = "limit_share", .type = FIELD_REAL, .offset = AT(limit_share), .scale = 1,
     .title = "lim", .unit = "%", .text_scale = 100, .width = 4, .digits = 2,
     .text = "Bus bandwidth over limit_GBps"},
    {.key = "slowest_rank", .type = FIELD_INT, .offset = AT(slowest_rank),
     .title = "slow", .unit = "rank", .width = 4,
     .text = "The rank that was the slowest most often"},
    {.key = "slowest_host", .type = FIELD_CHARS, .offset = AT(slowest_host),
     .text = "The host of that rank"},
    {.key = "slowest_share", .type = FIELD_REAL, .offset = AT(slowest_share), .scale = 1,
     .title = "share", .unit = "%", .text_scale = 100, .width = 5, .digits = 1,
     .text = "Share of the samples in which it was the slowest, 0 to 1"},
    {.key = "slowest_ranks", .type = FIELD_CHARS, .offset = AT(slowest_ranks),
     .text = "The few ranks that were the slowest most often, as rank:share"},
    {.key = "precision", .type = FIELD_REAL, .offset = AT(precision), .scale = 1,
     .text = "Half of the median's interval over the median"},
    {.key = "precision_target", .type = FIELD_REAL, .offset = AT(precision_target), .scale = 1,
     .text = "The precision that was asked for, in the same unit"},
    {.key = "lag1", .type = FIELD_REAL, .offset = AT(time.lag1), .scale = 1,
     .text = "Correlation of neighbouring samples, -1 to 1, from their signs about the median"},
    {.key = "drift", .type = FIELD_REAL, .offset = AT(time.drift), .scale = 1,
     .text = "Change of the time from the first third of the samples to the last, over the median"},
    {.key = "stopped", .type = FIELD_TEXT, .offset = AT(stopped),
     .text = "What set the number of repetitions: iterations (the option), precision (enough "
             "for it, by the pilot), max-time or max-iterations (used up), min-blocks (fewer "
             "give no interval, though it took longer); not offered: the backend has no such "
             "point"},
    {.key = "check", .type = FIELD_TEXT, .offset = AT(check),
     .title = "check", .width = 6,
     .text = "Outcome of the check of the received data: passed; weak: nothing wrong was "
             "found, but check_power is under 0.999; failed: wrong data; none: not checked"},
    {.key = "checked", .type = FIELD_UINT, .offset = AT(checked),
     .text = "Repetitions whose whole result was compared, on each rank, the pilot's included; "
             "of other isolated repetitions, three elements were"},
    {.key = "check_power", .type = FIELD_REAL, .offset = AT(check_power), .scale = 1,
     .text = "Probability that the check would have seen that one rank's contribution was "
             "always lost or doubled, 0 to 1"},
    {.key = "flags", .type = FIELD_CHARS, .offset = AT(flags),
     .title = "flags", .width = 5,
     .text = "What to know before the figure is used. imprecise: precision_target was missed; "
             "drift: later samples tend to take longer, or shorter, by more than that (by 2 % "
             "where there is no target); correlated: lag1 is above 0.5; above-ceiling: more "
             "than the hardware can do, so that something is wrong with the figure; "
             "short-batches: streaming batches under half a millisecond, as few iterations "
             "make them"},
    {.key = "wrong", .type = FIELD_UINT, .offset = AT(wrong),
     .text = "Wrong elements that wrong_rank found, over all of its checks"},
    {.key = "wrong_rank", .type = FIELD_INT, .offset = AT(wrong_rank),
     .text = "The rank that found the most wrong elements"},
    {.key = "wrong_host", .type = FIELD_CHARS, .offset = AT(wrong_host),
     .text = "The host of that rank"},
    {.key = "wrong_element", .type = FIELD_UINT, .offset = AT(wrong_element),
     .text = "Index of the first of them in its receive buffer"},
    {.key = "wrong_got", .type = FIELD_CHARS, .offset = AT(wrong_got),
     .text = "What that element was"},
    {.key = "wrong_expected", .type = FIELD_CHARS, .offset = AT(wrong_expected),
     .text = "What that element should have been"},
    {.key = "start_utc", .type = FIELD_CHARS, .offset = AT(start_utc),
     .text = "When the measurement of this point began, UTC"},
    {.key = "end_utc", .type = FIELD_CHARS, .offset = AT(end_utc),
     .text = "When it ended, UTC"},
};
/* clang-format on */

const size_t record_fields_count = sizeof record_fields / sizeof record_fields[0];

static void get_text(const void *at, struct field_value *value)
{
    value->text = *(const char *const *)at;
    value->present = value->text && *value->text;
}

static void get_chars(const void *at, struct field_value *value)
{
    value->text = at;
    value->present = *value->text;
}

/* JSON's integers are signed here: a count above them cannot be told from absent. */
static void get_uint(const void *at, struct field_value *value)
{
    uint64_t count = *(const uint64_t *)at;

    value->present = count <= INT64_MAX;
    value->whole = value->present ? (int64_t)count : -1;
}

static void get_int(const void *at, struct field_value *value)
{
    value->whole = *(const int *)at;
    value->present = value->whole >= 0;
}

static void get_real(const void *at, struct field_value *value)
{
    value->real = *(const double *)at;
    value->present = isfinite(value->real);
}

void record_get(const struct record *record, const struct field *field,
                struct field_value *value)
{
    static void (*const getters[])(const void *at, struct field_value *value) = {
        [FIELD_TEXT] = get_text, [FIELD_CHARS] = get_chars, [FIELD_UINT] = get_uint,
        [FIELD_INT] = get_int,   [FIELD_REAL] = get_real,
    };

    *value = (struct field_value){.present = false};
    getters[field->type]((const char *)record + field->offset, value);
}

void record_clear(struct record *record)
{
    *record = (struct record){.wrong_element = RECORD_ABSENT};
    for (size_t i = 0; i < record_fields_count; i++) {
        void *at = (char *)record + record_fields[i].offset;

        if (record_fields[i].type == FIELD_INT)
            *(int *)at = -1;
        else if (record_fields[i].type == FIELD_REAL)
            *(double *)at = NAN;
    }
}
