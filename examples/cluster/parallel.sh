#!/bin/sh
# SPDX-License-Identifier: MIT
#
# A sweep with GNU parallel, on this computer or on several that share a file system.
#
#     parallel.sh N FOLDER SCENARIO OPTION...
#
# Runs as many of the N parts at a time as there are processors; JOBS says otherwise, and HOSTS names computers as
# --sshlogin does. The same command again runs the parts that are not complete; each goes on where its file ends.

set -u

[ $# -ge 3 ] || { sed -n 's/^#     /usage: /p' "$0" >&2; exit 2; }
parts=$1 folder=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd) || exit 1

part=1
while [ "$part" -le "$parts" ]; do
    [ -e "$folder/part-$part.done" ] || echo "$part"
    part=$((part + 1))
done | parallel --quote --line-buffer --jobs "${JOBS:-100%}" ${HOSTS:+--sshlogin "$HOSTS" --workdir .} --env VCEMU \
    sh "$here/shard.sh" {} "$parts" "$folder" "$@"
