#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# What a run leaves behind, also one that does not end well: every whole line of the result
# file is valid, and a run that is not complete says so or has no end mark.

# shellcheck source=lib.bash
. "$BATS_TEST_DIRNAME/lib.bash"

setup() {
    common_setup
    small=
}

teardown() {
    common_teardown
    if [ -n "$small" ]; then
        umount "$small"
    fi
}

# A run that takes a minute if nobody ends it.
long_run=(rackmark-allreduce -b 8 -e 480 -i 8 -t streaming --max-time 1)

# start_long N: returns when the first record is in the file.
start_long() {
    start "$1" "${long_run[@]}" -O "$file"
    until_true has_records 1
}

# left VERDICT...: the file is valid, and its runs are so.
left() {
    local IFS=$'\n'
    valid "$file"
    # shellcheck disable=SC2053 # patterns
    [[ $verdicts == $* ]]
}

@test "a result file is valid and complete" {
    ranks 4 rackmark-allgather -n 6 -b 16 -e 64K -O "$file"
    [ "$status" -eq 0 ]
    [ "$(grep -c '"kind":"record"' "$file")" -eq 13 ]
    valid --complete "$file"
    left complete
}

@test "a second and a third run are appended, after what a killed one left is cut off" {
    ranks 2 rackmark-allreduce -n 6 -s 8,16 -O "$file"
    printf '{"kind":"record","run":"' >>"$file"
    ranks 2 rackmark-p2p -n 6 -s 8 -O "$file"
    [ "$status" -eq 0 ]
    ranks 3 rackmark-allgather -n 6 -s 8 -c none -t streaming -O "$file"
    [ "$status" -eq 0 ]
    left complete complete complete
    [ "$(wc -l <"$file")" -eq $((4 + 5 + 3)) ]
    valid --complete "$file"
}

@test "one file has one writer at a time" {
    start_long 2
    err=$err.second out=$out.second ranks 2 rackmark-allreduce -n 6 -s 8 -O "$file"
    [ "$status" -eq 2 ]
    [[ $ours == "rackmark-allreduce: another run is writing to $file" ]]
    kill -TERM "$started"
    finish
    left "incomplete: interrupted: *"
}

@test "kill -9 of the launcher: no rank stays, the file is valid and incomplete" {
    start_long 3
    kill -KILL "$started"
    finish
    [ "$status" -eq 137 ]
    left "incomplete: *"
    has_records 1
}

@test "SIGTERM to the launcher: the end mark says interrupted" {
    start_long 3
    kill -TERM "$started"
    finish
    [ "$status" -ne 0 ]
    left "incomplete: interrupted: *SIGTERM"
}

@test "SIGINT to the launcher: the end mark says interrupted" {
    start_long 3
    kill -INT "$started"
    finish
    [ "$status" -ne 0 ]
    left "incomplete: interrupted: *SIG*"
}

# The ranks, without the launcher, which has their arguments among its own.
rank_pids() {
    pgrep -r R,S,D,T "$@" -f -- "^$RACKMARK_BIN/rackmark-allreduce .*$file"
}

@test "SIGKILL of rank 0: the others end, the file is valid and incomplete" {
    start_long 3
    kill -KILL "$(rank_pids -o)"
    finish
    [ "$status" -ne 0 ]
    left "incomplete: *"
}

@test "SIGKILL of the last rank: the others end, the file is valid and incomplete" {
    start_long 3
    [ "$(rank_pids | wc -l)" -eq 3 ]
    kill -KILL "$(rank_pids -n)"
    finish
    [ "$status" -ne 0 ]
    left "incomplete: *"
}

@test "a signal to a program that was started by hand" {
    for signal in TERM INT; do
        rm -f "$file"
        "$RACKMARK_BIN/${long_run[0]}" "${long_run[@]:1}" --allow-single -O "$file" \
            </dev/null >"$out" 2>"$err" 3>&- &
        started=$!
        until_true has_records 1
        kill -$signal "$started"
        finish
        [ "$status" -eq 1 ]
        [[ $ours == "rackmark-allreduce: "*" by SIG$signal" ]]
        left "incomplete: interrupted: * by SIG$signal"
    done
}

