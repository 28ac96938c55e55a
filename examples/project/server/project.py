# SPDX-License-Identifier: MIT
"""The folder of a project: its configuration, keys, database and files.

    config.json     see Config
    keys/           code_sign_private (needed only by `update`), code_sign_public, upload
    database        unless it is elsewhere
    download/       programs and input files
    upload/         output files
    judged/         copies of results that could be judged, to tell a bad file from a fault of the work
"""

from __future__ import annotations

import dataclasses
import fcntl
import hashlib
import importlib
import json
import os
import re
import secrets
import shutil
import sys
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Dict, Iterator, List, Type
from urllib.parse import urlsplit

from server import signing
from server.storage import Store, open_store
from server.trouble import Evidence, Troubles
from server.work import Application, Work

MEBIBYTE = 1 << 20
DAY = 86400.0

_FILE_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]{0,199}")


class Wrong(Exception):
    """Something that whoever runs the project can put right. The text says what."""


@dataclasses.dataclass
class Config:
    """config.json. What is not in it has the value given here."""

    name: str = "Grid"
    """what users see"""
    url: str = "http://127.0.0.1:8080/"
    """where clients find the project; ends in a slash"""
    listen: str = "127.0.0.1:8080"
    """the address to listen at"""
    database: str = "sqlite:database"
    """sqlite:FILE or postgresql://USER@HOST/NAME"""
    work: str = ""
    """MODULE:CLASS of the work: see work.py"""
    options: Dict[str, Any] = dataclasses.field(default_factory=dict)
    """what the work is told when it is made"""
    pages: List[str] = dataclasses.field(default_factory=list)
    """MODULE:FUNCTION that add pages: see web.py"""

    registration: bool = True
    """whether anybody may make an account"""
    one_copy_per_user: bool = False
    """a user gets one copy of a unit, not each of the user's hosts"""
    tasks_per_cpu: int = 16
    """most results that a host may have in progress, for each of its CPUs"""
    tasks_per_reply: int = 64
    """most results in a reply"""
    quota: int = 1000
    """most results that a host is given in a day"""
    new_hosts: int = 200
    """most new hosts of an account in a day"""
    send_rule: str = "ws1"
    """ws1 or ws2: see rules 9.1 and 9.2"""
    unsent: int = 200
    """copies kept waiting for hosts; with fewer, new units are made"""
    request_delay: float = 10.0
    """least time between two requests of a host, s"""
    no_work_delay: float = 600.0
    """until the next request if there was no work, s"""
    deadline_delay: float = 3600.0
    """until the next request if all that there was would have been late, s"""
    quota_spread: float = 3600.0
    """hosts that are at their quota come within this time of the next day, s"""
    refusal_limit: int = 100
    """a copy that so many hosts in a row could not take cannot be sent; 0 = never"""
    purge_delay: float = 7 * DAY
    """how long the rows of a finished unit are kept, s"""
    retry_delay: float = 30.0
    """least time until something that has failed is tried again, s; twice as long after each further failure,"""
    longest_retry_delay: float = 4 * 3600.0
    """but no longer than this, s"""
    max_failures: int = 8
    """a unit that the project's own code failed at so often in a row waits for a person; 0 = never"""
    stop_share: float = 0.8
    """judging stops if so much of what came last, from 0 to 1, could not be judged; more than 1 = never"""
    request_bytes: int = MEBIBYTE
    """longest scheduler request"""
    connections: int = 1000
    """most connections at the same time"""
    attempts_per_minute: int = 60
    """how often an address may look up or make an account, or fail to show a valid key, in a minute"""


