// SPDX-License-Identifier: MIT

/**
 * The library refused its input. Nothing was changed by the call.
 *
 * code      the number that the library returned, one of ERR_*
 * constant  its name, such as 'VCS_ERR_RANGE'
 * record    what kind of record is at fault, such as 'task'; '' if none is
 * index     which element of its array; 0 for a single record
 * field     the field of it; '' if the whole record is at fault
 */
export class VcsError extends Error {
  constructor(message, code, constant, record = '', index = 0, field = '') {
    super(message);
    this.name = 'VcsError';
    this.code = code;
    this.constant = constant;
    this.record = record;
    this.index = index;
    this.field = field;
  }
}

/** A file says something that cannot be used. Its message is one line that begins with the place. */
export class InputError extends Error {
  constructor(message) {
    super(message);
    this.name = 'InputError';
    const [, source = '', line = 0, column = 0] = /^(.*?):(\d+)(?::(\d+))?: /s.exec(message) ?? [];
    this.source = source;
    this.line = Number(line);
    this.column = Number(column);
  }
}

/** What a value is, in a message. */
export function shown(value) {
  if (value === null) {
    return 'null';
  }
  if (typeof value === 'string') {
    return JSON.stringify(value.length <= 60 ? value : `${value.slice(0, 57)}...`);
  }
  if (['number', 'bigint', 'boolean', 'undefined'].includes(typeof value)) {
    return String(value);
  }
  return Array.isArray(value) ? 'an array' : typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
