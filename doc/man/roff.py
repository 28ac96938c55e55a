# SPDX-License-Identifier: MIT
"""Pieces of a manual page in the man macros, which groff and mandoc read without a warning."""

import datetime
import os
import pathlib
import re
import shutil
import textwrap

WIDTH = 76


def escape(text):
    """Text as it is, on paper too: a minus is no hyphen, and nothing in it is a request."""
    text = text.replace('\\', '\\e').replace('^', '\\(ha').replace('~', '\\(ti')
    return re.sub(r'(?<![\w)])-(?=\S)|(?<=-)-', r'\\-', text)


def bold(text):
    return '\\fB' + escape(text).replace('\\-', '-').replace('-', '\\-') + '\\fR'


def italic(text):
    return '\\fI' + escape(text) + '\\fR'


def marked(text):
    """Prose: `words` and functions() are bold, *words* are in italics."""
    parts = re.split(r'`([^`]+)`|\b(vcs_\w+)(?=\(\))|(?<!\w)\*(\w[\w ]*)\*(?!\w)', text)
    done = []
    for i in range(0, len(parts), 4):
        plain, code, function, term = (parts[i:i + 4] + [None] * 3)[:4]
        done.append(escape(plain))
        done.append(bold(code or function) if code or function else italic(term) if term else '')
    return ''.join(done)


def _safe(line):
    return '\\&' + line if line.startswith(('.', "'")) else line


def filled(text):
    """Lines of prose. The text may have escapes already."""
    lines = textwrap.wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False)
    return [_safe(line) for line in lines]


def paragraph(text):
    return ['.PP', *filled(marked(text))]


def verbatim(lines):
    """Lines that stay as they are."""
    return ['.PP', '.nf', '.RS 4', *(_safe(escape(line)) if line else '.PP' for line in lines), '.RE', '.fi']


def item(term, body):
    """A term, with escapes already, and the lines that explain it."""
    return ['.TP', _safe(term), *body]


def point(mark, body):
    """One of several points, after its number or dash."""
    return [f'.IP {_argument(mark)} {len(mark) + 1}', *body]


def heading(title):
    return [f'.SH {_argument(title.upper())}']


def subheading(title):
    return [f'.SS {_argument(title)}']


def _argument(text):
    return '"' + escape(text).replace('"', '\\(dq') + '"'


def date_of(source):
    """The day of a source, or of SOURCE_DATE_EPOCH: the same whenever and wherever a page is made."""
    seconds = int(os.environ.get('SOURCE_DATE_EPOCH') or source.stat().st_mtime)
    return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime('%Y-%m-%d')


def page(name, section, about, date, version, body):
    """A whole page. `body` begins after NAME."""
    lines = ['.\\" Made from the sources of libvcsched. SPDX-License-Identifier: MIT',
             f'.TH {_argument(name.upper())} {section} {date} "libvcsched {version}" "libvcsched manual"',
             # Names that are broken between two lines cannot be copied.
             '.nh', '.ad l', '.ss 12 0', *heading('Name'), *filled(f'{name} \\- {escape(about)}'), *body]
    first = [line for before, line in zip(['', *lines], lines)
             if line != '.PP' or not before.startswith(('.SH', '.SS'))]
    return '\n'.join(first) + '\n'


def write_folder(folder, pages):
    """Exactly these files; the folder is as new as they are, for whoever looks at its time."""
    folder = pathlib.Path(folder)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, text in pages.items():
        (folder / name).write_text(text, encoding='ascii')
    os.utime(folder)
