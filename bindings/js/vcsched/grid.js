// SPDX-License-Identifier: MIT
//
// Whole grids in virtual time, and the decisions that functions of the caller's take in them.

import { GRID_BINS, GRID_NOT_DECIDED, HOSTS_REPLACED, NONE, OK } from './constants.js';
import { number } from './call.js';
import { blank, checkOptions, completed, functionsOf, observed, putHooks, Run } from './emulate.js';
import { shown } from './error.js';
import { checkParts, checkScenario, putScenario } from './snapshot.js';
import { CALLBACKS } from './tables.js';

const OPTIONS = new Set(['seed', 'policy', 'observe', 'progress', 'events', 'hosts']);
const GRID_KEYS = new Set(['terms', 'projects', 'classes']);
const CLASS_KEYS = new Set(['name', 'scenario', 'model', 'projects', 'rows']);
const DECISIONS = ['dispatch', 'validate', 'trust'];
const MOST_FAILURES = 1000;

/** Within a grid both servers and hosts call back; each hook of a class of hosts has the functions of that class. */
export const GRID_CALLBACKS = {
  grid_dispatch: (module, run, [situation, index, decision]) => decide(module, run, 'dispatch', situation, 0,
    (seen) => {
      const jobs = new OpenJobs(module, index);
      try {
        const decided = run.functions.dispatch(seen, jobs);
        if (decided !== undefined && decided !== null) {
          const layout = module.records.layout('dispatch_decision');
          const bytes = module.memory.copy(decision, layout.size);
          module.records.write(layout, decision, decided, 'dispatch()', bytes);
        }
      } finally {
        jobs.end();
      }
    }),
  grid_validate: (module, run, [situation, unit, results, classes, changes, count]) => {
    const { memory, records } = module;
    const record = records.read(records.layout('unit'), unit);
    return decide(module, run, 'validate', situation, record.id, (seen) => {
      const found = memory.u32(results + 12);
      const decided = run.functions.validate(seen, record,
        records.readAll(records.layout('result'), memory.u32(results), found, memory.u32(results + 8)),
        Array.from({ length: found }, (_, index) => memory.u32(classes + 4 * index)));
      putChanges(module, decided, changes, count);
    });
  },
  grid_trust: (module, run, [situation, trust, u, needed]) => decide(module, run, 'trust', situation, 0, (seen) => {
    const decided = run.functions.trust(seen, module.records.read(module.records.layout('trust'), trust), u);
    if (typeof decided !== 'boolean') {
      throw new TypeError(`trust() must return true or false, not ${shown(decided)}`);
    }
    module.memory.view.setUint32(needed, Number(decided), true);
  }),
  grid_observe: (module, run, [event]) => run.guard(() => observed(module, run, event)),
  grid_progress: (module, run, [done]) => run.guard(() => {
    run.functions.progress(done);
  }),
};

/** A decision of a server. One that fails fails alone: the grid goes on without it. */
function decide(module, run, decision, address, unit, action) {
  const situation = module.records.read(module.records.layout('grid_situation'), address);
  const { flags, ...seen } = situation;
  try {
    action(seen);
    run.note(decision, seen, unit);
    return OK;
  } catch (thrown) {
    return run.note(decision, seen, unit, thrown) ? run.guard(() => {
      throw thrown;
    }) : GRID_NOT_DECIDED;
  }
}

function putChanges(module, decided, changes, count) {
  const { memory, records } = module;
  const layout = records.layout('change');
  const size = memory.u32(changes + 8);
  const most = memory.u32(changes + 12);
  if (!Array.isArray(decided)) {
    throw new TypeError(`validate() must return an array of changes, not ${shown(decided)}`);
  }
  if (decided.length > most) {
    throw new RangeError(`validate() returned ${decided.length} changes, but at most ${most} make sense`);
  }
  decided.forEach((change, index) => {
    const at = memory.u32(changes) + index * size;
    memory.bytes.fill(0, at, at + size);
    records.write(layout, at, change, `validate()[${index}]`);
  });
  memory.view.setUint32(count, decided.length, true);
}

/** The jobs of a project, as dispatch() may ask about them. It lasts as long as the call. */
class OpenJobs {
  #module;
  #index;

  constructor(module, index) {
    this.#module = module;
    this.#index = index;
  }

  /** Which job the library would give a host at that time. */
  next(host, now) {
    if (this.#index === 0) {
      throw new TypeError('next(): it lasts as long as the call that was given it');
    }
    return this.#module.memory.scope(() => {
      const decision = blank(this.#module, 'dispatch_decision');
      const code = this.#module.exports.vcs_dispatch_next(this.#index, host ?? NONE, number(now, 'next(): now'),
        decision.address);
      if (code !== OK) {
        this.#module.fail('next', code);
      }
      return decision.read();
    });
  }

  end() {
    this.#index = 0;
  }
}

