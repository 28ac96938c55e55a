# SPDX-License-Identifier: MIT
"""The commands of the server: what they say when something is wrong, and accounts."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any, List

import pytest

from running import BUILD, Grid, until

pytestmark = pytest.mark.skipif(not BUILD, reason="VCSCHED_BUILD names no build")

load = pytest.importorskip("load")


@pytest.fixture(name="grid", scope="module")
def fixture_grid(tmp_path_factory: Any) -> Any:
    with Grid(tmp_path_factory.mktemp("grid"), units=1) as grid:
        grid.start("--no-daemons")
        yield grid


@pytest.mark.parametrize("arguments, expected", [
    (["init", "--work", "countdown:Countdown"], "there is a project already"),
    (["add-user", "ann@example.org"], "there is an account with this address"),
    (["daemon", "--only", "validate,dance"], "--only dance: there is no such daemon"),
    (["daemon", "--part", "3/2"], "--part 3/2: not like 1/2"),
])
def test_what_cannot_be_done_is_said(grid: Grid, arguments: List[str], expected: str) -> None:
    said = grid.command(*arguments, status=1)
    assert expected in said and len(said.splitlines()) == 1


@pytest.mark.parametrize("name, value, expected", [
    ("url", "nonsense", "not like http://HOST/"), ("listen", "here", "not like 127.0.0.1:8080"),
    ("quota", "many", "quota: 'many' is not like 1000"), ("quota", -1, "less than 0"), ("quota", 0, "not at least 1"),
    ("registration", 1, "is not like True"), ("send_rule", "ws3", "neither ws1 nor ws2"),
    ("database", "mysql:x", "neither sqlite:FILE nor postgresql:"), ("work", "nowhere:Nothing", "nowhere"),
    ("work", "os:getcwd", "is not a server.work.Work"), ("colour", "red", "colour: there is no such setting"),
    ("options", {"size": 3}, "options: "),
])
def test_a_setting_that_cannot_be_is_named(tmp_path: Path, name: str, value: Any, expected: str) -> None:
    with Grid(tmp_path) as grid:
        grid.set(name, value)
        said = grid.command("daemon", "--once", status=1)
        assert expected in said and len(said.splitlines()) == 1


GOOD = {"folder": "tiles", "worker": "worker"}


def init(grid: Grid, cwd: Path, folder: str, options: Any, *others: str, status: int = 0) -> str:
    """Makes another project in a folder in `cwd`, where the command is run."""
    return grid.command("init", "--work", "picture.work:PictureWork", "--set", "options=" + json.dumps(options),
                        *others, status=status, folder=Path(folder), cwd=cwd)


@pytest.mark.parametrize("work, options, others, expected", [
    ("picture.work:Pictur", GOOD, [], "has no attribute 'Pictur'"),
    ("nosuch:X", GOOD, [], "No module named 'nosuch'"),
    ("picture.work:PictureWork", {**GOOD, "plac": "whole"}, [], "unexpected keyword argument 'plac'"),
    ("picture.work:PictureWork", {**GOOD, "place": "moon"}, [], "no place is called 'moon'"),
    ("picture.work:PictureWork", {**GOOD, "worker": "nobody"}, [], "nobody: No such file or directory"),
    ("picture.work:PictureWork", GOOD, ["--set", 'pages=["nosuch:pages"]'], "No module named 'nosuch'"),
    ("picture.work:PictureWork", GOOD, ["--database", "sqlite:nowhere/database"], "the database: "),
])
def test_a_project_that_cannot_be_made_leaves_nothing(grid: Grid, tmp_path: Path, work: str, options: Any,
                                                      others: List[str], expected: str) -> None:
    (tmp_path / "worker").touch()
    said = init(grid, tmp_path, "deep/other", options, *others, "--work", work, status=1)
    assert expected in said and len(said.splitlines()) == 1
    assert not (tmp_path / "deep").exists()


def test_what_was_there_before_a_project_is_not_made_stays(grid: Grid, tmp_path: Path) -> None:
    (tmp_path / "worker").touch()
    notes = [tmp_path / "other" / name for name in ("notes", "download/notes", "keys/notes")]
    for path in notes:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("mine")
    before = sorted((tmp_path / "other").rglob("*"))
    init(grid, tmp_path, "other", GOOD, "--database", "sqlite:nowhere/database", status=1)
    assert sorted((tmp_path / "other").rglob("*")) == before
    init(grid, tmp_path, "other", GOOD)
    assert (tmp_path / "other" / "database").exists() and {path.read_text() for path in notes} == {"mine"}


def test_relative_paths_are_those_of_init(grid: Grid, tmp_path: Path) -> None:
    (tmp_path / "worker").touch()
    init(grid, tmp_path, "other", GOOD)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    grid.command("update", folder=tmp_path / "other", cwd=elsewhere)
    assert not list(elsewhere.iterdir())
    kept = json.loads((tmp_path / "other" / "config.json").read_text())["options"]
    assert kept == {"folder": str(tmp_path / "tiles"), "worker": str(tmp_path / "worker")}


def test_no_project(tmp_path: Path) -> None:
    with Grid(tmp_path) as grid:
        (grid.folder / "config.json").unlink()
        assert "`python3 -m server init` makes a project" in grid.command("serve", status=1)


def ask(grid: Grid, page: str, **query: str) -> str:
    text = "&".join(f"{name}={value}" for name, value in query.items())
    status, content = load.Connection(grid.url).ask("GET", f"{page}?{text}")
    assert status == 200
    return str(content.decode())


def digest(password: str, email: str) -> str:
    return hashlib.md5((password + email).encode()).hexdigest()


def test_an_account_is_made_and_found(grid: Grid) -> None:
    email = "zoe@example.org"
    made = ask(grid, "create_account.php", email_addr=email, passwd_hash=digest("shell", email), user_name="Zoe")
    key = re.findall("<authenticator>(.*)</authenticator>", made)[0]
    assert load.Host(grid.url, key).talk().host
    for page in ("lookup_account.php", "create_account.php"):
        again = ask(grid, page, email_addr="ZOE@example.org", passwd_hash=digest("shell", email), user_name="Zoe")
        assert key in again
        wrong = ask(grid, page, email_addr=email, passwd_hash=digest("stone", email), user_name="Zoe")
        assert key not in wrong and "<error_num>" in wrong
    assert "-136" in ask(grid, "lookup_account.php", email_addr="nobody@example.org", passwd_hash="0" * 32)
    assert key in ask(grid, "lookup_account.php", email_addr=email, passwd_hash=digest("shell", email))
    kept = grid.sql("select password from account where email = ?", (email,))[0][0]
    assert digest("shell", email) not in kept and "shell" not in kept


def test_accounts_that_cannot_be(grid: Grid) -> None:
    good = dict(email_addr="yan@example.org", passwd_hash="0" * 32, user_name="Yan")
    for name, value in (("email_addr", "yan"), ("email_addr", "%3Cb%3E@example.org"), ("passwd_hash", "yan"),
                        ("user_name", ""), ("user_name", "a%00b"), ("user_name", "x" * 200)):
        assert "<error_num>" in ask(grid, "create_account.php", **{**good, name: value})
    assert grid.sql("select 1 from account where name like 'Yan%'") == []


def test_what_a_client_finds_first(grid: Grid) -> None:
    lines = ask(grid, "").splitlines()
    assert f"<scheduler>{grid.url}scheduler</scheduler>" in lines
    assert f"<master_url>{grid.url}</master_url>" in ask(grid, "get_project_config.php")


def test_a_new_program_gets_a_new_version(tmp_path: Path) -> None:
    with Grid(tmp_path, "#!/bin/sh\nexit 1\n", units=1) as grid:
        assert grid.value("select version from application") == 1
        grid.command("update")
        assert grid.value("select version from application") == 1
        (tmp_path / "worker").write_text("#!/bin/sh\nexit 2\n")
        grid.command("update")
        assert grid.value("select version from application") == 2
        grid.start()
        until(lambda: grid.value("select count(*) from result"), "work is there")
        reply = load.Host(grid.url, grid.key).talk(seconds=100)
        assert "<version_num>2</version_num>" in reply.text and "squares_2_x86_64" in reply.text
