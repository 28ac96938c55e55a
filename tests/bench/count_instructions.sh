#!/bin/sh
# SPDX-License-Identifier: MIT
#
# How many instructions the emulator takes, which is the same on busy and idle machines: counted by callgrind.
#
#     count_instructions.sh VCEMU [SCENARIO...]
#
# Without scenarios, those of doc/figures.md; and before them the decisions on small hosts, by bench_simulations of the
# same build. Fails if these take more than their limits, which are for gcc 12 with -O2. The profiles are left in the
# present folder, for callgrind_annotate.
set -eu

if [ $# -eq 0 ]; then
    echo "usage: $0 VCEMU [SCENARIO...]" >&2
    exit 2
fi
vcemu=$1
shift

# count WHAT TASKS LIMIT FUNCTION...: the mean of four hosts with so many tasks. No symbol is bound on the way. With
# `profile` set, by that profile.
status=0
profile=
count() {
    what=$1 tasks=$2 limit=$3
    shift 3
    collect=
    for function in "$@"; do
        collect="$collect --toggle-collect=$function"
    done
    # shellcheck disable=SC2086  # several options
    LD_BIND_NOW=1 valgrind --tool=callgrind --callgrind-out-file="callgrind.$what" $collect \
        "$bench" --once "$tasks" $profile 2>"callgrind.$what.log" >/dev/null ||
        { cat "callgrind.$what.log" >&2; exit 1; }
    each=$(($(sed -n 's/.*Collected : *//p' "callgrind.$what.log") / 4))
    printf '%s of %s tasks: %s instructions, at most %s\n' "$what" "$tasks" "$each" "$limit"
    if [ "$each" -gt "$limit" ]; then
        status=1
    fi
}

bench=$(dirname "$vcemu")/../tests/bench_simulations
if [ $# -eq 0 ] && [ -x "$bench" ]; then
    prepare="vcs_parameters_init vcs_state_prepare"
    # shellcheck disable=SC2086  # several functions
    for tasks in 20 50; do
        count preparation $tasks $((tasks * 450 + 1000)) $prepare
        count simulation $tasks $((tasks * 600)) vcs_wrr
        count choice $tasks $((tasks * 1400 + 8000)) $prepare vcs_state_size vcs_wrr vcs_schedule vcs_fetch
    done
    # The profile steady may take twice as many as current.
    # shellcheck disable=SC2086  # several functions
    for tasks in 50 1000; do
        profile=current
        count current $tasks $((tasks * 10000)) $prepare vcs_state_size vcs_wrr vcs_schedule vcs_fetch
        profile=steady
        count steady $tasks $((each * 2)) $prepare vcs_state_size vcs_wrr vcs_schedule vcs_fetch
    done
    profile=
fi

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
exit $status
