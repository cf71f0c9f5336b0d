/* SPDX-License-Identifier: BSD-3-Clause */
/* What stands on standard output, to the byte. */
#include "output_fixture.h"

#include "writers.h"

static const char full_line[] =
    "{\"kind\":\"record\",\"run\":\"" RUN_ID "\",\"index\":41,"
    "\"operation\":\"allreduce\",\"pattern\":\"ring\",\"datatype\":\"float\","
    "\"op\":\"sum\",\"backend\":\"mpi\",\"timing\":\"isolated\","
    "\"placement\":\"out-of-place\",\"bytes\":1048576,\"elements\":262144,"
    "\"messages\":3,\"root\":4,\"ranks\":8,\"nodes\":2,\"warmup\":5,"
    "\"repetitions\":1200,\"blocks\":6,\"samples\":600,\"time_min_s\":1e-6,\"time_mean_"
    "s\":2.5e-6,"
    "\"time_median_s\":2e-6,\"time_low_s\":1.5e-6,\"time_high_s\":2.25e-6,"
    "\"time_p95_s\":4e-6,\"time_p99_s\":5e-6,\"time_max_s\":0.125,"
    "\"algbw_GBps\":12.5,\"busbw_GBps\":21.875,\"busbw_low_GBps\":20.0,"
    "\"busbw_high_GBps\":29.0,\"limit_kind\":\"ceiling\",\"limit_name\":\"a port\","
    "\"limit_GBps\":40.0,\"limit_share\":0.546875,\"slowest_rank\":7,\"slowest_host\":"
    "\"beta\","
    "\"slowest_share\":0.625,\"slowest_ranks\":\"7:0.62 3:0.21\","
    "\"precision\":0.1875,\"precision_target\":0.02,\"lag1\":-0.25,"
    "\"drift\":0.046875,\"stopped\":\"max-time\",\"check\":\"failed\",\"checked\":72,"
    "\"check_power\":0.9995,\"flags\":\"imprecise,drift\",\"wrong\":4,"
    "\"wrong_rank\":2,\"wrong_host\":\"alpha\","
    "\"wrong_element\":17,\"wrong_got\":\"3\",\"wrong_expected\":\"4.5\","
    "\"start_utc\":\"2026-01-31T12:00:00.000Z\",\"end_utc\":\"2026-01-31T12:00:01.500Z\"}"
    "\n";

/* clang-format off */
static const char csv_keys[] =
    "operation,pattern,datatype,op,backend,timing,placement,bytes,elements,messages,root,"
    "ranks,nodes,warmup,repetitions,blocks,samples,time_min_s,time_mean_s,time_median_s,"
    "time_low_s,time_high_s,time_p95_s,time_p99_s,time_max_s,algbw_GBps,busbw_GBps,"
    "busbw_low_GBps,busbw_high_GBps,limit_kind,limit_name,limit_GBps,limit_share,"
    "slowest_rank,slowest_host,slowest_share,slowest_ranks,"
    "precision,precision_target,lag1,drift,stopped,check,checked,check_power,flags,wrong,wrong_rank,"
    "wrong_host,wrong_element,wrong_got,wrong_expected,start_utc,end_utc\n";
/* clang-format on */

static void test_json_record(void **state)
{
    struct record record = full_record();
    char *line = writer_json_record(RUN_ID, 41, &record);

    (void)state;
    assert_string_equal(line, full_line);
    free(line);
}

static void test_json_leaves_out_what_is_absent(void **state)
{
    struct record record;
    char *line;

    (void)state;
    record_clear(&record);
    record.time.max = INFINITY;
    record.algbw = -INFINITY;
    line = writer_json_record(RUN_ID, 0, &record);
    assert_string_equal(
        line,
        "{\"kind\":\"record\",\"run\":\"" RUN_ID "\",\"index\":0,"
        "\"bytes\":0,\"elements\":0,\"messages\":0,\"warmup\":0,"
        "\"repetitions\":0,\"blocks\":0,\"samples\":0,\"checked\":0,\"wrong\":0}\n");
    free(line);
}

