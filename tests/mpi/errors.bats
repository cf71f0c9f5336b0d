#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Bad input on several ranks: one line that says what is wrong, once, and exit code 2.

# shellcheck source=lib.bash
. "$BATS_TEST_DIRNAME/lib.bash"

setup() {
    common_setup
}

# refused TEXT PROGRAM ARGUMENT...: by four ranks, or by those of `n`.
refused() {
    ranks "${n:-4}" "${@:2}"
    told_once "$1"
}

# told_once TEXT: exit code 2, one line of ours with the text in it, no table.
told_once() {
    [ "$status" -eq 2 ]
    [ "$(grep -c . <<<"$ours")" -eq 1 ]
    [[ $ours == "rackmark-"*": "*"$1"* ]]
    [ ! -s "$out" ]
}

@test "an unknown option: the nearest one is named" {
    refused "unknown option '--itertions': did you mean --iterations?" \
        rackmark-allreduce --itertions 5
    refused "unknown option '--window'" rackmark-allgather --window 5
    refused "unexpected argument '64M'" rackmark-p2p 64M
}

@test "a bad number" {
    refused "--iterations: '5x' is not a whole number" rackmark-allreduce -n 5x
    refused "--max-bytes: '1MB' is ambiguous" rackmark-allgather -e 1MB
    refused "--min-bytes: 0 is out of range" rackmark-p2p -b 0
}

@test "an unknown choice: what there is, is named" {
    refused "unknown choice 'half' (int8, uint8," rackmark-allreduce -d half
    refused "unknown choice 'summ': did you mean sum?" rackmark-allreduce -o summ
    refused "unknown choice 'nccl'" rackmark-allgather --backend nccl
    refused "unknown choice 'star' (pair, ring, all)" rackmark-p2p --pattern star
}

@test "what does not go together" {
    refused "--min-bytes (16) is above --max-bytes (8)" rackmark-allreduce -b 16 -e 8
    refused "--max-time 0" rackmark-allreduce --max-time 0
    refused "a ring has no ping-pong" rackmark-p2p --pattern ring --transfer pingpong
    refused "the plan has more than 1000000 points" rackmark-allreduce -b 1 -e 1T -i 1
}

@test "output that cannot be written" {
    refused "cannot write $BATS_TEST_TMPDIR/none/x: No such file" \
        rackmark-allreduce -n 6 -s 8 -O "$BATS_TEST_TMPDIR/none/x"
    refused "cannot write $BATS_TEST_TMPDIR: Is a directory" \
        rackmark-allreduce -n 6 -s 8 -O "$BATS_TEST_TMPDIR"
    refused "for standard output use --format jsonl" rackmark-allreduce -n 6 -s 8 -O -
}

@test "a file that is not ours stays as it is" {
    for text in hello '{"sort":"run","note":"the first line of ours has a kind"}'; do
        echo "$text" >"$file"
        refused "$file is not a Rackmark result file" \
            rackmark-allreduce -n 6 -s 8 -O "$file"
        [ "$(cat "$file")" = "$text" ]
    done
}

@test "more than the memory holds: what would fit is said" {
    refused "TiB of buffers" rackmark-allreduce -s 1T
    [[ $ours == *"host "*": 4 ranks need 16 TiB of buffers, "*" are available: choose sizes up to "* ]]
    refused "PiB of buffers" rackmark-allgather -s 8,1024T -n 6 -O "$file"
    [ ! -e "$file" ]
    refused "TiB of buffers" rackmark-p2p -s 1T
    refused "--window 65536 of messages of 1024T" rackmark-p2p -s 1024T --window 65536
}

@test "a backend for one rank, on four" {
    refused "--backend local measures one rank alone, 4 were started" \
        rackmark-allreduce --backend local
    refused "backend local does not offer ping-pong" rackmark-p2p --backend local
}

@test "point to point with one rank" {
    n=1 refused "this needs at least 2 ranks: mpirun -np 2 rackmark-p2p" rackmark-p2p
}

# by_hand VARIABLE=VALUE... PROGRAM ARGUMENT...: without a launcher.
by_hand() {
    status=0
    env -u OMPI_COMM_WORLD_SIZE -u PMI_SIZE -u SLURM_STEP_NUM_TASKS timeout -k 5 \
        "$limit_seconds" env "$@" </dev/null >"$out" 2>"$err" 3>&- || status=$?
    read_ours
}

@test "a launcher that started many, of whom this program sees one" {
    by_hand OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_RANK=0 \
        "$RACKMARK_BIN/rackmark-allreduce" -n 6 -s 8 --allow-single
    told_once "mpirun of Open MPI started 4 processes, but this program ("
    [[ $ours == *"sees 1: use the launcher of the MPI that it was built with" ]]
    # Each of the four sees itself alone; one of them speaks.
    by_hand OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_RANK=3 \
        "$RACKMARK_BIN/rackmark-allreduce" -n 6 -s 8
    [ "$status" -eq 2 ]
    [ -z "$ours" ]
}

@test "no launcher: what to do is said, and --allow-single does it" {
    by_hand "$RACKMARK_BIN/rackmark-allreduce" -n 6 -s 8
    told_once "started as one rank alone: start several with mpirun -np 4 rackmark-allreduce, or give --allow-single"
    by_hand "$RACKMARK_BIN/rackmark-p2p" --allow-single
    told_once "this needs at least 2 ranks"
    by_hand "$RACKMARK_BIN/rackmark-allreduce" -n 6 -s 8 --allow-single
    [ "$status" -eq 0 ]
    [ -z "$ours" ]
    grep -q '^# complete' "$out"
    by_hand "$RACKMARK_BIN/rackmark-allgather" -n 6 -s 8 --allow-single --backend local
    [ "$status" -eq 0 ]
    grep -q '^# backend local' "$out"
}

@test "a launcher that was asked for one rank gets it" {
    ranks 1 rackmark-allreduce -n 6 -s 8
    [ "$status" -eq 0 ]
    grep -q '^# 1 rank' "$out"
}

@test "help and version come once, whatever the number of ranks" {
    for option in --help --version --list; do
        ranks 4 rackmark-allreduce "$option"
        [ "$status" -eq 0 ]
        [ -z "$ours" ]
        cp "$out" "$BATS_TEST_TMPDIR/together"
        by_hand "$RACKMARK_BIN/rackmark-allreduce" "$option"
        cmp "$out" "$BATS_TEST_TMPDIR/together"
    done
}

@test "ranks that were told different things do not wait for each other" {
    launch 1 rackmark-allreduce -s 8 -n 6
    command+=(: -np 1 "$RACKMARK_BIN/rackmark-allreduce" -s 8 -n 7)
    status=0
    timeout -k 5 "$limit_seconds" "${command[@]}" </dev/null >"$out" 2>"$err" || status=$?
    read_ours
    told_once "the ranks were not started alike"
}