/** What is called back during the emulation of a grid, and at what it failed. */
class GridRun extends Run {
  failures = [];
  #hosts = [];
  #last = new Map();

  /** The functions of a class of hosts, whose context is its index and one. */
  setHosts(index, functions) {
    this.#hosts[index] = { functions, guard: (action) => this.guard(action) };
  }

  of(context) {
    return context === 0 ? this : this.#hosts[context - 1];
  }

  /** Notes whether a decision failed. Returns whether nearly all of its kind do, so that the policy itself is wrong. */
  note(decision, situation, unit, thrown = undefined) {
    const kind = `${decision} ${situation.project}`;
    const last = this.#last.get(kind) ?? new Map();
    this.#last.set(kind, last);
    last.set(unit || situation.host, thrown !== undefined);
    if (unit !== 0 && last.size > 20) {
      last.delete(last.keys().next().value);
    }
    if (thrown === undefined) {
      return false;
    }
    if (this.failures.length < MOST_FAILURES) {
      this.failures.push({ decision, time: situation.now, project: situation.project, host: situation.host, unit,
        error: thrown });
    }
    const failed = [...last.values()].filter(Boolean).length;
    return failed >= Math.max(4, 0.8 * last.size);
  }
}

function hostPolicy(policy, index, name) {
  const hosts = policy?.hosts;
  if (hosts === undefined || hosts === null) {
    return undefined;
  }
  const isOne = CALLBACKS.hooks.some((hook) => typeof hosts[hook] === 'function');
  return isOne ? hosts : hosts[name] ?? hosts[index];
}

function putClass(module, address, given, index, grid, run, policy) {
  const { memory, records } = module;
  const where = `emulateGrid(): classes[${index}]`;
  checkParts(given, CLASS_KEYS, where);
  checkScenario(given.scenario, `${where}.scenario`);
  const layout = records.layout('host_class');
  const attached = given.projects ?? grid.projects.map((_, project) => project);
  const scenario = withProjects(given.scenario, attached);
  const laid = putScenario(module, scenario, completed(module, scenario.emulation, scenario.parameters), `${where}.`);
  const put = (name, value) => memory.view.setUint32(address + layout.at[name], value, true);
  put('struct_size', layout.size);
  put('scenario', laid.address);
  put('parameters', module.putRecord(records.layout('parameters'), scenario.parameters, `${where}.parameters`));
  const chosen = hostPolicy(policy, index, given.name);
  if (chosen !== undefined) {
    const functions = functionsOf(chosen, CALLBACKS.hooks.filter((hook) => hook !== 'observe'),
      'emulateGrid(): policy.hosts');
    run.setHosts(index, functions);
    const hooks = putHooks(module, 'hooks', functions, false, index + 1);
    put('hooks', hooks);
  }
  const numbers = memory.room(4 * attached.length);
  attached.forEach((project, place) => memory.view.setUint32(numbers + 4 * place, project, true));
  module.setArray(address + layout.at.projects, numbers, 4, attached.length);
  const arrays = { model: ['host_model', [given.model ?? {}]], rows: ['host_row', given.rows ?? []] };
  for (const [name, [kind, values]] of Object.entries(arrays)) {
    const element = records.layout(kind);
    module.setArray(address + layout.at[name], module.putRecords(element, values, `${where}.${name}`), element.size,
      values.length);
  }
}

/** A host of a class is attached to all projects, if it does not say to which, and each has an application. */
function withProjects(scenario, attached) {
  const projects = scenario.projects?.length > 0 ? scenario.projects : attached.map((id) => ({ id }));
  const apps = [...scenario.apps ?? []];
  const models = [...scenario.models ?? []];
  const known = new Set(apps.map((app) => app.project));
  projects.forEach((_, project) => {
    if (!known.has(project)) {
      apps.push({ id: apps.length, project });
      models.push({ latency_bound: 1 }); // in range; the grid's project has its own
    }
  });
  return { ...scenario, projects, apps, models: models.map((model) => ({ ...model,
    latency_bound: model.latency_bound || 1 })) };
}

/** Room for all hosts. Where others come when some leave, it is well above the mean. */
function mostHosts(grid, duration) {
  return grid.classes.reduce((sum, { model }) => {
    const count = Number(model?.count ?? 1);
    const lives = model?.lifetime > 0 && (model.flags & HOSTS_REPLACED) !== 0 ? count * duration / model.lifetime : 0;
    return sum + count + Math.ceil(lives + 6 * Math.sqrt(lives));
  }, 0);
}

