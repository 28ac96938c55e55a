# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2034
#
# What the other scripts begin with, by `.`: unpacks the tarball of a commit. They are called with
#
#     FOLDER [COMMIT]
#
# where COMMIT is HEAD unless given, and then have: folder, where results go; scratch, which is removed in the end;
# version; source, the unpacked tarball.

case ${1--} in
-*) sed -n 's/^#     //p' "$0" >&2; exit 2 ;;
esac
mkdir -p "$1"
folder=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
umask 022

sh "$here/release.sh" --rehearsal "$scratch" "${2-HEAD}"
cd "$scratch" || exit
rm ./*.sha256
tarball=$(echo "$scratch"/vcsched-*.tar.gz)
tar -x -z -f "$tarball"
version=${tarball##*/vcsched-}
version=${version%.tar.gz}
source=$scratch/vcsched-$version

# The interpreter that sees the distribution's packages, which another one first in PATH may not.
python=/usr/bin/python3
[ -x "$python" ] || python=python3
# Whatever notes a time takes that of the commit.
SOURCE_DATE_EPOCH=$(date -r "$source/LICENSE" +%s)
export SOURCE_DATE_EPOCH
