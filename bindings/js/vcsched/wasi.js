// SPDX-License-Identifier: MIT
//
// What the C library asks of a system: a clock, nowhere to write to, and files that are in memory, to be read.

const ERRNO = { success: 0, badf: 8, inval: 28, noent: 44, notsup: 58 };
const ROOT = 3; // the descriptor of the only folder
const FIRST_FILE = 4;
const encoder = new TextEncoder();
const DIRECTORY = 3;
const REGULAR_FILE = 4;
const ALL_RIGHTS = 0xffffffffn;

/** Thrown when the program ends itself. */
export class Exit extends Error {
  constructor(status) {
    super(`the library ended with status ${status}`);
    this.status = status;
  }
}

export class Files {
  #bytes;
  #contents = new Map(); // bytes by path
  #open = new Map(); // by descriptor: bytes, and where to read on

  constructor(bytes) {
    this.#bytes = bytes;
  }

  /** Calls an action that may read these files: text or bytes by name. */
  offer(files, action) {
    this.#contents = new Map(Object.entries(files ?? {}).map(([name, content]) => [
      plain(name), typeof content === 'string' ? encoder.encode(content) : content]));
    try {
      return action();
    } finally {
      this.#contents = new Map();
      this.#open.clear();
    }
  }

  #view() {
    const { buffer } = this.#bytes();
    return new DataView(buffer);
  }

  /** All functions that exist are refused but for these. */
  imports() {
    const own = {
      clock_time_get: (id, precision, result) => {
        this.#view().setBigUint64(result, BigInt(Date.now()) * 1000000n, true);
        return ERRNO.success;
      },
      fd_write: (descriptor, vectors, count, written) => {
        const view = this.#view();
        let total = 0;
        for (let index = 0; index < count; index++) {
          total += view.getUint32(vectors + 8 * index + 4, true);
        }
        view.setUint32(written, total, true); // nobody reads it
        return ERRNO.success;
      },
      fd_read: (descriptor, vectors, count, read) => this.#read(descriptor, vectors, count, read),
      fd_seek: (descriptor, offset, whence, result) => this.#seek(descriptor, Number(offset), whence, result),
      fd_close: (descriptor) => (this.#open.delete(descriptor) ? ERRNO.success : ERRNO.badf),
      fd_fdstat_get: (descriptor, result) => this.#status(descriptor, result),
      fd_fdstat_set_flags: () => ERRNO.success,
      fd_prestat_get: (descriptor, result) => {
        if (descriptor !== ROOT) {
          return ERRNO.badf;
        }
        this.#view().setUint32(result, 0, true);
        this.#view().setUint32(result + 4, 1, true);
        return ERRNO.success;
      },
      fd_prestat_dir_name: (descriptor, path) => {
        this.#bytes()[path] = 0x2e; // "."
        return ERRNO.success;
      },
      path_open: (descriptor, flags, path, length, options, base, inheriting, fdFlags, result) =>
        this.#openPath(path, length, result),
      path_filestat_get: (descriptor, flags, path, length, result) => this.#pathStatus(path, length, result),
      fd_filestat_get: (descriptor, result) => this.#fileStatus(this.#open.get(descriptor)?.bytes, result),
      proc_exit: (status) => {
        throw new Exit(status);
      },
    };
    return new Proxy(own, { get: (all, name) => all[name] ?? (() => ERRNO.notsup) });
  }

  #pathOf(path, length) {
    return plain(new TextDecoder().decode(this.#bytes().slice(path, path + length)));
  }

  #openPath(path, length, result) {
    const bytes = this.#contents.get(this.#pathOf(path, length));
    if (bytes === undefined) {
      return ERRNO.noent;
    }
    let descriptor = FIRST_FILE;
    while (this.#open.has(descriptor)) {
      descriptor += 1;
    }
    this.#open.set(descriptor, { bytes, next: 0 });
    this.#view().setUint32(result, descriptor, true);
    return ERRNO.success;
  }

  #read(descriptor, vectors, count, result) {
    const file = this.#open.get(descriptor);
    const view = this.#view();
    let total = 0;
    for (let index = 0; file !== undefined && index < count; index++) {
      const part = file.bytes.subarray(file.next, file.next + view.getUint32(vectors + 8 * index + 4, true));
      this.#bytes().set(part, view.getUint32(vectors + 8 * index, true));
      file.next += part.length;
      total += part.length;
    }
    view.setUint32(result, total, true);
    return file === undefined && descriptor !== 0 ? ERRNO.badf : ERRNO.success;
  }

  #seek(descriptor, offset, whence, result) {
    const file = this.#open.get(descriptor);
    if (file === undefined) {
      return ERRNO.badf;
    }
    const next = [0, file.next, file.bytes.length][whence] + offset;
    if (!(next >= 0)) {
      return ERRNO.inval;
    }
    file.next = next;
    this.#view().setBigUint64(result, BigInt(next), true);
    return ERRNO.success;
  }

  #status(descriptor, result) {
    if (descriptor > 2 && descriptor !== ROOT && !this.#open.has(descriptor)) {
      return ERRNO.badf;
    }
    const view = this.#view();
    this.#bytes().fill(0, result, result + 24);
    view.setUint8(result, descriptor === ROOT ? DIRECTORY : REGULAR_FILE);
    view.setBigUint64(result + 8, ALL_RIGHTS, true);
    view.setBigUint64(result + 16, ALL_RIGHTS, true);
    return ERRNO.success;
  }

  #pathStatus(path, length, result) {
    const bytes = this.#contents.get(this.#pathOf(path, length));
    return bytes === undefined ? ERRNO.noent : this.#fileStatus(bytes, result);
  }

  #fileStatus(bytes, result) {
    if (bytes === undefined) {
      return ERRNO.badf;
    }
    this.#bytes().fill(0, result, result + 64);
    this.#view().setUint8(result + 16, REGULAR_FILE);
    this.#view().setBigUint64(result + 32, BigInt(bytes.length), true);
    return ERRNO.success;
  }
}

/** A path without what means nothing. */
function plain(path) {
  return path.split('/').filter((part) => part !== '' && part !== '.').join('/');
}
