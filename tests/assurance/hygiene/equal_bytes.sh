#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The library decides the same, bit by bit, whatever compiles it: the fingerprint is compiled with it in another way and
# must be the same as that of the program that was built of them. Where the system runs no programs of that kind, QEMU's
# emulation of a user's programs does; without it the test is left out, which Meson knows by the exit status 77.
#
#     equal_bytes.sh SOURCE_ROOT PROGRAM COMPILER OPTION...

set -eu

root=$1
program=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
shift 2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cd "$root"
# All of both libraries but what reads files and makes sweeps.
sources=$(find lib -name '*.c' ! -path 'lib/vcemu/scenario/*' ! -path 'lib/vcemu/sweep/*')
# shellcheck disable=SC2086
"$@" -std=c11 -ffp-contract=off -Iinclude -Ilib -Itests $sources \
    tests/support/random_state.c tests/assurance/hygiene/fingerprint*.c -o "$scratch/fingerprint"
"$program" >"$scratch/expected"
status=0
"$scratch/fingerprint" >"$scratch/found" || status=$?
if [ "$status" -eq 126 ]; then
    if ! command -v qemu-i386 >/dev/null; then
        echo "left out: this system does not run what $1 makes, and qemu-user is not installed"
        exit 77
    fi
    qemu-i386 "$scratch/fingerprint" >"$scratch/found"
elif [ "$status" -ne 0 ]; then
    exit "$status"
fi
cat "$scratch/found"
diff "$scratch/expected" "$scratch/found"
