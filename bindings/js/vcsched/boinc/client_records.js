// SPDX-License-Identifier: MIT
//
// The records of a BOINC client, with its own names for their fields, and its defaults.

import { Fields } from './fields.js';
import { CPU, DEFAULT_CPU_FLOPS, DEFAULT_SHARE, GPU_ELEMENTS, LEAST_GPU_USE, LONGEST_DURATION, MOST_GPUS,
  OTHER_RESOURCE_NAMES, OWN_FIELDS_FOR_RESOURCE } from './tables.js';
import { cleanName, general, strip } from './words.js';

/** The client's present name of a resource. It stands behind a `/` in a state, so it must not hold one. */
export function resourceName(name) {
  return name === '' ? '' : cleanName(Object.hasOwn(OTHER_RESOURCE_NAMES, name) ? OTHER_RESOURCE_NAMES[name] : name)
    .replaceAll('/', '-');
}

export function isGpuElement(name) {
  return Object.hasOwn(GPU_ELEMENTS, name);
}

export function readHost(record) {
  const fields = new Fields(record);
  return { cpus: fields.whole('p_ncpus', 1, 1, 65536), cpuFlops: fields.number('p_fpops') || DEFAULT_CPU_FLOPS,
    ram: fields.number('m_nbytes') };
}

/** How much of the time the client may compute. A fraction of 0 was never measured and counts as 1. */
export function readTimeStats(record) {
  const fields = new Fields(record);
  const [on, active, gpuActive] = ['on_frac', 'active_frac', 'gpu_active_frac'].map((name) =>
    fields.number(name, 1, 0, 1) || 1);
  // Only a reply tells it. A file has the present run instead, for the next one to know it.
  const endedSpell = fields.one('now') === undefined ? 0 : fields.duration('previous_uptime');
  return { on, active, gpuActive, clientStart: fields.duration('client_start_time'), endedSpell };
}

export function readGpu(record) {
  const fields = new Fields(record);
  const name = isGpuElement(record.name) ? GPU_ELEMENTS[record.name] : resourceName(fields.requiredText('type'));
  if (name === CPU) {
    throw record.error(`${CPU} is no type of GPU`);
  }
  return { name, instances: fields.whole('count', 1, 0, MOST_GPUS), peakFlops: fields.number('peak_flops') };
}

export function readProject(record) {
  const fields = new Fields(record);
  const url = fields.requiredText('master_url');
  return {
    position: record.position,
    url,
    name: fields.text('project_name') || url,
    share: share(fields),
    rec: fields.number('rec'),
    recTime: fields.duration('rec_time'),
    shortTermDebt: fields.number('short_term_debt', 0, -LONGEST_DURATION, LONGEST_DURATION),
    longTermDebt: fields.number('long_term_debt', 0, -LONGEST_DURATION, LONGEST_DURATION),
    dcf: fields.flag('dont_use_dcf') ? 1 : fields.number('duration_correction_factor', 1),
    minRpcTime: fields.duration('min_rpc_time'),
    rpcFailures: fields.whole('nrpc_failures'),
    masterFilePending: fields.flag('master_url_fetch_pending') || wasNeverFound(fields),
    hasSchedulers: fields.every('scheduler_url').length > 0,
    suspended: fields.flag('suspended_via_gui'),
    noNewWork: ['dont_request_more_work', 'detach_when_done', 'ended'].some((name) => fields.flag(name)),
    nonCpuIntensive: fields.flag('non_cpu_intensive'),
    backoffs: backoffs(fields),
    notWanted: new Set(['pref', 'ams', 'config'].flatMap((what) => resourcesWithout(fields, what))),
    noApps: new Set(resourcesWithout(fields, 'apps')),
  };
}

/** Whether the master file, which names the schedulers, was looked for in vain. */
function wasNeverFound(fields) {
  return fields.whole('master_fetch_failures') > 0 && fields.every('scheduler_url').length === 0;
}

/** The resource share; that of the account manager goes first, where -1 means that it sets none. */
function share(fields) {
  const managed = fields.number('ams_resource_share_new', -1, -1);
  return managed >= 0 ? managed : fields.number('resource_share', DEFAULT_SHARE);
}

/** The backoff of each resource, as clients from 7.0 on write it, or as older ones do. */
function backoffs(fields) {
  const found = new Map();
  for (const own of OWN_FIELDS_FOR_RESOURCE) {
    found.set(resourceName(own), { until: fields.duration(`${own}_backoff_time`),
      interval: fields.duration(`${own}_backoff_interval`) });
  }
  for (const [field, part] of [['rsc_backoff_time', 'until'], ['rsc_backoff_interval', 'interval']]) {
    for (const element of fields.every(field)) {
      const inner = new Fields(element);
      const name = resourceName(inner.requiredText('name'));
      found.set(name, { until: 0, interval: 0, ...found.get(name), [part]: inner.duration('value') });
    }
  }
  return found;
}

