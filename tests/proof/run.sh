#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Proves that functions of the library stay in their memory, overflow nothing and keep their promises. See --help.

set -u

usage() {
    cat <<TEXT
usage: sh tests/proof/run.sh [--help] [NAME...]

Needs frama-c, and for the second part why3 with cvc4 and z3. NAME is one of the names below; without one, all.

  Eva, for all inputs at once: no access out of bounds, no overflow, no use of what was not set, no undefined
  conversion. tests/proof/eva/NAME.c says which functions, and on what:
    number search_tree interface self_test accounts timers unit dispatch pool dispatch_index verify vote state
    reorder renew renew_crowd renew_anew results edf edf_limits edf_tasks admit admit_limits admit_gpu send_admit fluid
    sliced_uniform misses schedule fetch emulator emulate emulate_memory grid_queue

  WP, function by function, from contracts and invariants that tests/proof/NAME.acsl weaves into a copy of
  lib/core/NAME: the same, and what the function promises:
    heap min_tree sort index_sort

Numbers that are NaN are left out of Eva's part: this analyser does not follow comparisons with them. The tests of
each function pass NaN under the undefined-behaviour sanitizer instead.

The last line is "N passed, N failed".
TEXT
}

root=$(cd "$(dirname "$0")/../.." && pwd) || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$root" || exit 2

EVA="number search_tree interface self_test accounts timers unit dispatch pool dispatch_index verify vote \
state reorder renew renew_crowd renew_anew results edf edf_limits edf_tasks admit admit_limits admit_gpu send_admit fluid \
sliced_uniform misses schedule fetch emulator emulate emulate_memory grid_queue"
WP="heap min_tree sort index_sort"

passed=0
failed=0

