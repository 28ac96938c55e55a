#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The site: the manual, the interface, the sources and the first page, as one folder of static files.

    make_site.py ROOT WORK_FOLDER SITE_FOLDER DEPFILE TABLES VCEMU [PLAYGROUND]

TABLES is the program that prints the library's tables (tables.c), PLAYGROUND a page to be put beside the first one.
Both folders are made anew: WORK_FOLDER holds what Sphinx reads and what it warns of. DEPFILE is to name, for Ninja, all
that was read.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / 'man'))
sys.dont_write_bytecode = True

import rule_numbers  # noqa: E402
import timelines  # noqa: E402
from contents import places, with_contents  # noqa: E402
from example_pages import ExamplePages  # noqa: E402
from front_page import front_page  # noqa: E402
from interface import Interface  # noqa: E402
from interface_pages import InterfacePages  # noqa: E402
from manual_pages import ManualPages  # noqa: E402
from source_pages import SourcePages  # noqa: E402
from table_pages import parameters_page, reasons_page, table_rows  # noqa: E402
from tree import PLAYGROUND_PAGE, Tree  # noqa: E402

VERSION = re.compile(r'#define VCS_VERSION "(.+)"')


def source_texts(tree, tables):
    """What Sphinx is to read: path -> text."""
    rules_text = (tree.root / 'doc/rules.md').read_text(encoding='utf-8')
    rules = rule_numbers.in_manual(rules_text)
    interface = Interface(tree, rules)
    reason_header = (tree.root / 'include/vcsched/reason.h').read_text(encoding='utf-8')
    manual = ManualPages(tree, interface, rules, {parameter['name'] for parameter in tables['parameters']})
    interface_pages = InterfacePages(tree, interface, rules, table_rows(tables))
    texts = {path.removeprefix('.'): manual.page(path) for path in tree.texts}
    made = {'doc/timelines.md': timelines.text(),
            'doc/parameters.md': parameters_page(tables, rules_text, interface.links, tree),
            'doc/reasons.md': reasons_page(tables, reason_header, rules_text, tree)}
    texts.update((path, manual.text(path, text)) for path, text in made.items())
    texts.update(interface_pages.pages())
    texts.update(ExamplePages(tree, interface_pages.marked).pages())
    texts['doc/README.md'] = with_contents(texts['doc/README.md'], texts)
    return texts, interface, rules


def pictures(tree):
    return sorted((tree.root / 'doc').rglob('*.svg'))


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding='utf-8')


def write_sources(tree, folder, texts):
    for path, text in texts.items():
        write(folder / path, text)
    for picture in pictures(tree):
        target = folder / picture.relative_to(tree.root)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(picture, target)


def run_sphinx(folder, work, site, version, has_playground):
    """What Sphinx warns of is also in work/warnings.txt, where a test looks."""
    environment = {**os.environ, 'SITE_SOURCE': str(HERE), 'SITE_VERSION': version,
                   'SITE_PLAYGROUND': 'yes' if has_playground else '', 'PYTHONDONTWRITEBYTECODE': '1'}
    subprocess.run([sys.executable, '-m', 'sphinx', '-q', '-w', work / 'warnings.txt', '-c', HERE,
                    '-d', work / 'doctrees', '-b', 'html', folder, site], check=True, env=environment)


def write_source_pages(tree, interface, rules, site, texts, has_playground):
    """The pages of all sources that are shown or that somebody links to, and the lists of their folders."""
    manual = {path.rpartition('.')[0] + '.html' for path in texts}
    folders = {folder for path in tree.sources for folder in pathlib.PurePosixPath(path).parents}
    folders.update(map(pathlib.PurePosixPath, tree.folders))
    lists = {f'{folder.as_posix()}/index.html' for folder in folders if folder.as_posix() != '.'
             and f'{folder.as_posix()}/README.html' not in manual}
    known = manual | lists
    pages = SourcePages(tree, interface, rules, places(has_playground), lambda page: page in known)
    made = set()
    for path in sorted(tree.sources):
        page, text = pages.file_page(path)
        made.add(page)
        write(site / page, text)
    for page in sorted(lists):
        name, text = pages.folder_list(page.rpartition('/')[0], made)
        write(site / name, text)


def write_depfile(tree, path):
    """All files that were read, and the folders of which lists were made."""
    here = [file for file in [*HERE.rglob('*'), *(HERE.parent / 'man').glob('*.py')]
            if file.is_file() and '__pycache__' not in file.parts]
    read = [tree.root / name for name in [*tree.sources, *tree.texts, 'README.md']] + pictures(tree) + here
    folders = {*(file.parent for file in read), *(tree.root / name for name in tree.folders)}
    names = ' '.join(str(file).replace(' ', '\\ ') for file in sorted({*read, *folders}))
    pathlib.Path(path).write_text(f'doc/site/html: {names}\n', encoding='utf-8')


def main():
    root, work, site, depfile, program, vcemu, *playground = sys.argv[1:]
    tree = Tree(root, bool(playground))
    work, site, vcemu = (pathlib.Path(path).resolve() for path in (work, site, vcemu))
    tables = json.loads(subprocess.run([program], check=True, stdout=subprocess.PIPE).stdout)
    version = VERSION.search((tree.root / 'include/vcsched/abi.h').read_text(encoding='ascii'))[1]
    texts, interface, rules = source_texts(tree, tables)
    # No page stays of what is no longer there, and no warning is missed of what was read before.
    for folder in (work, site):
        shutil.rmtree(folder, ignore_errors=True)
    write_sources(tree, work / 'source', texts)
    timelines.emulate(vcemu, tree.root, work / 'source/doc/timelines')
    run_sphinx(work / 'source', work, site, version, bool(playground))
    write_source_pages(tree, interface, rules, site, texts, bool(playground))
    shutil.copytree(work / 'source/doc/timelines', site / 'doc/timelines', dirs_exist_ok=True,
                    ignore=shutil.ignore_patterns('*.svg'))
    for page in playground:
        shutil.copyfile(page, site / PLAYGROUND_PAGE)
    (site / 'index.html').write_text(front_page(tree, texts, vcemu, version, bool(playground)), encoding='utf-8')
    write_depfile(tree, depfile)
    # For whoever looks at the time of the folder.
    os.utime(site)


if __name__ == "__main__":
    main()
