// SPDX-License-Identifier: MIT
//
// State files that are read, written and read again describe the same host.

import assert from 'node:assert/strict';
import test from 'node:test';
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { source, vcs } from './package.mjs';

const FOLDER = 'examples/scenarios';
const names = readdirSync(`${process.env.VCSCHED_SOURCE}/${FOLDER}`).filter((name) => name.endsWith('.ini'));

function read(name) {
  const text = source(`${FOLDER}/${name}`);
  const folder = readdirSync(`${process.env.VCSCHED_SOURCE}/${FOLDER}`).filter((one) => /\.(txt|csv)$/.test(one));
  const files = Object.fromEntries(folder.map((one) => [one, source(`${FOLDER}/${one}`)]));
  return { text, options: { source: name, files } };
}

test('a state is written as it was read', () => {
  let tasks = 0;
  for (const name of names) {
    const { text, options } = read(name);
    const state = vcs.parseState(text, options);
    const again = vcs.parseState(vcs.formatState(state), options);
    assert.deepEqual(again, state, name);
    assert.deepEqual(vcs.plan(again), vcs.plan(state), name);
    tasks += state.tasks.length;
  }
  assert.ok(tasks > 10);
});

const KINDS = { host: 'host', resources: 'resource', projects: 'project', project_resources: 'project_resource',
  apps: 'app', app_resources: 'app_resource', hours: 'hour', tasks: 'task', candidates: 'task',
  parameters: 'parameters' };

/** Records without what a file does not keep: ids, and names. */
function withoutIds(state) {
  const plain = ({ id, name, ...record }) => record;
  return Object.fromEntries(Object.entries(state).map(([part, value]) => [part,
    Array.isArray(value) ? value.map(plain) : typeof value === 'object' ? plain(value) : value]));
}

test('random hosts are written as they are', () => {
  const words = execFileSync(process.env.VCSCHED_VECTORS, ['100'], { encoding: 'ascii', maxBuffer: 2 ** 28 })
    .split('\n').map((line) => line.split(' '));
  const states = [];
  for (const [name, hex] of words) {
    const bytes = Buffer.from(hex === '-' || hex === undefined ? '' : hex, 'hex');
    if (name === 'case') {
      states.push({});
    } else if (name === 'now') {
      states.at(-1).now = bytes.readDoubleLE();
    } else if (KINDS[name] !== undefined) {
      const records = vcs.records(KINDS[name], bytes);
      states.at(-1)[name] = name === 'host' || name === 'parameters' ? records[0] : records;
    }
  }
  for (const state of states) {
    assert.deepEqual(withoutIds(vcs.parseState(vcs.formatState(state))), withoutIds(state));
  }
  assert.equal(states.length, 100);
});

test('a scenario is written as it was read', () => {
  let emulated = 0;
  for (const name of names) {
    const { text, options } = read(name);
    let scenario;
    try {
      scenario = vcs.parseScenario(text, { ...options, days: 3 });
    } catch (error) {
      assert.equal(error.name, 'InputError', name); // a state alone, with nothing to emulate
      continue;
    }
    const again = vcs.parseScenario(vcs.formatState(scenario), options);
    assert.deepEqual(vcs.emulate(again).outcome, vcs.emulate(scenario).outcome, name);
    emulated += 1;
  }
  assert.ok(emulated > 3);
});

test('records without names get some', () => {
  const state = { resources: [{ flops: 1e9, instances: 4 }, { flops: 1e12 }], projects: [{ id: 7 }],
    apps: [{ project: 0, max_concurrent: 2 }], now: 100, parameters: { profile: 'rpc2003', min_buffer: 0.1 },
    tasks: [{ project: 0, app: 0, gpu: 1, gpus: 0.5, cpus: 0.25, remaining: 1e-7, flags: vcs.TASK_RUNNING,
      devices: 1 }] };
  const again = vcs.parseState(vcs.formatState(state));
  assert.equal(again.tasks[0].name, 'task_0');
  assert.deepEqual([again.tasks[0].gpu, again.tasks[0].gpus, again.tasks[0].cpus, again.tasks[0].remaining,
    again.tasks[0].app, again.tasks[0].devices, again.now, again.parameters.min_buffer, again.apps[0].max_concurrent],
  [1, 0.5, 0.25, 1e-7, 0, 1, 100, 0.1, 2]);
  assert.throws(() => vcs.formatState({ projects: [] }), /must have the CPUs/);
});
