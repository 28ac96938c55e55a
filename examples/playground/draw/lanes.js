// SPDX-License-Identifier: MIT
//
// What runs on each processor over time: a lane for each instance, on a canvas, since there may be thousands of bars.

import { palette } from './colours.js';

const LABELS = 76;
const AXIS = 22;
const GAP = 8;
const HOUR = 3600;
const STEPS = [60, 300, 900, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR, 48 * HOUR, 120 * HOUR, 240 * HOUR,
  720 * HOUR, 2400 * HOUR];

/** A time for an axis: '6 h', '2 d', '15 min'. */
const axisText = (seconds) => {
  if (seconds % (24 * HOUR) === 0) {
    return `${seconds / (24 * HOUR)} d`;
  }
  return seconds % HOUR === 0 ? `${seconds / HOUR} h` : `${seconds / 60} min`;
};

export class Lanes {
  #canvas;
  #tip;
  #words;
  #story = null;
  #view = { from: 0, to: 1 };
  #pointers = new Map();
  #moved = false;
  #boxes = [];

  /**
   * `tip` is an element that shows what the pointer is at, in the words of `words(bar)`; `pick(bar)` is told what was
   * clicked.
   */
  constructor(canvas, tip, words, pick = () => {}) {
    this.#canvas = canvas;
    this.#tip = tip;
    this.#words = words;
    this.pick = pick;
    canvas.addEventListener('pointerdown', (event) => this.#press(event));
    canvas.addEventListener('pointermove', (event) => this.#move(event));
    for (const end of ['pointerup', 'pointercancel', 'pointerleave']) {
      canvas.addEventListener(end, (event) => this.#release(event));
    }
    canvas.addEventListener('wheel', (event) => this.#wheel(event), { passive: false });
    canvas.addEventListener('keydown', (event) => this.#key(event));
    new ResizeObserver(() => this.draw()).observe(canvas.parentElement);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.draw());
  }

  /**
   * `resources` are { name, rows }; `bars`, `calls` and `off` what the emulation told; `marks` are { time, text };
   * `keep` leaves the part of the time that is seen as it is.
   */
  show(story, keep = false) {
    if (!keep || this.#story === null || this.#story.until !== story.until) {
      this.#view = { from: 0, to: story.until };
    }
    this.#story = story;
    this.draw();
  }

  /** Zooms by a factor around a fraction of the width; moves by a fraction of what is seen. */
  zoom(factor, around = 0.5) {
    const { from, to } = this.#view;
    const centre = from + (to - from) * around;
    this.#see(centre - (centre - from) * factor, centre + (to - centre) * factor);
  }

  shift(fraction) {
    const { from, to } = this.#view;
    this.#see(from + (to - from) * fraction, to + (to - from) * fraction);
  }

  #see(from, to) {
    const { until } = this.#story;
    const length = Math.min(until, Math.max(60, to - from));
    const begin = Math.min(Math.max(0, from), until - length);
    this.#view = { from: begin, to: begin + length };
    this.draw();
  }

  draw() {
    if (this.#story === null) {
      return;
    }
    const { resources, bars, calls, off, marks, chosen } = this.#story;
    const width = this.#canvas.parentElement.clientWidth;
    const rows = resources.reduce((sum, resource) => sum + resource.rows, 0);
    const height = rows > 64 ? 4 : rows > 16 ? 9 : 18;
    const tops = [];
    let bottom = AXIS;
    for (const resource of resources) {
      tops.push(bottom);
      bottom += resource.rows * height + GAP;
    }
    const scale = Math.min(devicePixelRatio || 1, 3);
    this.#canvas.width = width * scale;
    this.#canvas.height = (bottom + 12) * scale;
    this.#canvas.style.height = `${bottom + 12}px`;
    const paint = this.#canvas.getContext('2d');
    const colours = palette();
    const { from, to } = this.#view;
    const x = (time) => LABELS + (time - from) / (to - from) * (width - LABELS);
    paint.scale(scale, scale);
    paint.font = '12px system-ui, sans-serif';
    paint.textBaseline = 'middle';

    resources.forEach((resource, index) => {
      paint.fillStyle = colours.lane;
      paint.fillRect(LABELS, tops[index], width - LABELS, resource.rows * height);
      paint.fillStyle = colours.ink;
      paint.fillText(resource.name, 0, tops[index] + Math.min(height, resource.rows * height) / 2, LABELS - 6);
    });
    this.#axis(paint, colours, x, width, bottom);

    paint.save();
    paint.beginPath();
    paint.rect(LABELS, 0, width - LABELS, bottom + 12);
    paint.clip();
    this.#boxes = [];
    for (const bar of bars) {
      if (bar.end > from && bar.start < to) {
        for (const place of bar.places.filter((one) => one.from < resources[bar.resource].rows)) {
          const box = { bar, left: x(bar.start), top: tops[bar.resource] + place.from * height + 0.5,
            width: Math.max(1, x(bar.end) - x(bar.start) - 0.5), height: Math.max(1, place.use * height - 1) };
          this.#bar(paint, colours, box, chosen);
          this.#boxes.push(box);
        }
      }
    }
    paint.fillStyle = colours.line; // over the bars: a task that runs makes no progress then
    for (const { start, end } of off) {
      paint.fillRect(x(start), AXIS, x(Math.min(end, to)) - x(start), bottom - AXIS - GAP);
    }
    for (const { time, project, failed } of calls) {
      paint.fillStyle = failed ? colours.late : colours.project(project);
      paint.fillRect(x(time) - 0.75, bottom - GAP + 2, 1.5, 10);
    }
    paint.setLineDash([4, 3]);
    paint.strokeStyle = colours.ink;
    for (const { time } of marks) {
      paint.beginPath();
      paint.moveTo(x(time), AXIS - 4);
      paint.lineTo(x(time), bottom - GAP);
      paint.stroke();
    }
    paint.restore();
  }

  #bar(paint, colours, { bar, left, top, width, height }, chosen) {
    paint.fillStyle = colours.project(bar.project);
    paint.globalAlpha = chosen === null || chosen === undefined || chosen === bar.task ? 1 : 0.45;
    paint.fillRect(left, top, width, height);
    if (bar.late && width > 1) {
      paint.save();
      paint.beginPath();
      paint.rect(left, top, width, height);
      paint.clip();
      paint.strokeStyle = colours.page;
      paint.lineWidth = 2;
      paint.beginPath();
      for (let at = left - height; at < left + width; at += 6) {
        paint.moveTo(at, top + height);
        paint.lineTo(at + height, top);
      }
      paint.stroke();
      paint.restore();
      paint.fillStyle = colours.late;
      paint.fillRect(left, top + height - 3, width, 3);
    }
    paint.globalAlpha = 1;
  }

  #axis(paint, colours, x, width, bottom) {
    const { from, to } = this.#view;
    const most = Math.max(2, Math.floor((width - LABELS) / 70));
    const step = STEPS.find((length) => (to - from) / length <= most) ?? STEPS.at(-1);
    paint.textAlign = 'center';
    for (let time = Math.ceil(from / step) * step; time <= to; time += step) {
      paint.fillStyle = colours.line;
      paint.fillRect(x(time), AXIS - 4, 1, bottom - AXIS - GAP + 4);
      paint.fillStyle = colours.faint;
      const text = time === 0 ? 'now' : axisText(time);
      paint.fillText(text, Math.min(x(time), width - paint.measureText(text).width / 2), 8);
    }
    paint.textAlign = 'left';
  }

  // ---- Pointer, wheel and keys ----

  #at({ offsetX, offsetY }) {
    return this.#boxes.findLast(({ left, top, width, height }) => offsetX >= left - 2 && offsetX <= left + width + 2
      && offsetY >= top - 1 && offsetY <= top + height + 1)?.bar;
  }

  #press(event) {
    this.#canvas.setPointerCapture(event.pointerId);
    this.#pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    this.#moved = false;
  }

  #move(event) {
    if (this.#story === null) {
      return;
    }
    const before = this.#pointers.get(event.pointerId);
    if (before === undefined) {
      this.#point(event);
      return;
    }
    const inside = this.#canvas.clientWidth - LABELS;
    const others = [...this.#pointers].filter(([id]) => id !== event.pointerId).map(([, other]) => other);
    if (others.length === 0) {
      if (Math.abs(event.offsetX - before.x) > 3 || this.#moved) {
        this.#moved = true;
        this.shift((before.x - event.offsetX) / inside);
        this.#pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
      }
      return;
    }
    this.#moved = true;
    const [other] = others;
    const apart = (one) => Math.max(20, Math.hypot(one.x - other.x, one.y - other.y));
    const now = { x: event.offsetX, y: event.offsetY };
    this.zoom(apart(before) / apart(now), ((now.x + other.x) / 2 - LABELS) / inside);
    this.#pointers.set(event.pointerId, now);
  }

  #release(event) {
    if (event.type === 'pointerup' && !this.#moved) {
      const bar = this.#at(event);
      if (bar !== undefined) {
        this.pick(bar);
      }
    }
    this.#pointers.delete(event.pointerId);
    if (event.type === 'pointerleave') {
      this.#tip.hidden = true;
    }
  }

  #point(event) {
    const bar = this.#at(event);
    this.#tip.hidden = bar === undefined;
    if (bar !== undefined) {
      this.#tip.textContent = this.#words(bar);
      const { clientWidth } = document.documentElement;
      this.#tip.style.left = `${Math.max(4, Math.min(event.clientX + 12, clientWidth - this.#tip.offsetWidth - 8))}px`;
      this.#tip.style.top = `${event.clientY + 16}px`;
    }
  }

  /** The wheel turns the page; with a key held, it zooms. */
  #wheel(event) {
    if (event.ctrlKey || event.shiftKey) {
      event.preventDefault();
      this.zoom(event.deltaY + event.deltaX > 0 ? 1.25 : 0.8,
        (event.offsetX - LABELS) / (this.#canvas.clientWidth - LABELS));
    }
  }

  #key(event) {
    const actions = { '+': () => this.zoom(0.5), '-': () => this.zoom(2), ArrowLeft: () => this.shift(-0.25),
      ArrowRight: () => this.shift(0.25), 0: () => this.#see(0, Infinity) };
    if (this.#story !== null && actions[event.key] !== undefined) {
      event.preventDefault();
      actions[event.key]();
    }
  }
}
