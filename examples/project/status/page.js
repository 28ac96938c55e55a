// SPDX-License-Identifier: MIT
//
// The status page. What the server sends are names that anybody may choose: they are shown as text, never as markup.
"use strict";

const STATES = [
  ["waiting", "waiting for a host"], ["under_way", "under way"], ["to_compare", "to be compared"],
  ["accepted", "to be taken over"], ["assimilated", "done"], ["failed", "failed"],
];
const MISSING = "0", DONE = "1";

const known = {};          // the sections of the snapshot, by name
const byId = (id) => document.getElementById(id);

// ---- Elements -------------------------------------------------------------------------------------------------------

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

function setText(node, text) {
  if (node.textContent !== text) {
    node.textContent = text;
  }
}

// Makes the children of `parent` those of `items`, in that order. A child that is there already is filled anew and
// stays where it is, so that nobody loses the place at which the keyboard is.
function show(parent, items, keyOf, make, fill) {
  const old = new Map([...parent.children].map((child) => [child.dataset.key, child]));
  const keys = new Set(items.map((item) => String(keyOf(item))));
  for (const [key, child] of old) {
    if (!keys.has(key)) {
      child.remove();
    }
  }
  let place = parent.firstElementChild;
  for (const item of items) {
    const key = String(keyOf(item));
    let child = old.get(key);
    if (child === undefined) {
      child = make(item);
      child.dataset.key = key;
    }
    fill(child, item);
    if (child === place) {
      place = place.nextElementSibling;
    } else {
      parent.insertBefore(child, place);
    }
  }
}

// ---- Numbers as text ------------------------------------------------------------------------------------------------

const whole = new Intl.NumberFormat("en", {maximumFractionDigits: 0});
const short = new Intl.NumberFormat("en", {maximumSignificantDigits: 3});

function amount(number) {
  return (number < 1000 ? short : whole).format(number);
}

function count(number, one, many = `${one}s`) {
  return `${whole.format(number)} ${number === 1 ? one : many}`;
}

// A number with a prefix of the SI: [text, unit].
function scaled(number, unit) {
  const prefixes = ["", "k", "M", "G", "T", "P", "E"];
  let step = 0;
  while (number >= 999.5 && step < prefixes.length - 1) {
    number /= 1000;
    step++;
  }
  return [short.format(number), `${prefixes[step]}${unit}`];
}

// A length of time in its two largest units: "3 h 20 min".
function span(seconds) {
  if (seconds < 1) {
    return `${whole.format(seconds * 1000)} ms`;
  }
  if (seconds < 60) {
    return `${short.format(seconds)} s`;
  }
  const units = [["d", 86400], ["h", 3600], ["min", 60], ["s", 1]];
  let rest = Math.round(seconds);
  const first = units.findIndex(([, size]) => rest >= size);
  return units.slice(first, first + 2).map(([name, size]) => {
    const number = Math.floor(rest / size);
    rest -= number * size;
    return number > 0 ? `${number} ${name}` : "";
  }).join(" ").trim();
}

function ago(moment) {
  const seconds = Math.max(0, Math.round(known.time - moment));
  return seconds < 1 ? "now" : `${span(seconds)} ago`;
}

function clock(moment) {
  const date = new Date(moment * 1000);
  const sameDay = date.toDateString() === new Date(known.time * 1000).toDateString();
  return (sameDay ? "" : `${date.toLocaleDateString("en-CA")} `) + date.toLocaleTimeString("en-GB");
}

function timeElement(moment) {
  const made = element("time", {datetime: new Date(moment * 1000).toISOString()});
  made.textContent = clock(moment);
  return made;
}

function unitLink(number) {
  const link = element("a", {href: `#unit-${number}`});
  link.textContent = `unit ${number}`;
  return link;
}

// ---- Figures --------------------------------------------------------------------------------------------------------

