// SPDX-License-Identifier: MIT
//
// Elements of the page.

/** The element of the page with this id. */
export const byId = (id) => document.getElementById(id);

/**
 * A new element. Attributes that begin with "on" are listeners. Attributes and children that are false, null or
 * undefined are left out.
 */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) {
      made.addEventListener(key.slice(2), value);
    } else if (value === true) {
      made.setAttribute(key, '');
    } else if (value !== false && value !== null && value !== undefined) {
      made.setAttribute(key, value);
    }
  }
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

/** A table that scrolls sideways where the window is narrow, with the keyboard too. */
export function table(caption, heads, rows) {
  const head = element('tr', {}, heads.map((text) => element('th', { scope: 'col' }, text)));
  return element('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': caption },
    element('table', {}, element('caption', {}, caption), element('thead', {}, head), element('tbody', {}, rows)));
}

/** The whole numbers in these fields; null if one is none or out of its range: then `words` says so. */
export function wholeNumbers(ids, words) {
  const wrong = ids.map(byId).find((field) => !field.checkValidity());
  if (wrong !== undefined) {
    const name = wrong.labels[0].textContent.toLowerCase();
    words.textContent = `Not emulated: ${name} must be a whole number from ${wrong.min} to ${wrong.max}.`;
    wrong.focus();
    return null;
  }
  return ids.map((id) => byId(id).valueAsNumber);
}

/** Calls a function once nothing has asked for it for a while, ms. */
export function calm(delay, action) {
  let timer = 0;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...values), delay);
  };
}

/** Shows the progress and the button that stops, or hides them. */
export function running(name, on) {
  byId(`${name}-progress`).hidden = !on;
  byId(`${name}-progress`).value = 0;
  byId(`stop-${name}`).hidden = !on;
}
