#!/bin/sh
# SPDX-License-Identifier: MIT
#
# A program finds the installed library through pkg-config, shared and static, and runs. All headers are installed, with
# them what completes the command line, and the manual.
#
#     embed_installed.sh SOURCE_ROOT BUILD_ROOT COMPILER

set -eu

root=$1
build=$2
compiler=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Builds first what is installed and no test needs.
meson install -C "$build" --destdir "$scratch/root" >"$scratch/log" || { cat "$scratch/log"; exit 1; }
description=$(find "$scratch/root" -name vcsched.pc)
PKG_CONFIG_LIBDIR=$(dirname "$description")
PKG_CONFIG_SYSROOT_DIR=$scratch/root
export PKG_CONFIG_LIBDIR PKG_CONFIG_SYSROOT_DIR
libraries=$(pkg-config --variable=libdir vcsched)
case $libraries in
"$scratch"/*) ;;
*) libraries=$scratch/root$libraries ;;
esac

# shellcheck disable=SC2046
"$compiler" -std=c11 "$root/examples/c/embed/main.c" $(pkg-config --cflags --libs vcsched) -o "$scratch/shared"
LD_LIBRARY_PATH=$libraries "$scratch/shared" >"$scratch/shared.txt"
readelf -d "$scratch/shared" | grep -q 'NEEDED.*libvcsched\.so\.[0-9]*\]'

# shellcheck disable=SC2046
"$compiler" -std=c11 "$root/examples/c/embed/main.c" $(pkg-config --cflags vcsched) "$libraries/libvcsched.a" \
    -o "$scratch/static"
"$scratch/static" >"$scratch/static.txt"

cat "$scratch/shared.txt"
cmp "$scratch/shared.txt" "$scratch/static.txt"

# What the library's own headers declare is all there, and nothing else was installed beside them.
for header in "$root"/include/vcsched/*.h; do
    cmp "$header" "$(find "$scratch/root" -path "*/include/vcsched/$(basename "$header")")"
done
test "$(find "$scratch/root" -path '*/include/vcsched/*' -type f | wc -l)" -eq \
    "$(find "$root/include/vcsched" -name '*.h' | wc -l)"

# What shells look for, where the tool is installed.
if find "$scratch/root" -path '*/bin/vcemu' | grep -q .; then
    for name in bash-completion/completions/vcemu.bash fish/vendor_completions.d/vcemu.fish zsh/site-functions/_vcemu
    do
        find "$scratch/root" -path "*/share/$name" | grep -q .
    done
fi

# The manual, as files and as pages that `man` finds.
for name in doc/vcsched/rules.md doc/vcsched/study/study.csv doc/vcsched/LICENSE man/man3/vcs_fetch.3 man/man3/vcs_wrr.3
do
    find "$scratch/root" -path "*/share/$name" | grep -q .
done
