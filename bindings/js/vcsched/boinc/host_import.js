// SPDX-License-Identifier: MIT
//
// Makes a host of what a BOINC client wrote down: processors, policy, projects. Tasks are made in task_import.js.

import { key } from './client_state.js';
import { ClientConfiguration, plainUrl } from './configuration.js';
import { joinPreferences, readPreferences } from './preferences.js';
import { ALL_DEVICES, ALWAYS, CLASS_OF_UNINTENSIVE, CPU, CREDITS_PER_FLOP, ESTIMATE, GREATEST_AMOUNT, IN_USE,
  LEAST_USABLE, NEVER, NO_WAIT, OLD, PEAK_TO_COUNTED, PRIOR_SPELL, PRIOR_SPELLS, PROFILE, REC_HALF_LIFE,
  SUSPEND_REASONS, THROTTLED } from './tables.js';
import { appName, TaskImport } from './task_import.js';
import { inOrder, Names, quoted, rounded } from './words.js';

/**
 * The host that a client describes. Its comments begin with the title and tell what was left out.
 *
 * sources   what was read besides: now, preferences, configuration, projectConfigurations by URL, inUse, and
 *           atServerLimit, the URLs of projects whose server last said that it sends no more
 */
export function importHost(client, sources, title) {
  return new HostImport(client, sources).run(title);
}

/** One import, and the notes that are taken on the way. */
class HostImport {
  #client;
  #sources;
  #configuration;
  #preferences;
  #halfLife;
  #now;
  #notes = [];
  #projectNames = new Map();

  constructor(client, sources) {
    this.#client = client;
    this.#sources = sources;
    this.#configuration = sources.configuration ?? new ClientConfiguration();
    const layers = client.preferences.map((record) => readPreferences(record, client.venue));
    this.#preferences = joinPreferences([...layers, ...sources.preferences], sources.inUse);
    this.#halfLife = this.#configuration.recHalfLife ?? REC_HALF_LIFE;
    this.#now = sources.now ?? client.newestTime;
  }

  run(title) {
    const state = { host: this.#host(), client: this.#policy(), gpus: this.#gpus(), projects: [],
      project_resources: [], apps: [], app_resources: [], tasks: [] };
    this.#addProjects(state);
    this.#addApps(state);
    const tasks = new TaskImport(this.#client, state, this.#projectNames, this.#sources.projectConfigurations,
      this.#preferences.leaveInMemory);
    tasks.run();
    [...tasks.deferred].sort(([a], [b]) => inOrder(a, b)).forEach(([, one]) => defer(state, one));
    this.#addRecentWork(state);
    this.#noteOddities(state);
    const leftOut = [...tasks.leftOut].map(([why, count]) => `${count} ${why}`).join(', ');
    state.comments = [title, this.#overview(state, tasks), ...leftOut ? [`Left out: ${leftOut}.`] : [],
      ...this.#notes.map((note) => `Note: ${note}.`)];
    return state;
  }

  #host() {
    const { cpus, cpuFlops, ram } = this.#client.host;
    const [onSpell, offSpell] = this.#spells();
    return { now: this.#now, cpus: this.#usableCpus(cpus), flops: cpuFlops,
      usable: this.#usable(this.#client.timeStats.active * this.#preferences.timeFraction),
      ram: rounded(ram * this.#preferences.ramFraction), on_spell: onSpell, off_spell: offSpell,
      paused: this.#allPaused() };
  }

  /** Mean lengths of the spells in which the host computes, and of those in between: rule 15.1. 0 if not known. */
  #spells() {
    const { endedSpell, active } = this.#client.timeStats;
    if (endedSpell <= 0) {
      return [0, 0];
    }
    const onSpell = (endedSpell + PRIOR_SPELLS * PRIOR_SPELL) / (1 + PRIOR_SPELLS);
    const usable = this.#usable(active);
    return [rounded(onSpell, 6), rounded(onSpell * (1 - usable) / usable, 6)];
  }

  /** Whether nothing computes, neither CPUs nor GPUs. */
  #allPaused() {
    return this.#client.runRequest === NEVER || ![0, THROTTLED].includes(this.#client.suspended)
      || this.#stopsForUser();
  }

  /** Whether the preferences stop everything while somebody uses the computer. */
  #stopsForUser() {
    return !this.#preferences.runs && this.#client.runRequest !== ALWAYS;
  }

