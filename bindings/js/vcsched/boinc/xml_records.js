// SPDX-License-Identifier: MIT
//
// The interesting elements of an XML file, one after the other, without trusting it.

import { CUT, inputError, NO_TEXT, XmlReader } from './xml.js';
import { InputError } from '../error.js';
import { DEEPEST_NESTING, LONGEST_REFERENCE, MOST_ELEMENTS, PIECE } from './tables.js';

const BARE_AMPERSAND = /&(?!(?:#[0-9]{1,60}|#x[0-9a-fA-F]{1,60}|[A-Za-z_:][-A-Za-z0-9_:.]{0,60});)/g;
/** Encodings in which some letters have several bytes. */
const WIDE = /^(?:big5|euc|gb|iso-2022|shift_jis|utf|replacement|x-user)/;

/** An element with its text, or with the elements inside it. */
class Element {
  constructor(name, parent, position, attributes) {
    Object.assign(this, { name, parent, position, attributes, children: [], text: '', isLeaf: true });
  }

  error(message) {
    return inputError(this.position, `<${this.name}>: ${message}`);
  }
}

/** Turns what the reader tells into records. */
class RecordBuilder {
  #layout;
  #error;
  #place;
  #keep;
  #containers = [];
  /** The record that is being read, and those of its fields that are not closed yet. */
  #open = [];
  /** Fields of the record that is being read. */
  #size = 0;
  /** How many elements are open from the one on that nobody asked for. */
  #skipped = 0;
  #text = '';

  constructor(layout, place, keep) {
    this.#layout = layout;
    this.#place = place;
    this.#error = (message) => inputError(place(), message);
    this.#keep = keep;
  }

  start(name, attributes) {
    this.flush();
    const layout = this.#layout;
    const depth = this.#containers.length + this.#open.length + this.#skipped;
    if (depth >= DEEPEST_NESTING) {
      throw this.#error(`more than ${DEEPEST_NESTING} elements inside each other`);
    }
    if (depth === 0 && !layout.roots.includes(name)) {
      throw this.#error(`begins with <${[...name].slice(0, 40).join('')}>, so it is not ${layout.description}`);
    }
    if (this.#skipped > 0) {
      this.#skipped += 1;
    } else if (this.#open.length > 0) {
      this.#startField(name, attributes);
    } else if (layout.records.includes(name)) {
      this.#size = 0;
      this.#open.push(new Element(name, this.#containers.at(-1) ?? '', this.#place(), attributes));
    } else if (layout.containers.includes(name)) {
      this.#containers.push(name);
    } else {
      this.#skipped = 1;
    }
  }

  #startField(name, attributes) {
    const enclosing = this.#open.at(-1);
    enclosing.isLeaf = false;
    enclosing.text = '';
    if (!this.#layout.fields.includes(name)) {
      this.#skipped = 1;
      return;
    }
    this.#size += 1;
    if (this.#size > MOST_ELEMENTS) {
      throw this.#error(`more than ${MOST_ELEMENTS} elements in <${this.#open[0].name}>`);
    }
    const element = new Element(name, enclosing.name, this.#place(), attributes);
    enclosing.children.push(element);
    this.#open.push(element);
  }

  end() {
    this.flush();
    if (this.#skipped > 0) {
      this.#skipped -= 1;
    } else if (this.#open.length > 0) {
      const element = this.#open.pop();
      if (this.#open.length === 0) {
        this.#keep(element);
      }
    } else {
      this.#containers.pop();
    }
  }

  text(text) {
    if (this.#skipped === 0 && this.#open.at(-1)?.isLeaf) {
      this.#text += text;
    }
  }

  /** Takes the text that came since the last tag. */
  flush() {
    if (this.#text === '') {
      return;
    }
    const element = this.#open.at(-1);
    const longest = this.#layout.longest_text;
    if (this.#text.length + element.text.length > longest && [...element.text + this.#text].length > longest) {
      throw this.#error(`the text of <${element.name}> is longer than ${longest} characters`);
    }
    element.text += this.#text;
    this.#text = '';
  }
}

function bytesOf(given) {
  return typeof given === 'string' ? new TextEncoder().encode(given)
    : ArrayBuffer.isView(given) ? new Uint8Array(given.buffer, given.byteOffset, given.byteLength)
      : new Uint8Array(given);
}

/** The encoding that bytes are in, as far as their beginning tells. */
function encodingOf(bytes) {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) {
    return 'utf-16le';
  }
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) {
    return 'utf-16be';
  }
  const beginning = String.fromCharCode(...bytes.subarray(0, 200));
  const declared = /^<\?xml[^>]*?\sencoding\s*=\s*["']([\w.-]+)["']/.exec(beginning)?.[1];
  const encoding = plainEncoding(declared ?? 'utf-8');
  // Its letters would have two bytes, which they have not.
  return encoding.startsWith('utf-16') ? 'utf-8' : encoding;
}

/** An encoding's name. Under other names than its own, UTF-8 is read for letters of one byte alone. */
function plainEncoding(name) {
  const encoding = name.toLowerCase();
  return /^(utf|utf-|utf_8|utf8|u8|ascii)$/.test(encoding) ? 'us-ascii'
    : /^(latin[-_]?1|l1|iso_?8859[-_]1)$/.test(encoding) ? 'iso-8859-1' : encoding;
}

/** Whether letters of an encoding have one byte each, and this program knows them. */
function isNarrow(encoding) {
  try {
    return !WIDE.test(new TextDecoder(encoding).encoding);
  } catch (error) {
    if (error instanceof RangeError) {
      return false;
    }
    throw error;
  }
}

function decoded(bytes, encoding) {
  if (encoding === 'iso-8859-1' || encoding === 'us-ascii') {
    const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
    return encoding === 'us-ascii' ? text.replace(/[\x80-\xff]/g, NO_TEXT) : text;
  }
  if (encoding.startsWith('utf-16')) {
    return new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes.subarray(0, bytes.length & ~1));
  }
  if (encoding !== 'utf-8') {
    return new TextDecoder(isNarrow(encoding) ? encoding : 'utf-8', { ignoreBOM: true }).decode(bytes);
  }
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const again = new TextEncoder().encode(text);
  const wrong = again.length === bytes.length && !text.includes('\ufffd') ? -1
    : again.findIndex((byte, place) => byte !== bytes[place]);
  if (wrong < 0) {
    return text;
  }
  // What is wrong may be a later byte of a letter.
  const right = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, wrong), { stream: true });
  return right + (isCut(bytes.subarray(new TextEncoder().encode(right).length)) ? CUT : NO_TEXT);
}

