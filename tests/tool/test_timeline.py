# SPDX-License-Identifier: MIT
"""The page that `vcemu run --timeline` writes: whole, by itself, and with the events in it.

The environment variable TIMELINE_PROBE is the path of a program that writes a page of a few events, known here.
"""

import html.parser
import json
import os
import pathlib
import re
import subprocess

import pytest

PROBE = os.path.abspath(os.environ['TIMELINE_PROBE'])


def probe(path):
    return subprocess.run([PROBE, str(path)], capture_output=True, text=True, check=False)


class Page(html.parser.HTMLParser):
    """The elements of a page as a browser sees them, and the text of its scripts."""

    def __init__(self, text):
        super().__init__()
        self.elements = []
        self.scripts = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag == 'script':
            self.scripts.append('')

    def handle_data(self, data):
        if self.elements and self.elements[-1][0] == 'script' and self.get_starttag_text().startswith('<script'):
            self.scripts[-1] += data


@pytest.fixture(name='text')
def page_text(tmp_path):
    result = probe(tmp_path / 'page.html')
    assert (result.returncode, result.stdout) == (0, '')
    return (tmp_path / 'page.html').read_text(encoding='utf-8')


@pytest.fixture(name='data')
def page_data(text):
    return json.loads(Page(text).scripts[0])


def test_page_needs_nothing_else(text):
    # Scripts and styles stand in the page; nothing is fetched from anywhere.
    assert not any({'src', 'href'} & set(attributes) for _, attributes in Page(text).elements)
    assert not re.search(r'https?:|url\(|@import|fetch\(|XMLHttpRequest|import\(', text)


def test_names_stay_text(text, data):
    assert data['title'] == 'a <b> & "c"'
    # The last byte is not UTF-8.
    assert data['projects'] == ['\u0160koda </script><!-- & "a" \\ \x01 \ufffd']
    assert data['tasks'] == [[7, 'the first']]
    # Were it not escaped, the name would end the data and begin elements of its own.
    assert [tag for tag, _ in Page(text).elements].count('script') == 2
    assert text.rstrip().endswith('</html>')


def test_host_and_policy(data):
    assert data['duration'] == 100
    assert data['minBuffer'] == 30
    assert data['wholeBuffer'] == 42  # 30 + 12
    assert data['resources'] == ['CPU']
    assert data['instances'] == [3]
    assert data['flops'] == [2e9]
    assert data['shares'] == [100]
    assert data['profile'] == 'study2007'
    assert data['seed'] == '18446744073709551615'  # which a number of JavaScript could not hold


def test_figures_of_merit_follow(data):
    assert data['on'] == 90.5
    assert data['outcome'] == {
        'waste': 0.25, 'idleness': 0.125, 'share violation': 0, 'monotony': 0,
        'calls per job': None, 'stops per job': None,  # nothing is known of them
        'in time': 0, 'late': 1,
    }


def test_events_count_time_from_the_start(data):
    assert [[data['kinds'][kind], *rest] for kind, *rest in data['events']] == [
        ['received', 0, 8, 0, 0, -1, 80, 4e12],
        ['started', 0, 7, 0, 0, 0, 50, 2.5],  # on two instances and a half
        ['off', 10.5],
        ['on', 20],
        ['ended', 60, 7, 0, 0, 0, 50],
        ['called', 60, 0, 0.25],
        ['late', 60, 7, 0, 0, -1, 50],
        ['failed', 61, 0, 0],
        ['forecast', 61, 0, None],  # for ever
        ['given_up', 61, 8, 0, 0, 1, 80],
        ['idle', 61, 0, 2, 4],  # two instances: backed off
    ]


def test_unwritable_file_is_an_error(tmp_path):
    path = tmp_path / 'missing' / 'page.html'
    result = probe(path)
    assert result.returncode == 1
    assert result.stdout == f'{path}: cannot be written: No such file or directory\n'


@pytest.mark.skipif(not pathlib.Path('/dev/full').exists(), reason='this system has no device that is always full')
def test_full_disk_is_an_error():
    result = probe('/dev/full')
    assert result.returncode == 1
    assert result.stdout == '/dev/full: cannot be written: No space left on device\n'
