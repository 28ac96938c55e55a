#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The Python package under PyPy, another interpreter, which has cffi built in and here no NumPy.
#
#     pypy.sh FOLDER
#
# FOLDER is made. The last line is pytest's.

set -eu

mkdir -p "$1/others"
folder=$(cd "$1" && pwd)

# Both interpreters look for modules in the same place, but NumPy there is for the other one.
echo 'raise ImportError("not for this interpreter")' >"$folder/others/numpy.py"
export PYTHONPATH="$folder/others"
# Not those that count references or blocks of memory, or compare with NumPy.
exec sh "$(dirname "$0")/python.sh" pypy3 "$folder" test_records.py test_ownership.py test_emulation.py \
    test_vectors.py test_robustness.py test_decisions.py \
    -k 'not leave_nothing_behind and not memory_stays_flat and not arrays_live and not all_forms_agree'
