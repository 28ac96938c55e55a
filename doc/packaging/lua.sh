#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Makes the rock of a commit: the rockspec of its version, and the rock with the sources.
#
#     sh doc/packaging/lua.sh FOLDER [COMMIT]
#
# LuaRocks compiles the rock where it is installed, against the libraries that are installed there.

set -eu

# shellcheck source=doc/packaging/source.sh
. "$(dirname "$0")/source.sh"

# LuaRocks writes 1.0.0rc1 for 1.0.0-rc1.
rock=$(echo "$version" | sed s/-rc/rc/)-1
rockspec=vcsched-$rock.rockspec
sed "s|^version = .*|version = \"$rock\"|; s|file://\.|file://vcsched-$version.tar.gz|" \
    "$source/bindings/lua/vcsched-scm-1.rockspec" >"$rockspec"
# `luarocks pack` would put the path of this folder into it.
"$python" "$here/zip.py" "$folder/vcsched-$rock.src.rock" "$rockspec" "vcsched-$version.tar.gz"
mv "$rockspec" "$folder"
ls "$folder"
