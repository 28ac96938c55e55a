#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Proves that functions of the library stay in their memory, overflow nothing and keep their promises. See --help.

set -u

root=$(cd "$(dirname "$0")/../../.." && pwd) || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$root" || exit 2

EVA=$(basename -s .c tests/assurance/proof/eva/*.c | tr '\n' ' ')
WP=$(basename -s .acsl tests/assurance/proof/*.acsl | tr '\n' ' ')
SMT=$(basename -s .smt2 tests/assurance/proof/*.smt2 | tr '\n' ' ')
EXACT="accuracy "

usage() {
    cat <<TEXT
usage: sh tests/assurance/proof/run.sh [--help] [NAME...]

Needs frama-c, for the second part why3 with cvc4 and z3, for the third z3 and for the fourth mpmath, for both of these
pycparser, for /usr/bin/python3. NAME is one of the names below; without one, all.

  Eva, for all inputs at once: no access out of bounds, no overflow, no use of what was not set, no undefined
  conversion. tests/assurance/proof/eva/NAME.c says which functions, on what, with which sources and options of
  the analyser:
$(in_lines "$EVA")

  WP, function by function, from contracts and invariants that tests/assurance/proof/NAME.acsl weaves into a copy of
  lib/vcsched/core/NAME.h and .c, or those that it names: the same, and what the function promises:
$(in_lines "$WP")

  Z3, of all doubles: what functions promise of them, translated bit by bit. tests/assurance/proof/NAME.smt2 says what:
$(in_lines "$SMT")

  Interval arithmetic, of all doubles: by how much exp2, exp2m1 and log2 are off at most. tests/assurance/proof/NAME.py
  says how:
$(in_lines "$EXACT")

Numbers that are NaN are left out of Eva's part: this analyser does not follow comparisons with them. The tests of
each function pass NaN under the undefined-behaviour sanitizer instead.

The last line is "N passed, N failed".
TEXT
}

in_lines() {
    echo "$1" | fold -s -w 110 | sed 's/^/    /; s/ *$//'
}

passed=0
failed=0

# What a line of a harness says behind "// NAME: ".
said_of() {
    sed -n "s|^// $1: ||p" "$2"
}

# "states" are all rooms that a decision over a state needs.
sources_of() {
    for part in $(said_of sources "$1"); do
        case $part in
        states)
            for room in core interface accounts timers state workspace simulation schedule fetch send; do
                printf '%s\n' lib/$room/*.c
            done
            ;;
        *) printf '%s\n' "$part" ;;
        esac
    done | grep -vxF "$(said_of without "$1" | tr ' ' '\n')"
}

# How many paths are kept apart: of what functions return, unless the harness says otherwise; to the end of a text and
# through a table of fields, step by step. The analyser refuses names of functions that are not there.
options_of() {
    said_of options "$1"
    said_of options "$1" | grep -q -e '-eva-split-return ' -e '-eva-split-return=' || echo "-eva-split-return full"
    ! said_of sources "$1" | grep -q -e states -e lib/vcsched/interface ||
        echo "-eva-slevel-function join:2000,vcs_field_name:500"
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

# The calls of MAY_PASS() that no path leaves with VCS_OK, or that no path comes to: nothing is proved of those.
unanswered() {
    grep -n 'MAY_PASS(' "$1" | cut -d: -f1 | while read -r line; do
        tr -s '\n ' ' ' <"$2" | grep -o "$1:$line: Frama_C_show_each_code: [^]}]*[]}]" |
            grep -q '[{; .]0[]};]' || echo "$1:$line: no path leads to VCS_OK"
    done
}

eva() {
    harness=tests/assurance/proof/eva/$1.c
    # shellcheck disable=SC2046
    frama-c -c11 -machdep gcc_x86_64 \
        -cpp-extra-args="-Ilib -Iinclude -Itests/proof/eva -include tests/assurance/proof/eva/known.h" \
        -eva -eva-precision 3 $(options_of "$harness") -eva-no-show-progress \
        -warn-special-float none "$harness" $(sources_of "$harness") >"$work/log" 2>&1
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

# What a header includes that is woven, too; its goals are its own.
used_by() {
    for used in $(sed -n 's/^uses: //p' "tests/assurance/proof/$1.acsl"); do
        python3 tests/assurance/proof/weave.py "tests/assurance/proof/$used.acsl" "lib/vcsched/core/$used.h" || return
    done
}

# Its annotations, behind those that it builds on, whose goals are their own.
annotations_of() {
    base=$(sed -n 's/^builds on: //p' "tests/assurance/proof/$1.acsl")
    if [ -n "$base" ]; then
        cat "tests/assurance/proof/$base.acsl" && echo || return
    fi
    cat "tests/assurance/proof/$1.acsl"
}

prove() {
    frama-c -c11 -machdep gcc_x86_64 -cpp-extra-args=-Ilib -wp -wp-rte -rte-no-pointer-call \
        -warn-special-float none -wp-prover cvc4,z3 -wp-timeout 60 -wp-par 2 "$@"
}

# Where functions are named, what is said of none of them, lemmas, is proved by itself.
wp() {
    functions=-wp-fct=$(sed -n 's/^function //p; s/^lemma //p' "tests/assurance/proof/$1.acsl" | paste -sd, -)
    case $1 in
    heap | min_tree) functions= ;; # all, with those that are proofs themselves
    esac
    of=$(sed -n 's/^sources: //p' "tests/assurance/proof/$1.acsl")
    sources=$(find lib/vcsched/core -name "${of:-$1}.[ch]" | sort -r) # the header first
    goals=0
    proved=1
    : >"$work/log" # not that of the proof before, if weaving fails
    # shellcheck disable=SC2086
    if annotations_of "$1" >"$work/$1.acsl" &&
        { used_by "$1" && python3 tests/assurance/proof/weave.py "$work/$1.acsl" $sources; } >"$work/$1.c" &&
        prove $functions "$work/$1.c" >"$work/log" 2>&1 && [ -n "$functions" ] &&
        grep -q '^  lemma ' "$work/$1.acsl"; then
        prove -wp-prop=@lemma "$work/$1.c" >>"$work/log" 2>&1 || echo 'Proved goals: 0 / 1' >>"$work/log"
    fi
    grep 'Failed\] Goal' "$work/log"
    goals=$(awk -F '[:/]' '/Proved goals:/ { n += $3 } END { if (n) print n }' "$work/log")
    proved=$(awk -F '[:/]' '/Proved goals:/ { n += $2 } END { if (n) print n }' "$work/log")
    [ -n "$goals" ] || tail -5 "$work/log"
    tally "wp $1" "${proved:-0}" "${goals:-1}" "${proved:-none} of ${goals:-?} goals proved"
}

# A proof in Python: its log ends with "N of M proved".
python_proof() {
    grep '^Failed' "$work/log"
    of=$(sed -n 's/^\([0-9]*\) of \([0-9]*\) proved$/\1 \2/p' "$work/log")
    if [ -z "$of" ]; then
        tail -5 "$work/log"
        of='0 1' # nothing is known
    fi
    proved=${of% *}
    tally "$1" "${proved:-0}" "${of#* }" "${proved:-none} of ${of#* } promises proved"
}

smt() {
    /usr/bin/python3 tests/assurance/proof/doubles.py "tests/assurance/proof/$1.smt2" . >"$work/log" 2>&1
    python_proof "z3 $1"
}

exact() {
    /usr/bin/python3 "tests/assurance/proof/$1.py" . >"$work/log" 2>&1
    python_proof "intervals $1"
}

case ${1:-} in
--help | -h)
    usage
    exit 0
    ;;
esac
for tool in frama-c why3 cvc4 z3; do
    command -v $tool >/dev/null || {
        echo "$tool is missing; Debian: apt-get install frama-c-base why3 cvc4 z3 python3-pycparser python3-mpmath" >&2
        exit 2
    }
done
# shellcheck disable=SC2086,SC2046
[ $# -gt 0 ] || set -- $(printf '%s\n' $EVA $WP $SMT $EXACT | sort -u)
why3 config detect >/dev/null 2>&1
for name; do
    case " $EVA $WP $SMT $EXACT " in
    *" $name "*) ;;
    *)
        echo "no proof is called $name; see --help" >&2
        exit 2
        ;;
    esac
    case " $EVA " in *" $name "*) eva "$name" ;; esac
    case " $WP " in *" $name "*) wp "$name" ;; esac
    case " $SMT " in *" $name "*) smt "$name" ;; esac
    case " $EXACT " in *" $name "*) exact "$name" ;; esac
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
