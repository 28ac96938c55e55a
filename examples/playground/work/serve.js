// SPDX-License-Identifier: MIT
//
// The worker: what takes longer than a frame.

import { load } from 'vcsched';
import { course } from './course.js';
import { future } from './future.js';
import { grid } from './grid.js';
import { study } from './study.js';

const JOBS = { course, future, grid, study };

/** Answers messages { wasm } once, then { job, given } with any number of { part } and one { result } or { error }. */
export function serve(scope) {
  let library = null;
  scope.onmessage = async ({ data }) => {
    if (data.wasm !== undefined) {
      library = load(data.wasm);
      return;
    }
    try {
      const result = JOBS[data.job](await library, data.given, (part) => scope.postMessage({ part }));
      scope.postMessage({ result });
    } catch (error) {
      scope.postMessage({ error: error.message });
    }
  };
}
