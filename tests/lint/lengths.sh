#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# No source file over 400 lines, no function over 60.
. "$(dirname "$0")/lib.sh"

sources='^(benchmarks|common|tools)/.*\.[ch]$'

long_files() {
    tree_files "$sources" | tr '\n' '\0' | xargs -0 awk '
        FNR == 401 { print FILENAME ": over 400 lines"; long = 1 }
        END { exit long }'
}

# A function is what lies between braces in the first column.
long_functions() {
    tree_files "$sources" | tr '\n' '\0' | xargs -0 awk '
        FNR == 1 { start = 0 }
        /^{/ { start = FNR; functions++ }
        /^}/ && start {
            if (FNR - start + 1 > 60) {
                print FILENAME ":" start ": a function of " FNR - start + 1 " lines"
                long = 1
            }
            start = 0
        }
        END {
            if (!functions) print "no function was seen"
            exit long || !functions
        }'
}

tap_result "no file over 400 lines" long_files
tap_result "no function over 60 lines" long_functions
tap_done
