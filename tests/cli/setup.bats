#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# scripts/quickstart and scripts/check on machines that lack something. A copy of the
# scripts runs with a PATH of its own, in which id, dpkg-query and apt-get are fakes.

setup() {
    root="$BATS_TEST_TMPDIR/a tree"
    bin=$BATS_TEST_TMPDIR/bin
    mkdir -p "$root/tests" "$bin"
    cp -r "${top_srcdir:?}/scripts" "$root/"
    cp "$top_srcdir/tests/allowed_skips" "$root/tests/"
    chmod -R u+w "$root"
    local tool
    for tool in awk bash cat chmod cp dirname env find grep head lscpu make mkdir mktemp \
        nproc realpath rm sed tail tr true; do
        ln -s "$(type -P "$tool")" "$bin/$tool"
    done
    fake id 'echo 1000'
    fake dpkg-query 'exit 1'
    fake apt-get "echo \"\$*\" >>'$BATS_TEST_TMPDIR/apt-get'"
}

# fake NAME LINE: a program of one line.
fake() {
    printf '#!%s\n%s\n' "$(command -v bash)" "$2" >"$bin/$1"
    chmod +x "$bin/$1"
}

# script NAME ARGUMENT...: PATH is set for it alone, bats needs its own tools.
script() {
    run env PATH="$bin" TMPDIR="$BATS_TEST_TMPDIR" bash "$root/scripts/$1" "${@:2}" </dev/null
}

installed_all_but() {
    fake dpkg-query "case \"\$*\" in *\" $1\") exit 1 ;; *) printf installed ;; esac"
}

apt_was_not_called() {
    [ ! -e "$BATS_TEST_TMPDIR/apt-get" ]
}

@test "quickstart without root and sudo prints the command and ends with 1" {
    script quickstart
    [ "$status" -eq 1 ]
    [[ "$output" == *"missing and will be installed: gcc "* ]]
    [[ "$output" == *"  sudo apt-get install -y --no-install-recommends gcc libc6-dev make autoconf automake pkgconf libjansson-dev libhwloc-dev libopenmpi-dev"* ]]
    apt_was_not_called
}

@test "quickstart names only what is missing" {
    installed_all_but libjansson-dev
    script quickstart
    [ "$status" -eq 1 ]
    [[ "$output" == *"sudo apt-get install -y --no-install-recommends libjansson-dev" ]]
    apt_was_not_called
}

@test "quickstart takes a package's other name" {
    installed_all_but 'libopenmpi-dev'
    fake autoreconf 'exit 9'
    script quickstart
    [[ "$output" != *libopenmpi-dev* ]]
    [[ "$output" == *autoreconf* ]]
}

@test "quickstart takes an MPI that is no package" {
    fake dpkg-query "case \"\$*\" in *mpi*-dev) exit 1 ;; *) printf installed ;; esac"
    script quickstart
    [[ "$output" == *"sudo apt-get install -y --no-install-recommends libopenmpi-dev" ]]
    fake mpicc 'exit 0'
    fake autoreconf 'exit 9'
    script quickstart
    [[ "$output" == *autoreconf* ]]
    apt_was_not_called
}

@test "quickstart with a sudo that refuses prints the command" {
    fake sudo 'exit 1'
    script quickstart
    [ "$status" -eq 1 ]
    [[ "$output" == *"  sudo apt-get install"* ]]
    apt_was_not_called
}