/** Whether bytes end before the letter does whose first byte they begin with. */
function isCut(bytes) {
  const length = bytes[0] >= 0xf0 ? 4 : bytes[0] >= 0xe0 ? 3 : 2;
  return bytes[0] >= 0xc0 && bytes[0] < 0xf8 && bytes.length < length;
}

/** Checks an encoding that a file declares. `width` is how many bytes a letter has at least; none of a text. */
function checkEncoding(name, width, fail) {
  const encoding = plainEncoding(name);
  const isWide = /^utf-16(le|be)?$/.test(encoding);
  if (width !== undefined && isWide !== (width === 2)) {
    fail('encoding specified in XML declaration is incorrect');
  } else if (!isWide && !['utf-8', 'iso-8859-1', 'us-ascii'].includes(encoding) && !isNarrow(encoding)) {
    fail('the encoding that it declares is not supported');
  }
}

/** How far Python has read in a file each time that it goes on: it reads pieces, and no reference is cut. */
function stopsOf(bytes) {
  const stops = [];
  for (let end = 0; end < bytes.length;) {
    end = Math.min(end + PIECE, bytes.length);
    const from = Math.max(end - LONGEST_REFERENCE, stops.at(-1) ?? 0);
    const reference = bytes.subarray(from, end).lastIndexOf(0x26);
    stops.push(reference < 0 ? end : from + reference);
  }
  return stops;
}

/**
 * Hands all records of a file to `consume`.
 *
 * given   text, or bytes
 * source  its name, for messages
 *
 * Throws an InputError for anything that is not well-formed, not a file of this layout, or beyond bounds.
 */
export function readRecords(given, source, layout, consume) {
  const isText = typeof given === 'string';
  const bytes = isText ? undefined : bytesOf(given);
  const encoding = isText ? 'utf-8' : encodingOf(bytes);
  const original = isText ? given : decoded(bytes, encoding);
  const bare = [];
  // A client writes some names as they are, such as that of a project with an &.
  const text = original.includes('\0') || encoding.startsWith('utf-16') ? original
    : original.replace(BARE_AMPERSAND, (_, place) => {
      bare.push(place + 4 * bare.length);
      return '&amp;';
    });
  const width = isText ? undefined : encoding.startsWith('utf-16') ? 2 : 1;
  const records = [];
  const builder = new RecordBuilder(layout, () => reader.position(), (record) =>
    records.push({ record, end: reader.reached }));
  builder.encoding = (name, fail) => checkEncoding(name, width, fail);
  const reader = new XmlReader(text, source, builder);
  try {
    reader.read();
  } catch (error) {
    if (!(error instanceof InputError)) {
      throw error;
    }
    // What is wrong in a record that came earlier goes first, unless Python would have read both at once.
    const stops = stopsOf(bytes ?? bytesOf(given));
    const pieceOf = (end) => {
      const added = 4 * bare.filter((place) => place < end).length;
      const at = end === Infinity ? end : encoding !== 'utf-8' ? width * (end - added)
        : bytesOf(text.slice(0, end)).length - added;
      const piece = stops.findIndex((stop) => at <= stop);
      return piece < 0 ? stops.length : piece;
    };
    const last = pieceOf(reader.reached);
    records.filter(({ end }) => pieceOf(end) < last).forEach(({ record }) => consume(record));
    throw error;
  }
  records.forEach(({ record }) => consume(record));
}
