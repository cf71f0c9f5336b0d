#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Every file that can carry a comment has its SPDX line, within its first three lines.
. "$(dirname "$0")/lib.sh"

without_comments='\.(md|json|jsonl|csv|tsv|txt|xml)$|^LICENSE$|^\.(clang-format|editorconfig|gitignore|revision)$|^tests/data/'

spdx_lacking() {
    local file lacking=0
    while IFS= read -r file; do
        head -n 3 "$file" | grep -q 'SPDX-License-Identifier: BSD-3-Clause' && continue
        echo "$file: no SPDX line"
        lacking=1
    done < <(tree_files . | grep -Ev "$without_comments")
    return $lacking
}

tap_result "every file has an SPDX line" spdx_lacking
tap_done
