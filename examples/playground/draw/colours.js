// SPDX-License-Identifier: MIT
//
// The colours of projects and curves, which the style sheet holds for light and for dark.

const COUNT = 8;

/** The number of the colour of a project. */
const numberOf = (index) => index % COUNT;

/** The colour of a project as a value of CSS. */
export const colourOf = (index) => `var(--p${numberOf(index)})`;

/** The values of the style sheet that a canvas needs, as they are now. */
export function palette() {
  const style = getComputedStyle(document.documentElement);
  const value = (name) => style.getPropertyValue(name).trim();
  return { projects: Array.from({ length: COUNT }, (_, index) => value(`--p${index}`)),
    project(index) {
      return this.projects[numberOf(index)];
    },
    ink: value('--ink'), faint: value('--faint'), line: value('--line'), lane: value('--lane'), late: value('--late'),
    page: value('--page') };
}
