# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Building, quietly: each step writes a log, of which a failure shows the end.

# build_step TEXT LOG COMMAND...: adds to LOG; returns the command's code.
build_step() {
    local text=$1 log=$2 code=0
    shift 2
    echo "$text"
    "$@" </dev/null >>"$log" 2>&1 || code=$?
    [ $code = 0 ] && return
    echo "FAILED (exit code $code): $text. The end of $log:" >&2
    tail -n 25 "$log" >&2
    echo "The whole log: $log" >&2
    return $code
}

# build_bootstrap ROOT LOG: makes configure where there is none. When something changed
# since, make itself runs autoconf and automake again.
build_bootstrap() {
    [ -x "$1/configure" ] && [ -f "$1/Makefile.in" ] && [ -f "$1/autoconf.h.in" ] && return
    build_step "Making configure (autoreconf)" "$2" autoreconf -fi "$1"
}

# build_configure ROOT DIR LOG ARGUMENT...: configures DIR for the tree at ROOT. By a
# relative path: configure refuses an absolute one with a space in it.
build_configure() {
    local root=$1 dir=$2 log=$3
    shift 3
    build_step "Configuring $dir" "$log" \
        env -C "$dir" "$(realpath --relative-to="$dir" "$root")/configure" "$@"
}

# build_variable DIR NAME: the value of a variable in the Makefile of DIR.
build_variable() {
    sed -n "s/^$2 = //p" "$1/Makefile" 2>/dev/null | head -n 1
}
