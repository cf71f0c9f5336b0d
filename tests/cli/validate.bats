#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# The checker of result files is itself checked: each kind of damage must be seen.

validate="${top_srcdir:-.}/tests/validate.py"

setup() {
    "${PYTHON3:-python3}" -c 'import jsonschema' 2>/dev/null ||
        skip 'jsonschema was not found (Debian: python3-jsonschema)'
    good=$BATS_TEST_TMPDIR/good
    bad=$BATS_TEST_TMPDIR/bad
    id=0123456789abcdef0123456789abcdef
    cat >"$good" <<END
{"kind":"run","schema":1,"run":"$id","program":"p","version":"1","start_utc":"2026-01-31T12:00:00.000Z","backend":{"name":"mpi"},"world":{"ranks":2,"nodes":1},"hosts":[{"host":"a","ranks":2}],"config":{"seed":"1"},"plan":{"points":2,"rounded":0,"hash":"0123456789abcdef"},"environment":{},"system":{},"build":{},"libraries":{}}
{"kind":"record","run":"$id","index":0,"operation":"allreduce","datatype":"float","op":"sum","backend":"mpi","timing":"isolated","placement":"out-of-place","bytes":8,"elements":2,"messages":1,"ranks":2,"nodes":1,"warmup":5,"repetitions":10,"blocks":6,"samples":10,"time_min_s":1e-6,"time_mean_s":1e-6,"time_median_s":1e-6,"time_low_s":1e-6,"time_high_s":1e-6,"time_p95_s":1e-6,"time_p99_s":1e-6,"time_max_s":1e-6,"algbw_GBps":0.008,"busbw_GBps":0.008,"busbw_low_GBps":0.008,"busbw_high_GBps":0.008,"slowest_rank":0,"slowest_host":"a","slowest_share":0.5,"stopped":"iterations","check":"passed","check_power":1.0,"wrong":0,"start_utc":"2026-01-31T12:00:00.000Z","end_utc":"2026-01-31T12:00:00.100Z"}
{"kind":"record","run":"$id","index":1,"operation":"allreduce","datatype":"float","op":"sum","backend":"mpi","timing":"isolated","placement":"out-of-place","bytes":16,"elements":4,"messages":1,"ranks":2,"nodes":1,"warmup":5,"repetitions":0,"blocks":0,"samples":0,"stopped":"not offered","wrong":0,"start_utc":"2026-01-31T12:00:00.000Z","end_utc":"2026-01-31T12:00:00.100Z"}
{"kind":"end","run":"$id","status":"complete","exit_code":0,"records":2,"end_utc":"2026-01-31T12:00:01.000Z"}
END
}

check() {
    run "${PYTHON3:-python3}" "$validate" "$@"
}

# refused MESSAGE SED-EXPRESSION: the damaged file is invalid, with the message.
refused() {
    sed -E "$2" "$good" >"$bad"
    ! cmp -s "$good" "$bad"
    check "$bad"
    echo "$output"
    [ "$status" -eq 1 ]
    [[ $output == *"$1"* ]]
    [[ $output == *'incomplete: invalid' ]]
}

# accepted SED-EXPRESSION: the changed file is complete.
accepted() {
    sed -E "$1" "$good" >"$bad"
    ! cmp -s "$good" "$bad"
    check --complete "$bad"
    echo "$output"
    [ "$status" -eq 0 ]
}

@test "a good file is complete" {
    check --complete "$good"
    [ "$status" -eq 0 ]
    [ "$output" = complete ]
    cat "$good" "$good" >"$bad"
    check --complete "$bad" "$good"
    [ "$status" -eq 0 ]
    [ "$output" = $'complete\ncomplete\ncomplete' ]
}