export function emulateGrid(module, grid, options = {}) {
  const name = 'emulateGrid';
  checkOptions(options, OPTIONS, name);
  checkParts(grid, GRID_KEYS, `${name}(): grid`);
  const functions = options.policy?.server === undefined ? {}
    : functionsOf(options.policy.server, DECISIONS, `${name}(): policy.server`);
  for (const hook of ['observe', 'progress']) {
    if (options[hook] !== undefined) {
      if (typeof options[hook] !== 'function') {
        throw new TypeError(`${name}(): ${hook} must be a function, not ${shown(options[hook])}`);
      }
      functions[hook] = options[hook];
    }
  }
  const run = new GridRun(functions, options.events === true, 'grid_event');
  return module.memory.scope(() => {
    const { exports, memory, records } = module;
    const terms = { ...module.readInitial('grid_terms', []), ...grid.terms,
      ...(options.seed === undefined ? {} : { seed: options.seed }) };
    const address = putGrid(module, grid, terms, run, options.policy);
    const hooks = putHooks(module, 'grid_hooks', functions, run.keepsEvents);
    const results = new Results(module, grid, terms, options.hosts ?? true);
    const error = module.newError();
    const code = module.withCallbacks(run, () => exports.vcs_emulate_grid(address, hooks, results.address, error));
    if (code !== OK) {
      module.fail(name, code, error);
    }
    return { ...results.read(), events: run.keepsEvents ? run.events(module) : [], failures: run.failures };
  });
}

function putGrid(module, grid, terms, run, policy) {
  const { memory, records } = module;
  const layout = records.layout('grid');
  const address = memory.room(layout.size);
  memory.view.setUint32(address, layout.size, true);
  const put = (name, kind, values) => {
    const element = records.layout(kind);
    module.setArray(address + layout.at[name], module.putRecords(element, values, `emulateGrid(): ${name}`),
      element.size, values.length);
  };
  put('terms', 'grid_terms', [terms]);
  put('projects', 'grid_project', grid.projects);
  const element = records.layout('host_class');
  const classes = memory.room(element.size * grid.classes.length);
  grid.classes.forEach((given, index) => putClass(module, classes + index * element.size, given, index, grid, run,
    policy));
  module.setArray(address + layout.at.classes, classes, element.size, grid.classes.length);
  return address;
}

/** Where the outcome goes. */
class Results {
  constructor(module, grid, terms, keepsHosts) {
    const { memory, records } = module;
    const layout = records.layout('grid_results');
    const address = memory.room(layout.size);
    Object.assign(this, { module, address, outcome: blank(module, 'grid_outcome') });
    this.projects = grid.projects.length;
    this.hosts = keepsHosts ? mostHosts(grid, terms.duration) : 0;
    this.samples = terms.sample > 0 ? Math.min(Math.floor(terms.duration / terms.sample) + 2, 1000000) : 0;
    const put = (name, value) => memory.view.setUint32(address + layout.at[name], value, true);
    put('struct_size', layout.size);
    put('outcome', this.outcome.address);
    const sizes = { project: this.projects, host: this.hosts, sample: this.samples };
    for (const [kind, count] of Object.entries(sizes)) {
      const element = records.layout(kind === 'sample' ? 'grid_sample' : `grid_${kind}_outcome`);
      const rooms = kind === 'sample' ? count * this.projects : count;
      this[`${kind}Base`] = memory.room(element.size * rooms);
      put(`${kind}s`, rooms === 0 ? 0 : this[`${kind}Base`]);
      put(`${kind}_size`, element.size);
      put(`${kind}_count`, count);
    }
    this.turnarounds = memory.room(8 * GRID_BINS * this.projects);
    put('turnarounds', this.turnarounds);
  }

  read() {
    const { memory, records } = this.module;
    const outcome = this.outcome.read();
    const samples = Math.min(outcome.samples, this.samples);
    const sample = records.layout('grid_sample');
    const bins = (project) => Array.from({ length: GRID_BINS }, (_, bin) => this.module.count64(
      memory.view.getBigUint64(this.turnarounds + 8 * (project * GRID_BINS + bin), true)));
    return { outcome,
      projects: records.readAll(records.layout('grid_project_outcome'), this.projectBase, this.projects),
      hosts: records.readAll(records.layout('grid_host_outcome'), this.hostBase,
        Math.min(this.hosts, outcome.hosts)),
      samples: Array.from({ length: this.projects }, (_, project) => records.readAll(sample,
        this.sampleBase + project * this.samples * sample.size, samples)),
      turnarounds: Array.from({ length: this.projects }, (_, project) => bins(project)) };
  }
}
