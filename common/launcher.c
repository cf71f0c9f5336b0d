/* SPDX-License-Identifier: BSD-3-Clause */
#include "launcher.h"

#include <stddef.h>
#include <stdlib.h>

/* Variables that launchers set for each process they start. The step's count is what
 * srun started; SLURM_NTASKS alone is set in a batch script, too. */
static const struct {
    const char *name, *size, *rank;
} launchers[] = {
    {"mpirun of Open MPI", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
    {"mpiexec of MPICH", "PMI_SIZE", "PMI_RANK"},
    {"srun", "SLURM_STEP_NUM_TASKS", "SLURM_PROCID"},
};

static int number(const char *variable)
{
    const char *text = getenv(variable);

    return text ? atoi(text) : 0;
}

void launcher_detect(struct launcher *launcher)
{
    *launcher = (struct launcher){0};
    for (size_t i = 0; i < sizeof launchers / sizeof launchers[0]; i++) {
        int size = number(launchers[i].size);

        if (size < 1)
            continue;
        *launcher = (struct launcher){
            .name = launchers[i].name,
            .size = size,
            .rank = number(launchers[i].rank),
        };
        return;
    }
}
