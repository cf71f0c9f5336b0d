#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Every program, and options whose meaning depends on there being several ranks.

# shellcheck source=lib.bash
. "$BATS_TEST_DIRNAME/lib.bash"

setup() {
    common_setup
}

# good N PROGRAM ARGUMENT...: ends well, and leaves a file of valid records. `records`:
# how many.
good() {
    rm -f "$file"
    ranks "$1" "rackmark-$2" "${@:3}" -O "$file"
    [ "$status" -eq 0 ]
    [ -z "$ours" ]
    valid --complete "$file"
    [ "$verdicts" = complete ]
    records=$(grep -c '"kind":"record"' "$file")
}

# each PATTERN: all records match it.
each() {
    [ "$(grep '"kind":"record"' "$file" | grep -Ec -- "$1")" -eq "$records" ]
}

@test "every program, in both timings, warm and cold" {
    for cache in warm cold; do
        for name in allgather allreduce alltoall broadcast reducescatter p2p; do
            good 2 "$name" -n 40 -s 16,64K -t all --cache $cache
            [ "$records" -eq "$([ "$name" = p2p ] && echo 12 || echo 4)" ]
            each '"ranks":2,.*"repetitions":40,.*"check":"passed"'
            [ "$(grep -c '"timing":"streaming"' "$file")" -eq $((records / 2)) ]
            grep -q "\"cache\":\"$cache\"" "$file"
        done
        good 2 barrier -n 40 -t all --cache $cache
        [ "$records" -eq 2 ]
        each '"operation":"barrier",.*"bytes":0,.*"time_median_s":(0\.0*)?[1-9]'
        [ "$(grep -c '"check":\|busbw' "$file")" -eq 1 ] # in the run header alone
    done
}

@test "in place and out of place" {
    for name in allgather allreduce alltoall reducescatter; do
        good 2 "$name" -n 40 -s 16,64K -t all --placement all
        [ "$records" -eq 8 ]
        each '"check":"passed"'
        [ "$(grep -c '"placement":"in-place"' "$file")" -eq 4 ]
        [ "$(grep -c '"placement":"out-of-place"' "$file")" -eq 4 ]
    done
}

@test "broadcast from any rank" {
    for root in 0 1; do
        good 2 broadcast --root $root -n 40 -s 16,64K -t all
        [ "$records" -eq 4 ]
        each "\"root\":$root,.*\"busbw_GBps\":[0-9.e-]+,.*\"check\":\"passed\""
    done
    ranks 2 rackmark-broadcast --root 2 -n 6 -s 8
    [ "$status" -eq 2 ]
    [ "$ours" = "rackmark-broadcast: --root 2: there are ranks 0 to 1" ]
}

@test "all ranks shuffle alike" {
    good 2 allgather -n 6 -b 8 -e 64K --order shuffled --seed 7
    [ "$records" -eq 14 ]
    each '"check":"passed"'
    sizes=$(grep -o '"bytes":[0-9]*,"elements"' "$file" | tr -dc '0-9\n')
    [ "$sizes" != "$(sort -n <<<"$sizes")" ]
}

@test "a dry run: the memory of all ranks of a host, once" {
    ranks 2 rackmark-p2p --dry-run -s 8,1M --pattern all -O "$file"
    [ "$status" -eq 0 ]
    [ -z "$ours" ]
    [ ! -e "$file" ]
    [ "$(grep -c '^Plan: 10 points, 2 ranks on 1 host' "$out")" -eq 1 ]
    [ "$(grep -c '^  host .*: 2 ranks, .*iB of .* available' "$out")" -eq 1 ]
    [ "$(grep -c '^  .*, pair, float, streaming:' "$out")" -eq 3 ]
    [ "$(grep -c '^  .*, ring, float, streaming:' "$out")" -eq 2 ]
    ranks 2 rackmark-alltoall --dry-run -s 1T
    [ "$status" -eq 2 ]
    [ "$(grep -c '^    1T' "$out")" -eq 1 ]
    [[ $ours == "rackmark-alltoall: host "*": 2 ranks need 8.0 TiB of buffers, "* ]]
}

@test "options from a file" {
    printf '%s\n' '# two sizes' '--sizes "8,1K"' '-n 6' >"$BATS_TEST_TMPDIR/options"
    good 2 allreduce "@$BATS_TEST_TMPDIR/options"
    [ "$records" -eq 2 ]
    ranks 2 rackmark-allreduce "@$BATS_TEST_TMPDIR/none"
    [ "$status" -eq 2 ]
    [[ $ours == "rackmark-allreduce: cannot read options from $BATS_TEST_TMPDIR/none: "* ]]
    [ "$(wc -l <<<"$ours")" -eq 1 ]
}
