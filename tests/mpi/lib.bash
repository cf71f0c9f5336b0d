# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Shared by the tests under mpirun. tests/tap.sh sets MPIRUN, MPI_FLAVOUR, RACKMARK_BIN,
# top_srcdir, top_builddir and PYTHON3.

: "${MPIRUN:?}" "${MPI_FLAVOUR:?}" "${RACKMARK_BIN:?}" "${top_srcdir:?}"
: "${top_builddir:=$top_srcdir/build}" "${PYTHON3=}"

# Long enough for a slow machine; a rank that hangs ends there, with code 124.
limit_seconds=60

common_setup() {
    out=$BATS_TEST_TMPDIR/out err=$BATS_TEST_TMPDIR/err file=$BATS_TEST_TMPDIR/run.jsonl
    started=
}

# Ends what a test that failed has left running.
common_teardown() {
    if [ -n "$started" ]; then
        kill -KILL "$started" 2>/dev/null || true
    fi
}

# Ranks that this many processors can run at once, without MPICH's spinning in between.
few_or() {
    if [ "$MPI_FLAVOUR" = openmpi ]; then
        echo "$*"
    else
        echo "2 3"
    fi
}

# launch N [NAME=VALUE...] PROGRAM ARGUMENT...: sets `command`. The variables are set for
# the ranks, not for the launcher.
launch() {
    command=("$MPIRUN" -np "$1")
    shift
    if [ "$MPI_FLAVOUR" = openmpi ]; then
        command+=(--oversubscribe --mca mpi_yield_when_idle 1)
    fi
    while [[ $1 == *=* ]]; do
        case $MPI_FLAVOUR in
        openmpi) command+=(-x "$1") ;;
        *) command+=(-genv "${1%%=*}" "${1#*=}") ;;
        esac
        shift
    done
    command+=("$RACKMARK_BIN/$1" "${@:2}")
}

# ranks N [NAME=VALUE...] PROGRAM ARGUMENT...: runs it. Sets `status`; what it said is in
# $out and $err, and `ours` is the part of $err that our programs said.
ranks() {
    launch "$@"
    status=0
    timeout -k 5 "$limit_seconds" "${command[@]}" </dev/null >"$out" 2>"$err" 3>&- ||
        status=$?
    read_ours
}

# Without the lines on progress: only slow machines see them.
read_ours() {
    ours=$(grep -a '^rackmark-' "$err" | grep -av ': point [0-9]* of [0-9]*: ') || true
    # Shown where a test fails.
    echo "exit code $status; stderr: ${ours:-nothing of ours}"
}

# start N ...: as ranks does, in the background; its process is `started`.
start() {
    launch "$@"
    "${command[@]}" </dev/null >"$out" 2>"$err" 3>&- &
    started=$!
}

# until_true COMMAND...: tries for half a minute.
until_true() {
    local tries
    for ((tries = 0; tries < 600; tries++)); do
        "$@" && return
        sleep 0.05
    done
    echo "in vain: $*"
    return 1
}

has_records() {
    [ -e "$file" ] && [ "$(grep -c '"kind":"record"' "$file")" -ge "$1" ]
}

# No process whose arguments name the result file runs any longer. Zombies do not count:
# some inits take seconds to collect them.
all_gone() {
    ! pgrep -r R,S,D,T -f -- "$file" >/dev/null
}

# Waits for the end of what was started.
finish() {
    status=0
    wait "$started" || status=$?
    read_ours
    until_true all_gone
    started=
}

# valid [--complete] FILE: its lines are as the schema says. Shows what its runs are.
valid() {
    [ -n "${PYTHON3:-}" ] || skip 'no python3 with jsonschema was found (Debian: python3-jsonschema)'
    verdicts=$("$PYTHON3" "$top_srcdir/tests/validate.py" "$@")
    echo "runs: $verdicts"
}
