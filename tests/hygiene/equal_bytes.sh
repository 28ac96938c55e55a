#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The library decides the same, bit by bit, whatever compiles it: fingerprint.c is compiled with it in several ways, and
# must print the same each time.
#
#     equal_bytes.sh SOURCE_ROOT COMPILER...

set -eu

root=$1
shift
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cd "$root"
reference=
for compiler in "$@"; do
    # The second may use fused multiply-add and wider vectors, if this processor has them.
    for optimisation in -O0 "-O3 -march=native"; do
        # shellcheck disable=SC2086
        "$compiler" -std=c11 $optimisation -ffp-contract=off -Iinclude -Ilib -Itests lib/*/*.c \
            tests/random_state.c tests/hygiene/fingerprint.c -o "$scratch/fingerprint"
        "$scratch/fingerprint" >"$scratch/output"
        if [ -z "$reference" ]; then
            reference="$compiler $optimisation"
            mv "$scratch/output" "$scratch/reference"
            cat "$scratch/reference"
        elif ! diff "$scratch/reference" "$scratch/output"; then
            echo "$compiler $optimisation differs from $reference" >&2
            exit 1
        fi
    done
done
