# SPDX-License-Identifier: MIT
"""examples/quickstart.sh: what it reads of a client. Its build is replaced by the tool that is there already.

The environment variable VCEMU is the path of the program.
"""

import os
import pathlib
import re
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
VCEMU = os.path.abspath(os.environ['VCEMU'])
STATE = ROOT / 'examples/scenarios/client_state.xml'
PREFERENCES = re.compile(r'<global_preferences>.*</global_preferences>', re.DOTALL)
# As far as it is asked: meson compile -C BUILD TARGET.
MESON = f"""#!/bin/sh
if [ "$1" = compile ]; then
    mkdir -p "$3/examples"
    printf '#!/bin/sh\\nexec "{VCEMU}" "$@"\\n' >"$3/examples/vcemu"
    chmod +x "$3/examples/vcemu"
fi
"""
OVERRIDE = '<global_preferences><work_buf_min_days>0.5</work_buf_min_days></global_preferences>'


@pytest.fixture(name='quickstart')
def quickstart_in_a_tree(tmp_path):
    tree, programs = tmp_path / 'tree', tmp_path / 'programs'
    (tree / 'examples/scenarios').mkdir(parents=True)
    (tree / 'bindings').symlink_to(ROOT / 'bindings')
    shutil.copy(ROOT / 'examples/quickstart.sh', tree / 'examples')
    shutil.copy(STATE, tree / 'examples/scenarios')
    programs.mkdir()
    for name, text in (('cc', '#!/bin/sh\n'), ('meson', MESON), ('ninja', '#!/bin/sh\n')):
        (programs / name).write_text(text, encoding='utf-8')
        (programs / name).chmod(0o755)

    def run(*arguments):
        return subprocess.run(['sh', tree / 'examples/quickstart.sh', *arguments], check=False, capture_output=True,
                              encoding='utf-8', env=os.environ | {'PATH': f"{programs}:{os.environ['PATH']}"})
    return run


@pytest.fixture(name='data')
def data_directory(tmp_path):
    """As a client has it: its state names 8 CPUs, cc_config.xml 2, and preferences stand in a file of their own."""
    data = tmp_path / 'my data'
    data.mkdir()
    text = PREFERENCES.sub('', STATE.read_text(encoding='utf-8'))
    (data / 'client_state.xml').write_text(text, encoding='utf-8')
    (data / 'global_prefs_override.xml').write_text(OVERRIDE, encoding='utf-8')
    (data / 'cc_config.xml').write_text('<cc_config><options><ncpus>2</ncpus></options></cc_config>', encoding='utf-8')
    return data


def said(result):
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_without_a_file_it_takes_the_example(quickstart):
    assert ', 8 CPU, ' in said(quickstart())


def test_preferences_and_limits_of_the_client_are_read_too(quickstart, data):
    for named in (data, data / 'client_state.xml'):
        result = quickstart(named)
        assert ', 2 CPU, ' in said(result) and 'min buffer 12h 00m' in result.stdout
        assert 'no computing preferences' not in result.stderr


def test_a_file_in_the_folder_where_it_runs(quickstart, data, monkeypatch):
    monkeypatch.chdir(data)
    assert ', 2 CPU, ' in said(quickstart('client_state.xml'))
    assert ', 2 CPU, ' in said(quickstart('.'))


def test_a_copy_under_another_name_stands_alone(quickstart, data):
    (data / 'client_state.xml').rename(data / 'attic.xml')
    result = quickstart(data / 'attic.xml')
    assert ', 8 CPU, ' in said(result)
    assert 'no computing preferences' in result.stderr


def test_what_is_not_there_is_said_before_anything_is_built(quickstart, tmp_path):
    for named, said_of_it in ((tmp_path / 'none.xml', 'there is no such file, or it cannot be read'),
                              (tmp_path, 'there is no client_state.xml in it that can be read')):
        result = quickstart(named)
        assert (result.returncode, result.stdout, result.stderr) == (1, '', f'quickstart: {named}: {said_of_it}\n')