// [label, number, unit, what else]
function figures() {
  const {pool, throughput, turnaround, project, window, copies} = known;
  const [power, powerUnit] = scaled(pool.power, "FLOPS");
  const gone = pool.silent + pool.gone;
  return [
    ["Active nodes", whole.format(pool.active), "",
      [`${whole.format(gone)} silent`, pool.blacklisted ? `${whole.format(pool.blacklisted)} blacklisted` : ""]],
    ["Talking", whole.format(pool.talking), "", ["asked within a minute"]],
    ["Power", power, powerUnit, ["of the active nodes"]],
    ["Throughput", short.format(throughput.results_per_second), "results/s",
      [`${short.format(throughput.units_per_second)} units/s`]],
    ["Turnaround", turnaround.median === null ? "none yet" : span(turnaround.median), "",
      turnaround.p95 === null ? [] : [`95 % within ${span(turnaround.p95)}`]],
    ["Window", whole.format(window.jobs), window.jobs === 1 ? "job" : "jobs", window.jobs === 0 ? ["nothing is out"] : [
      `of units ${window.oldest} to ${window.newest}`, scaled(window.bytes, "B").join(" "),
      `the oldest is out for ${span(window.seconds)}`]],
    ["Copies", whole.format(copies.in_progress), "with nodes",
      [`${whole.format(copies.unsent)} waiting`, count(window.duplicates, "duplicate")]],
    ["Credit", amount(project.credit), "", [`for ${count(project.valid, "valid copy", "valid copies")}`]],
  ];
}

function showFigures() {
  show(byId("figures"), figures(), ([label]) => label,
    () => element("div", {}, element("dt"), element("dd"), element("dd", {class: "more"})),
    (child, [label, number, unit, more]) => {
      const [term, value, rest] = child.children;
      setText(term, label);
      if (value.dataset.text !== `${number} ${unit}`) {
        value.dataset.text = `${number} ${unit}`;
        const small = element("small");
        small.textContent = unit;
        value.replaceChildren(number, unit ? " " : "", small);
      }
      setText(rest, more.filter((text) => text).join(", "));
    });
}

// ---- Units by state -------------------------------------------------------------------------------------------------

function showStates() {
  const rows = STATES.map(([name, text]) => ({name, text, number: known.units[name]}));
  show(byId("bar"), rows.filter(({number}) => number > 0), ({name}) => name,
    ({name}) => element("i", {class: `${name}-colour`}),
    (child, {number}) => {
      child.style.flex = String(number);
    });
  show(byId("states"), rows, ({name}) => name,
    ({name, text}) => {
      const label = element("span");
      label.textContent = text;
      return element("li", {}, element("span", {class: `swatch ${name}-colour`}), label, element("b"));
    },
    (child, {number}) => setText(child.lastChild, whole.format(number)));
  setText(byId("units-title"), count(known.project.units, "unit"));
}

// ---- The chart ------------------------------------------------------------------------------------------------------

const SVG = "http://www.w3.org/2000/svg";

function svg(name, attributes, text = "") {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) {
    made.setAttribute(key, value);
  }
  made.textContent = text;
  return made;
}

// The least of 1, 2, 5, 10, 20, ... that is not below it.
function roundUp(number) {
  const power = 10 ** Math.floor(Math.log10(number));
  return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= number * 0.999999);
}

