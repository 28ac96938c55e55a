#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A sweep on the nodes of an MPI job. The first process deals out the work, the others emulate.

    mpiexec -n 65 python3 -m mpi4py.futures mpi_sweep.py SCENARIO TABLE.csv SEEDS

What has ended is kept in TABLE.csv.jsonl. After a kill, the same command goes on.
"""

import sys

from mpi4py.futures import MPIPoolExecutor

import vcsched as v

# Change this to your own values.
GRID = {"min_buffer": [3600, 14400, 57600], "app.latency_bound": [26000, 39000, 52000, 65000]}


def main(scenario, table, seeds):
    with MPIPoolExecutor() as executor:
        found = v.sweep(v.Scenario.read(scenario), GRID, seeds=int(seeds), executor=executor, resume=f"{table}.jsonl")
    with open(table, "w", encoding="utf-8", newline="") as stream:
        found.write_csv(stream)


if __name__ == "__main__":
    main(*sys.argv[1:])