/* Twelve digits, and none that only a binary fraction has. */
static void test_json_reals(void **state)
{
    static const struct {
        double bytes_per_second;
        const char *text;
    } rates[] = {
        {12.3e9, "\"algbw_GBps\":12.3,"},
        {123456789012.3e9, "\"algbw_GBps\":123456789012.0,"},
        {1e9 / 3, "\"algbw_GBps\":0.333333333333,"},
        {1e30, "\"algbw_GBps\":1e21,"},
        {1, "\"algbw_GBps\":1e-9,"},
        {0, "\"algbw_GBps\":0.0,"},
    };
    struct record record = full_record();

    (void)state;
    for (size_t i = 0; i < COUNT(rates); i++) {
        char *line;

        record.algbw = rates[i].bytes_per_second;
        line = writer_json_record(RUN_ID, 0, &record);
        assert_non_null(strstr(line, rates[i].text));
        free(line);
    }
}

static void test_json_cleans_text(void **state)
{
    struct record record = full_record();
    char *line;
    json_t *object;

    (void)state;
    snprintf(record.slowest_host, sizeof record.slowest_host, "n\xff\xc3\xa9\n\"");
    line = writer_json_record(RUN_ID, 0, &record);
    object = json_loads(line, 0, NULL);
    assert_string_equal(json_string_value(json_object_get(object, "slowest_host")),
                        "n?\xc3\xa9?\"");
    json_decref(object);
    free(line);
}

/* What writes one run in a format, and its standard output. */
static char *whole_run(struct fixture *fixture, enum format format, const char *path,
                       const json_t *header, const struct record *records, size_t count,
                       const char *cause)
{
    struct err err = {.code = 0};
    struct output *output;

    capture(fixture);
    assert_int_equal(output_open(&output, path, format, &err), 0);
    assert_int_equal(output_run(output, header, &err), 0);
    assert_int_equal(output_note(output, "3 sizes were\nrounded", &err), 0);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(output_record(output, &records[i], &err), 0);
    assert_int_equal(
        output_end(output, cause ? "failed" : "complete", cause ? 3 : 0, cause, &err), 0);
    output_close(output);
    assert_int_equal(err.code, 0);
    return captured(fixture);
}

static void test_csv(void **state)
{
    struct record records[3] = {full_record(), full_record()};
    json_t *header = plain_header();
    char *text;

    snprintf(records[1].slowest_host, RECORD_TEXT, "a,\"b\"");
    snprintf(records[1].wrong_host, RECORD_TEXT, "b\"");
    snprintf(records[1].wrong_got, RECORD_TEXT, ",");
    records[1].busbw_high = 1e10 / 3;
    record_clear(&records[2]);
    text = whole_run(*state, FORMAT_CSV, NULL, header, records, COUNT(records), "why");
    assert_memory_equal(text, csv_keys, sizeof csv_keys - 1);
    /* clang-format off */
    assert_string_equal(
        text + sizeof csv_keys - 1,
        "allreduce,ring,float,sum,mpi,isolated,out-of-place,1048576,262144,3,4,8,2,5,1200,6,"
        "600,1e-06,2.5e-06,2e-06,1.5e-06,2.25e-06,4e-06,5e-06,0.125,12.5,21.875,20,29,ceiling,a port,40,0.546875,7,"
        "beta,0.625,7:0.62 3:0.21,0.1875,0.02,-0.25,0.046875,max-time,failed,72,0.9995,"
        "\"imprecise,drift\",4,2,alpha,17,3,4.5,2026-01-31T12:00:00.000Z,"
        "2026-01-31T12:00:01.500Z\n"
        "allreduce,ring,float,sum,mpi,isolated,out-of-place,1048576,262144,3,4,8,2,5,1200,6,"
        "600,1e-06,2.5e-06,2e-06,1.5e-06,2.25e-06,4e-06,5e-06,0.125,12.5,21.875,20,3.33333333333,"
        "ceiling,a port,40,0.546875,7,"
        "\"a,\"\"b\"\"\",0.625,7:0.62 3:0.21,0.1875,0.02,-0.25,0.046875,max-time,failed,72,"
        "0.9995,\"imprecise,drift\",4,2,\"b\"\"\",17,\",\",4.5,"
        "2026-01-31T12:00:00.000Z,2026-01-31T12:00:01.500Z\n"
        ",,,,,,,0,0,0,,,,0,0,0,0,,,,,,,,,,,,,,,,,,,,,,,,,,,0,,,0,,,,,,,\n");
    /* clang-format on */
    free(text);
    json_decref(header);
}

