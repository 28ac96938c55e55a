#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Makes the tarball of a release, vcsched-VERSION.tar.gz, and its checksum.
#
#     sh doc/packaging/release.sh [--rehearsal] FOLDER [COMMIT]
#
# COMMIT is HEAD unless given; what is not committed has no part in it. The bytes depend on the commit alone, so anyone
# who has it can make them again and compare. The tarball is then unpacked and tried: `sh tests/run.sh quick`. Without
# --rehearsal the changelog must have a date for the version. --rehearsal leaves that and the trial out.

set -eu

strictly=--released
if [ "${1-}" = --rehearsal ]; then
    strictly=
    shift
fi
case ${1--} in
-*) sed -n 's/^#     //p' "$0" >&2; exit 2 ;;
esac
mkdir -p "$1"
folder=$(cd "$1" && pwd)
root=$(cd "$(dirname "$0")/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# No setting of the user, the system or the clone changes what is packed or how.
umask 022
export LC_ALL=C TZ=UTC GIT_CONFIG_NOSYSTEM=1 GIT_ATTR_NOSYSTEM=1 GIT_CONFIG_GLOBAL="$scratch/config"
printf '[safe]\n\tdirectory = *\n' >"$GIT_CONFIG_GLOBAL"
unset GZIP TAR_OPTIONS
commit=$(git -C "$root" rev-parse --verify --quiet "${2-HEAD}^{commit}") ||
    { echo "${2-HEAD}: there is no such commit" >&2; exit 1; }
objects=$(cd "$root" && cd "$(git rev-parse --git-path objects)" && pwd)
git init --quiet --bare "$scratch/repository"
echo "$objects" >"$scratch/repository/objects/info/alternates"

version=$(git -C "$scratch/repository" show "$commit:include/vcsched/abi.h" |
    sed -n 's/^#define VCS_VERSION "\(.*\)"$/\1/p')
name=vcsched-$version
git -C "$scratch/repository" -c tar.umask=0022 archive --format=tar --prefix="$name/" "$commit" >"$scratch/$name.tar"

tar -x -f "$scratch/$name.tar" -C "$scratch"
python3 "$scratch/$name/tests/assurance/hygiene/versions.py" "$scratch/$name" ${strictly:+"$strictly"}
[ -z "$strictly" ] || sh "$scratch/$name/tests/run.sh" quick

cd "$folder"
gzip -9 -n <"$scratch/$name.tar" >"$name.tar.gz"
sha256sum "$name.tar.gz" >"$name.tar.gz.sha256"
cat "$name.tar.gz.sha256"
