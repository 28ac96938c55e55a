// SPDX-License-Identifier: MIT
//
// The importer makes of a BOINC client's files what the importer in Python does: the same state and the same warnings,
// letter by letter, or the same error; of whole files, and of such in which something was changed.

import assert from 'node:assert/strict';
import test from 'node:test';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { execFileSync, spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { boinc, InputError, vcs } from './package.mjs';

const { importClientState } = boinc;
const ROOT = process.env.VCSCHED_SOURCE;
const REAL = 'tests/support/states/boinc-7.20.5';
const OVERRIDE = `<global_preferences><max_ncpus_pct>50</max_ncpus_pct><work_buf_min_days>0.25</work_buf_min_days>
<venue name="home"><run_if_user_active>0</run_if_user_active></venue></global_preferences>`;

function bytes(path) {
  return readFileSync(`${ROOT}/${path}`);
}

/** Every client state that the tests have, with what lies beside it. */
function states() {
  const cases = [{ 'client_state.xml': bytes('examples/scenarios/client_state.xml') }];
  for (const name of readdirSync(`${ROOT}/tests/tool/odd_hosts`).filter((one) => /^[^.]+\.xml$/.test(one))) {
    const preferences = `${ROOT}/tests/tool/odd_hosts/${name.replace('.xml', '.prefs.xml')}`;
    cases.push({ 'client_state.xml': bytes(`tests/tool/odd_hosts/${name}`),
      ...existsSync(preferences) ? { 'global_prefs.xml': readFileSync(preferences) } : {} });
  }
  for (const moment of readdirSync(`${ROOT}/${REAL}`).filter((name) => !name.includes('.'))) {
    const projects = `${ROOT}/${REAL}/${moment}/projects`;
    const configurations = Object.fromEntries((existsSync(projects) ? readdirSync(projects) : []).map((folder) =>
      [`projects/${folder}/app_config.xml`, readFileSync(`${projects}/${folder}/app_config.xml`)]));
    for (const state of ['client_state.xml', 'get_state.xml']) {
      cases.push({ 'client_state.xml': bytes(`${REAL}/${moment}/${state}`),
        'cc_config.xml': bytes(`${REAL}/cc_config.xml`), ...configurations });
    }
  }
  return cases;
}

/** The same numbers each time. */
function generator(seed) {
  let state = seed;
  return (below) => {
    state = Math.imul(state, 1664525) + 1013904223 >>> 0;
    return Math.floor(state / 2 ** 32 * below);
  };
}

const TEXTS = ['-1', 'nan', '', '1e400', '1e12', '0', '2', '7', '0.5', 'abc "\'\u00e9\u2028', ' 3 ', '1.5.2', '+4',
  '99999999999', '1e-7', '0.2 CPUs + 1 NVIDIA GPU (device 0)', 'x'.repeat(4097), '&nbsp;', '&#0;', '&amp;', 'A & B',
  ']]>', '<![CDATA[1]]>', '<!-- 1 -->2', '\u0001', '300', '3000000000.25', '5'];

const LETTERS = '<>&;/="\'!?-[] \n\r\u00e9';

/** The file with a change in it. */
function changed(text, random) {
  const fields = [...text.matchAll(/<(\w+)>([^<]*)<\/\1>/g)];
  const { index, 0: whole, 1: name } = fields[random(fields.length)];
  const put = (instead, length = whole.length) => text.slice(0, index) + instead + text.slice(index + length);
  const value = TEXTS[random(TEXTS.length)];
  const place = random(text.length);
  const changes = [
    () => put(''),
    () => put(whole + whole),
    () => put(`${whole}<${name}>${value}</${name}>`),
    () => put(`<${name}>${value}</${name}>`),
    () => put(`<${name}>-${whole.slice(name.length + 2)}`),
    () => put(`<${name}/>`),
    () => text.slice(0, place),
    () => text.slice(0, place) + LETTERS[random(LETTERS.length)] + text.slice(place + random(2)),
    () => text.replaceAll(`<${name}>`, `<${name} a="1" b='&lt;'>`),
    () => text.replaceAll('<scheduler_state>2', '<scheduler_state>0'),
    () => put(`<${name} a='${value.replaceAll("'", '')}'>${value}</${name}>`),
    () => put(whole.repeat(70).replaceAll('</', `<${name}></`)),
  ];
  return changes[random(changes.length)]();
}

function withMutants() {
  const random = generator(7);
  const whole = states();
  const offset = random(10 ** 6) / 7;
  const cases = whole.flatMap((files) => [{ files }, { files, in_use: true, now: 1.7e9 + offset },
    { files: { ...files, 'global_prefs_override.xml': Buffer.from(OVERRIDE) } }]);
  for (let turn = 0; turn < 600; turn++) {
    const files = { ...whole[random(whole.length)], 'global_prefs_override.xml': Buffer.from(OVERRIDE) };
    const name = random(4) > 0 ? 'client_state.xml' : Object.keys(files)[random(Object.keys(files).length)];
    files[name] = Buffer.from(changed(files[name].toString(), random));
    cases.push({ files, in_use: random(2) === 0 });
  }
  return cases;
}

function byPython(cases) {
  const lines = cases.map(({ files, ...options }) => JSON.stringify({ files: Object.fromEntries(Object.entries(files)
    .map(([name, content]) => [name, content.toString('base64')])), ...options }));
  const printed = execFileSync(process.env.VCSCHED_PYTHON, [`${ROOT}/bindings/js/tests/import_by_python.py`, ROOT],
    { input: lines.join('\n'), encoding: 'utf8', maxBuffer: 2 ** 30 });
  return printed.trim().split('\n').map((line) => JSON.parse(line));
}

function byThis({ files, now, in_use: inUse }) {
  try {
    const { text, warnings } = importClientState(files, { now, inUse });
    return { text, warnings };
  } catch (error) {
    assert.ok(error instanceof InputError, error.stack);
    return { error: error.message };
  }
}

/** How many come to what, once all are as Python has them. */
function compare(cases) {
  const count = { text: 0, error: 0 };
  const messages = new Set();
  byPython(cases).forEach((outcome, index) => {
    assert.deepEqual(byThis(cases[index]), outcome, `case ${index}`);
    count[outcome.error === undefined ? 'text' : 'error'] += 1;
    messages.add(outcome.error?.replace(/^.*?:\d+:\d+: /, '').replace(/<.*?>|'.*'/g, ''));
  });
  return { ...count, messages: messages.size };
}

test('it is the importer of Python', () => {
  const { text, error, messages } = compare(withMutants());
  assert.ok(text > 100 && error > 100 && messages > 20, `${text} ${error} ${messages}`);
});

const hasPytest = spawnSync(process.env.VCSCHED_PYTHON, ['-m', 'pytest', '--version']).status === 0;

test('so it is on every state of the tests of Python', { skip: !hasPytest && 'pytest is not here' }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vcsched-'));
  try {
    const tests = ['decisions', 'host', 'hostile', 'projects', 'tasks'].map((name) =>
      `${ROOT}/bindings/python/tests/test_import_${name}.py`);
    const { status, stdout } = spawnSync(process.env.VCSCHED_PYTHON,
      ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', '-p', 'recorded_imports', ...tests], { encoding: 'utf8', env: {
        ...process.env, PYTHONDONTWRITEBYTECODE: '1', RECORDED_IMPORTS: `${folder}/cases`,
        PYTHONPATH: `${ROOT}/bindings/js/tests:${ROOT}/bindings/python` } });
    assert.equal(status, 0, stdout);
    const lines = [...new Set((await readFile(`${folder}/cases`, 'ascii')).trim().split('\n'))];
    const { text, error, messages } = compare(lines.map((line) => {
      const { files, now } = JSON.parse(line);
      return { now: now ?? undefined, files: Object.fromEntries(Object.entries(files).map(([name, content]) =>
        [name, Buffer.from(content, 'base64')])) };
    }));
    assert.ok(text > 200 && error > 100 && messages > 50, `${text} ${error} ${messages}`);
  } finally {
    await rm(folder, { recursive: true });
  }
});

