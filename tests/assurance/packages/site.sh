#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The site of the zip, unpacked and opened from disk: its tests and those of the playground, with the tool of this
# system beside it.
#
#     site.sh MADE FOLDER BUILD

set -eu

root=$(cd "$(dirname "$0")/../../.." && pwd)
made=$(cd "$1" && pwd)
build=$(cd "$3" && pwd)
rm -rf "$2"
mkdir -p "$2/build/doc/site"
folder=$(cd "$2" && pwd)

cd "$folder"
python3 -m zipfile -e "$made/site/"*.zip .
mv vcsched-*-site build/doc/site/html
ln -s "$build/examples" build/examples
python=/usr/bin/python3
[ -x "$python" ] || python=python3
export SITE_BUILD="$folder/build" PLAYGROUND="$folder/build/doc/site/html/playground.html"
export VCEMU="$build/examples/vcemu" STUDY="$build/examples/study" PYTHONDONTWRITEBYTECODE=1
# What Sphinx said is not in the zip.
"$python" -m pytest -q -p no:cacheprovider "$root/tests/site" -k 'not nothing_to_warn_of'
"$python" -m pytest -q -p no:cacheprovider "$root/tests/playground"
