// SPDX-License-Identifier: MIT

import assert from 'node:assert/strict';
import test from 'node:test';
import { smallHost, source, vcs, VcsError, InputError } from './package.mjs';

test('a host is planned', () => {
  const { wrr, edf, schedule, fetch } = vcs.plan(smallHost());
  // By shares, the task of the smaller project runs beside one of the other: 3600 s of work take 4500 s.
  assert.deepEqual(wrr.tasks.map((task) => task.verdict), [vcs.VERDICT_MEETS, vcs.VERDICT_MEETS, vcs.VERDICT_MEETS]
    .map((meets, index) => (wrr.tasks[index].finish > smallHost().tasks[index].deadline ? vcs.VERDICT_MISSES : meets)));
  assert.equal(schedule.running.length, 2);
  assert.equal(schedule.tasks.filter((task) => task.run).length, 2);
  assert.equal(edf.resources.length, 1);
  assert.equal(fetch.project_resources.length, 2);
  assert.equal(fetch.summary.project, null);
});

test('a state goes its own way', () => {
  const state = vcs.prepare(smallHost());
  assert.throws(() => state.schedule(), { name: 'VcsError', constant: 'VCS_ERR_SEQUENCE' });
  state.wrr();
  const before = state.schedule();
  const copy = state.copy();
  const host = smallHost();
  host.tasks[2].flags = vcs.TASK_SUSPENDED;
  state.renew(host);
  state.wrr();
  assert.equal(state.schedule().tasks[2].reason, vcs.REASON_TASK_SUSPENDED);
  assert.deepEqual(copy.scheduleTasks(), before.tasks);
  // More records than there is memory for: the state moves.
  host.tasks = Array.from({ length: 500 }, (_, id) => ({ id, project: id % 2, remaining: 60 * (id + 1) }));
  state.renew(host);
  assert.equal(state.wrr().tasks.length, 500);
  assert.deepEqual(state.wrrTasks(), vcs.plan(host).wrr.tasks);
  state.free();
  copy.free();
  assert.throws(() => state.wrr(), /there no more/);
});

test('what is refused is named', () => {
  const refused = (change, expected) => {
    const host = smallHost();
    change(host);
    assert.throws(() => vcs.plan(host), expected);
  };
  refused((host) => { host.tasks[1].remaining = -1; }, (error) => error instanceof VcsError
    && error.message === 'plan(): task 1: remaining is negative' && error.record === 'task' && error.index === 1
    && error.field === 'remaining' && error.constant === 'VCS_ERR_RANGE' && error.code === vcs.ERR_RANGE);
  refused((host) => { host.tasks[1].project = 7; }, { constant: 'VCS_ERR_INDEX', field: 'project' });
  refused((host) => { host.tasks[1].remaining = NaN; }, { constant: 'VCS_ERR_NOT_FINITE' });
  refused((host) => { host.tasks[1].id = 1; }, { constant: 'VCS_ERR_DUPLICATE' });
  refused((host) => { host.tasks[1].remaining = '60'; },
    { name: 'TypeError', message: 'plan(): tasks[1].remaining must be a number, not "60"' });
  refused((host) => { host.tasks[1].project = 0.5; }, /tasks\[1\]\.project must be an index, not 0\.5/);
  refused((host) => { host.tasks[1].project = -1; }, { name: 'RangeError' });
  refused((host) => { host.tasks[1].app = 'none'; }, /tasks\[1\]\.app must be an index or null, not "none"/);
  refused((host) => { host.tasks[1].cpu = 1; }, /tasks\[1\] has no field cpu/);
  refused((host) => { host.tasks[1].id = 2 ** 53 + 2; }, /must be a BigInt/);
  refused((host) => { host.tasks[1].id = 2n ** 64n; }, { name: 'RangeError' });
  refused((host) => { host.tasks[1].id = 'x'; }, /must be a whole number or a BigInt/);
  refused((host) => { host.tasks[1] = null; }, /tasks\[1\] must be an object with the fields of task, not null/);
  refused((host) => { host.tasks = {}; }, /tasks must be an array, not an object/);
  refused((host) => { host.task = []; }, /host has no part task/);
  refused((host) => { host.parameters = 'modern'; }, /profile must be one of .*current.*, not "modern"/);
  refused((host) => { host.parameters = { work_fetch: 'never' }; },
    /work_fetch must be one of .*current.*, not "never"/);
  refused((host) => { host.now = '0'; }, /now must be a number/);
  assert.throws(() => vcs.plan(null), /must be an object with arrays of records, not null/);
});