function showChart() {
  const {bucket, results, results_per_second: now} = known.throughput;
  const box = byId("chart");
  const width = Math.max(240, box.clientWidth), height = 170;
  const left = 44, right = 4, top = 30, bottom = 24;
  const rates = results.map((number) => number / bucket);
  const most = Math.max(...rates);
  const top_value = roundUp(Math.max(most, 1 / bucket));
  const wide = (width - left - right) / rates.length;
  const y = (value) => height - bottom - value / top_value * (height - top - bottom);
  const drawing = svg("svg", {viewBox: `0 0 ${width} ${height}`, width, height, role: "img",
    "aria-label": `Results per second over the last ${span(bucket * rates.length)}: `
      + `now ${short.format(now)}, at most ${short.format(most)}`});
  for (const value of [0, top_value / 2, top_value]) {
    drawing.append(svg("line", {x1: left, x2: width - right, y1: y(value), y2: y(value)}),
      svg("text", {x: left - 7, y: y(value) + 4, "text-anchor": "end"}, short.format(value)));
  }
  drawing.append(svg("text", {x: 0, y: 11}, "results/s"));
  rates.forEach((rate, index) => {
    if (rate > 0) {
      drawing.append(svg("rect", {x: left + index * wide + 0.5, width: Math.max(1, wide - 1.5), y: y(rate),
        height: y(0) - y(rate), class: index === rates.length - 1 ? "part" : ""}));
    }
  });
  const all = bucket * rates.length;
  for (const [part, text, anchor] of [[0, `${span(all)} ago`, "start"], [0.5, `${span(all / 2)} ago`, "middle"],
    [1, "now", "end"]]) {
    drawing.append(svg("text", {x: left + part * (width - left - right), y: height - 6, "text-anchor": anchor}, text));
  }
  box.replaceChildren(drawing);
}

// ---- The picture ----------------------------------------------------------------------------------------------------

const canvas = byId("picture");
const painted = document.createElement("canvas"); // the tiles that have come, without what is drawn above them
let shown = "";              // what has become of each tile, as painted
let selected = null;         // the tile that the keys chose
let pointed = null;          // the tile under the pointer
let chosen = null;           // which of the two is shown, and opened by Enter
let loading = false;

function columns() {
  return Math.ceil(known.picture.width / known.picture.tile);
}

function tileCount() {
  return known.picture.tiles.length;
}

// Where a tile is on the canvas.
function boxOf(tile) {
  const {width, height, tile: side, scale} = known.picture;
  const left = tile % columns() * side, top = Math.floor(tile / columns()) * side;
  const from = (value) => Math.ceil(value / scale);
  return [from(left), from(top), from(Math.min(width, left + side)) - from(left),
    from(Math.min(height, top + side)) - from(top)];
}

function imageOf(address) {
  return new Promise((resolve, reject) => {
    const image = new Image();
    image.onload = () => resolve(image);
    image.onerror = reject;
    image.src = address;
  });
}

// Some new tiles are loaded one by one; many, and at the beginning, as a whole.
async function loadPicture() {
  const {width, height, scale, tiles} = known.picture;
  if (loading || tiles === shown) {
    return;
  }
  loading = true;
  try {
    const fresh = [...tiles].map((what, tile) => tile).filter((tile) => tiles[tile] !== shown[tile]);
    const pen = painted.getContext("2d");
    if (shown.length === tiles.length && fresh.length <= 12 && fresh.every((tile) => tiles[tile] === DONE)) {
      const images = await Promise.all(fresh.map((tile) => imageOf(`tile/${tile}`)));
      images.forEach((image, index) => pen.drawImage(image, ...boxOf(fresh[index]).slice(0, 2)));
    } else {
      const image = await imageOf(`picture?${Date.now()}`);
      painted.width = canvas.width = Math.ceil(width / scale);
      painted.height = canvas.height = Math.ceil(height / scale);
      pen.drawImage(image, 0, 0);
    }
    shown = tiles;
  } catch (error) {
    shown = ""; // the next look loads all of it
  }
  loading = false;
  drawPicture();
}

function drawPicture() {
  const pen = canvas.getContext("2d");
  pen.drawImage(painted, 0, 0);
  const dots = Math.max(1, canvas.width / Math.max(1, canvas.clientWidth)); // of the canvas, in a pixel of the screen
  pen.lineWidth = 2 * dots;
  for (const tile of known.picture.running) {
    const [x, y, width, height] = boxOf(tile);
    pen.fillStyle = "#56b4e955";
    pen.fillRect(x, y, width, height);
    pen.strokeStyle = "#8fd3ff";
    pen.strokeRect(x + dots, y + dots, width - 2 * dots, height - 2 * dots);
  }
  if (chosen !== null) {
    const [x, y, width, height] = boxOf(chosen);
    pen.lineWidth = 5 * dots;
    pen.strokeStyle = "#000a";
    pen.strokeRect(x, y, width, height);
    pen.lineWidth = 2.5 * dots;
    pen.strokeStyle = "#ffffff";
    pen.strokeRect(x, y, width, height);
  }
}

