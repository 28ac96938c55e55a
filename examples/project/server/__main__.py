# SPDX-License-Identifier: MIT
"""The commands of the server: python3 -m server COMMAND."""

from __future__ import annotations

import argparse
import dataclasses
import json
import logging
import signal
import sys
import threading
from pathlib import Path
from typing import Any, Dict, List, Optional

from server import accounts, daemons, files, hosts, project as projects, scheduler, trouble
from server.project import Config, Project, Wrong
from server.storage import Unavailable
from server.web import Page, Refusal, Request, Response, Server, only
from server.xml import Malformed

log = logging.getLogger("server")

EXAMPLES = """examples:
  python3 -m server init project --work countdown:Countdown --name Countdown
  python3 -m server add-user project ann@example.org
  python3 -m server serve project                  # with all daemons, until Ctrl-C
  python3 -m server serve project --no-daemons     # as often as you like, beside
  python3 -m server daemon project                 # ... the daemons in a process of their own
  python3 -m server daemon project --only validate --part 1/2
"""


def pages_of(project: Project) -> Dict[str, Page]:
    """All pages of a project."""
    found: Dict[str, Page] = {"scheduler": only("POST", answer_scheduler), **accounts.pages(project), **files.pages()}
    for name in project.config.pages:
        found.update(projects.load(name, "pages")(project))
    return found


def answer_scheduler(project: Project, request: Request) -> Response:
    """A scheduler request."""
    from server import reply
    try:
        return Response(200, scheduler.handle(project, request.read(project.config.request_bytes)))
    except Malformed as reason:
        raise Refusal(400, f"not a scheduler request: {reason}") from None
    except scheduler.Refused as reason:
        return Response(200, reply.refusal(str(reason), scheduler.LATER).encode())


def _init(options: argparse.Namespace) -> None:
    values: Dict[str, Any] = {"work": options.work}
    for name in ("name", "url", "listen", "database"):
        if getattr(options, name) is not None:
            values[name] = getattr(options, name)
    for setting in options.set:
        key, equals, text = setting.partition("=")
        if not equals or key not in {field.name for field in dataclasses.fields(Config)}:
            raise Wrong(f"--set {setting}: there is no such setting")
        try:
            values[key] = json.loads(text)
        except ValueError:
            values[key] = text
    if options.listen is not None and options.url is None:
        values["url"] = f"http://{options.listen}/"
    projects.create(Path(options.folder), Config(**values))
    print(f"A project is in {options.folder}. Next: python3 -m server add-user {options.folder} EMAIL")


def _add_user(options: argparse.Namespace) -> None:
    project = Project(options.folder)
    print(accounts.add_user(project, options.name or options.email.partition("@")[0], options.email, options.password))


def _blacklist(options: argparse.Namespace) -> None:
    with Project(options.folder).store.transaction("blacklist") as transaction:
        if not hosts.blacklist(transaction, options.host, options.pardon):
            raise Wrong(f"{options.host}: there is no such host")


def _retry(options: argparse.Namespace) -> None:
    print("tried again:", daemons.retry(Project(options.folder)), "units")


def _update(options: argparse.Namespace) -> None:
    print("offered:", ", ".join(Project(options.folder).update_applications()))


def _share(text: str) -> daemons.Share:
    part, slash, parts = text.partition("/")
    if not slash or not part.isdigit() or not parts.isdigit() or not 1 <= int(part) <= int(parts):
        raise Wrong(f"--part {text}: not like 1/2")
    return daemons.Share(int(part) % int(parts), int(parts))


def _wanted(names: Optional[str]) -> List[str]:
    wanted = names.split(",") if names else list(daemons.DAEMONS)
    for name in wanted:
        if name not in daemons.DAEMONS:
            raise Wrong(f"--only {name}: there is no such daemon; there are {', '.join(daemons.DAEMONS)}")
    return wanted


def _until_told(stop: threading.Event) -> None:
    """Ctrl-C and a request to end are the same."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_unused: stop.set())


def _serve(options: argparse.Namespace) -> None:
    project = Project(options.folder)
    stop = threading.Event()
    _until_told(stop)
    try:
        server = Server(project, pages_of(project))
    except OSError as reason:
        raise Wrong(f"listen: {project.config.listen}: {reason.strerror}") from None
    threads = [threading.Thread(target=server.serve_forever, daemon=True)]
    if not options.no_daemons:
        threads.append(threading.Thread(target=daemons.run, args=(project, tuple(daemons.DAEMONS), daemons.Share(),
                                                                  stop), daemon=True))
    for thread in threads:
        thread.start()
    print(f"{project.config.name} is at {project.config.url}", flush=True)
    stop.wait()
    server.shutdown()
    for thread in threads:
        thread.join(10)


def _daemon(options: argparse.Namespace) -> None:
    project, share, wanted = Project(options.folder), _share(options.part), tuple(_wanted(options.only))
    stop = threading.Event()
    _until_told(stop)
    if options.once:
        while daemons.pass_over(project, wanted, share):
            pass
        with project.store.snapshot() as look:
            for line in trouble.told(look):
                print(line)
    else:
        daemons.run(project, wanted, share, stop)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python3 -m server", description=__doc__, epilog=EXAMPLES,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name: str, function: Any, text: str) -> argparse.ArgumentParser:
        found = commands.add_parser(name, help=text, description=text)
        found.add_argument("folder", help="the project's folder")
        found.set_defaults(function=function)
        return found

    init = command("init", _init, "make a new project: its folder, keys and tables")
    init.add_argument("--work", required=True, metavar="MODULE:CLASS", help="what the project does; see work.py")
    init.add_argument("--name", help="what users see")
    init.add_argument("--listen", metavar="HOST:PORT", help="the address to listen at (127.0.0.1:8080)")
    init.add_argument("--url", help="where clients find it, if not at the address at which it listens")
    init.add_argument("--database", metavar="URL", help="sqlite:FILE (sqlite:database) or postgresql://USER@HOST/NAME")
    init.add_argument("--set", action="append", default=[], metavar="KEY=VALUE",
                      help="another setting of config.json; see Config in project.py")
    user = command("add-user", _add_user, "make an account; prints the key with which to attach")
    user.add_argument("email")
    user.add_argument("--name")
    user.add_argument("--password", default="")
    blacklist = command("blacklist", _blacklist, "give a host nothing any more, and withdraw what it has returned")
    blacklist.add_argument("host", type=int, help="its number")
    blacklist.add_argument("--pardon", action="store_true", help="take it off the blacklist instead")
    command("retry", _retry, "try again at once what the project's own code failed at, and what waits for a person")
    command("update", _update, "sign and offer the programs of the work, if they have changed")
    serve = command("serve", _serve, "answer clients; start it several times to use several processors")
    serve.add_argument("--no-daemons", action="store_true", help="no daemons in this process")
    daemon = command("daemon", _daemon, "run daemons in a process of their own")
    daemon.add_argument("--only", metavar="NAMES", help=f"some of {','.join(daemons.DAEMONS)}")
    daemon.add_argument("--part", default="1/1", metavar="K/N", help="the K-th of N that share the units")
    daemon.add_argument("--once", action="store_true",
                        help="until nothing is due; then says what is to be tried again, and when")
    return parser


def main(arguments: Optional[List[str]] = None) -> int:
    """Runs a command. Returns the exit status."""
    options = _parser().parse_args(arguments)
    logging.basicConfig(format="%(asctime)s %(levelname)s %(message)s", level=logging.INFO)
    try:
        options.function(options)
    except (Wrong, Unavailable) as reason:
        print(f"server: {reason}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
