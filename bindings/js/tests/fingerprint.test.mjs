// SPDX-License-Identifier: MIT
//
// The library decides in WebAssembly as everywhere else: the fingerprint of 26 million values is the same.

import assert from 'node:assert/strict';
import test from 'node:test';
import { readFile } from 'node:fs/promises';
import { spawnSync } from 'node:child_process';

test('the fingerprint is that of every other build', async () => {
  const root = process.env.VCSCHED_SOURCE;
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--no-warnings',
    `${root}/tests/assurance/foreign/wasi.mjs`, process.env.VCSCHED_FINGERPRINT], { encoding: 'utf8' });
  assert.equal(stderr, '');
  assert.equal(status, 0);
  assert.equal(stdout, await readFile(`${root}/tests/assurance/hygiene/decisions.txt`, 'utf8'));
});
