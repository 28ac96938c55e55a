#!/bin/sh
# SPDX-License-Identifier: MIT
#
# No compiler option changes a decision unnoticed: the sources refuse it, or the self-test finds it, or it is harmless,
# so that the fingerprint of all decisions is the same.
#
#     flags.sh SOURCE_ROOT COMPILER

set -eu

root=$1
compiler=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$root"
# All of both libraries but what reads files and makes sweeps.
sources=$(find lib -name '*.c' ! -path 'lib/vcemu/scenario/*' ! -path 'lib/vcemu/sweep/*')
self_tested=$(find lib/vcsched/core lib/vcsched/interface -name '*.c')
others=$(echo "$sources" | grep -v -e '^lib/vcsched/core/' -e '^lib/vcsched/interface/')

# What asks the questions is compiled as usual.
for source in tests/support/random_state.c tests/assurance/hygiene/fingerprint*.c \
    tests/assurance/hygiene/self_test.c; do
    "$compiler" -std=c11 -ffp-contract=off -Iinclude -Ilib -Itests -c "$source" \
        -o "$scratch/$(basename "$source" .c).o"
done

# Each file that computes with doubles refuses what may be refused.
for source in $sources; do
    if grep -qw double "$source" && "$compiler" -ffast-math -Iinclude -Ilib -E "$source" >/dev/null 2>&1; then
        echo "$source does not refuse -ffast-math"
        exit 1
    fi
done

# compile FOLDER OPTIONS SOURCE...: an object of each, named after its whole path.
# shellcheck disable=SC2086
compile() {
    folder=$1
    options=$2
    shift 2
    for source; do
        "$compiler" -w -O2 $options -Iinclude -Ilib -c "$source" \
            -o "$scratch/$folder/$(echo "${source%.c}" | tr / _).o" || return
    done
}

# What becomes of a library that is compiled with these options.
# shellcheck disable=SC2086
outcome() {
    rm -rf "$scratch/library"
    mkdir "$scratch/library"
    if ! compile library "$1" $self_tested 2>"$scratch/messages"; then
        if grep -q '^lib/vcsched/core/number.h.*error.*libvcsched' "$scratch/messages"; then
            echo refused
        elif grep -Eq 'unrecognized|unknown argument|not supported' "$scratch/messages"; then
            echo "not an option"
        else
            cat "$scratch/messages"
        fi
    elif ! "$compiler" $1 "$scratch"/library/*.o "$scratch/self_test.o" -o "$scratch/self_test"; then
        echo "does not link"
    elif ! "$scratch/self_test" >"$scratch/said"; then
        echo "found: $(cat "$scratch/said")"
    elif compile library "$1" $others &&
        "$compiler" $1 "$scratch"/library/*.o "$scratch/random_state.o" "$scratch"/fingerprint*.o \
            -o "$scratch/fingerprint" &&
        "$scratch/fingerprint" | cmp -s tests/assurance/hygiene/decisions.txt -; then
        echo harmless
    else
        echo "other decisions, unnoticed"
    fi
}

# What each compiler must do, or "noticed" where versions differ; then the options. What is harmless is tried at once,
# since each trial compiles everything.
status=0
while read -r expected options; do
    became=$(outcome "$options")
    echo "$(basename "$compiler") $options: $became"
    case $expected:$became in
    *:"not an option" | refused:refused | found:found* | harmless:harmless) ;;
    noticed:refused | noticed:found* | noticed:harmless) ;;
    *)
        echo "expected: $expected"
        status=1
        ;;
    esac
done <<END
refused -ffast-math
refused -Ofast
refused -ffinite-math-only
$(if "$compiler" --version | grep -q clang; then
    echo found -fno-signed-zeros
    echo found -fno-honor-nans
    echo found -fno-honor-infinities
    echo found -funsafe-math-optimizations
    echo found -fassociative-math -fno-signed-zeros -fno-trapping-math
    echo noticed -freciprocal-math
    echo noticed -ffp-contract=fast -march=native
    echo harmless -O3 -fassociative-math -ffp-contract=on -march=native
else
    echo refused -funsafe-math-optimizations
    echo refused -fassociative-math -fno-signed-zeros -fno-trapping-math
    echo refused -freciprocal-math
    echo refused -fno-signed-zeros
    echo found -fsingle-precision-constant
    echo harmless -ffp-contract=fast -march=native
    echo harmless -frounding-math -fno-trapping-math -fassociative-math
fi)
END
exit $status
