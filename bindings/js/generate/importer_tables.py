#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes what the importer of a BOINC client's files knows, from the one in Python: which elements are read, limits,
names, and the keys of the state that it writes.

    importer_tables.py SOURCE_ROOT OUTPUT DEPFILE
"""

from __future__ import annotations

import dataclasses
import importlib
import json
import pathlib
import sys


def source(root):
    """The lines of the module."""
    sys.path.insert(0, str(root / 'bindings' / 'python'))
    sys.dont_write_bytecode = True
    from vcsched.boinc import (client_records, client_state, configuration, fields, host_import, preferences,
                               scheduler_reply, task_import, xml_records)
    # The package itself would import its compiled part when it is asked for a module.
    host_state, state_file = (importlib.import_module(f'vcsched.{name}') for name in ('host_state', 'state_file'))

    def layout(one):
        return {key: sorted(value) if isinstance(value, frozenset) else value for key, value in one._asdict().items()}

    def constant(name, value):
        yield f'export const {name} = {json.dumps(value, separators=(",", ":"))};'
    for module, names in (
            (xml_records, 'PIECE LONGEST_MARKUP DEEPEST_NESTING MOST_ELEMENTS LONGEST_REFERENCE'),
            (fields, 'LONGEST_DURATION GREATEST_AMOUNT'),
            (client_records, 'DEFAULT_CPU_FLOPS MOST_GPUS LEAST_GPU_USE DEFAULT_SHARE GPU_ELEMENTS '
             'OTHER_RESOURCE_NAMES OWN_FIELDS_FOR_RESOURCE'),
            (client_state, 'VERSION_RECORDS'),
            (configuration, 'ALL_DEVICES'),
            (preferences, 'SECONDS_PER_DAY'),
            (host_state, 'CPU NO_WAIT'),
            (host_import, 'PROFILE ESTIMATE ALWAYS NEVER PEAK_TO_COUNTED LEAST_USABLE CREDITS_PER_FLOP REC_HALF_LIFE '
             'CLASS_OF_UNINTENSIVE PRIOR_SPELL PRIOR_SPELLS THROTTLED IN_USE SUSPEND_REASONS OLD'),
            (task_import, 'FILES_PRESENT UPLOADING ENDED_STATES EXECUTING ABORTING_STATES SCHEDULED OVERDUE_AFTER '
             'LONGEST_RESOURCES')):
        for name in names.split():
            yield from constant(name, getattr(module, name))
    yield from constant('PREFERENCE_DEFAULTS', preferences.DEFAULTS)
    for name, pattern in (('NUMBER', fields.NUMBER), ('WHOLE', fields.WHOLE), ('RESOURCES', task_import.RESOURCES),
                          ('DEVICES', task_import.DEVICES), ('LIMIT', scheduler_reply.LIMIT)):
        yield from constant(name, pattern.pattern)
    yield from constant('LAYOUTS', {'state': layout(client_state.LAYOUT), 'preferences': layout(preferences.LAYOUT),
                                    'cc_config': layout(configuration.CLIENT_LAYOUT),
                                    'app_config': layout(configuration.PROJECT_LAYOUT),
                                    'reply': layout(scheduler_reply.LAYOUT)})
    yield from constant('STATE_SECTIONS', list(_sections(state_file)))


def _sections(state_file):
    """Of each section its part of the host, what is in its title, and its keys, each with its default if it has one."""
    for part, kind, title in state_file.SECTIONS:
        keys = [[key] if plain is dataclasses.MISSING or plain is None or plain == () else [key, plain]
                for _field, key, plain in state_file.KEYS[kind]]
        yield [part, list(title), keys]


def main():
    """Writes them."""
    root, output, depfile = map(pathlib.Path, sys.argv[1:])
    heading = '// Made by importer_tables.py from the importer in Python.\n'
    output.write_text(heading + '\n'.join(source(root)) + '\n', encoding='utf-8')
    package = root / 'bindings' / 'python' / 'vcsched'
    used = [*sorted((package / 'boinc').glob('*.py')), package / 'host_state.py', package / 'state_file.py']
    depfile.write_text(f"{output}: {' '.join(str(path) for path in used)}\n".replace('\\', '/'), encoding='utf-8')


if __name__ == '__main__':
    main()
