// SPDX-License-Identifier: MIT
//
// Files that describe a host, a host with its servers, or a grid (doc/state_format.md): text in, records out.

import { FILE_GRID, FILE_SCENARIO, FILE_SEED, FILE_STATE, MESSAGE_SIZE, NONE, TYPE_APP, TYPE_CANDIDATE, TYPE_HOST_MODEL,
  TYPE_PROJECT, TYPE_RESOURCE, TYPE_TASK } from './constants.js';
import { text } from './call.js';
import { checkOptions } from './emulate.js';
import { InputError } from './error.js';
import { readScenario, readSnapshot } from './snapshot.js';

const OPTIONS = new Set(['source', 'files', 'profile', 'settings', 'seed', 'days', 'warn']);
const NAMED = { resources: TYPE_RESOURCE, projects: TYPE_PROJECT, apps: TYPE_APP, tasks: TYPE_TASK,
  candidates: TYPE_CANDIDATE };

/** Calls an action with a file that the library has read. */
function withFile(module, content, kind, options, name, action) {
  checkOptions(options, OPTIONS, name);
  const { memory, exports } = module;
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  if (!(bytes instanceof Uint8Array)) {
    text(content, `${name}(): the file`);
  }
  return memory.scope(() => module.files.offer(options.files, () => {
    const message = memory.room(MESSAGE_SIZE);
    const file = exports.vcs_file_parse(memory.putBytes(bytes), bytes.length,
      memory.putText(options.source ?? 'the text'), kind, putOptions(module, options), message, MESSAGE_SIZE);
    const said = memory.text(message, MESSAGE_SIZE);
    if (file === 0) {
      throw new InputError(said);
    }
    if (said !== '') {
      options.warn?.(said);
    }
    try {
      return action(file);
    } finally {
      exports.vcs_file_free(file);
    }
  }));
}

function putOptions(module, options) {
  const { memory, records } = module;
  const layout = records.layout('file_options');
  const address = memory.room(layout.size);
  const settings = Object.entries(options.settings ?? {}).map(([key, value]) => memory.putText(`${key}=${value}`));
  const list = memory.room(4 * settings.length);
  settings.forEach((setting, index) => memory.view.setUint32(list + 4 * index, setting, true));
  const put = (name, value) => memory.view.setUint32(address + layout.at[name], value, true);
  put('struct_size', layout.size);
  put('flags', options.seed === undefined ? 0 : FILE_SEED);
  put('profile', options.profile === undefined ? 0 : memory.putText(options.profile));
  put('settings', list);
  put('setting_count', settings.length);
  put('seed', options.seed ?? 0);
  memory.view.setFloat64(address + layout.at.days, options.days ?? 0, true);
  return address;
}

/** Gives records the names that the file has for them. */
function name(module, file, parts) {
  for (const [part, type] of Object.entries(NAMED)) {
    parts[part]?.forEach((record, index) => {
      record.name = nameOf(module, file, type, index);
    });
  }
  return parts;
}

function nameOf(module, file, type, index) {
  return module.memory.text(module.exports.vcs_file_name(file, type, index));
}

function parametersOf(module, file) {
  return module.records.read(module.records.layout('parameters'), module.exports.vcs_file_parameters(file));
}

/** The names of the parameters that the file itself sets, so that another profile leaves them alone. */
function keptIn(module, file, population) {
  return module.memory.scope(() => [...module.records.layout('parameters').names].filter((parameter) =>
    module.exports.vcs_file_sets(file, population, module.memory.putText(parameter)) !== 0));
}

/** A host at one moment, as vcs.prepare() and vcs.plan() take it. */
export function parseState(module, content, options = {}) {
  return withFile(module, content, FILE_STATE, options, 'parseState', (file) => {
    const scenario = module.exports.vcs_file_scenario(file);
    const parts = readSnapshot(module, scenario + module.records.layout('scenario').at.snapshot);
    const { start } = module.records.read(module.records.layout('emulation'),
      module.exports.vcs_file_emulation(file));
    return { ...name(module, file, parts), parameters: parametersOf(module, file), now: start };
  });
}

/** A host and its servers, as vcs.emulate() takes it. */
export function parseScenario(module, content, options = {}) {
  return withFile(module, content, FILE_SCENARIO, options, 'parseScenario', (file) => {
    const parts = readScenario(module, module.exports.vcs_file_scenario(file));
    return { ...name(module, file, parts), parameters: parametersOf(module, file), kept: keptIn(module, file, NONE) };
  });
}

/** Projects and populations of hosts, as vcs.emulateGrid() takes them. */
export function parseGrid(module, content, options = {}) {
  return withFile(module, content, FILE_GRID, options, 'parseGrid', (file) => {
    const { exports, memory, records } = module;
    const grid = exports.vcs_file_grid(file);
    const layout = records.layout('grid');
    const array = (at, kind) => records.readAll(records.layout(kind), memory.u32(at), memory.u32(at + 12));
    const [terms] = array(grid + layout.at.terms, 'grid_terms');
    const projects = array(grid + layout.at.projects, 'grid_project');
    projects.forEach((project, index) => {
      project.name = nameOf(module, file, TYPE_PROJECT, index);
    });
    const count = memory.u32(grid + layout.at.classes + 12);
    return { terms, projects, classes: Array.from({ length: count }, (_, index) => classOf(module, file, index)) };
  });
}

function classOf(module, file, index) {
  const { exports, memory, records } = module;
  const layout = records.layout('host_class');
  const address = exports.vcs_file_host_class(file, index);
  const array = (part, kind) => records.readAll(records.layout(kind), memory.u32(address + layout.at[part]),
    memory.u32(address + layout.at[part] + 12));
  const projects = memory.u32(address + layout.at.projects + 12);
  const base = memory.u32(address + layout.at.projects);
  const scenario = readScenario(module, memory.u32(address + layout.at.scenario));
  scenario.resources.forEach((resource) => { // within a class, `id` tells which one of the file it is
    resource.name = nameOf(module, file, TYPE_RESOURCE, resource.id);
  });
  scenario.parameters = records.read(records.layout('parameters'), memory.u32(address + layout.at.parameters));
  scenario.kept = keptIn(module, file, index);
  return { name: nameOf(module, file, TYPE_HOST_MODEL, index), scenario, model: array('model', 'host_model')[0],
    projects: Array.from({ length: projects }, (_, place) => memory.u32(base + 4 * place)),
    rows: array('rows', 'host_row') };
}

