#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The library on other processors, under emulation: each unit test runs there. And the fingerprint of all decisions must
# be the same there, on other systems, from other compilers, and at every level of optimisation.
#
#     run.sh BUILD_DIRECTORY [fingerprints]
#
# Each target, compiler and interpreter is a job, and as many run at a time as there are processors. What a job says is
# in BUILD_DIRECTORY/NAME.txt. The last line is "N passed, N failed".

set -u

root=$(cd "$(dirname "$0")/../../.." && pwd) || exit 2
# All of both libraries but what reads files and makes sweeps.
lib_sources=$(find "$root/lib" -name '*.c' ! -path "$root/lib/vcemu/scenario/*" ! -path "$root/lib/vcemu/sweep/*")
build=$1
passed=0
failed=0

# name, compiler, emulator, options: big-endian; another 64-bit processor, which like that has fused multiply-add; 32
# bits. The longest first.
TARGETS="s390x:s390x-linux-gnu-gcc:qemu-s390x:
aarch64:aarch64-linux-gnu-gcc:qemu-aarch64:
i686:i686-linux-gnu-gcc:qemu-i386:-msse2 -mfpmath=sse"

# The same, where the fingerprint alone is taken. Compilers that contract unless they are told not to are not told here.
VARIANTS="gcc_O0:gcc::-O0
gcc_O1:gcc::-O1
gcc_O2:gcc::-O2
gcc_O3:gcc::-O3 -march=native
gcc_lto:gcc::-O2 -flto -w
clang_O0:clang::-O0
clang_O1:clang::-O1
clang_O2:clang::-O2
clang_O3:clang::-O3 -march=native
clang_lto:clang::-O2 -flto -fuse-ld=lld
clang19_O2:clang-19::-O2
musl:musl-gcc::-O2 -static
armhf:arm-linux-gnueabihf-gcc:qemu-arm:-O2 -static -mfpu=vfpv4
riscv64:riscv64-linux-gnu-gcc:qemu-riscv64:-O2 -static
wasm32:clang:node --no-warnings $root/tests/assurance/foreign/wasi.mjs:-O2 --target=wasm32-wasi
mingw64:x86_64-w64-mingw32-gcc:wine:-O2 -static"

# The Python package, under other interpreters than this system's: name, script, what that takes before a folder.
PYTHONS="pypy:pypy.sh:
python3.9:debian_python.sh:bullseye
python3.13:debian_python.sh:trixie"

# Emulated processors are slow: one random case in this many.
export VCS_ONE_CASE_IN="${VCS_ONE_CASE_IN:-50}"

OPTIONS="-std=c11 -O2 -ffp-contract=off -static -I$root/include -I$root/lib -I$root/tests"
OPTIONS="$OPTIONS -I$root/tests/assurance/foreign"

# Most oracles add up in 128 bits, which compilers for 32-bit processors do not have.
NARROW_ORACLES="oracle_dispatch oracle_transition"

has_wide_integers() {
    echo 'unsigned __int128 wide;' | "$compiler" -x c -fsyntax-only - 2>/dev/null
}

# Whether a test uses an oracle that needs them.
needs_wide_integers() {
    for oracle in $(sed -n 's|^#include "oracle/\(.*\)\.h"$|\1|p' "$1"); do
        case " $NARROW_ORACLES " in
        *" $oracle "*) ;;
        *) return 0 ;;
        esac
    done
    return 1
}

