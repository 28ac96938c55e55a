// SPDX-License-Identifier: MIT
//
// The blocks of the manual and of the package's README run, and print what they say they print.

import assert from 'node:assert/strict';
import test from 'node:test';
import { format } from 'node:util';
import { boinc, module, source } from './package.mjs';

const AsyncFunction = (async () => {}).constructor;

async function runBlocks(page, least) {
  const blocks = [...source(page).matchAll(/^```js\n(.*?)^```$/gms)].map(([, code]) => code);
  assert.ok(blocks.length >= least);
  // The blocks follow each other, so what one declares the next may use.
  const code = blocks.join('\n').replace(/^import (\{.*?\}) from 'vcsched(\/boinc)?';$/gm,
    (_, names, folder) => `const ${names} = ${folder ? 'boinc' : 'module'};`);
  const printed = [];
  await new AsyncFunction('module', 'boinc', 'console', code)(module, boinc,
    { log: (...values) => printed.push(format(...values)) });
  const promised = [...code.matchAll(/^.*?console\.log\(.*?;(?: *\/\/> (.*))?$/gm)].map(([, text]) => text);
  assert.equal(printed.length, promised.length);
  promised.forEach((text, place) => {
    if (text !== undefined) {
      assert.equal(printed[place], text, `line ${place + 1} of what it prints`);
    }
  });
}

test('the manual is right', () => runBlocks('doc/javascript.md', 6));

test('the README of the package is right', () => runBlocks('bindings/js/vcsched/README.md', 1));
