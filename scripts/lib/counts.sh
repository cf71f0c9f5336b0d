# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Counting tests over several runs of make check, from the summaries that automake prints.

counts_passed=0 counts_failed=0 counts_skipped=0 counts_unexpected=0

# counts_sum LOG NAME...: the sum of "# NAME: count" lines.
counts_sum() {
    local log=$1
    shift
    awk -v names=" $* " '
        $1 == "#" && NF == 3 && $2 ~ /:$/ && index(names, " " substr($2, 1, length($2) - 1) " ") {
            sum += $3
        }
        END { print sum + 0 }' "$log"
}

# counts_add LOG CODE: adds what LOG, of a make that returned CODE, tells. A make that
# failed without a failed test is a failure of its own. Returns 1 when anything failed.
counts_add() {
    local log=$1 code=$2 failed
    failed=$(counts_sum "$log" FAIL XPASS ERROR)
    [ "$code" = 0 ] || [ "$failed" != 0 ] || failed=1
    counts_passed=$((counts_passed + $(counts_sum "$log" PASS XFAIL)))
    counts_skipped=$((counts_skipped + $(counts_sum "$log" SKIP)))
    counts_failed=$((counts_failed + failed))
    [ "$failed" = 0 ]
}

# counts_skips NAME LOG ALLOWED: prints the skips in LOG, of configuration NAME, that no
# pattern in ALLOWED expects, and counts them.
counts_skips() {
    local skip
    while IFS= read -r skip; do
        echo "unexpected skip: $skip"
        counts_unexpected=$((counts_unexpected + 1))
    done < <(sed -n "s/^SKIP: /$1: /p" "$2" | grep -Evf <(grep -Ev '^(#|$)' "$3"))
}

# counts_close: the closing line; returns 0 only when all is well.
counts_close() {
    local skipped=
    [ $counts_skipped = 0 ] || skipped=", $counts_skipped skipped"
    [ $((counts_passed + counts_failed)) != 0 ] || echo "No test ran."
    echo "$counts_passed passed, $counts_failed failed$skipped"
    [ $counts_failed = 0 ] && [ $counts_unexpected = 0 ] && [ $counts_passed != 0 ]
}
