#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Studies of whole grids: runs one of them, draws it, makes tables of it.

set -u

usage() {
    cat <<END
usage: sh examples/study/grid/run.sh [-j WORKERS] [-s SEEDS] [-o FOLDER] [--draw] [--manual] STUDY

Builds what it needs, emulates each point of the STUDY (quorum, verification, policies, dispatch) with SEEDS seeds, in
parallel on all processors, and writes FOLDER/STUDY.csv, FOLDER/STUDY_differences.csv (the differences of each variant
from its baseline, seed by seed) and, with gnuplot, the pictures as SVG, PNG and PDF. FOLDER is
build/study/grid.

  --draw     takes the CSV files of FOLDER as they are, without emulating again
  --manual   puts figures, SVGs and tables into the manual: doc/grid_study.md
END
}

root=$(cd "$(dirname "$0")/../../.." && pwd) || exit 1
here=$root/examples/study/grid
folder=$root/build/study/grid
draw=no
manual=no
options=
study=
while [ $# -gt 0 ]; do
    case $1 in
    -h | --help) usage; exit 0 ;;
    --draw) draw=yes; shift ;;
    --manual) manual=yes; shift ;;
    -o | -j | -s)
        [ $# -ge 2 ] || { usage >&2; exit 2; }
        case $1 in
        -o) folder=$2 ;;
        *) options="$options $1 $2" ;;
        esac
        shift 2
        ;;
    *)
        if [ ! -f "$here/$1.gp" ] || [ -n "$study" ]; then
            usage >&2
            exit 2
        fi
        study=$1
        shift
        ;;
    esac
done
[ -n "$study" ] || { usage >&2; exit 2; }

# The interpreter that sees the distribution's packages, which another one first in PATH may not.
python=/usr/bin/python3
[ -x "$python" ] || python=python3

mkdir -p "$folder" || exit 1
if [ "$draw" = no ]; then
    # GRID_STUDY may name a program that is built already.
    if [ -z "${GRID_STUDY:-}" ]; then
        build=$root/build/examples-study
        [ -f "$build/build.ninja" ] ||
            meson setup "$build" "$root" -Dpython=disabled -Dlua=disabled -Djs=disabled -Drust=disabled \
                -Dtests=disabled -Dexamples=enabled || exit 1
        meson compile -C "$build" examples/grid_study:executable || exit 1
        GRID_STUDY=$build/examples/grid_study
    fi
    # shellcheck disable=SC2086
    "$GRID_STUDY" $options -d "$folder/${study}_differences.csv" "$study" >"$folder/$study.csv" || exit 1
fi
echo "figures: $folder/$study.csv, $folder/${study}_differences.csv"

# pictures FORMAT: all of the study
pictures() {
    mkdir -p "$folder/$study" &&
        gnuplot -e "results='$folder/$study.csv'; differences='$folder/${study}_differences.csv'" \
            -e "folder='$folder/$study'; format='$1'" "$here/../style.gp" "$here/$study.gp"
}

if command -v gnuplot >/dev/null; then
    pictures svg && pictures png && pictures pdf || exit 1
    # As precise as a screen shows.
    "$python" "$here/../slim_svg.py" "$folder/$study"/*.svg || exit 1
    echo "pictures: $folder/$study/*.svg, *.png, *.pdf"
else
    echo "gnuplot is not installed: no pictures"
fi

if [ "$manual" = yes ]; then
    pages=$root/doc/study/grid
    mkdir -p "$pages" &&
        cp "$folder/$study.csv" "$folder/${study}_differences.csv" "$folder/$study"/*.svg "$pages/" &&
        "$python" "$here/tables.py" "$pages" --into "$root/doc/grid_study.md" || exit 1
    echo "manual: $root/doc/grid_study.md"
fi
