// SPDX-License-Identifier: MIT

import type { Admission, App, AppResource, Change, Client, Constants, DispatchDecision, DispatchFunctions, DispatchJob,
  DispatchRules, EdfResource, EdfSummary, EdfTask, Emulation, Event, FetchDecision, FetchQuestion, FetchSummary,
  Functions, Given, GridEvent, GridHostOutcome, GridOutcome, GridProject, GridProjectOutcome, GridSample, GridTerms,
  Host, HostModel, HostRow, Hour, JobModel, Kinds, Outcome, Parameters, Progress, Project, ProjectBound, ProjectOutcome,
  ProjectResource, ProjectResourceForecast, Resource, ResourceDecision, ResourceForecast, ResourceOutcome, Result,
  ScheduleSummary, ServerModel, StateFunctions, Task, TaskDecision, TaskForecast, Trust, Unit, WrrSummary,
} from './types.js';

export * from './types.js';

/** The library refused its input. Nothing was changed by the call. */
export class VcsError extends Error {
  /** The number that the library returned, one of ERR_*. */
  readonly code: number;
  /** Its name, such as 'VCS_ERR_RANGE'. */
  readonly constant: string;
  /** What kind of record is at fault, such as 'task'; '' if none is. */
  readonly record: string;
  /** Which element of its array; 0 for a single record. */
  readonly index: number | bigint;
  /** The field of it; '' if the whole record is at fault. */
  readonly field: string;
}

/** A file says something that cannot be used. The message is one line that begins with the place. */
export class InputError extends Error {
  readonly source: string;
  /** From 1; 0 if no line is at fault. */
  readonly line: number;
  /** From 1; 0 if only a line is known. */
  readonly column: number;
}

/** A host at one moment. */
export interface HostState {
  host?: Given<Host>;
  /** The CPUs first, then each type of GPU. */
  resources: readonly Given<Resource>[];
  projects?: readonly Given<Project>[];
  project_resources?: readonly Given<ProjectResource>[];
  apps?: readonly Given<App>[];
  app_resources?: readonly Given<AppResource>[];
  /** How long it was seen on and off in each hour of the day, or of the week: 24 or 168, or none. */
  hours?: readonly Given<Hour>[];
  tasks?: readonly Given<Task>[];
  /** Tasks that it might be sent, for State.admit(). */
  candidates?: readonly Given<Task>[];
  /** The policy, or the name of a profile; 'current' if not given. */
  parameters?: Given<Parameters> | string;
  /** The present, s; 0 if not given. */
  now?: number;
}

/** The same with all fields, as it is read from a file. */
export interface ReadHost {
  host: Host;
  resources: Resource[];
  projects: Project[];
  project_resources: ProjectResource[];
  apps: App[];
  app_resources: AppResource[];
  hours: Hour[];
  tasks: Task[];
  parameters: Parameters;
}

export interface ReadState extends ReadHost {
  candidates: Task[];
  now: number;
}

export interface WrrOutcome {
  summary: WrrSummary;
  tasks: TaskForecast[];
  resources: ResourceForecast[];
  /** One for each project and resource, project by project. */
  project_resources: ProjectResourceForecast[];
}

export interface EdfOutcome {
  summary: EdfSummary;
  tasks: EdfTask[];
  resources: EdfResource[];
}

export interface ScheduleOutcome {
  summary: ScheduleSummary;
  /** One for each task; none with SCHEDULE_RUNNING. */
  tasks: TaskDecision[];
  resources: ResourceDecision[];
  /** The tasks that run, in the order in which they were chosen. */
  running: { task: number; decision: TaskDecision }[];
}

export interface FetchOutcome {
  summary: FetchSummary;
  /** One for each project and resource, project by project. */
  project_resources: FetchDecision[];
}

export interface Plan {
  wrr: WrrOutcome;
  edf: EdfOutcome;
  schedule: ScheduleOutcome;
  fetch: FetchOutcome;
}

export interface PlanWords {
  /** One for each task. */
  tasks: string[];
  /** One for each project and resource, project by project. */
  requests: string[];
  fetch: string;
}

