# SPDX-License-Identifier: MIT
"""examples/python/tiny_server.py, where the project's own code fails: at one answer, for a while, or always."""

from __future__ import annotations

import importlib.util
import math
from collections import Counter

import pytest

from conftest import PROJECT_ROOT

pytest.importorskip("vcsched.library", reason="needs the compiled part")

import vcsched as v  # noqa: E402 - known to be there only now

SOURCE = PROJECT_ROOT / "examples" / "python" / "tiny_server.py"


@pytest.fixture(name="tiny", scope="module")
def fixture_tiny():
    """The example as a module."""
    spec = importlib.util.spec_from_file_location("tiny_server", SOURCE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Handled:
    """Counts how often each unit was handled well, and fails where it is told to."""

    def __init__(self, fails=lambda unit, tries: False):
        self.tries, self.well, self._fails = Counter(), Counter(), fails

    def __call__(self, unit, answer):
        self.tries[unit] += 1
        if self._fails(unit, self.tries[unit]):
            raise OSError("the store is away")
        assert answer == unit ** 2
        self.well[unit] += 1


def units_of(server):
    return {unit.id: unit for unit in server.select("unit", v.Unit, "1 ORDER BY id")}


def credit_of(server, host):
    [credit] = server.database.execute("SELECT total(granted) FROM result WHERE host = ?", [host]).fetchone()
    return credit


def test_what_cannot_be_read_costs_that_result_alone(tiny):
    handle = Handled()
    server = tiny.Server(":memory:", handle=handle)
    tiny.run(server)
    assert handle.well == Counter(range(1, tiny.UNITS + 1))
    garbled = server.select("result", v.Result, "host = 7 AND outcome = ?", v.OUTCOME_SUCCESS)
    assert garbled and {result.validate_state for result in garbled} == {v.VALIDATE_INVALID}
    assert credit_of(server, 7) == 0 < credit_of(server, 1)
    told = server.database.execute("SELECT result, error FROM trouble").fetchall()
    assert {result for result, _ in told} == {result.id for result in garbled}
    assert all("invalid literal for int()" in error for _, error in told)
    [reasons] = zip(*server.database.execute(
        f"SELECT reason FROM history WHERE field = 'validate_state' AND result = {garbled[0].id}"))
    assert v.reason_sentence(reasons[-1]) != v.reason_sentence(v.REASON_DIFFERS)


@pytest.mark.parametrize("odd", ["1", 2.5, None, -1, 2 ** 40, v.CLASS_LATER])
def test_what_is_no_class_counts_as_a_failure(tiny, odd):
    server = tiny.Server(":memory:", classify=lambda answer: odd if answer == "\0\0" else int(answer))
    tiny.run(server)
    assert all(unit.assimilated > 0 for unit in units_of(server).values())
    assert credit_of(server, 7) == 0
    assert "is no class" in server.database.execute("SELECT error FROM trouble").fetchone()[0]


def test_a_disk_that_is_away_costs_nobody_credit(tiny):
    """Each answer can be read only the third time; the others go on."""
    tries = Counter()

    def classify(answer):
        tries[answer] += 1
        if tries[answer] <= 2:
            raise OSError("stale handle")
        return int(answer)

    usual, server = tiny.Server(":memory:"), tiny.Server(":memory:", classify)
    for each in (usual, server):
        tiny.run(each)
    assert all(unit.assimilated > 0 and unit.compare_failures == 0 for unit in units_of(server).values())
    assert {credit_of(server, host) > 0 for host in (1, 2, 4, 6)} == {True}
    honest = server.select("result", v.Result, "host IN (1, 2, 4, 6) AND outcome = ?", v.OUTCOME_SUCCESS)
    assert v.VALIDATE_INVALID not in {result.validate_state for result in honest}
    assert sum("stale handle" in error for error, in server.database.execute("SELECT error FROM trouble")) > 12


def test_a_unit_that_fails_again_and_again_waits_for_a_person(tiny):
    """It is tried later and later, and the other units do not wait for it."""
    handle = Handled(lambda unit, tries: unit % 4 == 0)
    server = tiny.Server(":memory:", handle=handle)
    tiny.run(server)
    units = units_of(server)
    assert handle.well == Counter(number for number in units if number % 4)
    stuck = units[4]
    assert stuck.assimilate_time == math.inf and stuck.assimilate_failures == handle.tries[4] == stuck.max_failures
    now = 73 * tiny.HOUR
    handle._fails = lambda unit, tries: False
    server.assimilate(now)
    assert not handle.well[4]
    with server.transaction():
        unit, results = server.load(4)
        server.happens(unit, results, now, v.UnitEvent(kind=v.UNIT_EVENT_WORK_RESUMED, work=v.UNIT_WORK_ASSIMILATE))
    server.assimilate(now)
    server.assimilate(now)
    assert handle.well[4] == 1


def test_a_unit_is_tried_later_each_time(tiny):
    times = []

    class Clocked(tiny.Server):
        """Notes when it was tried."""

        def assimilate(self, now):
            self.now = now
            super().assimilate(now)

    def handle(unit, answer):
        if unit == 1:
            times.append(server.now)
            raise KeyError("unit 1")

    server = Clocked(":memory:", handle=handle)
    tiny.run(server)
    waits = [second - first for first, second in zip(times, times[1:])]
    assert len(waits) == 7 and waits == sorted(waits) and waits[-1] > waits[0]


def test_where_everything_fails_judging_stops_and_nobody_is_to_blame(tiny):
    def classify(answer):
        raise ZeroDivisionError("our own fault")

    server = tiny.Server(":memory:", classify)
    with pytest.raises(tiny.Stopped, match="comparing fails for .*our own fault") as caught:
        tiny.run(server)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    judged = server.select("result", v.Result, "validate_state <> ?", v.VALIDATE_INIT)
    assert judged == []
    assert all(quota.quota == 4 for quota in server.select("quota", v.Quota, "1"))


def test_where_all_assimilation_fails_it_stops(tiny):
    handle = Handled(lambda unit, tries: True)
    server = tiny.Server(":memory:", handle=handle)
    with pytest.raises(tiny.Stopped, match="assimilation fails for 4 of the last 4.*the store is away"):
        tiny.run(server)
    assert len(handle.tries) == 4


def test_one_host_cannot_stop_the_project(tiny):
    """The garbled host alone answers, and again and again: nothing is judged by that, and nothing stops."""
    server = tiny.Server(":memory:")
    evidence = server.compared
    for _ in range(1000):
        evidence.note(7, True)
        evidence.check("comparing", ValueError())
    for host in range(3):
        evidence.note(host, False)
    assert not evidence.is_against_us()
    evidence.check("comparing", ValueError())
