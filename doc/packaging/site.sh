#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Makes the site of a commit as a zip: the manual, and the playground, in one folder that needs no server.
#
#     sh doc/packaging/site.sh FOLDER [COMMIT]
#
# Needs python3-sphinx, python3-myst-parser and esbuild, and what js.sh needs but npm.

set -eu

# shellcheck source=doc/packaging/source.sh
. "$(dirname "$0")/source.sh"

meson setup -Dsite=enabled -Dexamples=enabled -Djs=enabled -Dtests=disabled -Dman=disabled -Dpython=disabled \
    -Dlua=disabled -Drust=disabled build "$source"
ninja -C build doc/site/html
made=vcsched-$version-site
mv build/doc/site/html "$made"
# By which Sphinx would make the same pages again: it names the folder of the build.
rm "$made/.buildinfo"
# Without esbuild there is no playground, which is half of it.
[ -f "$made/playground.html" ]
"$python" "$here/zip.py" "$folder/$made.zip" "$made"
ls "$folder"
