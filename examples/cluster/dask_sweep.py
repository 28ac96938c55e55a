#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A sweep on the workers of a Dask cluster.

    python3 dask_sweep.py ADDRESS SCENARIO TABLE.csv SEEDS

ADDRESS is the scheduler's, tcp://HOST:8786. Finished emulations are kept in TABLE.csv.jsonl. After a kill, the same
command goes on; workers may come and go.
"""

import sys

from distributed import Client

import vcsched as v

# Change this to your own values.
GRID = {"min_buffer": [3600, 14400, 57600], "app.latency_bound": [26000, 39000, 52000, 65000]}


def main(address, scenario, table, seeds):
    with Client(address) as client:
        found = v.sweep(v.Scenario.read(scenario), GRID, seeds=int(seeds), executor=client.get_executor(),
                        resume=f"{table}.jsonl")
    with open(table, "w", encoding="utf-8", newline="") as stream:
        found.write_csv(stream)


if __name__ == "__main__":
    main(*sys.argv[1:])
