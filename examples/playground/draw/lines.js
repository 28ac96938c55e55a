// SPDX-License-Identifier: MIT
//
// Curves over an axis, as SVG.

import { colourOf } from './colours.js';

const WIDTH = 480;
const HEIGHT = 260;
const LEFT = 52;
const RIGHT = 12;
const TOP = 12;
const BOTTOM = 44;

function shape(name, attributes, ...children) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) {
    made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

/** Round numbers from about `low` to about `high`. */
function ticks(low, high) {
  const rough = (high - low) / 5;
  const size = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((factor) => factor * size >= rough) * size;
  const found = [];
  for (let at = Math.ceil(low / step) * step; at <= high + step * 1e-9; at += step) {
    found.push(Number(at.toPrecision(12)));
  }
  return found;
}

const decades = (low, high) => [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].filter((at) => at >= low && at <= high);

export const short = (value) => new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 })
  .format(value);

/**
 * A chart of `series`, each { name, points: [{ x, y, low, high }], rings: [{ x, y }] }: a band between low and high, a
 * line, and open markers. Any of them may be missing.
 */
export function lineChart({ title, axis, series, logarithmic = false, xs }) {
  const all = series.flatMap(({ points, rings = [] }) => [...points, ...rings]);
  const [low, high] = xs ?? [Math.min(...all.map(({ x }) => x)), Math.max(...all.map(({ x }) => x))];
  const top = Math.max(1e-9, ...all.map(({ y, high: above = y }) => above));
  const ladder = ticks(0, top);
  const ceiling = Math.max(top, ladder.at(-1));
  const along = (x) => logarithmic ? Math.log(x / low) / Math.log(high / low) : (x - low) / (high - low || 1);
  const px = (x) => LEFT + along(x) * (WIDTH - LEFT - RIGHT);
  const py = (y) => TOP + (1 - y / ceiling) * (HEIGHT - TOP - BOTTOM);
  const path = (points) => points.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${px(x).toFixed(1)} `
    + py(y).toFixed(1)).join('');

  const svg = shape('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': `${title} by ${axis}`,
    class: 'chart' });
  for (const y of ladder) {
    svg.append(shape('path', { d: `M${LEFT} ${py(y)}H${WIDTH - RIGHT}`, class: 'grid' }),
      shape('text', { x: LEFT - 6, y: py(y) + 4, 'text-anchor': 'end' }, short(y)));
  }
  for (const x of logarithmic ? decades(low, high) : ticks(low, high)) {
    svg.append(shape('text', { x: px(x), y: HEIGHT - BOTTOM + 16, 'text-anchor': 'middle' }, short(x)));
  }
  svg.append(shape('text', { x: (LEFT + WIDTH - RIGHT) / 2, y: HEIGHT - 6, 'text-anchor': 'middle' }, axis));
  series.forEach(({ name, points, rings = [] }, index) => {
    const colour = colourOf(index);
    const sorted = points.toSorted((one, other) => one.x - other.x);
    if (sorted.some(({ high: above }) => above !== undefined)) {
      const outline = [...sorted.map(({ x, high: above }) => ({ x, y: above })),
        ...sorted.toReversed().map(({ x, low: below }) => ({ x, y: below }))];
      svg.append(shape('path', { d: `${path(outline)}Z`, style: `fill:${colour};opacity:.2` }));
    }
    svg.append(shape('path', { d: path(sorted), style: `stroke:${colour};fill:none;stroke-width:2` }));
    for (const { x, y } of rings) {
      svg.append(shape('circle', { cx: px(x), cy: py(y), r: 3.5, style: `stroke:${colour};fill:none` }));
    }
    if (sorted.length < 60) {
      for (const { x, y } of sorted) {
        svg.append(shape('circle', { cx: px(x), cy: py(y), r: 2.5, style: `fill:${colour}` },
          shape('title', {}, `${name}, ${axis} ${x}: ${short(y)}`)));
      }
    }
  });
  const legend = document.createElement('figcaption');
  legend.append(`${title}. `, ...series.map(({ name }, index) => {
    const entry = document.createElement('span');
    entry.className = 'key';
    entry.style.setProperty('--colour', colourOf(index));
    entry.textContent = name;
    return entry;
  }));
  const figure = document.createElement('figure');
  figure.append(svg, legend);
  return figure;
}
