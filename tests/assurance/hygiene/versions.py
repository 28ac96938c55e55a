#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The version stands in the public header; whatever else names it agrees, and nothing else has one of its own.

    versions.py SOURCE_ROOT [--released]

CHANGELOG.md begins with that version, as "VERSION (unreleased)" or "VERSION - YYYY-MM-DD"; CITATION.cff has the same
version, and the same date or none; README.md says which it is; the newest node of each version script is at most that
old. The crate for Rust is used as it lies in the source tree, so it has the version, too; packages of other languages
take it from the build. With --released, there must be a date.
"""

import pathlib
import re
import sys

import public_headers

NUMBER = re.compile(r'^#define VCS_VERSION_\w+ +(\d+)$', re.MULTILINE)
TEXT = re.compile(r'^#define VCS_VERSION "(.*)"$', re.MULTILINE)
HEADING = re.compile(r'^## (\S+) (?:\((unreleased)\)|- (\d{4}-\d\d-\d\d))$', re.MULTILINE)
NODE = re.compile(r'^VC(?:SCHED|EMU)_([\d.]+) \{', re.MULTILINE)
# What a package says instead of a version, and the pattern of a version of its own.
PACKAGES = (('bindings/python/source.toml', 'dynamic = ["version"]', r'^version\s*='),
            ('bindings/js/vcsched/package.json', '"version": "@VERSION@"', r'"version": "\d'),
            ('bindings/lua/vcsched-scm-1.rockspec', 'version = "scm-1"', r'^version = "\d'))


def numbers(version):
    return [int(number) for number in version.split('.')]


def problems_in(root, released):
    def text_of(name):
        return (root / name).read_text(encoding='utf-8')

    header = text_of('include/vcsched/abi.h')
    [version] = TEXT.findall(header)
    if not re.fullmatch(r'\d+\.\d+\.\d+(-rc[1-9]\d*)?', version):
        yield f'include/vcsched/abi.h: {version} is not a version'
        return
    if NUMBER.findall(header) != re.findall(r'\d+', version)[:3]:
        yield f'include/vcsched/abi.h: VCS_VERSION is {version}, and the numbers say something else'
    heading = HEADING.search(text_of('CHANGELOG.md'))
    date = heading[3] if heading else None
    if not heading or heading[1] != version:
        yield f'CHANGELOG.md: does not begin with "## {version} (unreleased)" or "## {version} - YYYY-MM-DD"'
    elif released and not date:
        yield f'CHANGELOG.md: {version} has no date'
    cited = dict(re.findall(r'^(version|date-released): "?([^"\n]+)"?$', text_of('CITATION.cff'), re.MULTILINE))
    if cited.get('version') != version:
        yield f"CITATION.cff: version {cited.get('version')} instead of {version}"
    if cited.get('date-released') != date:
        yield f"CITATION.cff: date-released {cited.get('date-released')}, but the changelog has {date}"
    status = f'Version {version}{"." if date else ", not yet released."}'
    if status not in text_of('README.md'):
        yield f'README.md: does not say "{status}"'
    for name in ('lib/vcsched/vcsched.map', 'lib/vcemu/vcemu.map'):
        for node in NODE.findall(text_of(name)):
            if numbers(node) > numbers(version.split('-')[0]):
                yield f'{name}: node {node} is newer than {version}'
    crate = re.findall(r'^version = "(.*)"$', text_of('bindings/rust/Cargo.toml'), re.MULTILINE)
    if crate != [version]:
        yield f"bindings/rust/Cargo.toml: version {', '.join(crate)} instead of {version}"
    for name, says, own in PACKAGES:
        text = text_of(name)
        if says not in text or re.search(own, text, re.MULTILINE):
            yield f'{name}: must have no version but {says}'


def main():
    root = pathlib.Path(sys.argv[1])
    public_headers.finish(list(problems_in(root, sys.argv[2:] == ['--released'])))


main()
