# SPDX-License-Identifier: MIT
"""The manual pages: nothing that the headers and the tool say is lost in them, and no reader complains.

The environment variable MAN_PAGES is the folder with man1 and man3, VCEMU the path of the program.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

from vcemu_examples import ROOT, output_of

sys.path.insert(0, str(ROOT / 'bindings/python/generate'))
import headers as bindings  # noqa: E402  # pylint: disable=wrong-import-position

MAN_PAGES = pathlib.Path(os.environ['MAN_PAGES'])
HEADERS = sorted((ROOT / 'include').glob('*/*.h'))
PAGES = [path for path in sorted(MAN_PAGES.glob('man[13]/*'))
         if not path.read_text(encoding='ascii').startswith('.so ')]
COMMENT = re.compile(r'/\*(.*?)\*/', re.DOTALL)


def needs(program):
    return pytest.mark.skipif(shutil.which(program) is None, reason=f'{program} is not installed')


def man_is_there():
    """Small systems have a program of that name which only says that there are no pages."""
    return shutil.which('man') is not None and \
        subprocess.run(['man', '--version'], capture_output=True, check=False).stdout.startswith(b'man ')


def page_of(header):
    prefix = 'vcs_' if header.parent.name == 'vcsched' else 'vcemu_'
    return MAN_PAGES / 'man3' / ('vcsched.3' if header.stem == 'vcsched' else f'{prefix}{header.stem}.3')


def shown(page):
    """The page as a reader sees it, in lines without end."""
    return subprocess.run(['groff', '-man', '-Tascii', '-rLL=9000n', '-P-cbou', page], check=True, capture_output=True,
                          encoding='ascii').stdout


def words(text):
    """What is left to compare when marks of emphasis and of lists are gone."""
    return ' '.join(re.sub(r'(?<!\S)-+(?= )', '', re.sub(r'[`*\'"^~]', '', text)).split()).lower()


@needs('mandoc')
def test_mandoc_has_nothing_to_complain_of():
    result = subprocess.run(['mandoc', '-Tlint', *PAGES], capture_output=True, encoding='utf-8', check=False)
    assert (result.returncode, result.stdout, result.stderr) == (0, '', '')


@needs('groff')
def test_groff_has_nothing_to_complain_of():
    result = subprocess.run(['groff', '-man', '-Tutf8', '-ww', '-z', *PAGES], capture_output=True, encoding='utf-8',
                            check=False)
    assert (result.returncode, result.stdout, result.stderr) == (0, '', '')


@needs('groff')
@pytest.mark.parametrize('header', HEADERS, ids=lambda path: f'{path.parent.name}/{path.name}')
def test_every_comment_of_a_header_is_on_its_page(header):
    text = header.read_text(encoding='ascii')
    page = words(shown(page_of(header)))
    for comment in COMMENT.findall(text):
        for paragraph in re.sub(r'^ \* ?', '', comment, flags=re.MULTILINE).split('\n\n'):
            assert 'SPDX' in paragraph or words(paragraph).rstrip('.:') in page
    for name in re.findall(r'^#define (VCS_(?!API)\w+)', text, re.MULTILINE):
        assert name.lower() in page


@needs('groff')
def test_every_declaration_is_on_the_page_of_its_name():
    interface = bindings.read_headers(ROOT / 'include', *bindings.EMULATOR, bindings.FILES, 'vcemu/sweep.h',
                                      'vcemu/policy.h')
    pages = {page: ' '.join(shown(page).split()) for page in PAGES if page.parent.name == 'man3'}

    def page_for(name):
        path = MAN_PAGES / 'man3' / f'vcs_{name}.3'
        link = re.fullmatch(r'\.so (\S+)\n', path.read_text(encoding='ascii'))
        return pages[MAN_PAGES / link[1] if link else path]

    assert len(interface.functions) > 100 and len(interface.structs) > 90
    for name, function in interface.functions.items():
        # In the synopsis, and where it is told of.
        synopsis, *more = re.sub(r'\( ', '(', page_for(name)).split('pkg-config', 1)
        assert [part.count(function.text) for part in (synopsis, *more)] == [1, 1], name
    for name, struct in interface.structs.items():
        assert f'struct vcs_{name} ' in page_for(name)
        assert [field.name for field in struct.fields if f'{field.name}' not in page_for(name)] == []


@pytest.mark.skipif(not man_is_there(), reason='man is not installed')
def test_man_finds_a_page_by_every_name():
    for name, title in (('vcsched', 'VCSCHED'), ('vcs_fetch_decisions', 'VCS_FETCH'), ('vcs_task', 'VCS_HOST'),
                        ('vcs_emulate', 'VCEMU_EMULATOR')):
        result = subprocess.run(['man', '-M', MAN_PAGES, '3', name], check=True, capture_output=True, encoding='utf-8',
                                env={**os.environ, 'LC_ALL': 'C', 'MANWIDTH': '80', 'MANPAGER': 'cat', 'PAGER': 'cat'})
        assert result.stdout.lstrip().startswith(f'{title}(3)') and result.stderr == ''


@needs('groff')
def test_pages_of_commands_tell_what_help_tells():
    tool = json.loads(output_of('help', '--json'))
    names = [f"vcemu-{command['name']}.1" for command in tool['commands']]
    assert sorted(path.name for path in (MAN_PAGES / 'man1').iterdir()) == sorted([*names, 'vcemu.1'])
    overview = words(shown(MAN_PAGES / 'man1/vcemu.1'))
    for command, name in zip(tool['commands'], names):
        page = words(shown(MAN_PAGES / 'man1' / name))
        assert words(command['summary']) in overview
        for part in ('summary', 'about', 'notes', 'examples'):
            assert words(command[part]) in page
        for option in command['options']:
            assert words(f"--{option['name']} {option['value'] or ''} {option['about']}") in page
        settable = 'set' in [option['name'] for option in command['options']]
        assert all((parameter['name'] in page) == settable for parameter in tool['parameters'])


def test_pages_are_the_same_whenever_they_are_made(tmp_path):
    pages = []
    for umask, day in ((0o022, '0'), (0o077, '0'), (0o022, '86400')):
        subprocess.run([sys.executable, ROOT / 'doc/man/header_pages.py', ROOT / 'include', tmp_path / day],
                       env={**os.environ, 'SOURCE_DATE_EPOCH': day}, check=True, umask=umask)
        pages.append({path.name: path.read_bytes() for path in (tmp_path / day).iterdir()})
    assert pages[0] == pages[1] != pages[2]
    assert pages[0].keys() == {path.name for path in (MAN_PAGES / 'man3').iterdir()}
    assert b' 1970-01-01 ' in pages[0]['vcs_fetch.3'] and b' 1970-01-02 ' in pages[2]['vcs_fetch.3']


def test_a_header_that_cannot_be_read_is_refused(tmp_path):
    folder = tmp_path / 'include/vcsched'
    folder.mkdir(parents=True)
    (folder / 'abi.h').write_text('/* Nothing. */\nint f(void);\n', encoding='ascii')
    result = subprocess.run([sys.executable, ROOT / 'doc/man/header_pages.py', folder.parent, tmp_path / 'pages'],
                            capture_output=True, encoding='utf-8', check=False)
    assert (result.returncode, result.stderr) == (1, f'{folder}/abi.h: cannot read line 2\n')
    assert not (tmp_path / 'pages').exists()
