#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Builds the Debian packages from their source package, with the tests of the build, in a small Debian that has what it
# asks for and nothing else; installs those that were made in another, and tries them there, with the tests of the tool
# and of the package for Python.
#
#     debian.sh MADE FOLDER BUILD

set -eu

# shellcheck source=tests/assurance/packages/system.sh
. "$(dirname "$0")/system.sh"

new_system bookworm
install build-essential
in_system <<'END'
mkdir /opt/build
cd /opt/build
cp /opt/made/debian/*.dsc /opt/made/debian/*.tar.* .
DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends build-dep ./*.dsc
dpkg-source -x ./*.dsc sources
cd sources
DEB_BUILD_OPTIONS="parallel=$(nproc)" dpkg-buildpackage --no-sign --build=binary
END
for package in "$system"/opt/build/*.deb; do
    test -e "$made/debian/${package##*/}"
done

new_system bookworm
as_root rm "$system"/opt/made/debian/*-dbgsym_*
# The tool does without the libraries.
install '/opt/made/debian/vcemu_*.deb'
in_system <<'END'
test ! -e "$(echo /usr/lib/*/libvcsched.so.0)"
vcemu plan /usr/share/doc/vcemu/examples/scenarios/small_state.ini | grep -q 'fold_'
END
install '/opt/made/debian/*.deb' gcc libc6-dev pkg-config man-db bash-completion python3-numpy python3-pytest \
    python3-hypothesis
in_system <<'END'
scratch=$(mktemp -d)
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
# A policy calls functions of the library that is in the tool.
cc -shared -fPIC -DODD=0 -o "$scratch/policy.so" /opt/project/tests/tool/odd_policy.c
vcemu run unreliable.ini --days 1 --policy "$scratch/policy.so" --policy-argument estimate >/dev/null
bash -c '. /usr/share/bash-completion/bash_completion
    _comp_load vcemu 2>/dev/null || __load_completion vcemu
    complete -p vcemu' | grep -q _vcemu

export VCSCHED_INSTALLED=/usr/lib/python3/dist-packages VCSCHED_BUILD=none VCSCHED_VECTORS=/opt/vectors
export VCEMU=/usr/bin/vcemu PYTHONDONTWRITEBYTECODE=1 VCS_TEST_SECONDS=1500
cd /opt/project/bindings/python/tests
python3 -m pytest -q -p no:cacheprovider --ignore test_package.py --ignore test_real_client.py
cd /opt/project/tests/tool
python3 -m pytest -q -p no:cacheprovider test_vcemu.py test_vcemu_run.py test_vcemu_grid.py test_vcemu_sweep.py
cd /
apt-get -q -y purge libvcsched0 libvcemu0 vcemu python3-vcsched
test -z "$(find /usr/bin /usr/include /usr/lib /usr/share -name '*vcs*' -o -name '*vcemu*')"
END
