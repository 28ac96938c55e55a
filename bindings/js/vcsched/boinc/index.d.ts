// SPDX-License-Identifier: MIT

import { InputError } from '../index.js';

export { InputError };

/** A file, as text or as it is. */
export type Content = string | Uint8Array | ArrayBuffer;

/** Files by their names in the client's data directory. */
export interface ClientFiles {
  /** Or the client's reply to get_state. */
  'client_state.xml': Content;
  'global_prefs.xml'?: Content;
  'global_prefs_override.xml'?: Content;
  'cc_config.xml'?: Content;
  /** Of the only project, or of several by name or URL of their project. */
  'app_config.xml'?: Content | Record<string, Content>;
  /** Such as projects/example.org_meteors/app_config.xml and sched_reply_example.org_meteors.xml. */
  [path: string]: Content | Record<string, Content> | undefined;
}

export interface ImportOptions {
  /** The current time, s since 1970; the newest time in the files if not given. */
  now?: number;
  /** Plan for a computer that somebody is using. */
  inUse?: boolean;
}

export interface ImportedState {
  /** A state file, for parseState() and parseScenario(). */
  text: string;
  /** What it holds, in one line. */
  overview: string;
  /** What was left out, and what was taken for granted. */
  warnings: string[];
}

/** The host that a BOINC client's files describe, as the text of a state file. Throws InputError for a bad file. */
export function importClientState(files: ClientFiles, options?: ImportOptions): ImportedState;
