#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The Python package under the Python of another Debian: bullseye has 3.9, trixie 3.13.
#
#     debian_python.sh RELEASE FOLDER
#
# As root, or with sudo. FOLDER is made, and in it for the time of the tests a minimal system, which is entered with
# chroot. What is mounted there is mounted for this script alone. The last line is pytest's.

set -eu

if [ "$(id -u)" -ne 0 ]; then
    exec sudo sh "$0" "$@"
fi
release=$1
root=$(cd "$(dirname "$0")/../../.." && pwd)
mkdir -p "$2"
system=$(cd "$2" && pwd)/$release

packages="python3 python3-cffi python3-pytest python3-hypothesis python3-numpy libpython3-dev gcc libc6-dev"
[ "$release" != bullseye ] || packages="$packages python3-distutils"

trap 'rm -rf "$system"' EXIT
debootstrap --variant=minbase "$release" "$system"
cp /etc/hosts /etc/resolv.conf "$system/etc"
mkdir -p "$system/project"
tar -C "$root" -c bindings doc examples include lib tests README.md meson.build | tar -C "$system/project" -x
cat >"$system/test.sh" <<END
set -eu
mount -t proc proc /proc
mount -t devpts -o newinstance,ptmxmode=666 devpts /dev/pts
mount -t tmpfs tmpfs /dev/shm
apt-get -q update
DEBIAN_FRONTEND=noninteractive apt-get -q -y install --no-install-recommends $packages
python3 --version
cd /
sh project/tests/assurance/foreign/python.sh python3 built --ignore test_real_client.py
END
unshare --mount chroot "$system" sh /test.sh
