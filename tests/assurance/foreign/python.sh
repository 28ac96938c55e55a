#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The Python package under any Python with cffi and pytest: compiled without Meson, and tested.
#
#     python.sh PYTHON FOLDER [PYTEST_ARGUMENT...]
#
# FOLDER is made. Arguments name tests relative to bindings/python/tests. The last line is pytest's.

set -eu

python=$1
root=$(cd "$(dirname "$0")/../../.." && pwd)
# All of both libraries but what reads files and makes sweeps.
sources=$(find "$root/lib" -name '*.c' ! -path "$root/lib/vcemu/scenario/*" ! -path "$root/lib/vcemu/sweep/*")
mkdir -p "$2/site"
folder=$(cd "$2" && pwd)
shift 2
package=$folder/site/vcsched
generate=$root/bindings/python/generate

cp -r "$root/bindings/python/vcsched" "$folder/site"
"$python" "$generate/binding.py" "$root/include" "$root/bindings/python/event_list.h" vcsched._binding \
    "$folder/binding.d" "$folder/_binding.c"
"$python" "$generate/python_source.py" "$root/include" "$folder/modules.d" "$package/constants.py" \
    "$package/interface.py"
suffix=$("$python" -c 'import sysconfig; print(sysconfig.get_config_var("EXT_SUFFIX"))')
headers=$("$python" -c 'import sysconfig; print(sysconfig.get_path("include"))')
gcc -w -O1 -std=c11 -ffp-contract=off -shared -fPIC -fvisibility=hidden -I"$headers" -I"$root/include" -I"$root/lib" \
    -I"$root/bindings/python" "$folder/_binding.c" "$root/bindings/python/event_list.c" $sources \
    -o "$package/_binding$suffix"
gcc -w -O1 -std=c11 -ffp-contract=off -I"$root/include" -I"$root/lib" -I"$root/tests" "$root/tests/vectors.c" \
    "$root/tests/support/random_state.c" $sources -lm -o "$folder/vectors"

export PYTHONDONTWRITEBYTECODE=1 VCS_TEST_SECONDS=1500
export VCSCHED_BUILD="$folder" VCSCHED_INSTALLED="$folder/site" VCSCHED_VECTORS="$folder/vectors"
cd "$root/bindings/python/tests"
"$python" -m pytest -q -p no:cacheprovider "$@"
