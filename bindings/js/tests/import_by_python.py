#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the importer in Python makes of files, for the same to be expected of the one in JavaScript.

    import_by_python.py SOURCE_ROOT < cases > outcomes

A case is a line of JSON: files, by name, as base64; now; in_use. So is an outcome: the text of the state and what was
left out, or an error.
"""

from __future__ import annotations

import base64
import io
import json
import pathlib
import sys
import tempfile


def imported(case, folder):
    """The outcome of one case, in a folder of its own."""
    from vcsched.boinc.host_import import import_host
    from vcsched.commands.client_files import CLIENT_STATE, read_client, read_sources
    from vcsched.errors import InputError
    from vcsched.names import one_line
    from vcsched.state_file import write_state
    for name, content in case['files'].items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(base64.b64decode(content))
    own = f'{folder}/'
    try:
        client = read_client([str(folder / CLIENT_STATE)], str(folder))
        sources = read_sources(client, str(folder), [], None, [], case.get('now'))
        state = import_host(client, sources._replace(in_use=case.get('in_use', False)),
                            f'Host state of a BOINC client, imported from {CLIENT_STATE}.')
    except InputError as error:
        return {'error': str(error).replace(own, '')}
    text = io.StringIO()
    state.comments = [comment.replace(own, '') for comment in state.comments]
    write_state(state, text)
    return {'text': text.getvalue(), 'warnings': [one_line(comment) for comment in state.comments[2:]]}


def main():
    """All cases."""
    sys.path.insert(0, str(pathlib.Path(sys.argv[1]) / 'bindings' / 'python'))
    sys.dont_write_bytecode = True
    for line in sys.stdin:
        with tempfile.TemporaryDirectory(prefix='vcsched-') as folder:
            print(json.dumps(imported(json.loads(line), pathlib.Path(folder))))


if __name__ == '__main__':
    main()
