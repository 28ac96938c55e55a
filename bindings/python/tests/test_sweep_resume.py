# SPDX-License-Identifier: MIT
"""Sweeps that were killed or interrupted, and go on from a file."""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
import threading
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import pytest

from conftest import PACKAGE

pytest.importorskip("vcsched.library", reason="needs the compiled part")
import vcsched as v  # noqa: E402 - only with the compiled part
from sweep_case import GRID, Failing, Interrupting, Moody, scenario  # noqa: E402
from vcsched import sweep_work  # noqa: E402

EMULATIONS = 12
PROGRAM = """
import os, signal, sys
sys.path[:0] = {path!r}
from concurrent.futures import ThreadPoolExecutor
import vcsched as v
from sweep_case import GRID, Moody, scenario

def watch(done, of):
    if done == 5:
        os.kill(os.getpid(), signal.{signal})

try:
    with ThreadPoolExecutor(2) as executor:
        v.sweep(scenario(), GRID, seeds=3, policy=Moody, resume={file!r}, progress=watch, chunk=1,
                executor=executor if {pool} else None)
except v.SweepInterrupted as interrupted:
    print(len(interrupted.sweep.runs), signal.getsignal(signal.SIGTERM) == signal.SIG_DFL)
"""


def whole(path=None, **others):
    return v.sweep(scenario(), GRID, seeds=3, policy=Moody, resume=path, **others)


@pytest.fixture(name="unbroken", scope="module")
def fixture_unbroken():
    return pickle.dumps(whole())


def lines(path):
    return Path(path).read_bytes().splitlines(keepends=True)


@pytest.mark.parametrize("pool", [False, True])
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGKILL"])
def test_a_sweep_that_was_killed_goes_on(tmp_path, unbroken, name, pool):
    path = str(tmp_path / "sweep.jsonl")
    program = PROGRAM.format(path=[str(PACKAGE), str(Path(__file__).parent)], signal=name, file=path, pool=pool)
    ended = subprocess.run([sys.executable, "-c", program], check=False, capture_output=True, text=True)
    kept = len(lines(path))
    if name == "SIGKILL":
        assert ended.returncode == -signal.SIGKILL and kept >= 5
    else:
        assert (ended.returncode, ended.stdout.split(), ended.stderr) == (0, [str(kept), "True"], "")
        assert 5 <= kept < EMULATIONS
    seen = []
    assert pickle.dumps(whole(path, progress=lambda done, of: seen.append((done, of)))) == unbroken
    assert seen == [(number, EMULATIONS) for number in range(1, EMULATIONS + 1)]
    assert len(lines(path)) == EMULATIONS  # so none was done twice
    assert pickle.dumps(whole(path)) == unbroken and len(lines(path)) == EMULATIONS


def test_a_line_that_is_not_whole_is_dropped(tmp_path, unbroken):
    path = tmp_path / "sweep.jsonl"
    whole(path)
    content = path.read_bytes()
    for size in (len(content) - 1, len(content) - 200, 10, 0):
        path.write_bytes(content[:size])
        assert pickle.dumps(whole(path)) == unbroken
        assert path.read_bytes() == content


@pytest.mark.parametrize("line", ["waste,idleness", "{}", "[1]", "7", '{"of":"x","values":{},"seed":1,"outcome":{},'
                                  '"projects":{},"resources":{}}'])
def test_another_file_is_refused_and_stays_as_it_is(tmp_path, line):
    path = tmp_path / "table.csv"
    whole(path)
    content = path.read_text(encoding="utf-8") + line + "\nthe end"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ValueError, match=f"table.csv:{EMULATIONS + 1}: this is not a line of a sweep"):
        whole(path)
    assert path.read_text(encoding="utf-8") == content


def test_a_file_that_another_sweep_writes_is_refused(tmp_path):
    pytest.importorskip("fcntl")
    path = str(tmp_path / "sweep.jsonl")
    first = v.sweep_runs(scenario(), seeds=2, resume=path)
    next(first)
    with pytest.raises(BlockingIOError, match="another sweep is writing to this file"):
        v.sweep(scenario(), seeds=2, resume=path)
    first.close()
    assert len(v.sweep(scenario(), seeds=2, resume=path).runs) == len(lines(path)) == 2


