// SPDX-License-Identifier: MIT
//
// The figures of the published study, point by point. The points are those of examples/study; that the figures come
// out as there is checked.

import base from '../../study/base.ini';
import { withKey } from '../page/state_text.js';

const JOB = 13000;
const FLOPS = 1e9;
const DAY = 86400;

const through = (first, last, step = 1) => Array.from({ length: Math.round((last - first) / step) + 1 },
  (_, index) => first + index * step);

/** Each figure: its axis, what it shows, and its curves. `settings` are the policy's, `text` a point's projects. */
export const FIGURES = [
  { name: '1', title: 'By turns, or deadlines first', axis: 'number of projects', merits: ['waste', 'monotony'],
    xs: through(1, 20), curves: [
      { title: 'by turns', policy: 'CS1_WF2_WS2_JC2', x2: 5, settings: { scheduling: 'round_robin' } },
      { title: 'deadlines first', policy: 'CS2_WF2_WS2_JC2', x2: 5, settings: { scheduling: 'deadline' } }],
    text: (x) => jobMix(x, 5) },
  { name: '2', title: 'Slack', axis: 'latency bound / run time', merits: ['waste'], logarithmic: true,
    xs: [...through(1, 5, 0.25), 6, 8, 10, 15, 20, 30, 40, 50, 60], curves: [
      { title: 'waste', policy: 'CS2_WF2_WS2_JC2', x2: 0, settings: {} }],
    text: (x) => slack(x) },
  { name: '3', title: 'Buffer and slack', axis: 'whole buffer, hours', merits: ['waste'],
    xs: [...through(1, 8, 0.5), 8.4], curves: through(1, 5).map((x2) => (
      { title: `slack ${x2}`, policy: 'CS2_WF2_WS2_JC2', x2, settings: {} })),
    settings: (x) => ({ min_buffer: x * 3600 * 2 / 7, additional_buffer: x * 3600 * 5 / 7 }),
    text: (x, { x2 }) => slack(x2) },
  { name: '4', title: 'Which project is asked', axis: 'number of projects', merits: ['waste', 'share_violation'],
    xs: through(1, 20), curves: [
      { title: 'WF1', policy: 'CS2_WF1_WS2_JC2', x2: 5, settings: { work_fetch: 'wf1' } },
      { title: 'WF2', policy: 'CS2_WF2_WS2_JC2', x2: 5, settings: { work_fetch: 'wf2' } }],
    text: (x) => jobMix(x, 5) },
  { name: '5', title: 'What servers send', axis: 'standard deviation / mean', merits: ['waste', 'idleness'],
    logarithmic: true, xs: [1, 2, 5, 10, 15, 20, 30, 50, 70, 100, 200, 500, 1000], curves: [
      { title: 'WS1', policy: 'CS2_WF2_WS1_JC2', x2: 0, settings: { work_send: 'ws1' } },
      { title: 'WS2', policy: 'CS2_WF2_WS2_JC2', x2: 0, settings: { work_send: 'ws2' } }],
    settings: () => ({ min_buffer: 2 * DAY, additional_buffer: 0 }),
    text: (x) => deviation(x) },
  { name: '6', title: 'Wrong estimates', axis: 'real size / stated size', merits: ['waste'],
    xs: [1, 1.25, ...through(1.5, 10, 0.5)], curves: [8, 10].flatMap((x2) => ['no', 'yes'].map((use) => (
      { title: `slack ${x2}, ${use === 'yes' ? 'learned' : 'not learned'}`, x2, settings: { use_dcf: use },
        policy: `CS2_WF2_WS2_JC${use === 'yes' ? 2 : 1}` }))),
    has: (x, { x2 }) => x <= x2,
    text: (x, { x2 }) => wrong(x, x2) },
];

/** Emulates a figure; tells each point { curve, x, values } as soon as it is known: for each merit one value a seed. */
export function study(vcs, { figure, seeds }, tell) {
  const { xs, curves, merits, settings = () => ({}), has = () => true, text } = FIGURES.find(({ name }) =>
    name === figure);
  const points = xs.flatMap((x) => curves.map((curve, index) => ({ x, curve, index })).filter(({ curve }) =>
    has(x, curve)));
  points.forEach(({ x, curve, index }, done) => {
    const state = text(x, curve);
    const policy = { ...settings(x), ...curve.settings };
    const values = Object.fromEntries(merits.map((merit) => [merit, []]));
    for (let seed = 1; seed <= seeds; seed++) {
      const scenario = vcs.parseScenario(state, { settings: policy, seed });
      const { outcome } = vcs.emulate(scenario);
      merits.forEach((merit) => values[merit].push(outcome[STUDYS_OWN[merit] ?? merit]));
    }
    tell({ done: (done + 1) / points.length, point: { curve: index, x, values } });
  });
  return null;
}

/** The study's program looks at reported results alone. */
const STUDYS_OWN = { waste: 'study_waste', idleness: 'study_idleness', share_violation: 'study_share_violation' };

/** The study's host with other projects: { share, seconds, bound, and what differs in the application }. */
function host(projects, terms = {}) {
  let text = base.slice(0, base.indexOf('[project')) + base.slice(base.indexOf('[emulation]'));
  for (const [key, value] of Object.entries(terms)) {
    text = withKey(text, 'host', key, value);
  }
  projects.forEach(({ share = 100, seconds, bound, ...app }, index) => {
    text += `\n[project P${index}]\nshare = ${share}\n\n[app P${index}/A]\nlatency_bound = ${bound}\n`
      + `est_flops = ${seconds * FLOPS}\n`
      + Object.entries(app).map(([key, value]) => `${key} = ${value}\n`).join('');
  });
  return text;
}

const jobMix = (count, slackOfAll) => host(through(1, count).map((i) => (
  { share: i * 100, seconds: i * JOB, bound: i * slackOfAll * JOB })));

const slack = (x) => host([{ seconds: JOB, bound: x * JOB }]);

const deviation = (x) => host([1, 10].map((size) => (
  { seconds: size * JOB, bound: 9 * DAY, sd_flops: x * size * JOB * FLOPS })), { connection_interval: 2 * DAY });

const wrong = (x, x2) => host([{ seconds: JOB, bound: x2 * JOB, mean_flops: x * JOB * FLOPS }]);
