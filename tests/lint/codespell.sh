#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Spelling, of all files but the licence.
. "$(dirname "$0")/lib.sh"
tap_need "${CODESPELL:-}" codespell

# "to and fro", several kinds of arithmetic, and a mistyped option in tests.
words=fro,arithmetics,flaot

spelling() {
    tree_files . | grep -v '^LICENSE$' | tr '\n' '\0' | xargs -0 "$CODESPELL" -L "$words" --
}

tap_result "codespell finds nothing" spelling
tap_done
