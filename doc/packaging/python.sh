#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Makes the package for Python of a commit: the source distribution, and from it the wheels for Linux and for Windows,
# with the tool in them, for each Python since 3.9.
#
#     sh doc/packaging/python.sh FOLDER [COMMIT]
#
# Needs gcc, binutils, patchelf, gcc-mingw-w64-x86-64, and of Python its headers, build, cffi and meson-python.

set -eu

# shellcheck source=doc/packaging/source.sh
. "$(dirname "$0")/source.sh"

"$python" -m build --no-isolation --outdir made "$source/bindings/python"
"$python" "$here/wheel.py" made/*-linux_*.whl "$folder"
mv made/*.tar.gz "$folder"

# For Windows the compiled part is made of the same source. Python's headers are those of this system, but for its
# configuration; its library is the list of the functions that are called.
# shellcheck source=doc/packaging/mingw.sh
. "$here/mingw.sh"
mkdir headers
for header in "$("$python" -c 'import sysconfig; print(sysconfig.get_path("include"))')"/*; do
    ln -s "$header" headers
done
rm headers/pyconfig.h
binding=$source/bindings/python
"$python" "$binding/generate/binding.py" "$source/include" "$binding/event_list.h" vcsched._binding binding.d binding.c
for file in binding.c "$binding/event_list.c"; do
    # shellcheck disable=SC2086
    "$compiler" -std=c11 -O2 -ffp-contract=off $options -I"$windows" -Iheaders -I"$source/include" -I"$binding" \
        -c "$file"
done
{
    printf 'LIBRARY python3.dll\nEXPORTS\n'
    x86_64-w64-mingw32-nm binding.o | sed -n 's/^ *U __imp_\(_*Py\)/\1/p' | sed '/^_Py_NoneStruct/s/$/ DATA/'
} >python3.def
x86_64-w64-mingw32-dlltool --input-def python3.def --output-lib libpython3.a
# shellcheck disable=SC2086
"$compiler" -shared $linking -o _binding.pyd binding.o event_list.o mingw/lib/libvcemu.a mingw/lib/libvcsched.a \
    "$posix" libpython3.a
"$python" "$here/wheel.py" made/*-linux_*.whl "$folder" _binding.pyd mingw/examples/vcemu.exe
ls "$folder"
