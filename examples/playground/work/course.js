// SPDX-License-Identifier: MIT
//
// What becomes of the tasks at hand if nothing is fetched: the decision is carried out, time passes, and it is taken
// again until all is done.

import { Bars } from './bars.js';

const LONGEST = 60 * 86400;
/** The host is switched off for a while in each such time, s. */
const ROUND = 600;

/** The course under each policy: bars, how long it takes until all is done, and how many tasks are given up. */
export function course(vcs, { text, policies }) {
  return policies.map((policy) => courseOf(vcs, text, policy));
}

function courseOf(vcs, text, { profile, settings }) {
  const host = vcs.parseState(text, { profile: profile || undefined, settings });
  const { schedule } = vcs.plan(host);
  const kept = host.tasks.flatMap((task, index) => schedule.tasks[index].flags & vcs.DECISION_GIVE_UP ? []
    : [{ ...task, id: index }]);
  const before = host.tasks.length - kept.length;
  if (kept.length === 0) {
    return { bars: [], duration: 0, givenUp: before };
  }
  const scenario = withoutServers(vcs, host, kept);
  const told = new Bars(vcs, host.now);
  vcs.emulate(scenario, { observe: (event) => told.observe(event) });
  const { bars, givenUp } = told.told(scenario.emulation.duration, scenario.resources);
  return { bars, duration: bars.reduce((latest, { end }) => Math.max(latest, end), 0), givenUp: before + givenUp };
}

/**
 * The host without servers. A forecast spreads the time for which a host cannot compute evenly over all of it, and so
 * does this: the host is off for some minutes in each round, as long as its CPUs are not usable. Where a task finds its
 * processor usable for more or less than that, its work is made so much shorter or longer.
 */
function withoutServers(vcs, host, kept) {
  const [{ usable }] = host.resources;
  const tasks = kept.map((task) => ({ ...task, usable: 0,
    remaining: task.remaining * usable / (task.usable || host.resources[task.gpu].usable) }));
  const longest = tasks.reduce((sum, { remaining }) => sum + remaining, 0) / usable + 3600;
  const { candidates, now, ...parts } = host;
  const duration = Math.min(LONGEST, longest);
  return { ...parts, tasks, models: host.apps.map(() => ({ latency_bound: 1e6, est_flops: 1e12 })),
    resources: host.resources.map((resource) => ({ ...resource, usable })),
    projects: host.projects.map((project) => ({ ...project, flags: project.flags | vcs.PROJECT_NO_NEW_WORK })),
    switches: usable < 1 ? rounds(duration, usable) : [],
    emulation: { start: now, duration, flags: vcs.EMULATION_USABLE_GIVEN } };
}

/** Off, on, off, ..., so often that a picture does not show it, and no more than some thousand times. */
function rounds(duration, usable) {
  const length = Math.max(ROUND, duration / 2000);
  return Array.from({ length: 2 * Math.ceil(duration / length) }, (_, index) =>
    (Math.floor(index / 2) + (index % 2 === 0 ? usable : 1)) * length);
}