class Project:
    """A project's folder, open."""

    def __init__(self, folder: str) -> None:
        self.folder = Path(folder).resolve()
        self.config = _read_config(self.folder / "config.json")
        self.download = self.folder / "download"
        self.upload = self.folder / "upload"
        try:
            self.store: Store = open_store(self.config.database, str(self.folder))
        except ValueError as reason:
            raise Wrong(str(reason)) from None
        self.upload_secret = bytes.fromhex(self._key("upload"))
        self.public_key = self._key("code_sign_public")
        self.work = _load_work(self.config)
        self.troubles = Troubles()
        self.evidence = Evidence()
        self.typical_flops = 1e9
        """Of the unit that was sent last."""

    def _key(self, name: str) -> str:
        return _read_text(self.folder / "keys" / name)

    def download_path(self, name: str) -> Path:
        """The place of a program or input file. ValueError for a name that no file of ours has."""
        return self.download / _checked(name)

    def upload_path(self, name: str) -> Path:
        """The place of an output file. There are many, so they are in 256 folders."""
        return self.upload / hashlib.md5(_checked(name).encode()).hexdigest()[:2] / name

    def url(self, path: str) -> str:
        """A URL under the project's."""
        return self.config.url + path

    @contextmanager
    def lock(self, name: str, wait: bool) -> Iterator[bool]:
        """Keeps others that have this folder open from doing the same thing at the same time. Yields whether that
        worked: without waiting it does not while somebody else is at it. The lock of a server that is killed is free
        again."""
        with open(self.folder / f"{name}.lock", "wb") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
            except BlockingIOError:
                yield False
            else:
                yield True

    def update_applications(self) -> List[str]:
        """Signs the programs of the work, and offers them to clients. Returns their names. A program whose bytes have
        changed gets a new version, because clients never load the same file again."""
        key = signing.read_private_key(self._key("code_sign_private"))
        with self.store.transaction("applications") as transaction:
            for application in self.work.applications():
                known = transaction.row("select version, versions from application where name = ?", (application.name,))
                number, versions = (known[0], json.loads(known[1])) if known else (0, [])
                before = {version["platform"]: version["md5"] for version in versions}
                now = _programs(application)
                if before == {platform: hashlib.md5(content).hexdigest() for platform, content in now.items()}:
                    continue
                number += 1
                offered = []
                for platform, content in now.items():
                    file = _checked(f"{application.name}_{number}_{platform}")
                    write(self.download / file, content)
                    offered.append({"platform": platform, "file": file, "bytes": len(content),
                                    "md5": hashlib.md5(content).hexdigest(), "signature": signing.sign(content, key)})
                transaction.run("delete from application where name = ?", (application.name,))
                transaction.run("insert into application values (?, ?, ?, ?)",
                                (application.name, application.title, number, json.dumps(offered)))
        return [application.name for application in self.work.applications()]


def create(folder: Path, config: Config) -> Project:
    """Makes the folder of a new project, with its keys and tables. If that fails, nothing new is left there."""
    if (folder / "config.json").exists():
        raise Wrong(f"{folder}: there is a project already")
    check_config(config, str(folder))
    with _all_or_nothing(folder):
        config = dataclasses.replace(config, options=_with_whole_paths(config))
        for application in _load_work(config).applications():
            _programs(application)
        for name in config.pages:
            load(name, "pages")
        return _make(folder, config)


_PARTS = ("keys/code_sign_private", "keys/code_sign_public", "keys/upload", "keys", "download", "upload", "config.json",
          "config.json.new", "database", "database-journal", "database-shm", "database-wal")


@contextmanager
def _all_or_nothing(folder: Path) -> Iterator[None]:
    """If what is done inside raises anything, the parts of a project that it made there are removed. Parts that were
    there before stay, and so does everything else."""
    missing = [path for path in (folder, *folder.parents) if not path.exists()]
    made = [folder / name for name in _PARTS if not (folder / name).exists()]
    try:
        yield
    except BaseException:
        for path in made:
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)
        with suppress(OSError):  # none was made, or somebody else has put something there
            for path in missing:
                path.rmdir()
        raise


def _with_whole_paths(config: Config) -> Dict[str, Any]:
    """The options of the work. Those that are paths begin at the root."""
    paths = _work_class(config).paths
    return {name: os.path.abspath(value) if name in paths and isinstance(value, str) and value else value
            for name, value in config.options.items()}


