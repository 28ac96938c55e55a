// SPDX-License-Identifier: MIT
//
// How long the module takes: emulations beside the same ones by the native tool, and plans of many tasks.
//
//     node bindings/js/bench.mjs build/bindings/js/vcsched build/examples/vcemu
//
// Each time is the least of several rounds, WebAssembly and native in turn, so that a busy machine disturbs little.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [folder, vcemu] = process.argv.slice(2);
const source = process.argv[4];
const { load } = await import(new URL('index.js', pathToFileURL(`${folder}/`)));
const started = performance.now();
const vcs = await load(source === undefined ? undefined : readFileSync(source));
console.log(`load: ${(performance.now() - started).toFixed(1)} ms`);

function seconds(action) {
  const before = performance.now();
  action();
  return (performance.now() - before) / 1000;
}

/** Emulates this many days in both. The start of the native process is taken off. */
function emulation(name, days) {
  const path = new URL(`../../examples/scenarios/${name}`, import.meta.url).pathname;
  const scenario = vcs.parseScenario(readFileSync(path), { days });
  const native = (length) => seconds(() => {
    const { status, stderr } = spawnSync(vcemu, ['run', path, '--days', String(length)], { encoding: 'utf8' });
    if (status !== 0) {
      throw new Error(stderr);
    }
  });
  const best = { wasm: Infinity, native: Infinity, start: Infinity };
  for (let round = 0; round < 12; round++) {
    best.wasm = Math.min(best.wasm, seconds(() => vcs.emulate(scenario)));
    best.native = Math.min(best.native, native(days));
    best.start = Math.min(best.start, native(0.001));
  }
  const taken = best.native - best.start;
  console.log(`${name}, ${days} days: native ${(1000 * taken).toFixed(0)} ms, WebAssembly `
    + `${(1000 * best.wasm).toFixed(0)} ms, ${(best.wasm / taken).toFixed(2)} times`);
}

/** All decisions over a host with this many tasks, made of objects and answered as objects. */
function plan(tasks) {
  const host = {
    resources: [{ flops: 1e9, usable: 0.9, instances: 16 }],
    projects: Array.from({ length: 10 }, (_, id) => ({ id, share: 1 + id })),
    tasks: Array.from({ length: tasks }, (_, id) => ({ id, project: id % 10, remaining: 600 + (id * 7919) % 20000,
      deadline: 86400 * (1 + (id * 104729) % 14), received: id })),
  };
  let best = Infinity;
  for (let round = 0; round < 30; round++) {
    best = Math.min(best, seconds(() => vcs.plan(host)));
  }
  console.log(`plan of ${tasks} tasks: ${(1000 * best).toFixed(1)} ms`);
}

for (const [name, days] of [['off_by_turns.ini', 3000]]) {
  emulation(name, days);
}
for (const tasks of [100, 1000, 10000]) {
  plan(tasks);
}
