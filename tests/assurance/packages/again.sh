#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The same commit gives the same bytes when it is packed again. For the tarball, the test `tarball` shows more.
#
#     again.sh MADE FOLDER BUILD

set -eu

root=$(cd "$(dirname "$0")/../../.." && pwd)
rm -rf "$2"
for name in python lua js site windows; do
    sh "$root/doc/packaging/$name.sh" "$2/$name"
    diff -r "$1/$name" "$2/$name"
done