sources_of_states() {
    for room in core interface accounts timers state workspace simulation schedule fetch send; do
        printf '%s\n' lib/$room/*.c
    done
}

sources_of() {
    case $1 in
    number) echo lib/core/number.c ;;
    search_tree) echo lib/core/search_tree.c ;;
    interface) echo lib/core/number.c lib/interface/*.c ;;
    self_test) find lib/core/number.c lib/interface -name '*.c' ! -name self_test.c ;; # which its harness includes
    accounts) echo lib/core/number.c lib/core/index_sort.c lib/interface/*.c lib/accounts/*.c ;;
    state | results | edf | edf_limits | admit | admit_limits | fluid | schedule | fetch) sources_of_states ;;
    edf_tasks | admit_gpu) sources_of_states | grep -v /search_tree.c ;; # which any_tree.h stands in for
    reorder) sources_of_states ;;
    renew) sources_of_states | grep -v state/reorder.c ;; # here and below: what a harness includes
    renew_crowd) sources_of_states | grep -Ev 'state/(re)?order.c' ;;
    renew_anew) sources_of_states | grep -v state/renew.c ;;
    send_admit) sources_of_states | grep -v /admit.c ;;                  # which its harness includes
    sliced_uniform) sources_of_states | grep -v sliced_general.c ;; # for which its harness answers
    misses) sources_of_states | grep -v wrr.c ;; # likewise
    dispatch) echo lib/core/number.c lib/interface/*.c lib/dispatch/job.c ;;
    pool) echo lib/core/number.c lib/core/index_sort.c lib/interface/*.c lib/dispatch/job.c lib/dispatch/pool.c ;;
    dispatch_index) echo lib/core/*.c lib/interface/*.c lib/dispatch/*.c ;;
    verify | vote) echo lib/core/number.c lib/core/index_sort.c lib/interface/*.c lib/verify/*.c ;;
    emulator)
        echo lib/core/number.c lib/interface/*.c lib/emulator/events.c lib/emulator/setup.c lib/grid/emulate_grid.c
        ;;
    emulate) find lib/emulator -name '*.c' ! -name memory.c ;; # for which its harness has places
    emulate_memory) echo lib/emulator/events.c lib/emulator/memory.c ;;
    grid_queue) echo lib/grid/queue.c ;;
    *) echo lib/core/number.c lib/interface/*.c "lib/$1"/*.c ;;
    esac
}

tally() {
    if [ "$2" -eq "$3" ]; then
        passed=$((passed + 1))
        verdict=ok
    else
        failed=$((failed + 1))
        verdict=FAILED
    fi
    printf '%-20s %-7s %s\n' "$1" "$verdict" "$4"
}

# How many paths are kept apart: to the end of a text and through a table of fields, step by step; and so many of each
# function. The analyser refuses names of functions that are not there.
precision_of() {
    case $1 in
    number | search_tree | emulate | emulate_memory | grid_queue) ;;
    *) echo "-eva-slevel-function append:2000,vcs_field_row_at:500" ;;
    esac
    case $1 in
    search_tree) echo "-eva-min-loop-unroll 0 -eva-slevel 20 -eva-ilevel 20 -eva-widening-delay 20" ;;
    unit) echo "-eva-min-loop-unroll 4" ;;
    accounts | dispatch) echo "-eva-min-loop-unroll 4 -eva-slevel 100" ;;
    pool)
        echo "-eva-min-loop-unroll 64 -eva-slevel 0"
        echo "-eva-slevel-function main:1000,survey_copies:1000,check_references:100,vcs_clients_and_jobs_check:100"
        ;;
    dispatch_index)
        echo "-eva-min-loop-unroll 64 -eva-slevel 500"
        echo "-eva-slevel-function main:0,use:9000,add:9000,change:9000,queue:9000,any_between:0,vcs_check_records:0"
        echo "-eva-slevel-function vcs_refuse_record:0,vcs_refuse_fields:0,vcs_check_row:0,check_doubles:0"
        echo "-eva-slevel-function check_double:0,vcs_dispatch_job_passes:0,vcs_client_passes:0"
        echo "-eva-slevel-function vcs_are_between:0,vcs_is_between:0"
        ;;
    vote)
        echo "-eva-min-loop-unroll 64 -eva-slevel 1000"
        echo "-eva-slevel-function vcs_scaled_of:0,lowered:0,vcs_scaled_plus:0,vcs_scaled_times:0,vcs_scaled_is_less:0"
        ;;
    state | results)
        echo "-eva-min-loop-unroll 4 -eva-slevel 100 -eva-unroll-recursive-calls 2"
        echo "-eva-slevel-function vcs_send:1000,vcs_take_input:300,vcs_refuse_fields:300"
        ;;
    reorder)
        echo "-eva-min-loop-unroll 4 -eva-slevel 500 -eva-unroll-recursive-calls 2"
        echo "-eva-slevel-function any_between:0,any_keys:0,any_orders:0"
        ;;
    renew | renew_crowd)
        unroll=4
        [ "$1" = renew ] || unroll=40
        echo "-eva-min-loop-unroll $unroll -eva-slevel 100 -eva-unroll-recursive-calls 2"
        echo "-eva-slevel-function can_take_host:2000,find_changed:50000,vcs_renew_quickly:5000,take_tasks:1000"
        echo "-eva-slevel-function take_host:0,next_changed:1000"
        ;;
    renew_anew)
        echo "-eva-min-loop-unroll 4 -eva-slevel 100 -eva-unroll-recursive-calls 2"
        echo "-eva-slevel-function vcs_take_input:300,vcs_refuse_fields:300"
        ;;
    fetch | misses) echo "-eva-min-loop-unroll 4 -eva-slevel 10 -eva-unroll-recursive-calls 2" ;;
    schedule)
        echo "-eva-min-loop-unroll 4 -eva-slevel 0 -eva-unroll-recursive-calls 2"
        echo "-eva-slevel-function vcs_take_input:300,vcs_refuse_fields:300,vcs_count_for_build:50"
        echo "-eva-slevel-function vcs_count_records:50,vcs_state_size:50,main:50,prepare:50"
        ;;
    edf_limits | edf_tasks | admit | admit_limits | admit_gpu | send_admit)
        echo "-eva-slevel 0 -eva-unroll-recursive-calls 2 -eva-ilevel 40" # a set of all numbers of nodes
        echo "-eva-slevel-function main:50,prepare:50,vcs_take_input:300,vcs_refuse_fields:300"
        echo "-eva-slevel-function vcs_count_for_build:50,vcs_count_records:50,vcs_state_size:50"
        case $1 in
        admit*)
            echo "-eva-slevel-function take_queue:50,vcs_admit:50,begin_queue:50,decide:100,find_position:100"
            echo "-eva-slevel-function find_harmed:50"
            ;;
        send_admit) echo "-eva-slevel 10" ;;
        esac
        ;;
    sliced_uniform)
        echo "-eva-widening-delay 1 -eva-widening-period 1"
        echo "-eva-slevel-function vcs_sliced_uniform:0,run_out:0,vcs_uniform_pick:0,amend:0,settle_group:0"
        echo "-eva-slevel-function settle_anew:0,settle_exactly:0,find_exact_cut:0,move_cut:0,move_to:0"
        echo "-eva-slevel-function finish_due:0,finish_first:0,start_tasks:0,stop_tasks:0"
        ;;
    emulate)
        echo "-eva-slevel 1 -eva-slevel-function vcs_emu_reserve:100 -eva-no-alloc-returns-null"
        echo "-eva-subdivide-non-linear 1 -eva-auto-loop-unroll 8 -eva-widening-delay 4 -eva-widening-period 1"
        ;;
    emulate_memory) echo "-eva-slevel 5000 -eva-alloc-builtin fresh -eva-no-alloc-returns-null" ;;
    timers)
        echo "-eva-min-loop-unroll 4"
        echo "-eva-slevel-function vcs_reply_apply:100,vcs_rpc_check:200,vcs_rpc_report:200"
        ;;
    esac
}

# Which functions keep apart what they return: all, or where that are too many paths those that say what was refused.
split_return_of() {
    case $1 in
    emulate) ;; # none: one path goes through all of it
    schedule | sliced_uniform | edf_limits | edf_tasks | admit | admit_limits | admit_gpu | send_admit)
        echo "-eva-split-return auto"
        echo "-eva-split-return-function vcs_count_for_build:full,vcs_take_input:full,vcs_count_records:full"
        case $1 in admit*) echo "-eva-split-return-function find_position:full" ;; esac
        # Whether there is one makes no difference that matters there.
        case $1 in edf_tasks | admit_gpu) echo "-eva-split-return-function vcs_search_first:77,next_free:77" ;; esac
        ;;
    reorder)
        echo "-eva-split-return auto"
        echo "-eva-split-return-function vcs_count_for_build:full,vcs_take_input:full,vcs_count_records:full"
        echo "-eva-split-return-function find_place:full,place_of:full,vcs_sort:full,sort_few:full,count_sorted:full"
        echo "-eva-split-return-function move_back:full,came_from:full,rename_moved:full,rename_task:0:1,mend:0:1"
        echo "-eva-split-return-function mend_ids:0:1,mend_arrivals:0:1,mend_deadlines:0:1,mend_deadlines_at:0:1"
        echo "-eva-split-return-function mend_orders:0:1,order_others:0:1,put_in:0:1,put_in_others:0:1"
        echo "-eva-split-return-function vcs_move_many:0:1,vcs_move_few:0:1"
        ;;
    renew | renew_crowd)
        echo "-eva-split-return auto"
        echo "-eva-split-return-function vcs_count_for_build:full,vcs_take_input:full,vcs_count_records:full"
        echo "-eva-split-return-function find_changed:full,next_changed:full,note_changed:full,are_same_tasks:full"
        echo "-eva-split-return-function can_take_host:0:1,are_counts_known:0:1,can_take_candidates:0:1,is_right:0:1"
        echo "-eva-split-return-function note_new:0:1,vcs_task_is_right:0:1,vcs_candidate_is_right:0:1"
        echo "-eva-split-return-function refers_to_the_same:0:1,is_another:0:1,may_be_due_elsewhere:0:1"
        echo "-eva-split-return-function check_references:0,check_instances:0"
        ;;
    *) echo "-eva-split-return full" ;;
    esac
}

# The calls of MAY_PASS() that no path leaves with VCS_OK, or that no path comes to: nothing is proved of those.
unanswered() {
    grep -n 'MAY_PASS(' "$1" | cut -d: -f1 | while read -r line; do
        tr -s '\n ' ' ' <"$2" | grep -o "$1:$line: Frama_C_show_each_code: [^]}]*[]}]" |
            grep -q '[{; .]0[]};]' || echo "$1:$line: no path leads to VCS_OK"
    done
}

eva() {
    harness=tests/proof/eva/$1.c
    # shellcheck disable=SC2046
    frama-c -c11 -machdep gcc_x86_64 \
        -cpp-extra-args="-Ilib -Iinclude -Itests/proof/eva -include tests/proof/eva/known.h" \
        -eva -eva-precision 3 $(split_return_of "$1") $(precision_of "$1") -eva-no-show-progress \
        -warn-special-float none "$harness" $(sources_of "$1") >"$work/log" 2>&1
    if grep 'User Error' "$work/log"; then
        : >"$work/log" # it went on with what it did not understand
    fi
    alarms=$(sed -n 's/^ *\([0-9]*\) alarms* generated.*/\1/p' "$work/log")
    reached=$(sed -n 's/.*, \([0-9]*\) statements reached.*/\1/p' "$work/log")
    [ -n "$alarms" ] || tail -5 "$work/log"
    # What a function of the C library asks for is not among those that are counted.
    if [ "${alarms:-1}" -eq 0 ]; then
        alarms=$(grep -c 'eva:alarm' "$work/log")
    fi
    grep -A2 'eva:alarm' "$work/log"
    unanswered "$harness" "$work/log" | tee "$work/unanswered"
    faults=$((${alarms:-1} + $(wc -l <"$work/unanswered")))
    tally "eva $1" "$faults" 0 "${alarms:-no} alarms in ${reached:-no} statements"
}

