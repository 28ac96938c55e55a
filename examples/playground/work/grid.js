// SPDX-License-Identifier: MIT
//
// A whole grid in virtual time.

/** The outcome of the grid, and of each project with its units over time. */
export function grid(vcs, { text, files, seed }, tell) {
  const parsed = vcs.parseGrid(text, { files, seed });
  const { duration } = parsed.terms;
  const sampled = { ...parsed, terms: { ...parsed.terms, sample: parsed.terms.sample || duration / 200 } };
  const emulated = vcs.emulateGrid(sampled, { hosts: false, progress: (done) => tell({ done }) });
  return { outcome: plain(emulated.outcome), duration, seed,
    projects: emulated.projects.map((project, index) => ({ ...plain(project), name: parsed.projects[index].name,
      samples: emulated.samples[index].map(plain) })) };
}

/** Whole numbers of 64 bits as numbers. */
function plain(record) {
  return Object.fromEntries(Object.entries(record).map(([name, value]) =>
    [name, typeof value === 'bigint' ? Number(value) : value]));
}
