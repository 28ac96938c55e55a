#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Policies compared over populations of hosts: runs them, draws them, makes tables of them.

set -u

usage() {
    cat <<END
usage: sh examples/study/policies/run.sh [-j WORKERS] [-n HOSTS] [-s SEEDS] [-o FOLDER] [--draw] [--manual]
           POPULATION...|all

Builds what it needs, emulates the first HOSTS hosts (2000) of each POPULATION under each policy of the manual, in
parallel on all processors, and writes FOLDER/POPULATION.csv, a row for each host and policy, FOLDER/means.csv,
FOLDER/quantiles.csv, FOLDER/tables.txt and, with gnuplot, a picture of each population as SVG, PNG and PDF. FOLDER is
build/study/policies. Of GPUs the old profiles know nothing.

The populations of the manual are those of policy_study, and besides
  rules      plain, under the rules of chapter 15 alone, together and each of them left out of current
  parts      plain, under steady and each of its parts left out
  five, axes, grid
             scenarios that are not drawn, with SEEDS seeds (8), by one process: see scenarios.py; without pictures

  --draw     takes the CSV files of FOLDER as they are, without emulating again
  --manual   puts means, SVGs and tables into the manual: doc/policies.md. Other populations there stay
END
}

root=$(cd "$(dirname "$0")/../../.." && pwd) || exit 1
here=$root/examples/study/policies
folder=$root/build/study/policies
draw=no
manual=no
options=
hosts=2000
seeds=8
populations=
while [ $# -gt 0 ]; do
    case $1 in
    -h | --help) usage; exit 0 ;;
    --draw) draw=yes; shift ;;
    --manual) manual=yes; shift ;;
    -o | -j | -n | -s)
        [ $# -ge 2 ] || { usage >&2; exit 2; }
        case $1 in
        -o) folder=$2 ;;
        -j) options="-j $2" ;;
        -n) hosts=$2 ;;
        -s) seeds=$2 ;;
        esac
        shift 2
        ;;
    -*) usage >&2; exit 2 ;;
    all) populations='plain rules parts gpu daytime seldom wrong heavy down five axes grid'; shift ;;
    *) populations="$populations $1"; shift ;;
    esac
done
[ -n "$populations" ] || { usage >&2; exit 2; }

# The interpreter that sees the distribution's packages, which another one first in PATH may not.
python=/usr/bin/python3
[ -x "$python" ] || python=python3

# The policies of the manual; their names have no blanks.
risk='report_risk=0.02, report_delay=1e9'
chance='give_up=by_chance, give_up_below=0.1'
size='give_up=by_size, give_up_below=0.9'
policy() {
    case $1 in
    R1) echo "R1: current, $risk" ;;
    R2) echo "R2: current, $chance" ;;
    R2b) echo "R2b: current, $size" ;;
    R3) echo "R3: current, keep_running=yes" ;;
    R1+R2) echo "R1+R2: current, $risk, $chance" ;;
    R1+R2+R3) echo "R1+R2+R3: current, $risk, $chance, keep_running=yes" ;;
    R1+R2b+R3) echo "R1+R2b+R3: current, $risk, $size, keep_running=yes" ;;
    R2+R3) echo "R2+R3: current, $chance, keep_running=yes" ;;
    R1+R3) echo "R1+R3: current, $risk, keep_running=yes" ;;
    steady-R1) echo "steady-R1: steady, report_risk=0" ;;
    steady-R2) echo "steady-R2: steady, give_up=never" ;;
    steady-R3) echo "steady-R3: steady, keep_running=no" ;;
    steady-admission) echo "steady-admission: steady, work_send=ws2" ;;
    steady-fetch) echo "steady-fetch: steady, work_fetch=current" ;;
    steady-estimates) echo "steady-estimates: steady, use_dcf=yes" ;;
    *) echo "$1" ;;
    esac
}
policies_of() {
    case $1 in
    plain) echo 'current R1 R1+R2 R1+R2+R3 steady study2007 rpc2003' ;;
    rules) echo 'current R1 R2 R2b R3 R1+R2 R1+R3 R2+R3 R1+R2+R3 R1+R2b+R3' ;;
    parts) echo 'current steady steady-R1 steady-R2 steady-R3 steady-admission steady-fetch steady-estimates' ;;
    gpu | five) echo 'current R1 R1+R2+R3 steady' ;;
    *) echo 'current R1 R1+R2+R3 steady study2007 rpc2003' ;;
    esac
}
# Scenarios that are not drawn have seeds instead of hosts, and no quantiles.
is_drawn() {
    case $1 in five | axes | grid) return 1 ;; esac
}

