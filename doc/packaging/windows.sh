#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Makes the zip of the tool for Windows, vcsched-VERSION-windows.zip, and its checksum.
#
#     sh doc/packaging/windows.sh FOLDER [COMMIT]
#
# COMMIT is HEAD unless given. Needs gcc-mingw-w64-x86-64. vcemu.exe needs no other file.

set -eu

[ $# -ge 1 ] || { sed -n 's/^#     //p' "$0" >&2; exit 2; }
mkdir -p "$1"
folder=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
umask 022

sh "$here/release.sh" --rehearsal "$scratch" "${2-HEAD}"
cd "$scratch"
tar -x -z -f vcsched-*.tar.gz
rm vcsched-*.tar.gz*
name=$(echo vcsched-*)
source=$scratch/$name
windows=$source/doc/packaging/windows

# Formats are those of C11 and not of the old C library, and no path of this machine is in the program.
options="-D__USE_MINGW_ANSI_STDIO=1 -isystem $windows -ffile-prefix-map=$scratch=."
# shellcheck disable=SC2086
x86_64-w64-mingw32-gcc -std=c11 -O2 -Wall -Wextra $options -c "$windows/posix.c" -o posix.o
meson setup --cross-file "$windows/cross.ini" --buildtype=release -Ddefault_library=static \
    -Dtests=disabled -Dexamples=enabled -Dman=disabled -Dpython=disabled -Dlua=disabled -Djs=disabled -Drust=disabled \
    -Dc_args="$options -Wno-conversion -Wno-format" \
    -Dc_link_args="-static -s -Wl,--no-insert-timestamp $scratch/posix.o" \
    build "$source"
ninja -C build examples/vcemu.exe

made=$name-windows
mkdir "$made" "$made/doc"
cp build/examples/vcemu.exe "$source/LICENSE" "$source/CHANGELOG.md" "$made"
cp "$source/doc/vcemu.md" "$source/doc/state_format.md" "$source/doc/grid.md" "$source/doc/glossary.md" "$made/doc"
cp -R "$source/examples/scenarios" "$made/scenarios"
# In order, and with the time of the commit.
python3 - "$made" "$source/LICENSE" <<'END'
import pathlib, sys, time, zipfile
folder, source = map(pathlib.Path, sys.argv[1:])
when = time.gmtime(source.stat().st_mtime)[:6]
with zipfile.ZipFile(f'{folder}.zip', 'w', zipfile.ZIP_DEFLATED, compresslevel=9) as made:
    for path in sorted(path for path in folder.rglob('*') if path.is_file()):
        made.writestr(zipfile.ZipInfo(str(path), when), path.read_bytes(), zipfile.ZIP_DEFLATED)
END
mv "$made.zip" "$folder"
cd "$folder"
sha256sum "$made.zip" >"$made.zip.sha256"
cat "$made.zip.sha256"
