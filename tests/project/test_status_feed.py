# SPDX-License-Identifier: MIT
"""One look for all who watch, seldom enough, and nothing is lost or left behind."""

from __future__ import annotations

import gc
import json
import threading
import time

import pytest

from status.feed import Busy, Feed


class Clock:
    """Time that passes when the test says so."""

    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


class Looks:
    """What is looked at: it takes some time, and may fail."""

    def __init__(self, clock, cost=0.0):
        self.clock, self.cost, self.count, self.found = clock, cost, 0, {"a": 1, "b": [2]}

    def __call__(self):
        self.count += 1
        self.clock.now += self.cost
        if isinstance(self.found, Exception):
            raise self.found
        return self.found


@pytest.fixture(name="clock")
def test_clock():
    return Clock()


def events(content):
    """{name: data} of server-sent events."""
    found = {}
    for block in content.decode().split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
        if "event" in lines:
            found[lines["event"]] = json.loads(lines["data"])
    return found


def test_a_viewer_gets_everything_first_and_then_what_has_changed(clock):
    looks = Looks(clock)
    viewer = Feed(looks, clock=clock).watch()
    assert next(viewer) == b"retry: 3000\n\n"
    assert events(next(viewer)) == {"a": 1, "b": [2], "trouble": None}
    looks.found = {"a": 1, "b": [3]}
    clock.now += 1
    assert events(next(viewer)) == {"b": [3]}
    clock.now += 1
    assert next(viewer) == b": nothing new\n\n"


def test_all_viewers_share_a_look(clock):
    looks = Looks(clock)
    feed = Feed(looks, clock=clock)
    viewers = [feed.watch() for _ in range(20)]
    for viewer in viewers:
        next(viewer)
        assert events(next(viewer)) == {"a": 1, "b": [2], "trouble": None}
    assert looks.count == 1
    looks.found = {"a": 5}
    got = []
    threads = [threading.Thread(target=lambda viewer=viewer: got.append(next(viewer))) for viewer in viewers]
    for thread in threads:
        thread.start()
    time.sleep(0.1)  # whether they wait already or not, nothing comes before its time
    assert not got and looks.count == 1
    clock.now += 1
    for thread in threads:
        thread.join()
    assert len(got) == 20 and all(events(content) == {"a": 5} for content in got)
    assert looks.count == 2
    assert json.loads(feed.now()) == {"a": 5, "b": [2], "trouble": None}
    assert looks.count == 2


def test_nobody_looks_while_nobody_watches(clock):
    looks = Looks(clock)
    feed = Feed(looks, clock=clock)
    clock.now += 1000
    assert looks.count == 0
    feed.now()
    clock.now += 1000
    assert looks.count == 1


@pytest.mark.parametrize("cost, interval", [(0.0, 1.0), (0.04, 1.0), (0.2, 4.0), (0.7, 14.0), (20.0, 35.0)])
def test_looking_takes_at_most_a_twentieth_of_the_time_but_the_page_never_stands_still(clock, cost, interval):
    looks = Looks(clock, cost)
    feed = Feed(looks, clock=clock)
    began = clock.now
    feed.now()
    clock.now = began + interval - 0.001
    feed.now()
    assert looks.count == 1
    clock.now = began + interval + 0.001
    feed.now()
    assert looks.count == 2


@pytest.mark.parametrize("broken", [RuntimeError("the database is away"), {"a": float("nan")}, {"a": object()}])
def test_a_look_that_fails_is_told_and_the_next_one_counts(clock, broken):
    looks = Looks(clock)
    viewer = Feed(looks, clock=clock).watch()
    next(viewer)
    next(viewer)
    good, looks.found = looks.found, broken
    clock.now += 1
    told = events(next(viewer))
    assert list(told) == ["trouble"] and told["trouble"].split(":")[0] in ("RuntimeError", "ValueError", "TypeError")
    looks.found = good
    clock.now += 1
    assert events(next(viewer)) == {"trouble": None}


def test_a_first_look_that_fails_is_told(clock):
    looks = Looks(clock)
    looks.found = RuntimeError("away")
    assert json.loads(Feed(looks, clock=clock).now()) == {"trouble": "RuntimeError: away"}


def test_there_are_only_so_many_viewers(clock):
    feed = Feed(Looks(clock), viewers=3, clock=clock)
    viewers = [feed.watch() for _ in range(3)]
    with pytest.raises(Busy, match="3 watch this page already"):
        feed.watch()
    viewers[0].close()
    viewers[0].close()  # to leave twice is to leave
    assert feed.viewers == 2
    with pytest.raises(StopIteration):
        next(viewers[0])
    del viewers[1]  # nobody has it any more, and it never began
    gc.collect()
    assert feed.viewers == 1
    assert json.loads(feed.now())["a"] == 1