@test "a run that did not end well is incomplete, and valid" {
    sed '$d' "$good" >"$bad"
    check "$bad"
    [ "$status" -eq 0 ]
    [ "$output" = 'incomplete: no end mark' ]
    check --complete "$bad"
    [ "$status" -eq 1 ]
    sed 's/"complete","exit_code":0/"failed","exit_code":3,"cause":"wrong data"/' "$good" >"$bad"
    check "$bad"
    [ "$status" -eq 0 ]
    [ "$output" = 'incomplete: failed: wrong data' ]
    check --complete "$good" "$bad"
    [ "$status" -eq 1 ]
    check "/dev/null"
    [ "$status" -eq 0 ]
    [ "$output" = 'incomplete: no run' ]
    check --complete "/dev/null"
    [ "$status" -eq 1 ]
}

@test "what a record may say, or leave out, is valid" {
    local reason
    for reason in precision max-time max-iterations min-blocks; do
        accepted '2s/"iterations"/"'"$reason"'"/'
    done
    accepted '2s/"out-of-place"/"in-place"/'
    accepted '2s/"placement":"out-of-place",//'
    accepted '2s/"ranks":2/"root":1,"ranks":2/'
    accepted '2s/"stopped"/"slowest_ranks":"0:0.50 1:0.50","precision":0.01,"precision_target":0.02,"lag1":-0.1,"drift":-0.3,"stopped"/'
    accepted '2s/"wrong":0/"flags":"imprecise,drift","wrong":0/'
    accepted '2s/"slowest_rank"/"limit_kind":"reference","limit_name":"copy","limit_GBps":5,"limit_share":1.1,"slowest_rank"/'
    # A barrier.
    accepted '2s/"datatype":"float","op":"sum",//; 2s/"placement":"out-of-place",//; 2s/"bytes":8,"elements":2/"bytes":0,"elements":0/; 2s/"algbw_GBps".*"slowest_rank"/"slowest_rank"/; 2s/"check":"passed","check_power":1.0,//'
}

@test "an unterminated tail is ignored" {
    { cat "$good" && printf '{"kind":"rec'; } >"$bad"
    check --complete "$bad"
    [ "$status" -eq 0 ]
}

@test "what is not JSON is invalid" {
    refused ':4: ' '4s/.$//'
    refused 'not an object' '2s/.*/[]/'
    refused 'not an object' '2s/.*/1/'
    refused ':2: ' '2s/.*//'
    refused 'NaN is not JSON' '2s/"time_max_s":1e-6/"time_max_s":NaN/'
    refused 'Infinity is not JSON' '2s/"algbw_GBps":0.008/"algbw_GBps":Infinity/'
    refused 'appears twice' '2s/"ranks":2/"ranks":2,"ranks":2/'
    refused "can't decode" $'2s/"slowest_host":"a"/"slowest_host":"\xff"/'
}

@test "what the schema does not take is invalid" {
    refused 'unknown kind' '2s/"record"/"row"/'
    refused 'unknown kind' '2s/"kind":"record",//'
    refused 'schema: ' '1s/"schema":1/"schema":2/'
    refused "'hosts' is a required property" '1s/"hosts":[^]]*\],//'
    refused 'not of type' '1s/"seed":"1"/"seed":1/'
    refused 'new_key' '2s/"ranks":2/"ranks":2,"new_key":1/'
    refused 'new_key' '4s/"records":2/"records":2,"new_key":1/'
    refused "'bytes' is a required property" '2s/"bytes":8,//'
    refused 'bytes: ' '2s/"bytes":8/"bytes":8.5/'
    refused 'bytes: ' '2s/"bytes":8/"bytes":-8/'
    refused 'time_max_s: ' '2s/"time_max_s":1e-6/"time_max_s":"1e-6"/'
    refused 'timing: ' '2s/"isolated"/"usual"/'
    refused 'check: ' '2s/"passed"/"ok"/'
    refused 'stopped: ' '2s/"iterations"/"bored"/'
    refused 'placement: ' '2s/"out-of-place"/"beside"/'
    refused 'limit_kind: ' '2s/"slowest_rank"/"limit_kind":"law","slowest_rank"/'
    refused 'limit_GBps: ' '2s/"slowest_rank"/"limit_GBps":0,"slowest_rank"/'
    refused 'root: ' '2s/"ranks":2/"root":-1,"ranks":2/'
    refused 'slowest_ranks: ' '2s/"stopped"/"slowest_ranks":"0","stopped"/'
    refused 'precision: ' '2s/"stopped"/"precision":-0.1,"stopped"/'
    refused 'precision_target: ' '2s/"stopped"/"precision_target":0,"stopped"/'
    refused 'lag1: ' '2s/"stopped"/"lag1":1.5,"stopped"/'
    refused 'flags: ' '2s/"wrong":0/"flags":"drift,","wrong":0/'
    refused 'slowest_share: ' '2s/"slowest_share":0.5/"slowest_share":50/'
    refused 'start_utc: ' '2s/"start_utc":"2026-01-31T12:00:00.000Z"/"start_utc":"2026-01-31 12:00"/'
    refused 'status: ' '4s/"complete"/"done"/'
}

