// SPDX-License-Identifier: MIT
//
// One instance of the compiled library, and what every call needs of it.

import { NONE, OK, TYPE_NONE, VERSION_MAJOR, VERSION_MINOR, VERSION_PATCH } from './constants.js';
import { shown, VcsError } from './error.js';
import { Memory } from './memory.js';
import { narrow, Records } from './record.js';
import { STRUCTS } from './tables.js';
import { Files } from './wasi.js';

export const CALLBACK_FAILED = -1000000; // what a function of the caller's returns that has thrown

export class Module {
  #choices = new Map();
  #ranges = new Map();

  /** What the functions of JavaScript that run now belong to, the innermost last. */
  running = [];

  constructor(compiled, callbacks) {
    this.files = new Files(() => new Uint8Array(this.exports.memory.buffer));
    const callback = (name) => (context, ...given) => callbacks[name](this, this.running.at(-1).of(context), given);
    const instance = new WebAssembly.Instance(compiled, {
      wasi_snapshot_preview1: this.files.imports(),
      vcsched: Object.fromEntries(Object.keys(callbacks).map((name) => [name, callback(name)])),
    });
    this.exports = instance.exports;
    this.exports._initialize?.();
    this.memory = new Memory(this.exports);
    this.records = new Records(this.memory, STRUCTS, (name, choice) => this.choiceNumber(name, choice));
    this.#check();
  }

