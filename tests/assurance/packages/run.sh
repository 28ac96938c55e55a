#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Makes the packages that doc/packaging can make, and tries each where it is meant for.
#
#     run.sh FOLDER VCEMU
#
# What a package says is in FOLDER/NAME.txt. The last line is "N passed, N failed".

set -u

here=$(cd "$(dirname "$0")" && pwd) || exit 2
folder=$1
passed=0
failed=0

mkdir -p "$folder"
for name in debian windows; do
    if sh "$here/$name.sh" "$folder/$name" "$2" >"$folder/$name.txt" 2>&1; then
        passed=$((passed + 1))
        echo "$name: passed"
    else
        failed=$((failed + 1))
        tail -n 60 "$folder/$name.txt"
        echo "$name: failed"
    fi
done
echo "$passed passed, $failed failed"
