#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Makes the zip of the tool for Windows, vcsched-VERSION-windows.zip.
#
#     sh doc/packaging/windows.sh FOLDER [COMMIT]
#
# Needs gcc-mingw-w64-x86-64. vcemu.exe needs no other file.

set -eu

# shellcheck source=doc/packaging/source.sh
. "$(dirname "$0")/source.sh"
# shellcheck source=doc/packaging/mingw.sh
. "$here/mingw.sh"

made=vcsched-$version-windows
mkdir "$made" "$made/doc"
cp mingw/examples/vcemu.exe "$source/LICENSE" "$source/CHANGELOG.md" "$made"
cp "$source/doc/vcemu.md" "$source/doc/state_format.md" "$source/doc/grid.md" "$source/doc/glossary.md" "$made/doc"
cp -R "$source/examples/scenarios" "$made/scenarios"
"$python" "$here/zip.py" "$folder/$made.zip" "$made"
ls "$folder"
