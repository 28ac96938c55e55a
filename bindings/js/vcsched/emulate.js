// SPDX-License-Identifier: MIT
//
// A host and its servers in virtual time, and the decisions that functions of the caller's take in it.

import { FETCH_PIGGYBACK, NONE, OK } from './constants.js';
import { number } from './call.js';
import { shown } from './error.js';
import { CALLBACK_FAILED } from './module.js';
import { checkScenario, HOST_PARTS, putScenario } from './snapshot.js';
import { State } from './state.js';
import { CALLBACKS } from './tables.js';

/** What the emulator calls back during one emulation: functions by name, and the events that are kept. */
export class Run {
  hasThrown = false;
  thrown = undefined;
  #events = new Uint8Array(0);
  #used = 0;

  constructor(functions, keepsEvents, eventKind) {
    this.functions = functions;
    this.keepsEvents = keepsEvents;
    this.eventKind = eventKind;
  }

  /** What is called back with this context. */
  of() {
    return this;
  }

  /** Calls a function of the caller's. Nothing is thrown through the library: what is thrown ends the emulation. */
  guard(action) {
    try {
      return action() ?? OK;
    } catch (thrown) {
      this.hasThrown = true;
      this.thrown = thrown;
      return CALLBACK_FAILED;
    }
  }

  keep(bytes) {
    if (this.#used + bytes.length > this.#events.length) {
      const longer = new Uint8Array(Math.max(2 * this.#events.length, 1 << 14));
      longer.set(this.#events);
      this.#events = longer;
    }
    this.#events.set(bytes, this.#used);
    this.#used += bytes.length;
  }

  /** The events so far. */
  events(module) {
    const layout = module.records.layout(this.eventKind);
    return module.memory.scope(() => {
      const base = module.memory.putBytes(this.#events.subarray(0, this.#used));
      return module.records.readAll(layout, base, this.#used / layout.size);
    });
  }
}

/** The functions of a policy by name; `names` are those that it may have. */
export function functionsOf(policy, names, where) {
  const functions = {};
  if (policy === undefined || policy === null) {
    return functions;
  }
  for (const name of names) {
    const found = policy[name];
    if (found !== undefined && typeof found !== 'function') {
      throw new TypeError(`${where}.${name} must be a function, not ${shown(found)}`);
    }
    if (found !== undefined) {
      functions[name] = found.bind(policy);
    }
  }
  if (Object.keys(functions).length === 0) {
    throw new TypeError(`${where} must have one of the functions ${names.join(', ')}`);
  }
  return functions;
}

/** A vcs_hooks or vcs_grid_hooks: which functions are called back. */
export function putHooks(module, kind, functions, keepsEvents, context = 0) {
  const address = module.memory.room(128);
  const wanted = CALLBACKS[kind].reduce((bits, name, place) =>
    (functions[name] !== undefined || (name === 'observe' && keepsEvents) ? bits | 1 << place : bits), 0);
  module.exports[kind === 'hooks' ? 'js_set_hooks' : 'js_set_grid_hooks'](address, context, wanted);
  return address;
}

/**
 * What a decision looks at: the records as they are now. It lasts as long as the call; what was read of it may be kept.
 */
export class Situation {
  #module;
  #address;
  #read = new Map();
  #state;

  constructor(module, address) {
    this.#module = module;
    this.#address = address;
    this.now = this.#get('now');
    this.seed = this.#get('seed');
  }

  #get(name) {
    if (this.#address === 0) {
      throw new TypeError('a situation lasts as long as the call that was given it');
    }
    const { memory, records } = this.#module;
    const layout = records.layout('situation');
    const at = this.#address + layout.at[name];
    return name === 'now' ? memory.view.getFloat64(at, true)
      : name === 'seed' ? this.#module.count64(memory.view.getBigUint64(at, true)) : memory.u32(at);
  }

  #array(name) {
    const { memory, records } = this.#module;
    const at = this.#get('snapshot') + records.layout('snapshot').at[name];
    return { base: memory.u32(at), size: memory.u32(at + 8), count: memory.u32(at + 12) };
  }

  #records(name, kind) {
    let found = this.#read.get(name);
    if (found === undefined) {
      const { base, size, count } = this.#array(name);
      const layout = this.#module.records.layout(kind);
      found = this.#module.records.readAll(layout, base, count, size || layout.size);
      this.#read.set(name, found);
    }
    return found;
  }

  count(name) {
    return this.#array(name).count;
  }

  get host() {
    return this.#records('host', 'host')[0];
  }

  get parameters() {
    return this.#module.records.read(this.#module.records.layout('parameters'), this.#get('parameters'));
  }

  /** The host, prepared; wrr() has run on it. Its decisions are the library's own. */
  get state() {
    this.#state ??= new State(this.#module, this.#get('state'), 0, { resources: this.count('resources'),
      projects: this.count('projects'), tasks: this.count('tasks') });
    return this.#state;
  }

