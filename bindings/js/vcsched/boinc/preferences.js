// SPDX-License-Identifier: MIT
//
// Computing preferences: `<global_preferences>`, in a client's state or in a file of its own.

import { Fields } from './fields.js';
import { PREFERENCE_DEFAULTS, SECONDS_PER_DAY } from './tables.js';

/** The preferences that the record states. A `<venue>` of the given name replaces everything outside it. */
export function readPreferences(record, venue) {
  let fields = new Fields(record);
  const own = fields.every('venue').find((element) => venue !== '' && element.attributes.name === venue);
  if (own !== undefined) {
    fields = new Fields(own);
  }
  // The greatest buffer is one that nobody can mean: a million days.
  return Object.fromEntries(Object.entries(PREFERENCE_DEFAULTS).filter(([name]) => fields.one(name) !== undefined)
    .map(([name, plain]) => [name, fields.number(name, plain, plain < 0 ? -1 : 0, 1e6)]));
}

/** The preferences in force: each layer overrides those before it, and the client's defaults fill in the rest. */
export function joinPreferences(layers, inUse) {
  const chosen = Object.assign({}, PREFERENCE_DEFAULTS, ...layers);
  // The preference that holds: one for a computer that is not in use (niu), if there is one and it is not.
  const [cpus, time] = ['max_ncpus_pct', 'cpu_usage_limit'].map((name) =>
    (inUse || chosen[`niu_${name}`] < 0 ? name : `niu_${name}`));
  const ram = inUse ? 'ram_max_used_busy_pct' : 'ram_max_used_idle_pct';
  const minutes = chosen.cpu_scheduling_period_minutes;
  return {
    minBuffer: chosen.work_buf_min_days * SECONDS_PER_DAY,
    additionalBuffer: chosen.work_buf_additional_days * SECONDS_PER_DAY,
    // What is as good as none counts as not set, as in the client.
    period: (minutes >= 0.0001 ? minutes : PREFERENCE_DEFAULTS.cpu_scheduling_period_minutes) * 60,
    cpuFraction: fraction(chosen[cpus]),
    mostCpus: Math.trunc(chosen.max_cpus),
    timeFraction: fraction(chosen[time]),
    ramFraction: fraction(chosen[ram]),
    leaveInMemory: chosen.leave_apps_in_memory !== 0,
    runs: !inUse || chosen.run_if_user_active !== 0,
    runsGpus: !inUse || chosen.run_gpu_if_user_active !== 0,
    /** Limits in percent that somebody has set to 0, which limits nothing. */
    zeros: [cpus, time, ram].filter((name) => chosen[name] === 0 && layers.some((layer) => Object.hasOwn(layer, name))
      && !(name === cpus && chosen.max_cpus > 0)),
  };
}

/** Percent as a fraction. 0 means that there is no limit. */
function fraction(percent) {
  return percent > 0 ? Math.min(percent, 100) / 100 : 1;
}
