// SPDX-License-Identifier: MIT
//
// The files in which a user configures a BOINC client: `cc_config.xml`, and a project's `app_config.xml`.

import { checkGpuUse, resourceName } from './client_records.js';
import { Fields, numberOf, wholeOf } from './fields.js';
import { ALL_DEVICES, MOST_GPUS } from './tables.js';
import { strip } from './words.js';

/** Of `cc_config.xml`. `cpus` of 0 means all CPUs of the computer. */
export class ClientConfiguration {
  cpus = 0;
  recHalfLife = undefined;
  exclusions = [];

  add(record) {
    if (record.name === 'ncpus') {
      // To the client 0 and -1 mean all CPUs of the computer.
      this.cpus = Math.max(0, wholeOf(record, -1, 65536));
    } else if (record.name === 'rec_half_life_days') {
      this.recHalfLife = numberOf(record, 0, 1e6) * 86400 || undefined;
    } else {
      const fields = new Fields(record);
      this.exclusions.push({ position: record.position, url: fields.requiredText('url'),
        device: fields.whole('device_num', ALL_DEVICES, ALL_DEVICES, MOST_GPUS - 1),
        gpu: resourceName(fields.text('type')), app: fields.text('app') });
    }
  }
}

/** Of `app_config.xml`. A limit says how many tasks may run at the same time; 0 = no limit. */
export class ProjectConfiguration {
  maxConcurrent = 0;
  appLimits = new Map();
  /** For all programs of an application that use a GPU. */
  #gpuUsages = new Map();
  /** By application and plan class. These go first. */
  #versionUsages = new Map();
  /** Applications whose tasks know exactly how far they are, as the user says. */
  exactApps = new Set();
  /** Where which application is named, and which plan class, if one is. */
  mentioned = [];

  add(record) {
    if (record.name === 'project_max_concurrent') {
      this.maxConcurrent = wholeOf(record, 0, 10 ** 6);
      return;
    }
    const fields = new Fields(record);
    const { position } = record;
    if (record.name === 'app') {
      const app = fields.requiredText('name');
      this.mentioned.push({ position, app });
      if (fields.flag('fraction_done_exact')) {
        this.exactApps.add(app);
      }
      this.appLimits.set(app, fields.whole('max_concurrent', 0, 0, 10 ** 6));
      const versions = fields.one('gpu_versions');
      if (versions !== undefined) {
        this.#gpuUsages.set(app, usageOf(versions, 'cpu_usage', 'gpu_usage'));
      }
    } else {
      const app = fields.requiredText('app_name');
      const planClass = fields.text('plan_class');
      this.#versionUsages.set(`${app}\0${planClass}`, usageOf(record, 'avg_ncpus', 'ngpus'));
      this.mentioned.push({ position, app, planClass });
    }
  }

  /** A program of an application with the uses that the user wants. */
  apply(app, planClass, version) {
    const { cpus, gpus } = { ...(version.gpu ? this.#gpuUsages.get(app) : {}),
      ...this.#versionUsages.get(`${app}\0${planClass}`) };
    return { ...version, cpus: cpus ?? version.cpus,
      gpu: version.gpu && { ...version.gpu, instances: gpus ?? version.gpu.instances } };
  }
}

/** The uses that a record states. Like the client it takes 0 for not stated. */
function usageOf(record, cpus, gpus) {
  const fields = new Fields(record);
  const stated = Object.entries({ cpus: fields.number(cpus, 0, 0, 65536), gpus: fields.number(gpus, 0, 0, 65536) });
  const usage = Object.fromEntries(stated.filter(([, value]) => value !== 0));
  checkGpuUse(record, usage.gpus ?? 0);
  return usage;
}

/** A project's URL without what does not tell it from others: the scheme, the last slash, capitals. */
export function plainUrl(url) {
  return strip(url).toLowerCase().replace(/^https?:\/\//, '').replace(/\/+$/, '');
}

/** Name of the folder in which the client keeps a project's files. */
export function directoryName(url) {
  return plainUrl(url).replace(/[^a-z0-9._-]/gu, '_');
}
