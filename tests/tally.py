#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counts what a run of `meson test` proved, cmocka's and pytest's own tests one by one.

    tally.py LOG [AGAIN]        prints two numbers: tests passed, and tests failed
    tally.py --foreign LOG      prints the names of the tests with programs of others that failed

Meson counts programs. This reads its log, in which cmocka was told to write XML. What failed and why goes to the
standard error. Skipped tests count as neither. AGAIN is the log of programs that ran once more: only that counts.
"""

import json
import re
import sys

CMOCKA_SUITE = re.compile(r'<testsuite name="[^"]*" time="[^"]*" '
                          r'tests="(\d+)" failures="(\d+)" errors="(\d+)" skipped="(\d+)"')
CMOCKA_CASE = re.compile(r'<testcase name="([^"]*)"[^>]*>\s*<(?:failure|error)><!\[CDATA\[(.*?)\]\]>', re.DOTALL)
PYTEST_SUMMARY = re.compile(r'^=* ?((?:\d+ [a-z]+, )*\d+ [a-z]+) in [\d.]+s.*$', re.MULTILINE)
ENDED_WELL = ('OK', 'EXPECTEDFAIL')
FOREIGN = 'foreign'
"""The suite of tests in which programs of others have a part: the deployed client, browsers, schedulers of clusters."""


def count_cmocka(output):
    """(passed, failed) over the groups of a cmocka program, or None if it is none or did not get to its report."""
    suites = [tuple(map(int, match)) for match in CMOCKA_SUITE.findall(output)]
    if not suites:
        return None
    tests, failures, errors, skipped = (sum(column) for column in zip(*suites))
    return tests - failures - errors - skipped, failures + errors


def count_pytest(output):
    """(passed, failed) of a run of pytest, or None if it is none or did not get to its summary."""
    summaries = PYTEST_SUMMARY.findall(output)
    if not summaries:
        return None
    counts = {kind: int(number) for number, kind in (part.split() for part in summaries[-1].split(', '))}
    return counts.get('passed', 0), sum(counts.get(kind, 0) for kind in ('failed', 'error', 'errors'))


def count_program(entry):
    """(passed, failed) of one program. One that ended badly has failed at least once, whatever it reported."""
    if entry['result'] == 'SKIP':
        return 0, 0
    output = entry.get('stdout', '')
    passed, failed = count_cmocka(output) or count_pytest(output) or (int(entry['result'] in ENDED_WELL), 0)
    if entry['result'] not in ENDED_WELL:
        failed = max(failed, 1)
    return passed, failed


def explain(entry):
    """Why a program failed: the tests that failed in it, or the end of what it printed."""
    print(f"--- {entry['name']}: {entry['result']}, exit status {entry.get('returncode')}", file=sys.stderr)
    output = entry.get('stdout', '')
    cases = CMOCKA_CASE.findall(output)
    for name, message in cases:
        print(f'{name}: {message}', file=sys.stderr)
    for text in ([] if cases else [output]) + [entry.get('stderr', '')]:
        print('\n'.join(text.splitlines()[-60:]), file=sys.stderr)


def read(path):
    """The entries of a log, by name."""
    with open(path, encoding='utf-8') as log:
        return {entry['name']: entry for entry in map(json.loads, log)}


def print_foreign(path):
    """Those that failed. Meson's names are like "vcsched:foreign+project / project_run"."""
    for name, entry in read(path).items():
        suites, _, program = name.partition(' / ')
        if FOREIGN in suites.partition(':')[2].split('+') and count_program(entry)[1]:
            print(program)


def main():
    if sys.argv[1] == '--foreign':
        print_foreign(sys.argv[2])
        return
    passed = failed = 0
    entries, again = read(sys.argv[1]), read(sys.argv[2]) if sys.argv[2:] else {}
    for name in entries:
        tries = [log[name] for log in (entries, again) if name in log]
        program_passed, program_failed = count_program(tries[-1])
        passed += program_passed
        failed += program_failed
        for entry in tries:
            if count_program(entry)[1]:
                explain(entry)
    print(passed, failed)


if __name__ == '__main__':
    main()