def _make(folder: Path, config: Config) -> Project:
    for name in ("keys", "download", "upload"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    os.chmod(folder / "keys", 0o700)
    for number in range(256):
        (folder / "upload" / f"{number:02x}").mkdir(exist_ok=True)
    key = signing.new_key()
    for name, text in (("code_sign_private", key.text()), ("code_sign_public", signing.public_key_text(key)),
                       ("upload", secrets.token_hex(32))):
        write(folder / "keys" / name, text.encode(), 0o600)
    write(folder / "config.json", (json.dumps(dataclasses.asdict(config), indent=2) + "\n").encode())
    project = Project(str(folder))
    project.store.make_tables()
    project.update_applications()
    return project


def write(path: Path, content: bytes, mode: int = 0o644) -> None:
    """A file that is there as a whole or not at all."""
    temporary = path.with_name(path.name + ".new")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
    os.replace(temporary, path)


def check_config(config: Config, where: str) -> None:
    """Raises Wrong for what cannot be."""
    for field in dataclasses.fields(Config):
        value, default = getattr(config, field.name), getattr(Config(), field.name)
        good = isinstance(value, (int, float)) if isinstance(default, float) else isinstance(value, type(default))
        if not good or (isinstance(value, bool) and not isinstance(default, bool)):
            raise Wrong(f"{where}: {field.name}: {value!r} is not like {default!r}")
        if isinstance(default, (int, float)) and not isinstance(default, bool) and value < 0:
            raise Wrong(f"{where}: {field.name}: {value!r} is less than 0")
    parts = urlsplit(config.url)
    if parts.scheme not in ("http", "https") or not parts.netloc or not config.url.endswith("/") or parts.query:
        raise Wrong(f"{where}: url: {config.url!r} is not like http://HOST/ or http://HOST/PATH/")
    if not re.fullmatch(r"[^:\s]*:\d{1,5}", config.listen):
        raise Wrong(f"{where}: listen: {config.listen!r} is not like 127.0.0.1:8080")
    if config.send_rule not in ("ws1", "ws2"):
        raise Wrong(f"{where}: send_rule: {config.send_rule!r} is neither ws1 nor ws2")
    if not 1 <= config.quota < 1 << 31:
        raise Wrong(f"{where}: quota: {config.quota!r} is not at least 1")


def _read_config(path: Path) -> Config:
    try:
        held = json.loads(_read_text(path))
    except ValueError as reason:
        raise Wrong(f"{path}: {reason}") from None
    known = {field.name for field in dataclasses.fields(Config)}
    unknown = sorted(set(held) - known) if isinstance(held, dict) else ["the whole"]
    if unknown:
        raise Wrong(f"{path}: {unknown[0]}: there is no such setting; there are {', '.join(sorted(known))}")
    config = Config(**held)
    check_config(config, str(path))
    return config


def load(name: str, what: str) -> Any:
    """MODULE:NAME, from the path of Python or the current folder."""
    module, _, attribute = name.partition(":")
    try:
        return getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as reason:
        raise Wrong(f"{what}: {name!r}: {reason}") from None


def _programs(application: Application) -> Dict[str, bytes]:
    """The programs of an application, by platform."""
    found = {}
    for platform, path in application.programs.items():
        try:
            found[platform] = Path(path).read_bytes()
        except OSError as reason:
            raise Wrong(f"{path}: {reason.strerror}: the program of {application.name} for {platform}") from None
    return found


def _work_class(config: Config) -> Type[Work]:
    if not config.work:
        raise Wrong("work: say which work this project does, such as MODULE:CLASS")
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
    kind = load(config.work, "work")
    if not isinstance(kind, type) or not issubclass(kind, Work):
        raise Wrong(f"work: {config.work} is not a server.work.Work")
    return kind


def _load_work(config: Config) -> Work:
    kind = _work_class(config)
    try:
        return kind(**config.options)
    except (TypeError, ValueError, OSError) as reason:
        raise Wrong(f"options: {reason}") from None


def _read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as reason:
        raise Wrong(f"{path}: {reason.strerror}; `python3 -m server init` makes a project") from None


def _checked(name: str) -> str:
    if not _FILE_NAME.fullmatch(name) or ".." in name:
        raise ValueError(f"no file has the name {name[:80]!r}")
    return name
