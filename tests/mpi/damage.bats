#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# One bit that is wrong in what one call delivered to one rank: found, and named.
# tests/fakes/pmpi_damage.c flips it.

# shellcheck source=lib.bash
. "$BATS_TEST_DIRNAME/lib.bash"

setup() {
    common_setup
    shim=$top_builddir/tests/fakes/pmpi_damage.so
    [ -e "$shim" ]
}

# damaged N CALL RANK AT ELEMENT PROGRAM ARGUMENT...: six repetitions of two sizes, the
# first of ten floats.
damaged() {
    rm -f "$file"
    ranks "$1" LD_PRELOAD="$shim" DAMAGE_CALL="$2" DAMAGE_RANK="$3" DAMAGE_AT="$4" \
        DAMAGE_ELEMENT="$5" "${@:6}" -n 6 -w 0 -s 40,64K -O "$file"
}

# named OPERATION RANK ELEMENT: one wrong element, in one of two records; said once on
# stderr and in the end mark, and in that record.
named() {
    [ "$status" -eq 3 ]
    [ "$(grep -c . <<<"$ours")" -eq 1 ]
    [[ $ours == "rackmark-"*": wrong data: $1 of "*" float"*": rank $2 on "*", element $3: got "*", expected "* ]]
    [ "$(grep -c '"kind":"record"' "$file")" -eq 2 ]
    [ "$(grep -c '"check":"passed".*"wrong":0' "$file")" -eq 1 ]
    grep '"check":"failed"' "$file" | grep '"wrong":1,' | grep "\"wrong_rank\":$2," |
        grep -q "\"wrong_element\":$3,"
    tail -n 1 "$file" | grep '"status":"failed","exit_code":3' | grep -q "rank $2 on "
    grep -q "WRONG DATA: 1 element; first: rank $2 on .*, element $3:" "$out"
    valid "$file"
    [ "$verdicts" != complete ]
}

@test "the control plane calls PMPI alone: what wraps MPI meets measured calls" {
    object=$top_builddir/common/world_mpi.o
    [ "$(nm -u "$object" | grep -c ' U PMPI_')" -gt 10 ]
    [ "$(nm -u "$object" | grep -c ' U MPI_')" -eq 0 ]
}

@test "without damage nothing is found, and nothing is said" {
    for n in $(few_or 2 5 8); do
        for program in "allreduce --placement all" "allgather --placement all" \
            "reducescatter --placement all" "alltoall --placement all" \
            "broadcast --root $((n - 1))" "p2p --pattern all" barrier; do
            # shellcheck disable=SC2086 # the program's name, and options
            ranks "$n" LD_PRELOAD="$shim" rackmark-$program -t all -n 24 -s 40,64K
            [ "$status" -eq 0 ]
            [ -z "$ours" ]
            [ "$(grep -c WRONG "$out")" -eq 0 ]
            grep -q '^# complete' "$out"
        done
    done
}

# Not unsigned types with min and max: MPICH 4.0 compares them as signed, and the check
# says so.
@test "every type and reduction is right, and a flipped bit shows in each" {
    local points
    for set in "all sum,prod 40" "int8,int16,int32,int64,float,double min,max 24"; do
        read -r types ops points <<<"$set"
        rm -f "$file"
        ranks 3 rackmark-reducescatter -n 6 -s 396,1200 -d "$types" -o "$ops" -O "$file"
        [ "$status" -eq 0 ]
        [ "$(grep -c '"check":"passed"' "$file")" -eq "$points" ]
        rm -f "$file"
        ranks 3 rackmark-allreduce -n 6 -s 400,1000 -d "$types" -o "$ops" -O "$file"
        [ "$status" -eq 0 ]
        [ "$(grep -c '"check":"passed"' "$file")" -eq "$points" ]
        # Six calls a point: the first, one between, the last of all.
        for at in 0 95 $((6 * points - 1)); do
            rm -f "$file"
            ranks 3 LD_PRELOAD="$shim" DAMAGE_CALL=MPI_Allreduce DAMAGE_RANK=1 \
                DAMAGE_AT="$at" DAMAGE_ELEMENT=77 \
                rackmark-allreduce -n 6 -w 0 -s 400,1000 -d "$types" -o "$ops" -O "$file"
            [ "$status" -eq 3 ]
            grep '"check":"failed"' "$file" | grep '"wrong_element":77,' |
                grep -q "\"index\":$((at / 6)),"
            [ "$(grep -c '"check":"passed"' "$file")" -eq $((points - 1)) ]
        done
    done
}

