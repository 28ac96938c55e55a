// SPDX-License-Identifier: MIT

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { source, vcs } from '../../bindings/js/tests/package.mjs';

const { course } = await import(pathToFileURL(`${process.env.VCSCHED_SOURCE}/examples/playground/work/course.js`));

const { Bars } = await import(pathToFileURL(`${process.env.VCSCHED_SOURCE}/examples/playground/work/bars.js`));

const STATES = ['small_state.ini',
  ...readdirSync(`${process.env.VCSCHED_SOURCE}/examples/scenarios/states`).map((name) => `states/${name}`)];

for (const profile of ['current', 'steady']) {
  test(`the picture begins with what the plan runs: ${profile}`, () => {
    let running = 0;
    for (const name of STATES) {
      const text = source(`examples/scenarios/${name}`);
      const host = vcs.parseState(text, { profile });
      const planned = vcs.plan(host).schedule.running.map(({ task }) => task);
      const [{ bars }] = course(vcs, { text, policies: [{ profile, settings: {} }] });
      const begun = bars.filter(({ start }) => start === 0).map(({ task }) => task);
      assert.deepEqual(begun.sort(), planned.sort(), name);
      running += host.tasks.filter(({ flags }) => flags & vcs.TASK_RUNNING).length;
    }
    assert.ok(running > 0); // some of these tasks run already
  });
}

test('tasks that are given up are counted, at once or later', () => {
  const text = source('examples/scenarios/small_state.ini');
  const count = (profile) => course(vcs, { text, policies: [{ profile, settings: {} }] })[0].givenUp;
  assert.deepEqual([count('current'), count('steady')], [0, 1]);
  const bars = new Bars(vcs, 0);
  for (const time of [1, 2]) {
    bars.observe({ kind: vcs.EVENT_GIVEN_UP, time, task: time });
  }
  assert.equal(bars.told(50, []).givenUp, 2);
});

/** The places of tasks with these uses, which start one after the other on so many instances and run on. */
function placesOf(instances, uses) {
  const bars = new Bars(vcs, 0);
  uses.forEach((use, index) => bars.observe({ kind: vcs.EVENT_STARTED, time: index, task: index, resource: 0,
    project: 0, deadline: 100, amount: use }));
  return bars.told(50, [{ instances }]).bars.map(({ places }) => places.map(({ from, use }) =>
    [from, use].map((number) => Number(number.toFixed(6)))));
}

test('a task is drawn on what it uses, and beyond the instances only if all are in use', () => {
  assert.deepEqual(placesOf(4, [4]), [[[0, 1], [1, 1], [2, 1], [3, 1]]]);
  assert.deepEqual(placesOf(2, [0.5, 0.5, 1]), [[[0, 0.5]], [[0.5, 0.5]], [[1, 1]]]);
  assert.deepEqual(placesOf(2, [0.4, 0.4, 0.4, 0.4, 0.4]),
    [[[0, 0.4]], [[0.4, 0.4]], [[1, 0.4]], [[1.4, 0.4]], [[0.8, 0.2], [1.8, 0.2]]]);
  assert.deepEqual(placesOf(2, [1, 1, 1, 0.5]), [[[0, 1]], [[1, 1]], [[2, 1]], [[3, 0.5]]]);
  assert.deepEqual(placesOf(4, [3, 3]), [[[0, 1], [1, 1], [2, 1]], [[3, 1], [4, 1], [5, 1]]]);
});
