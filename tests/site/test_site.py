# SPDX-License-Identifier: MIT
"""The manual as a site: that it is whole, that its links lead somewhere, and that it works when opened from disk.

The environment variable SITE_BUILD is the build that made it. What needs a browser, tidy or codespell is skipped where
they are not installed.
"""

import functools
import html
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import urllib.parse

import pytest
from browser import console

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ['SITE_BUILD']).resolve()
SITE = BUILD / 'doc/site/html'
sys.path.insert(0, str(ROOT / 'doc/site'))
sys.dont_write_bytecode = True
from examples import EXAMPLES  # noqa: E402  pylint: disable=wrong-import-position
from tree import Tree  # noqa: E402  pylint: disable=wrong-import-position

PAGES = sorted(SITE.rglob('*.html'))
# Pages of the tool, which have tests of their own.
OURS = [page for page in PAGES if 'timelines' not in page.parent.name and page.name != 'playground.html']
TAG = re.compile(r'<[a-zA-Z][^<>]*>')
TARGET = re.compile(r'\s(?:href|src)="([^"]*)"')
ID = re.compile(r'\s(?:id|name)="([^"]*)"')
# What is valid, though tidy has something to say.
VALID = re.compile(r'trimming empty <(?:span|p|ul|li)>|<svg> proprietary attribute')
# Names and arguments that are right, though they look like a word with a mistake.
RIGHT_WORDS = 'crate,debians,projct'


@functools.lru_cache(maxsize=None)
def text_of(page):
    return page.read_text(encoding='utf-8')


@functools.lru_cache(maxsize=None)
def anchors_of(page):
    return {html.unescape(name) for tag in TAG.findall(text_of(page)) for name in ID.findall(tag)}


def page_of(name):
    return text_of(SITE / name)