# Each number of ranks has its own place: first and last rank, size and element.
@test "all-reduce: the damaged element is named" {
    for n in $(few_or 2 3 5 8); do
        case $n in
        2 | 8)
            damaged "$n" MPI_Allreduce $((n - 1)) 0 9 rackmark-allreduce
            named allreduce $((n - 1)) 9
            ;;
        *)
            damaged "$n" MPI_Allreduce 0 11 16383 rackmark-allreduce
            named allreduce 0 16383
            ;;
        esac
    done
}

@test "all-gather: the damaged element is named, in its own or another's block" {
    for n in $(few_or 2 3 5 8); do
        case $n in
        2 | 8)
            damaged "$n" MPI_Allgather $((n / 2)) 5 0 rackmark-allgather
            named allgather $((n / 2)) 0
            ;;
        *)
            damaged "$n" MPI_Allgather 0 6 16383 rackmark-allgather
            named allgather 0 16383
            ;;
        esac
    done
}

# A rank's last element, in a block that 64 KiB are rounded up to.
@test "reduce-scatter: the damaged element of the one block is named" {
    for n in $(few_or 2 3 5 8); do
        case $n in
        2 | 8)
            damaged "$n" MPI_Reduce_scatter_block $((n - 1)) 0 0 rackmark-reducescatter
            named reducescatter $((n - 1)) 0
            ;;
        *)
            damaged "$n" MPI_Reduce_scatter_block 0 11 $(((16384 - 1) / n)) \
                rackmark-reducescatter
            named reducescatter 0 $(((16384 - 1) / n))
            ;;
        esac
    done
}

@test "all-to-all: the damaged element is named, in its own or another's block" {
    for n in $(few_or 2 3 5 8); do
        case $n in
        2 | 8)
            damaged "$n" MPI_Alltoall $((n - 1)) 5 9 rackmark-alltoall
            named alltoall $((n - 1)) 9
            ;;
        *)
            damaged "$n" MPI_Alltoall 0 6 0 rackmark-alltoall
            named alltoall 0 0
            ;;
        esac
    done
}

@test "broadcast: the damaged element is named, whichever rank is the root" {
    for n in $(few_or 2 3 5 8); do
        case $n in
        2 | 8)
            damaged "$n" MPI_Bcast $((n - 1)) 0 9 rackmark-broadcast
            named broadcast $((n - 1)) 9
            ;;
        *)
            damaged "$n" MPI_Bcast 0 11 16383 rackmark-broadcast --root 1
            named broadcast 0 16383
            grep -q '"kind":"record".*"root":1,' "$file"
            ;;
        esac
    done
}

# Call 7 is of the second size, whose blocks have thousands of elements.
@test "in place: the damaged element is named, in every operation that knows it" {
    for n in $(few_or 2 3 5 8); do
        for pair in Allreduce:allreduce Allgather:allgather Alltoall:alltoall \
            Reduce_scatter_block:reducescatter; do
            damaged "$n" "MPI_${pair%:*}" $((n / 2)) 7 1234 "rackmark-${pair#*:}" \
                --placement in-place
            named "${pair#*:}" $((n / 2)) 1234
            [ "$(grep -c '"kind":"record".*"placement":"in-place"' "$file")" -eq 2 ]
        done
    done
}

