// SPDX-License-Identifier: MIT
//
// The policies: one or two profiles, and each of their parameters.

import { byId, element } from './dom.js';

const DAY = 86400;
const SLIDERS = [['min_buffer', 'work for at least'], ['additional_buffer', 'and up to so much more']];

export class PolicyView {
  #vcs;
  #session;
  #changed;
  #parameters;

  /** `changed()` is called when a policy has been changed here. */
  constructor(vcs, session, changed) {
    this.#vcs = vcs;
    this.#session = session;
    this.#changed = changed;
    this.#parameters = Array.from({ length: vcs.parameterCount() }, (_, index) => ({ ...vcs.parameterAt(index),
      choices: Object.keys(vcs.choices(vcs.parameterAt(index).name)) }));
    const profiles = Object.keys(vcs.choices('profile'));
    const options = (first) => [element('option', { value: '' }, first), ...profiles.map((name) =>
      element('option', { value: name }, name))];
    byId('policy-a').append(...options('as the host says'));
    byId('policy-b').append(...options('none'));
    byId('policy-a').addEventListener('change', ({ target }) => this.#profile(0, target.value));
    byId('policy-b').addEventListener('change', ({ target }) => this.#profile(1, target.value));
    byId('find').addEventListener('input', () => this.show());
    byId('parameters').addEventListener('toggle', () => this.show());
  }

  #profile(side, profile) {
    const { policies } = this.#session;
    if (side === 1 && profile === '') {
      policies.length = 1;
    } else {
      policies[side] = { profile, settings: side === 1 && policies[1] === undefined ? { ...policies[0].settings }
        : policies[side].settings };
    }
    this.#changed();
  }

  #set(side, name, value) {
    const { settings } = this.#session.policies[side];
    if (value === null) {
      delete settings[name];
    } else {
      settings[name] = value;
    }
    this.#changed();
  }

  show() {
    const { policies } = this.#session;
    byId('policy-a').value = policies[0].profile;
    byId('policy-b').value = policies[1]?.profile ?? '';
    this.#sliders();
    if (byId('parameters').open) {
      this.#table();
    }
  }

  #valueOf(side, name) {
    return this.#session.read(this.#session.policies[side]).host.parameters[name];
  }

  /** The buffer of all policies. */
  #sliders() {
    if (byId('buffers').children.length === 0) {
      byId('buffers').append(...SLIDERS.map(([name, label]) => element('p', { class: 'control' },
        element('label', { for: `buffer-${name}` }, label),
        element('span', { class: 'slider' },
          element('input', { id: `buffer-${name}`, type: 'range', min: 0, max: 10, step: 0.05,
            oninput: ({ target }) => this.#buffer(name, target.value * DAY) }),
          element('output', { for: `buffer-${name}` })))));
    }
    for (const [name] of SLIDERS) {
      const seconds = this.#valueOf(0, name);
      const words = this.#vcs.duration(seconds);
      const slider = byId(`buffer-${name}`);
      slider.value = seconds / DAY;
      slider.setAttribute('aria-valuetext', words);
      slider.nextElementSibling.value = words;
    }
  }

  #buffer(name, seconds) {
    this.#session.policies.forEach(({ settings }) => {
      settings[name] = seconds;
    });
    this.#changed();
  }

  #table() {
    const { policies } = this.#session;
    const wanted = byId('find').value.trim().toLowerCase();
    const focused = document.activeElement?.id;
    const rows = this.#parameters.filter(({ name, about }) => `${name} ${about}`.toLowerCase().includes(wanted))
      .map((parameter) => element('tr', {}, element('th', { scope: 'row' }, parameter.name,
        element('small', {}, parameter.about)), element('td', {}, parameter.unit),
      policies.map((policy, side) => this.#cell(parameter, side))));
    byId('parameter-rows').replaceChildren(...rows);
    byId('parameter-head').replaceChildren(...['Parameter', 'Unit', ...policies.map((policy) =>
      this.#session.nameOf(policy))].map((text) => element('th', { scope: 'col' }, text)));
    if (focused?.startsWith('set-')) {
      byId(focused)?.focus();
    }
  }

  #cell({ name, choices, minimum, maximum }, side) {
    const value = this.#valueOf(side, name);
    const changed = name in this.#session.policies[side].settings;
    const id = `set-${side}-${name}`;
    const label = `${name}, ${this.#session.nameOf(this.#session.policies[side])}`;
    const numeric = Number(this.#vcs.choices(name)[value] ?? value);
    const control = choices.length > 0
      ? element('select', { id, 'aria-label': label, onchange: ({ target }) => this.#set(side, name, target.value) },
        choices.map((choice) => element('option', { value: choice,
          selected: this.#vcs.choices(name)[choice] === numeric }, choice)))
      : element('input', { id, 'aria-label': label, type: 'number', min: minimum, max: maximum, step: 'any',
        value: Number(numeric.toPrecision(8)), onchange: ({ target }) => target.value !== '' && target.checkValidity()
          && this.#set(side, name, Number(target.value)) });
    return element('td', { class: changed && 'differs' }, control, changed && element('button', { type: 'button',
      class: 'undo', 'aria-label': `${label}: as before`, onclick: () => this.#set(side, name, null) }, '↺'));
  }
}
