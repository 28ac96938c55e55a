// SPDX-License-Identifier: MIT
//
// Where a host comes from: an example, a file, or what is typed.

import { EXAMPLES } from './examples.js';
import { byId, calm, element } from './dom.js';
import { importFiles } from './import_files.js';

export class HostView {
  #example = { index: -1 };
  #session;
  #changed;

  /** `changed()` is called when there is another host. */
  constructor(session, changed) {
    this.#session = session;
    this.#changed = changed;
    byId('examples').append(...EXAMPLES.map(({ name }, index) => element('option', { value: index }, name)));
    byId('examples').addEventListener('change', ({ target }) => this.example(Number(target.value)));
    byId('file').addEventListener('change', ({ target }) => {
      this.#open([...target.files]);
      target.value = '';
    });
    byId('text').addEventListener('input', calm(200, () => {
      this.#session.text = byId('text').value;
      this.#changed();
    }));
    for (const kind of ['dragenter', 'dragover', 'dragleave', 'drop']) {
      document.addEventListener(kind, (event) => this.#drag(event));
    }
  }

  /** One of the examples. */
  example(index) {
    const { text, about, b } = EXAMPLES[index];
    this.#about(about);
    this.#session.policies = [{ profile: '', settings: {} }, ...b ? [{ profile: b, settings: {} }] : []];
    this.#take({ text });
    this.#example = { index, text: this.#session.text };
    this.show();
  }

  show() {
    byId('examples').selectedIndex = this.#session.text === this.#example.text ? this.#example.index : -1;
    if (byId('text').value !== this.#session.text) {
      byId('text').value = this.#session.text;
    }
  }

  #about(text) {
    byId('about').textContent = text;
  }

  #drag(event) {
    if (![...event.dataTransfer?.types ?? []].includes('Files')) {
      return;
    }
    event.preventDefault();
    document.body.classList.toggle('dropping', event.type === 'dragenter' || event.type === 'dragover');
    if (event.type === 'drop') {
      this.#open([...event.dataTransfer.files]);
    }
  }

  async #open(files) {
    const texts = Object.fromEntries(await Promise.all(files.map(async (file) => [file.name, await file.text()])));
    if (this.#take(texts)) {
      this.#about('');
    }
  }

  /** Takes texts by the names of their files; one that is XML is a file of the BOINC client. Whether it could. */
  #take(texts) {
    const failure = byId('failure');
    try {
      const { text, notes } = importFiles(texts, (given) => this.#session.check(given));
      this.#session.text = text;
      this.#session.chosen = null;
      byId('notes').replaceChildren(...notes.map((note) => element('li', {}, note)));
      this.#changed();
      return true;
    } catch (error) {
      failure.textContent = error.message;
      return false;
    }
  }
}
