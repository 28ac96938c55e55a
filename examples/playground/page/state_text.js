// SPDX-License-Identifier: MIT
//
// Changes to the text of a state file. The text is all that the page knows of a host: whatever is changed with a
// control is changed there.

const SECTION = /^\[(.*)\]\s*$/;

/** The text with a key of a section set; without it, if the value is null. A section that is missing is added. */
export function withKey(text, section, key, value) {
  const lines = text.split('\n');
  const begin = lines.findIndex((line) => SECTION.exec(line)?.[1] === section);
  if (begin < 0) {
    return value === null ? text : `${text.trimEnd()}\n\n[${section}]\n${key} = ${value}\n`;
  }
  let end = lines.findIndex((line, index) => index > begin && SECTION.test(line));
  end = end < 0 ? lines.length : end;
  const at = lines.findIndex((line, index) => index > begin && index < end && keyOf(line) === key);
  if (value === null) {
    return at < 0 ? text : lines.toSpliced(at, 1).join('\n');
  }
  return (at < 0 ? lines.toSpliced(begin + 1, 0, `${key} = ${value}`) : lines.with(at, `${key} = ${value}`)).join('\n');
}

function keyOf(line) {
  const equals = line.indexOf('=');
  return equals < 0 || /^[#;]/.test(line) ? '' : line.slice(0, equals).trim();
}