/** The resources that `<no_rsc_WHAT>`, or `<no_cpu_WHAT>` and the like, refer to. */
function resourcesWithout(fields, what) {
  const listed = fields.every(`no_rsc_${what}`).map((element) => resourceName(strip(element.text)));
  return [...listed, ...OWN_FIELDS_FOR_RESOURCE.filter((own) => fields.flag(`no_${own}_${what}`)).map(resourceName)];
}

export function readAppVersion(record) {
  const fields = new Fields(record);
  return { platform: fields.text('platform'), cpus: fields.number('avg_ncpus', 1, 0, 65536), gpu: gpuUse(fields),
    flops: fields.number('flops'), files: files(fields) };
}

/** Names of the files that a record needs. */
function files(fields) {
  return new Set(fields.every('file_ref').map((reference) => new Fields(reference).text('file_name')));
}

/** What a program needs of a GPU. */
function gpuUse(fields) {
  const element = fields.one('coproc');
  if (element === undefined) {
    return undefined;
  }
  const inner = new Fields(element);
  const instances = inner.number('count', 1, 0, 65536);
  checkGpuUse(element, instances);
  return instances > 0 ? { name: resourceName(inner.requiredText('type')), instances } : undefined;
}

export function checkGpuUse(element, instances) {
  if (instances > 0 && instances < LEAST_GPU_USE) {
    throw element.error(`uses less of a GPU than can be distinguished, ${general(LEAST_GPU_USE)}`);
  }
}

export function readWorkunit(record) {
  const fields = new Fields(record);
  return { app: fields.requiredText('app_name'), estFlops: fields.number('rsc_fpops_est'),
    ram: fields.number('rsc_memory_bound'), files: files(fields) };
}

export function readResult(record, projectUrl) {
  const fields = new Fields(record);
  const active = fields.one('active_task');
  return {
    position: record.position,
    projectUrl,
    name: fields.requiredText('name'),
    workunit: fields.text('wu_name'),
    state: fields.whole('state'),
    platform: fields.text('platform'),
    version: fields.whole('version_num'),
    planClass: fields.text('plan_class'),
    deadline: fields.duration('report_deadline'),
    received: fields.duration('received_time'),
    completed: fields.duration('completed_time'),
    finalElapsed: fields.duration('final_elapsed_time'),
    estimatedRemaining: fields.knownDuration('estimated_cpu_time_remaining'),
    resources: fields.text('resources'),
    reported: fields.flag('got_server_ack'),
    readyToReport: fields.flag('ready_to_report'),
    suspended: fields.flag('suspended_via_gui'),
    waiting: fields.flag('scheduler_wait'),
    gpuMissing: fields.flag('coproc_missing'),
    wasLate: fields.flag('edf_scheduled'),
    active: active === undefined ? undefined : readActiveTask(active),
  };
}

/** When a download that has failed is tried again; 0 if there is none. */
export function readDownloadRetry(record) {
  const fields = new Fields(record);
  const transfer = fields.one('persistent_file_xfer');
  if (transfer === undefined) {
    return 0;
  }
  const inner = new Fields(transfer);
  // Older clients tell of the file itself that it goes the other way.
  const isUpload = inner.flag('is_upload') || fields.flag('generated_locally') || fields.flag('upload_when_present');
  const hasFailed = inner.whole('num_retries', 1) > 0;
  return hasFailed && !isUpload ? inner.duration('next_request_time') : 0;
}

/** `<active_task>`, inside a result or beside. What the file does not tell is undefined. */
export function readActiveTask(record) {
  const fields = new Fields(record);
  return {
    position: record.position,
    state: fields.whole('active_task_state'),
    schedulerState: fields.one('scheduler_state') && fields.whole('scheduler_state'),
    elapsed: fields.knownDuration('elapsed_time'),
    fractionDone: fields.number('fraction_done'),
    cpuTime: fields.duration('current_cpu_time'),
    checkpointCpuTime: fields.duration('checkpoint_cpu_time'),
    checkpointElapsed: fields.duration('checkpoint_elapsed_time'),
    checkpointFractionDone: fields.number('checkpoint_fraction_done'),
    checkpointFractionDoneElapsed: fields.duration('checkpoint_fraction_done_elapsed_time'),
    ram: fields.number('working_set_size_smoothed'),
  };
}