/** A host at one moment: prepared once, asked many times. It keeps a copy of all that it needs. */
export interface State extends StateFunctions {
  /** Weighted round-robin: when each task ends, which miss their deadline, how much work is missing. */
  wrr(): WrrOutcome;
  /** Earliest deadline first, of the tasks that wrr() found to be late (EDF_MISSED), or of all (EDF_ALL). */
  edf(which?: number): EdfOutcome;
  /** Which tasks run from now on, after wrr(). */
  schedule(detail?: number): ScheduleOutcome;
  /** Whom to ask for work, and for how much, after wrr(). */
  fetch(question?: Given<FetchQuestion>): FetchOutcome;
  scheduleRunning(): { task: number; decision: TaskDecision }[];
  /** Brings it up to date with the host as it is now; what has been decided is forgotten. */
  renew(host: HostState): this;
  /** Another state of the same host, with what has been decided so far. */
  copy(): State;
  /** Frees its memory at once; otherwise that happens some time after nobody holds it any more. */
  free(): void;
}

/** A host and the servers of its projects. */
export interface Scenario extends Omit<HostState, 'candidates' | 'now'> {
  /** How long it lasts, the seed, when the host is on; 100 days, always on, if not given. */
  emulation?: Given<Emulation>;
  /** The jobs of each application. */
  models?: readonly Given<JobModel>[];
  /** One for each project; none if all answer always. */
  servers?: readonly Given<ServerModel>[];
  sizes?: readonly number[];
  /** When the host is switched off, on, off, ..., s from the start. */
  switches?: readonly number[];
  /** The parameters that a file sets by name. */
  kept?: readonly string[];
}

export interface ReadScenario extends ReadHost {
  emulation: Emulation;
  models: JobModel[];
  servers: ServerModel[];
  sizes: number[];
  switches: number[];
  kept: string[];
}

/** What a decision in an emulation looks at. It lasts as long as the call; what was read of it may be kept. */
export interface Situation extends ReadHost {
  readonly now: number;
  readonly seed: number | bigint;
  readonly candidates: Task[];
  /** The host, prepared; wrr() has run on it. */
  readonly state: State;
}

export interface Running {
  /** Indices of the tasks that run from now on, each once. */
  running: readonly number[];
  /** Seconds until the next decision; parameters.period if not given. */
  next_check?: number;
}

export interface Asking {
  /** At most one for each resource, all of one project. */
  requests?: readonly {
    project: number;
    resource?: number;
    seconds?: number;
    instances?: number;
    /** Most jobs; 0 = as many as fill the seconds. */
    jobs?: number;
    /** Only jobs that are due no sooner after they are sent, s; 0 = any. */
    latency_bound?: number;
  }[];
  /** Seconds until the next decision. */
  next_check?: number;
}

/** Decisions of a host. What is not given is the library's own. */
export interface Policy {
  schedule?(situation: Situation): Running | ScheduleOutcome;
  fetch?(situation: Situation, question: FetchQuestion): Asking | FetchOutcome;
  /** Whether the server sends a candidate. */
  send?(situation: Situation, candidate: number): boolean;
  /** Device seconds that are left of a task. */
  estimate?(progress: Progress, rule: number): number;
}

export interface EmulateOptions {
  parameters?: Given<Parameters> | string;
  seed?: number | bigint;
  policy?: Policy;
  /** Is called with each event as it happens. */
  observe?(event: Event): void;
  /** Whether to keep all events. */
  events?: boolean;
}

export interface Emulated {
  outcome: Outcome;
  projects: ProjectOutcome[];
  resources: ResourceOutcome[];
  events: Event[];
}

export interface HostClass {
  name?: string;
  /** One host. If it has no projects, it is attached to all of the grid. */
  scenario: Scenario;
  model?: Given<HostModel>;
  /** For each project of the scenario, which one of the grid it is. */
  projects?: readonly number[];
  rows?: readonly Given<HostRow>[];
}

export interface Grid {
  terms?: Given<GridTerms>;
  projects: readonly Given<GridProject>[];
  classes: readonly HostClass[];
}

export interface GridSituation {
  seed: number | bigint;
  now: number;
  project: number;
  host: number | null;
}

