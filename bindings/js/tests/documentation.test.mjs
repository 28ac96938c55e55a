// SPDX-License-Identifier: MIT
//
// The blocks of doc/javascript.md run, and print what they say they print.

import assert from 'node:assert/strict';
import test from 'node:test';
import { format } from 'node:util';
import { module, source } from './package.mjs';

const AsyncFunction = (async () => {}).constructor;

test('the manual is right', async () => {
  const blocks = [...source('doc/javascript.md').matchAll(/^```js\n(.*?)^```$/gms)].map(([, code]) => code);
  assert.ok(blocks.length > 5);
  // The blocks follow each other, so what one declares the next may use.
  const code = blocks.join('\n').replace(/^import (\{.*?\}) from 'vcsched';$/gm, 'const $1 = module;');
  const printed = [];
  await new AsyncFunction('module', 'console', code)(module, { log: (...values) => printed.push(format(...values)) });
  const promised = [...code.matchAll(/^.*?console\.log\(.*?;(?: *\/\/> (.*))?$/gm)].map(([, text]) => text);
  assert.equal(printed.length, promised.length);
  promised.forEach((text, place) => {
    if (text !== undefined) {
      assert.equal(printed[place], text, `line ${place + 1} of what it prints`);
    }
  });
});
