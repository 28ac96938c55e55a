#!/bin/sh
# SPDX-License-Identifier: MIT
#
# One command, without a build system, compiles the library; a program links with it and runs.
#
#     one_command.sh SOURCE_ROOT COMPILER

set -eu

root=$1
compiler=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Not optimised, as the least that a compiler can do: the optimised library is what the other tests are about.
cd "$scratch"
"$compiler" -std=c11 -ffp-contract=off -Wall -Wextra -Wpedantic -Werror -I"$root/include" -I"$root/lib" \
    -c $(find "$root/lib" -name '*.c' ! -path "$root/lib/vcemu/host/*" ! -path "$root/lib/vcemu/grid/*")
"$compiler" -std=c11 -I"$root/include" "$root/examples/c/embed/main.c" ./*.o -o embed
./embed
