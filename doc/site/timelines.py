# SPDX-License-Identifier: MIT
"""Scenarios of the examples, emulated while the site is made: a picture of each, and a page to zoom into."""

import subprocess
import sys

# Title, scenario, options, what it shows.
TIMELINES = (
    ('Off at night, with unreliable servers', 'unreliable', ['--days', '4'],
     'Three projects share four CPUs. The computer is off at night, one server fails now and then, another moves.'),
    ('Projects take turns', 'in_turn', ['--set', 'scheduling=round_robin'],
     'Whatever the deadlines ([rule 5.1](rules.md#rule-5.1)): two of three jobs of `storms` come too late.'),
    ('Late jobs go first', 'in_turn', [],
     'The same jobs, but jobs that would be late go first ([rule 5.2](rules.md#rule-5.2)): none is.'),
    ('Off more often than on', 'off_by_turns', ['--days', '14'],
     'On for four hours and off for six, on average. What is lost here whatever the policy, [`vcemu '
     'bound`](vcemu.md#vcemu-bound-scenario-what-is-lost-whatever-the-policy) says.'),
    ('Off more often than on, under steady', 'off_by_turns', ['--days', '14', '--profile', 'steady'],
     'The same fortnight under the profile [`steady`](policies.md#the-profile-steady).'),
)


def emulate(vcemu, root, folder):
    """Writes NUMBER.svg and NUMBER.html for each into the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, (_, scenario, options, _) in enumerate(TIMELINES, 1):
        trace, outcome = folder / 'trace.csv', folder / 'outcome.json'
        with open(outcome, 'w', encoding='utf-8') as stream:
            subprocess.run([vcemu, 'run', f'examples/scenarios/{scenario}.ini', *options, '--trace', trace, '--json',
                            '--timeline', folder / f'{number}.html'], cwd=root, check=True, stdout=stream)
        with open(folder / f'{number}.svg', 'w', encoding='utf-8') as stream:
            subprocess.run([sys.executable, root / 'examples/study/timeline_svg.py', trace, outcome], check=True,
                           stdout=stream)
        trace.unlink()
        outcome.unlink()


def text():
    """The page of all of them; its links are those of a text in doc/."""
    lines = ['# Timelines', '',
             'What happens on a computer, as the emulator tells it. Each picture has a page on which one can zoom.']
    for number, (title, scenario, options, about) in enumerate(TIMELINES, 1):
        command = ' '.join(['vcemu run', f'examples/scenarios/{scenario}.ini', *options, '--timeline page.html'])
        lines += ['', f'## {title}', '', about, '', f'![{title}](timelines/{number}.svg)', '',
                  f'[Zoom into it](site:doc/timelines/{number}.html), or draw it yourself:', '', f'    {command}']
    return '\n'.join(lines) + '\n'
