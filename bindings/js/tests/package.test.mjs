// SPDX-License-Identifier: MIT
//
// The package as npm makes it, installed elsewhere, and its types.

import assert from 'node:assert/strict';
import test from 'node:test';
import { createServer } from 'node:http';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { module, vcs } from './package.mjs';

const built = process.env.VCSCHED_JS;

function has(program) {
  return spawnSync(program, ['--version']).status === 0;
}

async function inFolder(action) {
  const folder = await mkdtemp(join(tmpdir(), 'vcsched-'));
  try {
    await action(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function run(folder, program, ...given) {
  const { status, stdout, stderr } = spawnSync(program, given, { cwd: folder, encoding: 'utf8' });
  assert.equal(status, 0, stdout + stderr);
  return stdout;
}

test('it is packed, installed and used', { skip: !has('npm') && 'npm is not here' }, () => inFolder(async (folder) => {
  const offline = ['--offline', '--no-audit', '--no-fund', '--no-update-notifier', '--cache', join(folder, 'cache')];
  const archive = run(folder, 'npm', 'pack', ...offline, built).trim().split('\n').at(-1);
  assert.equal(archive, `vcsched-${vcs.version()}.tgz`);
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  run(folder, 'npm', 'install', ...offline, archive);
  await writeFile(join(folder, 'main.js'), `import { load } from 'vcsched';
    import { importClientState } from 'vcsched/boinc';
    console.log((await load()).plan({ resources: [{ flops: 1e9, instances: 2 }] }).schedule.tasks.length);
    console.log(importClientState({ 'client_state.xml': '<client_state><host_info/></client_state>' }).overview);`);
  assert.match(run(folder, process.execPath, 'main.js'), /^0\nBOINC of unknown version: 1 CPU, /);
}));

test('its types are right', { skip: !has('tsc') && 'tsc is not here' }, () => inFolder(async (folder) => {
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({
    compilerOptions: { strict: true, noEmit: true, target: 'es2022', module: 'es2022', moduleResolution: 'node',
      lib: ['es2022', 'dom'], types: [], baseUrl: '.', paths: { vcsched: [join(built, 'index.d.ts')],
        'vcsched/boinc': [join(built, 'boinc/index.d.ts')] } },
    files: [join(process.env.VCSCHED_SOURCE, 'bindings/js/tests/types/usage.ts')],
  }));
  run(folder, 'tsc', '-p', 'tsconfig.json');
}));

test('what the types promise is there', async () => {
  const types = await readFile(join(built, 'types.d.ts'), 'utf8') + await readFile(join(built, 'index.d.ts'), 'utf8');
  const methodsOf = (name) => [...types.match(new RegExp(`^export interface ${name}\\b.*?^}`, 'ms'))[0]
    .matchAll(/^ {2}(\w+)[(<]/gm)].map(([, method]) => method);
  const state = vcs.prepare({ resources: [{ flops: 1e9, instances: 1 }] });
  const owners = { Functions: vcs, Library: vcs, StateFunctions: state, State: state,
    DispatchFunctions: vcs.dispatch({}) };
  let found = 0;
  for (const [name, owner] of Object.entries(owners)) {
    for (const method of methodsOf(name)) {
      assert.equal(typeof owner[method], 'function', `${name}.${method}`);
      found += 1;
    }
  }
  assert.ok(found > 90);
});

test('it is loaded from bytes, a module, a response and a server', async () => {
  const bytes = await readFile(join(built, 'vcsched.wasm'));
  const server = createServer((request, response) => response.end(bytes)).listen(0, '127.0.0.1');
  await new Promise((resolve) => {
    server.once('listening', resolve);
  });
  try {
    for (const given of [bytes, bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length),
      await WebAssembly.compile(bytes), new Response(bytes), Promise.resolve(new Response(bytes)),
      `http://127.0.0.1:${server.address().port}/vcsched.wasm`]) {
      assert.equal((await module.load(given)).version(), vcs.version());
    }
  } finally {
    server.close();
  }
  await assert.rejects(module.load(new Uint8Array([0, 1, 2])), WebAssembly.CompileError);
  await assert.rejects(module.load('nowhere'), TypeError);
});
