// SPDX-License-Identifier: MIT
//
// What a BOINC client writes down about itself: `client_state.xml`, and the replies of `get_state` and `get_results`.
// Which record refers to which is known here; what they mean for the library, in host_import.js.

import { isGpuElement, readActiveTask, readAppVersion, readDownloadRetry, readGpu, readHost, readProject, readResult,
  readTimeStats, readWorkunit } from './client_records.js';
import { Fields, flagOf, wholeOf } from './fields.js';
import { readPreferences } from './preferences.js';
import { VERSION_RECORDS } from './tables.js';
import { quoted, strip } from './words.js';
import { inputError, Position } from './xml.js';

/** What several names together refer to: they hold no NUL. */
export function key(...names) {
  return names.join('\0');
}

/** Everything that was read, by what it is referred to with. Fill it with `add`, then call `complete`. */
export class ClientState {
  version = new Map();
  host = undefined;
  timeStats = { on: 1, active: 1, gpuActive: 1, clientStart: 0, endedSpell: 0 };
  gpus = [];
  knowsGpus = false;
  gpuVendors = new Set();
  preferences = [];
  venue = '';
  runRequest = 0;
  gpuRequest = 0;
  /** Why the client lets nothing run at this moment, as it numbers its reasons; 0 = it lets tasks run. */
  suspended = 0;
  gpusSuspended = 0;
  newestTime = 0;
  projects = new Map();
  /** By URL of the project. */
  apps = new Map();
  nonCpuIntensiveApps = new Set();
  exactApps = new Set();
  versions = new Map();
  workunits = new Map();
  results = new Map();
  /** Results that the client has run before their turn, because it expected them to be late otherwise. */
  ranEarly = new Set();
  /** When a download that has failed is tried again. */
  #downloadRetries = [];
  #listedResults = undefined;
  #activeTasks = new Map();
  #places = new Map();
  #project = undefined;

  /** Takes in one record of a file. A record belongs to the project that stands before it in the file. */
  add(record) {
    ADDERS[record.name].call(this, record);
  }

  /** Joins the records that refer to each other, when `source` has been read. */
  complete(source) {
    if (this.host === undefined) {
      throw inputError(new Position(source, 1, 1), this.#listedResults === undefined
        ? 'has no <host_info>, so it is no client state' : "a list of results alone: give the client's state too");
    }
    if (this.#listedResults === undefined) {
      this.#joinActiveTasks();
    } else {
      this.results = this.#listedResults;
    }
    for (const result of this.results.values()) {
      if (!this.projects.has(result.projectUrl)) {
        throw inputError(result.position, `<result>: there is no project ${quoted(result.projectUrl)}`);
      }
    }
  }

