#!/bin/sh
# SPDX-License-Identifier: MIT
#
# How many instructions the emulator takes, which is the same on busy and idle machines: counted by callgrind.
#
#     count_instructions.sh VCEMU [SCENARIO...]
#
# Without scenarios, those of doc/figures.md. The profiles are left in the present folder, for callgrind_annotate.
set -eu

if [ $# -eq 0 ]; then
    echo "usage: $0 VCEMU [SCENARIO...]" >&2
    exit 2
fi
vcemu=$1
shift
if [ $# -eq 0 ]; then
    scenarios=$(dirname "$0")/../../examples/study
    set -- "$scenarios/base.ini" "$scenarios/job_mix_of_20.ini" "$scenarios/wide.ini" \
        "$scenarios/crowded.ini" "$(dirname "$0")/hosts/plain.ini"
fi

for scenario in "$@"; do
    name=$(basename "$scenario" .ini)
    valgrind --tool=callgrind --callgrind-out-file="callgrind.$name" "$vcemu" run "$scenario" 2>"callgrind.$name.log" \
        >/dev/null || { cat "callgrind.$name.log" >&2; exit 1; }
    printf '%s: %s instructions\n' "$name" "$(sed -n 's/.*Collected : *//p' "callgrind.$name.log")"
done
