#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Makes the package for JavaScript of a commit, as npm installs it.
#
#     sh doc/packaging/js.sh FOLDER [COMMIT]
#
# Needs npm, clang, lld, wasi-libc and libclang-rt-dev-wasm32.

set -eu

# shellcheck source=doc/packaging/source.sh
. "$(dirname "$0")/source.sh"

meson setup -Djs=enabled -Dtests=disabled -Dexamples=disabled -Dman=disabled -Dpython=disabled -Dlua=disabled \
    -Drust=disabled build "$source"
ninja -C build js
HOME=$scratch npm pack --offline --no-update-notifier --pack-destination "$folder" ./build/bindings/js/vcsched
ls "$folder"