# What a repetition leaves is the next one's input: all of it is compared in between.
@test "in place: damage in the middle of any repetition is found" {
    for at in 4 5 37 79; do
        rm -f "$file"
        ranks 3 LD_PRELOAD="$shim" DAMAGE_CALL=MPI_Allreduce DAMAGE_RANK=2 \
            DAMAGE_AT="$at" DAMAGE_ELEMENT=7777 \
            rackmark-allreduce -n 80 -w 0 -s 64K --placement in-place -O "$file"
        [ "$status" -eq 3 ]
        [[ $ours == *": rank 2 on "*", element 7777: got "* ]]
        [ "$(grep -c '"wrong":1,' "$file")" -eq 1 ]
    done
}

@test "ping-pong: the damaged element is named, whichever rank receives it" {
    for n in $(few_or 2 3 5 8); do
        damaged "$n" MPI_Recv $((n % 2)) 2 7 rackmark-p2p --transfer pingpong
        named pingpong $((n % 2)) 7
    done
}

# With a window of four, call 9 is message 1 of the third repetition, and call 45 message 1
# of the sixth repetition of the second size.
@test "one way: the damaged element is named, in the message of the window" {
    for n in $(few_or 2 3 5 8); do
        case $n in
        2 | 8)
            damaged "$n" MPI_Irecv 1 9 3 rackmark-p2p --transfer oneway --window 4
            named oneway 1 13
            ;;
        *)
            damaged "$n" MPI_Irecv 1 45 3 rackmark-p2p --transfer oneway --window 4
            named oneway 1 $((16384 + 3))
            ;;
        esac
    done
}

@test "two way: the damaged element is named, on either side" {
    for n in $(few_or 2 3 5 8); do
        damaged "$n" MPI_Irecv $((n % 2)) 3 9 rackmark-p2p --transfer twoway --window 4
        named twoway $((n % 2)) 39
    done
}

# In a ring of two ways, eight receives make a repetition, the second four from the next.
@test "ring: the damaged element is named, from either neighbour" {
    for n in $(few_or 2 3 5 8); do
        case $n in
        2 | 8)
            damaged "$n" MPI_Irecv 0 14 3 \
                rackmark-p2p --pattern ring --transfer twoway --window 4
            named twoway 0 63
            ;;
        *)
            damaged "$n" MPI_Irecv $((n - 1)) 9 3 \
                rackmark-p2p --pattern ring --transfer oneway --window 4
            named oneway $((n - 1)) 13
            ;;
        esac
    done
}

# Of eighty repetitions twenty blocks of four are made: the first two of each are overwritten
# by the others before the whole buffers are compared.
@test "the ends of every repetition are looked at, before another overwrites them" {
    for place in "4 0" "5 16383" "37 0" "39 16383"; do
        rm -f "$file"
        ranks 3 LD_PRELOAD="$shim" DAMAGE_CALL=MPI_Allreduce DAMAGE_RANK=2 \
            DAMAGE_AT="${place% *}" DAMAGE_ELEMENT="${place#* }" \
            rackmark-allreduce -n 80 -w 0 -s 64K -O "$file"
        [ "$status" -eq 3 ]
        [[ $ours == *": rank 2 on "*", element ${place#* }: got "* ]]
        [ "$(grep -c '"wrong":1,' "$file")" -eq 1 ]
    done
}

@test "without checks damage goes unseen, and the record says that none was made" {
    ranks 2 LD_PRELOAD="$shim" DAMAGE_CALL=MPI_Allreduce DAMAGE_RANK=1 DAMAGE_AT=0 \
        DAMAGE_ELEMENT=0 rackmark-allreduce -n 6 -w 0 -s 40 -c none -O "$file"
    [ "$status" -eq 0 ]
    [ "$(grep -c '"kind":"record".*"check":"none"' "$file")" -eq 1 ]
    [ "$(grep -c '"check_power"' "$file")" -eq 0 ]
}
