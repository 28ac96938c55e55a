#!/bin/sh
# SPDX-License-Identifier: MIT
#
# From a fresh clone to a plan in one command: builds the library and its tool vcemu, imports the state of a BOINC
# client, and prints what that client should do now, and why.
#
#     sh examples/quickstart.sh [-y] [CLIENT_STATE]
#
# On Debian and Ubuntu it installs what is missing; at a terminal it asks first, unless -y is given. Without
# CLIENT_STATE it takes examples/scenarios/client_state.xml. For your own, name the data directory of your BOINC client,
# on Debian /var/lib/boinc-client, or the client_state.xml in it. Either way its preferences, cc_config.xml and
# app_config.xml are read too: they are half of what the client decides by.

set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
# One per user, so that a run with sudo is not in the way of a later one without.
build="$root/build/$(id -un)/quickstart"
client_state="$root/examples/scenarios/client_state.xml"
ask=yes

PACKAGES="gcc libc6-dev meson ninja-build python3"

step() {
    printf '\n== %s\n' "$*"
}

die() {
    echo "quickstart: $*" >&2
    exit 1
}

is_there() {
    command -v "$1" >/dev/null 2>&1
}

# The interpreter that runs the import: the system's own if it can.
find_python() {
    for candidate in /usr/bin/python3 python3; do
        if is_there "$candidate" && "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 9))'; then
            echo "$candidate"
            return
        fi
    done
}

# What cannot be done without, in words; empty if nothing is missing.
what_is_missing() {
    is_there cc || is_there gcc || is_there clang || echo "a C compiler"
    is_there meson || echo "Meson"
    is_there ninja || echo "Ninja"
    [ -n "$(find_python)" ] || echo "Python 3.9 or newer"
}

may_install() {
    [ "$ask" = yes ] && [ -t 0 ] || return 0
    printf 'Install %s with apt-get? [Y/n] ' "$PACKAGES"
    read -r answer
    case $answer in
    '' | [Yy]*) return 0 ;;
    *) return 1 ;;
    esac
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif is_there sudo; then
        sudo "$@"
    else
        die "installing needs root; as root: apt-get install $PACKAGES"
    fi
}

install_missing() {
    missing=$(what_is_missing)
    [ -n "$missing" ] || return 0
    echo "Missing: $missing" | tr '\n' ' '
    echo
    is_there apt-get || die "please install it: a C compiler, Meson 1.0.1 or newer, Ninja, Python 3.9 or newer"
    may_install || die "nothing was installed; needed are: $PACKAGES"
    as_root apt-get -q update
    # shellcheck disable=SC2086
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y install $PACKAGES
    missing=$(what_is_missing)
    [ -z "$missing" ] || die "still missing: $missing"
}

build_tool() {
    if [ ! -f "$build/build.ninja" ]; then
        rm -rf "$build"
        meson setup -Dtests=disabled -Dexamples=enabled -Djs=disabled -Drust=disabled "$build" "$root"
    fi
    meson compile -C "$build" vcemu:executable
}

# A state file of another name is a copy, and what lies beside it may be of another client.
import_client() {
    if [ -d "$client_state" ]; then
        set -- --data-dir "$client_state"
    elif [ "$(basename "$client_state")" = client_state.xml ]; then
        set -- --data-dir "$(dirname "$client_state")"
    else
        set -- "$client_state"
    fi
    PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$root/bindings/python" "$(find_python)" -m vcsched import "$@" \
        -o "$build/state.ini"
}

for argument in "$@"; do
    case $argument in
    -y) ask=no ;;
    -*) die "usage: sh examples/quickstart.sh [-y] [CLIENT_STATE]" ;;
    *) client_state=$argument ;;
    esac
done
if [ -d "$client_state" ]; then
    [ -r "$client_state/client_state.xml" ] || die "$client_state: there is no client_state.xml in it that can be read"
else
    [ -r "$client_state" ] || die "$client_state: there is no such file, or it cannot be read"
fi

step "Looking for what is needed"
install_missing
step "Building"
build_tool
step "Importing $client_state"
import_client
step "The plan: vcemu plan $build/state.ini"
vcemu="$build/examples/vcemu"
"$vcemu" plan "$build/state.ini"

step "Done"
cat <<END
Look at $build/state.ini, change it, and plan again:
    $vcemu plan $build/state.ini
Why is a project not asked for work, or why does a task wait? NAME is that of either:
    $vcemu plan $build/state.ini --explain NAME
What the words and columns mean: $root/doc/vcemu.md
Your own client: sh $root/examples/quickstart.sh /var/lib/boinc-client
END
