// SPDX-License-Identifier: MIT
//
// The coming days of a host with its servers: several seeds, under each policy.

import { Bars } from './bars.js';

/** The figures of merit: their names in vcs_outcome, for people, and which way is good. */
export const MERITS = [
  { name: 'waste', title: 'waste', unit: '%', better: 'lower' },
  { name: 'idleness', title: 'idleness', unit: '%', better: 'lower' },
  { name: 'share_violation', title: 'share violation', unit: '', better: 'lower' },
  { name: 'monotony', title: 'monotony', unit: '', better: 'lower' },
  { name: 'rpcs_per_job', title: 'calls of servers per job', unit: '', better: 'lower' },
  { name: 'stops_per_job', title: 'stops per job', unit: '', better: 'lower' },
  { name: 'in_time', title: 'jobs reported in time', unit: '', better: 'higher' },
  { name: 'late', title: 'jobs reported late', unit: '', better: 'lower' },
  { name: 'given_up', title: 'jobs given up', unit: '', better: 'lower' },
];

/**
 * Tells after each seed the outcome under each policy, and with the first seed also what is drawn of each: the
 * timeline, and the projects' names and outcomes. Tells after each emulation how far it is.
 */
export function future(vcs, { text, policies, days, seeds }, tell) {
  for (let seed = 1; seed <= seeds; seed++) {
    const found = policies.map(({ profile, settings }, index) => {
      const scenario = vcs.parseScenario(text, { profile: profile || undefined, settings, seed, days });
      const bars = seed === 1 ? new Bars(vcs, scenario.emulation.start) : null;
      const { outcome, projects } = vcs.emulate(scenario, bars === null ? {}
        : { observe: (event) => bars.observe(event) });
      tell({ done: ((seed - 1) * policies.length + index + 1) / (seeds * policies.length) });
      return {
        outcome: Object.fromEntries(MERITS.map(({ name }) => [name, Number(outcome[name])])),
        drawn: bars && {
          timeline: bars.told(scenario.emulation.duration, scenario.resources),
          projects: projects.map((project) => ({ in_time: Number(project.in_time), late: Number(project.late),
            part: project.flops_used / outcome.flops_used || 0 })),
          names: scenario.projects.map(({ name }) => name),
        },
      };
    });
    tell({ found });
  }
}
