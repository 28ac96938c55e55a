// SPDX-License-Identifier: MIT
//
// Quantities and reasons for a person.

/** Later than any deadline, s from now. */
export const NEVER = 1e11;

export const count = (number, one, many = `${one}s`) => `${number} ${number === 1 ? one : many}`;

export const percent = (fraction) => `${(100 * fraction).toFixed(fraction > 0.1 || fraction === 0 ? 0 : 1)} %`;

export const number = (value) => new Intl.NumberFormat('en', { maximumSignificantDigits: 4 }).format(value);

/** The short name of a reason: 'app limit'. */
export const reasonName = (vcs, code) => vcs.reasonName(code).replaceAll('_', ' ');

/** '1 Vega + 0.2 CPU'. */
export function usesOf(task, resources) {
  const uses = task.gpu > 0 ? [`${number(task.gpus || 1)} ${resources[task.gpu].name}`] : [];
  return [...uses, ...task.cpus > 0 ? [`${number(task.cpus)} CPU`] : []].join(' + ') || 'nothing';
}

/** Whether a plan gives a task up. It takes no part then in what is foreseen. */
export const isGivenUp = (vcs, plan, index) => (plan.schedule.tasks[index].flags & vcs.DECISION_GIVE_UP) !== 0;

/** What is wrong with the end of a task in its turn: 'late', 'too close' to its deadline, or '' for nothing. */
export function markOf(vcs, host, plan, index) {
  const { verdict, finish } = plan.wrr.tasks[index];
  if (verdict !== vcs.VERDICT_MISSES || isGivenUp(vcs, plan, index)) {
    return '';
  }
  return host.now + finish > host.tasks[index].deadline ? 'late' : 'too close';
}

/** When a task ends in its turn: '3 h 45 min', 'stuck', 'given up'. */
export function finishWords(vcs, plan, index) {
  if (isGivenUp(vcs, plan, index)) {
    return 'given up';
  }
  const forecast = plan.wrr.tasks[index];
  switch (forecast.verdict) {
    case vcs.VERDICT_MEETS:
    case vcs.VERDICT_MISSES:
      return vcs.duration(forecast.finish);
    case vcs.VERDICT_STUCK:
      return 'stuck';
    case vcs.VERDICT_SUSPENDED:
      return 'suspended';
    default:
      return 'not known';
  }
}
