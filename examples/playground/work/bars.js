// SPDX-License-Identifier: MIT
//
// The events of an emulation, told again as bars on the processors.

/**
 * Collects bars { resource, start, end, project, task, deadline, late, use, places } and the moments at which
 * servers were called, from the events of vcs.emulate({ observe }). Times count from `origin`. A task is late whose
 * result was reported late, or that was not done when its deadline had passed. It uses `use` instances: half of one, or
 * four at a time.
 */
export class Bars {
  #open = new Map();
  #bars = [];
  #late = new Set();
  #calls = [];
  #off = [];
  #givenUp = new Set();

  constructor(vcs, origin) {
    this.vcs = vcs;
    this.origin = origin;
  }

  observe(event) {
    const { vcs } = this;
    const time = event.time - this.origin;
    switch (event.kind) {
      case vcs.EVENT_STARTED:
        this.#open.set(event.task, { resource: event.resource, start: time, project: event.project,
          task: Number(event.task), deadline: event.deadline - this.origin, use: event.amount });
        break;
      case vcs.EVENT_STOPPED:
      case vcs.EVENT_ENDED:
        this.#close(event.task, time);
        break;
      case vcs.EVENT_GIVEN_UP:
        this.#givenUp.add(event.task);
        this.#close(event.task, time);
        break;
      case vcs.EVENT_LATE:
        this.#late.add(Number(event.task));
        break;
      case vcs.EVENT_CALLED:
      case vcs.EVENT_FAILED:
        this.#calls.push({ time, project: event.project, failed: event.kind === vcs.EVENT_FAILED });
        break;
      case vcs.EVENT_OFF:
        this.#off.push({ start: time, end: Infinity });
        break;
      case vcs.EVENT_ON:
        if (this.#off.length > 0) {
          this.#off.at(-1).end = time;
        }
        break;
      default:
        break;
    }
  }

  #close(task, time) {
    const bar = this.#open.get(task);
    if (bar !== undefined) {
      this.#open.delete(task);
      if (time > bar.start) { // not what the first decision stops at once
        this.#bars.push({ ...bar, end: time });
      }
    }
  }

  /** All of it, once the emulation of a host with these resources is over after `duration` seconds. */
  told(duration, resources) {
    for (const task of [...this.#open.keys()]) {
      this.#close(task, duration);
    }
    for (const bar of this.#bars) {
      bar.late = this.#late.has(bar.task) || bar.end > bar.deadline;
    }
    place(this.#bars, resources);
    return { bars: this.#bars, calls: this.#calls, off: this.#off, givenUp: this.#givenUp.size, duration };
  }
}

/** Of an instance: by so much tasks may exceed it. */
const TINY = 1e-4;

/** Gives each bar its places { from, use } on the instances that are free while it lasts, or beyond them. */
function place(bars, resources) {
  const active = [];
  for (const bar of bars.sort((one, other) => one.start - other.start)) {
    const beside = (active[bar.resource] ?? []).filter(({ end }) => end > bar.start);
    const taken = beside.flatMap(({ places }) => places);
    bar.places = [];
    for (let left = bar.use; left > TINY; left -= 1) {
      const places = lowest(taken, resources[bar.resource].instances, Math.min(1, left));
      bar.places.push(...places);
      taken.push(...places);
    }
    active[bar.resource] = [...beside, bar];
  }
}

/**
 * The lowest place for a use of at most one instance. If only bits are free here and there, it takes several: nothing
 * is beyond the instances unless all of them are in use.
 */
function lowest(taken, instances, use) {
  const free = gaps(taken, instances);
  const inside = free.filter(({ from }) => from < instances - TINY);
  const whole = inside.find((gap) => gap.use > use - TINY);
  if (whole !== undefined) {
    return [{ from: whole.from, use }];
  }
  const places = [];
  let left = use;
  for (const gap of inside) {
    if (left > TINY) {
      places.push({ from: gap.from, use: Math.min(gap.use, left) });
      left -= gap.use;
    }
  }
  if (left > TINY) {
    const { from } = free.find((gap) => gap.from > instances - TINY && gap.use > left - TINY);
    places.push({ from, use: left });
  }
  return places;
}

/** What is free of each instance, and of those beyond of which something is taken, and of one more. */
function gaps(taken, instances) {
  const free = [];
  let from = 0;
  const end = taken.reduce((most, one) => Math.max(most, Math.ceil(one.from + one.use - TINY)), instances) + 1;
  for (const one of [...taken.sort((first, second) => first.from - second.from), { from: end, use: 0 }]) {
    while (one.from - from > TINY) {
      const to = Math.min(one.from, Math.floor(from + TINY) + 1);
      free.push({ from, use: to - from });
      from = to;
    }
    from = Math.max(from, one.from + one.use);
  }
  return free;
}
