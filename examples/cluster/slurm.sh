#!/bin/sh
# SPDX-License-Identifier: MIT
#
# A sweep as an array of jobs: each is a part of it.
#
#     sbatch --array=1-N slurm.sh N FOLDER SCENARIO OPTION...
#
# What was killed, or had no more time, is submitted again with the same command, or with the numbers of some parts:
# --array=3,7. Each goes on where its file ends. Slurm runs a copy of this file, so CLUSTER says where the others are,
# if that is not examples/cluster.
#
#SBATCH --job-name=sweep
#SBATCH --cpus-per-task=1
#SBATCH --output=/dev/null
#SBATCH --requeue

set -u

[ $# -ge 4 ] || { sed -n 's/^#     /usage: /p' "$0" >&2; exit 2; }
folder=$2

# When a part is started again, its messages follow the earlier ones.
THREADS=$SLURM_CPUS_PER_TASK exec sh "${CLUSTER:-examples/cluster}/shard.sh" "$SLURM_ARRAY_TASK_ID" "$@" \
    2>>"$folder/part-$SLURM_ARRAY_TASK_ID.log"
