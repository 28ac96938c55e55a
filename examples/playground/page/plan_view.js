// SPDX-License-Identifier: MIT
//
// The plan: in a sentence, as a picture, and as tables; with two policies, side by side.

import { colourOf } from '../draw/colours.js';
import { Lanes } from '../draw/lanes.js';
import { byId, calm, element, table } from './dom.js';
import { count, finishWords, isGivenUp, markOf, NEVER, number, percent, reasonName, usesOf } from './words.js';

const ROWS = 40;

export class PlanView {
  #vcs;
  #work;
  #choose;
  #lanes = [];
  #all = { tasks: false, projects: false };
  #shown = [];

  /** `work` emulates what becomes of the tasks; `choose(kind, index)` is told what is to be explained. */
  constructor(vcs, work, choose) {
    this.#vcs = vcs;
    this.#work = work;
    this.#choose = choose;
  }

  /** Shows what the sides have decided. */
  show(session, sides) {
    this.#shown = [session, sides];
    const focused = document.activeElement?.closest('#tables') && document.activeElement.id;
    byId('summary').replaceChildren(...sides.map((side) => this.#summary(side, sides.length > 1)));
    byId('beside').classList.toggle('comparing', sides.length > 1);
    byId('tasks').replaceChildren(this.#tasks(session, sides));
    byId('projects').replaceChildren(this.#projects(session, sides));
    byId('resources').replaceChildren(this.#resources(session, sides));
    byId(focused)?.focus({ preventScroll: true });
    this.#picture(session, sides);
  }

  #again() {
    this.show(...this.#shown);
  }

  #summary({ host, plan, name, warnings }, named) {
    const { running, started, stopped } = plan.schedule.summary;
    const changes = [started > 0 && (started < running ? `${started} new` : 'all new'),
      stopped > 0 && `${count(stopped, 'task')} that ran ${stopped === 1 ? 'stops' : 'stop'}`].filter(Boolean)
      .join(', ');
    const text = host.tasks.length === 0 ? 'There is no task.'
      : `${count(running, 'task')} of ${host.tasks.length} ${running === 1 ? 'runs' : 'run'} from now on`
        + `${changes && ` (${changes})`}. ${this.#fates(host, plan)}`;
    return element('p', {}, named && element('strong', {}, `${name}: `), `${text} ${this.#fetch(host, plan)}`,
      warnings.map((warning) => element('small', { class: 'note' }, ` ${warning}`)));
  }

  /** How many tasks end badly if all wait for their turn, in the words of the table, and how many are given up. */
  #fates(host, plan) {
    const vcs = this.#vcs;
    const marks = host.tasks.map((task, index) => markOf(vcs, host, plan, index));
    const late = marks.filter((mark) => mark === 'late').length;
    const close = marks.filter((mark) => mark === 'too close').length;
    const givenUp = host.tasks.filter((task, index) => isGivenUp(vcs, plan, index)).length;
    return `In their turn ${late || 'none'} would be late${close > 0
      ? `, ${close} too close to ${close === 1 ? 'its' : 'their'} deadline` : ''}.${givenUp > 0
      ? ` ${count(givenUp, 'task')} given up.` : ''}`;
  }

  #fetch(host, { fetch: { summary } }) {
    return summary.project === null
      ? `Nobody is asked for work now. ${this.#vcs.reasonSentence(summary.reason)}`.trim()
      : `${host.projects[summary.project].name} is asked for work now.`;
  }

  // ---- The picture ----

  #picture(session, sides) {
    const host = sides[0].host;
    byId('picture').hidden = host.tasks.length === 0;
    while (this.#lanes.length < sides.length) {
      this.#lanes.push(this.#newLanes());
    }
    this.#lanes.forEach(({ box }, index) => {
      box.hidden = index >= sides.length;
    });
    if (host.tasks.length === 0) {
      this.#work.stop();
      return;
    }
    this.#foresee(session, sides);
  }

  /** While something is being moved, the picture waits. */
  #foresee = calm(100, (session, sides) => {
    this.#work.ask('course', { text: session.text, policies: session.policies }).then((courses) => {
      const until = Math.max(60, ...courses.map(({ duration }) => duration)) * 1.02;
      courses.forEach((course, index) => this.#draw(this.#lanes[index], course, sides[index], until, sides.length > 1,
        session.chosen));
    }).catch((error) => {
      if (error !== null) {
        this.#lanes[0].title.textContent = error.message;
      }
    });
  });

  #draw({ lanes, title, canvas }, course, side, until, named, chosen) {
    const { host } = side;
    const { min_buffer: least, additional_buffer: more } = host.parameters;
    const late = new Set(course.bars.filter((bar) => bar.late).map(({ task }) => task));
    const words = `${named ? `${side.name}: all` : 'All'} is done after ${this.#vcs.duration(course.duration)}, `
      + `${late.size || 'none'} late${course.givenUp > 0 ? `, ${count(course.givenUp, 'task')} given up` : ''}.`;
    title.textContent = words;
    canvas.setAttribute('aria-label', `What runs on each processor. ${words}`);
    lanes.host = host;
    lanes.show({ resources: rowsOf(host, course.bars), bars: course.bars, calls: [], off: [], until,
      chosen: chosen?.kind === 'task' ? chosen.index : null,
      marks: [{ time: least }, { time: least + more }].filter(({ time }) => time > 0 && time < until) }, true);
  }

  #newLanes() {
    const title = element('p', { class: 'course' });
    const canvas = element('canvas', { tabindex: '0', role: 'img' });
    const box = element('div', { class: 'lanes' }, title, canvas);
    byId('courses').append(box);
    const lanes = new Lanes(canvas, byId('tip'), (bar) => this.#barWords(lanes.host, bar),
      (bar) => this.#choose('task', bar.task));
    return { lanes, title, canvas, box };
  }

  #barWords(host, bar) {
    const time = (seconds) => this.#vcs.duration(seconds);
    const due = bar.deadline < NEVER ? `due in ${time(bar.deadline)}${bar.late ? ': late' : ''}` : 'no deadline';
    return `${host.tasks[bar.task]?.name ?? `task ${bar.task}`} of ${host.projects[bar.project].name}: from `
      + `${time(bar.start)} to ${time(bar.end)}, ${due}`;
  }

  // ---- Tables ----

  /** `place` tells links to the same project or processor apart. */
  #link(kind, index, text, colour, place = 0) {
    return element('button', { id: `choose-${kind}-${index}-${place}`, type: 'button', class: 'link',
      style: colour && `--colour:${colour}`, onclick: () => this.#choose(kind, index) }, text);
  }

  #tasks(session, sides) {
    const vcs = this.#vcs;
    const [{ host, plan }] = sides;
    const runs = (index) => plan.schedule.tasks[index].run ? 0 : 1;
    const order = host.tasks.map((task, index) => index).sort((one, other) => runs(one) - runs(other)
      || plan.wrr.tasks[one].finish - plan.wrr.tasks[other].finish || one - other);
    const named = (text) => sides.length > 1 ? sides.map(({ name }) => `${text}: ${name}`) : [text];
    const rows = order.slice(0, this.#all.tasks ? undefined : ROWS).map((index) => {
      const task = host.tasks[index];
      const now = sides.map((side) => {
        const decision = side.plan.schedule.tasks[index];
        return `${decision.run ? 'runs: ' : ''}${reasonName(vcs, decision.reason)}`;
      });
      return element('tr', { 'aria-current': isChosen(session, 'task', index) },
        element('th', { scope: 'row' }, this.#link('task', index, task.name, colourOf(task.project))),
        element('td', {}, host.projects[task.project].name),
        element('td', { class: 'whole uses' }, usesOf(task, host.resources)),
        element('td', { class: 'whole' }, Number.isFinite(task.deadline)
          ? vcs.duration(task.deadline - host.now) : 'none'),
        sides.map((side) => {
          const mark = markOf(vcs, side.host, side.plan, index);
          return element('td', { class: mark !== '' && 'late' }, whole(finishWords(vcs, side.plan, index)),
            mark !== '' && [' ', whole(`(${mark})`)]);
        }),
        now.map((text) => element('td', { class: text !== now[0] && 'differs' }, text !== now[0] && '≠ ', text)));
    });
    return this.#limited('tasks', order.length, table(`${count(order.length, 'task')}`,
      ['Task', 'Project', 'Uses', 'Due in', ...named('Done in its turn in'), ...named('Now')], rows));
  }

  #projects(session, sides) {
    const vcs = this.#vcs;
    const [{ host }] = sides;
    const total = host.projects.reduce((sum, { share }) => sum + share, 0);
    const named = (text) => sides.length > 1 ? sides.map(({ name }) => `${text}: ${name}`) : [text];
    const pairs = host.projects.flatMap((project, index) => host.resources.map((resource, at) => [index, at]));
    const rows = pairs.slice(0, this.#all.projects ? undefined : ROWS).map(([index, at]) => {
      const decisions = sides.map(({ plan }) => plan.fetch.project_resources[index * host.resources.length + at]);
      const asked = decisions.map(({ seconds }) => seconds > 0 ? vcs.duration(seconds) : '-');
      const why = decisions.map(({ reason, wait, also, also_wait: alsoWait }) => reasonName(vcs, reason)
        + (wait > 0 ? `, ${vcs.duration(wait)} left` : '')
        + (also !== vcs.REASON_NONE ? ` (${reasonName(vcs, also)}, ${vcs.duration(alsoWait)} left)` : ''));
      const cell = (shown, differs) => element('td', { class: differs && 'differs' }, differs && '≠ ', shown);
      return element('tr', { 'aria-current': isChosen(session, 'project', index) },
        element('th', { scope: 'row' },
          this.#link('project', index, host.projects[index].name, colourOf(index), at)),
        element('td', { class: 'whole' }, total > 0 ? percent(host.projects[index].share / total) : '0 %'),
        element('td', { class: 'whole' }, host.resources[at].name),
        asked.map((text) => cell(whole(text), text !== asked[0])),
        why.map((text) => cell(text, text !== why[0])));
    });
    return this.#limited('projects', pairs.length, table('Who is asked for work, and why not',
      ['Project', 'Share', 'For', ...named('Asked for'), ...named('Why')], rows));
  }

  #resources(session, sides) {
    const vcs = this.#vcs;
    const rows = sides.flatMap(({ host, plan, name }, side) => host.resources.map((resource, index) => {
      const forecast = plan.wrr.resources[index];
      return element('tr', { 'aria-current': isChosen(session, 'resource', index) },
        element('th', { scope: 'row' }, this.#link('resource', index, resource.name, null, side)),
        sides.length > 1 && element('td', {}, name), element('td', {}, `${resource.instances}`),
        element('td', {}, number(forecast.idle_now)),
        element('td', { class: 'whole' }, vcs.duration(forecast.saturated)),
        element('td', { class: 'whole' }, vcs.duration(forecast.shortfall)));
    }));
    return table('Processors', ['Processor', ...sides.length > 1 ? ['Policy'] : [], 'Count', 'Idle now',
      'All busy for', 'Work missing (in time of one)'], rows);
  }

  /** With a button that shows the rest, if there is more than a first screen. */
  #limited(kind, length, shown) {
    const toggle = () => {
      this.#all[kind] = !this.#all[kind];
      this.#again();
    };
    return element('div', {}, shown, length > ROWS && element('button', { id: `all-${kind}`, type: 'button',
      onclick: toggle }, this.#all[kind] ? `Show the first ${ROWS}` : `Show all ${length}`));
  }
}

const whole = (text) => element('span', { class: 'whole' }, text);

const isChosen = ({ chosen }, kind, index) => chosen?.kind === kind && chosen.index === index && 'true';

/** The lanes of each resource: its instances, or as many as its tasks take beside each other. */
export function rowsOf(host, bars) {
  return host.resources.map((resource, index) => ({ name: resource.name,
    rows: Math.min(256, Math.ceil(bars.reduce((most, bar) => bar.resource === index
      ? Math.max(most, ...bar.places.map(({ from, use }) => from + use)) : most, resource.instances) - 1e-6)) }));
}
