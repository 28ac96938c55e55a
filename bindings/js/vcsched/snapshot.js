// SPDX-License-Identifier: MIT
//
// Whole hosts and scenarios as the library takes them: structs of arrays.

import { shown } from './error.js';

export const HOST_PARTS = { resources: 'resource', projects: 'project', project_resources: 'project_resource',
  apps: 'app', app_resources: 'app_resource', hours: 'hour', tasks: 'task', candidates: 'task' };
const STATE_KEYS = new Set(['host', 'now', 'parameters', 'title', ...Object.keys(HOST_PARTS)]);
export const SCENARIO_PARTS = { models: 'job_model', servers: 'server_model' };
const SCENARIO_KEYS = new Set(['emulation', 'sizes', 'switches', 'kept', ...Object.keys(SCENARIO_PARTS),
  ...STATE_KEYS]);

/** Refuses what is no part of it, so that a typing error does not go unnoticed. */
export function checkParts(value, known, where) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TypeError(`${where} must be an object with arrays of records, not ${shown(value)}`);
  }
  for (const key of Object.keys(value)) {
    if (!known.has(key) && !key.startsWith('_')) {
      throw new TypeError(`${where} has no part ${key}`);
    }
  }
}

export function checkState(value, where) {
  checkParts(value, STATE_KEYS, where);
}

export function checkScenario(value, where) {
  checkParts(value, SCENARIO_KEYS, where);
}

/** Fills a vcs_snapshot, which has been zeroed. Returns how many records there are of each kind. */
export function putSnapshot(module, address, value, where) {
  const { memory, records } = module;
  const layout = records.layout('snapshot');
  memory.view.setUint32(address, layout.size, true);
  const put = (name, kind, given) => {
    const element = records.layout(kind);
    const base = module.putRecords(element, given, `${where}${name}`);
    module.setArray(address + layout.at[name], base, element.size, given.length);
  };
  put('host', 'host', [value.host ?? {}]);
  const counts = {};
  for (const [name, kind] of Object.entries(HOST_PARTS)) {
    const given = value[name] ?? [];
    put(name, kind, given);
    counts[name] = given.length;
  }
  return counts;
}

/** The parts of a vcs_snapshot as arrays of records. */
export function readSnapshot(module, address) {
  const { memory, records } = module;
  const layout = records.layout('snapshot');
  const read = (name, kind) => {
    const at = address + layout.at[name];
    const element = records.layout(kind);
    return records.readAll(element, memory.u32(at), memory.u32(at + 12), memory.u32(at + 8) || element.size);
  };
  const found = { host: read('host', 'host')[0] };
  for (const [name, kind] of Object.entries(HOST_PARTS)) {
    found[name] = read(name, kind);
  }
  return found;
}

/** A vcs_scenario, and how many records there are of each kind. */
export function putScenario(module, value, emulation, where) {
  const { memory, records } = module;
  const layout = records.layout('scenario');
  const address = memory.room(layout.size);
  memory.view.setUint32(address, layout.size, true);
  const counts = putSnapshot(module, address + layout.at.snapshot, { ...value, candidates: [] }, where);
  const put = (name, kind, given) => {
    const element = records.layout(kind);
    module.setArray(address + layout.at[name], module.putRecords(element, given, `${where}${name}`), element.size,
      given.length);
  };
  put('emulation', 'emulation', [emulation]);
  for (const [name, kind] of Object.entries(SCENARIO_PARTS)) {
    put(name, kind, value[name] ?? []);
  }
  for (const name of ['sizes', 'switches']) {
    const given = value[name] ?? [];
    module.setArray(address + layout.at[name], module.putNumbers(given, `${where}${name}`), 8, given.length);
  }
  return { address, counts };
}

export function readNumbers(module, array) {
  const { memory } = module;
  const base = memory.u32(array);
  return Array.from({ length: memory.u32(array + 12) }, (_, index) => memory.view.getFloat64(base + 8 * index, true));
}

/** The parts of a vcs_scenario. */
export function readScenario(module, address) {
  const { memory, records } = module;
  const layout = records.layout('scenario');
  const { candidates, ...found } = readSnapshot(module, address + layout.at.snapshot);
  const read = (name, kind) => {
    const at = address + layout.at[name];
    return records.readAll(records.layout(kind), memory.u32(at), memory.u32(at + 12));
  };
  [found.emulation] = read('emulation', 'emulation');
  for (const [name, kind] of Object.entries(SCENARIO_PARTS)) {
    found[name] = read(name, kind);
  }
  for (const name of ['sizes', 'switches']) {
    found[name] = readNumbers(module, address + layout.at[name]);
  }
  return found;
}
