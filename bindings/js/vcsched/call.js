// SPDX-License-Identifier: MIT
//
// A function of the library as a function of JavaScript, by the table of what it takes and answers.

import { shown } from './error.js';
import { narrow, wide } from './record.js';
import { CHANGES_PER_RESULT, CHANGES_PER_UNIT } from './constants.js';

const GIVEN = new Set(['f64', 'u32', 'i32', 'u64', 'text', 'in', 'inout', 'inArray', 'inoutArray', 'inNumbers']);
const SIZES = { f64: 8, u64: 8, u32: 4 };

/** wrrTasks for wrr_tasks. */
export function camel(name) {
  return name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
}

/** What one call has on its way to the library. */
class Passage {
  constructor(module, name, row, values, owner) {
    Object.assign(this, { module, name, row, values, owner, counts: { ...owner?.counts }, pointers: [], after: [],
      answers: [], changed: undefined, hasChanged: false });
  }

  arguments() {
    const { memory } = this.module;
    let next = 0;
    return this.row.rows.map((parameter) => {
      const where = `${this.name}(): ${parameter.n}`;
      const value = GIVEN.has(parameter.k) ? this.values[next++] : undefined;
      switch (parameter.k) {
        case 'state':
        case 'dispatch':
          return this.owner.address;
        case 'error':
          this.error = this.module.newError();
          return this.error;
        case 'size':
          return this.module.records.layout(parameter.s).size;
        case 'f64':
          return number(value, where);
        case 'u32':
        case 'i32':
          return this.#whole(parameter, value, where);
        case 'u64':
          return wide(value, where);
        case 'text':
          return memory.putText(text(value, where));
        case 'count':
          this.changeCount = memory.room(4);
          return this.changeCount;
        default:
          return this.#pointer(parameter, value, where);
      }
    });
  }

  #whole(parameter, value, where) {
    if (value === null && parameter.is === 'index') {
      return 0xffffffff;
    }
    if (typeof value === 'boolean') {
      return Number(value);
    }
    if (typeof value === 'string' && parameter.n === 'profile') {
      return this.module.profile(value);
    }
    if (typeof value !== 'number' || !Number.isInteger(value)) {
      throw new TypeError(`${where} must be a whole number, not ${shown(value)}`);
    }
    const [least, most] = parameter.k === 'u32' ? [0, 0xffffffff] : [-(2 ** 31), 2 ** 31 - 1];
    if (value < least || value > most) {
      throw new RangeError(`${where} must be ${least} ... ${most}, not ${value}`);
    }
    return value;
  }

  #pointer(parameter, value, where) {
    const { memory, records } = this.module;
    const layout = parameter.s === undefined ? undefined : records.layout(parameter.s);
    switch (parameter.k) {
      case 'in':
        if (value === undefined || value === null) {
          if (parameter.optional) {
            return 0;
          }
          // What the library has defaults for need not be given.
          if (layout.init === undefined) {
            throw new TypeError(`${where} must be an object with the fields of ${layout.name}, not ${shown(value)}`);
          }
        }
        return this.module.putRecord(layout, value, where, this.pointers);
      case 'inout': {
        const address = this.module.putRecord(layout, value, where, this.pointers);
        this.#change(value, () => Object.assign(value, records.read(layout, address)));
        return address;
      }
      case 'out': {
        const address = memory.room(layout.size);
        if (layout.sized) {
          memory.view.setUint32(address, layout.size, true);
        }
        this.answers.push([parameter.n, () => records.read(layout, address)]);
        return address;
      }
      case 'inArray':
      case 'inoutArray': {
        const array = this.module.putArray(layout, value, where);
        this.counts[parameter.n] = value.length;
        if (parameter.k === 'inoutArray') {
          const base = memory.u32(array);
          this.#change(value, () => value.forEach((record, index) => Object.assign(record,
            records.read(layout, base + index * layout.size))));
        }
        return array;
      }
      case 'outArray':
        return this.#outArray(parameter, layout, this.counts[parameter.of], (count) => count);
      case 'changes': {
        const most = CHANGES_PER_UNIT + CHANGES_PER_RESULT * (this.counts[parameter.of] ?? 0);
        return this.#outArray(parameter, layout, most, () => memory.u32(this.changeCount));
      }
      case 'inNumbers': {
        if (!Array.isArray(value) || value.length !== this.counts[parameter.of]) {
          throw new TypeError(`${where} must be an array of ${this.counts[parameter.of]} whole numbers, ` +
            `as many as ${parameter.of}`);
        }
        const address = memory.room(4 * value.length);
        value.forEach((one, index) => {
          memory.view.setUint32(address + 4 * index, this.#whole({ k: 'u32' }, one, `${where}[${index}]`), true);
        });
        return address;
      }
      case 'outNumbers': {
        const count = this.counts[parameter.of];
        const size = SIZES[parameter.e];
        const address = memory.room(size * count);
        this.answers.push([parameter.n, () => Array.from({ length: count },
          (_, index) => this.#number(parameter, address + size * index))]);
        return address;
      }
      case 'outNumber': {
        const address = memory.room(8);
        this.answers.push([parameter.n, () => this.#number(parameter, address)]);
        return address;
      }
      default:
        throw new TypeError(`${where}: ${parameter.k}`);
    }
  }

  #outArray(parameter, layout, room, countOf) {
    const { memory, records } = this.module;
    const base = memory.room(layout.size * room);
    this.answers.push([parameter.n, () => records.readAll(layout, base, countOf(room))]);
    return this.module.newArray(base, layout.size, room);
  }

  #number(parameter, address) {
    const { view } = this.module.memory;
    if (parameter.e === 'f64') {
      return view.getFloat64(address, true);
    }
    const value = parameter.e === 'u64' ? narrow(view.getBigUint64(address, true)) : view.getUint32(address, true);
    return parameter.is === 'truth' ? value === 1 : value;
  }

  #change(value, update) {
    if (!this.hasChanged) {
      this.changed = value;
      this.hasChanged = true;
    }
    this.after.push(update);
  }

  answer() {
    this.after.forEach((update) => update());
    const found = this.answers.map(([name, read]) => [name, read()]);
    if (found.length > 1) {
      return Object.fromEntries(found);
    }
    return found.length === 1 ? found[0][1] : this.changed;
  }
}

export function number(value, where) {
  if (typeof value !== 'number') {
    throw new TypeError(`${where} must be a number, not ${shown(value)}`);
  }
  return value;
}

export function text(value, where) {
  if (typeof value !== 'string') {
    throw new TypeError(`${where} must be a string, not ${shown(value)}`);
  }
  return value;
}

/** Calls a function with the arguments that are not the binding's business; `owner` is a state or an index. */
export function call(module, name, row, values, owner) {
  return module.memory.scope(() => {
    const passage = new Passage(module, camel(name), row, values, owner);
    const given = passage.arguments();
    const result = module.exports[`vcs_${name}`](...given);
    if (row.result === 'text') {
      return module.memory.text(result);
    }
    if (row.result !== 'code') {
      return row.result === 'u32' ? result >>> 0 : row.result === 'u64' ? narrow(BigInt.asUintN(64, result)) : result;
    }
    if (result !== 0) {
      module.fail(camel(name), result, passage.error, passage.pointers);
    }
    return passage.answer();
  });
}
