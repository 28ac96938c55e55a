#!/bin/sh
# SPDX-License-Identifier: MIT
#
# LuaRocks installs the rock for Lua 5.1 and 5.4 in a small Debian that has the libraries' packages; the first example
# of doc/lua.md and the module's own tests run there.
#
#     lua.sh MADE FOLDER BUILD

set -eu

# shellcheck source=tests/assurance/packages/system.sh
. "$(dirname "$0")/system.sh"

new_system bookworm
install /opt/made/debian/libvcsched0_*.deb /opt/made/debian/libvcemu0_*.deb /opt/made/debian/libvcsched-dev_*.deb \
    gcc libc6-dev luarocks unzip python3 lua5.1 lua5.4 liblua5.1-0-dev liblua5.4-dev
in_system <<'END'
cd /tmp
awk '/^```lua/ { wanted = 1; next } /^```/ && wanted { exit } wanted' /opt/project/doc/lua.md >first.lua
grep -q 'require "vcsched"' first.lua
for version in 5.1 5.4; do
    luarocks --lua-version $version --tree /opt/rocks install /opt/made/lua/*.src.rock
    luarocks --lua-version $version --tree /opt/rocks list --porcelain | grep -q '^vcsched.*installed'
    with_rocks() {
        LUA_PATH="/opt/rocks/share/lua/$version/?.lua" LUA_CPATH="/opt/rocks/lib/lua/$version/?.so" \
            VCSCHED_VECTORS=/opt/vectors VCSCHED_LUA=lua$version "$@"
    }
    with_rocks lua$version first.lua | grep -q late
    cd /opt/project/bindings/lua/tests
    with_rocks lua$version run.lua /opt/project test_*.lua
    cd /tmp
done
END
