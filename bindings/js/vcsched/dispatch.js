// SPDX-License-Identifier: MIT

import { OK } from './constants.js';
import { call, camel } from './call.js';
import { checkParts } from './snapshot.js';
import { FUNCTIONS } from './tables.js';

const PARTS = new Set(['clients', 'jobs', 'rules', 'max_clients', 'max_jobs']);
const forgotten = new FinalizationRegistry(({ module, address }) => module.memory.free(address));

/** Clients and jobs, ordered so that the next job is found quickly. It copies what it needs. */
export class DispatchIndex {
  #module;
  #address;

  constructor(module, given) {
    checkParts(given, PARTS, 'dispatch(): jobs');
    this.#module = module;
    module.memory.scope(() => this.#build(given));
    forgotten.register(this, { module, address: this.#address }, this);
  }

  #build({ clients = [], jobs = [], rules = {}, max_clients = clients.length, max_jobs = jobs.length }) {
    const { exports, memory, records } = this.#module;
    const size = memory.room(4);
    const arrays = [this.#module.putArray(records.layout('client'), clients, 'dispatch(): clients'),
      this.#module.putArray(records.layout('dispatch_job'), jobs, 'dispatch(): jobs')];
    const order = this.#module.putRecord(records.layout('dispatch_rules'), rules, 'dispatch(): rules');
    let code = exports.vcs_dispatch_size(max_clients, max_jobs, size);
    if (code !== OK) {
      this.#module.fail('dispatch', code);
    }
    this.#address = memory.take(memory.u32(size));
    const error = this.#module.newError();
    code = exports.vcs_dispatch_build(this.#address, memory.u32(size), ...arrays, order, max_clients, max_jobs,
      error);
    if (code !== OK) {
      memory.free(this.#address);
      this.#module.fail('dispatch', code, error);
    }
  }

  get address() {
    if (this.#address === 0) {
      throw new TypeError('the index is there no more');
    }
    return this.#address;
  }

  /** Frees its memory at once. */
  free() {
    if (this.#address !== 0) {
      forgotten.unregister(this);
      this.#module.memory.free(this.#address);
      this.#address = 0;
    }
  }

  static {
    for (const [name, row] of Object.entries(FUNCTIONS)) {
      if (row.of === 'dispatch') {
        Object.defineProperty(this.prototype, camel(name.replace(/^dispatch_/, '')), {
          value: function method(...values) {
            return call(this.#module, name, row, values, this);
          } });
      }
    }
    if (Symbol.dispose !== undefined) {
      this.prototype[Symbol.dispose] = this.prototype.free;
    }
  }
}
