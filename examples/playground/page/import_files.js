// SPDX-License-Identifier: MIT
//
// Files that were dropped, as the text of a state file.

import { importClientState } from 'vcsched/boinc';

const isXml = (text) => /^\s*</.test(text);
/** What is read beside client_state.xml. */
const OTHERS = /^(global_prefs(_override)?|cc_config|app_config|sched_reply_.*)\.xml$/;

/**
 * { text, notes } of files by name: a state file as it is, or what a BOINC client wrote. The one that is none of the
 * client's other files is its state, whatever its name. Throws what is wrong.
 */
export function importFiles(texts) {
  const entries = Object.entries(texts);
  const state = entries.find(([, text]) => !isXml(text));
  if (state !== undefined) {
    return { text: state[1], notes: [] };
  }
  const files = Object.fromEntries(entries.map(([name, text]) =>
    [OTHERS.test(name) ? name : 'client_state.xml', text]));
  const { text, overview, warnings } = importClientState(files);
  return { text, notes: [overview, ...warnings] };
}