def test_only_what_is_the_same_counts(tmp_path):
    path = str(tmp_path / "sweep.jsonl")
    base = scenario()

    def done_anew(emulated, **how):
        before = len(lines(path)) if os.path.exists(path) else 0
        assert v.sweep(emulated, resume=path, **how) == v.sweep(emulated, **how)
        return len(lines(path)) - before

    assert done_anew(base, grid={"host.cpus": [1, 2]}, seeds=2) == 4
    assert done_anew(base, grid={"host.cpus": [1, 2, 3]}, seeds=3) == 5  # one point and one seed more
    assert done_anew(base, grid={"host.cpus": [2]}, seeds=[5, 77]) == 1
    assert done_anew(base.replace(switches=[1000.0]), grid={"host.cpus": [2]}) == 1
    assert done_anew(base.replace(parameters="current"), grid={"host.cpus": [2]}) == 1
    assert done_anew(base.replace(emulation=base.course.replace(duration=3e5)), grid={"host.cpus": [2]}) == 1
    assert done_anew(base.replace(projects=[project.replace(share=9.0) for project in base.projects]),
                     grid={"host.cpus": [2]}) == 1
    assert done_anew(base, grid={"host.cpus": [2]}, policy=Moody) == 1
    assert done_anew(base, grid={"host.cpus": [2]}, policy=partial(Moody, most=2)) == 1
    assert done_anew(base, grid={"host.cpus": [2]}, policy=partial(Moody, most=2)) == 0
    assert done_anew(base, grid={"host.cpus": [2]}, policy=partial(Moody, most=3)) == 1
    assert done_anew(base, grid={"host.cpus": [2]}, policy=lambda seed: Moody(seed)) == 1
    assert done_anew(base, grid={"host.cpus": [2]}, policy=lambda seed: Moody(seed, 2)) == 1
    assert done_anew({"a": base, "b": base}) == 2


def test_files_of_several_machines_one_behind_the_other(tmp_path, unbroken):
    parts = [tmp_path / f"part{number}.jsonl" for number in range(2)]
    for number, part in enumerate(parts):
        v.sweep(scenario(), GRID, seeds=[[5, 7], [6]][number], policy=Moody, resume=part)
    together = tmp_path / "together.jsonl"
    together.write_bytes(b"".join(part.read_bytes() for part in parts))
    assert pickle.dumps(whole(together)) == unbroken
    assert len(lines(together)) == EMULATIONS


def test_a_line_names_all_fields(tmp_path):
    path = tmp_path / "sweep.jsonl"
    run, = v.sweep(scenario(), {"host.cpus": [1]}, resume=path).runs
    line = json.loads(path.read_text(encoding="utf-8"))
    assert (line["values"], line["seed"]) == ({"host.cpus": 1}, 5)
    assert line["projects"]["Q"]["received"] == run.projects["Q"].received
    assert line["resources"]["CPU"]["off"] == run.resources["CPU"].off
    assert line["outcome"]["flags"] == run.outcome.flags and len(line["outcome"]) == len(v.Outcome.fields)


@pytest.mark.parametrize("executor", [None, ThreadPoolExecutor, ProcessPoolExecutor])
@pytest.mark.parametrize("policy, ends", [(Interrupting, v.SweepInterrupted), (Failing, ZeroDivisionError)])
def test_what_was_done_before_is_in_the_file(tmp_path, policy, ends, executor):
    """Seeds 5 and 6 are in the chunk in which that with 7 ends it."""
    path = str(tmp_path / "sweep.jsonl")
    context = {"mp_context": get_context("forkserver")} if executor is ProcessPoolExecutor else {}
    with (executor or ThreadPoolExecutor)(1, **context) as pool, pytest.raises(ends) as caught:
        v.sweep(scenario(), seeds=100, policy=policy, resume=path, executor=pool if executor else None, chunk=100)
    assert [json.loads(line)["seed"] for line in lines(path)] == [5, 6]
    if ends is v.SweepInterrupted:
        assert [run.seed for run in caught.value.sweep.runs] == [5, 6]
        assert str(caught.value) == "the sweep was interrupted after 2 emulations"


def test_what_is_under_way_when_the_signal_comes_counts(monkeypatch):
    """The emulation with seed 6 has begun before and ends after the signal, which comes when the one with 5 is done."""
    monkeypatch.setattr(sweep_work, "_PATIENCE_SECONDS", 1e6)
    begun, signalled = threading.Event(), threading.Event()

    class Waiting:
        def __init__(self, seed):
            self.waits = seed == 6

        def fetch(self, situation, question):
            if self.waits:
                begun.set()
                signalled.wait()
            return situation.state.fetch(question)

    def interrupt(done, of):
        if done == 1:
            begun.wait()
            os.kill(os.getpid(), signal.SIGINT)
            signalled.set()

    with ThreadPoolExecutor(2) as executor, pytest.raises(v.SweepInterrupted) as caught:
        v.sweep(scenario(), seeds=100, policy=Waiting, executor=executor, chunk=1, progress=interrupt)
    seeds = [run.seed for run in caught.value.sweep.runs]
    assert 5 in seeds and 6 in seeds and len(seeds) <= 6


def test_a_stream_that_was_interrupted_says_so():
    runs = v.sweep_runs(scenario(), seeds=100, policy=Interrupting)
    assert [next(runs).seed, next(runs).seed] == [5, 6]
    with pytest.raises(KeyboardInterrupt):
        next(runs)


def test_signals_of_the_program_itself_stay(tmp_path):
    seen = []
    before = signal.signal(signal.SIGTERM, lambda number, frame: seen.append(number))
    try:
        found = v.sweep(scenario(), seeds=5,
                        progress=lambda done, of: done == 2 and os.kill(os.getpid(), signal.SIGTERM))
    finally:
        signal.signal(signal.SIGTERM, before)
    assert len(found.runs) == 5 and seen == [signal.SIGTERM]
