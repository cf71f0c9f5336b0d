# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# What this machine has to run on.

# machine_cpus: hardware threads that this process may use.
machine_cpus() {
    # nproc takes OpenMP's wishes for the machine's limits.
    env -u OMP_NUM_THREADS -u OMP_THREAD_LIMIT nproc 2>/dev/null || echo 1
}

# machine_cores: physical cores behind those threads.
machine_cores() {
    local cores
    cores=$(lscpu -p=CPU,CORE,SOCKET 2>/dev/null | awk -F, -v allowed="$(
        sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status 2>/dev/null
    )" '
        BEGIN {
            n = split(allowed, ranges, ",")
            for (i = 1; i <= n; i++) {
                ends = split(ranges[i], range, "-")
                for (cpu = range[1]; cpu <= range[ends]; cpu++) usable[cpu + 0] = 1
            }
        }
        !/^#/ && ($1 + 0) in usable && !(($2, $3) in seen) { seen[$2, $3] = 1; cores++ }
        END { print cores + 0 }')
    if [ "${cores:-0}" -ge 1 ]; then
        echo "$cores"
    else
        machine_cpus
    fi
}
