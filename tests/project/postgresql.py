# SPDX-License-Identifier: MIT
"""A PostgreSQL of one's own, in a folder, where it is installed. The system's service is left alone."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Dict, Optional

from ports import free_port

WHY_NOT = "no PostgreSQL with psycopg2 is installed (Debian: postgresql, python3-psycopg2)"


def _programs() -> Optional[Path]:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if found:
        return found[-1].parent
    somewhere = shutil.which("initdb")
    return Path(somewhere).parent if somewhere else None


def _user() -> Optional[str]:
    """It refuses to run as root, so there the user of the package runs it."""
    if os.getuid() != 0:
        return pwd.getpwuid(os.getuid()).pw_name
    try:
        return pwd.getpwnam("postgres").pw_name
    except KeyError:
        return None


def installed() -> bool:
    """Whether there is all that it needs."""
    try:
        import psycopg2  # noqa: F401
    except ImportError:
        return False
    return _programs() is not None and _user() is not None


class Cluster:
    """Use it in a `with`. `url` is that of an empty database, whose schema may be dropped."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="vcsched-postgresql-"))
        self._port = free_port()
        self.user = _user() or ""
        self.url = f"postgresql://{self.user}@127.0.0.1:{self._port}/postgres"
        self._as: Dict[str, Any] = {"user": self.user} if os.getuid() == 0 else {}

    def __enter__(self) -> "Cluster":
        if self._as:
            shutil.chown(self._folder, self.user)
        self._run("initdb", "-D", str(self._folder / "data"), "-A", "trust", "-E", "UTF8", "--no-sync")
        self._run("pg_ctl", "-D", str(self._folder / "data"), "-w", "-l", str(self._folder / "log"), "-o",
                  f"-p {self._port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off", "start")
        return self

    def __exit__(self, *_unused: object) -> None:
        self._run("pg_ctl", "-D", str(self._folder / "data"), "-m", "immediate", "-w", "stop")
        shutil.rmtree(self._folder, ignore_errors=True)

    def _run(self, name: str, *arguments: str) -> None:
        program = _programs()
        assert program is not None
        subprocess.run([str(program / name), *arguments], check=True, stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, cwd=self._folder, **self._as)
