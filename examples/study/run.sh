#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The six figures of the study and the comparisons of the profiles: runs them, draws them, makes tables of them.

set -u

usage() {
    cat <<END
usage: sh examples/study/run.sh [-j WORKERS] [-s SEEDS] [-o FOLDER] [--draw] [--manual]

Builds what it needs, emulates each point of the study and of the comparisons with SEEDS seeds (20), in parallel
on all processors, and writes FOLDER/study.csv, FOLDER/differences.csv (the differences of each policy from its
baseline, seed by seed), FOLDER/scenario_*.csv and FOLDER/tables.md; with gnuplot also the pictures, as SVG, PNG
and PDF. FOLDER is build/study.

  --draw     takes the CSV files of FOLDER as they are, without emulating again
  --manual   puts the figures, SVGs and tables into the manual: doc/study.md
END
}

root=$(cd "$(dirname "$0")/../.." && pwd) || exit 1
here=$root/examples/study
folder=$root/build/study
draw=no
manual=no
seeds=20
workers=
while [ $# -gt 0 ]; do
    case $1 in
    -h | --help) usage; exit 0 ;;
    --draw) draw=yes; shift ;;
    --manual) manual=yes; shift ;;
    -o | -j | -s)
        [ $# -ge 2 ] || { usage >&2; exit 2; }
        case $1 in
        -o) folder=$2 ;;
        -j) workers="-j $2" ;;
        -s) seeds=$2 ;;
        esac
        shift 2
        ;;
    *) usage >&2; exit 2 ;;
    esac
done

# The interpreter that sees the distribution's packages, which another one first in PATH may not.
python=/usr/bin/python3
[ -x "$python" ] || python=python3

# sweep SCENARIO OPTION...: the outcome under each profile
sweep() {
    scenario=$1
    shift
    "$VCEMU" sweep "$here/$scenario" --vary profile=rpc2003,study2007,current "$@"
}

mkdir -p "$folder" || exit 1
if [ "$draw" = no ]; then
    # STUDY and VCEMU may name programs that are built already.
    if [ -z "${STUDY:-}" ] || [ -z "${VCEMU:-}" ]; then
        build=$root/build/examples-study
        [ -f "$build/build.ninja" ] ||
            meson setup "$build" "$root" -Dpython=disabled -Dlua=disabled -Djs=disabled -Drust=disabled \
                -Dtests=disabled -Dexamples=enabled || exit 1
        meson compile -C "$build" examples/study:executable examples/vcemu:executable || exit 1
        STUDY=$build/examples/study
        VCEMU=$build/examples/vcemu
    fi
    # shellcheck disable=SC2086
    "$STUDY" $workers -s "$seeds" -d "$folder/differences.csv" >"$folder/study.csv" &&
        sweep long_and_short.ini >"$folder/scenario_long_and_short.csv" &&
        sweep tight_and_loose.ini >"$folder/scenario_tight_and_loose.csv" &&
        sweep tight_and_loose.ini --set min_buffer=600 --set additional_buffer=600 \
            >"$folder/scenario_short_buffer.csv" || exit 1
fi
"$python" "$here/tables.py" "$folder" >"$folder/tables.md" || exit 1
echo "figures: $folder/*.csv, $folder/tables.md"

# pictures FORMAT: all of them
pictures() {
    gnuplot -e "results='$folder/study.csv'; differences='$folder/differences.csv'; golden='$here/golden.csv'" \
        -e "folder='$folder'; format='$1'" "$here/style.gp" "$here/figures.gp"
}

if command -v gnuplot >/dev/null; then
    pictures svg && pictures png && pictures pdf || exit 1
    # As precise as a screen shows.
    "$python" "$here/slim_svg.py" "$folder"/*.svg || exit 1
    echo "pictures: $folder/*.svg, $folder/*.png, $folder/*.pdf"
else
    echo "gnuplot is not installed: no pictures"
fi

if [ "$manual" = yes ]; then
    mkdir -p "$root/doc/study" && cp "$folder"/*.csv "$folder"/*.svg "$root/doc/study/" &&
        "$python" "$here/tables.py" "$folder" --into "$root/doc/study.md" || exit 1
    echo "manual: $root/doc/study.md"
fi
