#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The library decides the same, bit by bit, whatever compiles it: the fingerprint is compiled with it in another way and
# must be the same as that of the program that was built of them.
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
"$scratch/fingerprint" >"$scratch/found"
cat "$scratch/found"
diff "$scratch/expected" "$scratch/found"