function tileText(tile) {
  const {tiles, running} = known.picture;
  const state = tiles[tile] === DONE ? "done" : tiles[tile] !== MISSING ? "failed"
    : running.includes(tile) ? "under way" : "missing";
  return `Tile ${tile}, unit ${tile + 1}: ${state}`;
}

// The tile that the keys chose goes before the one under the pointer, as long as the picture has the focus.
function choose(tile = document.activeElement === canvas ? selected ?? pointed : pointed) {
  chosen = tile;
  setText(byId("tile-text"), tile === null ? "" : tileText(tile));
  drawPicture();
}

function showPicture() {
  const section = byId("picture-section");
  if (section.hidden) {
    section.hidden = false;
    document.querySelector(".work").classList.remove("alone");
  }
  const {tiles, place, width, height} = known.picture;
  const done = [...tiles].filter((what) => what === DONE).length;
  const failed = [...tiles].filter((what) => what !== DONE && what !== MISSING).length;
  setText(byId("picture-text"), `${place}, ${width} × ${height} pixels: ${done} of ${count(tiles.length, "tile")}`
    + `${done === tiles.length ? ", complete" : ""}${failed ? `, ${failed} failed` : ""}`);
  if (chosen !== null) {
    setText(byId("tile-text"), tileText(chosen));
  }
  if (tiles === shown) {
    drawPicture();
  }
  loadPicture();
}

function tileAt(event) {
  const box = canvas.getBoundingClientRect();
  const {width, height, tile} = known.picture;
  const x = Math.floor((event.clientX - box.left) / box.width * width / tile);
  const y = Math.floor((event.clientY - box.top) / box.height * height / tile);
  const found = y * columns() + x;
  return x >= 0 && x < columns() && found >= 0 && found < tileCount() ? found : null;
}

// When the page below a resting pointer changes, browsers send events too, without a movement: no reason to forget what
// the keys chose.
canvas.addEventListener("pointermove", (event) => {
  pointed = tileAt(event);
  if (event.movementX !== 0 || event.movementY !== 0) {
    selected = null;
  }
  choose();
});
canvas.addEventListener("pointerleave", () => {
  pointed = null;
  choose();
});
canvas.addEventListener("focus", () => choose());
canvas.addEventListener("blur", () => choose());
canvas.addEventListener("click", (event) => {
  const tile = tileAt(event);
  if (tile !== null) {
    location.hash = `unit-${tile + 1}`;
  }
});
canvas.addEventListener("keydown", (event) => {
  const steps = {ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns(), ArrowDown: columns()};
  if (event.key in steps) {
    event.preventDefault();
    const next = chosen === null ? 0 : chosen + steps[event.key];
    selected = next >= 0 && next < tileCount() ? next : chosen;
    choose();
  } else if (event.key === "Enter" && chosen !== null) {
    location.hash = `unit-${chosen + 1}`;
  }
});

// ---- Nodes ----------------------------------------------------------------------------------------------------------