/** Decisions of servers. What is not given is the library's own. */
export interface ServerPolicy {
  dispatch?(situation: GridSituation, jobs: { next(host: number | null, now: number): DispatchDecision }):
    Given<DispatchDecision> | null | undefined;
  validate?(situation: GridSituation, unit: Unit, results: Result[], classes: number[]): Given<Change>[];
  trust?(situation: GridSituation, trust: Trust, u: number): boolean;
}

export interface GridOptions {
  seed?: number | bigint;
  policy?: { server?: ServerPolicy; hosts?: Policy | { [classNameOrIndex: string]: Policy } };
  observe?(event: GridEvent): void;
  progress?(done: number): void;
  /** Whether to keep all events. */
  events?: boolean;
  /** Whether to keep the outcome of each host; true if not given. */
  hosts?: boolean;
}

export interface EmulatedGrid {
  outcome: GridOutcome;
  projects: GridProjectOutcome[];
  hosts: GridHostOutcome[];
  /** For each project, how it was at the times at which a sample was taken. */
  samples: GridSample[][];
  /** For each project, how many units took from 2^(i / 64) to 2^((i + 1) / 64) s. */
  turnarounds: (number | bigint)[][];
  events: GridEvent[];
  /** Decisions of the servers' policy that failed, the first thousand. */
  failures: { decision: string; time: number; project: number; host: number | null; unit: number | bigint;
    error: unknown }[];
}

export interface FileOptions {
  /** How messages call the file. */
  source?: string;
  /** Files that the text names, by name. */
  files?: { [name: string]: string | Uint8Array };
  /** In place of the profile of the file. */
  profile?: string;
  /** Parameters that differ from what the file says. */
  settings?: { [parameter: string]: number | string };
  seed?: number;
  days?: number;
  /** Is told what was taken for granted, if anything. */
  warn?(message: string): void;
}

export interface DispatchIndex extends DispatchFunctions {
  free(): void;
}

/** The library: the functions of its headers and its constants, and what is above them. */
export interface Library extends Functions, Readonly<Constants> {
  /** Checks a host and prepares it. */
  prepare(host: HostState): State;
  /** All decisions over a host. */
  plan(host: HostState): Plan;
  /** The same in words. */
  planWords(host: HostState, plan?: Plan): PlanWords;
  /** A duration for a person. */
  duration(seconds: number): string;
  parseState(text: string | Uint8Array, options?: FileOptions): ReadState;
  parseScenario(text: string | Uint8Array, options?: FileOptions): ReadScenario;
  parseGrid(text: string | Uint8Array, options?: FileOptions): Required<Grid>;
  /** A host, or a scenario, as the text of a state file. Ids become the places of the records. */
  formatState(host: HostState | Scenario): string;
  /** Emulates a host and its servers. */
  emulate(scenario: Scenario, options?: EmulateOptions): Emulated;
  /** Emulates projects with their servers, and the hosts that work for them. */
  emulateGrid(grid: Grid, options?: GridOptions): EmulatedGrid;
  /** What a host loses at least, whatever its policy. */
  bound(scenario: Scenario): ProjectBound[];
  /** An index of clients and jobs. */
  dispatch(jobs: { clients?: readonly Given<Client>[]; jobs?: readonly Given<DispatchJob>[];
    rules?: Given<DispatchRules>; max_clients?: number; max_jobs?: number }): DispatchIndex;
  /** A record with all its fields. */
  record<K extends keyof Kinds>(kind: K, values?: Given<Kinds[K]>): Kinds[K];
  /** What the library says of the fields of a record. */
  fields(kind: keyof Kinds): { name: string; unit: string; minimum: number; maximum: number }[];
  /** The choices of a parameter, or the profiles, by name; none if it is no choice. */
  choices(parameter: string): { [name: string]: number };
  /** Records as the library has them in memory. */
  bytes<K extends keyof Kinds>(kind: K, values: Given<Kinds[K]> | readonly Given<Kinds[K]>[]): Uint8Array;
  records<K extends keyof Kinds>(kind: K, bytes: Uint8Array): Kinds[K][];
}

/** Loads the library. `source` is where vcsched.wasm is or what is in it; beside index.js if not given. */
export function load(source?: string | URL | BufferSource | WebAssembly.Module | Response | Promise<Response>):
  Promise<Library>;
