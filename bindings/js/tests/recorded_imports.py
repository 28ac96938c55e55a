# SPDX-License-Identifier: MIT
"""For pytest: writes down what the tests of the importer in Python import, as cases for import_by_python.py.

    RECORDED_IMPORTS=FILE python3 -m pytest -p recorded_imports TESTS
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import pathlib

from vcsched.boinc.configuration import directory_name
from vcsched.commands import import_state

read_client, read_sources = import_state.read_client, import_state.read_sources


def content(path):
    return base64.b64encode(pathlib.Path(path).read_bytes()).decode()


def record(files, now=None):
    with open(os.environ['RECORDED_IMPORTS'], 'a', encoding='ascii') as stream:
        stream.write(json.dumps({'files': files, 'now': now}) + '\n')


def files_of(path, directory):
    """Those that lie in a data directory, and the state that is read before what is there."""
    found = pathlib.Path(directory).rglob('*.xml') if directory else ()
    return {**{str(one.relative_to(directory)): content(one) for one in found}, 'client_state.xml': content(path)}


def recording_client(paths, directory):
    """One file alone; what is read of several is no case of these."""
    with contextlib.suppress(OSError):
        if len(paths) == 1 and paths[0] != '-':
            record(files_of(paths[0], directory))
    client = read_client(paths, directory)
    client.paths = paths
    return client


def recording_sources(client, directory, preferences, cc_config, app_configs, now):
    """With what the command line names, of app_config.xml that of a project by its name."""
    with contextlib.suppress(OSError):
        if len(client.paths) == 1 and client.paths[0] != '-':
            files = files_of(client.paths[0], directory)
            files.update(zip(('global_prefs.xml', 'global_prefs_override.xml'), map(content, preferences)))
            if cc_config:
                files['cc_config.xml'] = content(cc_config)
            for name, path in (argument.split('=', 1) for argument in app_configs if '=' in argument):
                files.update({f'projects/{directory_name(url)}/app_config.xml': content(path)
                              for url, project in client.projects.items() if project.name == name})
            record(files, now)
    return read_sources(client, directory, preferences, cc_config, app_configs, now)


import_state.read_client, import_state.read_sources = recording_client, recording_sources