// [label, what it is sorted by, whether it is a number, what stands in the cell]
const COLUMNS = [
  ["Node", (host) => host.name.toLowerCase(), false, (host) => [host.name || "without a name", `node ${host.id}`]],
  ["State", (host) => host.liveness, false, (host) => [host.liveness, host.blacklisted ?? ""]],
  ["Copies", (host) => host.copies, true, (host) => [whole.format(host.copies)]],
  ["Trust", (host) => host.valid_in_row, true, (host) => [`${whole.format(host.valid_in_row)} valid in a row`,
    host.passed ? `${count(host.passed, "check")} passed` : ""]],
  ["Quota left", (host) => host.quota_left, true, (host) =>
    [`${whole.format(host.quota_left)} of ${whole.format(host.quota)} today`]],
  ["Speed", (host) => host.speed, true, (host) => [scaled(host.speed, "FLOPS").join(" "), count(host.cpus, "CPU")]],
  ["Credit", (host) => host.credit, true, (host) => [amount(host.credit)]],
  ["Heard from", (host) => -host.heard, true, (host) => [ago(host.heard)]],
  ["Client", (host) => host.client, false, (host) => [host.client, host.platform]],
];
const order = {column: null, direction: 1};

function makeHead() {
  byId("hosts").tHead.rows[0].append(...COLUMNS.map(([label, , isNumber], column) => {
    const button = element("button", {type: "button"});
    button.textContent = label;
    button.addEventListener("click", () => {
      order.direction = order.column === column ? -order.direction : 1;
      order.column = column;
      showHosts();
    });
    return element("th", {scope: "col", role: "columnheader", class: isNumber ? "number" : ""}, button);
  }));
}

