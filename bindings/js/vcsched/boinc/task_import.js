// SPDX-License-Identifier: MIT
//
// Makes tasks of the results that a BOINC client has.

import { resourceName } from './client_records.js';
import { key } from './client_state.js';
import { ABORTING_STATES, CPU, DEVICES, ENDED_STATES, EXECUTING, FILES_PRESENT, LONGEST_DURATION, LONGEST_RESOURCES,
  NO_WAIT, OVERDUE_AFTER, RESOURCES, SCHEDULED, UPLOADING } from './tables.js';
import { cleanName, general, Names, quoted, rounded } from './words.js';
import { inputError } from './xml.js';

const RESOURCES_TEXT = new RegExp(`^(?:${RESOURCES})$`, 'u');
const DEVICES_TEXT = new RegExp(DEVICES);

/** Adds a task for every result that is to be computed, and counts the others. */
export class TaskImport {
  #client;
  #state;
  #projectNames;
  #configurations;
  #leaveInMemory;
  #names = new Names();
  #stalled;
  #gpus;
  #apps;
  #projects;
  /** Tasks whose files have not all arrived. */
  downloading = 0;
  /** Results that became no task: why, and how many. */
  leftOut = new Map();
  /** Projects and resources with a task that waits to be tried again. */
  deferred = new Map();

