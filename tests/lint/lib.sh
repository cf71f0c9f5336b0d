#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Shared by the lint tests: TAP, and the list of the tree's own files.

set -u
: "${top_srcdir:=$PWD}" "${top_builddir:=$PWD/build}" "${STRICT_TESTS:=no}"
cd "$top_srcdir" || exit 1
tap_count=0

# tap_result NAME COMMAND...: one test; it fails when the command does, and what the
# command printed is shown.
tap_result() {
    local name=$1 text
    shift
    tap_count=$((tap_count + 1))
    if text=$("$@" 2>&1); then
        echo "ok $tap_count - $name"
    else
        echo "not ok $tap_count - $name"
        # shellcheck disable=SC2001 # each line of it
        sed 's/^/# /' <<<"$text"
    fi
}

tap_done() {
    echo "1..$tap_count"
}

# tap_need TOOL PACKAGE: skips the whole file where configure found no such tool.
tap_need() {
    [ -n "$1" ] && return
    if [ "$STRICT_TESTS" = yes ]; then
        printf '1..1\nnot ok 1 - %s was not found\n' "$2"
    else
        echo "1..0 # SKIP $2 was not found (Debian: $2)"
    fi
    exit 0
}

# dist_files: what a tarball holds, less what autoconf and automake write.
dist_files() {
    env -u MAKEFLAGS -u MFLAGS make -s -C "$top_builddir" print-distfiles |
        grep -Ev '^build-aux/|^(aclocal.m4|configure|autoconf.h.in|.*Makefile.in)$' | sort -u
}

# clone_files: what git tracks, and new source files; not what a build left in the tree.
clone_files() {
    git ls-files --cached && git ls-files --others --exclude-standard -- \
        benchmarks common m4 man results scripts tests tools |
        grep -E '\.(bash|bats|c|h|json|m4|md|mk|py|sh)$' | grep -v '^common/revision\.c$'
}

# tree_files REGEX: the source files, one a line, those that match. Those of a clone where
# this is one, else those of the tarball.
tree_files() {
    if [ -e .git ] && git ls-files >/dev/null 2>&1; then
        clone_files
    else
        dist_files
    fi | while IFS= read -r file; do
        [ -f "$file" ] && echo "$file"
    done | grep -E "$1"
}

if [ -z "$(tree_files .)" ]; then
    printf '1..1\nnot ok 1 - the list of the files under %s\n' "$top_srcdir"
    exit 0
fi
