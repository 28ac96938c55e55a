// SPDX-License-Identifier: MIT
//
// The figures of the published study, emulated again and drawn as they come.

import golden from '../../study/golden.csv';
import { lineChart } from '../draw/lines.js';
import { FIGURES } from '../work/study.js';
import { byId, element, running, wholeNumbers } from './dom.js';
import { meanOf } from './mean.js';
import { count } from './words.js';

const published = readTable(golden);

function readTable(csv) {
  const [head, ...rows] = csv.trim().split('\n').filter((line) => !line.startsWith('#'))
    .map((line) => line.split(','));
  return rows.map((row) => Object.fromEntries(head.map((name, index) => [name, row[index]])));
}

export class StudyView {
  #work;

  constructor(work) {
    this.#work = work;
    byId('figures').append(...FIGURES.map(({ name, title }) =>
      element('option', { value: name }, `${name}: ${title}`)));
    byId('draw').addEventListener('click', () => this.#run());
    byId('stop-study').addEventListener('click', () => work.stop());
  }

  #run() {
    const figure = FIGURES.find(({ name }) => name === byId('figures').value);
    const points = [];
    const words = byId('study-words');
    const numbers = wholeNumbers(['study-seeds'], words);
    if (numbers === null) {
      return;
    }
    const [seeds] = numbers;
    running('study', true);
    words.textContent = `Emulating figure ${figure.name} with ${count(seeds, 'seed')} a point …`;
    this.#work.ask('study', { figure: figure.name, seeds }, ({ done, point }) => {
      byId('study-progress').value = done;
      points.push(point);
      this.#draw(figure, points);
    }).then(() => {
      words.textContent = `${count(points.length, 'point')}, each ${count(seeds, 'emulation')} of 100 days: done.`;
    }, (error) => {
      words.textContent = error === null ? 'Stopped.' : error.message;
    }).finally(() => running('study', false));
  }

  #draw(figure, points) {
    const { xs, curves, merits, axis, logarithmic } = figure;
    byId('study-charts').replaceChildren(...merits.map((merit) => lineChart({
      title: merit.replaceAll('_', ' '), axis, logarithmic, xs: [xs[0], xs.at(-1)],
      series: curves.map(({ title, policy, x2 }, index) => ({ name: title,
        points: points.filter(({ curve }) => curve === index).map(({ x, values }) => {
          const { mean, half } = meanOf(values[merit]);
          return { x, y: mean, low: Math.max(0, mean - half), high: mean + half };
        }),
        rings: published.filter((row) => row.figure === figure.name && row.policy === policy
          && Number(row.x2) === x2).map((row) => ({ x: Number(row.x), y: Number(row[merit]) })) })) })));
  }
}
