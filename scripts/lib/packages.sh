# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Debian packages: which are missing, and installing those.

# shellcheck disable=SC2034 # used by the scripts
packages_to_build=(
    gcc libc6-dev make autoconf automake 'pkgconf|pkg-config'
    libjansson-dev libhwloc-dev
)
# An MPI that is no package, such as a cluster's module, will do.
if ! echo '#include <mpi.h>' | mpicc -x c -E /dev/stdin >/dev/null 2>&1; then
    packages_to_build+=('libopenmpi-dev|libmpich-dev')
fi
# shellcheck disable=SC2034
packages_to_test=(
    libcmocka-dev bats python3 python3-jsonschema shellcheck codespell man-db
    libmpich-dev mpich clang netpipe-openmpi
)

packages_installed() {
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# packages_missing SPEC...: prints those not installed. "a|b": either will do, a is wanted.
packages_missing() {
    local spec name found names
    for spec in "$@"; do
        found=no
        IFS='|' read -r -a names <<<"$spec"
        for name in "${names[@]}"; do
            packages_installed "$name" && found=yes
        done
        [ $found = yes ] || echo "${names[0]}"
    done
}

# How to become root: nothing as root, sudo where it lets us, which it asks for only where
# there is somebody to answer. Fails where neither.
packages_become_root() {
    [ "$(id -u)" = 0 ] && return
    command -v sudo >/dev/null || return 1
    if sudo -n true </dev/null 2>/dev/null; then
        echo 'sudo -n'
    elif [ -t 0 ] && [ -t 2 ]; then
        echo sudo
    else
        return 1
    fi
}

# packages_require SPEC...: installs what is missing; returns 1, having said what to do,
# where that cannot be done.
packages_require() {
    local missing root log
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        echo "This is not a Debian system; needed, by their Debian names: $*"
        return 0
    fi
    mapfile -t missing < <(packages_missing "$@")
    [ ${#missing[@]} -gt 0 ] || return 0
    echo "These Debian packages are missing and will be installed: ${missing[*]}"
    local install=(apt-get install -y --no-install-recommends "${missing[@]}")
    if ! root=$(packages_become_root); then
        echo "Not root, and no sudo without a password here. Run this, then try again:" >&2
        echo "  sudo ${install[*]}" >&2
        return 1
    fi
    log=$(mktemp -t rackmark-packages.XXXXXX) || return 1
    # An update that fails matters only when the installation fails too.
    # shellcheck disable=SC2086 # $root is words, or nothing
    if { $root env DEBIAN_FRONTEND=noninteractive apt-get update ||
        echo "apt-get update failed"
        $root env DEBIAN_FRONTEND=noninteractive "${install[@]}"; } \
        </dev/null >"$log" 2>&1; then
        rm -f "$log"
        return 0
    fi
    echo "The installation failed; the end of $log:" >&2
    tail -n 15 "$log" >&2
    echo "To install by hand, then try again:" >&2
    echo "  sudo apt-get update && sudo ${install[*]}" >&2
    return 1
}
