#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The tarball of a release has the same bytes from another clone, made by another user with other settings; it has every
# file of the commit, and its checksum is right.
#
#     tarball.sh SOURCE_ROOT

set -eu

root=$1
if ! git -c 'safe.directory=*' -C "$root" rev-parse --verify --quiet 'HEAD^{commit}' >/dev/null; then
    echo "there is no commit to make it of"
    exit 77
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

sh "$root/doc/packaging/release.sh" --rehearsal "$scratch/first"

printf '[safe]\n\tdirectory = *\n[core]\n\tautocrlf = true\n\tabbrev = 9\n[tar]\n\tumask = 0\n' >"$scratch/settings"
(
    umask 077
    export GIT_CONFIG_GLOBAL="$scratch/settings" TZ=Asia/Tokyo LC_ALL=C.UTF-8 HOME="$scratch"
    git clone --quiet --shared --no-checkout "$root" "$scratch/clone"
    cd "$scratch/clone"
    git -c core.autocrlf=false checkout --quiet HEAD -- doc/packaging
    git config core.autocrlf true
    echo '* text eol=crlf' >.git/info/attributes
    cd "$scratch"
    sh clone/doc/packaging/release.sh --rehearsal second
)
cmp "$scratch/first/"*.gz "$scratch/second/"*.gz
cmp "$scratch/first/"*.sha256 "$scratch/second/"*.sha256
(cd "$scratch/second" && sha256sum --check --quiet ./*.sha256)

tar -t -z -f "$scratch/first/"*.gz | sed -n 's|^vcsched-[0-9][^/]*/\(.*[^/]\)$|\1|p' | LC_ALL=C sort >"$scratch/packed"
git -c 'safe.directory=*' -C "$root" ls-tree -r --name-only -z HEAD | tr '\0' '\n' | LC_ALL=C sort >"$scratch/committed"
cmp "$scratch/packed" "$scratch/committed"

# Who asks for help, or names no folder, is told what to say.
for script in all release js; do
    for argument in '' --help; do
        status=0
        # shellcheck disable=SC2086
        sh "$root/doc/packaging/$script.sh" $argument 2>"$scratch/usage" || status=$?
        test "$status" -eq 2
        grep -q "^sh doc/packaging/$script.sh .*FOLDER" "$scratch/usage"
    done
done

# Without a date for the version there is no release, and no file.
if ! python3 "$root/tests/assurance/hygiene/versions.py" "$root" --released >/dev/null; then
    if sh "$root/doc/packaging/release.sh" "$scratch/third" 2>"$scratch/why" >"$scratch/what"; then
        exit 1
    fi
    grep -q 'has no date' "$scratch/what"
    test -z "$(ls "$scratch/third")"
fi