@test "quickstart uses a sudo that needs no password" {
    fake sudo 'shift; exec "$@"'
    installed_all_but make
    fake autoreconf 'exit 9'
    script quickstart
    [ "$(cat "$BATS_TEST_TMPDIR/apt-get")" = "update
install -y --no-install-recommends make" ]
    [[ "$output" == *autoreconf* ]]
}

@test "quickstart as root installs without sudo" {
    fake id 'echo 0'
    installed_all_but gcc
    fake autoreconf 'exit 9'
    script quickstart
    [ "$(cat "$BATS_TEST_TMPDIR/apt-get")" = "update
install -y --no-install-recommends gcc" ]
}

@test "an installation that fails shows the log's end and the command" {
    fake id 'echo 0'
    fake apt-get 'echo "E: no network for $1"; exit 100'
    script quickstart
    [ "$status" -eq 1 ]
    [[ "$output" == *"E: no network for install"* ]]
    [[ "$output" == *"sudo apt-get install -y"* ]]
}

@test "a second run with everything installed calls no apt-get" {
    fake id 'echo 0'
    installed_all_but nothing
    fake autoreconf 'exit 9'
    script quickstart
    apt_was_not_called
}

@test "a build that fails shows its log's end and where the log is" {
    installed_all_but nothing
    fake autoreconf 'echo "autoreconf: out of luck"; exit 9'
    script quickstart
    [ "$status" -eq 1 ]
    [[ "$output" == *"FAILED (exit code 9): Making configure"* ]]
    [[ "$output" == *"autoreconf: out of luck"* ]]
    [[ "$output" == *"$root/build/quickstart.log"* ]]
}

@test "elsewhere than on Debian quickstart names the packages and goes on" {
    rm "$bin/apt-get" "$bin/dpkg-query"
    fake autoreconf 'exit 9'
    script quickstart
    [[ "$output" == *"not a Debian system"*libjansson-dev* ]]
    [[ "$output" == *autoreconf* ]]
}

@test "check without root and sudo prints the command and counts a failure" {
    script check
    [ "$status" -ne 0 ]
    [[ "$output" == *"  sudo apt-get install -y --no-install-recommends gcc"*libcmocka-dev\ bats* ]]
    [ "${lines[-1]}" = "0 passed, 1 failed" ]
    apt_was_not_called
}

@test "check counts a configure that fails" {
    installed_all_but nothing
    fake configure 'exit 3'
    cp "$bin/configure" "$root/configure"
    touch "$root/Makefile.in" "$root/autoconf.h.in"
    script check default
    [ "$status" -ne 0 ]
    [ "${lines[-1]}" = "0 passed, 1 failed" ]
}

# fake_make LINES: a tree in which configure works and make prints LINES.
fake_make() {
    installed_all_but nothing
    fake configure 'exit 0'
    cp "$bin/configure" "$root/configure"
    touch "$root/Makefile.in" "$root/autoconf.h.in"
    rm "$bin/make"
    fake make "case \"\$*\" in *' check') $1 ;; esac"
}

@test "check adds up the summaries of all configurations" {
    fake_make "printf '# TOTAL: 7\n# PASS:  5\n# SKIP:  0\n# XFAIL: 2\n# FAIL:  0\n# XPASS: 0\n# ERROR: 0\n'"
    script check default without-mpi
    [ "$status" -eq 0 ]
    [ "${lines[-1]}" = "14 passed, 0 failed" ]
}

@test "check fails with a failed test, and says which" {
    fake_make "printf 'FAIL: tests/unit/test_err 2 - name\n# PASS:  5\n# FAIL:  1\n# ERROR: 1\n'; exit 2"
    script check default
    [ "$status" -ne 0 ]
    [[ "$output" == *"FAIL: tests/unit/test_err 2 - name"* ]]
    [ "${lines[-1]}" = "5 passed, 2 failed" ]
}

@test "check fails when make fails without a failed test" {
    fake_make "printf '# PASS:  5\n# FAIL:  0\n'; exit 2"
    script check default
    [ "$status" -ne 0 ]
    [ "${lines[-1]}" = "5 passed, 1 failed" ]
}

@test "check fails when no test ran" {
    fake_make ":"
    script check default
    [ "$status" -ne 0 ]
    [[ "$output" == *"No test ran."* ]]
    [ "${lines[-1]}" = "0 passed, 0 failed" ]
}

@test "check fails with a skip that nobody expected" {
    fake_make "printf 'SKIP: tests/a.bats 1 - name # SKIP reason\n# PASS:  5\n# SKIP:  1\n'"
    script check default
    [ "$status" -ne 0 ]
    [[ "$output" == *"unexpected skip: default: tests/a.bats 1 - name # SKIP reason"* ]]
    [ "${lines[-1]}" = "5 passed, 0 failed, 1 skipped" ]
    echo '^default: tests/a\.bats 1 ' >>"$root/tests/allowed_skips"
    script check default
    [ "$status" -eq 0 ]
    [ "${lines[-1]}" = "5 passed, 0 failed, 1 skipped" ]
}

@test "check refuses an unknown configuration" {
    fake_make "printf '# PASS:  5\n'"
    script check nonsense
    [ "$status" -ne 0 ]
    [[ "$output" == *"usage: scripts/check"* ]]
}
