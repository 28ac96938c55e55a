// SPDX-License-Identifier: MIT
//
// The module as it was built. VCSCHED_JS names its folder, VCSCHED_SOURCE that of the sources.

import { pathToFileURL } from 'node:url';
import { readFileSync } from 'node:fs';

const folder = pathToFileURL(`${process.env.VCSCHED_JS}/`);
export const module = await import(new URL('index.js', folder));
export const boinc = await import(new URL('boinc/index.js', folder));
export const { InputError, VcsError } = module;
export const vcs = await module.load();

/** The text of a file of the source tree. */
export function source(path) {
  return readFileSync(`${process.env.VCSCHED_SOURCE}/${path}`, 'utf8');
}

/** Two CPUs, two projects, three tasks, of which the last has little time: the host of README.md. */
export function smallHost() {
  return {
    resources: [{ flops: 1e9, usable: 0.8, instances: 2 }],
    projects: [{ id: 1, share: 2 }, { id: 2, share: 1 }],
    tasks: [
      { id: 1, project: 0, remaining: 7200, deadline: 86400 },
      { id: 2, project: 0, remaining: 7200, deadline: 86400 },
      { id: 3, project: 1, remaining: 3600, deadline: 8000 },
    ],
  };
}

/** Two projects of a computer with two CPUs that is on for four fifths of the time. */
export function smallScenario() {
  return {
    resources: [{ flops: 1e9, usable: 0.8, instances: 2 }],
    projects: [{ id: 1, share: 100 }, { id: 2, share: 100 }],
    apps: [{ id: 1, project: 0 }, { id: 2, project: 1 }],
    models: [
      { latency_bound: 40000, est_flops: 1e13, mean_flops: 1e13, sd_flops: 3e12 },
      { latency_bound: 500000, est_flops: 8e13, mean_flops: 8e13, sd_flops: 2e13 },
    ],
    emulation: { duration: 10 * 86400, available: 0.8, available_mean: 3600 },
  };
}
