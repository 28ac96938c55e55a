# SPDX-License-Identifier: MIT
"""A project with its server in a process of its own, and the package that both need."""

from __future__ import annotations

import atexit
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

from ports import free_port
from time_limit import SECONDS

HERE = Path(__file__).resolve().parent
GRID = HERE.parents[1] / "examples" / "project"
FAULT_STATUS = 87
"""As in server/faults.py."""

BUILD = os.environ.get("VCSCHED_BUILD", "")
_INSTALLED = "VCSCHED_INSTALLED"


def package() -> Path:
    """Where the package is, as it is installed from the build; in a folder that goes when the tests have ended."""
    if _INSTALLED not in os.environ:
        folder = tempfile.mkdtemp(prefix="vcsched-grid-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        subprocess.run(["meson", "install", "-C", BUILD, "--no-rebuild", "--quiet", "--tags", "python-runtime",
                        "--destdir", folder], check=True, stdout=subprocess.DEVNULL)
        os.environ[_INSTALLED] = str(next(Path(folder).glob("**/vcsched/__init__.py")).parents[1])
    return Path(os.environ[_INSTALLED])


if BUILD:
    # The works of the tests need it too.
    sys.path.append(str(package()))


def until(happens: Callable[[], Any], what: str) -> Any:
    """Waits until something is so, and returns it. However slow the machine is, nothing else depends on time: this
    gives up only when it has lasted as long as any test may, which in a thread nobody else sees."""
    last = time.monotonic() + SECONDS
    while True:
        found = happens()
        if found:
            return found
        if time.monotonic() > last:
            raise AssertionError(f"waited {SECONDS} s in vain: {what}")
        time.sleep(0.05)


def program(folder: Path, name: str, text: str) -> str:
    """A script that can be run."""
    path = folder / name
    path.write_text(text)
    path.chmod(0o755)
    return str(path)


class Grid:
    """A project in a folder. Use it in a `with`: its processes end there."""

    def __init__(self, folder: Path, script: str = "", database: Optional[str] = None, settings: Sequence[str] = (),
                 **options: Any) -> None:
        self.folder = folder / "project"
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}/"
        self._database = database
        self._environment = {**os.environ, "PYTHONPATH": f"{package()}:{GRID}:{HERE}"}
        self._processes: List[subprocess.Popen] = []
        path = program(folder, "worker", script or "#!/bin/sh\nexit 1\n")
        self.command("init", "--work", "countdown:Countdown", "--listen", f"127.0.0.1:{self.port}",
                     *(["--database", database] if database else []),
                     "--set", "options=" + json.dumps({"program": path, **options}), "--set", "purge_delay=0",
                     "--set", "request_delay=0", "--set", "no_work_delay=0",
                     *[part for setting in settings for part in ("--set", setting)])
        self.key = self.account("ann@example.org")

    def __enter__(self) -> "Grid":
        return self

    def __exit__(self, *_unused: object) -> None:
        for process in self._processes:
            process.kill()
            process.wait()
        if self._database is not None:
            self.sql("drop schema public cascade; create schema public")

    def account(self, email: str) -> str:
        """The key of a new account."""
        return self.command("add-user", email, "--password", "pebble").strip()

    def set(self, name: str, value: Any) -> None:
        """Changes a setting. Servers that run do not see it."""
        path = self.folder / "config.json"
        path.write_text(json.dumps({**json.loads(path.read_text()), name: value}))

    def command(self, name: str, *arguments: str, status: int = 0, fault: str = "", folder: Optional[Path] = None,
                cwd: Optional[Path] = None) -> str:
        """Runs a command of the server, for this project unless a folder is named, and returns what it printed."""
        outcome = subprocess.run([sys.executable, "-m", "server", name, str(folder or self.folder), *arguments],
                                 env={**self._environment, **({"GRID_FAULT": fault} if fault else {})},
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False, cwd=cwd)
        assert outcome.returncode == status, outcome.stderr
        return outcome.stdout if status == 0 else outcome.stderr

    def start(self, *arguments: str, fault: str = "", command: str = "serve") -> subprocess.Popen:
        """A process of the server, which listens when this returns."""
        with open(self.folder / "log", "ab") as log:
            process = subprocess.Popen([sys.executable, "-m", "server", command, str(self.folder), *arguments],
                                       env={**self._environment, **({"GRID_FAULT": fault} if fault else {})},
                                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log)
        self._processes.append(process)
        if command == "serve" and process.stdout is not None:
            process.stdout.readline()
        return process

    def stop(self, process: subprocess.Popen) -> None:
        """Asks it to end, and waits until it has."""
        process.send_signal(signal.SIGTERM)
        assert process.wait() == 0
        self._processes.remove(process)

    def sql(self, query: str, arguments: Tuple[Any, ...] = ()) -> List[Tuple[Any, ...]]:
        """What the database has, asked for past the server."""
        if self._database is None:
            database = sqlite3.connect(self.folder / "database", timeout=SECONDS)
            try:
                with database:
                    return database.execute(query, arguments).fetchall()
            finally:
                database.close()
        import psycopg2
        connection = psycopg2.connect(self._database)
        try:
            with connection, connection.cursor() as cursor:
                cursor.execute(query.replace("?", "%s"), arguments)
                return list(cursor.fetchall()) if cursor.description else []
        finally:
            connection.close()

    def value(self, query: str) -> Any:
        """The only value that the database answers."""
        return self.sql(query)[0][0]

    def assimilated(self) -> Dict[int, List[Optional[str]]]:
        """What was handed over, by unit."""
        exists = self.sql("select 1 from sqlite_master where name = 'assimilated'") if self._database is None else \
            self.sql("select 1 from information_schema.tables where table_name = 'assimilated'")
        found: Dict[int, List[Optional[str]]] = {}
        for unit, value in self.sql("select unit, value from assimilated") if exists else []:
            found.setdefault(unit, []).append(value)
        return found

    def files(self) -> List[str]:
        """Input and output files that are there, without programs."""
        return sorted(path.name for folder in ("download", "upload") for path in (self.folder / folder).rglob("*")
                      if path.is_file() and "x86_64" not in path.name)

    def log(self) -> str:
        """What the server says of itself."""
        return (self.folder / "log").read_text() if (self.folder / "log").exists() else ""
