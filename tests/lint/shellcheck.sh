#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# What shellcheck says of everything that a shell reads: scripts, tests and .ci.
. "$(dirname "$0")/lib.sh"
tap_need "${SHELLCHECK:-}" shellcheck

# Files named so, and files without an ending that start with a shell's line.
shell_files() {
    tree_files '\.(sh|bash|bats)$'
    tree_files '^(\.ci|scripts|tests|tools)/(.*/)?[^./]+$' | while IFS= read -r file; do
        head -n 1 "$file" | grep -Eq '^#!.*[/ ](ba)?sh$' && echo "$file"
    done
}

while IFS= read -r file; do
    # What bats loads shares its variables with it: set here, used there.
    case $file in
    *.bats | *.bash) set -- -e SC2034,SC2154 ;;
    *) set -- ;;
    esac
    tap_result "$file" "$SHELLCHECK" -x --source-path=SCRIPTDIR "$@" "$file"
done < <(shell_files)
tap_done
