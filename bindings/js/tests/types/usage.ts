// SPDX-License-Identifier: MIT
//
// Checked by tsc, and never run: what callers write has a type, and what is wrong is an error.

import { load, TASK_RUNNING, VcsError, VERDICT_MEETS } from 'vcsched';
import { importClientState } from 'vcsched/boinc';
import type { EmulatedGrid, HostState, Library, Plan, Situation, Task } from 'vcsched';

const host: HostState = {
  resources: [{ flops: 1e9, usable: 0.8, instances: 2 }],
  projects: [{ id: 1, share: 2, name: 'meteors' }],
  tasks: [{ id: 1n, project: 0, app: null, remaining: 7200, flags: TASK_RUNNING }],
  parameters: { profile: 'current', work_fetch: 'wf2', min_buffer: 3600 },
};

export async function use(): Promise<void> {
  const vcs: Library = await load();
  const plan: Plan = vcs.plan(host);
  const meets: boolean = plan.wrr.tasks[0].verdict === VERDICT_MEETS;
  const runs: boolean = plan.schedule.tasks[0].run;
  const project: number | null = plan.fetch.summary.project;
  const { order, priorities } = vcs.rank([{ id: 1, share: 1 }], { rule: vcs.RANK_PRIORITY });
  const first: number = order[0] + priorities[0];
  const waste: number | null = vcs.emulate({ ...host, models: [] }, {
    policy: { schedule: ({ tasks, state }: Situation) => (tasks.length > 1 ? state.schedule() : { running: [0] }) },
    observe: ({ time, task }) => console.log(time, task),
  }).outcome.waste;
  const grid: EmulatedGrid = vcs.emulateGrid(vcs.parseGrid('', { files: { 'hosts.csv': '' } }));
  const task: Task = vcs.record('task', { project: 0 });
  const state = vcs.prepare(host);
  const finish: number = state.wrrTasks()[0].finish;
  const { job } = vcs.dispatch({ clients: [{ id: 1 }] }).next(0, 1);
  const { text, warnings } = importClientState({ 'client_state.xml': new Uint8Array(), 'app_config.xml': { a: '' } },
    { now: 1.7e9, inUse: true });
  const imported: HostState = vcs.parseState(text, { source: warnings[0] });
  console.log(imported.now, meets, runs, project, first, waste, grid.outcome.hosts, task.deadline, finish, job);

  // @ts-expect-error a field that a task does not have
  vcs.record('task', { projct: 0 });
  // @ts-expect-error a text where a number belongs
  vcs.averageAdd({ value: 0, time: 0 }, 'much', 1, 0);
  // @ts-expect-error a host without resources
  vcs.plan({ tasks: [] });
  // @ts-expect-error no client state
  importClientState({ 'cc_config.xml': '' });
  // @ts-expect-error a policy that returns nothing
  vcs.emulate({ ...host }, { policy: { schedule: () => undefined } });
}

export function explain(error: unknown): string {
  return error instanceof VcsError ? `${error.record}.${error.field}: ${error.constant}` : String(error);
}
