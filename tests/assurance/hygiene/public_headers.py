# SPDX-License-Identifier: MIT
"""What the public headers say: a reader just good enough for the plain C in which they are written."""

import pathlib
import re

COMMENT = re.compile(r'/\*.*?\*/', re.DOTALL)
FUNCTION = re.compile(r'^VCS_API\s[^;{]*?\b(\w+)\s*\(([^;{]*)\);', re.MULTILINE)
STRUCT = re.compile(r'^typedef struct (\w+) \{\n(.*?)^\} (\w+);', re.MULTILINE | re.DOTALL)


# The headers of libvcemu, which allocates, calls back, and reads and writes files.
EMULATOR = {'bound.h', 'emulator.h', 'grid.h', 'policy.h', 'scenario.h', 'sweep.h'}


def find(include_directory):
    """All public headers, in order of name."""
    headers = sorted(pathlib.Path(include_directory, 'vcsched').glob('*.h'))
    headers += [pathlib.Path(include_directory, 'vcemu', name) for name in sorted(EMULATOR)]
    if not headers:
        raise SystemExit(f'no headers in {include_directory}')
    return headers


def find_of(include_directory, library):
    """The public headers of one library, given by the path of its file."""
    of_emulator = pathlib.Path(library).name.startswith('libvcemu')
    return [header for header in find(include_directory) if (header.parent.name == 'vcemu') == of_emulator]


def code_of(header):
    """The text of a header without its comments; line numbers stay what they were."""
    return COMMENT.sub(lambda comment: '\n' * comment.group().count('\n'), header.read_text(encoding='ascii'))


def functions_of(header):
    """Names of the functions that a header declares for export."""
    return [name for name, _ in FUNCTION.findall(code_of(header))]


def comment_before(text, position):
    """The comment that ends right before `position`, or ''."""
    before = text[:position].rstrip()
    if not before.endswith('*/'):
        return ''
    return before[before.rindex('/*'):]


def documented_functions(header):
    """(name, return type, comment) of each function; one that follows another without a gap shares its comment."""
    text = header.read_text(encoding='ascii')
    comment, previous_end = '', -1
    for match in FUNCTION.finditer(text):
        if text[previous_end:match.start()] != '\n':
            comment = comment_before(text, match.start())
        previous_end = match.end()
        return_type = match.group()[len('VCS_API'):match.group().index(match.group(1))].strip()
        yield match.group(1), return_type, comment


def structs_of(header):
    """(name, body, comment) of each struct that a header defines."""
    text = header.read_text(encoding='ascii')
    for match in STRUCT.finditer(text):
        yield match.group(1), match.group(2), comment_before(text, match.start())


def finish(problems):
    """Prints the problems and ends the test: successfully if there is none."""
    for problem in problems:
        print(problem)
    raise SystemExit(1 if problems else 0)
