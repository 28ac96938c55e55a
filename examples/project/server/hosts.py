# SPDX-License-Identifier: MIT
"""What is learnt about hosts and their accounts from what becomes of their results: trust, quota, credit."""

from __future__ import annotations

from typing import Any, Dict, List, NamedTuple, Optional, Tuple

import vcsched as v
from server.records import assignments, names, record, values
from server.storage import Transaction

AVERAGE_HALF_LIFE = 7 * 86400.0
"""Of the average of credit a day, s."""

_TRUST, _QUOTA, _AVERAGE = names(v.Trust, "trust_"), names(v.Quota, "quota_"), names(v.Average, "average_")
_STANDING = ", ".join((*_TRUST, *_QUOTA))
_SET_STANDING = f"{assignments(v.Trust, 'trust_')}, {assignments(v.Quota, 'quota_')}"


class Standing(NamedTuple):
    """How far a host is trusted, and what it may still get today."""

    trust: Any
    quota: Any

    @property
    def blacklisted(self) -> bool:
        """Whether it gets nothing, and what it reports is refused."""
        return bool(self.trust.flags & v.BLACKLISTED)


def standing(row: Tuple[Any, ...]) -> Standing:
    """Of the columns STANDING."""
    return Standing(record(v.Trust, row[:len(_TRUST)]), record(v.Quota, row[len(_TRUST):]))


STANDING = _STANDING
"""The columns of a host that standing() reads."""


def new_standing(quota: int) -> Dict[str, Any]:
    """The columns of a host of which nothing is known."""
    fresh = {f"trust_{name}": value for name, value in v.Trust().asdict().items()}
    fresh.update({f"quota_{name}": value for name, value in v.Quota(max_quota=quota, quota=quota).asdict().items()})
    return fresh


def write_standing(transaction: Transaction, host: int, of: Standing) -> None:
    """Writes it back."""
    transaction.run(f"update host set {_SET_STANDING} where id = ?", [*values(of.trust), *values(of.quota), host])


_TEACHING = (v.FIELD_RESULT_OUTCOME, v.FIELD_RESULT_VALIDATE_STATE)
"""No change of another field says anything of a host."""


class Lessons:
    """What the changes of one transaction teach, in the order in which they were made."""

    def __init__(self) -> None:
        self._lessons: Dict[int, List[Any]] = {}
        self._credit: Dict[Tuple[int, int], float] = {}

    def learn(self, change: Any, results: Any, account: Optional[int]) -> None:
        """Notes what follows from a change of a result that is about to be made."""
        if change.field in _TEACHING:
            lesson = change.lesson(results)
            if lesson.flags and lesson.host:
                self._lessons.setdefault(lesson.host, []).append(lesson)
        result = results[change.result]
        if change.field == v.FIELD_RESULT_GRANTED and result.host and account is not None:
            # What was granted may also be taken back.
            more = change.value - result.granted
            self._credit[result.host, account] = self._credit.get((result.host, account), 0.0) + more

    def write(self, transaction: Transaction, now: float) -> None:
        """Writes what was learnt about hosts, then about accounts."""
        for host in sorted(self._lessons):
            row = transaction.row(f"select {_STANDING} from host where id = ? for update", (host,))
            if row is None:
                continue
            found = standing(row)
            for lesson in self._lessons[host]:
                if lesson.flags & v.LESSON_TRUST:
                    found.trust.update(lesson.trust, lesson.reason)
                if lesson.flags & v.LESSON_QUOTA:
                    found.quota.judge(lesson.valid)
            write_standing(transaction, host, found)
        by_host: Dict[int, float] = {}
        by_account: Dict[int, float] = {}
        for (host, account), amount in self._credit.items():
            by_host[host] = by_host.get(host, 0.0) + amount
            by_account[account] = by_account.get(account, 0.0) + amount
        for table, amounts in (("host", by_host), ("account", by_account)):
            for number in sorted(amounts):
                _give(transaction, table, number, amounts[number], now)
        if self._credit:
            transaction.run("update project set credit = credit + ? where id = 1", (sum(by_host.values()),))


def _give(transaction: Transaction, table: str, number: int, amount: float, now: float) -> None:
    row: Optional[Tuple[Any, ...]] = transaction.row(
        f"select {', '.join(_AVERAGE)} from {table} where id = ? for update", (number,))
    if row is not None:
        average = record(v.Average, row)
        average.blend(max(amount, 0.0), AVERAGE_HALF_LIFE, now)
        transaction.run(f"update {table} set credit = credit + ?, {assignments(v.Average, 'average_')} where id = ?",
                        (amount, *values(average), number))


def blacklist(transaction: Transaction, host: int, pardon: bool) -> bool:
    """Puts a host on the blacklist, or takes it off. Returns whether there is such a host. What it has returned is
    withdrawn by a daemon, as far as nothing was made of it yet."""
    row = transaction.row(f"select {_STANDING} from host where id = ? for update", (host,))
    if row is None:
        return False
    found = standing(row)
    if pardon:
        found = Standing(v.Trust(id=found.trust.id), found.quota)
    else:
        found.trust.update(v.TRUST_WRONG, v.REASON_BLACKLISTED)
    write_standing(transaction, host, found)
    transaction.run("update host set withdrawn = 0 where id = ?", (host,))
    return True
