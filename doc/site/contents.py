# SPDX-License-Identifier: MIT
"""Where to go from each page: the places above, and beside it all pages, by what they are for."""

from tree import PLAYGROUND_PAGE

CONTENTS = (
    ('Start', ('doc/start/client', 'doc/start/server', 'doc/start/research', 'doc/start/volunteer',
               'doc/start/packager')),
    ('Use', ('doc/embedding', 'doc/server', 'doc/python', 'doc/lua', 'doc/javascript', 'doc/rust', 'doc/abi')),
    ('Tool', ('doc/vcemu', 'doc/timelines', 'doc/state_format', 'doc/importing', 'doc/emulator', 'doc/grid')),
    ('Reference', ('doc/rules', 'doc/parameters', 'doc/reasons', 'doc/glossary')),
    ('Measured', ('doc/policies', 'doc/study', 'doc/grid_study', 'doc/figures', 'doc/assurance',
                  'doc/comparison')),
    ('The project', ('CONTRIBUTING', 'CHANGELOG', 'doc/releasing', 'github/SECURITY')),
)
# What every page links to, above all else.
PLAYGROUND = (PLAYGROUND_PAGE, 'Playground')
PLACES = (('doc/README.html', 'Manual'), ('doc/rules.html', 'Rules'), ('include/vcsched/vcsched.html', 'Interface'),
          ('doc/examples/index.html', 'Examples'), ('doc/policies.html', 'Measurements'))
LIBRARIES = ('vcsched', 'vcemu')


def places(has_playground):
    return (PLAYGROUND, *PLACES) if has_playground else PLACES


def _toctree(title, names):
    return ['', '```{toctree}', ':hidden:', f':caption: {title}', '', *('/' + name for name in names), '```']


def with_contents(text, texts):
    """The first text of the manual, followed by all pages in their order."""
    left = {path.rpartition('.')[0] for path in texts} - {'doc/README'}
    headers = [(f'Headers of lib{library}', sorted(name for name in left if name.startswith(f'include/{library}/')))
               for library in LIBRARIES]
    # The first of the examples leads to those below it.
    examples = {name for name in left if name.startswith(('examples/', 'doc/examples/'))}
    shown = ['doc/examples/index', *sorted(name for name in examples if not name.startswith('doc/examples/'))]
    lines = [text]
    for title, names in (*CONTENTS, *headers, ('Examples', shown)):
        lines += _toctree(title, names)
        left -= set(names)
    more = sorted(left - examples)
    return '\n'.join([*lines, *(_toctree('More', more) if more else [])]) + '\n'