  #joinActiveTasks() {
    for (const [place, { active, name }] of this.#activeTasks) {
      const result = this.results.get(place);
      if (result === undefined) {
        throw inputError(active.position, `<active_task>: there is no result ${quoted(name)} of its project`);
      }
      result.active = active;
    }
  }

  /** The client's version, such as 7.16.11; empty if it is not given. */
  versionText() {
    return VERSION_RECORDS.filter((name) => this.version.has(name)).map((name) => this.version.get(name)).join('.');
  }

  /** Whether the client has read a project's master file: it has, unless it knows schedulers of others alone. */
  knowsSchedulers(url) {
    return this.projects.get(url).hasSchedulers
      || ![...this.projects.values()].some((project) => project.hasSchedulers);
  }

  /** The files of a project whose download has failed and is not tried again yet. */
  stalledDownloads(url, now) {
    const own = this.#downloadRetries.filter((one) => one.url === url);
    const last = new Map(own.map(({ name, retry }) => [name, retry]));
    return new Set([...last].filter(([, retry]) => retry > now).map(([name]) => name));
  }

  /** The programs of a project. */
  programsOf(url) {
    return [...this.versions.values()].map(([first]) => first).filter((program) => program.url === url);
  }

  /** The applications of a project that the client knows. */
  knownApps(url) {
    return new Set([...this.apps.get(url) ?? [], ...this.programsOf(url).map(({ app }) => app)]);
  }

  /** The program that computes a result; that of its platform if there are several. */
  findVersion(result, app) {
    const found = this.versions.get(key(result.projectUrl, app, result.version, result.planClass)) ?? [];
    return found.find((version) => version.platform === result.platform) ?? found[0];
  }

  addHost(record) {
    this.claim(record, 'host_info');
    this.host = readHost(record);
    const coprocs = new Fields(record).one('coprocs');
    if (coprocs !== undefined) {
      this.addCoprocs(coprocs);
    }
  }

  addTimeStats(record) {
    this.claim(record, 'time_stats');
    this.timeStats = readTimeStats(record);
    this.#noteTimes(new Fields(record), 'last_update', 'client_start_time', 'now');
  }

  addCoprocs(record) {
    this.knowsGpus = true;
    for (const element of record.children) {
      if (isGpuElement(element.name) || element.name === 'coproc') {
        const gpu = readGpu(element);
        this.claim(element, 'gpu', gpu.name);
        if (gpu.instances > 0) {
          this.gpus.push(gpu);
        }
      }
    }
  }

  addPreferences(record) {
    this.claim(record, 'global_preferences');
    readPreferences(record, this.venue);
    this.preferences.push(record);
  }

  /** What a client replies to get_cc_status. */
  addStatus(record) {
    this.claim(record, 'cc_status');
    const fields = new Fields(record);
    this.runRequest = fields.whole('task_mode');
    this.gpuRequest = fields.whole('gpu_mode');
    this.suspended = fields.whole('task_suspend_reason');
    this.gpusSuspended = fields.whole('gpu_suspend_reason');
  }

  addProject(record) {
    this.#project = readProject(record);
    this.claim(record, 'project', this.#project.url);
    this.#noteTimes(new Fields(record), 'rec_time', 'last_rpc_time');
    this.projects.set(this.#project.url, this.#project);
  }

  addApp(record) {
    const fields = new Fields(record);
    const { url } = this.#owner(record);
    const name = fields.requiredText('name');
    this.claim(record, 'app', url, name);
    this.apps.set(url, [...this.apps.get(url) ?? [], name]);
    if (fields.flag('non_cpu_intensive')) {
      this.nonCpuIntensiveApps.add(key(url, name));
    }
    if (fields.flag('fraction_done_exact')) {
      this.exactApps.add(key(url, name));
    }
  }

  addAppVersion(record) {
    const fields = new Fields(record);
    const { url } = this.#owner(record);
    const app = fields.requiredText('app_name');
    const number = fields.whole('version_num');
    const planClass = fields.text('plan_class');
    const version = { ...readAppVersion(record), url, app, planClass };
    this.claim(record, 'app_version', url, number, planClass, version.platform, app);
    const place = key(url, app, number, planClass);
    this.versions.set(place, [...this.versions.get(place) ?? [], version]);
  }

  /** A file, or how the client replies a transfer of one. */
  addFile(record) {
    const retry = readDownloadRetry(record);
    if (retry > 0) {
      const fields = new Fields(record);
      const url = fields.text('project_url') || this.#owner(record).url;
      this.#downloadRetries.push({ url, name: fields.text('name'), retry });
    }
  }

  addWorkunit(record) {
    const { url } = this.#owner(record);
    const name = new Fields(record).requiredText('name');
    this.claim(record, 'workunit', url, name);
    this.workunits.set(key(url, name), readWorkunit(record));
  }

  addResult(record) {
    const fields = new Fields(record);
    const result = readResult(record, fields.text('project_url') || this.#owner(record).url);
    this.#noteTimes(fields, 'received_time', 'completed_time');
    if (record.parent === 'results') {
      this.#listedResults ??= new Map();
    }
    const results = record.parent === 'results' ? this.#listedResults : this.results;
    const place = key(result.projectUrl, result.name);
    if (results.has(place)) {
      throw record.error(`stands twice for ${quoted(result.name)}, first at ${results.get(place).position}`);
    }
    results.set(place, result);
  }

  addActiveTask(record) {
    const fields = new Fields(record);
    const url = fields.requiredText('project_master_url');
    const name = fields.requiredText('result_name');
    this.claim(record, 'active_task', url, name);
    this.#activeTasks.set(key(url, name), { active: readActiveTask(record), name });
    if (fields.flag('once_ran_edf')) {
      this.ranEarly.add(key(url, name));
    }
  }

  /** The project that a record belongs to. */
  #owner(record) {
    if (this.#project === undefined) {
      throw record.error('no <project> stands before it');
    }
    return this.#project;
  }

  /** Refuses a second record for the same thing, whose own name is the last of the names that tell it apart. */
  claim(record, ...names) {
    const place = key(...names);
    const first = this.#places.get(place);
    if (first !== undefined) {
      const thing = names.length > 1 ? ` for ${quoted(names.at(-1))}` : '';
      throw record.error(`stands twice${thing}, first at ${first}`);
    }
    this.#places.set(place, record.position);
  }

  /** Remembers the newest of the times that have passed. */
  #noteTimes(fields, ...names) {
    this.newestTime = Math.max(this.newestTime, ...names.map((name) => fields.duration(name)));
  }
}

function addVersion(record) {
  this.version.set(record.name, wholeOf(record, 0, 10 ** 6));
}

function addHaveGpu(record) {
  if (flagOf(record)) {
    this.gpuVendors.add(record.name === 'have_cuda' ? 'NVIDIA' : 'ATI');
  }
}

const OF_STATE = ClientState.prototype;
const ADDERS = {
  core_client_major_version: addVersion,
  core_client_minor_version: addVersion,
  core_client_release: addVersion,
  host_info: OF_STATE.addHost,
  time_stats: OF_STATE.addTimeStats,
  coprocs: OF_STATE.addCoprocs,
  have_cuda: addHaveGpu,
  have_ati: addHaveGpu,
  host_venue(record) {
    this.venue = strip(record.text);
  },
  global_preferences: OF_STATE.addPreferences,
  cc_status: OF_STATE.addStatus,
  user_run_request(record) {
    this.runRequest = wholeOf(record, 0, 10 ** 6);
  },
  user_gpu_request(record) {
    this.gpuRequest = wholeOf(record, 0, 10 ** 6);
  },
  project: OF_STATE.addProject,
  app: OF_STATE.addApp,
  app_version: OF_STATE.addAppVersion,
  file: OF_STATE.addFile,
  file_info: OF_STATE.addFile,
  file_transfer: OF_STATE.addFile,
  workunit: OF_STATE.addWorkunit,
  result: OF_STATE.addResult,
  active_task: OF_STATE.addActiveTask,
};
