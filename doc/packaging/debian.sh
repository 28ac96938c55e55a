#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Makes the Debian packages of a commit: the source package, all binary packages, and what lintian says of them.
#
#     sh doc/packaging/debian.sh FOLDER [COMMIT]
#
# Needs what Build-Depends in doc/packaging/debian/control names, dpkg-dev and lintian. Who
# makes the packages is DEBFULLNAME and DEBEMAIL; without them, the maintainer that control names. Options for the build
# are those of dpkg-buildpackage: DEB_BUILD_OPTIONS="nocheck parallel=4".

set -eu

# shellcheck source=doc/packaging/source.sh
. "$(dirname "$0")/source.sh"

# To Debian 1.0.0~rc1 comes before 1.0.0.
debian=$(echo "$version" | sed s/-rc/~rc/)
mv "$tarball" "vcsched_$debian.orig.tar.gz"
cd "$source"
cp -R doc/packaging/debian debian

# The day is that of the commit, so that the same commit gives the same packages.
maintainer=$(sed -n 's/^Maintainer: //p' debian/control)
[ -z "${DEBEMAIL-}" ] || maintainer="${DEBFULLNAME-$DEBEMAIL} <$DEBEMAIL>"
cat >debian/changelog <<END
vcsched ($debian-0upstream1) unstable; urgency=medium

  * Release $version; what it has is in CHANGELOG.md.

 -- $maintainer  $(date -u -R -r CHANGELOG.md)
END

dpkg-buildpackage --no-sign --build=full
cd "$scratch"
lintian --info --display-info --pedantic --fail-on error,warning,info,pedantic ./*.changes
find . -maxdepth 1 -type f -name '*vc*' -exec mv {} "$folder" \;
ls "$folder"