  end() {
    this.#address = 0;
    this.#state?.free();
  }

  static {
    for (const [name, kind] of Object.entries(HOST_PARTS)) {
      Object.defineProperty(this.prototype, name, { get() {
        return this.#records(name, kind);
      } });
    }
  }
}

function withSituation(module, address, action) {
  const situation = new Situation(module, address);
  try {
    return action(situation);
  } finally {
    situation.end();
  }
}

// ---- What was decided, as the library takes it ----

function setFields(module, kind, address, values) {
  const layout = module.records.layout(kind);
  for (const [name, value] of Object.entries(values)) {
    const field = layout.fields.find((one) => one.n === name);
    const { view } = module.memory;
    if (field.k === 'f64') {
      view.setFloat64(address + field.at, number(value, name), true);
    } else {
      view.setUint32(address + field.at, value === null ? NONE : Number(value), true);
    }
  }
}

function index(value, count, what, where) {
  if (!Number.isInteger(value) || value < 0 || value >= count) {
    throw new RangeError(`${where}: there is no ${what} ${shown(value)}, but ${count} of them`);
  }
  return value;
}

function putDecisions(module, kind, base, decisions, count, where) {
  const layout = module.records.layout(kind);
  if (!Array.isArray(decisions) || decisions.length !== count) {
    throw new TypeError(`${where} must be an array of ${count} decisions, not ${Array.isArray(decisions)
      ? `of ${decisions.length}` : shown(decisions)}`);
  }
  decisions.forEach((decision, place) => {
    const at = base + place * layout.size;
    module.memory.bytes.fill(0, at, at + layout.size);
    module.records.write(layout, at, decision, `${where}[${place}]`);
  });
}

/** Of schedule(): {running: [indices], next_check}, or what State.schedule() returns. */
function putRunning(module, decided, situation, decisions, summary) {
  const where = 'schedule()';
  const count = situation.count('tasks');
  const size = module.records.layout('task_decision').size;
  if (typeof decided !== 'object' || decided === null || (!Array.isArray(decided.running)
    && !Array.isArray(decided.tasks))) {
    throw new TypeError(`${where} must return an object with running or tasks, not ${shown(decided)}`);
  }
  if (Array.isArray(decided.tasks) && (decided.tasks.length > 0 || count === 0)) {
    putDecisions(module, 'task_decision', decisions, decided.tasks, count, `${where}.tasks`);
  } else {
    const chosen = new Set();
    for (const one of decided.running ?? []) {
      const withDecision = typeof one === 'object' && one !== null;
      const task = index(withDecision ? one.task : one, count, 'task', where);
      if (chosen.has(task)) {
        throw new RangeError(`${where} runs task ${task} twice`);
      }
      chosen.add(task);
      if (withDecision) {
        module.records.write(module.records.layout('task_decision'), decisions + size * task, one.decision,
          `${where}.running`);
      } else {
        setFields(module, 'task_decision', decisions + size * task, { run: 1 });
      }
    }
  }
  setFields(module, 'schedule_summary', summary,
    { next_check: decided.next_check ?? decided.summary?.next_check ?? situation.parameters.period });
}

/** Of fetch(): {requests: [{project, resource, seconds, instances, jobs, latency_bound}], next_check}, or what
    State.fetch() returns. */
function putAsking(module, decided, situation, question, decisions, summary) {
  const where = 'fetch()';
  if (typeof decided !== 'object' || decided === null) {
    throw new TypeError(`${where} must return an object with requests or project_resources, not ${shown(decided)}`);
  }
  const projects = situation.count('projects');
  const resources = situation.count('resources');
  if (decided.project_resources !== undefined) {
    putDecisions(module, 'fetch_decision', decisions, decided.project_resources, projects * resources,
      `${where}.project_resources`);
    const { project, next_check } = decided.summary;
    setFields(module, 'fetch_summary', summary, { project, next_check });
    return;
  }
  const asked = new Set(question.purpose === FETCH_PIGGYBACK ? [question.project] : []);
  const size = module.records.layout('fetch_decision').size;
  for (const { project, resource = 0, ...amounts } of decided.requests ?? []) {
    asked.add(index(project, projects, 'project', where));
    const at = decisions + size * (project * resources + index(resource, resources, 'resource', where));
    const { seconds = 0, instances = 0, jobs = 0, latency_bound = 0 } = amounts;
    setFields(module, 'fetch_decision', at, { seconds, instances, jobs, latency_bound });
  }
  if (asked.size > 1) {
    throw new RangeError(`${where} asks projects ${[...asked].sort().join(', ')}; one call is of one project`);
  }
  setFields(module, 'fetch_summary', summary, { project: asked.size === 1 ? [...asked][0] : null,
    next_check: decided.next_check ?? (situation.parameters.look_interval || 60) });
}

