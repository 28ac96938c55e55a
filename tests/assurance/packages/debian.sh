#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Makes the Debian packages, installs them in a Debian of their own, and tries them there.
#
#     debian.sh FOLDER
#
# As root, or with sudo: the system is entered with chroot. It is in FOLDER for the time of the test alone.

set -eu

root=$(cd "$(dirname "$0")/../../.." && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
system=$folder/system
as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    else
        sudo "$@"
    fi
}
trap 'as_root rm -rf "$system"' EXIT

rm -rf "$folder/packages"
DEB_BUILD_OPTIONS="${DEB_BUILD_OPTIONS-nocheck}" sh "$root/doc/packaging/debian.sh" "$folder/packages"

as_root debootstrap --variant=minbase "${DEBIAN_RELEASE-bookworm}" "$system"
as_root cp /etc/hosts /etc/resolv.conf "$system/etc"
as_root mkdir -p "$system/opt/packages"
as_root cp "$folder"/packages/*.deb "$system/opt/packages"
as_root tee "$system/try.sh" >/dev/null <<'END'
set -eux
export DEBIAN_FRONTEND=noninteractive LC_ALL=C
scratch=$(mktemp -d)
# Else this small system would leave out what is to be tried.
echo 'path-include=/usr/share/*' >/etc/dpkg/dpkg.cfg.d/zz-all
apt-get -q update
rm /opt/packages/*-dbgsym_*
apt-get -q -y install --no-install-recommends /opt/packages/*.deb gcc libc6-dev pkg-config man-db bash-completion
dpkg --verify libvcsched0 libvcemu0 libvcsched-dev vcemu python3-vcsched

cd /usr/share/doc/vcemu/examples/scenarios
vcemu plan small_state.ini | grep -q 'fold_'
vcemu run unreliable.ini --days 1 --json | grep -q '"waste"'
python3 -c 'import vcsched; print(vcsched.__file__)' | grep -q /usr/lib/python3/dist-packages
python3 -m vcsched import client_state.xml >"$scratch/state.ini"
vcemu plan "$scratch/state.ini" >/dev/null
for name in vcemu vcemu-plan vcs_fetch vcs_fetch_decisions vcsched; do
    man --warnings "$name" >"$scratch/page" 2>"$scratch/warnings"
    grep -q libvcsched "$scratch/page"
    test ! -s "$scratch/warnings"
done

cat >"$scratch/program.c" <<'C'
#include <stdio.h>
#include <vcemu/emulator.h>
#include <vcsched/vcsched.h>
int main(void) {
    puts(vcs_version());
    return vcs_self_test(NULL) == VCS_OK ? 0 : 1;
}
C
# shellcheck disable=SC2046
cc -o "$scratch/shared" "$scratch/program.c" $(pkg-config --cflags --libs vcemu)
# shellcheck disable=SC2046
cc -static -o "$scratch/static" "$scratch/program.c" $(pkg-config --cflags --static --libs vcemu)
test "$("$scratch/shared")" = "$("$scratch/static")"
bash -c '. /usr/share/bash-completion/bash_completion
    _comp_load vcemu 2>/dev/null || __load_completion vcemu
    complete -p vcemu' | grep -q _vcemu
apt-get -q -y purge libvcsched0 libvcemu0 python3-vcsched
test -z "$(find /usr/bin /usr/include /usr/lib /usr/share -name '*vcs*' -o -name '*vcemu*')"
END
as_root unshare --mount chroot "$system" sh /try.sh