  constructor(client, state, projectNames, configurations, leaveInMemory) {
    this.#client = client;
    this.#state = state;
    this.#projectNames = projectNames;
    this.#configurations = configurations;
    this.#leaveInMemory = leaveInMemory;
    this.#gpus = new Map(state.gpus.map((gpu) => [gpu.name, gpu.count]));
    this.#apps = new Set(state.apps.map((app) => key(app.project, app.name)));
    this.#projects = new Map(state.projects.map((project) => [project.name, project]));
    this.#stalled = new Map([...client.projects.keys()].map((url) => [url,
      client.stalledDownloads(url, state.host.now)]));
  }

  run() {
    for (const result of this.#client.results.values()) {
      let reason = whyEnded(result);
      if (reason) {
        this.#countEnded(result);
      } else {
        reason = this.#addTask(result);
      }
      if (reason) {
        this.leftOut.set(reason, (this.leftOut.get(reason) ?? 0) + 1);
      }
    }
  }

  /** Counts a result whose computation is over in its project. */
  #countEnded(result) {
    const project = this.#projects.get(this.#projectNames.get(result.projectUrl));
    if (result.reported) {
      return;
    }
    if (result.state === UPLOADING && !result.readyToReport) {
      project.uploading += 1;
    } else if (result.readyToReport) {
      project.unreported += 1;
      project.overdue += this.#isOverdue(result) ? 1 : 0;
    }
  }

  /** Whether a result that is ready to report should have been reported by now. */
  #isOverdue({ deadline, completed }) {
    const { host: { now }, client } = this.#state;
    return (deadline > 0 && deadline <= now + client.min_buffer) || (completed > 0 && completed <= now - OVERDUE_AFTER);
  }

  /** Adds the task of a result. Returns why not, if the host cannot run it. */
  #addTask(result) {
    const workunit = this.#client.workunits.get(key(result.projectUrl, result.workunit));
    const version = workunit && this.#version(result, workunit);
    if (result.gpuMissing) {
      return 'without a GPU of their type';
    }
    const use = this.#use(result, workunit, version);
    if (use.gpu !== undefined && !this.#gpus.has(use.gpu)) {
      return 'without a GPU of their type';
    }
    const project = this.#projectNames.get(result.projectUrl);
    const task = { name: this.#names.claim(result.name, project), project, app: this.#limitedApp(project, workunit),
      ...use, deadline: result.deadline || undefined, received: result.received,
      suspended: result.suspended || result.waiting, downloading: result.state < FILES_PRESENT,
      wait: this.#whyNotReady(result, workunit, version),
      was_late: result.wasLate || this.#client.ranEarly.has(key(result.projectUrl, result.name)),
      elapsed: 0, started: false, running: false };
    this.#setWork(task, result, workunit, version);
    this.#setProgress(task, result.active);
    if (task.started && use.gpu !== undefined) {
      task.devices = devicesOf(result.resources, this.#gpus.get(use.gpu));
    }
    task.ram = result.active?.ram || workunit?.ram || 0;
    this.#state.tasks.push(task);
    this.downloading += task.downloading ? 1 : 0;
    if (result.waiting) {
      const resource = use.gpu ?? CPU;
      this.deferred.set(key(project, resource), { project, resource });
    }
    return undefined;
  }

  /** Why a task is suspended, or its files do not arrive. */
  #whyNotReady(result, workunit, version) {
    if (result.suspended) {
      return 'user';
    }
    const stalled = this.#stalled.get(result.projectUrl);
    const isStalled = result.state < FILES_PRESENT
      && [...workunit?.files ?? [], ...version?.files ?? []].some((file) => stalled.has(file));
    return isStalled ? 'download' : NO_WAIT;
  }

  /** The program that computes a result, with what the user lets it use. */
  #version(result, workunit) {
    const version = this.#client.findVersion(result, workunit.app);
    const configuration = this.#configurations.get(result.projectUrl);
    return version && configuration ? configuration.apply(workunit.app, result.planClass, version) : version;
  }

  /** The application, if it has a section of its own to refer to. */
  #limitedApp(project, workunit) {
    const name = workunit && appName(workunit.app);
    return name !== undefined && this.#apps.has(key(project, name)) ? name : undefined;
  }

  /** What a result uses, from its program, or else from what the client tells a person about it. */
  #use(result, workunit, version) {
    const use = version === undefined ? useFromText(result)
      : { cpus: version.cpus, gpu: version.gpu?.name, gpus: version.gpu?.instances };
    if (this.#usesNoCpu(result, workunit)) {
      return { ...use, cpus: 0 };
    }
    return use.gpu ? use : { ...use, cpus: Math.min(use.cpus, this.#state.host.cpus) };
  }

  /** Whether a result uses no CPU worth counting and runs at all times. */
  #usesNoCpu({ projectUrl }, workunit) {
    return this.#client.projects.get(projectUrl).nonCpuIntensive
      || (workunit !== undefined && this.#client.nonCpuIntensiveApps.has(key(projectUrl, workunit.app)));
  }

  /** How much there is to do: for the library to estimate, if the file tells enough, else as the client says. */
  #setWork(task, result, workunit, version) {
    if (workunit !== undefined && version !== undefined) {
      task.est_flops = workunit.estFlops;
      task.flops = this.#speed(version);
      const dcf = this.#client.projects.get(result.projectUrl).dcf || 1;
      if (task.est_flops / task.flops * dcf > LONGEST_DURATION) {
        throw inputError(result.position, `<result>: would take more than ${general(LONGEST_DURATION)} s`);
      }
      [task.elapsed, task.fraction_done] = progressOf(result, task.cpus || 1);
      task.fraction_done_exact = this.#isExact(result.projectUrl, workunit.app);
    } else if (result.estimatedRemaining !== undefined) {
      task.remaining = result.estimatedRemaining;
    } else {
      throw inputError(result.position, workunit === undefined
        ? `<result>: there is no work unit ${quoted(result.workunit)}`
        : `<result>: there is no version ${result.version} of the application ${quoted(workunit.app)} for the plan `
          + `class ${quoted(result.planClass)}`);
    }
  }

  /** Whether the tasks of an application know exactly how far they are, as its project or the user says. */
  #isExact(url, app) {
    return this.#client.exactApps.has(key(url, app)) || (this.#configurations.get(url)?.exactApps.has(app) ?? false);
  }

  /** Speed of a program here, or what the client takes for one that states none. */
  #speed(version) {
    const { cpus } = this.#state.host;
    if (!version.flops) {
      return this.#client.host.cpuFlops * ((version.cpus || 1) + (version.gpu ? 10 * version.gpu.instances : 0));
    }
    return version.gpu === undefined && version.cpus > cpus ? version.flops * cpus / version.cpus : version.flops;
  }

  /** Whether a task has run, runs, and what stopping it would lose. */
  #setProgress(task, active) {
    if (active === undefined) {
      return;
    }
    task.started = true;
    task.running = isRunning(active) && !task.suspended;
    // The client never leaves a program in memory that uses a GPU.
    task.in_memory = this.#leaveInMemory && task.gpu === undefined;
    if (task.running) {
      // The client does not say when the slice began: not so early that the task would have run longer than it has,
      // and not before the client itself was started.
      task.running_since = Math.max(rounded(this.#state.host.now - (active.elapsed || task.elapsed), 6),
        this.#client.timeStats.clientStart);
      const unsaved = Math.max(0, active.cpuTime - active.checkpointCpuTime);
      task.since_checkpoint = rounded(unsaved / Math.max(1, task.cpus || 1), 6);
    }
  }
}