/* The stream on standard output is what a file would hold. */
static void test_json_lines(void **state)
{
    const struct fixture *fixture = *state;
    struct record records[2] = {full_record(), good_record()};
    json_t *header = plain_header();
    char *text =
        whole_run(*state, FORMAT_JSONL, fixture->path, header, records, 2, "why");
    char *file = slurp(fixture->path);

    assert_string_equal(text, file);
    assert_memory_equal(text, RUN_LINE, sizeof RUN_LINE - 1);
    assert_non_null(strstr(text, "{\"kind\":\"end\",\"run\":\"" RUN_ID
                                 "\",\"status\":\"failed\",\"exit_code\":3,"
                                 "\"cause\":\"why\",\"records\":2,\"end_utc\":\"20"));
    assert_null(strstr(text, "rounded"));
    free(text);
    free(file);
    json_decref(header);
}

static json_t *long_header(void)
{
    json_t *header = json_pack(
        "{s:s, s:i, s:s, s:s, s:s, s:s, s:s, s:{s:s, s:s}, s:{s:s, s:i, s:i}, s:[], "
        "s:{s:s, s:s, s:s}, s:{s:i}}",
        "kind", "run", "schema", 1, "run", RUN_ID, "program", "rackmark-allreduce",
        "version", "0.1.0", "git", "v0.1.0-3-gabc", "start_utc",
        "2026-01-31T11:59:59.000Z", "backend", "name", "mpi", "library", "Open MPI 4.1.4",
        "world", "library", "Open MPI 4.1.4", "ranks", 8, "nodes", 2, "hosts", "config",
        "timing", "isolated", "check", "full", "seed", "1", "plan", "points", 24);
    json_t *hosts = json_object_get(header, "hosts");

    json_array_append_new(hosts, json_pack("{s:s, s:i}", "host", "alpha", "ranks", 4));
    json_array_append_new(hosts, json_pack("{s:s, s:i}", "host", "beta", "ranks", 4));
    return header;
}

/* clang-format off */
static const char table[] =
    "# rackmark-allreduce 0.1.0 (git: v0.1.0-3-gabc)\n"
    "# run " RUN_ID ", started 2026-01-31T11:59:59.000Z\n"
    "# backend mpi: Open MPI 4.1.4; ranks meet over Open MPI 4.1.4\n"
    "# 8 ranks on 2 hosts: alpha (4), beta (4)\n"
    "# 24 points; timing isolated; check full; seed 1\n"
    "# Times are of the slowest rank. low, high: 95 % interval of the median within this "
    "run.\n"
    "# slow: the rank that was the slowest most often, and in what share of the samples.\n"
    "# lim: busbw over a limit: a copy of the same size on one host, the network ports of "
    "several.\n"
    "# 3 sizes were?rounded\n"
    "\n"
    "# all-reduce, float, sum, isolated, out-of-place\n"
    "#    bytes   median      low     high      p99      max   algbw   busbw  lim slow "
    "share  check flags\n"
    "#                us       us       us       us       us    GB/s    GB/s    % rank   "
    "  %\n"
    "   1048576    2.000    1.500    2.250    5.000   125000   12.50   21.88   55    7   "
    " 62 passed     -\n"
    "   2097152    2.000        -        -    5.000   125000       -       -    -    7   "
    "100   weak     -\n"
    "   1048576    2.000    1.500    2.250    5.000   125000   12.50   21.88   55    7   "
    " 62 failed imprecise,drift\n"
    "# WRONG DATA: 4 elements; first: rank 2 on alpha, element 17: got 3, expected 4.5\n"
    "\n"
    "# all-reduce, int8, sum, isolated, out-of-place\n"
    "#    bytes   median      low     high      p99      max   algbw   busbw  lim slow "
    "share  check flags\n"
    "#                us       us       us       us       us    GB/s    GB/s    % rank   "
    "  %\n"
    "   1048576    2.000    1.500    2.250    5.000   125000   12.50   21.88   55    7   "
    " 62   none     -\n"
    "# 4096 bytes: not offered by the backend\n"
    "\n"
    "# failed, exit code 3: why\n"
    "# 5 records, also in ";
