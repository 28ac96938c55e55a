#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The library on other processors, under emulation: each unit test runs there, and the fingerprint of all decisions must
# be that of this machine.
#
#     run.sh BUILD_DIRECTORY
#
# The last line is "N passed, N failed".

set -u

root=$(cd "$(dirname "$0")/../.." && pwd) || exit 2
build=$1
passed=0
failed=0

# name, compiler, emulator, options: 32 bits; another 64-bit processor, which has fused multiply-add; big-endian
TARGETS="i686:i686-linux-gnu-gcc:qemu-i386:-msse2 -mfpmath=sse
aarch64:aarch64-linux-gnu-gcc:qemu-aarch64:
s390x:s390x-linux-gnu-gcc:qemu-s390x:"

# Emulated processors are slow: one random case in this many.
export VCS_ONE_CASE_IN="${VCS_ONE_CASE_IN:-50}"

OPTIONS="-std=c11 -O2 -ffp-contract=off -static -I$root/include -I$root/lib -I$root/tests -I$root/tests/foreign"

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
    echo "$root"/lib/*/*.c "$root"/tests/support/*.c \
        "$root"/tests/foreign/cmocka.c
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
    "$emulator" "$build/$name/$program" >"$build/$name/$program.txt" 2>&1
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

run_fingerprint() {
    if compile_program "$root/tests/hygiene/fingerprint.c" &&
        "$emulator" "$build/$name/fingerprint" >"$build/$name/fingerprint.txt" &&
        diff "$build/native/fingerprint.txt" "$build/$name/fingerprint.txt"; then
        one passed fingerprint
    else
        one failed fingerprint
    fi
}

rm -rf "$build"
mkdir -p "$build"
name=native compiler=gcc extra=
if ! compile_objects || ! compile_program "$root/tests/hygiene/fingerprint.c" ||
    ! "$build/native/fingerprint" >"$build/native/fingerprint.txt"; then
    echo "0 passed, 1 failed"
    exit 1
fi

while IFS=: read -r name compiler emulator extra; do
    if ! compile_objects; then
        one failed compilation
        continue
    fi
    run_fingerprint
    for source in "$root"/tests/*/test_*.c; do
        run_unit_test "$source"
    done
done <<END
$TARGETS
END

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
