# SPDX-License-Identifier: MIT
"""Accounts: how a client finds the project, and how a user gets a key."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from html import escape
from typing import Any, Dict

import vcsched as v
from server import faults
from server.project import Project, Wrong
from server.records import as_row
from server.web import Page, Rate, Request, Response, only
from server.xml import element

# Numbers of errors that clients know.
NO_SUCH_USER = -136
WRONG_PASSWORD = -206
EMAIL_TAKEN = -137
BAD_EMAIL = -205
BAD_NAME = -188
CLOSED = -208

_ROUNDS = 20000


def pages(project: Project) -> Dict[str, Page]:
    """The pages of this file."""
    rate = Rate(project.config.attempts_per_minute)

    def limited(page: Page) -> Page:
        def checked(of: Project, request: Request) -> Response:
            rate.take(request.address)
            return page(of, request)

        return checked

    return {"": only("GET", master_page), "get_project_config.php": only("GET", project_config),
            "lookup_account.php": limited(lookup), "create_account.php": limited(create)}


def master_page(project: Project, _request: Request) -> Response:
    """What clients fetch first. They look for the line with the scheduler."""
    name, url = escape(project.config.name), escape(project.url("scheduler"))
    shown = any(page.startswith("status.") for page in project.config.pages)
    status = f'\n<p><a href="{escape(project.url("status/"))}">How it goes</a></p>' if shown else ""
    return Response(200, f"""<!doctype html>
<html><head><title>{name}</title></head><body>
<h1>{name}</h1>
<p>Attach your client to {escape(project.config.url)}</p>{status}
<!--
<scheduler>{url}</scheduler>
-->
</body></html>
""".encode(), "text/html; charset=utf-8")


def project_config(project: Project, _request: Request) -> Response:
    """What a client shows before it attaches."""
    with project.store.snapshot() as look:
        rows = look.rows("select versions from application")
    platforms = sorted(set(re.findall(r'"platform": "([^"]+)"', " ".join(row[0] for row in rows))))
    return _xml("<project_config>\n" + element("name", project.config.name) +
                element("master_url", project.config.url) +
                element("web_rpc_url_base", project.config.url) + element("min_passwd_length", 6) +
                element("account_manager", 0) +
                ("" if project.config.registration else "<account_creation_disabled/>\n") +
                "<platforms>\n" + "".join(f"<platform>\n{element('platform_name', platform)}</platform>\n"
                                          for platform in platforms) + "</platforms>\n</project_config>\n")


def lookup(project: Project, request: Request) -> Response:
    """The key of an account, for whoever knows its password."""
    email, password = _email(request), request.query.get("passwd_hash", "")
    with project.store.snapshot() as look:
        row = look.row("select key, password from account where email = ?", (email,))
    if row is None:
        return _error(NO_SUCH_USER, "no account has this address")
    if not _is_password(password, row[1]):
        return _error(WRONG_PASSWORD, "the password is wrong")
    return _xml(f"<account_out>\n{element('authenticator', row[0])}</account_out>\n")


def create(project: Project, request: Request) -> Response:
    """A new account."""
    if not project.config.registration:
        return _error(CLOSED, "this project takes no new accounts")
    email, name, password = _email(request), request.query.get("user_name", ""), request.query.get("passwd_hash", "")
    if not re.fullmatch(r"[^@\s<>]{1,64}@[^@\s<>]{1,190}", email):
        return _error(BAD_EMAIL, "this is no address")
    if not re.fullmatch(r"[0-9a-f]{32}", password):
        return _error(WRONG_PASSWORD, "this is no MD5 of a password")
    if not 1 <= len(name.strip()) <= 100 or not name.isprintable():
        return _error(BAD_NAME, "a name has 1 to 100 characters")
    hashed = _hashed(password)
    with project.store.transaction("create_account") as transaction:
        row = transaction.row("select key, password from account where email = ?", (email,))
        if row is None:
            return _xml(f"<account_out>\n{element('authenticator', _add(transaction, name.strip(), email, hashed))}"
                        "</account_out>\n")
    if not _is_password(password, row[1]):
        return _error(EMAIL_TAKEN, "there is an account with this address")
    return _xml(f"<account_out>\n{element('authenticator', row[0])}</account_out>\n")


def add_user(project: Project, name: str, email: str, password: str) -> str:
    """A new account, by hand. Returns its key."""
    digest = hashlib.md5((password + email.lower()).encode()).hexdigest()
    with project.store.transaction("create_account") as transaction:
        if transaction.row("select 1 from account where email = ?", (email.lower(),)) is not None:
            raise Wrong(f"{email}: there is an account with this address")
        return _add(transaction, name, email.lower(), _hashed(digest))


def _add(transaction: Any, name: str, email: str, hashed: str) -> str:
    key = secrets.token_hex(16)
    now = faults.now()
    transaction.insert("account", {"name": name, "email": email, "key": key, "password": hashed, "created": now,
                                   "credit": 0.0, **as_row(v.Average(time=now), "average_")})
    return key


def _email(request: Request) -> str:
    return request.query.get("email_addr", "").strip().lower()[:256]


def _hashed(digest: str) -> str:
    """What is kept of a password: clients send its MD5, from which this is derived with a salt."""
    salt = secrets.token_hex(16)
    return f"{salt}${hashlib.pbkdf2_hmac('sha256', digest.encode(), salt.encode(), _ROUNDS).hex()}"


def _is_password(digest: str, kept: str) -> bool:
    salt, _, known = kept.partition("$")
    found = hashlib.pbkdf2_hmac("sha256", digest.encode(), salt.encode(), _ROUNDS).hex()
    return hmac.compare_digest(found, known)


def _error(number: int, text: str) -> Response:
    return _xml(f"<error>\n{element('error_num', number)}{element('error_msg', text)}</error>\n")


def _xml(text: str) -> Response:
    return Response(200, text.encode(), "text/xml; charset=utf-8")
