#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Options at work in one process, which needs neither a launcher nor MPI.

collectives="allgather allreduce alltoall barrier broadcast reducescatter"

setup() {
    out=$BATS_TEST_TMPDIR/out err=$BATS_TEST_TMPDIR/err file=$BATS_TEST_TMPDIR/options
    alone=(--allow-single --backend local)
    started=()
}

teardown() {
    if [ "${#started[@]}" -gt 0 ]; then
        kill -KILL "${started[@]}" 2>/dev/null || true
    fi
}

# single NAME ARGUMENT...: rackmark-NAME. Sets `status`; what it said is in $out and $err.
single() {
    status=0
    "$RACKMARK_BIN/rackmark-$1" "${alone[@]}" "${@:2}" </dev/null >"$out" 2>"$err" 3>&- ||
        status=$?
    echo "exit code $status; stderr: $(cat "$err")"
}

# refused TEXT NAME ARGUMENT...: exit code 2, one line with the text, nothing measured.
refused() {
    single "${@:2}"
    [ "$status" -eq 2 ]
    [ "$(wc -l <"$err")" -eq 1 ]
    [[ $(cat "$err") == "rackmark-$2: "*"$1"* ]]
    [ ! -s "$out" ]
}

# said LINE...: just these, and nothing else; exit code 0.
said() {
    [ "$status" -eq 0 ]
    [ ! -s "$err" ]
    diff <(printf '%s\n' "$@") "$out"
}

# order SEED: the sizes as they were measured.
order() {
    single allreduce -n 6 -b 8 -e 64K --order shuffled --seed "$1" --format csv \
        --columns bytes
    [ "$status" -eq 0 ]
    order=$(tail -n +2 "$out")
}

# start_in STDERR ARGUMENT...: 128 points in the background, for some 20 seconds.
start_in() {
    "$RACKMARK_BIN/rackmark-allreduce" "${alone[@]}" -b 32K -e 4M -i 32K --precision 0 \
        --max-time 0.2 "${@:2}" </dev/null >"$out" 2>"$1" 3>&- &
    started+=($!)
}

@test "@FILE: its words stand where it stands" {
    cat >"$file" <<END
# What is measured,
--sizes "8,32"      # and "how" it is shown:
--columns=bytes,operation,repetitions --format csv
   --output
  "$BATS_TEST_TMPDIR/a file"
-n 9
END
    single allgather "@$file"
    said bytes,operation,repetitions 8,allgather,9 32,allgather,9
    grep -q '"sizes":"8,32"' "$BATS_TEST_TMPDIR/a file"
    grep -q "\"output\":\"$BATS_TEST_TMPDIR/a file\"" "$BATS_TEST_TMPDIR/a file"
    # Of an option that is given twice the last counts.
    single allgather -s 64 -n 7 "@$file" -n 8
    said bytes,operation,repetitions 8,allgather,8 32,allgather,8
}

@test "@FILE that cannot be read, or is none" {
    refused "cannot read options from $BATS_TEST_TMPDIR/none: No such file" allreduce \
        "@$BATS_TEST_TMPDIR/none"
    refused "$BATS_TEST_TMPDIR is not a file of options" allreduce "@$BATS_TEST_TMPDIR"
    printf -- '--sizes "8\n-n 6\n' >"$file"
    refused "$file: a quotation mark is not closed" allreduce "@$file"
    echo "@$file" >"$file.2"
    refused "unexpected argument '@$file'" allreduce "@$file.2"
    echo "--itertions 6" >"$file"
    refused "'--itertions': did you mean --iterations?" allreduce "@$file"
}

@test "--columns: text has these headings and cells" {
    single allreduce -n 6 -s 8,1K -d int8 -o sum,max \
        --columns time_median_s,bytes,op,time_min_s,root
    [ "$status" -eq 0 ]
    # Two tables of two rows: microseconds, bytes, reduction, seconds, no root.
    awk '
        /^# +median/ {
            if ($0 !~ /^# +median +bytes +op +time_min_s +root$/) bad = 1
            titles++
            width = length($0)
            edge = index($0, "median") + 5
        }
        /^# +us$/ { if (length($0) == edge) units++ }
        /^ *[0-9]/ {
            if (NF != 5 || length($0) != width || substr($0, edge + 1, 1) != " ") bad = 1
            if ($1 <= 0 || $4 <= 0 || $4 * 1e6 > $1 * 1.001 || $5 != "-") bad = 1
            rows[$2 " " $3]++
        }
        END {
            exit bad || !(titles == 2 && units == 2 && rows["8 sum"] == 1 && rows["1024 sum"] == 1 &&
                          rows["8 max"] == 1 && rows["1024 max"] == 1)
        }' "$out"
}

@test "--columns: CSV has these keys and cells" {
    single broadcast -n 6 -s 1000,8 -d int32 --format csv \
        --columns=root,bytes,elements,op,datatype,placement
    said root,bytes,elements,op,datatype,placement 0,1000,250,,int32, 0,8,2,,int32,
    single barrier -n 6 --format csv --columns operation,bytes,algbw_GBps
    said operation,bytes,algbw_GBps barrier,0,
}

