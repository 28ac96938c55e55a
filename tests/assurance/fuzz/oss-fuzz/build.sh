#!/bin/sh -eu
# SPDX-License-Identifier: MIT
#
# What OSS-Fuzz runs in the source tree: each target goes to $OUT, with the inputs from which it begins, and words for
# those that read text. `sh tests/run.sh fuzz` runs it too.

sh tests/assurance/fuzz/build.sh
python3 tests/assurance/fuzz/corpus.py zip "$OUT"
cp tests/assurance/fuzz/fuzz_state_file.dict "$OUT"