/** The functions that the library calls, by name. */
export const HOST_CALLBACKS = {
  schedule: (module, run, [situation, decisions, summary]) => run.guard(() => withSituation(module, situation,
    (seen) => putRunning(module, run.functions.schedule(seen), seen, decisions, summary))),
  fetch: (module, run, [situation, question, decisions, summary]) => run.guard(() => withSituation(module, situation,
    (seen) => {
      const asked = module.records.read(module.records.layout('fetch_question'), question);
      putAsking(module, run.functions.fetch(seen, asked), seen, asked, decisions, summary);
    })),
  send: (module, run, [situation, candidate, admission]) => run.guard(() => withSituation(module, situation,
    (seen) => {
      const admitted = run.functions.send(seen, candidate);
      if (typeof admitted !== 'boolean') {
        throw new TypeError(`send() must return true or false, not ${shown(admitted)}`);
      }
      setFields(module, 'admission', admission, { admitted });
    })),
  estimate: (module, run, [progress, rule, seconds]) => run.guard(() => {
    const seen = module.records.read(module.records.layout('progress'), progress);
    module.memory.view.setFloat64(seconds, number(run.functions.estimate(seen, rule), 'estimate()'), true);
  }),
  observe: (module, run, [event]) => run.guard(() => observed(module, run, event)),
};

/** Keeps an event, or tells a function of it, or both. */
export function observed(module, run, event) {
  const layout = module.records.layout(run.eventKind);
  if (run.keepsEvents) {
    run.keep(module.memory.bytes.subarray(event, event + layout.size));
  }
  run.functions.observe?.(module.records.read(layout, event));
}

const OPTIONS = new Set(['parameters', 'seed', 'policy', 'observe', 'events']);

export function checkOptions(options, known, name) {
  for (const key of Object.keys(options)) {
    if (!known.has(key)) {
      throw new TypeError(`${name}(): there is no option ${key}`);
    }
  }
}

/** Room for records of the library's, and a vcs_array of it. */
export function roomFor(module, kind, count) {
  const layout = module.records.layout(kind);
  const base = module.memory.room(layout.size * count);
  return { array: module.newArray(base, layout.size, count), read: () => module.records.readAll(layout, base, count) };
}

/** A record for the library to fill in. */
export function blank(module, kind) {
  const layout = module.records.layout(kind);
  const address = module.memory.room(layout.size);
  module.memory.view.setUint32(address, layout.size, true);
  return { address, read: () => module.records.read(layout, address) };
}

export function emulate(module, scenario, options = {}) {
  checkOptions(options, OPTIONS, 'emulate');
  checkScenario(scenario, 'emulate(): scenario');
  const functions = functionsOf(options.policy, CALLBACKS.hooks.filter((name) => name !== 'observe'),
    'emulate(): policy');
  if (options.observe !== undefined) {
    if (typeof options.observe !== 'function') {
      throw new TypeError(`emulate(): observe must be a function, not ${shown(options.observe)}`);
    }
    functions.observe = options.observe;
  }
  const run = new Run(functions, options.events === true, 'event');
  const given = options.parameters ?? scenario.parameters;
  return module.memory.scope(() => {
    const parameters = module.putRecord(module.records.layout('parameters'), given, 'emulate(): parameters');
    const emulation = { ...scenario.emulation, ...(options.seed === undefined ? {} : { seed: options.seed }) };
    const laid = putScenario(module, scenario, completed(module, emulation, given), 'emulate(): ');
    const hooks = putHooks(module, 'hooks', functions, run.keepsEvents);
    const outcome = blank(module, 'outcome');
    const projects = roomFor(module, 'project_outcome', laid.counts.projects);
    const resources = roomFor(module, 'resource_outcome', laid.counts.resources);
    const error = module.newError();
    const code = module.withCallbacks(run, () => module.exports.vcs_emulate(laid.address, parameters, hooks,
      outcome.address, projects.array, resources.array, error));
    if (code !== OK) {
      module.fail('emulate', code, error);
    }
    return { outcome: outcome.read(), projects: projects.read(), resources: resources.read(),
      events: run.keepsEvents ? run.events(module) : [] };
  });
}

/** How a scenario is emulated: what it does not say is as the profile of its parameters has it. */
export function completed(module, emulation, parameters) {
  const given = typeof parameters === 'string' ? parameters : parameters?.profile ?? 'current';
  const profile = typeof given === 'string' ? module.profile(given) : given;
  return { ...module.readInitial('emulation', [profile]), ...emulation };
}

/** What each project loses at least, whatever the policy. */
export function bound(module, scenario) {
  checkScenario(scenario, 'bound(): scenario');
  return module.memory.scope(() => {
    const laid = putScenario(module, scenario, completed(module, scenario.emulation, scenario.parameters), 'bound(): ');
    const bounds = roomFor(module, 'project_bound', laid.counts.projects);
    const error = module.newError();
    const code = module.exports.vcs_bound(laid.address, bounds.array, error);
    if (code !== OK) {
      module.fail('bound', code, error);
    }
    return bounds.read();
  });
}
