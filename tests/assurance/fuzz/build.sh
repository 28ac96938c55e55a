#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Builds the fuzz targets, each as one program.
#
#     CC=clang CFLAGS="-g -O1 -fsanitize=address,undefined,fuzzer-no-link" LIB_FUZZING_ENGINE=-fsanitize=fuzzer \
#         OUT=DIRECTORY sh build.sh [TARGET...]
#
# These are the variables of OSS-Fuzz. Without LIB_FUZZING_ENGINE the targets are plain programs (standalone.c), which
# any compiler can make. WORK is where objects go, JOBS how many compilers run at once. LIBRARIES are archives to link
# instead of compiling lib/.

set -eu

root=$(cd "$(dirname "$0")/../../.." && pwd)
: "${CC:=cc}" "${CFLAGS:=-g -O2}" "${LIB_FUZZING_ENGINE:=}" "${LIBRARIES:=}"
: "${OUT:?}" "${WORK:=$OUT/objects}" "${JOBS:=2}"

includes="-I$root/include -I$root/lib -I$root/tests -I$root/tests/assurance/foreign -I$root/tests/assurance/fuzz"
includes="$includes -I$root/examples"
options="-std=c11 -D_GNU_SOURCE -ffp-contract=off -Wall -Wextra $includes"

# The libraries and the oracles.
sources() {
    [ -n "$LIBRARIES" ] || find "$root/lib" -name '*.c'
    ls "$root"/tests/oracle/oracle_*.c "$root/tests/oracle/cases.c" "$root"/tests/support/*.c \
        "$root/tests/assurance/fuzz/fuzz.c" "$root/tests/assurance/fuzz/host.c"
    [ -n "$LIB_FUZZING_ENGINE" ] || ls "$root/tests/assurance/fuzz/standalone.c"
}

# Of the client of examples/project what takes replies and keeps what they said; some names are those of vcemu's, too.
CLIENT="folder known_work policy_view preferences random records scheduler_reply scheduler_request signature slot
    state_file task text xml"
CLIENT_LIBRARIES="expat libcrypto"
client_sources() {
    for name in $CLIENT; do
        echo "$root/examples/project/client/$name.c"
    done
}

targets=$*
if [ -z "$targets" ]; then
    targets=$(cd "$root/tests/assurance/fuzz" && for source in fuzz_*.c; do echo "${source%.c}"; done)
fi
# shellcheck disable=SC2086
if ! pkg-config --exists $CLIENT_LIBRARIES; then
    echo "without fuzz_client, which needs $CLIENT_LIBRARIES" >&2
    targets=$(for target in $targets; do [ "$target" = fuzz_client ] || echo "$target"; done)
fi

mkdir -p "$OUT" "$WORK"
rm -f "$WORK/all.a" "$WORK/client.a"
{
    sources
    for target in $targets; do
        ls "$root/tests/assurance/fuzz/$target.c"
        [ "$target" != fuzz_client ] || client_sources
    done
} >"$WORK/sources"

# Each object is named after the whole path of its source.
export CC CFLAGS WORK root options
# shellcheck disable=SC2016
xargs -P "$JOBS" -n 1 sh -c '
    object=$WORK/$(echo "${1#"$root"/}" | tr / _)
    $CC $options $CFLAGS -c "$1" -o "${object%.c}.o"' compile <"$WORK/sources"

# archive NAME: of the objects of the sources that are read.
archive() {
    while read -r source; do
        object=$WORK/$(echo "${source#"$root"/}" | tr / _)
        echo "${object%.c}.o"
    done | xargs ar rc "$WORK/$1"
}
sources | archive all.a
for target in $targets; do
    own=
    if [ "$target" = fuzz_client ]; then
        client_sources | archive client.a
        # shellcheck disable=SC2086
        own="$WORK/client.a $(pkg-config --libs $CLIENT_LIBRARIES)"
    fi
    # shellcheck disable=SC2086
    ${CXX:-$CC} $CFLAGS "$WORK/tests_assurance_fuzz_$target.o" $LIB_FUZZING_ENGINE $own "$WORK/all.a" \
        $LIBRARIES -lm -ldl -pthread -o "$OUT/$target"
done
