# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# What the tests of packages begin with, by `.`: a small Debian of their own. They are called with
#
#     NAME.sh MADE FOLDER BUILD
#
# where MADE has what doc/packaging/all.sh made, FOLDER is for the test, and BUILD is a build of this system with the
# tool and the tests. As root, or with sudo: the system is entered with chroot.

root=$(cd "$(dirname "$0")/../../.." && pwd)
made=$(cd "$1" && pwd)
rm -rf "$2"
mkdir -p "$2"
folder=$(cd "$2" && pwd)
build=$(cd "$3" && pwd)
system=$folder/system
export LC_ALL=C

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    else
        sudo "$@"
    fi
}

trap 'as_root rm -rf "$system"' EXIT

# new_system RELEASE: makes $system, with nothing in it but apt-get, this source tree as /opt/project, what was made as
# /opt/made, and the program with the vectors of decisions as /opt/vectors. The systems as they come are kept beside it.
new_system() {
    kept=$folder/../$1
    if [ ! -e "$kept" ]; then
        as_root rm -rf "$kept.begun"
        as_root debootstrap --variant=minbase "$1" "$kept.begun"
        as_root mv "$kept.begun" "$kept"
    fi
    as_root rm -rf "$system"
    as_root cp -a "$kept" "$system"
    as_root cp /etc/hosts /etc/resolv.conf "$system/etc"
    # Else these small systems would leave out manuals, which are to be tried.
    echo 'path-include=/usr/share/*' | as_root tee "$system/etc/dpkg/dpkg.cfg.d/zz-all" >/dev/null
    as_root mkdir "$system/opt/project"
    tar -C "$root" -c CHANGELOG.md LICENSE README.md bindings doc examples include lib meson.build tests |
        as_root tar -C "$system/opt/project" -x
    as_root cp -R "$made" "$system/opt/made"
    as_root cp "$build/tests/vectors" "$system/opt"
}

# in_system COMMAND: runs what is on standard input as a shell script there. What is mounted is so for it alone.
in_system() {
    as_root tee "$system/script.sh" >/dev/null
    as_root unshare --mount chroot "$system" sh -euc '
        mount -t proc proc /proc
        mount -t devpts -o newinstance,ptmxmode=666 devpts /dev/pts
        mount -t tmpfs tmpfs /dev/shm
        exec sh -eux /script.sh'
}

# install PACKAGE...: in the system.
install() {
    echo "apt-get -q update
        DEBIAN_FRONTEND=noninteractive apt-get -q -y install --no-install-recommends $*" | in_system
}
