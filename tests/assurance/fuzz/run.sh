#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Fuzzing: builds the targets as OSS-Fuzz does, replays what was found before, and goes on from there.
#
#     run.sh BUILD_DIRECTORY SEED              as many new inputs as inputs_of() says, the same for the same SEED
#     run.sh BUILD_DIRECTORY SEED SECONDS      as many as that time allows, on all processors; what is found is kept
#                                              and the next run goes on from there
#
# PACKAGE is a folder with the Python package, LUA_CPATH where the Lua module is, VCEMU the tool; what is not named is
# left out. LIBRARIES are the static libraries as gcc made them, if they are there already. The last line is
# "N passed, N failed".
#
# What fails leaves an input in BUILD_DIRECTORY/found: BUILD_DIRECTORY/out/TARGET INPUT shows it again, and with
# FUZZ_VERBOSE=1 in the environment BUILD_DIRECTORY/plain/TARGET INPUT says what it changes. The importer and the
# bindings print the seed that shows it again.

set -u

root=$(cd "$(dirname "$0")/../../.." && pwd) || exit 2
mkdir -p "$1" && build=$(cd "$1" && pwd) || exit 2
seed=$2
seconds=${3:-}
processors=$(nproc)
passed=0
failed=0

if [ -x /usr/bin/python3 ]; then
    python=/usr/bin/python3
else
    python=python3
fi

# New inputs for each target, as many as take some seconds; of the bindings, batches of a thousand calls.
inputs_of() {
    case $1 in
    fuzz_emulate | fuzz_grid) echo 300 ;;
    fuzz_client) echo 1500 ;;
    fuzz_environment | fuzz_fetch | fuzz_renew | fuzz_schedule | fuzz_simulation) echo 3000 ;;
    fuzz_*) echo 15000 ;;
    importer) echo 300 ;;
    python_calls) echo 30 ;;
    lua_calls) echo 1000 ;;
    esac
}

# What is found without a limit of time must not change what is tried next time.
if [ -n "$seconds" ]; then
    corpus=$build/corpus
else
    corpus=$build/seeds
    rm -rf "$corpus"
fi

export ASAN_OPTIONS=detect_stack_use_after_return=0 UBSAN_OPTIONS=print_stacktrace=1

count() {
    if [ "$1" -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$2: failed"
    fi
}

# As OSS-Fuzz builds them; and as plain programs, without any of this, by another compiler.
build_all() {
    rm -rf "$build/out" "$build/plain"
    mkdir -p "$build/out" "$build/plain" "$corpus" "$build/found" "$build/logs"
    (cd "$root" && LIBRARIES='' CC=clang \
        CFLAGS="-O1 -gline-tables-only -Werror -DVCS_CHECKED -fsanitize=address,undefined,fuzzer-no-link \
-fno-sanitize-recover=all" \
        LIB_FUZZING_ENGINE=-fsanitize=fuzzer OUT=$build/out WORK=$build/work JOBS=$processors \
        sh -eu tests/assurance/fuzz/oss-fuzz/build.sh) &&
        CC=gcc CFLAGS='-O2 -Werror' OUT=$build/plain JOBS=$processors sh "$root/tests/assurance/fuzz/build.sh"
}

# Those that could be built here.
targets() {
    for program in "$build"/plain/fuzz_*; do
        basename "$program"
    done
}

# How long a job goes on: an option of libFuzzer, which counts what was found before as well, or a LIMIT of the others.
limit_of() {
    case $1 in
    fuzz_*)
        if [ -n "$seconds" ]; then
            echo "-max_total_time=$share"
        else
            echo "-runs=$(($(find "$corpus/$1" -type f | wc -l) + $(inputs_of "$1")))"
        fi
        ;;
    *)
        if [ -n "$seconds" ]; then
            echo "${share}s"
        else
            inputs_of "$1"
        fi
        ;;
    esac
}

# Prints a line for each job: its name, and a command.
jobs() {
    share=$((${seconds:-0} * processors / ($(targets | wc -l) + 3)))
    [ "$share" -gt 0 ] || share=1
    for target in $(targets); do
        words=$root/tests/assurance/fuzz/$target.dict
        [ -f "$words" ] && words="-dict=$words" || words=
        mkdir -p "$corpus/$target"
        length=96
        case $target in fuzz_client | fuzz_state_file) length=2000 ;; esac
        # No blank at the end: to xargs it would mean that the line goes on.
        echo "$target $build/out/$target ${words:+$words }$corpus/$target $(limit_of "$target") -seed=$seed \
-max_len=$length -len_control=0 -timeout=120 -rss_limit_mb=4096 -reload=0 -print_final_stats=1 \
-artifact_prefix=$build/found/$target-"
    done
    echo "importer $python $root/tests/assurance/fuzz/importer.py $(limit_of importer) $seed"
    [ -z "${PACKAGE:-}" ] ||
        echo "python_calls env PYTHONPATH=$PACKAGE $python -B $root/tests/assurance/fuzz/python_calls.py \
$(limit_of python_calls) $seed"
    [ -z "${LUA_CPATH:-}" ] ||
        echo "lua_calls lua5.4 $root/tests/assurance/fuzz/lua_calls.lua $(limit_of lua_calls) $seed"
}

# Each job writes a log, and at its end its status.
# shellcheck disable=SC2016
run_jobs() {
    export build
    rm -f "$build"/logs/*
    jobs | xargs -P "$processors" -L 1 sh -c '
        name=$1
        shift
        "$@" >"$build/logs/$name" 2>&1
        echo $? >"$build/logs/$name.status"' job
}

report_job() {
    status=$(cat "$build/logs/$1.status" 2>/dev/null || echo 1)
    [ "$status" -eq 0 ] || tail -n 40 "$build/logs/$1"
    units=$(sed -n 's/^stat::number_of_executed_units: *//p' "$build/logs/$1")
    if [ -n "$units" ]; then
        echo "$1: $units inputs"
    else
        echo "$1: $(tail -n 1 "$build/logs/$1")"
    fi
    count "$status" "$1"
}

if ! build_all; then
    echo "the build failed"
    echo "0 passed, 1 failed"
    exit 1
fi
"$python" "$root/tests/assurance/fuzz/corpus.py" unpack "$corpus" || exit 1

for target in $(targets); do
    "$build/plain/$target" "$corpus/$target" >"$build/logs/$target.plain" 2>&1
    status=$?
    [ "$status" -eq 0 ] || tail -n 20 "$build/logs/$target.plain"
    count "$status" "$target, compiled by gcc, on what was found before"
done
run_jobs
for job in $(jobs | cut -d ' ' -f 1); do
    report_job "$job"
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
