#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The program of the zip for Windows, tried under Wine: it prints the same bytes as the one of this system. And the
# wheel.
#
#     windows.sh MADE FOLDER BUILD

set -eu

root=$(cd "$(dirname "$0")/../../.." && pwd)
made=$(cd "$1" && pwd)
vcemu=$(cd "$3" && pwd)/examples/vcemu
rm -rf "$2"
mkdir -p "$2"
folder=$(cd "$2" && pwd)
export WINEPREFIX="$folder/wine" WINEDEBUG=-all LC_ALL=C
unset DISPLAY
server=$(command -v wineserver || echo /usr/lib/wine/wineserver64)
trap '"$server" -k || true' EXIT

mkdir "$folder/unpacked"
python3 -m zipfile -e "$made/windows/"*.zip "$folder/unpacked"
cd "$folder/unpacked/"*
test -s LICENSE
test -s doc/vcemu.md
# No library but those that every Windows has.
if x86_64-w64-mingw32-objdump -p vcemu.exe | grep 'DLL Name' | grep -iv 'kernel32\|msvcrt\|user32\|advapi32'; then
    exit 1
fi

# The first program makes the folder for Wine. Then the server is started, since one that a program starts would hold on
# to its pipes.
wine vcemu.exe --version >"$folder/there.out" 2>&1
"$server" -w
"$server" -p
cases=0
while read -r arguments; do
    cases=$((cases + 1))
    expected=0
    # shellcheck disable=SC2086
    "$vcemu" $arguments >"$folder/here.out" 2>"$folder/here.err" </dev/null || expected=$?
    status=0
    # shellcheck disable=SC2086
    wine vcemu.exe $arguments >"$folder/there.out" 2>"$folder/there.err" </dev/null || status=$?
    echo "$arguments: $status, expected $expected"
    cat "$folder/there.err"
    test "$status" -eq "$expected"
    cmp "$folder/here.out" "$folder/there.out"
    cmp "$folder/here.err" "$folder/there.err"
done <<'END'
--version
help
help sweep
help --json
plan scenarios/small_state.ini
plan scenarios/small_state.ini --json
plan scenarios/small_state.ini --explain skymap_2031_a --unicode
plan scenarios/small_state.ini --compare steady
plan scenarios/states/parts_of_gpus.ini --all
plan scenarios/states/limited_project.ini --profile study2007
plan scenarios/missing.ini
plan scenarios/small_state.ini --set min_buffer=-1
admit scenarios/small_state.ini
run scenarios/unreliable.ini --days 5
run scenarios/unreliable.ini --days 5 --json --policy CS2_WF1_WS1_JC2 --profile study2007
run scenarios/unreliable.ini --days 2 --json --bound
bound scenarios/off_by_turns.ini --json
grid scenarios/grids/batch.ini --days 1 --csv
grid scenarios/grids/two_projects.ini --days 1 --json --seeds 2 -j 2
sweep scenarios/unreliable.ini --days 1 --vary min_buffer=0:7200:3600 --with host.cpus=1,2,3 --seeds 3
sweep scenarios/unreliable.ini --days 1 --vary host.cpus=1,2 --json --each-seed --seeds 2
END

# Standard input, and files that are written: a sweep that goes on where it was, and leaves nothing else behind.
wine vcemu.exe plan - --json <scenarios/small_state.ini >"$folder/there.out"
"$vcemu" plan - --json <scenarios/small_state.ini | cmp - "$folder/there.out"
for program in "wine vcemu.exe" "$vcemu"; do
    set -- scenarios/unreliable.ini --days 1 --vary host.cpus=1,2 --seeds 2
    mkdir "$folder/unpacked/files"
    $program sweep "$@" -o "$folder/unpacked/files/table.csv"
    head -n 2 "$folder/unpacked/files/table.csv" >"$folder/unpacked/files/begun.csv"
    $program sweep "$@" -o "$folder/unpacked/files/begun.csv" --resume
    cmp "$folder/unpacked/files/table.csv" "$folder/unpacked/files/begun.csv"
    test "$(ls "$folder/unpacked/files")" = "$(printf 'begun.csv\ntable.csv')"
    $program run scenarios/unreliable.ini --days 1 --trace "$folder/unpacked/files/trace.csv" \
        --timeline "$folder/unpacked/files/page.html" >/dev/null
    case $program in wine*) mv "$folder/unpacked/files" "$folder/unpacked/there" ;; esac
done
diff -r "$folder/unpacked/there" "$folder/unpacked/files"

# A policy in a DLL of its own.
x86_64-w64-mingw32-gcc -std=c11 -O2 -shared -static -I"$root/include" "$root/examples/c/lottery_policy.c" -o lottery.dll
cc -std=c11 -O2 -shared -fPIC -I"$root/include" "$root/examples/c/lottery_policy.c" -o lottery.so
"$vcemu" run scenarios/unreliable.ini --days 1 --json --policy ./lottery.so >"$folder/here.out"
for path in lottery.dll ./lottery.dll '.\lottery.dll'; do
    wine vcemu.exe run scenarios/unreliable.ini --days 1 --json --policy "$path" | cmp - "$folder/here.out"
done

# The wheel: the same tool, and a compiled part that can be loaded, lays structs out as the library does, and computes
# right. What stands in for Python shows no more.
mkdir "$folder/wheel"
cd "$folder/wheel"
python3 -m zipfile -e "$made/python/"*-win_amd64.whl .
cmp ./*.data/scripts/vcemu.exe "$folder"/unpacked/*/vcemu.exe
test -s vcsched/constants.py
cffi=$(/usr/bin/python3 -c 'import cffi, pathlib; print(pathlib.Path(cffi.__file__).parent)')
sources=$root/tests/assurance/packages/windows
x86_64-w64-mingw32-gcc -std=c11 -O2 -shared -static "$sources/python3.c" -o vcsched/python3.dll
x86_64-w64-mingw32-gcc -std=c11 -O2 -static -I"$root/include" -I"$cffi" "$sources/load_binding.c" \
    -o vcsched/load_binding.exe
version=$(echo ./*.dist-info)
version=${version%.dist-info}
cd vcsched
if x86_64-w64-mingw32-objdump -p _binding.pyd | grep 'DLL Name' | grep -iv 'kernel32\|msvcrt\|python3\.dll'; then
    exit 1
fi
# 1.0.0rc1 is what Python calls 1.0.0-rc1.
wine load_binding.exe _binding.pyd "$(echo "${version##*-}" | sed s/rc/-rc/)"
echo "$cases cases"
