#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Makes the Debian packages of a commit: the source package, all binary packages, and what lintian says of them.
#
#     sh doc/packaging/debian.sh FOLDER [COMMIT]
#
# COMMIT is HEAD unless given. Needs what Build-Depends in doc/packaging/debian/control names, dpkg-dev and lintian. Who
# makes the packages is DEBFULLNAME and DEBEMAIL; without them, the maintainer that control names. Options for the build
# are those of dpkg-buildpackage: DEB_BUILD_OPTIONS="nocheck parallel=4".

set -eu

[ $# -ge 1 ] || { sed -n 's/^#     //p' "$0" >&2; exit 2; }
mkdir -p "$1"
folder=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
umask 022

sh "$here/release.sh" --rehearsal "$scratch" "${2-HEAD}"
tarball=$(ls "$scratch"/vcsched-*.tar.gz)
version=${tarball##*/vcsched-}
version=${version%.tar.gz}
mv "$tarball" "$scratch/vcsched_$version.orig.tar.gz"
tar -x -z -f "$scratch/vcsched_$version.orig.tar.gz" -C "$scratch"
cd "$scratch/vcsched-$version"
cp -R doc/packaging/debian debian

# The day is that of the commit, so that the same commit gives the same packages.
maintainer=$(sed -n 's/^Maintainer: //p' debian/control)
[ -z "${DEBEMAIL-}" ] || maintainer="${DEBFULLNAME-$DEBEMAIL} <$DEBEMAIL>"
cat >debian/changelog <<END
vcsched ($version-0upstream1) unstable; urgency=medium

  * Release $version; what it has is in CHANGELOG.md.

 -- $maintainer  $(date -u -R -r CHANGELOG.md)
END

dpkg-buildpackage --no-sign --build=full
cd "$scratch"
lintian --info --display-info --pedantic --fail-on error,warning,info,pedantic ./*.changes
find . -maxdepth 1 -type f -name '*vc*' -exec mv {} "$folder" \;
ls -l "$folder"
