/* SPDX-License-Identifier: MIT */

/* How the search ranks what it finds: the very name first, then pages and their sections before functions, structs and
   fields whose names only contain the word, and what explains before examples and the history. */
var Scorer = {
  score: ([page, title, , , score]) => score
    + (title === new URLSearchParams(location.search).get('q') ? 100 : 0)
    + (/^doc\/(start\/|glossary|vcemu)/.test(page) ? 3 : 0)
    - (/^(examples\/|bindings\/|CHANGELOG|CONTRIBUTING|doc\/assurance)/.test(page) ? 3 : 0),
  objNameMatch: 11, objPartialMatch: 1, objPrio: { 0: 4, 1: 0, 2: -5 }, objPrioDefault: 0,
  title: 15, partialTitle: 7, term: 5, partialTerm: 2,
};
