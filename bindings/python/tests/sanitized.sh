#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Runs the tests of the package's compiled part with the address and undefined-behaviour sanitizers of clang.
#
#     sanitized.sh FOLDER [ARGUMENT_OF_PYTEST...]
#
# FOLDER is a build directory; it is made if it is not there. The interpreter itself knows nothing of sanitizers, so the
# runtime is loaded before it, and what the interpreter leaves behind at its end is not looked for. Tests that measure
# memory are left out: a sanitizer keeps what was released.
set -eu
tests=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$tests/../../.." && pwd)
build=$1
shift
if [ ! -f "$build/build.ninja" ]; then
    CC=clang meson setup "$build" "$root" -Dbuildtype=debug -Db_sanitize=address,undefined -Db_lundef=false \
        -Dc_args=-fno-sanitize-recover=all -Dpython=enabled -Dlua=disabled -Dexamples=disabled -Dtests=disabled
fi
meson compile -C "$build"
runtime=$(clang -print-file-name="libclang_rt.asan-$(uname -m).so")
LD_PRELOAD="$runtime" ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 PYTHONMALLOC=malloc \
    VCSCHED_BUILD=$(cd "$build" && pwd) PYTHONDONTWRITEBYTECODE=1 \
    /usr/bin/python3 -m pytest -q -p no:cacheprovider -k "not flat and not thousand and not lock" \
    "$tests/test_records.py" "$tests/test_emulation.py" "$tests/test_sweep.py" "$tests/test_robustness.py" "$@"