def broken_links(page):
    for tag in TAG.findall(text_of(page)):
        for target in map(html.unescape, TARGET.findall(tag)):
            parts = urllib.parse.urlsplit(target)
            if parts.scheme in ('http', 'https', 'mailto', 'data', 'tcp'):
                continue
            path = (page.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else page
            anchor = urllib.parse.unquote(parts.fragment)
            if parts.scheme or not path.is_file():
                yield f'{page.relative_to(SITE)}: {target} leads nowhere'
            elif anchor and path.suffix == '.html' and anchor not in anchors_of(path):
                yield f'{page.relative_to(SITE)}: {target} has no such place'


def test_sphinx_had_nothing_to_warn_of():
    assert (BUILD / 'doc/site/html.p/warnings.txt').read_text(encoding='utf-8') == ''


def test_every_link_within_the_site_leads_somewhere():
    assert len(OURS) > 500
    assert [problem for page in OURS for problem in broken_links(page)] == []


def test_a_broken_link_would_be_found(tmp_path, monkeypatch):
    monkeypatch.setattr(sys.modules[__name__], 'SITE', tmp_path)
    page = tmp_path / 'page.html'
    page.write_text('<p id="here"><a href="#here">1</a><a href="#there">2</a><a class="x" href="none.html">3</a></p>',
                    encoding='utf-8')
    assert list(broken_links(page)) == ['page.html: #there has no such place', 'page.html: none.html leads nowhere']


def test_the_html_is_valid():
    tidy = shutil.which('tidy')
    if tidy is None:
        pytest.skip('tidy is not installed')
    said = subprocess.run([tidy, '-q', '-e', '--show-filename', 'yes', '--', *OURS], check=False,
                          stderr=subprocess.PIPE, text=True, errors='replace').stderr
    wrong = [line for line in said.splitlines() if ' - ' in line and not VALID.search(line)]
    assert wrong == []


def test_words_are_spelled_right():
    codespell = shutil.which('codespell')
    if codespell is None:
        pytest.skip('codespell is not installed')
    readmes = [*ROOT.glob('*.md'), *ROOT.glob('examples/*/README.md')]
    said = subprocess.run([codespell, '--skip', '*.svg,*.csv,*.pyc', '-L', RIGHT_WORDS, 'doc', 'include', *readmes],
                          check=False, stdout=subprocess.PIPE, text=True, cwd=ROOT).stdout
    assert said == ''


# ---- the interface ---------------------------------------------------------------------------------------------------

def functions_of(header):
    code = re.sub(r'/\*.*?\*/', ' ', header.read_text(encoding='utf-8'), flags=re.DOTALL)
    return re.findall(r'^VCS_API [^;(]*?(\w+)\(', code, re.MULTILINE)


def declared_names():
    """(header, anchor) of every function, constant, struct and field, by other means than those that make the pages."""
    for header in sorted((ROOT / 'include').glob('*/*.h')):
        code = re.sub(r'/\*.*?\*/', ' ', header.read_text(encoding='utf-8'), flags=re.DOTALL)
        names = functions_of(header)
        names += [name for name, value in re.findall(r'^#define (VCS_[A-Z0-9_]+) +(\S.*)$', code, re.MULTILINE)
                  if name != 'VCS_API']
        for struct, body in re.findall(r'typedef struct (\w+) \{\n(.*?)^\}', code, re.MULTILINE | re.DOTALL):
            fields = re.findall(r'(?:\(\*|[ *])(\w+)(?:\[\w+\])*(?:\)\([^;]*\))?;', body)
            assert fields
            names += [struct, *(f'{struct}.{field}' for field in fields)]
        yield from ((header, f'c.{name}') for name in names)


def test_every_function_struct_field_and_constant_has_its_place():
    names = list(declared_names())
    assert len(names) > 1500
    missing = [f'{header.name}: {anchor}' for header, anchor in names
               if anchor not in anchors_of(SITE / header.relative_to(ROOT).with_suffix('.html'))]
    assert missing == []


def test_every_parameter_and_every_reason_has_its_place():
    tool = json.loads(subprocess.run([BUILD / 'examples/vcemu', 'help', '--json'], check=True,
                                     stdout=subprocess.PIPE).stdout)
    names = {parameter['name'] for parameter in tool['parameters']}
    assert names and names <= anchors_of(SITE / 'doc/parameters.html')
    reasons = re.findall(r'#define (VCS_REASON_\w+) [1-9]', (ROOT / 'include/vcsched/reason.h').read_text('utf-8'))
    page = page_of('doc/reasons.html')
    assert len(reasons) > 100 and [name for name in reasons if f'#c.{name}"' not in page] == []


def test_interface_rules_and_code_lead_to_each_other():
    interface, rules = page_of('include/vcsched/fetch.html'), page_of('doc/rules.html')
    assert 'href="../../doc/rules.html#rule-6.3"' in interface
    assert 'href="../include/vcsched/fetch.html#c.vcs_fetch"' in rules
    assert 'href="../lib/vcsched/fetch/request.c.html"' in rules
    source, line = re.search(r'href="../../(lib/vcsched/fetch/\w+\.c\.html)#L(\d+)"', interface).groups()
    assert re.search(rf'<span id="L{line}">.*\bvcs_fetch\b', page_of(source))
    assert 'href="../../../include/vcsched/fetch.html#c.vcs_fetch"' in page_of(source)


def test_every_function_leads_to_its_code():
    for header in sorted((ROOT / 'include').glob('*/*.h')):
        page = page_of(header.relative_to(ROOT).with_suffix('.html'))
        assert page.count('Code: <a') == len(functions_of(header)), header.name


# ---- examples and timelines ------------------------------------------------------------------------------------------

COMMANDS = [command for _, programs in EXAMPLES for _, commands in programs for command in commands]


def test_no_example_is_forgotten():
    listed = [path for _, programs in EXAMPLES for path, _ in programs]
    told = ' '.join(COMMANDS + [(ROOT / path).read_text(encoding='utf-8') for path in listed])
    programs = [path for folder in ('c', 'lua', 'python') for path in (ROOT / 'examples' / folder).iterdir()
                if path.suffix in ('.c', '.lua', '.py')]
    assert [path.name for path in programs
            if path.relative_to(ROOT).as_posix() not in listed and path.name not in told] == []


@pytest.mark.parametrize('command', COMMANDS)
def test_the_files_of_a_command_exist(command):
    words = [word for word in shlex.split(command) if word.startswith(('examples/', 'bindings/'))]
    assert [word for word in words if not (ROOT / word).exists()] == []


@pytest.mark.parametrize('command', [command for command in COMMANDS if command.startswith('build/examples/')])
def test_a_command_runs(command):
    words = [str(BUILD / word.removeprefix('build/')) if word.startswith('build/') else word
             for word in shlex.split(command)]
    if not pathlib.Path(words[0]).exists():
        pytest.skip(f'{words[0]} is not built')
    assert subprocess.run(words, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout


def test_timelines_are_drawn():
    timelines = page_of('doc/timelines.html')
    assert len(set(re.findall(r'src="(\.\./_images/\d+\.svg)"', timelines))) == timelines.count('Zoom into it') > 3


# ---- in a browser, from disk -----------------------------------------------------------------------------------------


def look_like(chromium, width, scheme, motion='no-preference'):
    chromium.execute_cdp_cmd('Emulation.setDeviceMetricsOverride',
                             {'width': width, 'height': 900, 'deviceScaleFactor': 1, 'mobile': width < 640})
    chromium.execute_cdp_cmd('Emulation.setEmulatedMedia', {'features': [
        {'name': 'prefers-color-scheme', 'value': scheme}, {'name': 'prefers-reduced-motion', 'value': motion}]})


def show(chromium, name):
    chromium.get((SITE / name).as_uri())


def test_the_first_page_is_small_and_quick(chromium):
    look_like(chromium, 1280, 'light')
    show(chromium, 'index.html')
    loaded = re.findall(r'<(?:link rel="stylesheet"[^>]* href|(?:script|img)[^>]* src)="([^"]*)"',
                        page_of('index.html'))
    assert loaded and sum((SITE / name).stat().st_size for name in ['index.html', *loaded]) < 100_000
    assert chromium.execute_script('return performance.timing.domInteractive - performance.timing.fetchStart') < 1000
    assert console(chromium) == []


@pytest.mark.parametrize('scheme', ['light', 'dark'])
@pytest.mark.parametrize('page', ['index.html', 'doc/start/client.html', 'include/vcsched/fetch.html',
                                  'lib/vcsched/fetch/request.c.html'])
def test_a_page_is_light_or_dark(page, scheme, chromium):
    look_like(chromium, 1280, scheme)
    show(chromium, page)
    ink, ground = (sum(map(int, re.findall(r'\d+', colour)[:3])) for colour in chromium.execute_script(
        'const style = getComputedStyle(document.body); return [style.color, style.backgroundColor]'))
    assert (ink < ground) == (scheme == 'light')


def test_no_page_is_wider_than_a_telephone_or_says_anything(chromium):
    look_like(chromium, 360, 'light')
    wide = []
    manual = [page for page in OURS if page.relative_to(SITE).parts[0] in ('doc', 'include') and '.h.' not in page.name]
    assert len(manual) > 60
    for page in [SITE / 'index.html', SITE / 'search.html', *manual]:
        chromium.get(page.as_uri())
        width = chromium.execute_script('return document.documentElement.scrollWidth')
        if width > 360:
            wide.append(f'{page.relative_to(SITE)}: {width}')
    assert wide == []
    assert console(chromium) == []


def test_what_the_first_page_shows_in_one_screen(chromium):
    look_like(chromium, 1280, 'light')
    show(chromium, 'index.html')
    for selector in ('h1', 'svg', 'pre', 'tbody tr:last-child'):
        bottom = chromium.execute_script(f'return document.querySelector("{selector}").getBoundingClientRect().bottom')
        assert 0 < bottom <= 900, selector


def test_the_picture_moves_unless_motion_is_unwelcome(chromium):
    moving = 'return document.getAnimations().filter((each) => each.playState === "running").length'
    look_like(chromium, 1280, 'light')
    show(chromium, 'index.html')
    assert chromium.execute_script(moving) > 0
    look_like(chromium, 1280, 'light', 'reduce')
    show(chromium, 'index.html')
    assert chromium.execute_script(moving) == 0
    assert 'jobs late' in chromium.find_element('css selector', 'svg').text


def test_search_finds_what_explains_first(chromium):
    """Before the many names of fields and constants that contain the word."""
    chromium.get((SITE / 'search.html').as_uri() + '?q=idle')
    chromium.implicitly_wait(30)
    chromium.find_element('css selector', '#search-results li:nth-child(4) a')
    found = [link.text for link in chromium.find_elements('css selector', '#search-results li > a')][:4]
    assert len([title for title in found if not title.lower().startswith('vcs_')]) >= 3


def test_search_works_without_a_server(chromium):
    look_like(chromium, 1280, 'light')
    show(chromium, 'index.html')
    field = chromium.find_element('css selector', 'input[type=search]')
    field.send_keys('vcs_fetch\n')
    chromium.implicitly_wait(30)
    first = chromium.find_element('css selector', '#search-results li a')
    assert first.text == 'vcs_fetch'
    first.click()
    assert chromium.current_url == (SITE / 'include/vcsched/fetch.html').as_uri() + '#c.vcs_fetch'
    chromium.get((SITE / 'search.html').as_uri() + '?q=late')
    first = chromium.find_element('css selector', '#search-results li a')
    assert first.text == 'Glossary'
    first.click()
    assert chromium.current_url.startswith((SITE / 'doc/glossary.html').as_uri() + '#index-')
    assert re.search(r'<strong>Late</strong>.*?href="rules.html#rule-4.3"', page_of('doc/glossary.html'), re.DOTALL)
    assert console(chromium) == []


def test_there_is_a_playground_if_pages_lead_to_it():
    for name in ('index.html', 'doc/rules.html', 'lib/vcsched/fetch/request.c.html'):
        assert ('playground.html' in page_of(name)) == (SITE / 'playground.html').exists()


def test_a_link_to_the_playground_leads_to_its_page_if_that_is_in_the_site():
    for path in ('README.md', 'doc/start/volunteer.md'):
        targets = re.findall(r'\]\(([^)]*examples/playground[^)]*)\)', (ROOT / path).read_text(encoding='utf-8'))
        assert targets
        for has_playground, page in ((True, 'playground.html'), (False, 'examples/playground/README.html')):
            assert {Tree(ROOT, has_playground).link(path, target) for target in targets} == {page}
    if (SITE / 'playground.html').exists():
        text = page_of('doc/start/volunteer.html').partition('<main>')[2].partition('</main>')[0]
        assert text and 'examples/playground/README.html' not in text


def test_no_list_of_a_folder_is_empty():
    lists = [page for page in OURS if page.name == 'index.html' and '<ul>' in text_of(page)]
    assert len(lists) > 30
    assert [page.relative_to(SITE).as_posix() for page in lists if '<li>' not in text_of(page)] == []
    assert '<li>roff.py</li>' in page_of('doc/man/index.html')


def test_the_first_page_says_how_to_get_the_files():
    page = page_of('index.html')
    version = re.search(r'VCS_VERSION "(.+)"', (ROOT / 'include/vcsched/abi.h').read_text(encoding='ascii'))[1]
    assert f'<code>vcsched-{version}.tar.gz</code>' in page
    script, option = re.search(r'<code>sh (doc/packaging/\S+) (--\w+) FOLDER</code>', page).groups()
    assert f'sh {script} [{option}] FOLDER' in (ROOT / script).read_text(encoding='utf-8')


def test_the_table_of_the_first_page_is_that_of_the_comparison():
    rows = [line for line in (ROOT / 'doc/comparison.md').read_text(encoding='utf-8').splitlines()
            if line.startswith('| ')]
    table = re.search(r'<table>.*?</table>', page_of('index.html'), re.DOTALL)[0]
    assert table.count('<tr>') == len(rows) and 'site:' not in table
