#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Makes everything that a release has, and tries each kind where it is meant for.
#
#     run.sh FOLDER BUILD [NAME...]
#
# FOLDER/dist has what was made; with names, it is not made again, and those alone are tried. What a test says is in
# FOLDER/NAME.txt. The last line is "N passed, N failed".

set -u

here=$(cd "$(dirname "$0")" && pwd) || exit 2
folder=$1
build=$2
shift 2
passed=0
failed=0

# step NAME SCRIPT ARGUMENT...
step() {
    started=$(date +%s)
    name=$1
    shift
    if sh "$@" >"$folder/$name.txt" 2>&1; then
        passed=$((passed + 1))
        echo "$name: passed, $(($(date +%s) - started)) s"
    else
        failed=$((failed + 1))
        tail -n 60 "$folder/$name.txt"
        echo "$name: failed"
    fi
}

mkdir -p "$folder"
if [ $# -eq 0 ]; then
    # The tests of the Debian package run where it is built from its sources.
    export DEB_BUILD_OPTIONS="${DEB_BUILD_OPTIONS-nocheck}"
    rm -rf "$folder/dist"
    step release "$here/../../../doc/packaging/all.sh" --rehearsal "$folder/dist"
    set -- again debian windows python lua js site
fi
for name in "$@"; do
    step "$name" "$here/$name.sh" "$folder/dist" "$folder/$name" "$build"
done
for release in bookworm trixie; do
    if [ "$(id -u)" -eq 0 ]; then
        rm -rf "${folder:?}/$release"
    else
        sudo rm -rf "${folder:?}/$release"
    fi
done
echo "$passed passed, $failed failed"
