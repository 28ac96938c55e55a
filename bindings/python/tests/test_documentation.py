# SPDX-License-Identifier: MIT
"""The examples run, and so does every snippet of the manual's page."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from conftest import PACKAGE, PROJECT_ROOT

pytest.importorskip("vcsched.library", reason="needs the compiled part")

EXAMPLES = PROJECT_ROOT / "examples"
PAGE = (PROJECT_ROOT / "doc" / "python.md").read_text(encoding="utf-8")
SNIPPETS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


def run_example(name, *arguments, cwd):
    ended = subprocess.run([sys.executable, str(EXAMPLES / "python" / name), *map(str, arguments)], cwd=cwd,
                           env={**os.environ, "PYTHONPATH": str(PACKAGE)}, check=False, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def test_why_idle_has_a_sentence_for_each_processor(tmp_path):
    printed = run_example("why_idle.py", EXAMPLES / "scenarios" / "client_state.xml", cwd=tmp_path)
    assert "CPU: " in printed and "NVIDIA: " in printed
    assert all(line.endswith(".") for line in printed.splitlines())


def fairness_chart(printed):
    """Violations by half-life, and the length of their bars."""
    title, *rows = printed.splitlines()
    assert title.startswith("share violation after 2 days")
    cells = [row.split() for row in rows]
    assert [row[:2] for row in cells] == [[number, "days"] for number in ("0.1", "0.3", "1", "3", "10", "30")]
    return [float(row[2]) for row in cells], [len("".join(row[3:])) for row in cells]


def test_fairness_draws_its_figure(tmp_path):
    pytest.importorskip("matplotlib")
    violations, _ = fairness_chart(run_example("fairness.py", tmp_path / "figure.png", 2, cwd=tmp_path))
    assert all(0 <= violation < 0.2 for violation in violations)
    assert (tmp_path / "figure.png").read_bytes().startswith(b"\x89PNG")


def test_fairness_draws_its_chart_without_matplotlib(tmp_path):
    (tmp_path / "matplotlib.py").write_text("raise ImportError('as if it were not installed')", encoding="utf-8")
    command = [sys.executable, str(EXAMPLES / "python" / "fairness.py"), str(tmp_path / "figure.png"), "2"]
    ended = subprocess.run(command, env={**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{PACKAGE}"}, check=False,
                           capture_output=True, text=True)
    violations, bars = fairness_chart(ended.stdout)
    assert max(bars) == bars[violations.index(max(violations))] == 60
    assert all(abs(bar - 60 * violation / max(violations)) < 1 for bar, violation in zip(bars, violations))
    assert (ended.returncode, ended.stderr) == (1, f"{tmp_path}/figure.png is not drawn: matplotlib is not installed\n")
    assert not (tmp_path / "figure.png").exists()


def test_a_fetch_of_one_s_own_stands_in_a_table_beside_the_built_in_ones(tmp_path):
    printed = run_example("custom_fetch.py", EXAMPLES / "study" / "base.ini", 1, cwd=tmp_path).splitlines()
    assert printed[0].split() == ["waste", "idleness", "share_violation", "rpcs_per_job"]
    rows = {line[:10].strip(): list(map(float, line[10:].split())) for line in printed[1:]}
    assert list(rows) == ["wf1", "wf2", "current", "original", "one each"]
    assert all(0 <= figure <= 1 for row in rows.values() for figure in row[:3])
    assert rows["one each"] != rows["current"]


def test_the_table_of_designs_is_the_one_that_the_example_prints(tmp_path):
    table = re.search(r"```\n( +units done .*?)```", PAGE, re.DOTALL)[1]
    assert run_example("replication.py", cwd=tmp_path) == table and len(table.splitlines()) == 5


def test_the_tiny_server_finds_out_what_is_right(tmp_path):
    printed = run_example("tiny_server.py", tmp_path / "grid.sqlite", cwd=tmp_path)
    answers = dict(re.findall(r"^unit (\d+): (\d+), from \d copies, done after \d+ h$", printed, re.MULTILINE))
    assert answers == {str(number): str(number ** 2) for number in range(1, 13)}
    hosts = {kind: (int(credit), int(valid)) for kind, credit, valid in
             re.findall(r"\((\w+)\): (\d+) h of credit, (\d+) valid in a row", printed)}
    assert hosts["liar"] == hosts["silent"] == (0, 0) and min(hosts["honest"]) > 0
    assert "It does not match the canonical result." in printed


def test_the_snippets_of_the_page_run_one_after_the_other(tmp_path, monkeypatch):
    pytest.importorskip("numpy")
    (tmp_path / "examples").symlink_to(EXAMPLES)
    monkeypatch.chdir(tmp_path)
    names = {}
    assert len(SNIPPETS) >= 6
    for snippet in SNIPPETS:
        exec(compile(snippet, "doc/python.md", "exec"), names)
