/* SPDX-License-Identifier: BSD-3-Clause */
/* What of the environment is recorded, and how text and times are. */
#include "output_fixture.h"

#include "clean.h"
#include "environment.h"
#include "utc.h"

static const struct {
    const char *name;
    bool recorded;
} names[] = {
    {"OMPI_MCA_btl", true},
    {"PRTE_MCA_plm", true},
    {"MPICH_ASYNC_PROGRESS", true},
    {"MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM", true},
    {"I_MPI_PIN", true},
    {"UCX_TLS", true},
    {"UCC_CL_BASIC_TLS", true},
    {"HCOLL_ENABLE_SHARP", true},
    {"SHARP_COLL_LOG_LEVEL", true},
    {"NCCL_DEBUG", true},
    {"OMP_NUM_THREADS", true},
    {"OMP_PROC_BIND", true},
    {"OMP_PLACES", true},
    {"SLURM_JOB_ID", true},
    {"SLURM_JOB_NUM_NODES", true},
    {"SLURM_NTASKS", true},
    {"CUDA_VISIBLE_DEVICES", true},
    {"GLIBC_TUNABLES", true},
    {"LD_PRELOAD", true},
    /* all the rest */
    {"", false},
    {"HOME", false},
    {"PATH", false},
    {"USER", false},
    {"AWS_ACCESS_ID", false},
    {"SLURM_JOB_USER", false},
    {"SLURM_JOB_ID2", false},
    {"SLURM_JOB_I", false},
    {"OMP_NUM_THREADS_", false},
    {"xNCCL_DEBUG", false},
    {"NCCL", false},
    {"nccl_debug", false},
    {"OMPI_COMM_WORLD_SIZE", false},
    {"PMIX_SERVER_URI2", false},
    {"CUDA_VISIBLE_DEVICES_", false},
    /* names that are allowed but for what they sound like */
    {"NCCL_API_TOKEN", false},
    {"UCX_SECRET", false},
    {"OMPI_MCA_db_password", false},
    {"OMPI_MCA_passwd", false},
    {"RACKMARK_KEY", false},
    {"HCOLL_Credentials", false},
    {"UCX_COOKIE_JAR", false},
    /* what mpirun tells its ranks */
    {"OMPI_MCA_orte_hnp_uri", false},
    {"OMPI_MCA_orte_precondition_transports", false},
    {"OMPI_MCA_ess", false},
    {"OMPI_MCA_ess_base_jobid", false},
    {"OMPI_MCA_initial_wdir", false},
};

static void test_names(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(names); i++) {
        if (environment_records(names[i].name, strlen(names[i].name)) !=
            names[i].recorded)
            fail_msg("%s", names[i].name);
    }
}

static void test_environment(void **state)
{
    char *const entries[] = {"HOME=/root",  "NCCL_DEBUG=INFO", "NCCL_NO_EQUALS",
                             "NCCL_EMPTY=", "UCX_TLS=rc,sm=x", "UCX_BAD=a\xff\xc3\xa9\nb",
                             "UCX_N\xff=1", "NCCL_KEY=hush",   "=NCCL_DEBUG",
                             NULL};
    json_t *object = environment_json(entries);
    char *text = json_dumps(object, JSON_COMPACT);

    (void)state;
    assert_string_equal(text, "{\"NCCL_DEBUG\":\"INFO\",\"NCCL_EMPTY\":\"\","
                              "\"UCX_TLS\":\"rc,sm=x\",\"UCX_BAD\":\"a?\xc3\xa9?b\","
                              "\"UCX_N?\":\"1\"}");
    free(text);
    json_decref(object);
}

static void test_clean(void **state)
{
    char text[8];
    json_t *json;

    (void)state;
    assert_null(clean_json(NULL));
    assert_null(clean_json(""));
    json = clean_json("\xff\xed\xa0\x80\xc3\xa9");
    assert_string_equal(json_string_value(json), "????\xc3\xa9");
    json_decref(json);
    /* what is cut off in the middle of a character is no character */
    assert_string_equal(clean_text(text, sizeof text, "abcdef\xc3\xa9"), "abcdef?");
    assert_string_equal(clean_text(text, sizeof text, "abcdefg"), "abcdefg");
    assert_string_equal(clean_text(text, sizeof text, "abcdefgh"), "abcdefg");
}

static void test_utc(void **state)
{
    static const struct {
        struct timespec at;
        const char *text;
    } times[] = {
        {{0, 0}, "1970-01-01T00:00:00.000Z"},
        {{1769860800, 12345678}, "2026-01-31T12:00:00.012Z"},
        {{951827696, 999999999}, "2000-02-29T12:34:56.999Z"},
    };
    char text[UTC_TEXT];
    time_t before = time(NULL);
    struct tm tm = {.tm_isdst = 0};

    (void)state;
    for (size_t i = 0; i < COUNT(times); i++) {
        assert_ptr_equal(utc_format(text, &times[i].at), text);
        assert_string_equal(text, times[i].text);
    }
    utc_now(text);
    assert_string_equal(strptime(text, "%Y-%m-%dT%H:%M:%S", &tm), strchr(text, '.'));
    assert_in_range(timegm(&tm), before, time(NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_environment),
        cmocka_unit_test(test_clean),
        cmocka_unit_test(test_utc),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
