#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# tap.sh program|bats|shell FILE: runs one test file for the TAP driver. It skips the file
# where its tool is missing, bounds its time, and keeps tests on MPI from running together.
set -u
kind=$1 file=$2
case $file in
*tests/slow/*) seconds=3600 ;;
*) seconds=600 ;;
esac
: "${top_builddir:=.}" "${RACKMARK_TEST_TIMEOUT:=$seconds}" "${STRICT_TESTS:=no}"

skip() {
    if [ "$STRICT_TESTS" = yes ]; then
        printf '1..1\nnot ok 1 - %s\n' "$1"
    else
        printf '1..0 # SKIP %s\n' "$1"
    fi
    exit 0
}

# What the file needs.
case $kind in
bats)
    [ -n "${BATS:-}" ] || skip 'bats was not found (Debian: bats)'
    # In a build with sanitizers: MPI libraries leak at exit, and a preloaded library comes
    # before the sanitizer's. Unit tests look for leaks.
    export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=0:verify_asan_link_order=0:exitcode=99}
    ;;
*)
    export ASAN_OPTIONS=${ASAN_OPTIONS:-exitcode=99}
    export CMOCKA_MESSAGE_OUTPUT=TAP
    ;;
esac
serial=()
case $file in
*tests/mpi/* | *tests/slow/*)
    [ -n "${MPIRUN:-}" ] || skip 'no launcher of the MPI library was found: set MPIRUN'
    # -o: a process that a test left behind must not keep the lock.
    serial=(flock -o "$top_builddir/tests/mpi.lock")
    ;;
esac

case $kind in
program) command=("$(dirname "$file")/$(basename "$file")") ;;
bats) command=("$BATS" --tap "$file") ;;
shell) command=(bash "$file") ;;
*)
    echo "tap.sh: unknown kind of test: $kind" >&2
    exit 2
    ;;
esac

# cmocka writes "not ok 1 # SKIP name" of a skipped test.
"${serial[@]}" timeout -k 10 "$RACKMARK_TEST_TIMEOUT" "${command[@]}" </dev/null |
    awk '
        /^not ok [0-9]+ # SKIP / { $0 = "ok " $3 " - " $6 " # SKIP" }
        { print; fflush() }
        /^not ok/ { failed = 1 }
        END { exit failed }'
codes=("${PIPESTATUS[@]}")
# A test that said "not ok" also exits with a small code: count that failure once. Other
# codes (99 of a sanitizer, 124 of timeout, signals) are failures of their own.
if [ "${codes[1]}" -eq 1 ] && [ "${codes[0]}" -lt 99 ]; then
    exit 0
fi
exit "${codes[0]}"
