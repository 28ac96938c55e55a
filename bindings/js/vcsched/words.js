// SPDX-License-Identifier: MIT
//
// A plan in words, from the reasons of the library.

import { NONE, VERDICT_MEETS, VERDICT_MISSES, VERDICT_STUCK, VERDICT_SUSPENDED } from './constants.js';

const UNITS = [['d', 86400], ['h', 3600], ['min', 60], ['s', 1]];

/** A duration for a person: '1 d 3 h', '45 min'. */
export function duration(seconds) {
  if (!Number.isFinite(seconds)) {
    return 'never';
  }
  const size = Math.abs(seconds);
  const first = UNITS.findIndex(([, length]) => size >= length);
  if (first < 0) {
    return '0 s';
  }
  const parts = [];
  let rest = Math.round(size / (UNITS[first + 1]?.[1] ?? 1)) * (UNITS[first + 1]?.[1] ?? 1);
  for (const [unit, length] of UNITS.slice(Math.max(0, first - 1), first + 2)) {
    const whole = Math.floor(rest / length);
    rest -= whole * length;
    if (whole > 0) {
      parts.push(`${whole} ${unit}`);
    }
  }
  return `${seconds < 0 ? '-' : ''}${parts.join(' ')}`;
}

const nameOf = (record, kind, index) => record?.name ?? `${kind} ${index}`;

/** Whether it would end after the deadline itself, not only after the time that a policy keeps before it. */
const isPast = (forecast, task, now) => now + forecast.finish > task.deadline;

function forecastWords(forecast, task, now) {
  switch (forecast.verdict) {
    case VERDICT_MEETS:
      return `It would finish in ${duration(forecast.finish)}, in time.`;
    case VERDICT_MISSES:
      return `In its turn it would finish in ${duration(forecast.finish)}, ${isPast(forecast, task, now)
        ? 'after its deadline' : 'too close to its deadline'}.`;
    case VERDICT_STUCK:
      return 'It can never start.';
    case VERDICT_SUSPENDED:
      return '';
    default:
      return 'When it finishes is not known.';
  }
}

/** What a plan says of each task, each project on each resource, and the host as a whole. */
export function planWords(module, host, plan) {
  const sentence = (code) => module.memory.text(module.exports.vcs_reason_sentence(code));
  const resources = host.resources ?? [];
  const resourceName = (index) => resources[index]?.name ?? (index === 0 ? 'CPU' : `GPU ${index}`);
  const projectName = (index) => nameOf(host.projects?.[index], 'project', index);
  const tasks = (host.tasks ?? []).map((task, index) => {
    const decision = plan.schedule.tasks[index];
    return [`${nameOf(task, 'task', index)}: ${decision.run ? 'runs' : 'does not run'}.`,
      sentence(decision.reason), forecastWords(plan.wrr.tasks[index], task, host.now ?? 0)]
      .filter((part) => part !== '').join(' ');
  });
  // The best project for a resource gives way to the project that is called now, for another resource.
  const aheadOf = ({ better, priority }, resource) => ` ${projectName(better)} ${
    plan.fetch.project_resources[better * resources.length + resource].priority < priority
      ? 'is called now, for another resource' : 'goes before it'}.`;
  const requests = plan.fetch.project_resources.map((decision, index) => {
    const project = Math.floor(index / resources.length);
    const resource = index % resources.length;
    const asked = decision.seconds > 0
      ? `is asked for ${duration(decision.seconds)} of work for ${resourceName(resource)}`
      : `is not asked for work for ${resourceName(resource)}`;
    const wait = decision.wait > 0 ? ` This lasts for another ${duration(decision.wait)}.` : '';
    const better = decision.better === null || decision.better === NONE ? '' : aheadOf(decision, resource);
    return `${projectName(project)} ${asked}. ${sentence(decision.reason)}${better}${wait}`.trim();
  });
  const { summary } = plan.fetch;
  const fetch = summary.project === null ? `Nobody is asked for work now. ${sentence(summary.reason)}`.trim()
    : `${projectName(summary.project)} is asked for work now.`;
  return { tasks, requests, fetch };
}
