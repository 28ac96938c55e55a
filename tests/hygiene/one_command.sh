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

cd "$root"
# Not optimised, as the least that a compiler can do: the optimised library is what the other tests are about.
"$compiler" -std=c11 -ffp-contract=off -fPIC -shared -Wall -Wextra -Wpedantic -Werror -Iinclude -Ilib lib/*/*.c \
    -o "$scratch/libvcsched.so"
"$compiler" -std=c11 -Iinclude examples/embed/main.c -L"$scratch" -lvcsched -o "$scratch/embed"
LD_LIBRARY_PATH=$scratch "$scratch/embed"
