// SPDX-License-Identifier: MIT

import { EDF_MISSED, ERR_WORKSPACE, OK, SCHEDULE_EXPLAIN } from './constants.js';
import { call, camel, number } from './call.js';
import { shown } from './error.js';
import { checkState, putSnapshot } from './snapshot.js';
import { FUNCTIONS } from './tables.js';

/** Frees what nobody holds any more. */
const forgotten = new FinalizationRegistry(({ module, address }) => module.memory.free(address));

/** A host at one moment: prepared once, asked many times. It keeps a copy of all that it needs. */
export class State {
  #module;
  #address;
  #size = 0;
  #owned;
  #running = 0;
  counts;

  /** Not for callers: vcs.prepare() makes a state. */
  constructor(module, address, size, counts) {
    this.#module = module;
    this.#address = address;
    this.#size = size;
    this.#owned = size > 0;
    this.counts = { ...counts, project_resources: counts.projects * counts.resources };
    if (this.#owned) {
      forgotten.register(this, { module, address }, this);
    }
  }

  get address() {
    if (this.#address === 0) {
      throw new TypeError('the state is there no more');
    }
    return this.#address;
  }

  /** Weighted round-robin: when each task ends, which miss their deadline, how much work is missing. */
  wrr() {
    return { summary: this.#call('wrr'), tasks: this.wrrTasks(), resources: this.wrrResources(),
      project_resources: this.wrrProjectResources() };
  }

  /** Earliest deadline first: of the tasks that wrr() found to be late (EDF_MISSED), or of all (EDF_ALL). */
  edf(which = EDF_MISSED) {
    return { summary: this.#call('edf', which), tasks: this.edfTasks(), resources: this.edfResources() };
  }

  /** Which tasks run from now on, after wrr(), with a reason for each task unless `detail` is SCHEDULE_RUNNING. */
  schedule(detail = SCHEDULE_EXPLAIN) {
    const summary = this.#call('schedule', detail);
    this.#running = summary.running;
    return { summary, tasks: detail === SCHEDULE_EXPLAIN ? this.scheduleTasks() : [],
      resources: this.scheduleResources(), running: this.scheduleRunning() };
  }

  /** Whom to ask for work, and for how much, after wrr(). Without a question: which project, if any. */
  fetch(question = undefined) {
    return { summary: this.#call('fetch', question), project_resources: this.fetchDecisions() };
  }

  /** The tasks that run, in the order in which they were chosen: `task`, its index, and `decision`. */
  scheduleRunning() {
    const module = this.#module;
    const { memory, records } = module;
    return memory.scope(() => {
      const running = this.#running;
      const layout = records.layout('task_decision');
      const indices = memory.room(4 * running);
      const base = memory.room(layout.size * running);
      const code = module.exports.vcs_schedule_running(this.address, indices,
        module.newArray(base, layout.size, running));
      if (code !== OK) {
        module.fail('scheduleRunning', code);
      }
      return records.readAll(layout, base, running).map((decision, index) => ({
        task: memory.u32(indices + 4 * index), decision }));
    });
  }

  /** Brings the state up to date with the host as it is now; what has been decided is forgotten. */
  renew(host) {
    const module = this.#module;
    checkState(host, 'renew(): host');
    module.memory.scope(() => {
      const { snapshot, counts, parameters, now } = put(module, host, 'renew');
      const error = module.newError();
      const code = module.exports.vcs_state_renew(this.address, this.#size, snapshot, parameters, now, error);
      if (code === ERR_WORKSPACE) {
        this.#replace(prepare(module, host, 'renew'));
      } else if (code !== OK) {
        module.fail('renew', code, error);
      } else {
        this.counts = { ...counts, project_resources: counts.projects * counts.resources };
      }
    });
    return this;
  }

  #replace(other) {
    forgotten.unregister(other);
    forgotten.unregister(this);
    this.#module.memory.free(this.#address);
    this.#address = other.#address;
    this.#size = other.#size;
    this.counts = other.counts;
    other.#address = 0;
    forgotten.register(this, { module: this.#module, address: this.#address }, this);
  }

  /** Another state of the same host, with what has been decided so far. */
  copy() {
    const module = this.#module;
    if (!this.#owned) {
      throw new TypeError('copy(): the emulator has prepared this state, which ends with the call');
    }
    const address = module.memory.take(this.#size);
    module.memory.bytes.copyWithin(address, this.address, this.address + this.#size);
    return new State(module, address, this.#size, this.counts);
  }

  /** Frees its memory at once; otherwise that happens some time after nobody holds it any more. */
  free() {
    if (this.#address !== 0 && this.#owned) {
      forgotten.unregister(this);
      this.#module.memory.free(this.#address);
    }
    this.#address = 0;
  }

  #call(name, ...values) {
    return call(this.#module, name, FUNCTIONS[name], values, this);
  }

  static {
    // The other functions over a state, which need nothing more than their table says.
    for (const [name, row] of Object.entries(FUNCTIONS)) {
      if (row.of === 'state' && this.prototype[camel(name)] === undefined) {
        Object.defineProperty(this.prototype, camel(name), {
          value: function method(...values) {
            return this.#call(name, ...values);
          } });
      }
    }
    if (Symbol.dispose !== undefined) {
      this.prototype[Symbol.dispose] = this.prototype.free;
    }
  }
}

function put(module, host, name) {
  const snapshot = module.memory.room(module.records.layout('snapshot').size);
  const counts = putSnapshot(module, snapshot, host, `${name}(): `);
  const parameters = module.putRecord(module.records.layout('parameters'), host.parameters, `${name}(): parameters`);
  return { snapshot, counts, parameters, now: number(host.now ?? 0, `${name}(): now`) };
}

/** Checks a host and prepares it. */
export function prepare(module, host, name = 'prepare') {
  checkState(host, `${name}(): host`);
  return module.memory.scope(() => {
    const { exports, memory } = module;
    const { snapshot, counts, parameters, now } = put(module, host, name);
    const size = memory.room(4);
    // A snapshot whose size cannot be computed is refused with a reason when it is prepared.
    const bytes = exports.vcs_state_size(snapshot, size) === OK ? memory.u32(size) + 7 & ~7 : 8;
    const work = memory.take(bytes);
    const state = memory.room(4);
    const error = module.newError();
    const code = exports.vcs_state_prepare(snapshot, parameters, now, work, bytes, state, error);
    if (code !== OK) {
      memory.free(work);
      module.fail(name, code, error);
    }
    return new State(module, memory.u32(state), bytes, counts);
  });
}

export function isState(value) {
  if (!(value instanceof State)) {
    throw new TypeError(`a state expected, not ${shown(value)}`);
  }
  return value;
}
