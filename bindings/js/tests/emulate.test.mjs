// SPDX-License-Identifier: MIT

import assert from 'node:assert/strict';
import test from 'node:test';
import { smallScenario, source, vcs, VcsError } from './package.mjs';

test('a scenario is emulated', () => {
  const { outcome, projects, resources, events } = vcs.emulate(smallScenario(), { events: true });
  assert.ok(outcome.waste < 0.1 && resources[0].idleness < 0.1);
  assert.equal(projects[0].in_time + projects[1].in_time, outcome.in_time);
  assert.equal(events.filter((event) => event.kind === vcs.EVENT_ENDED).length, outcome.ended);
  assert.deepEqual(vcs.emulate(smallScenario()).events, []);
  assert.notDeepEqual(vcs.emulate(smallScenario(), { seed: 2 }).outcome, outcome);
});

test('a figure without a value is null', () => {
  const scenario = smallScenario();
  scenario.emulation.duration = 60;
  const { outcome } = vcs.emulate(scenario);
  assert.equal(outcome.rpcs_per_job, null);
  assert.notEqual(outcome.waste, null);
});

test('a file is emulated', () => {
  const scenario = vcs.parseScenario(source('examples/scenarios/unreliable.ini'));
  const { outcome } = vcs.emulate(scenario);
  assert.ok(outcome.failed_calls > 0);
});

test('a policy in JavaScript decides', () => {
  const shortestFirst = ({ tasks, resources: [cpu] }) => {
    let free = cpu.instances;
    const running = tasks.map((task, index) => index).sort((a, b) => tasks[a].remaining - tasks[b].remaining)
      .filter((index) => {
        const fits = tasks[index].cpus <= free;
        free -= fits ? tasks[index].cpus : 0;
        return fits;
      });
    return { running, next_check: 3600 };
  };
  const own = vcs.emulate(smallScenario(), { policy: { schedule: shortestFirst } });
  assert.notEqual(own.outcome.monotony, vcs.emulate(smallScenario()).outcome.monotony);
});

test('a fetch of ones own asks one project', () => {
  let asked = 0;
  const fetch = ({ projects, now }, { purpose, project }) => {
    asked += 1;
    const turn = Math.floor(now / 3600) % projects.length;
    return { requests: [{ project: purpose === vcs.FETCH_PIGGYBACK ? project : turn, seconds: 7200 }],
      next_check: 600 };
  };
  const { outcome } = vcs.emulate(smallScenario(), { policy: { fetch } });
  assert.ok(asked > 0 && outcome.received > 0);
  const wish = (more) => vcs.emulate(smallScenario(), { policy: { fetch: () => ({
    requests: [{ project: 0, seconds: 1e6, ...more }], next_check: 86400 }) } }).outcome;
  const one = wish({ jobs: 1 });
  assert.ok(one.received > 0 && one.received <= one.calls && one.received < wish({}).received);
  assert.equal(wish({ latency_bound: 1e9 }).received, 0);
  const nobody = vcs.emulate(smallScenario(), { policy: { fetch: () => ({ requests: [] }) } });
  assert.equal(nobody.outcome.received, 0);
  assert.throws(() => vcs.emulate(smallScenario(), { policy: { fetch: () => ({
    requests: [{ project: 0, seconds: 1 }, { project: 1, seconds: 1 }] }) } }), /one call is of one project/);
});

test('send and estimate decide', () => {
  const none = vcs.emulate(smallScenario(), { policy: { send: () => false } });
  assert.equal(none.outcome.received, 0);
  assert.ok(none.outcome.refused > 0);
  let estimates = 0;
  vcs.emulate(smallScenario(), { policy: { estimate: (progress) => {
    estimates += 1;
    return progress.est_flops / progress.flops;
  } } });
  assert.ok(estimates > 0);
});

test('what a function throws comes out unchanged, and nothing is left behind', () => {
  const enough = new Error('enough');
  for (let round = 0; round < 50; round++) {
    let seen = 0;
    assert.throws(() => vcs.emulate(smallScenario(), { observe: () => {
      seen += 1;
      if (seen === 10) {
        throw enough;
      }
    } }), (error) => error === enough);
    assert.equal(seen, 10);
  }
  assert.throws(() => vcs.emulate(smallScenario(), { policy: { send: () => 'perhaps' } }), /true or false/);
  assert.throws(() => vcs.emulate(smallScenario(), { policy: { estimate: () => '5' } }), /must be a number/);
  assert.throws(() => vcs.emulate(smallScenario(), { policy: { schedule: () => undefined } }), /running or tasks/);
  assert.throws(() => vcs.emulate(smallScenario(), { policy: { schedule: () => ({ running: [99] }) } }),
    /there is no task 99/);
  for (const running of [[0, 0], [{ task: 0, decision: {} }, 0]]) {
    assert.throws(() => vcs.emulate(smallScenario(), { policy: { schedule: ({ tasks }) =>
      ({ running: tasks.length > 0 ? running : [] }) } }), /^RangeError: schedule\(\) runs task 0 twice$/);
  }
  assert.throws(() => vcs.emulate(smallScenario(), { policy: { schedul: () => 0 } }), /one of the functions/);
  assert.throws(() => vcs.emulate(smallScenario(), { polici: 1 }), /no option polici/);
});

test('an emulation within a function of another', () => {
  const alone = vcs.emulate(smallScenario()).outcome;
  let inner;
  const outer = vcs.emulate(smallScenario(), { observe: (event) => {
    inner ??= event.kind === vcs.EVENT_ENDED ? vcs.emulate(smallScenario()).outcome : undefined;
  } });
  assert.deepEqual(inner, alone);
  assert.deepEqual(outer.outcome, alone);
});

test('a situation lasts as long as the call', () => {
  let kept;
  let state;
  vcs.emulate(smallScenario(), { policy: { schedule: (situation) => {
    kept ??= situation;
    state ??= situation.state;
    return situation.state.schedule();
  } } });
  assert.throws(() => kept.tasks, /lasts as long as the call/);
  assert.throws(() => state.wrr(), /there no more/);
});

test('impossible decisions are refused by the library', () => {
  assert.throws(() => vcs.emulate(smallScenario(), { policy: {
    schedule: ({ tasks }) => ({ running: tasks.map((_, index) => index) }) } }),
  (error) => error instanceof VcsError && error.constant === 'VCS_ERR_RANGE');
});

test('what a host loses at least', () => {
  const scenario = smallScenario();
  const bounds = vcs.bound(scenario);
  assert.equal(bounds.length, 2);
  const { projects, resources } = vcs.emulate(scenario);
  const { lost, least } = vcs.boundBeyond(bounds, vcs.BOUND_OPTIMAL, projects, resources);
  assert.ok(lost > least);
  const { points, corners } = vcs.boundCurve(bounds, vcs.BOUND_OPTIMAL);
  assert.ok(corners >= 1 && points.length === 2);
});
