#!/bin/sh
# SPDX-License-Identifier: MIT
#
# LuaRocks builds the module against libraries that are installed under a prefix of their own, and Lua loads it from
# where LuaRocks put it. Nothing is fetched.
#
#     luarocks.sh SOURCE_ROOT BUILD_ROOT LUA_PROGRAM

set -eu

root=$1
build=$2
lua=$3
SKIPPED=77
command -v luarocks >/dev/null || { echo "there is no luarocks"; exit $SKIPPED; }
version=$("$lua" -e 'print((_VERSION:gsub("Lua ", "")))')
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

meson install -C "$build" --no-rebuild --destdir "$scratch/root" >"$scratch/log" || { cat "$scratch/log"; exit 1; }
header=$(find "$scratch/root" -path "*/include/vcsched/vcsched.h")
prefix=${header%/include/vcsched/vcsched.h}

mkdir "$scratch/source"
cp -R "$root/bindings" "$scratch/source"
cd "$scratch/source"
rocks() {
    HOME=$scratch luarocks --lua-version "$version" --tree "$scratch/rocks" "$@" >"$scratch/log" 2>&1
}

# Without a prefix there is nothing to be found, unless the system has the libraries.
if [ ! -e /usr/include/vcsched/vcsched.h ] && [ ! -e /usr/local/include/vcsched/vcsched.h ]; then
    ! rocks make bindings/lua/vcsched-scm-1.rockspec || { echo "it needs no library?"; exit 1; }
    grep -q VCSCHED_DIR "$scratch/log" || { cat "$scratch/log"; exit 1; }
fi
# From its own folder it says where it has to run.
! (cd bindings/lua && rocks make vcsched-scm-1.rockspec "VCSCHED_DIR=$prefix") ||
    { echo "it needs no sources?"; exit 1; }
grep -q 'at the top of the source tree' "$scratch/log" || { cat "$scratch/log"; exit 1; }
rocks make bindings/lua/vcsched-scm-1.rockspec "VCSCHED_DIR=$prefix" || { cat "$scratch/log"; exit 1; }

cat >"$scratch/program.lua" <<END
local vcs = require "vcsched"
local state = assert(vcs.prepare { now = 0, resources = { { flops = 1e9, usable = 1, instances = 1 } },
    projects = { { id = 1, share = 1 } },
    tasks = { { id = 1, project = 1, cpus = 1, remaining = 60, deadline = 90 } } })
assert(state:wrr())
print(state:wrr_tasks()[1].finish)
END
found=$(env -u LD_LIBRARY_PATH LUA_PATH="$scratch/rocks/share/lua/$version/?.lua" \
    LUA_CPATH="$scratch/rocks/lib/lua/$version/?.so" "$lua" "$scratch/program.lua")
[ "$found" = 60.0 ] || [ "$found" = 60 ] || { echo "the program printed: $found"; exit 1; }
