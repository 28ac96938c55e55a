// SPDX-License-Identifier: MIT
//
// What the page is about: the text of a state file, and one policy or two. All else follows from these.

export class Session {
  #vcs;
  #read = new Map();

  constructor(vcs) {
    this.#vcs = vcs;
    this.text = '';
    /** The policies that are compared: { profile, settings }; a profile of '' is that of the file. */
    this.policies = [{ profile: '', settings: {} }];
    /** What is explained: { kind: 'task', 'project' or 'resource', index }; null = nothing. */
    this.chosen = null;
  }

  /** What a link holds. */
  get kept() {
    const { text, policies, chosen } = this;
    return { text, policies, chosen };
  }

  set kept({ text, policies, chosen }) {
    if (typeof text !== 'string' || !Array.isArray(policies) || policies.length < 1 || policies.length > 2) {
      throw new Error('the link is from somewhere else');
    }
    this.text = text;
    this.policies = policies.map(({ profile, settings }) =>
      ({ profile: `${profile ?? ''}`, settings: { ...settings } }));
    this.chosen = chosen ?? null;
  }

  /** Throws what is wrong with another text. */
  check(text) {
    this.#vcs.parseState(text, { source: 'line' });
  }

  /**
   * The host under a policy as the library reads it. The text is read once for each profile: a slider that is moved
   * changes nothing else of it.
   */
  read({ profile, settings }) {
    const key = `${profile}\n${this.text}`;
    if (!this.#read.has(key)) {
      const warnings = [];
      const host = this.#vcs.parseState(this.text, { source: 'line', profile: profile || undefined,
        warn: (message) => warnings.push(message) });
      if (this.#read.size > 3) {
        this.#read.delete(this.#read.keys().next().value);
      }
      this.#read.set(key, { host, warnings });
    }
    const { host, warnings } = this.#read.get(key);
    return { host: { ...host, parameters: { ...host.parameters, ...settings } }, warnings };
  }

  /** For each policy: its name, the host, and what is decided. Throws what the library has to say of the text. */
  decide() {
    return this.policies.map((policy) => {
      const { host, warnings } = this.read(policy);
      return { name: this.nameOf(policy), host, warnings, plan: this.#vcs.plan(host) };
    });
  }

  /** 'current', or 'steady with 2 changes'. */
  nameOf({ profile, settings }) {
    const changes = Object.keys(settings).length;
    const name = profile || /^profile *= *(\w+)/m.exec(this.text)?.[1] || 'current';
    return changes === 0 ? name : `${name} with ${changes} change${changes > 1 ? 's' : ''}`;
  }
}
