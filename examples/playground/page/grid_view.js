// SPDX-License-Identifier: MIT
//
// Whole grids: projects with their servers, and the hosts that work for them.

import batch from '../../scenarios/grids/batch.ini';
import hosts from '../../scenarios/grids/hosts.csv';
import saboteurs from '../../scenarios/grids/saboteurs.ini';
import twoProjects from '../../scenarios/grids/two_projects.ini';
import many from '../ten_thousand.ini';
import { lineChart } from '../draw/lines.js';
import { byId, element, running, table } from './dom.js';
import { number, percent } from './words.js';

const GRIDS = [['10,000 hosts, a batch of short jobs', many], ['One host in twenty lies', saboteurs],
  ['A batch that must end soon', batch], ['Two projects, two populations', twoProjects]];

export class GridView {
  #vcs;
  #work;

  constructor(vcs, work) {
    this.#vcs = vcs;
    this.#work = work;
    byId('grids').append(...GRIDS.map(([name], index) => element('option', { value: index }, name)));
    byId('grids').addEventListener('change', ({ target }) => {
      byId('grid-text').value = GRIDS[target.value][1];
    });
    [[, byId('grid-text').value]] = GRIDS;
    byId('run-grid').addEventListener('click', () => this.#run());
    byId('stop-grid').addEventListener('click', () => work.stop());
  }

  #run() {
    const words = byId('grid-words');
    running('grid', true);
    words.textContent = 'Emulating …';
    this.#work.ask('grid', { text: byId('grid-text').value, files: { 'hosts.csv': hosts }, seed: 1 }, ({ done }) => {
      byId('grid-progress').value = done;
    }).then((found) => {
      words.textContent = `${number(found.outcome.hosts)} hosts, ${this.#vcs.duration(found.duration)}: done.`;
      this.#show(found);
    }, (error) => {
      words.textContent = error === null ? 'Stopped.' : error.message;
    }).finally(() => running('grid', false));
  }

  #show({ projects, outcome, duration }) {
    const part = (name) => percent(outcome.present > 0 ? outcome[name] / outcome.present : 0);
    byId('grid-outcome').replaceChildren(
      table('Projects', ['Project', 'Units', 'Done', 'Copies per unit', 'Median turnaround', '95 % within',
        'Wrong results accepted', 'Late results'], projects.map((project) => this.#row(project))),
      element('p', {}, `Of the time of all processors ${part('used')} was used, ${part('idle')} idle and `
        + `${part('off')} off.`),
      lineChart({ title: 'Units done', axis: 'days', xs: [0, duration / 86400], series: projects.map((project) => (
        { name: project.name, points: project.samples.map(({ time, done }) => ({ x: time / 86400, y: done })) })) }));
  }

  #row(project) {
    const time = (seconds) => this.#vcs.duration(seconds);
    return element('tr', {}, element('th', { scope: 'row' }, project.name),
      [number(project.units), number(project.done), (project.units > 0 ? project.copies / project.units : 0).toFixed(2),
        time(project.turnaround_p50), time(project.turnaround_p95), number(project.wrong_accepted),
        number(project.late)].map((text) => element('td', {}, text)));
  }
}
