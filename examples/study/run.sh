#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The six figures of the study and the comparisons of the profiles: runs them, draws them, makes tables of them.

set -u

usage() {
    cat <<END
usage: sh examples/study/run.sh [-j WORKERS] [-s SEEDS] [-o FOLDER] [--manual]

Builds what it needs, emulates with so many seeds for each point (20), as many at once as there are processors, and
writes FOLDER/study.csv and FOLDER/tables.md; with gnuplot also the pictures, as SVG and PNG. FOLDER is build/study.

  --manual   puts the figures, SVGs and tables into the manual: doc/study.md
END
}

root=$(cd "$(dirname "$0")/../.." && pwd) || exit 1
here=$root/examples/study
folder=$root/build/study
manual=no
options=
while [ $# -gt 0 ]; do
    case $1 in
    -h | --help) usage; exit 0 ;;
    --manual) manual=yes; shift ;;
    -o | -j | -s)
        [ $# -ge 2 ] || { usage >&2; exit 2; }
        if [ "$1" = -o ]; then folder=$2; else options="$options $1 $2"; fi
        shift 2
        ;;
    *) usage >&2; exit 2 ;;
    esac
done

# The interpreter that sees the distribution's packages, which another one first in PATH may not.
python=/usr/bin/python3
[ -x "$python" ] || python=python3

# STUDY may name a program that is built already.
if [ -z "${STUDY:-}" ]; then
    build=$root/build/examples-study
    [ -f "$build/build.ninja" ] ||
        meson setup "$build" "$root" -Dpython=disabled -Dlua=disabled -Dtests=disabled -Dexamples=enabled || exit 1
    meson compile -C "$build" study || exit 1
    STUDY=$build/examples/study
fi

mkdir -p "$folder" || exit 1
# shellcheck disable=SC2086
"$STUDY" $options >"$folder/study.csv" || exit 1
"$python" "$here/tables.py" "$folder/study.csv" >"$folder/tables.md" || exit 1
echo "figures: $folder/study.csv, $folder/tables.md"

# draw FOLDER FORMAT: all pictures
draw() {
    (cd "$folder" &&
        gnuplot -e "results='study.csv'; golden='$here/golden.csv'; folder='$1'; format='$2'" "$here/figures.gp")
}

if command -v gnuplot >/dev/null; then
    draw . svg && draw . png || exit 1
    # Tabs and blanks at the end of lines have no meaning there.
    sed -i 's/\t/ /g; s/ *$//' "$folder"/*.svg
    echo "pictures: $folder/*.svg, $folder/*.png"
else
    echo "gnuplot is not installed: no pictures"
fi

if [ "$manual" = yes ]; then
    mkdir -p "$root/doc/study" && cp "$folder"/study.csv "$folder"/*.svg "$root/doc/study/" &&
        "$python" "$here/tables.py" "$folder/study.csv" --into "$root/doc/study.md" || exit 1
    echo "manual: $root/doc/study.md"
fi