wp() {
    source=lib/core/$1.h
    functions=
    if [ -f "lib/core/$1.c" ]; then
        source=lib/core/$1.c
        functions=-wp-fct=$(sed -n 's/^function //p' "tests/proof/$1.acsl" | paste -sd, -)
    fi
    goals=0
    proved=1
    # shellcheck disable=SC2086
    python3 tests/proof/weave.py "tests/proof/$1.acsl" "$source" >"$work/$1.c" &&
        frama-c -c11 -machdep gcc_x86_64 -cpp-extra-args=-Ilib -wp -wp-rte -rte-no-pointer-call \
            -wp-prover cvc4,z3 -wp-timeout 120 -wp-par 1 $functions "$work/$1.c" >"$work/log" 2>&1
    grep 'Failed\] Goal' "$work/log"
    goals=$(sed -n 's/.*Proved goals: *[0-9]* *\/ *\([0-9]*\).*/\1/p' "$work/log")
    proved=$(sed -n 's/.*Proved goals: *\([0-9]*\).*/\1/p' "$work/log")
    [ -n "$goals" ] || tail -5 "$work/log"
    tally "wp $1" "${proved:-0}" "${goals:-1}" "${proved:-none} of ${goals:-?} goals proved"
}

case ${1:-} in
--help | -h)
    usage
    exit 0
    ;;
esac
for tool in frama-c why3 cvc4 z3; do
    command -v $tool >/dev/null || {
        echo "$tool is missing; Debian: apt-get install frama-c-base why3 cvc4 z3" >&2
        exit 2
    }
done
[ $# -gt 0 ] || set -- $EVA $WP
why3 config detect >/dev/null 2>&1
for name; do
    case " $EVA " in
    *" $name "*) eva "$name" ;;
    *)
        case " $WP " in
        *" $name "*) wp "$name" ;;
        *)
            echo "no proof is called $name; see --help" >&2
            exit 2
            ;;
        esac
        ;;
    esac
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
