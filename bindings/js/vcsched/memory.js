// SPDX-License-Identifier: MIT
//
// The memory of the module: views that stay right when it grows, and a stack of what one call needs.

const BLOCK = 1 << 16;
const decoder = new TextDecoder();
const encoder = new TextEncoder();

export class Memory {
  #exports;
  #view;
  #bytes;
  #blocks = [];
  #next = 0; // free from here on in the last block

  constructor(exports) {
    this.#exports = exports;
    this.#view = new DataView(exports.memory.buffer);
    this.#bytes = new Uint8Array(exports.memory.buffer);
  }

  #look() {
    if (this.#view.buffer !== this.#exports.memory.buffer) { // it has grown
      this.#view = new DataView(this.#exports.memory.buffer);
      this.#bytes = new Uint8Array(this.#exports.memory.buffer);
    }
  }

  /** Not to be kept across a call of the library: its memory may grow. */
  get view() {
    this.#look();
    return this.#view;
  }

  get bytes() {
    this.#look();
    return this.#bytes;
  }

  /** Memory until free(). */
  take(size) {
    const address = this.#exports.malloc(Math.max(size, 8)) >>> 0;
    if (address === 0) {
      throw new RangeError(`there are no ${size} bytes of memory`);
    }
    return address;
  }

  free(address) {
    this.#exports.free(address);
  }

  /** Zeroed memory, aligned to 8 bytes, until the outermost scope() around it ends. */
  room(size) {
    const wanted = (Math.max(size, 1) + 7) & ~7;
    let block = this.#blocks.at(-1);
    if (block === undefined || this.#next + wanted > block.end) {
      const length = Math.max(wanted, BLOCK);
      const start = this.take(length);
      block = { start, end: start + length };
      this.#blocks.push(block);
      this.#next = start;
    }
    const address = this.#next;
    this.#next += wanted;
    this.bytes.fill(0, address, address + wanted);
    return address;
  }

  /** Calls a function; what room() gave it is free afterwards. */
  scope(action) {
    const blocks = this.#blocks.length;
    const next = this.#next;
    try {
      return action();
    } finally {
      const kept = Math.max(blocks, 1); // one block stays, for the next call
      while (this.#blocks.length > kept) {
        this.free(this.#blocks.pop().start);
      }
      this.#next = blocks > 0 ? next : this.#blocks[0]?.start ?? 0;
    }
  }

  /** Text that ends with a zero. */
  putText(text) {
    return this.putBytes(encoder.encode(`${text}\0`));
  }

  putBytes(bytes) {
    const address = this.room(bytes.length);
    this.bytes.set(bytes, address);
    return address;
  }

  /** Text from an address to the first zero, at most `length` bytes. */
  text(address, length = Infinity) {
    const { bytes } = this;
    let end = address;
    while (end - address < length && bytes[end] !== 0) {
      end += 1;
    }
    return decoder.decode(bytes.subarray(address, end));
  }

  /** A copy of some bytes. */
  copy(address, size) {
    return this.bytes.slice(address, address + size);
  }

  u32(address) {
    return this.view.getUint32(address, true);
  }
}
