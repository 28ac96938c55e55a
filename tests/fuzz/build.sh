#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Builds the fuzz targets, each as one program.
#
#     CC=clang CFLAGS="-g -O1 -fsanitize=address,undefined,fuzzer-no-link" LIB_FUZZING_ENGINE=-fsanitize=fuzzer \
#         OUT=DIRECTORY sh build.sh [TARGET...]
#
# These are the variables of OSS-Fuzz. Without LIB_FUZZING_ENGINE the targets are plain programs (standalone.c), which
# any compiler can make. WORK is where objects go, JOBS how many compilers run at once.

set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
: "${CC:=cc}" "${CFLAGS:=-g -O2}" "${LIB_FUZZING_ENGINE:=}" "${OUT:?}" "${WORK:=$OUT/objects}" "${JOBS:=2}"

includes="-I$root/include -I$root/lib -I$root/tests -I$root/tests/foreign -I$root/tests/fuzz"
includes="$includes -I$root/examples/vcemu"
options="-std=c11 -D_GNU_SOURCE -ffp-contract=off -Wall -Wextra $includes"

# The library and the emulator, the oracles, and what reads the files of vcemu.
TOOL="fault ini number policy prepare progress scenario state_app state_emulation state_file state_grammar state_host
    state_jobs state_list state_project state_reader state_task state_value switch text utf8 wording"
sources() {
    ls "$root"/lib/*/*.c "$root"/tests/oracle/oracle_*.c "$root/tests/oracle/cases.c" "$root"/tests/support/*.c \
        "$root/tests/fuzz/fuzz.c" "$root/tests/fuzz/host.c"
    [ -n "$LIB_FUZZING_ENGINE" ] || ls "$root/tests/fuzz/standalone.c"
    for name in $TOOL; do
        ls "$root/examples/vcemu/$name.c"
    done
}

targets=$*
if [ -z "$targets" ]; then
    targets=$(cd "$root/tests/fuzz" && for source in fuzz_*.c; do echo "${source%.c}"; done)
fi

mkdir -p "$OUT" "$WORK"
rm -f "$WORK/all.a"
{
    sources
    for target in $targets; do
        ls "$root/tests/fuzz/$target.c"
    done
} >"$WORK/sources"

# Each object is named after the whole path of its source.
export CC CFLAGS WORK root options
# shellcheck disable=SC2016
xargs -P "$JOBS" -n 1 sh -c '
    object=$WORK/$(echo "${1#"$root"/}" | tr / _)
    $CC $options $CFLAGS -c "$1" -o "${object%.c}.o"' compile <"$WORK/sources"

for source in $(sources); do
    object=$WORK/$(echo "${source#"$root"/}" | tr / _)
    echo "${object%.c}.o"
done | xargs ar rc "$WORK/all.a"
for target in $targets; do
    # shellcheck disable=SC2086
    ${CXX:-$CC} $CFLAGS "$WORK/tests_fuzz_$target.o" $LIB_FUZZING_ENGINE "$WORK/all.a" -lm -o "$OUT/$target"
done
