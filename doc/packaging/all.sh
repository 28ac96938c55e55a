#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Makes everything that a release has, each kind in a folder of its own, and the checksums of it all, SHA256SUMS.
# FOLDER must not be there yet.
#
#     sh doc/packaging/all.sh [--rehearsal] FOLDER [COMMIT]
#
# Needs what the other scripts of this folder need. --rehearsal is that of release.sh.

set -eu

rehearsal=
if [ "${1-}" = --rehearsal ]; then
    rehearsal=$1
    shift
fi
case ${1--} in
-*) sed -n 's/^#     //p' "$0" >&2; exit 2 ;;
esac
here=$(cd "$(dirname "$0")" && pwd)
folder=$1
# Of one commit, whatever is committed meanwhile.
commit=$(git -C "$here" rev-parse --verify --quiet "${2-HEAD}^{commit}") ||
    { echo "${2-HEAD}: there is no such commit" >&2; exit 1; }

step() {
    started=$(date +%s)
    printf '\n== %s\n' "$1"
    shift
    sh "$@"
    echo "$(($(date +%s) - started)) s"
}

[ ! -e "$folder" ] || { echo "$folder: is there already" >&2; exit 1; }
# shellcheck disable=SC2086
step tarball "$here/release.sh" $rehearsal "$folder" "$commit"
for name in python lua js site windows debian; do
    step "$name" "$here/$name.sh" "$folder/$name" "$commit"
done
cd "$folder"
sums=$(find . -type f ! -name '*.sha256' -printf '%P\n' | LC_ALL=C sort | xargs sha256sum)
echo "$sums" >SHA256SUMS
printf '\n%s\n' "$sums"
