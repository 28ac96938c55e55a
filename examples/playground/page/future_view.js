// SPDX-License-Identifier: MIT
//
// And the next days: how a policy does with what its servers will send, over several seeds.

import { colourOf } from '../draw/colours.js';
import { Lanes } from '../draw/lanes.js';
import { MERITS } from '../work/future.js';
import { byId, element, running, table, wholeNumbers } from './dom.js';
import { meanOf } from './mean.js';
import { rowsOf } from './plan_view.js';
import { count, NEVER, percent } from './words.js';

const DAYS = 30;
const DAY = 86400;

export class FutureView {
  #vcs;
  #work;
  #session;
  #lanes = [];
  #stated = null;

  constructor(vcs, work, session) {
    this.#vcs = vcs;
    this.#work = work;
    this.#session = session;
    byId('emulate').addEventListener('click', () => this.#run());
    byId('stop-future').addEventListener('click', () => work.stop());
  }

  /** What was emulated is of another host or policy now. A file that states how long it is to be emulated is obeyed. */
  outdate() {
    byId('future-result').classList.add('old');
    const stated = Number(/^\s*duration\s*=\s*([\d.e+]+)/m.exec(this.#session.text)?.[1] ?? DAYS * DAY);
    if (stated !== this.#stated) {
      this.#stated = stated;
      byId('days').value = Math.min(byId('days').max, Math.max(1, Math.ceil(stated / DAY)));
    }
  }

  #run() {
    const { text, policies } = this.#session;
    const sides = policies.map((policy) => ({ name: this.#session.nameOf(policy), ...this.#session.read(policy) }));
    const words = byId('future-words');
    const numbers = wholeNumbers(['days', 'seeds'], words);
    if (numbers === null) {
      return;
    }
    const [days, seeds] = numbers;
    const asked = performance.now();
    let outcomes = [];
    running('future', true);
    words.textContent = `Emulating ${count(days, 'day')} with ${count(seeds, 'seed')} …`;
    this.#work.ask('future', { text, policies, days, seeds }, ({ done, found }) => {
      if (found === undefined) {
        byId('future-progress').value = done;
        byId('future-left').textContent = this.#left(performance.now() - asked, done);
        return;
      }
      if (outcomes.length === 0) {
        this.#draw(found.map(({ drawn }) => drawn), sides, days * DAY);
      }
      outcomes = [...outcomes, found.map(({ outcome }) => outcome)];
      byId('merits').replaceChildren(meritTable(outcomes, sides));
    }).then(() => {
      words.textContent = `${count(days, 'day')}, ${count(seeds, 'seed')}: done.`;
    }, (error) => {
      const after = outcomes.length > 0 ? ` after ${outcomes.length} of ${count(seeds, 'seed')}` : '';
      words.textContent = error === null ? `Stopped${after}.` : error.message;
    }).finally(() => {
      byId('future-left').textContent = '';
      running('future', false);
    });
  }

  /** How long the rest will take, judged by what is done; nothing as long as nobody has waited. */
  #left(passed, done) {
    return passed > 2000 && done < 1 ? `about ${this.#vcs.duration(passed / 1000 * (1 / done - 1))} left` : '';
  }

  #draw(drawn, sides, until) {
    byId('future-result').hidden = false;
    byId('future-result').classList.remove('old');
    byId('by-project').replaceChildren(this.#projects(drawn, sides));
    while (this.#lanes.length < drawn.length) {
      this.#lanes.push(this.#newLanes());
    }
    this.#lanes.forEach(({ box }, index) => {
      box.hidden = index >= drawn.length;
    });
    drawn.forEach(({ timeline, names }, index) => {
      const { lanes, title, canvas } = this.#lanes[index];
      title.textContent = `${sides[index].name}, seed 1. Bars are tasks, hatched ones late; in grey spells the `
        + 'host is off; ticks below are calls of servers. Drag to move, pinch or hold Shift and turn the wheel to '
        + 'zoom; keys + - ← → 0.';
      canvas.setAttribute('aria-label', `Timeline of ${sides[index].name}: ${count(timeline.bars.length, 'bar')}.`);
      lanes.names = names;
      lanes.show({ ...timeline, resources: rowsOf(sides[index].host, timeline.bars), until, marks: [], chosen: null });
    });
  }

