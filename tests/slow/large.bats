#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Vectors and blocks of more elements than an int counts: each is delivered whole, and the
# check reaches its end.

# shellcheck source=../mpi/lib.bash
. "$BATS_TEST_DIRNAME/../mpi/lib.bash"

# Beyond 2^31 by less than a chunk, so that a rest is left over.
elements=$(((1 << 31) + 4096))
limit_seconds=600

setup() {
    common_setup
}

# large PROGRAM BYTES [ARGUMENT...]: sets `program` to one repetition of that size, with
# two ranks. Skips where the memory does not suffice.
large() {
    local need available unit
    program=("rackmark-$1" -d int8 -s "$2" -n 1 -w 0 "${@:3}")
    ranks 2 "${program[@]}" --dry-run
    # As in "host a: 2 ranks, 16 GiB of 21 GiB available".
    read -r need available unit < <(sed -n \
        's/^  host .*: 2 ranks, \([0-9.]*\) GiB of \([0-9.]*\) \(.*\) available$/\1 \2 \3/p' "$out")
    awk -v need="${need:?}" -v available="$available" -v unit="$unit" \
        'BEGIN { exit !(unit == "GiB" && need + 0 < available + 0) }' ||
        skip "$need GiB of memory are needed, $available $unit are available"
    [ "$status" -eq 0 ]
}

# measure [NAME=VALUE...]: runs `program`; its record is in $file.
measure() {
    ranks 2 "$@" "${program[@]}" -O "$file"
    [ "$(grep -c '"kind":"record"' "$file")" -eq 1 ]
    grep -q "\"elements\":${program[4]},.*\"ranks\":2," "$file"
}

passed() {
    [ "$status" -eq 0 ]
    [ -z "$ours" ]
    grep -q '"repetitions":1,.*"check":"passed",.*"wrong":0' "$file"
}

@test "all-reduce of 2^31 + 4096 elements" {
    large allreduce $elements
    measure
    passed
}

@test "all-gather of blocks of 2^31 + 4096 elements" {
    large allgather $((2 * elements)) --placement in-place
    measure
    passed
}

@test "broadcast of 2^31 + 4096 elements" {
    large broadcast $elements
    measure
    passed
}

# The third call is that for the rest.
@test "a wrong element beyond 2^31 is found, and named" {
    large allreduce $elements
    measure LD_PRELOAD="$top_builddir/tests/fakes/pmpi_damage.so" \
        DAMAGE_CALL=MPI_Allreduce DAMAGE_RANK=1 DAMAGE_AT=2 DAMAGE_ELEMENT=77
    [ "$status" -eq 3 ]
    [[ $ours == *": rank 1 on "*", element $(((1 << 31) + 77)): got "* ]]
    grep -q '"check":"failed",.*"wrong":1,' "$file"
}

# MPI 3 has no way to split a block that is reduced and scattered.
@test "reduce-scatter of blocks of 2^31 + 4096 elements is not offered" {
    large reducescatter $((2 * elements)) --placement in-place
    measure
    [ "$status" -eq 0 ]
    grep -q '"repetitions":0,.*"stopped":"not offered"' "$file"
}
