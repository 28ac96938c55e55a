// SPDX-License-Identifier: MIT
//
// The fields of a record, by name and as values.

import { GREATEST_AMOUNT, LONGEST_DURATION, NUMBER, WHOLE } from './tables.js';
import { general, quoted, strip } from './words.js';

const IS_NUMBER = new RegExp(`^(?:${NUMBER})$`);
const IS_WHOLE = new RegExp(`^(?:${WHOLE})$`);

/** The element's text as a number between the bounds. */
export function numberOf(element, minimum = 0, maximum = GREATEST_AMOUNT) {
  const text = strip(element.text);
  if (!IS_NUMBER.test(text)) {
    throw element.error(`${quoted(text)} is not a number`);
  }
  const value = Number(text);
  if (value < minimum || value > maximum) {
    throw element.error(`${quoted(text)} is not between ${general(minimum)} and ${general(maximum)}`);
  }
  return value;
}

/** The element's text as a whole number between the bounds. */
export function wholeOf(element, minimum, maximum) {
  const text = strip(element.text);
  if (!IS_WHOLE.test(text)) {
    throw element.error(`${quoted(text)} is not a whole number`);
  }
  const value = Number(text);
  if (value < minimum || value > maximum) {
    throw element.error(`${quoted(text)} is not between ${minimum} and ${maximum}`);
  }
  return value + 0;
}

/** An empty element is a flag that is set; otherwise its text is 0 or 1. */
export function flagOf(element) {
  return strip(element.text) === '' || wholeOf(element, -(10 ** 9), 10 ** 9) !== 0;
}

/** The elements directly inside a record. A field that is missing has the default that is asked for. */
export class Fields {
  #byName = new Map();

  constructor(record) {
    this.record = record;
    for (const child of record.children) {
      const found = this.#byName.get(child.name);
      if (found === undefined) {
        this.#byName.set(child.name, [child]);
      } else {
        found.push(child);
      }
    }
  }

  /** All elements of this name, for fields that may occur several times. */
  every(name) {
    return this.#byName.get(name) ?? [];
  }

  /** The element of this name. It may stand there again only to say the same. */
  one(name) {
    const [first, ...others] = this.every(name);
    for (const again of others) {
      if (!(again.isLeaf && first.isLeaf && strip(again.text) === strip(first.text))) {
        throw again.error(`stands twice in <${this.record.name}>, first at line ${first.position.line}`);
      }
    }
    return first;
  }

  /** The text, without blanks around it; empty if there is none. */
  text(name) {
    const element = this.one(name);
    return element === undefined ? '' : strip(element.text);
  }

  requiredText(name) {
    const text = this.text(name);
    if (text === '') {
      throw this.record.error(`has no <${name}>`);
    }
    return text;
  }

  number(name, missing = 0, minimum = 0, maximum = GREATEST_AMOUNT) {
    const element = this.one(name);
    return element === undefined ? missing : numberOf(element, minimum, maximum);
  }

  /** Seconds; also a time, which counts them from 1970. */
  duration(name) {
    return this.number(name, 0, 0, LONGEST_DURATION);
  }

  /** Seconds, or undefined if the element is missing. */
  knownDuration(name) {
    return this.one(name) === undefined ? undefined : this.duration(name);
  }

  whole(name, missing = 0, minimum = 0, maximum = 2 ** 31 - 1) {
    const element = this.one(name);
    return element === undefined ? missing : wholeOf(element, minimum, maximum);
  }

  /** Whether the flag is there and set. */
  flag(name) {
    const element = this.one(name);
    return element !== undefined && flagOf(element);
  }
}