  #newLanes() {
    const title = element('p', { class: 'note' });
    const canvas = element('canvas', { tabindex: '0', role: 'img' });
    const zoom = (text, label, onclick) => element('button', { type: 'button', 'aria-label': label, onclick }, text);
    const box = element('div', { class: 'lanes' }, title, element('div', { class: 'buttons' },
      zoom('+', 'zoom in', () => lanes.zoom(0.5)), zoom('−', 'zoom out', () => lanes.zoom(2)),
      zoom('←', 'earlier', () => lanes.shift(-0.5)), zoom('→', 'later', () => lanes.shift(0.5))), canvas);
    byId('timelines').append(box);
    const lanes = new Lanes(canvas, byId('tip'), (bar) => this.#barWords(lanes.names, bar));
    return { lanes, title, canvas, box };
  }

  #barWords(names, bar) {
    const time = (seconds) => this.#vcs.duration(seconds);
    return `${names[bar.project]}, task ${bar.task}: from ${time(bar.start)} to ${time(bar.end)}, `
      + `${bar.deadline < NEVER ? `due in ${time(bar.deadline)}${bar.late ? ': late' : ''}` : 'no deadline'}`;
  }

  #projects(drawn, sides) {
    const [{ projects, names }] = drawn;
    const total = sides[0].host.projects.reduce((sum, { share }) => sum + share, 0);
    const named = (text) => sides.length > 1 ? sides.map(({ name }) => `${text}: ${name}`) : [text];
    return table('Projects, with seed 1', ['Project', 'Share', ...named('Got'), ...named('In time'), ...named('Late')],
      projects.map((project, index) => element('tr', {},
        element('th', { scope: 'row' }, element('span', { class: 'key', style: `--colour:${colourOf(index)}` },
          names[index])),
        element('td', {}, total > 0 ? percent(sides[0].host.projects[index].share / total) : '0 %'),
        ['part', 'in_time', 'late'].map((name) => drawn.map((side) => element('td', {},
          name === 'part' ? percent(side.projects[index].part) : `${side.projects[index][name]}`))))));
  }
}

/** `outcomes` holds for each seed the outcome under each policy. */
function meritTable(outcomes, sides) {
  const show = ({ mean, half }, unit) => {
    const scale = unit === '%' ? 100 : 1;
    const digits = Math.abs(mean * scale) >= 100 ? 0 : unit === '%' ? 2 : 3;
    return `${(mean * scale).toFixed(digits)}${half > 0 ? ` ± ${(half * scale).toFixed(digits)}` : ''} ${unit}`;
  };
  const seen = ({ mean, half }, unit) => Math.abs(mean) > half && /[1-9]/.test(show({ mean, half: 0 }, unit));
  const rows = MERITS.map(({ name, title, unit, better }) => {
    const columns = sides.map((_, index) => outcomes.map((of) => of[index][name]));
    const cells = columns.map((values) => element('td', {}, show(meanOf(values), unit)));
    if (columns.length > 1) {
      const difference = meanOf(columns[1].map((value, index) => value - columns[0][index]));
      const clear = seen(difference, unit);
      const good = (difference.mean < 0) === (better === 'lower');
      cells.push(element('td', { class: clear && (good ? 'good' : 'bad') }, show(difference, unit),
        clear ? good ? ' better' : ' worse' : ''));
    }
    return element('tr', {}, element('th', { scope: 'row' }, title), element('td', {},
      better === 'lower' ? '↓ lower' : '↑ higher'), cells);
  });
  return table('Figures of merit: mean of the seeds ± half of the 95 % confidence interval', ['Figure', 'Good is',
    ...sides.map(({ name }) => name), ...sides.length > 1 ? ['Difference, seed by seed'] : []], rows);
}
