#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Includes point downwards only: a file includes headers of its own layer or a lower one.
# Only world_mpi.c and backends/ include the header of a library that is measured.
. "$(dirname "$0")/lib.sh"

# One layer a line, the lowest first: the modules' names, without ending or directory.
layers='
clean err memory mpi_text prose revision small_file suggest utc
cgroup environment nic units
datatypes limit limit_* operations options options_* patterns shape stats
argfile binding config config_options launcher plan sentinel system topology* values values_* world world_* backend backends host list list_* local mpi
record
buffers dry_run figures measure progress roster samples schedule slots trial trial_before verify
columns output result_file run_header writer_* writers
bench help notes run
allgather allreduce alltoall barrier broadcast p2p reducescatter
'

includes() {
    tree_files '^(benchmarks|common|tools)/.*\.[ch]$' | tr '\n' '\0' |
        LAYERS=$layers xargs -0 awk '
        function module(path) { sub(/.*\//, "", path); sub(/\.[ch]$/, "", path); return path }
        function layer_of(name,  i, stem) {
            if (name in exact) return exact[name]
            for (stem in prefix)
                if (index(name, stem) == 1) return prefix[stem]
            return 0
        }
        function wrong(text) { print FILENAME ":" FNR ": " text; bad = 1 }
        BEGIN {
            n = split(ENVIRON["LAYERS"], lines, "\n")
            for (i = 1; i <= n; i++) {
                m = split(lines[i], names, " ")
                for (j = 1; j <= m; j++)
                    if (sub(/\*$/, "", names[j])) prefix[names[j]] = i
                    else exact[names[j]] = i
            }
        }
        FNR == 1 {
            mine = layer_of(module(FILENAME))
            if (!mine) wrong("add this module to the layers in tests/lint/includes.sh")
        }
        /^#[ \t]*include[ \t]*"/ {
            split($0, part, "\"")
            if (part[2] == "autoconf.h") next
            seen++
            theirs = layer_of(module(part[2]))
            if (!theirs) wrong("includes " part[2] ", which is in no layer")
            else if (mine && theirs > mine) wrong("includes " part[2] ", of a higher layer")
        }
        END {
            if (!seen) print "no include was seen"
            exit bad || !seen
        }'
}

libraries() {
    ! tree_files '^(benchmarks|common|tools)/.*\.[ch]$' |
        grep -Ev '^common/(world_mpi\.c|backends/.*)$' | tr '\n' '\0' |
        xargs -0 grep -nE '^#[[:space:]]*include[[:space:]]*[<"](mpi|nccl|cuda[a-z_]*|infiniband/.*)\.h'
}

tap_result "includes point downwards" includes
tap_result "measured libraries are included by their backends only" libraries
tap_done
