# SPDX-License-Identifier: MIT
"""Builds the package: what "python3 -m build" and pip call.

meson-python builds a project whose pyproject.toml is at its top. Here that is the C library; this package
is only a part of it. So the whole project is copied to a folder of its own, with source.toml as the pyproject.toml at
its top, and meson-python builds that. A source distribution is such a copy, and needs nothing of this module any more.
"""

import contextlib
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

import mesonpy

_HERE = pathlib.Path(__file__).resolve().parent
_TOP = _HERE.parent.parent
_LEFT_OUT = shutil.ignore_patterns('build', '.git', '__pycache__', '*.egg-info', 'dist')


def _git(*arguments):
    subprocess.run(['git', '-c', 'user.name=package', '-c', 'user.email=package@localhost', *arguments],
                   check=True, stdout=subprocess.DEVNULL)


def _project_table():
    """source.toml with the version, as packages of Python write it: meson-python would take Meson's, 1.0.0-rc1."""
    header = (_TOP / 'include/vcsched/abi.h').read_text(encoding='ascii')
    version = re.search(r'^#define VCS_VERSION "(.*)"$', header, re.MULTILINE)[1].replace('-rc', 'rc')
    table = (_HERE / 'source.toml').read_text(encoding='utf-8')
    return table.replace('dynamic = ["version"]', f'version = "{version}"')


@contextlib.contextmanager
def _copy_of_project(as_repository=False):
    """Works in a copy of the project that meson-python can build."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / 'vcsched'
        shutil.copytree(_TOP, copy, ignore=_LEFT_OUT)
        (copy / 'pyproject.toml').write_text(_project_table(), encoding='utf-8')
        os.chdir(copy)
        try:
            if as_repository:  # which is what Meson makes distributions of
                _git('init', '--quiet')
                _git('add', '--all', '--force')
                _git('commit', '--quiet', '--message', 'the source distribution')
            yield
        finally:
            os.chdir(before)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    wheel_directory = os.path.abspath(wheel_directory)
    with _copy_of_project():
        return mesonpy.build_wheel(wheel_directory, config_settings)


def build_sdist(sdist_directory, config_settings=None):
    sdist_directory = os.path.abspath(sdist_directory)
    with _copy_of_project(as_repository=True):
        return mesonpy.build_sdist(sdist_directory, config_settings)
