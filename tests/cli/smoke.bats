#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# The least that a built or an installed program does. No launcher is needed.

programs="allgather allreduce alltoall barrier broadcast p2p reducescatter"

@test "every program says its version and its help" {
    for name in $programs; do
        run "$RACKMARK_BIN/rackmark-$name" --version
        [ "$status" -eq 0 ]
        [[ "${lines[0]}" == "rackmark-$name 0.1.0"* ]]
        run "$RACKMARK_BIN/rackmark-$name" --help
        [ "$status" -eq 0 ]
        [[ "$output" == *--help* ]]
    done
}