/* clang-format on */

static const char table_end[] =
    "\n"
    "# 1 record without a figure: not offered by the backend\n"
    "# 1 record with WRONG DATA\n"
    "# 1 record with a weak check: a lost contribution could have gone unseen\n"
    "# 1 record not checked: their data may be wrong\n";

static void test_text(void **state)
{
    const struct fixture *fixture = *state;
    struct record records[5] = {good_record(), good_record(), full_record(),
                                good_record()};
    json_t *header = long_header();
    char *text;

    for (size_t i = 0; i < COUNT(records); i++)
        records[i].pattern = NULL;
    records[1].bytes = 2097152;
    records[1].check = "weak";
    records[1].time.low = records[1].time.high = NAN;
    records[1].algbw = records[1].busbw = records[1].limit_share = NAN;
    records[1].slowest_share = 1;
    records[3].datatype = "int8";
    records[3].check = "none";
    record_clear(&records[4]);
    records[4].operation = "allreduce";
    records[4].datatype = "int8";
    records[4].op = "sum";
    records[4].timing = "isolated";
    records[4].placement = "out-of-place";
    records[4].bytes = 4096;
    text = whole_run(*state, FORMAT_TEXT, fixture->path, header, records, COUNT(records),
                     "why");
    assert_memory_equal(text, table, sizeof table - 1);
    assert_memory_equal(text + sizeof table - 1, fixture->path, strlen(fixture->path));
    assert_string_equal(text + sizeof table - 1 + strlen(fixture->path), table_end);
    free(text);
    json_decref(header);
}

static void test_text_of_a_good_run(void **state)
{
    struct record record = good_record();
    json_t *header = long_header();
    char *text;

    json_object_set_new(json_object_get(header, "world"), "ranks", json_integer(1));
    json_object_set_new(json_object_get(header, "plan"), "points", json_integer(1));
    json_array_remove(json_object_get(header, "hosts"), 1);
    text = whole_run(*state, FORMAT_TEXT, NULL, header, &record, 1, NULL);
    assert_non_null(strstr(text, "\n# 1 rank on 1 host: alpha (4)\n# 1 point; timing"));
    assert_string_equal(strstr(text, "\n# complete") + 1, "# complete\n# 1 record\n");
    free(text);
    json_decref(header);
}

/* A header that says next to nothing is still shown. */
static void test_text_of_an_empty_header(void **state)
{
    json_t *header = plain_header();
    char *text = whole_run(*state, FORMAT_TEXT, NULL, header, NULL, 0, NULL);

    assert_non_null(
        strstr(text, "# not known not known (git: not known)\n# run " RUN_ID));
    free(text);
    json_decref(header);
}

/* Many hosts are counted, not listed, and no line is over 100 columns. */
static void test_text_of_many_hosts(void **state)
{
    struct record record = good_record();
    json_t *header = long_header(), *hosts = json_object_get(header, "hosts");
    char *text, *rest, *line;

    for (int i = 0; i < 998; i++)
        json_array_append_new(hosts,
                              json_pack("{s:s, s:i}", "host", "node-0123", "ranks", 8));
    text = whole_run(*state, FORMAT_TEXT, NULL, header, &record, 1, NULL);
    assert_non_null(strstr(text,
                           "# 8 ranks on 1000 hosts: alpha (4), beta (4), node-0123 "
                           "(8), node-0123 (8), and 996 more\n"));
    for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        assert_in_range(strlen(line), 1, 100);
    free(text);
    json_decref(header);
}

