# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2034,SC2154
#
# For the scripts that make something for Windows, by `.` after source.sh: compiles the static libraries and vcemu.exe
# in $scratch/mingw. Needs gcc-mingw-w64-x86-64.

windows=$source/doc/packaging/windows
compiler=x86_64-w64-mingw32-gcc
# Formats are those of C11 and not of the old C library, and no path of this machine is in the program.
options="-D__USE_MINGW_ANSI_STDIO=1 -isystem $windows -ffile-prefix-map=$scratch=."
posix=$scratch/posix.o
linking="-static -s -Wl,--no-insert-timestamp"
# shellcheck disable=SC2086
"$compiler" -std=c11 -O2 -Wall -Wextra $options -c "$windows/posix.c" -o "$posix"
meson setup --cross-file "$windows/cross.ini" --buildtype=release -Ddefault_library=static \
    -Dtests=disabled -Dexamples=enabled -Dman=disabled -Dpython=disabled -Dlua=disabled -Djs=disabled -Drust=disabled \
    -Dc_args="$options -Wno-conversion -Wno-format" -Dc_link_args="$linking $posix" "$scratch/mingw" "$source"
ninja -C "$scratch/mingw" lib/libvcsched.a lib/libvcemu.a examples/vcemu.exe
