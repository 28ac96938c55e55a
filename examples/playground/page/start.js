// SPDX-License-Identifier: MIT
//
// The page: what was changed is read, decided and shown.

import { load } from 'vcsched';
import { Work } from '../work/worker.js';
import { byId, calm } from './dom.js';
import { ExplainView } from './explain_view.js';
import { FutureView } from './future_view.js';
import { GridView } from './grid_view.js';
import { HostView } from './host_view.js';
import { bytesOf, fromLink, toLink, unzip } from './link.js';
import { PlanView } from './plan_view.js';
import { PolicyView } from './policy_view.js';
import { Session } from './session.js';
import { withKey } from './state_text.js';
import { StudyView } from './study_view.js';

export async function start() {
  const wasm = await unzip(bytesOf(byId('wasm').textContent));
  const vcs = await load(wasm);
  const session = new Session(vcs);

  const keep = calm(300, async () => history.replaceState(null, '', `#${await toLink(session.kept)}`));
  const update = () => {
    host.show();
    if (decide()) {
      keep();
    }
  };
  const decide = () => {
    try {
      const sides = session.decide();
      policy.show();
      plan.show(session, sides);
      explain.show(session, sides);
      byId('failure').textContent = '';
      return true;
    } catch (error) {
      byId('failure').textContent = error.message;
      return false;
    }
  };
  const change = () => {
    future.outdate();
    update();
  };
  const choose = (kind, index) => {
    session.chosen = { kind, index };
    update();
    explain.reveal();
  };

  const host = new HostView(session, change);
  const policy = new PolicyView(vcs, session, change);
  const plan = new PlanView(vcs, new Work(wasm), choose);
  const explain = new ExplainView(vcs, (section, key, value) => {
    session.text = withKey(session.text, section, key, value);
    change();
  });
  const future = new FutureView(vcs, new Work(wasm), session);
  new GridView(vcs, new Work(wasm));
  new StudyView(new Work(wasm));

  const open = async () => {
    try {
      session.kept = await fromLink(location.hash.slice(1));
      change();
    } catch {
      host.example(0);
      byId('failure').textContent = 'The link is not whole, so here is an example.';
    }
  };
  addEventListener('hashchange', open);
  byId('copy').addEventListener('click', async () => {
    const link = `${location.href.split('#')[0]}#${await toLink(session.kept)}`;
    try {
      await navigator.clipboard.writeText(link);
      byId('copied').textContent = 'Copied.';
    } catch { // the browser lets pages not write there
      location.replace(link);
      byId('copied').textContent = 'The link is in the address bar: copy it there.';
    }
  });
  if (location.hash.length > 1) {
    await open();
  } else {
    host.example(0);
  }
  document.documentElement.dataset.ready = '';
}
