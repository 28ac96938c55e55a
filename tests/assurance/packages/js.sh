#!/bin/sh
# SPDX-License-Identifier: MIT
#
# npm installs the package in a project of its own, without a network. In a small Debian, with its Node, the first
# example of doc/javascript.md and the package's own tests run with what npm installed; and the types are accepted.
#
#     js.sh MADE FOLDER BUILD

set -eu

# shellcheck source=tests/assurance/packages/system.sh
. "$(dirname "$0")/system.sh"

mkdir "$folder/fresh"
cd "$folder/fresh"
echo '{ "type": "module" }' >package.json
HOME=$folder npm install --offline --no-audit --no-fund --no-update-notifier "$made"/js/*.tgz
new_system bookworm
install nodejs node-typescript python3
as_root cp -R "$folder/fresh" "$system/opt/fresh"
as_root cp "$build/bindings/js/fingerprint.wasm" "$system/opt"
in_system <<'END'
# Certificates of the system outside are none here, which Node would say on each start.
unset NODE_EXTRA_CA_CERTS
cd /opt/fresh
node --version
awk '/^```js/ { wanted = 1; next } /^```/ && wanted { exit } wanted' /opt/project/doc/javascript.md >first.js
grep -q "from 'vcsched'" first.js
node first.js >printed
grep -q late printed
cp /opt/project/bindings/js/tests/types/usage.ts .
tsc --strict --noEmit --target es2022 --module es2022 --moduleResolution node --lib es2022,dom usage.ts
export VCSCHED_JS=/opt/fresh/node_modules/vcsched VCSCHED_FINGERPRINT=/opt/fingerprint.wasm VCSCHED_SOURCE=/opt/project
export VCSCHED_VECTORS=/opt/vectors VCSCHED_PYTHON=python3
node --test /opt/project/bindings/js/tests
END