/** An application's name as a state has it: behind a `/`, which it must not hold itself. */
export function appName(name) {
  return cleanName(name).replaceAll('/', '-');
}

/** Why a result is not to be computed any more; undefined if it is. */
function whyEnded(result) {
  if (result.reported) {
    return 'reported';
  }
  if (result.readyToReport) {
    return 'ready to report';
  }
  if (ABORTING_STATES.includes(result.active?.state)) {
    return 'aborted';
  }
  if (result.state > FILES_PRESENT && ENDED_STATES[result.state] === undefined) {
    throw inputError(result.position, `<result>: there is no state ${result.state}`);
  }
  return ENDED_STATES[result.state];
}

/** What a result uses, as the client tells a person. It says nothing of a task of one CPU. */
function useFromText({ resources, position }) {
  if (resources === '') {
    return { cpus: 1 };
  }
  const found = RESOURCES_TEXT.exec([...resources].slice(0, LONGEST_RESOURCES).join(''));
  const numbers = found ? [found[1], ...(found[3] === undefined ? [] : [found[2]])] : [''];
  if (!numbers.every((text) => /^(\d+\.?\d*|\.\d+)$/.test(text))) {
    throw inputError(position, `<result>: <resources> is ${quoted(resources)}, which is not understood`);
  }
  const [cpus, gpus] = numbers.map(Number);
  return gpus === undefined ? { cpus } : { cpus, gpu: resourceName(found[3]), gpus };
}

/** The instances of a type of GPU that a task runs on, or has run on last, if the client tells them. */
function devicesOf(resources, count) {
  const found = DEVICES_TEXT.exec([...resources].slice(0, LONGEST_RESOURCES).join(''));
  const devices = [...new Set(found ? found[1].split(', ').map(Number) : [])];
  return Math.max(0, ...devices) < count ? devices.sort((a, b) => a - b) : [];
}

/** Whether the client lets a task run at this moment. */
function isRunning({ state, schedulerState }) {
  return schedulerState === undefined ? state === EXECUTING : schedulerState === SCHEDULED;
}

/**
 * How long a result has run, and how far it is, both of the same moment. Replies of the client tell the present. Its
 * file tells the last checkpoint, from which the task would go on; older ones tell it in CPU time only.
 */
function progressOf({ active, finalElapsed }, cpus) {
  if (active === undefined) {
    return [0, 0];
  }
  if (active.elapsed !== undefined) {
    return [active.elapsed, Math.min(active.fractionDone, 1)];
  }
  const fractionDone = Math.min(active.fractionDone || active.checkpointFractionDone, 1);
  const threads = Math.max(1, cpus);
  const candidates = [active.checkpointFractionDoneElapsed, active.checkpointElapsed, finalElapsed,
    active.checkpointCpuTime / threads, active.cpuTime / threads];
  return [candidates.find((elapsed) => elapsed > 0) ?? 0, fractionDone];
}
