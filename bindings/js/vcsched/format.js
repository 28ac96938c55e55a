// SPDX-License-Identifier: MIT
//
// A host, or a host with its servers, as a state file (doc/state_format.md), by the tables by which it is read.

import { EMULATION_USABLE_GIVEN, NONE } from './constants.js';
import { completed } from './emulate.js';
import { checkScenario } from './snapshot.js';
import { STATE_KEYS } from './tables.js';

/** Keys that are written though the value is 0, since that is not what a file without them means. */
const ALWAYS = new Set(['share', 'remaining', 'cpus', 'count', 'flops', 'weight']);
/** Keys that mean something beside another one alone. */
const NEEDS = { gpus: 'gpu', gpu: 'gpu' };

class Writer {
  constructor(module, given) {
    this.module = module;
    this.given = given;
    this.lines = [];
    this.isScenario = given.models !== undefined || given.emulation !== undefined;
    this.names = { project: this.#namesOf('projects', 'project'), task: this.#namesOf('tasks', 'task'),
      candidate: this.#namesOf('candidates', 'candidate'),
      resource: (given.resources ?? []).map((resource, index) => (index === 0 ? 'CPU'
        : resource.name ?? `GPU_${index}`)),
      app: (given.apps ?? []).map((app, index) => this.#appName(app, index)) };
  }

  #namesOf(part, kind) {
    return (this.given[part] ?? []).map((record, index) => record.name ?? `${kind}_${index}`);
  }

  /** An application is called PROJECT/NAME in a file, and NAME where the project is known. */
  #appName(app, index) {
    const project = this.given.projects?.[app.project]?.name;
    const name = app.name ?? `app_${index}`;
    return project !== undefined && name.startsWith(`${project}/`) ? name.slice(project.length + 1) : name;
  }

  /** A record with all its fields. */
  whole(kind, value) {
    const { memory, records } = this.module;
    const layout = records.layout(kind);
    return memory.scope(() => records.read(layout, this.module.putRecord(layout, value, `formatState(): ${kind}`)));
  }

  section(title, keys, parts, names = {}) {
    this.lines.push('', `[${title}]`);
    for (const row of STATE_KEYS[keys]) {
      const text = this.#value(row, parts, names);
      if (text !== undefined && (NEEDS[row.key] === undefined || names[NEEDS[row.key]] !== undefined)) {
        this.lines.push(`${row.key} = ${text}`);
      }
    }
  }

