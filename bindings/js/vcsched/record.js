// SPDX-License-Identifier: MIT
//
// Records as plain objects: written to the memory of the module and read from it, by the table of their fields.

import { shown } from './error.js';

const LARGEST_EXACT = 2n ** 53n;
const NONE = 0xffffffff;
const RANGES = { u32: [0, 0xffffffff], i32: [-(2 ** 31), 2 ** 31 - 1] };
/** Names are for people. Records may have one, which the library does not read. */
const OWN = new Set(['name']);

export class Layout {
  constructor(name, row) {
    this.name = name;
    this.type = row.type;
    this.size = row.size;
    this.init = row.init;
    this.all = row.fields;
    this.at = Object.fromEntries(row.fields.map((field) => [field.n, field.at]));
    this.sized = row.fields[0]?.n === 'struct_size';
    this.fields = row.fields.filter((field) => field.n !== 'struct_size' && !field.n.startsWith('reserved'));
    this.names = new Set(this.fields.map((field) => field.n));
    this.flagsAt = this.at.flags;
    for (const field of this.fields) {
      if (field.default === 'inf') {
        field.default = Infinity;
      }
    }
  }
}

/** Converts records. `choices` tells the number of a parameter's choice that is given by name. */
export class Records {
  constructor(memory, structs, choices) {
    this.memory = memory;
    this.choices = choices;
    this.layouts = new Map(Object.entries(structs).map(([name, row]) => [name, new Layout(name, row)]));
    this.initial = new Map();
  }

  layout(name) {
    return this.layouts.get(name);
  }

  // ---- Objects to memory ----

