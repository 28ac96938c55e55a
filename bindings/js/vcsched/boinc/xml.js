// SPDX-License-Identifier: MIT
//
// XML as expat reads it, which reads it for Python: the same is refused, with the same words at the same place.
// Document types are refused, and with them all entities of a file's own.

import { InputError } from '../error.js';
import { LONGEST_MARKUP, LONGEST_REFERENCE } from './tables.js';

const NAME_START = /[\p{L}_:]/uy;
const NAME = /[\p{L}_:][\p{L}\p{M}\p{Nd}\xb7_:.-]*/uy;
const NAME_LETTERS = /[\p{L}\p{M}\p{Nd}\xb7_:.-]+/uy;
const BLANKS = /[ \t\r\n]*/y;
const INVALID = '\\0-\\x08\\x0b\\x0c\\x0e-\\x1f\\ufffe\\uffff\\ud800-\\udfff';
const VALID = new RegExp(`[^${INVALID}]*`, 'uy');
const DATA = new RegExp(`(?:[^<&\\]${INVALID}]|\\](?!\\]>))*`, 'uy');
const QUOTED = { '"': new RegExp(`[^"<&${INVALID}]*`, 'uy'), "'": new RegExp(`[^'<&${INVALID}]*`, 'uy') };
const REFERENCE = /&(?:#(\d{1,60})|#x([\da-fA-F]{1,60})|([A-Za-z_:][-\w:.]{0,60}));/y;
const BROKEN_REFERENCE = /#x[\da-fA-F]*|#\d*|[\p{L}_:][\p{L}\p{M}\p{Nd}\xb7_:.-]*/uy;
const ENTITIES = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
/** What stands for bytes that are no text in the encoding, and for a letter that the end of the file cuts. */
export const NO_TEXT = '\ud800';
export const CUT = '\ud801';

const INVALID_TOKEN = 'not well-formed (invalid token)';
const UNCLOSED = 'unclosed token';
const MISPLACED_DECLARATION = 'XML or text declaration not at start of entity';
const BAD_DECLARATION = 'XML declaration not well-formed';

/** A place in a file. Lines and columns count from 1. */
export class Position {
  constructor(source, line, column) {
    Object.assign(this, { source, line, column });
  }

  toString() {
    return `${this.source}:${this.line}:${this.column}`;
  }
}

export function inputError(position, message) {
  return new InputError(`${position}: ${message}`);
}

/** Reads a text from its beginning, and calls `handler` for each element and each piece of text. */
export class XmlReader {
  #text;
  #source;
  #at = 0;
  #handler;
  #line = { at: 0, number: 1 };
  /** How far it was read when an error came up. */
  reached = 0;

  constructor(text, source, handler) {
    this.#text = text;
    this.#source = source;
    this.#handler = handler;
  }

  /** The line and the column of a place that is not before those asked for earlier. */
  position(at = this.#at) {
    const breaks = /\r\n?|\n/g;
    breaks.lastIndex = this.#line.at;
    for (let found = breaks.exec(this.#text); found && breaks.lastIndex <= at; found = breaks.exec(this.#text)) {
      this.#line = { at: breaks.lastIndex, number: this.#line.number + 1 };
    }
    const before = this.#text.slice(this.#line.at, at);
    const pairs = before.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0;
    return new Position(this.#source, this.#line.number, before.length - pairs + 1);
  }

  #fail(message, at) {
    this.reached = Math.max(at + 1, this.#at, this.reached);
    throw inputError(this.position(at), message);
  }

  /** What a pattern finds at a place, which is the end of what is found then. */
  #take(pattern, at) {
    pattern.lastIndex = at;
    return pattern.exec(this.#text)?.[0] ?? '';
  }

  /** Something at a place is not as it should be, or the text ends there. */
  #refuse(at) {
    if (at - this.#at > LONGEST_MARKUP) {
      this.#pass(at);
    }
    if (at >= this.#text.length) {
      this.reached = Infinity;
      this.#fail(UNCLOSED, this.#at);
    }
    if (this.#text[at] === CUT) {
      this.reached = Infinity;
      this.#fail('partial character', this.#at);
    }
    this.#fail(INVALID_TOKEN, at);
  }

  #end(message, at = this.#text.length) {
    this.reached = Infinity;
    // A reference at the end is read after what stands before it.
    const reference = this.#text.lastIndexOf('&', at);
    this.#at = reference >= at - LONGEST_REFERENCE ? Math.max(0, reference) : at;
    this.#handler.flush();
    throw inputError(this.position(at), message);
  }

  /** Goes on behind markup that ends there. */
  #pass(end) {
    if (end - this.#at > LONGEST_MARKUP) {
      this.#fail(`a tag or a comment is longer than ${LONGEST_MARKUP} bytes`, this.#at);
    }
    this.#at = end;
  }

  /** The whole document. */
  read() {
    const text = this.#text;
    this.#at = text[0] === '\ufeff' ? 1 : 0;
    if (/^<\?xml[ \t\r\n?]/.test(text.slice(this.#at, this.#at + 6))) {
      this.#declaration();
    }
    this.#outside('no element found', 'syntax error');
    this.#content();
    this.#outside('', 'junk after document element');
  }

  /** What stands before the element that holds all, or after it. */
  #outside(missing, wrong) {
    for (;;) {
      const text = this.#text;
      this.#at += this.#take(BLANKS, this.#at).length;
      if (this.#at >= text.length) {
        if (missing) {
          this.#end(missing);
        }
        return;
      }
      const at = this.#at;
      if (text.startsWith('<?', at)) {
        this.#pass(this.#instruction(missing ? MISPLACED_DECLARATION : wrong));
      } else if (text.startsWith('<!-', at)) {
        this.#pass(this.#comment());
      } else if (text.startsWith('<!', at)) {
        this.#documentType(missing, wrong);
      } else if (text[at] === '<' && this.#take(NAME_START, at + 1)) {
        if (missing) {
          return;
        }
        this.#fail(wrong, at);
      } else {
        this.#stray(wrong);
      }
    }
  }

  /** A text that is no markup, outside of all elements. */
  #stray(wrong) {
    const at = this.#at;
    const text = this.#text;
    if (text[at] === '<') {
      this.#refuse(at + 1);
    }
    const word = this.#take(NAME_LETTERS, at);
    const isLiteral = text[at] === '"' || text[at] === "'";
    if (isLiteral) {
      const valid = this.#take(VALID, at + 1);
      const length = valid.indexOf(text[at]);
      if (length < 0) {
        this.#refuse(at + 1 + valid.length);
      }
      this.#follow(at + length + 2, '>%[ \t\r\n');
    } else if (word) {
      this.#follow(at + word.length, `>),|[% \t\r\n${this.#take(NAME_START, at) && '+*?'}`);
    } else if (text[at] === ')') {
      this.#follow(at + 1, '*?+>,|) \t\r\n');
    } else if (!'%,[](|>#'.includes(text[at])) {
      this.#refuse(at);
    }
    this.#fail(wrong, at);
  }

  #follow(at, allowed) {
    if (at < this.#text.length && !allowed.includes(this.#text[at])) {
      this.#refuse(at);
    }
  }

  #documentType(missing, wrong) {
    const start = this.#at;
    const keyword = this.#take(/[A-Za-z_:]*/y, start + 2);
    const end = start + 2 + keyword.length;
    if (keyword === '' && this.#text[end] === '[') {
      this.#fail(wrong, start);
    }
    if (!/[ \t\r\n%]/.test(this.#text[end] ?? '') || keyword === '') {
      this.#refuse(end);
    }
    if (keyword !== 'DOCTYPE' || !missing) {
      this.#fail(wrong, start);
    }
    const rest = this.#take(/[^[>]*/y, end);
    this.#at = end + rest.length;
    if (this.#at >= this.#text.length) {
      this.#end(missing);
    }
    this.#at += 1;
    this.#fail('document types are refused, since they can hold entities', this.#at - 1);
  }

  /** `<?xml version=...?>`. */
  #declaration() {
    const start = this.#at;
    const end = this.#instruction('');
    const declared = this.#text.slice(0, end - 2);
    let at = start + 5;
    const must = (holds, place = at) => holds || this.#fail(BAD_DECLARATION, place);
    const expect = (pattern) => {
      pattern.lastIndex = at;
      const [found] = pattern.exec(declared) ?? [];
      must(found !== undefined);
      at += found.length;
      return found;
    };
    const next = () => {
      if (/^[ \t\r\n]*$/.test(declared.slice(at))) {
        return undefined;
      }
      expect(/[ \t\r\n]+/y);
      const name = at;
      const called = expect(/[\x21-\x3c\x3e-\x7f]+/y);
      expect(/[ \t\r\n]*/y);
      expect(/=[ \t\r\n]*/y);
      const quote = expect(/["']/y);
      const value = at;
      const worth = expect(/[A-Za-z0-9._-]*/y);
      expect(quote === '"' ? /"/y : /'/y);
      return { name, called, value, worth };
    };
    const version = next();
    must(version !== undefined);
    must(version.called === 'version', version.name);
    let other = next();
    if (other?.called === 'encoding') {
      must(/^[A-Za-z]/.test(other.worth), other.value);
      this.#handler.encoding(other.worth, (message) => this.#fail(message, other.value));
      other = next();
    }
    if (other !== undefined) {
      must(other.called === 'standalone', other.name);
      must(['yes', 'no'].includes(other.worth), other.value);
      expect(/[ \t\r\n]*/y);
      must(at === declared.length);
    }
    this.#at = end;
  }

  /** The end of `<?...?>`, which begins here. `misplaced` is what to say of a declaration; none if it is in place. */
  #instruction(misplaced) {
    const start = this.#at;
    const text = this.#text;
    const target = this.#take(NAME, start + 2);
    let at = start + 2 + target.length;
    if (target === '' || !/[ \t\r\n?]/.test(text[at] ?? '')) {
      this.#refuse(at);
    }
    if (target !== 'xml' && target.toLowerCase() === 'xml') {
      this.#refuse(at);
    }
    if (text[at] === '?') {
      if (text[at + 1] !== '>') {
        this.#refuse(at + 1);
      }
    } else {
      const valid = this.#take(VALID, at);
      const length = valid.indexOf('?>');
      if (length < 0) {
        this.#refuse(at + valid.length);
      }
      at += length;
    }
    if (target === 'xml' && misplaced) {
      this.#fail(misplaced, start);
    }
    return at + 2;
  }

  /** The end of a comment, which begins here. */
  #comment() {
    const text = this.#text;
    const start = this.#at;
    if (text[start + 3] !== '-') {
      this.#refuse(start + 3);
    }
    const valid = this.#take(VALID, start + 4);
    const length = valid.indexOf('--');
    const end = start + 6 + length;
    if (length < 0) {
      this.#refuse(start + 4 + valid.length);
    }
    if (text[end] !== '>') {
      this.#refuse(end);
    }
    return end + 1;
  }

  /** The element that holds all, and everything inside it. */
  #content() {
    const open = [];
    do {
      const text = this.#text;
      const start = this.#at;
      const data = this.#take(DATA, start);
      if (data !== '') {
        this.#at += data.length;
        this.#handler.text(/\r/.test(data) ? data.replace(/\r\n?/g, '\n') : data);
      } else if (start >= text.length) {
        this.#end('no element found');
      } else if (text[start] === '&') {
        const letter = this.#reference(start, start);
        this.#at += this.#take(REFERENCE, start).length;
        this.#handler.text(letter);
      } else if (text[start] !== '<') {
        // What is refused of ]]> is its last letter.
        this.#refuse(text[start] === ']' ? start + 2 : start);
      } else if (text[start + 1] === '/') {
        this.#endTag(open);
      } else if (text[start + 1] === '?') {
        this.#pass(this.#instruction(MISPLACED_DECLARATION));
      } else if (text[start + 1] !== '!') {
        this.#startTag(open);
      } else if (text[start + 2] === '-') {
        this.#pass(this.#comment());
      } else {
        this.#characterData();
      }
    } while (open.length > 0);
  }

  #startTag(open) {
    const start = this.#at;
    const text = this.#text;
    const name = this.#take(NAME, start + 1);
    const attributes = [];
    let at = start + 1 + name.length;
    if (name === '') {
      this.#refuse(at);
    }
    for (;;) {
      const blanks = this.#take(BLANKS, at).length;
      at += blanks;
      if (text[at] === '>' || text[at] === '/') {
        break;
      }
      const attribute = blanks > 0 ? this.#take(NAME, at) : '';
      if (attribute === '') {
        this.#refuse(at);
      }
      const [value, end] = this.#value(at + attribute.length);
      attributes.push({ attribute, place: at, value });
      at = end;
    }
    const isEmpty = text[at] === '/';
    if (isEmpty && text[at + 1] !== '>') {
      this.#refuse(at + 1);
    }
    const end = at + (isEmpty ? 2 : 1);
    const values = this.#values(attributes, end);
    this.reached = end;
    this.#handler.start(name, values);
    if (isEmpty) {
      this.#handler.end(name);
    } else {
      open.push(name);
    }
    this.#pass(end);
  }

  /** Where the value of an attribute is, after its name, and where it ends. */
  #value(after) {
    const text = this.#text;
    let at = after + this.#take(BLANKS, after).length;
    if (text[at] !== '=') {
      this.#refuse(at);
    }
    at += 1 + this.#take(BLANKS, at + 1).length;
    const quote = text[at];
    if (quote !== '"' && quote !== "'") {
      this.#refuse(at);
    }
    const begin = at + 1;
    at = begin;
    for (;;) {
      at += this.#take(QUOTED[quote], at).length;
      if (text[at] === quote) {
        return [[begin, at], at + 1];
      }
      const reference = this.#take(REFERENCE, at);
      if (reference === '') {
        this.#refuse(text[at] === '&' ? at + 1 + this.#take(BROKEN_REFERENCE, at + 1).length : at);
      }
      at += reference.length;
    }
  }

  #values(attributes, end) {
    const values = {};
    for (const { attribute, place, value: [begin, stop] } of attributes) {
      if (Object.hasOwn(values, attribute)) {
        this.reached = end;
        this.#fail('duplicate attribute', place);
      }
      let worth = '';
      for (let at = begin; at < stop;) {
        const reference = this.#take(REFERENCE, at);
        const literal = this.#take(/[^&]*/y, at).slice(0, stop - at);
        worth += reference ? this.#reference(at, this.#at) : literal.replace(/\r\n|[\r\n\t]/g, ' ');
        at += reference.length || literal.length;
      }
      values[attribute] = worth;
    }
    return values;
  }

  #endTag(open) {
    const start = this.#at;
    const name = this.#take(NAME, start + 2);
    let at = start + 2 + name.length;
    if (name !== '') {
      at += this.#take(BLANKS, at).length;
    }
    if (name === '' || this.#text[at] !== '>') {
      this.#refuse(at);
    }
    this.reached = at + 1;
    if (open.pop() !== name) {
      this.#fail('mismatched tag', start + 2);
    }
    this.#handler.end(name);
    this.#at = at + 1;
  }

  /** `<![CDATA[...]]>`. */
  #characterData() {
    const text = this.#text;
    const start = this.#at;
    if (text[start + 2] !== '[') {
      this.#refuse(start + 2);
    }
    const opening = 'CDATA[';
    if (text.length < start + 3 + opening.length) {
      this.#refuse(text.length);
    }
    const differs = [...opening].findIndex((letter, place) => text[start + 3 + place] !== letter);
    if (differs >= 0) {
      this.#refuse(start + 3 + differs);
    }
    const begin = start + 3 + opening.length;
    const valid = this.#take(VALID, begin);
    const length = valid.indexOf(']]>');
    if (length < 0 && begin + valid.length < text.length) {
      this.#at = begin + valid.length;
      this.#refuse(this.#at);
    }
    if (length < 0) {
      this.#end('unclosed CDATA section', begin + valid.replace(/\]{1,2}$/, '').length);
    }
    this.#at = begin + length + 3;
    this.#handler.text(valid.slice(0, length).replace(/\r\n?/g, '\n'));
  }

  /** The letter that a reference stands for. `unknown` is the place to blame for a name that nobody has defined. */
  #reference(at, unknown) {
    REFERENCE.lastIndex = at;
    const found = REFERENCE.exec(this.#text);
    if (found === null) {
      this.#refuse(at + 1 + this.#take(BROKEN_REFERENCE, at + 1).length);
    }
    const [, decimal, hexadecimal, name] = found;
    if (name !== undefined) {
      return Object.hasOwn(ENTITIES, name) ? ENTITIES[name] : this.#fail('undefined entity', unknown);
    }
    const code = decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number.parseInt(decimal, 10);
    const letter = code < 0x110000 ? String.fromCodePoint(code) : '\0';
    return letter !== '' && new RegExp(`^[${INVALID}]$`, 'u').test(letter)
      ? this.#fail('reference to invalid character number', at) : letter;
  }
}