mkdir -p "$folder" || exit 1
if [ "$draw" = no ]; then
    # POLICY_STUDY and VCEMU may name programs that are built already.
    if [ -z "${POLICY_STUDY:-}" ] || [ -z "${VCEMU:-}" ]; then
        build=$root/build/examples-study
        [ -f "$build/build.ninja" ] ||
            meson setup "$build" "$root" -Dpython=disabled -Dlua=disabled -Djs=disabled -Drust=disabled \
                -Dtests=disabled -Dexamples=enabled || exit 1
        meson compile -C "$build" examples/policy_study:executable examples/vcemu:executable || exit 1
        POLICY_STUDY=$build/examples/policy_study
        VCEMU=$build/examples/vcemu
    fi
    for population in $populations; do
        case $population in rules | parts) drawn=plain ;; *) drawn=$population ;; esac
        set --
        for name in $(policies_of "$population"); do
            set -- "$@" "$(policy "$name")"
        done
        if ! is_drawn "$population"; then
            "$python" "$here/scenarios.py" -n "$seeds" "$VCEMU" "$population" "$@" >"$folder/$population.csv" || exit 1
            continue
        fi
        # shellcheck disable=SC2086
        "$POLICY_STUDY" $options -n "$hosts" -p "$drawn" "$@" >"$folder/$population.all" || exit 1
        sed "s/^$drawn,/$population,/" "$folder/$population.all" >"$folder/$population.csv" &&
            rm "$folder/$population.all" || exit 1
    done
fi

files=
for population in $populations; do
    files="$files $folder/$population.csv"
done
# shellcheck disable=SC2086
"$python" "$here/tables.py" --keep "$folder" $files && "$python" "$here/tables.py" --kinds $files \
    >"$folder/tables.txt" || exit 1
echo "figures: $folder/*.csv, $folder/tables.txt"

# pictures FORMAT: all of them
pictures() {
    for population in $populations; do
        is_drawn "$population" || continue
        gnuplot -e "quantiles='$folder/quantiles.csv'; population='$population'" \
            -e "policies='$(policies_of "$population")'; folder='$folder'; format='$1'" \
            "$here/../style.gp" "$here/figures.gp" || return 1
    done
}

if command -v gnuplot >/dev/null; then
    pictures svg && pictures png && pictures pdf || exit 1
    for population in $populations; do # as precise as a screen shows
        is_drawn "$population" || continue
        "$python" "$here/../slim_svg.py" "$folder/$population.svg" || exit 1
    done
    echo "pictures: $folder/*.svg, *.png, *.pdf"
else
    echo "gnuplot is not installed: no pictures"
fi

if [ "$manual" = yes ]; then
    pages=$root/doc/study/policies
    mkdir -p "$pages" "$folder/manual" && touch "$pages/means.csv" || exit 1
    "$python" "$here/tables.py" --keep "$folder/manual" "$pages/means.csv" "$folder/means.csv" &&
        cp "$folder/manual/means.csv" "$pages/" || exit 1
    for population in $populations; do
        is_drawn "$population" || continue
        cp "$folder/$population.svg" "$pages/" || exit 1
    done
    "$python" "$here/tables.py" --into "$root/doc/policies.md" "$pages/means.csv" || exit 1
    echo "manual: $root/doc/policies.md"
fi
