#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The parts of a sweep, one behind the other: to the byte what the sweep would have written undivided.
#
#     merge.sh N FOLDER > TABLE.csv
#
# Refuses if one of the N parts is not complete.

set -u

[ $# -eq 2 ] || { sed -n 's/^#     /usage: /p' "$0" >&2; exit 2; }
parts=$1 folder=$2

part=1
while [ "$part" -le "$parts" ]; do
    [ -e "$folder/part-$part.done" ] || { echo "merge.sh: part $part is not complete" >&2; exit 1; }
    part=$((part + 1))
done
part=1
while [ "$part" -le "$parts" ]; do
    cat "$folder/part-$part.csv" || exit 1
    part=$((part + 1))
done