const [{ 'client_state.xml': state }] = states();
const URL_OF_FIRST = /<master_url>(.*?)</.exec(state)[1];
const FOLDER = URL_OF_FIRST.replace(/^https?:\/\//, '').replace(/\/$/, '').replace(/[^a-z0-9._-]/g, '_');

test('files may be texts, bytes or buffers, in other encodings too', () => {
  const text = state.toString().replace(/<project_name>[^<]*/, '<project_name>Caf\u00e9');
  const expected = importClientState({ 'client_state.xml': text });
  assert.match(expected.text, /\[project Caf\u00e9\]/);
  const wide = Buffer.from(`\ufeff${text}`, 'utf16le');
  const narrow = Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>${text}`, 'latin1');
  for (const given of [Buffer.from(text), new Uint8Array(Buffer.from(text)).buffer, wide, narrow]) {
    assert.deepEqual(importClientState({ 'client_state.xml': given }), expected);
  }
});

test('what it writes is a state that is planned', () => {
  const { text, overview } = importClientState({ 'client_state.xml': state });
  const host = vcs.parseState(text);
  assert.ok(overview.includes(`${host.tasks.length} task`));
  assert.equal(vcs.planWords(host).tasks.length, host.tasks.length);
});

test('an app_config.xml is that of the project that is meant', () => {
  const limit = '<app_config><project_max_concurrent>3</project_max_concurrent></app_config>';
  const found = [{ 'app_config.xml': { [URL_OF_FIRST]: limit } }, { [`projects/${FOLDER}/app_config.xml`]: limit },
    { [`${FOLDER}/app_config.xml`]: limit }].map((files) =>
    importClientState({ 'client_state.xml': state, ...files }).text);
  assert.match(found[0], /^max_concurrent = 3$/m);
  assert.deepEqual(new Set(found).size, 1);
  assert.throws(() => importClientState({ 'client_state.xml': state, 'app_config.xml': limit }), TypeError);
  assert.throws(() => importClientState({ 'client_state.xml': state, 'app_config.xml': { none: limit } }), TypeError);
});

test('the last reply of a scheduler tells of a limit', () => {
  const reply = '<scheduler_reply><message>This computer has reached a limit on tasks in progress</message>';
  const name = `sched_reply_${FOLDER}.xml`;
  const withReply = (text) => importClientState({ 'client_state.xml': state, [name]: text }).text;
  assert.match(withReply(`${reply}</scheduler_reply>`), /^server_limit = 1$/m);
  assert.ok(!withReply(reply).includes('server_limit'));
});

test('an error has its place', () => {
  assert.throws(() => importClientState({ 'client_state.xml': '<client_state>\n<a></b>' }), { name: 'InputError',
    source: 'client_state.xml', line: 2, column: 6, message: 'client_state.xml:2:6: mismatched tag' });
  assert.throws(() => importClientState({}), TypeError);
  assert.throws(() => importClientState({ 'client_state.xml': state }, { now: Infinity }), RangeError);
});
