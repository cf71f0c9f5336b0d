/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "launcher.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const char *const variables[] = {
    "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "PMI_SIZE",     "PMI_RANK",
    "SLURM_STEP_NUM_TASKS", "SLURM_PROCID",         "SLURM_NTASKS", "SLURM_NPROCS",
    "SLURM_JOB_ID",
};

enum { VARIABLES_MOST = 6 };

/* clang-format off */
static const struct {
    const char *set[VARIABLES_MOST][2]; /* name, value */
    const char *name;                   /* NULL: by hand */
    int size, rank;
} cases[] = {
    /* Nothing that says how many processes were started. */
    {{{0}}, NULL, 0, 0},
    {{{"OMPI_COMM_WORLD_SIZE", ""}}, NULL, 0, 0},
    {{{"OMPI_COMM_WORLD_SIZE", "0"}, {"OMPI_COMM_WORLD_RANK", "3"}}, NULL, 0, 0},
    {{{"OMPI_COMM_WORLD_SIZE", "-4"}}, NULL, 0, 0},
    {{{"OMPI_COMM_WORLD_SIZE", "four"}}, NULL, 0, 0},
    {{{"OMPI_COMM_WORLD_RANK", "3"}}, NULL, 0, 0},
    {{{"PMI_RANK", "3"}}, NULL, 0, 0},
    /* A batch script, which srun has not started. */
    {{{"SLURM_JOB_ID", "1"}, {"SLURM_NTASKS", "8"}, {"SLURM_NPROCS", "8"},
      {"SLURM_PROCID", "0"}}, NULL, 0, 0},

    {{{"OMPI_COMM_WORLD_SIZE", "4"}, {"OMPI_COMM_WORLD_RANK", "3"}}, "Open MPI", 4, 3},
    {{{"OMPI_COMM_WORLD_SIZE", "1"}, {"OMPI_COMM_WORLD_RANK", "0"}}, "Open MPI", 1, 0},
    {{{"OMPI_COMM_WORLD_SIZE", "4"}}, "Open MPI", 4, 0},
    {{{"PMI_SIZE", "40000"}, {"PMI_RANK", "39999"}}, "MPICH", 40000, 39999},
    {{{"SLURM_STEP_NUM_TASKS", "8"}, {"SLURM_PROCID", "7"}}, "srun", 8, 7},
    /* mpirun within a step of srun's: the step has one task on each host. */
    {{{"SLURM_STEP_NUM_TASKS", "2"}, {"SLURM_PROCID", "1"},
      {"OMPI_COMM_WORLD_SIZE", "16"}, {"OMPI_COMM_WORLD_RANK", "9"}}, "Open MPI", 16, 9},
    {{{"SLURM_STEP_NUM_TASKS", "2"}, {"SLURM_PROCID", "1"}, {"PMI_SIZE", "16"},
      {"PMI_RANK", "9"}}, "MPICH", 16, 9},
    /* The one that says nothing does not hide the one that does. */
    {{{"OMPI_COMM_WORLD_SIZE", ""}, {"PMI_SIZE", "2"}, {"PMI_RANK", "1"}}, "MPICH", 2, 1},
};
/* clang-format on */

static void test_environment(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct launcher launcher;

        for (size_t j = 0; j < COUNT(variables); j++)
            unsetenv(variables[j]);
        for (int j = 0; j < VARIABLES_MOST && cases[i].set[j][0]; j++)
            setenv(cases[i].set[j][0], cases[i].set[j][1], 1);
        memset(&launcher, 0x55, sizeof launcher);
        launcher_detect(&launcher);
        assert_int_equal(launcher.size, cases[i].size);
        assert_int_equal(launcher.rank, cases[i].rank);
        assert_int_equal(launcher.name != NULL, cases[i].name != NULL);
        if (cases[i].name)
            assert_non_null(strstr(launcher.name, cases[i].name));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_environment)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