function compare(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

function showHosts() {
  const {rows, more} = known.hosts;
  const key = order.column === null ? (host) => host.id : COLUMNS[order.column][1];
  const sorted = [...rows].sort((a, b) => order.direction * compare(key(a), key(b)) || a.id - b.id);
  [...byId("hosts").tHead.rows[0].cells].forEach((cell, column) => {
    cell.setAttribute("aria-sort", column !== order.column ? "none" : order.direction > 0 ? "ascending" : "descending");
  });
  show(byId("hosts").tBodies[0], sorted, (host) => host.id,
    () => element("tr", {role: "row"}, ...COLUMNS.map(([label, , isNumber], column) => element("td", {
      role: "cell", "data-label": label, class: column === 0 ? "name" : isNumber ? "number" : "",
    }, element("div", {}, element("span"), element("small"))))),
    (row, host) => COLUMNS.forEach(([, , , textOf], column) => {
      const [first, second = ""] = textOf(host);
      const [text, rest] = row.cells[column].firstChild.children;
      setText(text, first);
      setText(rest, second);
      if (column === 1) {
        text.className = `state ${host.liveness}`;
      }
    }));
  setText(byId("hosts-more"), more > 0 ? `and ${count(more, "node")} heard from less recently`
    : rows.length === 0 ? "No node has asked for work yet." : "");
}

// ---- What the project's own code fails at ---------------------------------------------------------------------------

const WORK = {compare: "to be compared", assimilate: "to be taken over", delete: "to have their files deleted",
  make: "to be made"};
const STOPPED = {validate: "Judging results has stopped", assimilate: "Taking over results has stopped",
  delete: "Deleting files has stopped", generate: "Making units has stopped"};

function often(failures) {
  return failures === 1 ? "once" : `${failures} times`;
}

function stoppedLine({name, until, failures, error}) {
  return {key: name, links: [],
    text: `${STOPPED[name] ?? name}: failed ${often(failures)}, tried again at ${clock(until)}: ${error}`};
}

function waitingLine({what, count: number, units, error}) {
  const text = `${count(number, "unit waits", "units wait")} for a person ${WORK[what]}:`;
  // A unit that was not made has no story to be shown.
  return what === "make" ? {key: what, links: [], text: `${text} ${units.join(", ")}: ${error}`}
    : {key: what, links: units, text};
}

function showPerson() {
  const {stopped, waiting, retried} = known.person;
  const lines = [...stopped.map(stoppedLine), ...waiting.map(waitingLine)];
  if (retried > 0) {
    lines.push({key: "retried", links: [],
      text: `${count(retried, "unit", "units")} on which the project's work failed: tried again later`});
  }
  byId("person-section").hidden = lines.length === 0;
  show(byId("person"), lines, ({key, text, links}) => `${key} ${text} ${links.join(" ")}`, ({text, links}) => {
    const said = element("span", {});
    said.textContent = text;
    return element("li", {}, said, ...links.flatMap((unit) => [" ", unitLink(unit)]));
  }, () => {});
}

// ---- Latest changes -------------------------------------------------------------------------------------------------

function showChanges() {
  show(byId("changes"), known.changes, ({id}) => id,
    ({time, unit, what, reasons}) => {
      const event = element("span", {class: "what"}), why = element("span", {class: "why faint"});
      event.textContent = what;
      why.textContent = reasons.join(" ");
      return element("li", {}, timeElement(time), unitLink(unit), event, why);
    }, () => {});
}

// ---- The story of a unit --------------------------------------------------------------------------------------------

const dialog = byId("unit");
let wanted = null;       // the number of the unit that is shown
let asked = 0;           // when it was asked for last
let final = false;       // nothing will happen to it any more

function resultItem({id, state, canonical, wrong, host, host_name: name, sent, deadline, received, elapsed, credited,
  exit_status: exit, message}) {
  const verdict = element("b", {class: wrong ? "bad" : canonical ? "good" : ""});
  verdict.textContent = `copy ${id % 1000}: ${state}${canonical ? ", accepted as the unit's result" : ""}`;
  const facts = [
    host === null ? "" : `${name || "without a name"} (node ${host})`,
    sent === null ? "" : `sent ${clock(sent)}`,
    deadline === null ? "" : `due ${clock(deadline)}`,
    received === null ? "" : `reported ${clock(received)}`,
    elapsed === null ? "" : `computed for ${span(elapsed)}`,
    exit ? `exit status ${exit}` : "",
    credited ? "credited" : "",
  ];
  const text = element("div", {class: "faint"});
  text.textContent = facts.filter((fact) => fact).join(", ");
  const item = element("li", {}, verdict, text);
  if (wrong && message) {
    const note = element("pre", {tabindex: "0", "aria-label": "what the program said"});
    note.textContent = message;
    item.append(note);
  }
  return item;
}

const FIELDS = {transition_time: "next review", server_state: "state", validate_state: "verdict"};

function changeText({result, field, text, time}) {
  if (field === "create") {
    return `${text} made`;
  }
  const of = result === 0 ? "" : `copy ${result % 1000}, `;
  return `${of}${FIELDS[field] ?? field.replaceAll("_", " ")}: ${time === null ? text : clock(time)}`;
}

function historyItem({time, what, why}) {
  const title = element("p");
  title.textContent = what;
  const reasons = why.map(({reason, changes}) => {
    const facts = element("small");
    facts.textContent = changes.map(changeText).join("; ");
    return element("p", {}, reason, " ", facts);
  });
  const box = element("div", {}, title, ...reasons);
  title.className = "what";
  return element("li", {}, timeElement(time), box);
}

async function loadUnit() {
  const number = wanted;
  asked = known.time;
  let story;
  try {
    const reply = await fetch(`unit/${number}`);
    if (number !== wanted) {
      return;
    }
    if (!reply.ok) {
      setText(byId("unit-text"), (await reply.text()).trim());
      final = true;
      return;
    }
    story = await reply.json();
  } catch (error) {
    return; // the next look tries again
  }
  if (number !== wanted) {
    return;
  }
  final = story.state === "assimilated" || story.state === "failed";
  setText(byId("unit-text"), story.text);
  const line = (text) => {
    const item = element("li");
    item.textContent = text;
    return item;
  };
  show(byId("unit-because"), story.because, (text) => text, line, () => {});
  const same = (item) => JSON.stringify(item);
  show(byId("unit-results"), story.results, same, resultItem, () => {});
  show(byId("unit-history"), story.history, same, historyItem, () => {});
}

function openUnit(number) {
  wanted = number;
  final = false;
  setText(byId("unit-title"), `Unit ${number}`);
  setText(byId("unit-text"), "");
  for (const id of ["unit-because", "unit-results", "unit-history"]) {
    byId(id).replaceChildren();
  }
  if (!dialog.open) {
    dialog.showModal();
  }
  loadUnit();
}

function followAddress() {
  const found = location.hash.match(/^#unit-(\d{1,15})$/);
  if (found) {
    openUnit(Number(found[1]));
  } else if (dialog.open) {
    dialog.close();
  }
}

dialog.addEventListener("close", () => {
  // Somebody may have asked for another unit meanwhile.
  if (location.hash === `#unit-${wanted}`) {
    history.replaceState(null, "", location.pathname);
  }
  wanted = null;
});
dialog.addEventListener("click", (event) => {
  if (event.target === dialog) {
    const box = dialog.getBoundingClientRect();
    const {clientX: x, clientY: y} = event;
    if (x < box.left || x > box.right || y < box.top || y > box.bottom) {
      dialog.close();
    }
  }
});
byId("find").addEventListener("submit", (event) => {
  event.preventDefault();
  location.hash = `unit-${Number(byId("number").value)}`;
});
window.addEventListener("hashchange", followAddress);

// ---- What the server sends ------------------------------------------------------------------------------------------

function showTrouble() {
  byId("trouble").hidden = known.trouble === null;
  setText(byId("trouble"), known.trouble ?? "");
}

function showName() {
  setText(byId("name"), known.project.name);
  document.title = `${known.project.name}: status`;
}

// Which sections each part of the page is made of.
const PARTS = [
  [showTrouble, ["trouble"]],
  [showPerson, ["person"]],
  [showName, ["project"]],
  [showFigures, ["project", "pool", "throughput", "turnaround", "window", "copies"]],
  [showStates, ["units", "project"]],
  [showChart, ["throughput"]],
  [showPicture, ["picture"]],
  [showHosts, ["hosts", "time"]],
  [showChanges, ["changes", "time"]],
];
const stale = new Set();

function take(name, held) {
  known[name] = held;
  stale.add(name);
}

function showAll() {
  for (const [draw, sections] of PARTS) {
    if (sections.some((name) => stale.has(name)) && sections.every((name) => name in known)) {
      draw();
    }
  }
  stale.clear();
  if (wanted !== null && !final && known.time - asked >= 2) {
    loadUnit();
  }
}

function live(state, text) {
  byId("live").className = state;
  setText(byId("live"), text);
}

const SECTIONS = ["project", "time", "trouble", "pool", "units", "copies", "window", "throughput", "turnaround",
  "hosts", "changes", "person", "picture"];
let first = true;

function arrived() {
  showAll();
  if (first && known.time !== undefined) {
    first = false;
    followAddress();
  }
}

function listen() {
  const stream = new EventSource("stream");
  let drawn = false;
  for (const name of SECTIONS) {
    stream.addEventListener(name, (event) => {
      take(name, JSON.parse(event.data));
      live("on", "live");
      // The events of one look come together.
      if (!drawn) {
        drawn = true;
        setTimeout(() => {
          drawn = false;
          arrived();
        }, 0);
      }
    });
  }
  stream.onerror = () => {
    if (stream.readyState === EventSource.CLOSED) {
      // The server has as many viewers as it may have.
      poll();
      setTimeout(listen, 60000);
    } else {
      live("off", "the server does not answer; trying again");
    }
  };
}

async function poll() {
  try {
    const reply = await fetch("snapshot");
    for (const [name, held] of Object.entries(await reply.json())) {
      take(name, held);
    }
    live("waiting", "many are watching: this is how it was a moment ago, and is shown again each minute");
    arrived();
  } catch (error) {
    live("off", "the server does not answer; trying again");
  }
}

document.querySelector(".work").classList.add("alone");
makeHead();
new ResizeObserver(() => {
  if (known.throughput) {
    showChart();
  }
}).observe(byId("chart"));
listen();
