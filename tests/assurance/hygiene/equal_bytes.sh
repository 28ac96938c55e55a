#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The library decides the same, bit by bit, whatever compiles it: fingerprint.c, compiled with it in another way, prints
# decisions.txt, too. Where the system runs no programs of that kind, QEMU's emulation of a user's programs does;
# without it the test is left out, which Meson knows by the exit status 77.
#
#     equal_bytes.sh SOURCE_ROOT COMPILER OPTION...

set -eu

root=$1
shift
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cd "$root"
# All of both libraries but what reads files and makes sweeps.
sources=$(find lib -name '*.c' ! -path 'lib/vcemu/scenario/*' ! -path 'lib/vcemu/sweep/*')
# shellcheck disable=SC2086
"$@" -std=c11 -ffp-contract=off -Iinclude -Ilib -Itests $sources \
    tests/support/random_state.c tests/assurance/hygiene/fingerprint*.c -o "$scratch/fingerprint"
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
diff tests/assurance/hygiene/decisions.txt "$scratch/found"