@test "standard output that is closed early ends nothing badly" {
    launch 3 rackmark-allreduce -b 8 -e 64K --max-time 0.3 -O "$file"
    timeout -k 5 "$limit_seconds" "${command[@]}" </dev/null 2>"$err" 3>&- |
        head -n 1 >"$out"
    [ "${PIPESTATUS[0]}" -ne 124 ]
    grep -q '^# rackmark-allreduce' "$out"
    until_true all_gone
    valid "$file"
}

# By hand there is no launcher that reads on.
@test "a reader that goes away is an error, and the run has its end mark" {
    timeout -k 5 "$limit_seconds" "$RACKMARK_BIN/${long_run[0]}" "${long_run[@]:1}" \
        --allow-single -O "$file" </dev/null 2>"$err" 3>&- | head -n 1 >"$out"
    status=${PIPESTATUS[0]}
    read_ours
    [ "$status" -eq 1 ]
    [ "$ours" = "rackmark-allreduce: standard output: Broken pipe" ]
    left "incomplete: failed: standard output: Broken pipe"
}

@test "standard output on a full disk is an error" {
    status=0
    "$RACKMARK_BIN/rackmark-allreduce" -n 6 -s 8 --allow-single -O "$file" \
        </dev/null >/dev/full 2>"$err" || status=$?
    read_ours
    [ "$status" -eq 1 ]
    [[ $ours == "rackmark-allreduce: standard output: No space left on device" ]]
    valid "$file"
}

@test "a result file on a full disk: exit code 1, and the file is named" {
    ranks 3 rackmark-allreduce -n 6 -s 8 -O /dev/full
    [ "$status" -eq 1 ]
    [ "$ours" = "rackmark-allreduce: cannot write /dev/full: No space left on device" ]
    grep -q '^# failed, exit code 1: cannot write /dev/full' "$out"
}

@test "a disk that fills up: what was measured before is valid" {
    mkdir "$BATS_TEST_TMPDIR/small"
    mount -t tmpfs -o size=12k none "$BATS_TEST_TMPDIR/small" 2>/dev/null ||
        skip 'mounting a small file system is not permitted here'
    small=$BATS_TEST_TMPDIR/small
    ranks 3 rackmark-allreduce -n 6 -b 8 -e 4M -O "$small/run.jsonl"
    [ "$status" -eq 1 ]
    [ "$ours" = "rackmark-allreduce: cannot write $small/run.jsonl: No space left on device" ]
    cp "$small/run.jsonl" "$file"
    has_records 2
    left "incomplete: *"
    [ "$(tail -c 1 "$file" | od -An -c | tr -d ' ')" = '\n' ]
}

@test "--format csv: a row of keys, and one for each point" {
    ranks 3 rackmark-p2p -n 6 -s 8,1K,64K --format csv
    [ "$status" -eq 0 ]
    [ -n "${PYTHON3:-}" ] || skip 'no python3 was found'
    "$PYTHON3" - "$out" <<'END'
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1], newline=""), strict=True))
assert len(rows) == 9, len(rows)
assert [row["bytes"] for row in rows] == ["8", "1024", "65536"] * 3
assert {row["operation"] for row in rows} == {"pingpong", "oneway", "twoway"}
assert all(float(row["busbw_GBps"]) > 0 and row["ranks"] == "3" for row in rows)
assert all(None not in row and None not in row.values() for row in rows)
END
}

@test "--format jsonl: the same lines as in the result file" {
    ranks 3 rackmark-allgather -n 6 -s 8,1K,64K --format jsonl -O "$file"
    [ "$status" -eq 0 ]
    cmp "$out" "$file"
    [ "$(wc -l <"$out")" -eq 5 ]
    valid --complete "$out"
}

@test "--format text: a line for each point" {
    ranks 3 rackmark-allgather -n 6 -s 8,1K,64K -d int8,double
    [ "$status" -eq 0 ]
    [ "$(grep -Ec '^ +[0-9]+ .* passed +[-a-z,]+$' "$out")" -eq 6 ]
    grep -q '^# 6 records' "$out"
}
