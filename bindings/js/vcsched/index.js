// SPDX-License-Identifier: MIT
//
// The scheduling policy of volunteer computing, and the emulator, as compiled C. doc/javascript.md is the manual.

import { call, camel } from './call.js';
import { bound, emulate, HOST_CALLBACKS } from './emulate.js';
import { InputError, VcsError } from './error.js';
import { formatState } from './format.js';
import { parseGrid, parseScenario, parseState } from './file.js';
import { emulateGrid, GRID_CALLBACKS } from './grid.js';
import { DispatchIndex } from './dispatch.js';
import { Module } from './module.js';
import { prepare, State } from './state.js';
import { FUNCTIONS } from './tables.js';
import { duration, planWords } from './words.js';
import * as constants from './constants.js';

export * from './constants.js';
export { InputError, VcsError };

/** The library: its functions, under their names in camel case, and its constants. */
class Library {
  #module;

  constructor(compiled) {
    this.#module = new Module(compiled, { ...HOST_CALLBACKS, ...GRID_CALLBACKS });
  }

  /** A host, checked and prepared: the state answers what will happen, what runs and what is fetched. */
  prepare(host) {
    return prepare(this.#module, host);
  }

  /** All decisions over a host. */
  plan(host) {
    const state = prepare(this.#module, host, 'plan');
    try {
      return { wrr: state.wrr(), edf: state.edf(), schedule: state.schedule(), fetch: state.fetch() };
    } finally {
      state.free();
    }
  }

  /** The same in words: a sentence or two for each task, and for each project on each resource. */
  planWords(host, plan = this.plan(host)) {
    return planWords(this.#module, host, plan);
  }

  /** A duration for a person. */
  duration(seconds) {
    return duration(seconds);
  }

  parseState(text, options) {
    return parseState(this.#module, text, options);
  }

  parseScenario(text, options) {
    return parseScenario(this.#module, text, options);
  }

  parseGrid(text, options) {
    return parseGrid(this.#module, text, options);
  }

  /** A host, or a scenario, as the text of a state file. */
  formatState(host) {
    return formatState(this.#module, host);
  }

  /** Emulates a host and its servers. */
  emulate(scenario, options) {
    return emulate(this.#module, scenario, options);
  }

  /** Emulates projects with their servers, and the hosts that work for them. */
  emulateGrid(grid, options) {
    return emulateGrid(this.#module, grid, options);
  }

  /** What a host loses at least, whatever its policy. */
  bound(scenario) {
    return bound(this.#module, scenario);
  }

  /** An index of clients and jobs, which says which job a client gets next. */
  dispatch(jobs) {
    return new DispatchIndex(this.#module, jobs);
  }

  /** A record with all its fields: those that are given, and the defaults. */
  record(kind, values = {}) {
    const module = this.#module;
    const layout = module.records.layout(kind);
    if (layout === undefined || layout.type === 0) {
      throw new TypeError(`record(): there is no kind ${kind}`);
    }
    return module.memory.scope(() => module.records.read(layout, module.putRecord(layout, values, kind)));
  }

  /** What the library says of the fields of a record: name, unit, least and greatest value. */
  fields(kind) {
    const layout = this.#module.records.layout(kind);
    if (layout === undefined || layout.type === 0) {
      throw new TypeError(`fields(): there is no kind ${kind}`);
    }
    return this.#module.fieldsOf(layout).map((field) => ({ ...field }));
  }

  /** The names of the choices of a parameter, or the profiles, with their numbers; none if it is no choice. */
  choices(parameter) {
    return Object.fromEntries(this.#module.choicesOf(parameter));
  }

  /** Records as the library has them in memory, which is little-endian: for comparisons, and to keep many. */
  bytes(kind, values) {
    const module = this.#module;
    const layout = module.records.layout(kind);
    const list = Array.isArray(values) ? values : [values];
    return module.memory.scope(() => module.memory.copy(module.putRecords(layout, list, kind),
      layout.size * list.length));
  }

  /** The same bytes as records. */
  records(kind, bytes) {
    const module = this.#module;
    const layout = module.records.layout(kind);
    return module.memory.scope(() => module.records.readAll(layout, module.memory.putBytes(bytes),
      bytes.length / layout.size));
  }

  static {
    for (const [name, value] of Object.entries(constants)) {
      Object.defineProperty(this.prototype, name, { value, enumerable: true });
    }
    for (const [name, row] of Object.entries(FUNCTIONS)) {
      if (row.of === '' && this.prototype[camel(name)] === undefined) {
        Object.defineProperty(this.prototype, camel(name), {
          value: function method(...values) {
            return call(this.#module, name, row, values);
          } });
      }
    }
  }
}

async function compile(source) {
  const given = await source;
  if (given instanceof WebAssembly.Module) {
    return given;
  }
  if (given instanceof ArrayBuffer || ArrayBuffer.isView(given)) {
    return WebAssembly.compile(given);
  }
  if (typeof Response !== 'undefined' && given instanceof Response) {
    return WebAssembly.compile(await given.arrayBuffer());
  }
  const url = new URL(given);
  if (url.protocol === 'file:' && globalThis.process?.versions?.node !== undefined) {
    const { readFile } = await import('node:fs/promises');
    return WebAssembly.compile(await readFile(url));
  }
  return compile(fetch(url));
}

/**
 * Loads the library. `source` is where vcsched.wasm is, or what is in it: a URL, bytes, a Response or a
 * WebAssembly.Module; beside this file if not given.
 */
export async function load(source = new URL('vcsched.wasm', import.meta.url)) {
  return new Library(await compile(source));
}

export { State };
