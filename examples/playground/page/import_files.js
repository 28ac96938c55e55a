// SPDX-License-Identifier: MIT
//
// Files that were dropped, as the text of a state file.

import { importClientState } from 'vcsched/boinc';

const isXml = (text) => /^\s*</.test(text);
/** What is read beside client_state.xml. */
const OTHERS = /^(global_prefs(_override)?|cc_config|app_config|sched_reply_.*)\.xml$/;
const STATE = 'client_state.xml';

/**
 * { text, notes } of files by name: a state file as it is, or what a BOINC client wrote. The one that is none of the
 * client's other files is its state, whatever its name. Throws what is wrong, with the name of the file;
 * `check(text)` throws what is wrong with a state file.
 */
export function importFiles(texts, check) {
  const entries = Object.entries(texts);
  const plain = entries.find(([, text]) => !isXml(text));
  if (plain !== undefined) {
    return { text: checked(...plain, check), notes: [] };
  }
  const states = entries.filter(([name]) => !OTHERS.test(name));
  const names = (some) => some.map(([name]) => name).join(' and ');
  if (states.length === 0) {
    throw new Error(`${names(entries)} can only be read together with ${STATE}: choose or drop all of them at once.`);
  }
  if (states.length > 1) {
    throw new Error(`${names(states)}: only one of them can be the state of the client. Choose or drop one.`);
  }
  const [[name, state]] = states;
  return imported(name, { ...texts, [STATE]: state });
}

function imported(name, files) {
  try {
    const { text, overview, warnings } = importClientState(files);
    return { text, notes: [overview, ...warnings] };
  } catch (error) {
    throw new Error(error.source === STATE ? error.message.replace(STATE, () => name) : error.message,
      { cause: error });
  }
}

function checked(name, text, check) {
  try {
    check(text);
  } catch (error) {
    throw new Error(`${name} is neither a file of a BOINC client nor a state file without faults: `
      + error.message.replace(/^line:/, 'line '), { cause: error });
  }
  return text;
}
