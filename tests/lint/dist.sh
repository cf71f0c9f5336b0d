#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A tarball holds every file of the clone.
. "$(dirname "$0")/lib.sh"

missing() {
    local lost
    lost=$(comm -23 <(tree_files . | grep -v '^\.gitignore$' | sort -u) <(dist_files))
    [ -z "$lost" ] && return
    echo "not in the tarball, add to a local.mk:"
    echo "$lost"
    return 1
}

if [ -e .git ]; then
    tap_result "every file is distributed" missing
    tap_done
else
    echo "1..0 # SKIP not a git clone"
fi
