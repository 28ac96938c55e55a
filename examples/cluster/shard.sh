#!/bin/sh
# SPDX-License-Identifier: MIT
#
# One part of a sweep, which a scheduler of jobs starts.
#
#     shard.sh K N FOLDER SCENARIO OPTION...
#
# Emulates part K of N into FOLDER/part-K.csv, and goes on where the file ends if it is there already. SCENARIO and the
# options are for `vcemu sweep`. When the part is complete, FOLDER/part-K.done says so. VCEMU names the tool,
# THREADS says how many emulations run at a time (1).

set -u

[ $# -ge 4 ] || { sed -n 's/^#     /usage: /p' "$0" >&2; exit 2; }
part=$1 parts=$2 folder=$3
shift 3

rm -f "$folder/part-$part.done"
"${VCEMU:-vcemu}" sweep "$@" --shard "$part/$parts" -j "${THREADS:-1}" -o "$folder/part-$part.csv" &&
    : >"$folder/part-$part.done"
