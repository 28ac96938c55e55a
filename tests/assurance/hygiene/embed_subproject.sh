#!/bin/sh
# SPDX-License-Identifier: MIT
#
# A program embeds the library as a Meson subproject: examples/c/embed, copied, with this source tree below it. Tests
# and examples of the library stay out of such a build.
#
#     embed_subproject.sh SOURCE_ROOT

set -eu

root=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cp -R "$root/examples/c/embed" "$scratch/program"
mkdir -p "$scratch/program/subprojects"
ln -s "$root" "$scratch/program/subprojects/vcsched"

for kind in shared static; do
    build=$scratch/$kind
    meson setup --fatal-meson-warnings --buildtype=debug --wrap-mode=forcefallback -Ddefault_library="$kind" \
        "$build" "$scratch/program"
    meson compile -C "$build" embed
    "$build/embed" | tee "$scratch/$kind.txt"
    if ninja -C "$build" -t targets all | grep -E '/(test_|vcemu(\.p/|: ))'; then
        echo "the subproject builds tests or examples" >&2
        exit 1
    fi
done
cmp "$scratch/shared.txt" "$scratch/static.txt"
if ldd "$scratch/static/embed" | grep libvcsched; then
    echo "the program with the static library needs the shared one" >&2
    exit 1
fi
ldd "$scratch/shared/embed" | grep libvcsched
