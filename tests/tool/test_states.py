# SPDX-License-Identifier: MIT
"""The states of examples/states, each of which was once decided wrongly."""

import json

from vcemu_examples import output_of


def answer_of(command, state, *options):
    return json.loads(output_of(command, f'examples/states/{state}.ini', '--json', *options))


def running(plan):
    return [task['name'] for task in plan['tasks'] if task['run']]


def test_a_short_period_does_not_change_the_ranking():
    """The REC of comets counts 100 + 203 * (3600 / 86400) / 2 = 104.2 once comet_1 is picked: more than 103."""
    assert running(answer_of('plan', 'two_minute_period')) == ['comet_1', 'river_1']


def test_a_short_first_job_does_not_waste_those_after_it():
    """The factor falls to 0.99 + 0.01 * 0.04 at most. At 0.04, jobs for weeks were fetched: waste was 0.40."""
    run = answer_of('run', 'short_first_job')
    assert run['waste'] == 0
    assert run['idleness'] < 1e-3