@test "--columns: JSON Lines and result files keep all fields" {
    single allreduce -n 6 -s 8 --format jsonl --columns bytes -O "$file"
    [ "$status" -eq 0 ]
    cmp "$out" "$file"
    grep -q '"columns":"bytes"' "$file"
    grep -q '"kind":"record".*"operation":"allreduce".*"time_median_s":' "$file"
}

@test "--columns: an unknown key is refused before anything is measured" {
    for format in text csv jsonl; do
        refused "--columns: unknown key 'busbw': did you mean busbw_GBps?" allreduce \
            --columns bytes,busbw --format $format -O "$file"
        refused "--columns: unknown key 'colour': the man page" allreduce \
            --columns colour --format $format -O "$file"
        refused "--columns: a key is missing" allreduce \
            --columns bytes, --format $format -O "$file"
    done
    [ ! -e "$file" ]
}

@test "--dry-run: every program says its plan, and measures nothing" {
    for name in $collectives; do
        single "$name" --dry-run -s 8,1K,1M -t all -O "$file"
        [ "$status" -eq 0 ]
        [ ! -s "$err" ]
        [ ! -e "$file" ]
        points=6
        if [ "$name" = barrier ]; then
            points=2
            grep -q "^  barrier, isolated: no sizes$" "$out"
        else
            [ "$(grep -c "^    8 1K 1M$" "$out")" -eq 2 ]
            grep -Eq "^  [a-z-]+, float, .*streaming.*:$" "$out"
        fi
        grep -q "^Plan: $points points, 1 rank on 1 host$" "$out"
        grep -Eq "^  host .*: 1 rank, .*B of .* available$" "$out"
        grep -q "^Time: at most about $((points * 12 / 10 + 1)) s" "$out"
    done
}

@test "--dry-run: more than the memory holds is shown, then refused" {
    single allreduce --dry-run -s 8,1T
    [ "$status" -eq 2 ]
    grep -q "^    8 1T$" "$out"
    grep -q ": 1 rank, 4.0 TiB of .* available$" "$out"
    grep -q "^Time: " "$out"
    [ "$(wc -l <"$err")" -eq 1 ]
    [[ $(cat "$err") == "rackmark-allreduce: host "*" 4.0 TiB of buffers"*"choose sizes up to "* ]]
}

@test "--dry-run: standard output that is full" {
    [ -e /dev/full ] || skip 'there is no /dev/full'
    ln -s /dev/full "$out"
    single allreduce --dry-run -s 8
    [ "$status" -eq 1 ]
    grep -q "^rackmark-allreduce: standard output: No space left on device$" "$err"
}

@test "--order shuffled: the seed decides the order, and nothing is lost" {
    order 1
    first=$order
    order 2
    [ "$order" != "$first" ]
    [ "$(sort -n <<<"$order")" = "$(sort -n <<<"$first")" ]
    order 1
    [ "$order" = "$first" ]
    [ "$(sort -n <<<"$order")" != "$order" ]
    single allreduce -n 6 -b 8 -e 64K --seed 1 --format csv --columns bytes
    diff <(tail -n +2 "$out") <(sort -n <<<"$first")
}

@test "--root: beyond the ranks there are" {
    refused "--root 1: there are ranks 0 to 0" broadcast --root 1 -n 6 -s 8
    refused "--root 100000000: there are ranks 0 to 0" broadcast -r 100000000 -n 6 -s 8
    refused "--root: 100000001 is out of range" broadcast -r 100000001 -n 6 -s 8
    refused "--root: '-1'" broadcast --root=-1 -n 6 -s 8
    single broadcast --root 0 -n 6 -s 8 --format csv --columns root
    said root 0
}

@test "--placement and --cache: both are measured, and recorded" {
    for name in allgather allreduce alltoall reducescatter; do
        single "$name" -n 40 -s 8,64K -t all --placement all --cache cold --format csv \
            --columns bytes,timing,placement,check
        said bytes,timing,placement,check \
            {8,65536},isolated,out-of-place,passed {8,65536},isolated,in-place,passed \
            {8,65536},streaming,out-of-place,passed {8,65536},streaming,in-place,passed
    done
    # An operation that knows one way only is measured all the same.
    single broadcast -n 6 -s 8 --placement in-place --format csv --columns bytes,placement
    said bytes,placement 8,
}

@test "--progress on: a line where the rest is slow to come; off: none" {
    start_in "$err.off" --progress off
    start_in "$err" --progress on
    for ((tries = 0; tries < 600 && $(wc -l <"$err") == 0; tries++)); do
        kill -0 "${started[1]}" || break # a quick machine has nothing to say
        sleep 0.1
    done
    kill -TERM "${started[@]}"
    wait "${started[@]}" || true
    started=()
    if grep -q point "$err"; then
        grep -Eq '^rackmark-allreduce: point [0-9]+ of 128: all-reduce, [0-9.]+[KM]? bytes' "$err"
    fi
    [ "$(grep -c point "$err.off")" -eq 0 ]
}
