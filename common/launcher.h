/* SPDX-License-Identifier: BSD-3-Clause */
/* What the launcher's environment says, to be held against what MPI says. */
#ifndef RACKMARK_LAUNCHER_H
#define RACKMARK_LAUNCHER_H

struct launcher {
    const char *name; /* "mpirun of Open MPI", "srun"; NULL: started by hand */
    int size;         /* processes that it started; 0: not said */
    int rank;         /* of this process; 0 where not said */
};

void launcher_detect(struct launcher *launcher);

#endif