  #value(row, parts, names) {
    if (row.form === 'name') {
      return names[row.key];
    }
    const value = parts[row.of]?.[row.field];
    if (value === undefined || value === null) {
      return undefined;
    }
    switch (row.form) {
      case 'switch':
        return (value & row.bit) !== 0 ? '1' : undefined;
      case 'word':
        return value === 0 ? undefined : row.words[value];
      case 'instances':
        return BigInt(value) === 0n ? undefined : places(BigInt(value)).join(', ');
      case 'number_or_never':
        return value === Infinity ? 'never' : String(value);
      default:
        return Number(value) === 0 && !ALWAYS.has(row.key) ? undefined : String(value);
    }
  }

  client() {
    const { exports, memory, records } = this.module;
    const parameters = this.whole('parameters', typeof this.given.parameters === 'string'
      ? { profile: this.given.parameters } : this.given.parameters ?? {});
    const plain = this.module.readInitial('parameters', [parameters.profile]);
    this.lines.push('', '[client]', `profile = ${memory.text(exports.vcs_profile_name(parameters.profile))}`);
    const layout = records.layout('parameter_info');
    memory.scope(() => {
      const info = memory.room(layout.size);
      for (let index = 0; index < exports.vcs_parameter_count(); index++) {
        memory.view.setUint32(info, layout.size, true);
        exports.vcs_parameter_at(index, info);
        const { name } = records.read(layout, info);
        if (parameters[name] !== undefined && parameters[name] !== plain[name]) {
          const number = Number(parameters[name]);
          const choice = Number.isInteger(number) ? memory.text(exports.vcs_parameter_choice(index, number)) : '';
          this.lines.push(`${name} = ${choice || number}`);
        }
      }
    });
  }

  host() {
    const { given } = this;
    const cpu = this.whole('resource', given.resources[0]);
    const emulation = this.isScenario ? this.#emulation() : {};
    const course = completed(this.module, given.emulation, given.parameters);
    if (this.isScenario && (course.flags & EMULATION_USABLE_GIVEN) === 0) {
      delete cpu.usable;
    }
    const names = given.switches?.length > 0 ? { switches: given.switches.join(', ') } : {};
    if (given.hours?.length > 0) {
      names.hours_on = given.hours.map((hour) => hour.on ?? 0).join(', ');
      names.hours_off = given.hours.map((hour) => hour.off ?? 0).join(', ');
    }
    const now = this.isScenario ? emulation.start ?? 0 : given.now ?? 0;
    this.section('host', 'host', { '': { now }, host: this.whole('host', given.host ?? {}), cpu, emulation }, names);
  }

  /** What differs from how it would be emulated without a word. */
  #emulation() {
    const { module, given } = this;
    const plain = completed(module, {}, given.parameters);
    const course = completed(module, given.emulation, given.parameters);
    return Object.fromEntries(Object.entries(course).filter(([name, value]) => value !== plain[name]
      && !(given.switches?.length > 0 && name.startsWith('available'))));
  }

  gpuName(index) {
    return index > 0 ? { gpu: this.names.resource[index] } : {};
  }

  tasks(kind, values) {
    values.forEach((value, index) => {
      const task = this.whole('task', value);
      this.section(`${kind} ${this.names[kind][index]}`, 'task', { task }, { project: this.names.project[task.project],
        ...(task.app === null || task.app === NONE ? {} : { app: this.names.app[task.app] }),
        ...this.gpuName(task.gpu) });
    });
  }

  text() {
    const { given, names } = this;
    const each = (part, kind, action) => (given[part] ?? []).forEach((value, index) =>
      action(this.whole(kind, value), index));
    this.host();
    this.client();
    if (this.isScenario) {
      this.section('emulation', 'emulation', { '': this.#emulation() });
    }
    each('resources', 'resource', (resource, index) => {
      if (index > 0) {
        this.section(`gpu ${names.resource[index]}`, 'gpu', { '': resource });
      }
    });
    each('projects', 'project', (project, index) => this.section(`project ${names.project[index]}`, 'project',
      { project, server: given.servers?.[index] === undefined ? undefined
        : this.whole('server_model', given.servers[index]) }));
    each('project_resources', 'project_resource', (one) => this.section(
      `project_resource ${names.project[one.project]}/${names.resource[one.resource]}`, 'project_resource',
      { '': one }));
    each('apps', 'app', (app, index) => this.#app(app, index));
    each('app_resources', 'app_resource', (one) => this.section(`app_resource ${this.#appTitle(one.app)}/`
      + `${names.resource[one.resource]}`, 'app_resource', { '': one }));
    this.tasks('task', given.tasks ?? []);
    this.tasks('candidate', given.candidates ?? []);
    return `${this.lines.slice(1).join('\n')}\n`;
  }

  #appTitle(index) {
    return `${this.names.project[this.given.apps[index].project]}/${this.names.app[index]}`;
  }

  #app(app, index) {
    const given = this.given.models?.[index];
    const model = given === undefined ? undefined : this.whole('job_model', given);
    const sizes = model?.size_count > 0
      ? { sizes: this.given.sizes.slice(model.first_size, model.first_size + model.size_count).join(', ') } : {};
    if (model !== undefined && model.latency_bound === 0) { // it sends nothing
      this.section(`app ${this.#appTitle(index)}`, 'app', { app });
    } else {
      this.section(`app ${this.#appTitle(index)}`, 'app', { app, model },
        { ...sizes, ...this.gpuName(model?.gpu ?? 0) });
    }
  }
}

/** The numbers of the bits that are set. */
function places(bits) {
  return Array.from({ length: 64 }, (_, place) => place).filter((place) => (bits >> BigInt(place) & 1n) === 1n);
}

/** Writes a state file. Ids are not kept: records have those of their places when they are read again. */
export function formatState(module, given) {
  checkScenario(given, 'formatState(): host');
  if (!(given.resources?.length > 0)) {
    throw new TypeError('formatState(): resources must have the CPUs');
  }
  return new Writer(module, given).text();
}