sources() {
    echo $lib_sources "$root"/tests/support/*.c \
        "$root"/tests/assurance/foreign/cmocka.c
    if has_wide_integers; then
        echo "$root"/tests/oracle/*.c
    else
        for oracle in $NARROW_ORACLES; do
            echo "$root/tests/oracle/$oracle.c"
        done
    fi
}

# What programs consist of, compiled once for each target. Objects are named after the whole path of their source.
# shellcheck disable=SC2086
compile_objects() {
    mkdir -p "$build/$name/objects" || return
    for source in $(sources); do
        object=$(echo "${source#"$root"/}" | tr / _)
        "$compiler" $OPTIONS $extra -c "$source" -o "$build/$name/objects/${object%.c}.o" || return
    done
    "${compiler%gcc}ar" rc "$build/$name/objects.a" "$build/$name"/objects/*.o
}

# shellcheck disable=SC2086
compile_program() {
    "$compiler" $OPTIONS $extra "$1" "$build/$name/objects.a" -lm -o "$build/$name/$(basename "$1" .c)"
}

one() {
    if [ "$1" = passed ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
    fi
    echo "$name: $2: $1"
}

run_unit_test() {
    program=$(basename "$1" .c)
    if needs_wide_integers "$1" && ! has_wide_integers; then
        echo "$name: $program: skipped"
        return
    fi
    if ! compile_program "$1"; then
        one failed "$program"
        return
    fi
    # shellcheck disable=SC2086
    $emulator "$build/$name/$program" >"$build/$name/$program.txt" 2>&1
    status=$?
    last=$(tail -n 1 "$build/$name/$program.txt")
    ok=$(echo "$last" | sed -n 's/^\([0-9]*\) passed, [0-9]* failed$/\1/p')
    bad=$(echo "$last" | sed -n 's/^[0-9]* passed, \([0-9]*\) failed$/\1/p')
    if [ -z "$ok" ] || { [ "$status" -ne 0 ] && [ "$bad" -eq 0 ]; }; then
        ok=0 bad=1
    fi
    [ "$bad" -eq 0 ] || cat "$build/$name/$program.txt"
    echo "$name: $program: $ok passed, $bad failed"
    passed=$((passed + ok))
    failed=$((failed + bad))
}

# Compiles the fingerprint without the objects of the tests, in one command.
# shellcheck disable=SC2086
take_fingerprint() {
    program=fingerprint
    case $compiler in *mingw*) program=fingerprint.exe ;; esac # which Wine asks for by this name
    mkdir -p "$build/$name" || return
    "$compiler" $extra -I"$root/include" -I"$root/lib" -I"$root/tests" $lib_sources \
        "$root"/tests/assurance/hygiene/fingerprint*.c "$root/tests/support/random_state.c" \
        -o "$build/$name/$program" &&
        $emulator "$build/$name/$program" | tr -d '\r' >"$build/$name/fingerprint.txt"
}

compare_fingerprint() {
    if take_fingerprint && diff "$build/native/fingerprint.txt" "$build/$name/fingerprint.txt"; then
        one passed fingerprint
    else
        one failed fingerprint
    fi
}

# PCs run programs of 32 bits themselves, where the system lets them: that is quicker, and arithmetic that is no
# emulation's.
prefer_no_emulator() {
    echo 'int main(void) { return 0; }' | "$compiler" -static -x c - -o "$build/$name/tried" &&
        "$build/$name/tried" 2>/dev/null && emulator=
}

run_target() {
    mkdir -p "$build/$name" || return
    [ "$name" != i686 ] || prefer_no_emulator
    own=$extra
    extra="-O2 -static $own"
    compare_fingerprint
    extra=$own
    if ! compile_objects; then
        one failed compilation
        return
    fi
    # Those of the rooms that lib_sources has.
    for source in "$root"/tests/oracle/test_*.c "$root"/tests/vcsched/*/test_*.c \
        "$root"/tests/vcemu/host/test_*.c "$root"/tests/vcemu/grid/test_*.c; do
        run_unit_test "$source"
    done
}

# shellcheck disable=SC2086
run_python() {
    mkdir -p "$build/$name" || return
    sh "$root/tests/assurance/foreign/$script" $argument "$build/$name" >"$build/$name/output.txt" 2>&1
    status=$?
    last=$(tail -n 1 "$build/$name/output.txt")
    ok=$(echo "$last" | sed -n 's/^.*\b\([0-9][0-9]*\) passed.*$/\1/p')
    bad=$(echo "$last" | sed -n 's/^.*\b\([0-9][0-9]*\) failed.*$/\1/p')
    if [ -z "$ok" ] || { [ "$status" -ne 0 ] && [ -z "$bad" ]; }; then
        ok=0 bad=1
    fi
    [ "${bad:-0}" -eq 0 ] || cat "$build/$name/output.txt"
    echo "$name: $last"
    passed=$ok
    failed=${bad:-0}
}

# run_job NAME: what stands in its line; counts go to the last line of its report.
run_job() {
    line=$(printf '%s\n' "$PYTHONS" | grep "^$1:")
    if [ -n "$line" ]; then
        IFS=: read -r name script argument <<END
$line
END
        run_python
    else
        line=$(printf '%s\n' "$TARGETS" "$VARIANTS" | grep "^$1:")
        IFS=: read -r name compiler emulator extra <<END
$line
END
        case $TARGETS in
        *"$line"*) run_target ;;
        *) compare_fingerprint ;;
        esac
    fi
    echo "$passed passed, $failed failed"
}

# The folder of a user's settings is none of Wine's business.
export WINEPREFIX="$build/wine" WINEDEBUG=-all

if [ "${2-}" = job ]; then
    run_job "$3" >"$build/$3.txt" 2>&1 </dev/null
    # All at once, so that no other job gets in between.
    cat "$build/$3.txt"
    exit 0
fi

jobs=$(printf '%s\n' "$TARGETS" "$PYTHONS" "$VARIANTS" | cut -d : -f 1)
[ "${2-}" != fingerprints ] || jobs=$(printf '%s\n' "$VARIANTS" | cut -d : -f 1)

rm -rf "$build"
mkdir -p "$build" && build=$(cd "$build" && pwd) || exit 2
name=native compiler=gcc emulator='' extra='-std=c11 -O2 -ffp-contract=off'
if ! take_fingerprint || ! [ -s "$build/native/fingerprint.txt" ]; then
    echo "0 passed, 1 failed"
    exit 1
fi
printf '%s\n' "$jobs" | xargs -P "$(nproc)" -I NAME sh "$0" "$build" job NAME

for job in $jobs; do
    counts=$(sed -n '$s/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$build/$job.txt")
    # shellcheck disable=SC2086
    set -- ${counts:-0 1}
    passed=$((passed + $1))
    failed=$((failed + $2))
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
