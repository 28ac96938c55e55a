// SPDX-License-Identifier: MIT

import assert from 'node:assert/strict';
import test from 'node:test';
import { readdirSync } from 'node:fs';
import { source, vcs } from './package.mjs';

function smallGrid(changes = {}) {
  return {
    terms: { duration: 5 * 86400, sample: 86400 },
    projects: [{ id: 1, units: 200, min_quorum: 2, max_error: 3, max_total: 10, ...changes }],
    classes: [{ name: 'homes', model: { count: 20 },
      scenario: { resources: [{ flops: 1e9, instances: 2 }], emulation: { available: 0.7, available_mean: 7200 } } }],
  };
}

test('a grid is emulated', () => {
  const progress = [];
  const found = vcs.emulateGrid(smallGrid(), { events: true, progress: (done) => progress.push(done) });
  const [project] = found.projects;
  assert.equal(found.outcome.hosts, 20);
  assert.equal(project.done + project.failed + project.open, project.units);
  assert.ok(project.done > 100 && project.copies >= 2 * project.done);
  assert.equal(found.hosts.length, 20);
  assert.equal(found.samples[0].length, found.outcome.samples);
  assert.equal(found.turnarounds[0].reduce((sum, count) => sum + count), project.done);
  assert.equal(found.events.filter((event) => event.kind === vcs.GRID_EVENT_ACCEPTED).length, project.done);
  assert.ok(progress.length > 0);
  assert.deepEqual(vcs.emulateGrid(smallGrid(), { hosts: false }).hosts, []);
});

test('the library as a policy of servers in JavaScript', () => {
  const expected = vcs.emulateGrid(smallGrid(), { events: true });
  let decided = 0;
  const server = { validate: (situation, unit, results, classes) => {
    decided += 1;
    return vcs.validate(unit, results, classes, situation.now);
  } };
  assert.deepEqual(vcs.emulateGrid(smallGrid(), { events: true, policy: { server } }), expected);
  assert.ok(decided > 0);
  const trusting = { min_quorum: 1, verification: vcs.GRID_CHECK_ADAPTIVE };
  assert.deepEqual(
    vcs.emulateGrid(smallGrid(trusting), { events: true, policy: { server: {
      trust: (_, trust, u) => vcs.trustNeedsCopy(trust, u).needed } } }),
    vcs.emulateGrid(smallGrid(trusting), { events: true }));
});

test('a dispatcher in JavaScript', () => {
  const byReply = { dispatch: vcs.GRID_BY_REPLY, min_quorum: 1 };
  const expected = vcs.emulateGrid(smallGrid(byReply), { events: true });
  const server = { dispatch: ({ host, now }, jobs) => jobs.next(host, now) };
  assert.deepEqual(vcs.emulateGrid(smallGrid(byReply), { events: true, policy: { server } }), expected);
});

test('a policy of hosts decides for its class', () => {
  const expected = vcs.emulateGrid(smallGrid());
  let decided = 0;
  const schedule = ({ state }) => {
    decided += 1;
    return state.schedule();
  };
  for (const hosts of [{ schedule }, { homes: { schedule } }, { 0: { schedule } }]) {
    decided = 0;
    assert.deepEqual(vcs.emulateGrid(smallGrid(), { policy: { hosts } }), expected);
    assert.ok(decided > 0);
  }
  assert.deepEqual(vcs.emulateGrid(smallGrid(), { policy: { hosts: { offices: { schedule } } } }), expected);
});

test('a decision that fails, fails alone', () => {
  let calls = 0;
  const server = { validate: (situation, unit, results, classes) => {
    calls += 1;
    if (calls === 7) {
      throw new Error('the disk is full');
    }
    return vcs.validate(unit, results, classes, situation.now);
  } };
  const { failures, projects } = vcs.emulateGrid(smallGrid(), { policy: { server } });
  assert.equal(failures.length, 1);
  assert.equal(failures[0].decision, 'validate');
  assert.equal(failures[0].error.message, 'the disk is full');
  assert.equal(projects[0].failed_decisions, 1);
  const broken = new Error('always');
  assert.throws(() => vcs.emulateGrid(smallGrid(), { policy: { server: { validate: () => {
    throw broken;
  } } } }), (error) => error === broken);
});

test('the grids of the examples are read', () => {
  const folder = 'examples/scenarios/grids';
  const names = readdirSync(`${process.env.VCSCHED_SOURCE}/${folder}`);
  const files = Object.fromEntries(names.filter((name) => /\.(csv|txt|ini)$/.test(name)).map((name) => [name,
    source(`${folder}/${name}`)]));
  let grids = 0;
  for (const name of names.filter((one) => one.endsWith('.ini') && /\[population/.test(files[one]))) {
    const grid = vcs.parseGrid(files[name], { source: name, files });
    assert.ok(grid.classes.length > 0, name);
    grids += 1;
    const short = { ...grid, terms: { ...grid.terms, duration: 3600 },
      classes: grid.classes.map((one) => ({ ...one, model: { ...one.model, count: Math.min(one.model.count, 20) } })) };
    assert.equal(vcs.emulateGrid(short).projects.length, grid.projects.length);
  }
  assert.ok(grids > 0);
});