/* Four digits at least, no exponent, and the right edge of the column kept up to a
 * hundred seconds. */
static void test_text_of_times(void **state)
{
    static const struct {
        double seconds;
        const char *cell;
    } times[] = {
        {1.23456e-12, "0.000001"}, {0, "   0.000"},          {1.23456e-10, "0.000123"},
        {1.23456e-8, " 0.01235"},  {1.23456e-7, "  0.1235"}, {9.99999e-7, "  1.0000"},
        {1e-6, "   1.000"},        {1.23456e-5, "   12.35"}, {1.23456e-4, "   123.5"},
        {1.23456e-3, "    1235"},  {0.0123456, "   12346"},  {1, " 1000000"},
        {99.9999986, "99999999"},
    };
    struct record record = good_record();
    json_t *header = plain_header();

    for (size_t i = 0; i < COUNT(times); i++) {
        char *text, *row;

        record.time.median = times[i].seconds;
        text = whole_run(*state, FORMAT_TEXT, NULL, header, &record, 1, NULL);
        row = strstr(text, "\n   1048576") + 1;
        assert_int_equal(strcspn(row, "\n"), 100);
        assert_memory_equal(row + 11, times[i].cell, 8);
        assert_memory_equal(row + 19, "    1.500", 9);
        free(text);
    }
    json_decref(header);
}

/* A number that is too wide pushes its neighbour no further than needed. */
static void test_text_of_wide_numbers(void **state)
{
    struct record record = good_record();
    json_t *header = plain_header();
    char *text;

    record.bytes = (uint64_t)1 << 50;
    text = whole_run(*state, FORMAT_TEXT, NULL, header, &record, 1, NULL);
    assert_non_null(strstr(text,
                           "\n1125899906842624 2.000 1.500    2.250    5.000  "
                           " 125000   12.50   21.88   55    7    62 passed     -\n"));
    free(text);
    json_decref(header);
}

/* A barrier has no bytes, and nothing of it can be checked. */
static void test_text_of_a_barrier(void **state)
{
    struct record record = good_record();
    json_t *header = plain_header();
    char *text;

    record.operation = "barrier";
    record.pattern = record.datatype = record.op = record.placement = NULL;
    record.bytes = record.elements = 0;
    record.algbw = record.busbw = record.limit_share = NAN;
    record.check = NULL;
    text = whole_run(*state, FORMAT_TEXT, NULL, header, &record, 1, NULL);
    assert_non_null(strstr(text, "\n# barrier, isolated\n"));
    assert_non_null(strstr(text,
                           "\n         0    2.000    1.500    2.250    5.000  "
                           " 125000       -       -    -    7    62      -     -\n"));
    assert_string_equal(strstr(text, "\n# complete") + 1, "# complete\n# 1 record\n");
    free(text);
    json_decref(header);
}

static void test_text_cleans_hosts(void **state)
{
    struct record record = full_record();
    json_t *header = plain_header();
    char *text;

    snprintf(record.wrong_host, RECORD_TEXT, "a\xff\x1b[31m");
    record.wrong = 1;
    text = whole_run(*state, FORMAT_TEXT, NULL, header, &record, 1, "b\xff\x1b[31m");
    assert_non_null(strstr(text, "# WRONG DATA: 1 element; first: rank 2 on a??[31m, "));
    assert_non_null(strstr(text, "# failed, exit code 3: b??[31m\n"));
    free(text);
    json_decref(header);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_json_record),
        cmocka_unit_test(test_json_leaves_out_what_is_absent),
        cmocka_unit_test(test_json_reals),
        cmocka_unit_test(test_json_cleans_text),
        CASE(test_csv),
        CASE(test_json_lines),
        CASE(test_text),
        CASE(test_text_of_a_good_run),
        CASE(test_text_of_an_empty_header),
        CASE(test_text_of_many_hosts),
        CASE(test_text_of_times),
        CASE(test_text_of_wide_numbers),
        CASE(test_text_of_a_barrier),
        CASE(test_text_cleans_hosts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
