// SPDX-License-Identifier: MIT
//
// Why a task, a project or a processor does what it does, and the controls that change it.

import { byId, element } from './dom.js';
import { count, finishWords, number, percent, usesOf } from './words.js';

export class ExplainView {
  #vcs;
  #edit;

  /** `edit(section, key, value)` changes the text of the host. */
  constructor(vcs, edit) {
    this.#vcs = vcs;
    this.#edit = edit;
  }

  /** Explains what is chosen under each policy. */
  show({ chosen }, sides) {
    const place = byId('explanation');
    const parts = { task: 'tasks', project: 'projects', resource: 'resources' };
    if (chosen === null || sides[0].host[parts[chosen.kind]]?.[chosen.index] === undefined) {
      place.replaceChildren(element('p', { class: 'note' },
        'Choose a task, a project or a processor to see why, and to change it.'));
      return;
    }
    const told = sides.map((side) => ({ ...side, words: this.#vcs.planWords(side.host, side.plan) }));
    const kinds = { task: (index) => this.#task(told, index), project: (index) => this.#project(told, index),
      resource: (index) => this.#resource(told, index) };
    const focused = document.activeElement?.closest('#explanation') && document.activeElement.id;
    place.replaceChildren(...kinds[chosen.kind](chosen.index), element('p', { class: 'back' },
      element('button', { type: 'button', onclick: () => this.#back(chosen) }, 'Back to the tables')));
    byId(focused)?.focus();
  }

  /** To where it was chosen, or the first row if that is not shown. */
  #back({ kind, index }) {
    (byId(`choose-${kind}-${index}-0`) ?? byId('tables').querySelector('.link')).focus();
  }

  /** Brings the heading into view; the keyboard goes where the view goes, and stays where it is otherwise. */
  reveal() {
    const heading = byId('explanation').querySelector('h3');
    const box = heading?.getBoundingClientRect();
    if (box === undefined || (box.top >= 0 && box.bottom <= innerHeight)) {
      return;
    }
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    byId('explanation').scrollIntoView({ block: 'start', behavior: calm ? 'instant' : 'smooth' });
  }

  #task(sides, index) {
    const vcs = this.#vcs;
    const [{ host }] = sides;
    const task = host.tasks[index];
    const section = `task ${task.name}`;
    const due = task.deadline - host.now;
    const hasDeadline = Number.isFinite(task.deadline);
    return [element('h3', {}, `Task ${task.name}`),
      ...sides.map(({ words, name }) => sentence(sides, name, words.tasks[index])),
      facts([['project', host.projects[task.project].name],
        ['application', host.apps[task.app]?.name.split('/').at(-1)],
        ['uses', usesOf(task, host.resources)],
        ['left', `${vcs.duration(task.remaining)} at full speed`],
        ['deadline', hasDeadline ? due < 0 ? `${vcs.duration(-due)} ago` : `in ${vcs.duration(due)}` : 'none'],
        ['limit of tasks at once', limitsOf(host, task)],
        ...sides.map(({ plan, name }) => [sides.length > 1 ? `done, ${name}` : 'done in its turn',
          finishWords(vcs, plan, index)]),
        ['what would save it', ...this.#rescue(sides[0], index)]]),
      this.#number('due in, hours', hasDeadline ? due / 3600 : 0, { min: 0, step: 'any' }, (value) =>
        this.#edit(section, 'deadline', value > 0 ? host.now + value * 3600 : 'never')),
      this.#switch(section, 'suspended', task.flags & vcs.TASK_SUSPENDED)];
  }

  /** A late task: whether it would be in time if it went first, or not even alone. */
  #rescue({ host, plan }, index) {
    const vcs = this.#vcs;
    if (plan.wrr.tasks[index].verdict !== vcs.VERDICT_MISSES) {
      return [];
    }
    if (plan.schedule.tasks[index].flags & vcs.DECISION_HOPELESS) {
      return ['nothing: it would be late even if it ran alone from now on'];
    }
    const edf = plan.edf.tasks[index];
    const { finish } = plan.wrr.tasks[index];
    if (edf.finish >= finish && (host.now ?? 0) + finish <= host.tasks[index].deadline) {
      return ['nothing needed: it is in time, only closer to its deadline than the policy keeps'];
    }
    return [edf.verdict === vcs.VERDICT_MEETS
      ? `earliest deadline first: then it is done in ${vcs.duration(edf.finish)}`
      : `less work at hand: even with the earliest deadlines first it takes ${vcs.duration(edf.finish)}`];
  }

  #project(sides, index) {
    const vcs = this.#vcs;
    const [{ host }] = sides;
    const project = host.projects[index];
    const section = `project ${project.name}`;
    const total = host.projects.reduce((sum, { share }) => sum + share, 0);
    const tasks = host.tasks.filter((task) => task.project === index).length;
    return [element('h3', {}, `Project ${project.name}`),
      ...sides.flatMap(({ words, name }) => host.resources.map((resource, at) =>
        sentence(sides, name, words.requests[index * host.resources.length + at]))),
      facts([['share', total > 0 ? `${number(project.share)} of ${number(total)} (${percent(project.share / total)})`
        : '0'],
        ['recent work', `${number(project.rec)} credits a day`],
        ['tasks', `${tasks}`],
        ['scheduler', project.min_rpc_time > host.now
          ? `not called for ${vcs.duration(project.min_rpc_time - host.now)}` : 'may be called at any time'],
        ['limit of tasks at once', project.max_concurrent > 0 && `${project.max_concurrent}`]]),
      this.#number('share', project.share, { min: 0, step: 'any' }, (value) => this.#edit(section, 'share', value)),
      this.#switch(section, 'suspended', project.flags & vcs.PROJECT_SUSPENDED),
      this.#switch(section, 'no_new_work', project.flags & vcs.PROJECT_NO_NEW_WORK)];
  }

  #resource(sides, index) {
    const vcs = this.#vcs;
    const [{ host }] = sides;
    const resource = host.resources[index];
    const section = index === 0 ? 'host' : `gpu ${resource.name}`;
    return [element('h3', {}, `Processor ${resource.name}`),
      ...sides.flatMap((side) => this.#idle(side, index).map((text) => sentence(sides, side.name, text))),
      facts([['count', `${resource.instances}`], ['usable', percent(resource.usable)],
        ...sides.flatMap(({ plan, name }) => {
          const { saturated, shortfall } = plan.wrr.resources[index];
          const of = sides.length > 1 ? `, ${name}` : '';
          return [[`all busy for${of}`, vcs.duration(saturated)], [`work missing${of}`, vcs.duration(shortfall)]];
        })]),
      this.#number('how many', resource.instances, { min: 1, max: index === 0 ? 1024 : 64, step: 1 }, (value) =>
        this.#edit(section, index === 0 ? 'cpus' : 'count', Math.max(1, Math.round(value)))),
      this.#switch(section, 'paused', resource.flags & vcs.RESOURCE_PAUSED)];
  }

  /** Why a processor idles: what holds back its tasks, and why nobody is asked. */
  #idle({ host, plan, words }, index) {
    const vcs = this.#vcs;
    const { idle_now: idle, shortfall } = plan.wrr.resources[index];
    const waiting = host.tasks.flatMap((task, at) => task.gpu === index && !plan.schedule.tasks[at].run ? [at] : []);
    const reasons = new Map();
    for (const at of waiting) {
      const text = vcs.reasonSentence(plan.schedule.tasks[at].reason);
      reasons.set(text, (reasons.get(text) ?? 0) + 1);
    }
    const requests = words.requests.filter((text, at) => at % host.resources.length === index);
    return [idle > 0 ? `${number(idle)} of ${host.resources[index].instances} idle now.` : 'All of it is busy now.',
      ...[...reasons].map(([text, times]) =>
        `${count(times, 'task')} of it ${times === 1 ? 'waits' : 'wait'}: ${text}`),
      ...shortfall > 0 ? requests : ['No work is missing within the buffer.']];
  }

  // ---- Controls ----

  #number(label, value, limits, change) {
    const id = `edit-${label.replaceAll(/\W+/g, '-')}`;
    return element('p', { class: 'control' }, element('label', { for: id }, label),
      element('input', { id, type: 'number', value: Number(value.toPrecision(6)), ...limits,
        onchange: ({ target }) => {
          if (target.value !== '' && target.checkValidity()) {
            change(Number(target.value));
          } else {
            target.reportValidity();
            target.value = Number(value.toPrecision(6));
          }
        } }));
  }

  /** A key of a section that is yes or no. */
  #switch(section, key, on) {
    const id = `edit-${key}`;
    return element('p', { class: 'control' }, element('input', { id, type: 'checkbox', checked: on !== 0,
      onchange: ({ target }) => this.#edit(section, key, target.checked ? 'yes' : null) }),
    element('label', { for: id }, key.replaceAll('_', ' ')));
  }
}

const sentence = (sides, name, text) => element('p', {}, sides.length > 1 && element('strong', {}, `${name}: `), text);

/** How many tasks may run beside each other, of those like this one; '' without a limit. */
const limitsOf = (host, { project, app }) => [['project', host.projects[project]], ['application', host.apps[app]]]
  .filter(([, one]) => one?.max_concurrent > 0)
  .map(([name, one]) => `${one.max_concurrent} of its ${name}`).join(', ');

const facts = (rows) => element('dl', {}, rows.filter(([, text]) => text).map(([name, text]) => [
  element('dt', {}, name), element('dd', {}, text)]).flat());