  /** A record at a place; `base` has the bytes of what is not given. */
  write(layout, address, value, where, base = undefined) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new TypeError(`${where} must be an object with the fields of ${layout.name}, not ${shown(value)}`);
    }
    for (const key of Object.keys(value)) {
      if (!layout.names.has(key) && !OWN.has(key) && !key.startsWith('_')) {
        throw new TypeError(`${where} has no field ${key}`);
      }
    }
    const { view } = this.memory;
    if (base !== undefined) {
      this.memory.bytes.set(base, address);
    }
    if (layout.sized) {
      view.setUint32(address, layout.size, true);
    }
    for (const field of layout.fields) {
      let given = value[field.n];
      if (given === undefined && field.like !== undefined) {
        given = value[field.like];
      }
      if (given === undefined && (base === undefined || field.default !== undefined)) {
        given = field.default;
      }
      if (given === null && field.undefined !== undefined) {
        given = 0;
      }
      if (given !== undefined) {
        this.#put(view, address + field.at, field, given, where);
      }
    }
  }

  #put(view, at, field, given, where) {
    switch (field.k) {
      case 'f64':
        if (field.length !== undefined) {
          this.#putList(view, at, field, given, where);
        } else if (typeof given !== 'number') {
          throw new TypeError(`${where}.${field.n} must be a number, not ${shown(given)}`);
        } else {
          view.setFloat64(at, given, true);
        }
        break;
      case 'u32':
      case 'i32':
        view.setUint32(at, this.#whole(field, given, where), true);
        break;
      case 'u64':
      case 'i64':
        if (field.length !== undefined) {
          this.#putList(view, at, field, given, where);
        } else {
          view.setBigUint64(at, wide(given, `${where}.${field.n}`, field.k), true);
        }
        break;
      case 'text': {
        const bytes = new TextEncoder().encode(String(given)).subarray(0, field.length - 1);
        this.memory.bytes.set(bytes, at);
        break;
      }
      case 'struct':
        this.write(this.layout(field.s), at, given, `${where}.${field.n}`);
        break;
      default:
        throw new TypeError(`${where}.${field.n} cannot be set`);
    }
  }

  #putList(view, at, field, given, where) {
    if (!Array.isArray(given) || given.length !== field.length) {
      throw new TypeError(`${where}.${field.n} must be an array of ${field.length} numbers, not ${shown(given)}`);
    }
    const { length, ...one } = field;
    given.forEach((value, index) => this.#put(view, at + 8 * index, one, value, `${where}.${field.n}[${index}]`));
  }

  #whole(field, given, where) {
    if (typeof given === 'number' && Number.isInteger(given)) {
      const [least, most] = RANGES[field.k];
      if (given >= least && given <= most) {
        return given;
      }
      throw new RangeError(`${where}.${field.n} must be ${least} ... ${most}, not ${given}`);
    }
    if (typeof given === 'boolean') {
      return Number(given);
    }
    if (given === null && field.is === 'maybe') {
      return NONE;
    }
    const choice = typeof given === 'string' ? this.choices(field.n, given) : undefined;
    if (choice !== undefined) {
      return choice;
    }
    const wanted = field.is === 'truth' ? 'true or false' : field.is === 'maybe' ? 'an index or null'
      : field.is === 'index' ? 'an index' : 'a whole number';
    throw new TypeError(`${where}.${field.n} must be ${wanted}, not ${shown(given)}`);
  }

  /** The bytes with which a record begins whose other fields are filled in by the library; undefined if by none. */
  base(layout, value, module) {
    if (layout.init === undefined) {
      return undefined;
    }
    const by = layout.init.by.filter((name) => name === 'profile' || name === 'rule');
    const values = by.map((name) => this.#initialValue(layout, name, value?.[name]));
    const key = `${layout.name} ${values.join(' ')}`;
    let bytes = this.initial.get(key);
    if (bytes === undefined) {
      bytes = module.initial(layout, values);
      this.initial.set(key, bytes);
    }
    return bytes;
  }

  #initialValue(layout, name, given) {
    const field = layout.fields.find((one) => one.n === name);
    if (given === undefined) {
      return name === 'profile' ? this.choices('profile', 'current') : 0;
    }
    return field === undefined ? Number(given) : this.#whole(field, given, layout.name);
  }

  // ---- Memory to objects ----

  read(layout, address) {
    const { view } = this.memory;
    const record = {};
    const flags = layout.flagsAt === undefined ? 0 : view.getUint32(address + layout.flagsAt, true);
    for (const field of layout.fields) {
      record[field.n] = field.undefined !== undefined && (flags & field.undefined) !== 0
        ? null : this.#get(view, address + field.at, field);
    }
    return record;
  }

  #get(view, at, field) {
    if (field.length !== undefined && field.k !== 'text') {
      const { length, ...one } = field;
      return Array.from({ length }, (_, index) => this.#get(view, at + 8 * index, one));
    }
    switch (field.k) {
      case 'f64':
        return view.getFloat64(at, true);
      case 'u32': {
        const value = view.getUint32(at, true);
        if (field.is === 'truth') {
          return value === 1 ? true : value === 0 ? false : value;
        }
        return field.is === 'maybe' && value === NONE ? null : value;
      }
      case 'i32':
        return view.getInt32(at, true);
      case 'u64':
        return narrow(view.getBigUint64(at, true));
      case 'i64':
        return narrow(view.getBigInt64(at, true));
      case 'text':
        return this.memory.text(at, field.length);
      case 'struct':
        return this.read(this.layout(field.s), at);
      default:
        return undefined;
    }
  }

  readAll(layout, base, count, size = layout.size) {
    return Array.from({ length: count }, (_, index) => this.read(layout, base + index * size));
  }
}

/** A whole number that a double holds as a number, any other as a BigInt. */
export function narrow(value) {
  return value <= LARGEST_EXACT && value >= -LARGEST_EXACT ? Number(value) : value;
}

/** A number or a BigInt as 64 bits. */
export function wide(value, where, kind = 'u64') {
  if (typeof value === 'number' ? !Number.isInteger(value) : typeof value !== 'bigint') {
    throw new TypeError(`${where} must be a whole number or a BigInt, not ${shown(value)}`);
  }
  if (typeof value === 'number' && !Number.isSafeInteger(value) && Math.abs(value) !== 2 ** 53) {
    throw new RangeError(`${where} must be a BigInt: a number does not hold ${value} exactly`);
  }
  const whole = BigInt(value);
  const [least, most] = kind === 'u64' ? [0n, 2n ** 64n - 1n] : [-(2n ** 63n), 2n ** 63n - 1n];
  if (whole < least || whole > most) {
    throw new RangeError(`${where} must be ${least} ... ${most}, not ${whole}`);
  }
  return BigInt.asUintN(64, whole);
}