@test "a record that contradicts itself is invalid" {
    refused "'time_median_s' is a required property" '2s/"time_median_s":1e-6,//'
    refused 'samples: ' '2s/"samples":10/"samples":0/'
    refused 'check' '3s/"wrong":0/"check":"passed","check_power":1.0,"wrong":0/'
    refused 'time_median_s' '3s/"wrong":0/"time_median_s":1.0,"wrong":0/'
    refused 'wrong: ' '2s/"wrong":0/"wrong":1/'
    refused "is a required property" '2s/"check":"passed"(.*)"wrong":0/"check":"failed"\1"wrong":1/'
    refused 'wrong_rank' '2s/"wrong":0/"wrong":0,"wrong_rank":1/'
    refused "'check_power' is a required property" '2s/"check_power":1.0,//'
    refused 'check_power' '2s/"check":"passed"/"check":"none"/'
    refused 'time_low_s' '2s/"time_low_s":1e-6,//'
    refused 'time_low_s' '2s/"time_(low|high)_s":1e-6,//g; 2s/"stopped"/"precision":0.1,"stopped"/'
    refused "'limit_kind' is a dependency" '2s/"slowest_rank"/"limit_GBps":5,"limit_name":"a","limit_share":1,"slowest_rank"/'
    refused "'check' is a dependency" '2s/"check":"passed","check_power":1.0,//'
    refused 'flags' '3s/"wrong":0/"flags":"drift","wrong":0/'
    refused 'bytes: ' '2s/"bytes":8/"bytes":0/'
    # Without a type it is a barrier.
    refused 'bytes: ' '2s/"datatype":"float",//'
    refused 'algbw_GBps' '2s/"datatype":"float","op":"sum",//; 2s/"placement":"out-of-place",//; 2s/"bytes":8,"elements":2/"bytes":0,"elements":0/'
    refused "'cause' is a required property" '4s/"complete","exit_code":0/"failed","exit_code":1/'
    refused 'exit_code: ' '4s/"complete"/"failed"/; 4s/"records"/"cause":"x","records"/'
}

@test "lines out of order are invalid" {
    refused 'record before any run' '1d'
    refused 'index 1 where 0 is due' '2d'
    refused 'index 0 where 1 is due' '2p'
    refused 'record of another run' '2s/"run":"0/"run":"1/'
    refused 'end of another run' '4s/"run":"0/"run":"1/'
    refused '3 records in the end mark, 2 in the file' '4s/"records":2/"records":3/'
    refused 'end after the end of its run' '4p'
    sed '2,3d; s/"records":2/"records":0/' "$good" >"$bad"
    sed -n 2p "$good" >>"$bad"
    check "$bad"
    [ "$status" -eq 1 ]
    [[ $output == *'record after the end of its run'* ]]
}

@test "arguments are checked" {
    check
    [ "$status" -eq 1 ]
    [[ $output == *usage:* ]]
    check --compleat "$good"
    [ "$status" -eq 1 ]
    [[ $output == *usage:* ]]
}
