// SPDX-License-Identifier: MIT
//
// Texts and numbers as the importer in Python has them in messages and in state files, letter by letter.

const BLANK = '[\\t-\\r\\x1c- \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]+';
const ENDS = new RegExp(`^${BLANK}|${BLANK}$`, 'g');
const BETWEEN = new RegExp(BLANK);

/** The text without blanks around it. */
export function strip(text) {
  return text.replace(ENDS, '');
}

/** The text as Python writes a literal, cut if it is long. */
export function quoted(text) {
  const letters = [...text];
  const short = letters.length <= 60 ? text : `${letters.slice(0, 57).join('')}...`;
  const quote = short.includes("'") && !short.includes('"') ? '"' : "'";
  const written = short.replace(/[\\\p{C}\p{Z}]|['"]/gu, (letter) => {
    const known = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t', ' ': ' ' }[letter];
    if (known !== undefined || letter === '"' || letter === "'") {
      return known ?? (letter === quote ? `\\${letter}` : letter);
    }
    const code = letter.codePointAt(0).toString(16);
    return code.length <= 2 ? `\\x${code.padStart(2, '0')}`
      : code.length <= 4 ? `\\u${code.padStart(4, '0')}` : `\\U${code.padStart(8, '0')}`;
  });
  return quote + written + quote;
}

/** In the order of code points. */
export function inOrder(a, b) {
  const one = [...a];
  const other = [...b];
  const place = one.findIndex((letter, index) => letter !== other[index]);
  return place < 0 ? one.length - other.length : one[place].codePointAt(0) - (other[place]?.codePointAt(0) ?? -1);
}

function withExponent(digits, exponent) {
  return `${digits}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

/** A number with up to six digits. */
export function general(value) {
  const [digits, exponent] = value.toExponential(5).replace(/\.?0*e/, 'e').split('e');
  return exponent >= 6 || exponent < -4 ? withExponent(digits, Number(exponent)) : String(Number(value.toPrecision(6)));
}

/** A number with as few digits as tell it apart. */
export function shortest(value) {
  if (Number.isInteger(value) && Math.abs(value) < 1e15) {
    return String(value);
  }
  const [digits, exponent] = value.toExponential().split('e');
  return exponent >= 16 || exponent < -4 ? withExponent(digits, Number(exponent))
    : value.toFixed(Math.max(1, digits.replace(/\D/g, '').length - 1 - exponent));
}

/** Rounded to so many decimals; what lies in the middle becomes even. */
export function rounded(value, decimals = 0) {
  if (!(Math.abs(value) < 2 ** 52)) {
    return value;
  }
  const above = value.toFixed(decimals);
  const twice = value * 2 ** (decimals + 1);
  const isMiddle = Number.isInteger(twice) && twice % 2 !== 0;
  return isMiddle && /[13579]$/.test(above) ? Number((above - Math.sign(value) * 10 ** -decimals).toFixed(decimals))
    : Number(above);
}

/** The text on one line, with single blanks between its words. */
export function oneLine(text) {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ').split(BETWEEN).filter((word) => word !== '').join(' ');
}

const LONGEST_NAME = 256;

/** The text as the name of a section: it does not end the section's title. */
export function cleanName(text) {
  return strip([...oneLine(text).replaceAll(']', ')')].slice(0, LONGEST_NAME).join('')) || 'unnamed';
}

/** The names of one kind of section, no two of which may be equal. */
export class Names {
  #lastNumber = new Map();

  /** A clean name that nobody has yet: the text, else with the suffix, else with a number. */
  claim(text, suffix) {
    let name = cleanName(text);
    if (this.#lastNumber.has(name) && suffix) {
      name = `${name} (${cleanName(suffix)})`;
    }
    let distinct = name;
    while (this.#lastNumber.has(distinct)) {
      this.#lastNumber.set(name, this.#lastNumber.get(name) + 1);
      distinct = `${name} ${this.#lastNumber.get(name)}`;
    }
    this.#lastNumber.set(distinct, 1);
    return distinct;
  }
}
