// SPDX-License-Identifier: MIT
//
// Reads the files of a BOINC client. doc/importing.md says what is read and what it becomes.

import { InputError, shown } from '../error.js';
import { ClientState } from './client_state.js';
import { ClientConfiguration, directoryName, plainUrl, ProjectConfiguration } from './configuration.js';
import { importHost } from './host_import.js';
import { readPreferences } from './preferences.js';
import { LAYOUTS, LIMIT, LONGEST_DURATION, STATE_SECTIONS } from './tables.js';
import { oneLine, shortest } from './words.js';
import { readRecords } from './xml_records.js';

const CLIENT_STATE = 'client_state.xml';
const CC_CONFIG = 'cc_config.xml';
const APP_CONFIG = 'app_config.xml';
/** Later ones override. */
const PREFERENCES = ['global_prefs.xml', 'global_prefs_override.xml'];
const TELLS_LIMIT = new RegExp(LIMIT, 'i');

export { InputError };

/**
 * The host that a BOINC client's files describe, as the text of a state file: the same as `python3 -m vcsched import`
 * makes of them, byte for byte. Nothing is sent anywhere, and no clock is read.
 *
 * files    texts or bytes by their names in the client's data directory; others are ignored. `app_config.xml` is that
 *          of the only project, or an object of several by name or URL of their project
 * options  now      the current time, in s since 1970; the newest time in the files if not given
 *          inUse    plan for a computer that somebody is using
 *
 * Throws an InputError, with file, line and column, for what cannot be used.
 */
export function importClientState(files, { now = undefined, inUse = false } = {}) {
  if (files[CLIENT_STATE] === undefined) {
    throw new TypeError(`importClientState(): ${CLIENT_STATE} is not given`);
  }
  if (now !== undefined && !(typeof now === 'number' && Math.abs(now) <= LONGEST_DURATION)) {
    throw new RangeError(`importClientState(): now is ${shown(now)}, which is no time in seconds`);
  }
  const client = new ClientState();
  readRecords(files[CLIENT_STATE], CLIENT_STATE, LAYOUTS.state, (record) => client.add(record));
  client.complete(CLIENT_STATE);
  const state = importHost(client, { ...readSources(client, files), now, inUse },
    `Host state of a BOINC client, imported from ${CLIENT_STATE}.`);
  const [, overview, ...warnings] = state.comments.map(oneLine);
  return { text: written(state), overview, warnings };
}

/** What the other files say. */
function readSources(client, files) {
  const preferences = [];
  // A reply of the client holds the preferences in force.
  for (const name of client.preferences.length > 0 ? [] : PREFERENCES) {
    readFile(files, name, LAYOUTS.preferences, (record) => preferences.push(readPreferences(record, client.venue)));
  }
  const configuration = new ClientConfiguration();
  readFile(files, CC_CONFIG, LAYOUTS.cc_config, (record) => configuration.add(record));
  const urls = [...client.projects.keys()];
  const atServerLimit = new Set(urls.filter((url) => isAtServerLimit(files, `sched_reply_${directoryName(url)}.xml`)));
  const projectConfigurations = new Map();
  for (const [url, name, given] of appConfigs(client, files)) {
    const one = new ProjectConfiguration();
    readFile({ [name]: given }, name, LAYOUTS.app_config, (record) => one.add(record));
    projectConfigurations.set(url, one);
  }
  return { preferences, configuration, atServerLimit, projectConfigurations };
}

/** Hands every record of a file to `consume`, if it is given. */
function readFile(files, name, layout, consume) {
  if (files[name] !== undefined) {
    const records = [];
    readRecords(files[name], name, layout, (record) => records.push(record));
    records.forEach(consume);
  }
}

/** Whether the last reply of a project's scheduler says that it sends no more. A reply may be anything. */
function isAtServerLimit(files, name) {
  let found = false;
  try {
    readFile(files, name, LAYOUTS.reply, (record) => {
      found ||= TELLS_LIMIT.test(record.text);
    });
  } catch (error) {
    if (!(error instanceof InputError)) {
      throw error;
    }
    return false;
  }
  return found;
}

/** URL, name and content of each project's app_config.xml. */
function appConfigs(client, files) {
  const projects = [...client.projects.values()];
  const folders = new Map(Object.keys(files).map((name) => [/^(?:projects\/)?([^/]+)\/app_config\.xml$/.exec(name)?.[1]
    .toLowerCase(), name]));
  const found = new Map(projects.map(({ url }) => [url, folders.get(directoryName(url))])
    .filter(([, name]) => name !== undefined).map(([url, name]) => [url, [url, name, files[name]]]));
  const given = files[APP_CONFIG];
  if (given !== undefined && (typeof given === 'string' || given instanceof ArrayBuffer || ArrayBuffer.isView(given))) {
    if (projects.length !== 1) {
      throw new TypeError(`importClientState(): which project is ${APP_CONFIG} for? Give { PROJECT: text }`);
    }
    found.set(projects[0].url, [projects[0].url, APP_CONFIG, given]);
  } else {
    for (const [called, content] of Object.entries(given ?? {})) {
      const project = projects.find(({ url, name }) => called === name || plainUrl(called) === plainUrl(url));
      if (project === undefined) {
        throw new TypeError(`importClientState(): ${APP_CONFIG}: there is no project ${shown(called)}`);
      }
      found.set(project.url, [project.url, `projects/${directoryName(project.url)}/${APP_CONFIG}`, content]);
    }
  }
  return found.values();
}

/** A host as a state file. What has its default is not written. */
function written(state) {
  const lines = state.comments.map((comment) => `# ${oneLine(comment)}`);
  for (const [part, title, keys] of STATE_SECTIONS) {
    for (const record of [state[part]].flat()) {
      const name = title.map((field) => record[field]).join('/');
      lines.push('', `[${part.replace(/s$/, '')}${name && ` ${name}`}]`);
      for (const [key, plain] of keys) {
        const value = record[key];
        if (value !== undefined && value !== plain && value?.length !== 0) {
          lines.push(`${key} = ${typeof value === 'number' ? shortest(value) : typeof value === 'boolean'
            ? Number(value) : Array.isArray(value) ? value.join(', ') : value}`);
        }
      }
    }
  }
  return `${lines.join('\n')}\n`;
}
