# SPDX-License-Identifier: MIT
"""The reader of state files, with sections that a command adds: tests/tool/grammar_probe.c.

The environment variable GRAMMAR_PROBE is the path of that program.
"""

import os
import subprocess

import pytest

PROJECTS = '[project comets]\n[project rivers]\nshare = 30\n'
CROWDS = '[crowd fast]\nproject = rivers\ncount = 3\nflops = 2e9\n[crowd one]\nproject = comets\n'


def said(tmp_path, text):
    path = tmp_path / 'crowd.ini'
    path.write_text(text, encoding='utf-8')
    result = subprocess.run([os.environ['GRAMMAR_PROBE'], path], capture_output=True, encoding='utf-8', check=True)
    assert result.stderr == ''
    return result.stdout.replace(str(path), 'FILE')


@pytest.mark.parametrize('text', [CROWDS + '[desk rivers]\nopen = no\n' + PROJECTS,
                                  PROJECTS + '[desk rivers]\nopen = no\n' + CROWDS])
def test_added_sections_refer_to_others_wherever_they_stand(text, tmp_path):
    assert said(tmp_path, text) == ('4 in all, 0 tasks\ncrowd fast: 3 of 2e+09 for rivers, which has 30\n'
                                    'crowd one: 1 of 0 for comets, which has 100\ndesk 1: closed\n')


def test_a_host_may_be_given_all_the_same(tmp_path):
    text = PROJECTS + CROWDS + '[host]\ncpus = 1\nflops = 1e9\n[task t]\nproject = comets\nremaining = 5\n'
    assert said(tmp_path, text).startswith('4 in all, 1 tasks\n')


@pytest.mark.parametrize('text, message', [
    ('[crowd fast]\nproject = seas\n', 'FILE:5: [crowd fast] project: there is no section [project seas]'),
    ('[crowd fast]\ncount = 2\n', 'FILE:4: [crowd fast] project: this key is missing'),
    ('[crowd fast]\nflops = -1\n', 'FILE:5: [crowd fast] flops: "-1" is negative'),
    ('[crowd fast]\ncount = 1\ncount = 2\n', 'FILE:6: [crowd fast] count: this key is already in line 5'),
    ('[crowd fast]\nopen = no\n', 'FILE:5: [crowd fast] open: a section of this kind has no such key'),
    ('[crowd]\n', 'FILE:4: [crowd]: a section of this kind has a name'),
    ('[desk seas]\n', 'FILE:4: [desk seas]: there is no section [project seas]'),
    ('[crowds x]\n', 'FILE:4: [crowds x]: there is no section of this kind'),
    ('', 'FILE: there is nobody'),
])
def test_what_is_wrong_is_said_with_its_line(text, message, tmp_path):
    assert said(tmp_path, PROJECTS + text) == message + '\n'