  /** The table of fields is that of this library, and it computes as it does elsewhere. */
  #check() {
    const version = this.memory.text(this.exports.vcs_version());
    const expected = `${VERSION_MAJOR}.${VERSION_MINOR}.${VERSION_PATCH}`;
    for (const layout of this.records.layouts.values()) {
      if (layout.type !== 0 && this.exports.vcs_emulator_struct_size(layout.type) >>> 0 !== layout.size) {
        throw new Error(`vcsched.wasm is of another build (${version}) than this module (${expected}): ` +
          `${layout.name} has another size`);
      }
    }
    this.memory.scope(() => {
      const error = this.newError();
      if (this.exports.vcs_self_test(error) !== OK) {
        throw new Error(`libvcsched decides otherwise here than elsewhere: ${this.#said(error).message}`);
      }
    });
  }

  // ---- Arguments ----

  newError() {
    const layout = this.records.layout('error');
    const address = this.memory.room(layout.size);
    this.memory.view.setUint32(address, layout.size, true);
    return address;
  }

  /** A vcs_array. */
  newArray(base, size, count) {
    const address = this.memory.room(16);
    this.setArray(address, base, size, count);
    return address;
  }

  setArray(address, base, size, count) {
    const { view } = this.memory;
    view.setUint32(address, count === 0 ? 0 : base, true);
    view.setUint32(address + 8, size, true);
    view.setUint32(address + 12, count, true);
  }

  /** A record in memory. Where the library has defaults, they count for what is not given. */
  putRecord(layout, value, where, pointers = undefined) {
    const address = this.memory.room(layout.size);
    const given = typeof value === 'string' && layout.name === 'parameters' ? { profile: value } : value ?? {};
    this.records.write(layout, address, given, where, this.records.base(layout, given, this));
    pointers?.push([layout, address]);
    return address;
  }

  /** Records in a row, at `base`. */
  putRecords(layout, values, where) {
    if (!Array.isArray(values)) {
      throw new TypeError(`${where} must be an array, not ${shown(values)}`);
    }
    const base = this.memory.room(layout.size * values.length);
    values.forEach((value, index) => {
      const at = base + index * layout.size;
      this.records.write(layout, at, value, `${where}[${index}]`, this.records.base(layout, value, this));
    });
    return base;
  }

  putArray(layout, values, where) {
    return this.newArray(this.putRecords(layout, values, where), layout.size, values.length);
  }

  /** Doubles in a row. */
  putNumbers(values, where) {
    if (!Array.isArray(values) && !(values instanceof Float64Array)) {
      throw new TypeError(`${where} must be an array of numbers, not ${shown(values)}`);
    }
    const base = this.memory.room(8 * values.length);
    values.forEach((value, index) => {
      if (typeof value !== 'number') {
        throw new TypeError(`${where}[${index}] must be a number, not ${shown(value)}`);
      }
      this.memory.view.setFloat64(base + 8 * index, value, true);
    });
    return base;
  }

  /** What the library fills a struct with. */
  initial(layout, values) {
    return this.memory.scope(() => {
      const address = this.memory.room(layout.size);
      let next = 0;
      const given = layout.init.by.map((name) => {
        switch (name) {
          case 'size':
            return layout.size;
          case 'id':
            return 1n;
          case 'parameters':
            return this.putRecord(this.records.layout('parameters'), {}, 'parameters');
          case 'purpose':
            return 0;
          default:
            return values[next++];
        }
      });
      const code = this.exports[`vcs_${layout.init.f}`](address, ...given);
      if (code !== OK) {
        this.fail(layout.name, code);
      }
      return this.memory.copy(address, layout.size);
    });
  }

  /** The same as a record. */
  readInitial(name, values) {
    const layout = this.records.layout(name);
    return this.memory.scope(() => this.records.read(layout, this.memory.putBytes(this.initial(layout, values))));
  }

  // ---- Choices ----

  /** The number of a profile. */
  profile(name) {
    const number = this.choiceNumber('profile', name);
    if (number === undefined) {
      const known = [...this.choicesOf('profile').keys()].join(', ');
      throw new RangeError(`profile must be one of ${known}, not ${shown(name)}`);
    }
    return number;
  }

  /** The number of a parameter's choice, or of a profile; undefined if there is no such parameter. */
  choiceNumber(name, choice) {
    const choices = this.choicesOf(name);
    if (choices.size > 0 && !choices.has(choice)) {
      throw new RangeError(`${name} must be one of ${[...choices.keys()].join(', ')}, not ${shown(choice)}`);
    }
    return choices.get(choice);
  }

  choicesOf(name) {
    let found = this.#choices.get(name);
    if (found === undefined) {
      found = new Map(this.memory.scope(() => this.#findChoices(name)));
      this.#choices.set(name, found);
    }
    return found;
  }

  #findChoices(name) {
    const { exports, memory } = this;
    const names = (textOf) => {
      const found = [];
      for (let number = 0; number < 32; number++) {
        const choice = memory.text(textOf(number));
        if (choice !== '' && choice !== 'unknown') {
          found.push([choice, number]);
        }
      }
      return found;
    };
    if (name === 'profile') {
      return names((number) => exports.vcs_profile_name(number));
    }
    const index = exports.vcs_parameter_find(memory.putText(name)) >>> 0;
    return index === NONE ? [] : names((number) => exports.vcs_parameter_choice(index, number));
  }

  // ---- Errors ----

  #said(error) {
    return this.records.read(this.records.layout('error'), error);
  }

  /** Throws what the library says of a code. `pointers` are the records that it was given. */
  fail(name, code, error = undefined, pointers = []) {
    const { exports, memory } = this;
    const constant = memory.text(exports.vcs_error_name(code));
    const said = error === undefined ? undefined : this.#said(error);
    if (said !== undefined && said.code === code) {
      const record = said.type === TYPE_NONE ? '' : memory.text(exports.vcs_emulator_struct_name(said.type));
      throw new VcsError(`${name}(): ${said.message || memory.text(exports.vcs_strerror(code))}`, code, constant,
        record, said.index, said.field);
    }
    const fault = this.#faultIn(pointers);
    if (fault !== undefined) {
      throw new VcsError(`${name}(): ${fault.record}: ${fault.field} ${fault.wanted}`, code, constant, fault.record, 0,
        fault.field);
    }
    throw new VcsError(`${name}(): ${memory.text(exports.vcs_strerror(code))}`, code, constant);
  }

  /** The first field outside its range. */
  #faultIn(pointers) {
    for (const [layout, address] of pointers) {
      const record = this.records.read(layout, address);
      for (const { name, minimum, maximum } of this.fieldsOf(layout)) {
        const value = record[name];
        if (typeof value === 'number' && !(value >= minimum && value <= maximum)) {
          return { record: layout.name, field: name, wanted: `is ${value}, not ${minimum} ... ${maximum}` };
        }
      }
    }
    return undefined;
  }

  /** What the library says of the fields of a struct: name, unit, minimum, maximum. */
  fieldsOf(layout) {
    let found = this.#ranges.get(layout.name);
    if (found === undefined) {
      found = this.memory.scope(() => this.#describe(layout));
      this.#ranges.set(layout.name, found);
    }
    return found;
  }

  #describe(layout) {
    const info = this.records.layout('field_info');
    const address = this.memory.room(info.size);
    const found = [];
    for (let index = 0; index < this.exports.vcs_emulator_field_count(layout.type); index++) {
      this.memory.view.setUint32(address, info.size, true);
      this.exports.vcs_emulator_field_at(layout.type, index, address);
      const { name, unit, minimum, maximum } = this.records.read(info, address);
      if (layout.names.has(name)) {
        found.push({ name, unit, minimum, maximum });
      }
    }
    return found;
  }

  // ---- Functions of the caller's ----

  /** Runs an action of the library's that calls back; what a function has thrown is thrown again afterwards. */
  withCallbacks(run, action) {
    this.running.push(run);
    let code;
    try {
      code = action();
    } finally {
      this.running.pop();
    }
    if (run.hasThrown) {
      throw run.thrown;
    }
    return code;
  }

  count64(value) {
    return narrow(BigInt.asUintN(64, value));
  }
}
