#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The Python package under PyPy, another interpreter, which has cffi built in and here no NumPy.
#
#     pypy.sh FOLDER
#
# FOLDER is made. The last line is pytest's.

set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$1/site" "$1/others"
folder=$(cd "$1" && pwd)
python=/usr/bin/python3
package=$folder/site/vcsched
generate=$root/bindings/python/generate

cp -r "$root/bindings/python/vcsched" "$folder/site"
"$python" "$generate/binding.py" "$root/include/vcsched" "$root/bindings/python/event_list.h" vcsched._binding \
    "$folder/binding.d" "$folder/_binding.c"
"$python" "$generate/python_source.py" "$root/include/vcsched" "$folder/modules.d" "$package/constants.py" \
    "$package/interface.py"
suffix=$(pypy3 -c 'import sysconfig; print(sysconfig.get_config_var("EXT_SUFFIX"))')
headers=$(pypy3 -c 'import sysconfig; print(sysconfig.get_path("include"))')
gcc -w -O1 -std=c11 -ffp-contract=off -shared -fPIC -fvisibility=hidden -I"$headers" -I"$root/include" -I"$root/lib" \
    -I"$root/bindings/python" "$folder/_binding.c" "$root/bindings/python/event_list.c" "$root"/lib/*/*.c \
    -o "$package/_binding$suffix"
gcc -w -O1 -std=c11 -ffp-contract=off -I"$root/include" -I"$root/lib" -I"$root/tests" "$root/tests/vectors.c" \
    "$root/tests/support/random_state.c" "$root"/lib/*/*.c -lm -o "$folder/vectors"

# Both interpreters look for modules in the same place, but NumPy there is for the other one.
echo 'raise ImportError("not for this interpreter")' >"$folder/others/numpy.py"
export PYTHONPATH="$folder/others" PYTHONDONTWRITEBYTECODE=1 VCS_TEST_SECONDS=1500
export VCSCHED_BUILD="$folder" VCSCHED_INSTALLED="$folder/site" VCSCHED_VECTORS="$folder/vectors"
cd "$root/bindings/python/tests"
# Not those that count references or blocks of memory, or compare with NumPy.
pypy3 -m pytest -q -p no:cacheprovider test_records.py test_ownership.py test_emulation.py test_vectors.py \
    test_robustness.py test_decisions.py \
    -k 'not leave_nothing_behind and not memory_stays_flat and not arrays_live and not all_forms_agree'
