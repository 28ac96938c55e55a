#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Policies compared over populations of hosts: runs them, draws them, makes tables of them.

set -u

usage() {
    cat <<END
usage: sh examples/study/policies/run.sh [-j WORKERS] [-n HOSTS] [-o FOLDER] [--draw] [--manual] POPULATION...

Builds what it needs, emulates the first HOSTS hosts (2000) of each POPULATION under each policy of the manual, in
parallel on all processors, and writes FOLDER/POPULATION.csv, a row for each host and policy, FOLDER/means.csv,
FOLDER/quantiles.csv, FOLDER/tables.txt and, with gnuplot, a picture of each population as SVG, PNG and PDF. FOLDER is
build/study/policies. The old profiles are compared where the manual shows them; of GPUs they know nothing. The
population rules is plain, under the rules of chapter 15 together and each of them left out.

  --draw     takes the CSV files of FOLDER as they are, without emulating again
  --manual   puts means, SVGs and tables into the manual: doc/policies.md
END
}

root=$(cd "$(dirname "$0")/../../.." && pwd) || exit 1
here=$root/examples/study/policies
folder=$root/build/study/policies
draw=no
manual=no
options=
hosts=2000
populations=
while [ $# -gt 0 ]; do
    case $1 in
    -h | --help) usage; exit 0 ;;
    --draw) draw=yes; shift ;;
    --manual) manual=yes; shift ;;
    -o | -j | -n)
        [ $# -ge 2 ] || { usage >&2; exit 2; }
        case $1 in
        -o) folder=$2 ;;
        -j) options="-j $2" ;;
        -n) hosts=$2 ;;
        esac
        shift 2
        ;;
    -*) usage >&2; exit 2 ;;
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
    R1+R2) echo "R1+R2: current, $risk, $chance" ;;
    R1+R2+R3) echo "R1+R2+R3: current, $risk, $chance, keep_running=yes" ;;
    R1+R2b+R3) echo "R1+R2b+R3: current, $risk, $size, keep_running=yes" ;;
    R2+R3) echo "R2+R3: current, $chance, keep_running=yes" ;;
    R1+R3) echo "R1+R3: current, $risk, keep_running=yes" ;;
    *) echo "$1" ;;
    esac
}
policies_of() {
    case $1 in
    plain) echo 'current R1 R1+R2 study2007 rpc2003' ;;
    rules) echo 'current R1 R1+R2 R1+R2+R3 R1+R2b+R3 R2+R3 R1+R3' ;;
    daytime | seldom | down) echo 'current R1 R1+R2+R3 study2007 rpc2003' ;;
    *) echo 'current R1 R1+R2+R3' ;;
    esac
}

mkdir -p "$folder" || exit 1
if [ "$draw" = no ]; then
    # POLICY_STUDY may name a program that is built already.
    if [ -z "${POLICY_STUDY:-}" ]; then
        build=$root/build/examples-study
        [ -f "$build/build.ninja" ] ||
            meson setup "$build" "$root" -Dpython=disabled -Dlua=disabled -Djs=disabled -Dtests=disabled \
                -Dexamples=enabled || exit 1
        meson compile -C "$build" examples/policy_study:executable || exit 1
        POLICY_STUDY=$build/examples/policy_study
    fi
    for population in $populations; do
        [ "$population" = rules ] && drawn=plain || drawn=$population
        set --
        for name in $(policies_of "$population"); do
            set -- "$@" "$(policy "$name")"
        done
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
        gnuplot -e "quantiles='$folder/quantiles.csv'; population='$population'" \
            -e "policies='$(policies_of "$population")'; folder='$folder'; format='$1'" \
            "$here/../style.gp" "$here/figures.gp" || return 1
    done
}

if command -v gnuplot >/dev/null; then
    pictures svg && pictures png && pictures pdf || exit 1
    for population in $populations; do # as precise as a screen shows
        "$python" "$here/../slim_svg.py" "$folder/$population.svg" || exit 1
    done
    echo "pictures: $folder/*.svg, *.png, *.pdf"
else
    echo "gnuplot is not installed: no pictures"
fi

if [ "$manual" = yes ]; then
    pages=$root/doc/study/policies
    mkdir -p "$pages" && cp "$folder/means.csv" "$pages/" || exit 1
    for population in $populations; do
        cp "$folder/$population.svg" "$pages/" || exit 1
    done
    "$python" "$here/tables.py" --into "$root/doc/policies.md" "$pages/means.csv" || exit 1
    echo "manual: $root/doc/policies.md"
fi