  #gpusStopForUser() {
    return !this.#preferences.runsGpus && ![ALWAYS, NEVER].includes(this.#client.gpuRequest);
  }

  /** CPUs that the preferences let the client use: at least one. */
  #usableCpus(present) {
    const { cpuFraction, mostCpus } = this.#preferences;
    const cpus = Math.trunc((this.#configuration.cpus || present) * cpuFraction + 1e-9);
    return Math.max(1, mostCpus ? Math.min(cpus, mostCpus) : cpus);
  }

  /** Part of wall time in which something computes, given that part while the client runs. */
  #usable(fractionWhenOn) {
    return Math.max(LEAST_USABLE, rounded(this.#client.timeStats.on * fractionWhenOn, 9));
  }

  #policy() {
    const { period, minBuffer, additionalBuffer } = this.#preferences;
    return { profile: PROFILE, estimate: ESTIMATE, period: rounded(period, 6), min_buffer: rounded(minBuffer, 6),
      additional_buffer: rounded(additionalBuffer, 6), rec_half_life: this.#configuration.recHalfLife };
  }

  #gpus() {
    const client = this.#client;
    const found = client.knowsGpus ? client.gpus : this.#guessGpus();
    return found.map((gpu) => ({ name: gpu.name, count: gpu.instances,
      flops: gpu.peakFlops * gpu.instances / PEAK_TO_COUNTED || this.#guessGpuFlops(gpu.name),
      usable: this.#usable(client.timeStats.gpuActive), suspended: client.gpuRequest === NEVER,
      paused: this.#gpusPaused() || this.#gpusStopForUser() || (this.#allPaused() && client.gpuRequest !== NEVER) }));
  }

  #gpusPaused() {
    return this.#client.gpuRequest !== NEVER && ![0, THROTTLED].includes(this.#client.gpusSuspended);
  }

  /** GPUs for which the client names only the vendor. */
  #guessGpus() {
    const vendors = [...this.#client.gpuVendors].sort(inOrder);
    if (vendors.length > 0) {
      this.#notes.push(`the file does not say how many GPUs of ${vendors.join(' and ')} there are; one is taken`);
    }
    return vendors.map((name) => ({ name, instances: 1, peakFlops: 0 }));
  }

  /** Speed of a GPU if it is not given: that of the fastest program for it, else that of a CPU. */
  #guessGpuFlops(name) {
    this.#notes.push(`the file does not say how fast a GPU of ${name} is; the speed of its fastest program is taken`);
    const speeds = [...this.#client.versions.values()].flat().filter((version) => version.gpu?.name === name)
      .map((version) => version.flops / version.gpu.instances);
    return Math.min(Math.max(0, ...speeds), GREATEST_AMOUNT) || this.#client.host.cpuFlops;
  }

  #addProjects(state) {
    const names = new Names();
    for (const [url, source] of this.#client.projects) {
      const name = names.claim(source.name, plainUrl(url));
      this.#projectNames.set(url, name);
      state.projects.push(this.#project(name, source));
      state.project_resources.push(...this.#projectResources(name, source, state.gpus));
    }
  }

  #project(name, source) {
    return { name, class: source.nonCpuIntensive ? CLASS_OF_UNINTENSIVE : 0,
      share: source.nonCpuIntensive ? 0 : source.share, rec: this.#recNow(source),
      short_term_debt: source.shortTermDebt, long_term_debt: source.longTermDebt, dcf: source.dcf, max_concurrent: 0,
      suspended: source.suspended, no_new_work: source.noNewWork, wait: this.#whyNotAsked(source),
      min_rpc_time: source.minRpcTime, rpc_failures: source.rpcFailures, uploading: 0, unreported: 0, overdue: 0 };
  }

  /** What keeps the client from asking a project for work at all. */
  #whyNotAsked({ url, suspended, masterFilePending }) {
    const results = [...this.#client.results.values()].filter((result) => result.projectUrl === url);
    return suspended ? 'user' : masterFilePending || !this.#client.knowsSchedulers(url) ? 'master_file'
      : results.some((result) => result.suspended && !result.reported) ? 'task'
        : this.#client.stalledDownloads(url, this.#now).size > 0 ? 'download' : NO_WAIT;
  }

  /** The project's REC, decayed since the client last brought it up to date. */
  #recNow({ rec, recTime }) {
    const age = recTime > 0 ? this.#now - recTime : 0;
    return age > 0 ? rounded(rec * 2 ** (-age / this.#halfLife), 6) : rec;
  }

  /** Adds to REC what has run since it was brought up to date, as the client does before it decides. */
  #addRecentWork(state) {
    const speeds = new Map(state.gpus.map((gpu) => [gpu.name, gpu.flops]));
    [...this.#client.projects.values()].forEach(({ recTime }, index) => {
      const project = state.projects[index];
      const seconds = this.#now - Math.max(recTime, this.#client.timeStats.clientStart);
      if (recTime <= 0 || seconds <= 0) {
        return;
      }
      let flops = 0;
      for (const task of state.tasks.filter((one) => one.running && one.project === project.name)) {
        flops += ((task.cpus ?? 0) * state.host.flops + (task.gpus ?? 0) * (speeds.get(task.gpu) ?? 0))
          * Math.min(seconds, task.elapsed);
      }
      const creditsPerDay = flops * CREDITS_PER_FLOP / (seconds / 86400);
      const gained = -Math.expm1(-Math.LN2 * seconds / this.#halfLife);
      project.rec = rounded(project.rec + gained * creditsPerDay, 6);
    });
  }

  /** What is known of the project on each resource, where that is anything. */
  #projectResources(project, source, gpus) {
    const excluded = this.#excludedInstances(source, gpus, '');
    return [CPU, ...gpus.map((gpu) => gpu.name)].map((resource) => ({ project, resource,
      backoff_interval: source.backoffs.get(resource)?.interval ?? 0,
      backoff_until: source.backoffs.get(resource)?.until ?? 0,
      excluded: excluded.get(resource) ?? [], not_wanted: source.notWanted.has(resource),
      no_apps: source.noApps.has(resource) || (resource === CPU && source.nonCpuIntensive), deferred: false,
      server_limit: this.#sources.atServerLimit.has(source.url) }))
      .filter((known) => known.backoff_interval !== 0 || known.backoff_until !== 0 || known.excluded.length > 0
        || known.not_wanted || known.no_apps || known.server_limit);
  }

  /** Instances of each type of GPU that the project, or one application of it, must not use. */
  #excludedInstances(source, gpus, app) {
    const excluded = new Map();
    for (const exclusion of this.#exclusionsOf(source)) {
      for (const gpu of gpus) {
        if (exclusion.app === app && ['', gpu.name].includes(exclusion.gpu)) {
          const all = new Set([...excluded.get(gpu.name) ?? [], ...instancesOf(exclusion, gpu)]);
          excluded.set(gpu.name, [...all].sort((a, b) => a - b));
        }
      }
    }
    return new Map([...excluded].filter(([, instances]) => instances.length > 0));
  }

  #exclusionsOf(source) {
    return this.#configuration.exclusions.filter((exclusion) => plainUrl(exclusion.url) === plainUrl(source.url));
  }

  /** Adds the limits of projects, and the applications that have a limit or must not use all GPUs. */
  #addApps(state) {
    [...this.#client.projects.values()].forEach((source, index) => {
      const project = state.projects[index];
      const configuration = this.#sources.projectConfigurations.get(source.url);
      let limits = new Map();
      if (configuration !== undefined) {
        project.max_concurrent = configuration.maxConcurrent;
        const known = this.#client.knownApps(source.url);
        limits = new Map([...configuration.appLimits].filter(([app, limit]) => limit > 0 && known.has(app)));
        this.#noteUnknownApps(source, configuration, known);
      }
      // What a limit of one application leaves to the others is known only if they are there too.
      project.apps_listed = limits.size > 0;
      const names = [...limits.size > 0 ? this.#client.apps.get(source.url) ?? [] : [], ...limits.keys(),
        ...this.#exclusionsOf(source).map(({ app }) => app).filter((app) => app !== '' && state.gpus.length > 0)];
      const apps = new Map();
      for (const name of names) {
        const app = { project: project.name, name: appName(name), max_concurrent: limits.get(name) ?? 0 };
        if (!apps.has(app.name)) {
          for (const [resource, excluded] of this.#excludedInstances(source, state.gpus, name)) {
            state.app_resources.push({ project: project.name, app: app.name, resource, excluded });
          }
          apps.set(app.name, app);
        }
      }
      state.apps.push(...apps.values());
    });
  }

  /** Notes what app_config.xml says of applications and programs that the client does not have. */
  #noteUnknownApps(source, configuration, known) {
    const programs = new Set(this.#client.programsOf(source.url).map(({ app, planClass }) => key(app, planClass)));
    for (const { position, app, planClass } of configuration.mentioned) {
      if (!known.has(app)) {
        const names = [...known].sort(inOrder).join(', ') || 'none';
        this.#notes.push(`${position}: ${quoted(source.name)} has no application ${quoted(app)}, so what is said of it `
          + `has no effect; known: ${names}`);
      } else if (planClass !== undefined && !programs.has(key(app, planClass))) {
        this.#notes.push(`${position}: there is no version of ${quoted(app)} with the plan class ${quoted(planClass)}, `
          + 'so what is said of it has no effect');
      }
    }
  }

  /** Notes what the state cannot say, and what was taken for granted. */
  #noteOddities(state) {
    const { newestTime, runRequest, suspended, gpusSuspended, preferences, projects } = this.#client;
    const note = (text) => this.#notes.push(text);
    if (this.#now === 0 && this.#sources.now === undefined) {
      note('the file does not say when it was written, so now is 0');
    }
    const age = this.#now - newestTime;
    if (newestTime > 0 && age > OLD) {
      note(`the newest time in the file is ${rounded(age)} s before now; what runs, and how far it is, may have `
        + 'changed since');
    }
    if (preferences.length === 0 && this.#sources.preferences.length === 0) {
      note("there are no computing preferences, so the client's defaults are taken");
    }
    if (runRequest === NEVER) {
      note('the user has suspended computing, so nothing runs');
    } else if (state.host.paused) {
      note(`the client has suspended computing ${reason([0, THROTTLED].includes(suspended) ? IN_USE : suspended)}, so `
        + 'nothing runs');
    }
    if (state.gpus.length > 0 && this.#gpusPaused()) {
      note(`the client has suspended GPUs ${reason(gpusSuspended)}, so none is used`);
    } else if (state.gpus.length > 0 && this.#gpusStopForUser() && !state.host.paused) {
      note(`the client suspends GPUs ${reason(IN_USE)}, so none is used`);
    }
    this.#preferences.zeros.forEach((name) => note(`${name} is 0, which the client takes for no limit`));
    const known = new Set([...projects.keys()].map(plainUrl));
    for (const { url, position } of this.#configuration.exclusions) {
      if (!known.has(plainUrl(url))) {
        note(`${position}: there is no project ${quoted(url)}`);
      }
    }
  }

  /** What the state holds, in one line. */
  #overview(state, tasks) {
    const running = state.tasks.filter((task) => task.running).length;
    return `BOINC ${this.#client.versionText() || 'of unknown version'}: ${count(state.host.cpus, 'CPU')}, `
      + `${count(state.gpus.reduce((sum, gpu) => sum + gpu.count, 0), 'GPU')}, `
      + `${count(state.projects.length, 'project')}, ${count(state.tasks.length, 'task')} (${running} running, `
      + `${tasks.downloading} without their files yet).`;
  }
}

/** Why a client has suspended something. */
function reason(number) {
  return SUSPEND_REASONS[number] ?? `for its reason ${number}`;
}

/** Notes that a task of the project for the resource waits to be tried again. */
function defer(state, { project, resource }) {
  const known = state.project_resources.find((one) => one.project === project && one.resource === resource);
  if (known !== undefined) {
    known.deferred = true;
  } else {
    state.project_resources.push({ project, resource, deferred: true });
  }
}

/** The instances of a type of GPU that an exclusion means; devices are counted like instances. */
function instancesOf({ device }, gpu) {
  return device === ALL_DEVICES ? Array.from({ length: gpu.count }, (_, place) => place)
    : device < gpu.count ? [device] : [];
}

function count(number, thing) {
  return number === 1 ? `${number} ${thing}` : `${number} ${thing}s`;
}
