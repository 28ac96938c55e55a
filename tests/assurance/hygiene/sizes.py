#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A program that calls one function of the library links what that function needs, and little more.

    sizes.py SOURCE_ROOT LIBRARY COMPILER

Links a program for each function with the static library, as anybody would, without special flags, and compares its
text with the text of an empty program, as `size` counts it. Prints what it measured: the table of doc/figures.md.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

import public_headers

# KB (1,000 bytes) of text above an empty program, at the most.
KERNEL = 15
LIMITS = {name: KERNEL for name in (
    'vcs_average_blend', 'vcs_correction_update', 'vcs_usable_update', 'vcs_estimate_remaining', 'vcs_debt_update',
    'vcs_rank', 'vcs_backoff', 'vcs_backoff_range_init', 'vcs_project_timer_wait', 'vcs_transfer_backoff_failed',
    'vcs_result_overdue', 'vcs_result_needed', 'vcs_credit_granted', 'vcs_change_apply', 'vcs_verify', 'vcs_vote',
    'vcs_trust_update', 'vcs_quota_take', 'vcs_next_request_delay', 'vcs_job_send', 'vcs_dispatch_next',
    'vcs_transition', 'vcs_chance_to_finish',
    'vcs_spells_means', 'vcs_report_latest', 'vcs_hours_add', 'vcs_give_up', 'vcs_admit_by_chance')}
# These hold more than one kernel in an object file; none may grow.
LIMITS.update({'vcs_reply_apply': 19, 'vcs_rpc_next': 20, 'vcs_validate': 18, 'vcs_unit_handle_event': 21})
# These stand on what several others stand on.
LIMITS.update({'vcs_hours_spells': 18, 'vcs_hours_report_latest': 19})
CLIENT = 250


def text_of(compiler, folder, source, root, *libraries):
    program = folder / 'program'
    subprocess.run([compiler, f'-I{root}/include', source, *libraries, '-o', program], check=True)
    table = subprocess.run(['size', program], check=True, capture_output=True, text=True).stdout
    return int(re.search(r'^ *(\d+)', table, re.MULTILINE).group(1))


def main():
    root, library, compiler = pathlib.Path(sys.argv[1]), *sys.argv[2:]
    problems = []
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        source = folder / 'program.c'
        source.write_text('int main(void) {\n    return 0;\n}\n', encoding='ascii')
        empty = text_of(compiler, folder, source, root)
        measured = []
        for name, limit in LIMITS.items():
            source.write_text('#include <vcsched/vcsched.h>\ntypedef void (*function)(void);\nint main(void) {\n'
                              f'    function volatile used = (function){name};\n    return used == 0;\n}}\n',
                              encoding='ascii')
            measured.append((name, limit, text_of(compiler, folder, source, root, library) - empty))
        client = root / 'examples/c/client_loop.c'
        measured.append(('client_loop.c', CLIENT, text_of(compiler, folder, client, root, library, '-lm') - empty))
    for name, limit, size in measured:
        print(f'| {name} | {size / 1000:.1f} |')
        if size > limit * 1000:
            problems.append(f'{name} adds {size} bytes of text to a program, more than {limit} KB')
    public_headers.finish(problems)


main()
