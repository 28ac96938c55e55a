// SPDX-License-Identifier: MIT
//
// The same cases through native C and through JavaScript give the same bytes. VCSCHED_VECTORS prints them.

import assert from 'node:assert/strict';
import test from 'node:test';
import { execFileSync } from 'node:child_process';
import { vcs } from './package.mjs';

const CASES = 120;
const INPUTS = { host: 'host', resources: 'resource', projects: 'project', project_resources: 'project_resource',
  apps: 'app', app_resources: 'app_resource', hours: 'hour', tasks: 'task', candidates: 'task',
  parameters: 'parameters' };
const SCENARIO = ['host', 'resources', 'projects', 'apps', 'tasks', 'emulation', 'models', 'servers', 'sizes',
  'switches', 'parameters', 'outcome', 'outcomes', 'events'];
const SCENARIO_KINDS = { ...INPUTS, emulation: 'emulation', models: 'job_model', servers: 'server_model' };
const SINGLE = new Set(['host', 'emulation', 'parameters']);
const lines = execFileSync(process.env.VCSCHED_VECTORS, [String(CASES)], { encoding: 'ascii', maxBuffer: 2 ** 28 })
  .trim().split('\n').map((line) => {
    const [name, ...words] = line.split(' ');
    return [name, ...words.map((word) => (word === '-' ? Buffer.alloc(0) : Buffer.from(word, 'hex')))];
  });
const linesOf = (name) => lines.filter(([first]) => first === name);

function same(kind, found, expected, what) {
  assert.equal(Buffer.from(vcs.bytes(kind, found)).toString('hex'), expected.toString('hex'), what);
}

function decide(state, admitted) {
  const wrr = state.wrr();
  const edf = state.edf();
  const schedule = state.schedule();
  const fetch = state.fetch();
  return { wrr: ['wrr_summary', wrr.summary], wrr_tasks: ['task_forecast', wrr.tasks],
    wrr_resources: ['resource_forecast', wrr.resources],
    wrr_project_resources: ['project_resource_forecast', wrr.project_resources],
    edf: ['edf_summary', edf.summary], edf_tasks: ['edf_task', edf.tasks],
    edf_resources: ['edf_resource', edf.resources], schedule: ['schedule_summary', schedule.summary],
    schedule_tasks: ['task_decision', schedule.tasks], schedule_resources: ['resource_decision', schedule.resources],
    fetch: ['fetch_summary', fetch.summary], fetch_decisions: ['fetch_decision', fetch.project_resources],
    admit: Array.from({ length: admitted }, (_, candidate) => ['admission', state.admit(candidate)]) };
}

test('decisions over a host', () => {
  let inputs;
  let answers;
  let admitted;
  let compared = 0;
  const hosts = linesOf('case').length;
  for (const [name, bytes] of lines) {
    if (name === 'case') {
      inputs = {};
      answers = undefined;
      admitted = 0;
    } else if (INPUTS[name] !== undefined) {
      const records = vcs.records(INPUTS[name], bytes);
      inputs[name] = SINGLE.has(name) ? records[0] : records;
    } else if (name === 'now') {
      inputs.now = bytes.readDoubleLE();
    } else if (['average_blend', 'backoff', 'estimate_remaining', 'emulate'].includes(name)) {
      continue;
    } else {
      answers ??= decide(vcs.prepare(inputs), inputs.candidates.length);
      const [kind, found] = name === 'admit' ? answers.admit[admitted++] : answers[name];
      same(kind, found, bytes, name);
      compared += 1;
    }
  }
  assert.equal(hosts, CASES);
  assert.ok(compared >= 12 * CASES);
});

test('kernels', () => {
  let compared = 0;
  for (const [, record, given, after] of linesOf('average_blend')) {
    const [average] = vcs.records('average', record);
    const [halfLife, now, work] = [0, 8, 16].map((at) => given.readDoubleLE(at));
    assert.equal(vcs.averageBlend(average, work, halfLife, now), average);
    same('average', average, after, 'average_blend');
    compared += 1;
  }
  for (const [, range, failures, u, wait] of linesOf('backoff')) {
    assert.equal(vcs.backoff(failures.readUInt32LE(), vcs.records('backoff_range', range)[0], u.readDoubleLE()),
      wait.readDoubleLE());
    compared += 1;
  }
  for (const [, progress, rule, seconds] of linesOf('estimate_remaining')) {
    assert.equal(vcs.estimateRemaining(vcs.records('progress', progress)[0], rule.readUInt32LE()),
      seconds.readDoubleLE());
    compared += 1;
  }
  assert.equal(compared, 3 * CASES);
});

function scenarioOf(words) {
  const scenario = {};
  SCENARIO.slice(0, 11).forEach((name, index) => {
    const bytes = words[index];
    if (name === 'sizes' || name === 'switches') {
      scenario[name] = Array.from({ length: bytes.length / 8 }, (_, at) => bytes.readDoubleLE(8 * at));
    } else {
      const records = vcs.records(SCENARIO_KINDS[name], bytes);
      scenario[name] = SINGLE.has(name) ? records[0] : records;
    }
  });
  return scenario;
}

test('emulations', () => {
  const cases = linesOf('emulate');
  for (const [, ...words] of cases) {
    const seen = [];
    const found = vcs.emulate(scenarioOf(words), { events: true, observe: (event) => seen.push(event) });
    same('outcome', found.outcome, words[11], 'outcome');
    same('project_outcome', found.projects, words[12], 'projects');
    same('event', found.events, words[13], 'events');
    assert.deepEqual(seen, found.events);
  }
  assert.equal(cases.length, CASES / 5);
});

// A policy that asks the library is the library's own. A fetch of one's own takes the place of sessions: so none here.
test('the library as a policy in JavaScript', () => {
  for (const [, ...words] of linesOf('emulate')) {
    const scenario = scenarioOf(words);
    if (scenario.parameters.work_fetch === vcs.WORK_FETCH_SESSIONS) {
      scenario.parameters.work_fetch = vcs.WORK_FETCH_CURRENT;
    }
    const expected = vcs.emulate(scenario, { events: true });
    let asked = 0;
    const found = vcs.emulate(scenario, { events: true, policy: {
      schedule: ({ state }) => {
        asked += 1;
        return state.schedule(asked % 2 === 0 ? vcs.SCHEDULE_EXPLAIN : vcs.SCHEDULE_RUNNING);
      },
      fetch: ({ state, parameters }, question) => {
        if (parameters.discipline === vcs.DISCIPLINE_SLICED) {
          state.schedule(vcs.SCHEDULE_RUNNING); // so that it asks for what that leaves idle
        }
        return state.fetch(question);
      },
      estimate: (progress, rule) => vcs.estimateRemaining(progress, rule),
    } });
    assert.deepEqual(found, expected);
    assert.ok(asked > 0);
  }
});