test('parameters are a profile and what differs from it', () => {
  const { parameters, ...rest } = vcs.parseState(source('examples/scenarios/small_state.ini'));
  assert.equal(vcs.profileName(parameters.profile), 'current');
  const given = vcs.record('parameters', { profile: 'rpc2003', min_buffer: 7, work_fetch: 'wf2' });
  assert.deepEqual([given.profile, given.min_buffer, given.work_fetch],
    [vcs.PROFILE_RPC2003, 7, vcs.WORK_FETCH_WF2]);
  assert.deepEqual(vcs.parametersInit('rpc2003'), vcs.record('parameters', { profile: vcs.PROFILE_RPC2003 }));
  assert.equal(vcs.choices('profile').rpc2003, vcs.PROFILE_RPC2003);
  assert.deepEqual(vcs.choices('min_buffer'), {});
  assert.ok(rest.tasks.length > 0);
});

test('defaults are those of a state file', () => {
  const task = vcs.record('task');
  assert.deepEqual([task.cpus, task.app, task.deadline, task.remaining], [1, null, Infinity, 0]);
  assert.equal(vcs.record('project').share, 100);
  assert.deepEqual(vcs.record('job_model', { est_flops: 5 }).mean_flops, 5);
});

test('fields have units and ranges', () => {
  const remaining = vcs.fields('task').find((field) => field.name === 'remaining');
  assert.equal(remaining.unit, 's');
  assert.equal(remaining.minimum, 0);
  assert.throws(() => vcs.fields('tusk'), /no kind tusk/);
});

test('whole numbers above 2^53 are BigInts', () => {
  const large = 2n ** 63n + 1n;
  const host = smallHost();
  host.tasks[0].id = large;
  assert.equal(vcs.plan(host).schedule.tasks.length, 3);
  assert.equal(vcs.record('task', { id: large }).id, large);
  assert.equal(vcs.record('task', { id: 2 ** 53 }).id, 2 ** 53);
  assert.equal(vcs.record('task', { id: 5n }).id, 5);
});

test('a plan in words', () => {
  const state = vcs.parseState(source('examples/scenarios/small_state.ini'));
  const words = vcs.planWords(state);
  assert.equal(words.tasks[0], 'skymap_2031_a: does not run. Its application is at its limit of tasks or instances. '
    + 'It would finish in 15 h 27 min, in time.');
  assert.equal(words.requests.length, state.projects.length * state.resources.length);
  assert.match(words.fetch, /^Škoda is asked for work now\.$/);
  // With a larger buffer more is missing of both resources: meteors comes first for the CPU, but Škoda is called.
  const patient = { ...state, parameters: { ...state.parameters, min_buffer: 259200 } };
  const { requests } = vcs.planWords(patient);
  assert.ok(requests[0].endsWith('Another project is ahead of it. Škoda is called now, for another resource.'));
  assert.ok(requests[2].endsWith('Another project is ahead of it. meteors goes before it.'));
});

test('durations', () => {
  const expected = { 0: '0 s', 59: '59 s', 60: '1 min', 3599: '59 min 59 s', 3600: '1 h', 86399: '1 d', 86400: '1 d',
    90000: '1 d 1 h', [-5400]: '-1 h 30 min' };
  for (const [seconds, words] of Object.entries(expected)) {
    assert.equal(vcs.duration(Number(seconds)), words);
  }
  assert.equal(vcs.duration(Infinity), 'never');
});

test('a file that is wrong is refused with its line', () => {
  assert.throws(() => vcs.parseState('[host]\ncpus = many\n', { source: 'mine.ini' }),
    (error) => error instanceof InputError && error.line === 2 && error.source === 'mine.ini');
  assert.throws(() => vcs.parseState(5), TypeError);
  assert.throws(() => vcs.parseState('', { file: 'x' }), /no option file/);
});

test('options change what a file says', () => {
  const text = source('examples/scenarios/small_state.ini');
  const { parameters } = vcs.parseState(text, { profile: 'rpc2003', settings: { min_buffer: 60 } });
  assert.equal(parameters.profile, vcs.PROFILE_RPC2003);
  assert.equal(parameters.min_buffer, 60);
});

test('memory does not grow', () => {
  const host = smallHost();
  const size = () => process.memoryUsage().arrayBuffers;
  for (let round = 0; round < 200; round++) {
    vcs.plan(host);
  }
  const before = size();
  for (let round = 0; round < 2000; round++) {
    vcs.plan(host);
    assert.throws(() => vcs.plan({ ...host, tasks: [{ remaining: -1 }] }));
  }
  assert.ok(size() <= before + (1 << 20), `${size() - before} bytes more`);
});
