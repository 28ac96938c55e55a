// SPDX-License-Identifier: MIT
//
// A worker for one kind of work. What it is asked replaces what it was asked before.

let programUrl = null;

/** The page's own program as a file, which a page from disk has nowhere else. */
function program() {
  programUrl ??= URL.createObjectURL(new Blob([document.getElementById('program').textContent],
    { type: 'text/javascript' }));
  return programUrl;
}

export class Work {
  #wasm;
  #worker = null;
  #stop = () => {};

  /** `wasm` is what is in vcsched.wasm. */
  constructor(wasm) {
    this.#wasm = wasm;
  }

  /** Does a job. `onPart` is told of its progress. The promise is rejected with null if it was stopped. */
  ask(job, given, onPart = () => {}) {
    this.stop();
    this.#worker ??= this.#begin();
    return new Promise((resolve, reject) => {
      const worker = this.#worker;
      const done = (settle, value) => {
        this.#stop = () => {};
        settle(value);
      };
      this.#stop = () => {
        worker.terminate();
        this.#worker = null;
        done(reject, null);
      };
      worker.onmessage = ({ data }) => {
        if ('part' in data) {
          onPart(data.part);
        } else if ('error' in data) {
          done(reject, new Error(data.error));
        } else {
          done(resolve, data.result);
        }
      };
      worker.postMessage({ job, given });
    });
  }

  /** Ends what is going on. */
  stop() {
    this.#stop();
  }

  #begin() {
    const worker = new Worker(program());
    worker.postMessage({ wasm: this.#wasm });
    return worker;
  }
}
