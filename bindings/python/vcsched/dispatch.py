# SPDX-License-Identifier: MIT
"""Which job a client gets next, among millions: the index of a dispatcher."""

from __future__ import annotations

from typing import NoReturn, Optional

from vcsched.interface import Client, DispatchDecision, DispatchJob, DispatchRules, Many
from vcsched.library import WRONG_ARGUMENT, explain, fail, failure, ffi, lib
from vcsched.memory import borrow
from vcsched.ownership import Ownership, copied, refuse_to_pickle

__all__ = ["DispatchIndex"]


class DispatchIndex:
    """Clients and jobs, ordered so that the next job is found quickly.

    The records are authoritative: whenever one changes, update the index or make a new one. It copies what it needs.
    One index belongs to one thread at a time: RuntimeError while another one is using it.
    """

    __slots__ = ("_c", "_own", "_work")

    def __init__(self, clients: Many[Client], jobs: Many[DispatchJob], rules: Optional[DispatchRules] = None, *,
                 max_clients: Optional[int] = None, max_jobs: Optional[int] = None) -> None:
        """Builds the index of all records.

        rules          the order and the factors; the default ones if not given
        max_clients   capacity; the number of clients given if omitted
        max_jobs      capacity; the number of jobs given if omitted
        """
        rules = DispatchRules() if rules is None else rules
        held_clients, held_jobs = borrow(clients, Client, "clients"), borrow(jobs, DispatchJob, "jobs")
        max_clients = held_clients.count if max_clients is None else max_clients
        max_jobs = held_jobs.count if max_jobs is None else max_jobs
        size = ffi.new("size_t *")
        try:
            code = lib.vcs_dispatch_size(max_clients, max_jobs, size)
            if code:
                raise failure("DispatchIndex", code, None, max_clients=max_clients, max_jobs=max_jobs)
            self._work = ffi.new("uint64_t[]", (size[0] + 7) // 8)
            self._c = ffi.cast("vcs_dispatch *", self._work)
            arguments = (self._c, size[0], held_clients.as_array(), held_jobs.as_array(), rules._c, max_clients,
                         max_jobs)
            code = lib.vcs_dispatch_build(*arguments, ffi.NULL)
        except WRONG_ARGUMENT as reason:
            raise explain(reason, "DispatchIndex", ("rules", rules, DispatchRules),
                          ("max_clients", max_clients, "uint32_t"), ("max_jobs", max_jobs, "uint32_t")) from None
        if code:
            fail("DispatchIndex", lib.vcs_dispatch_build, *arguments)
        self._own = Ownership("DispatchIndex")

    def copy(self) -> "DispatchIndex":
        """Another index of the same records. Each goes its own way from here."""
        with self._own:
            other = DispatchIndex.__new__(DispatchIndex)
            other._work, other._c = copied(self._work, self._c)
            other._own = Ownership("DispatchIndex")
            return other

    def __copy__(self) -> "DispatchIndex":
        return self.copy()

    def __deepcopy__(self, unused: object) -> "DispatchIndex":
        return self.copy()

    def __reduce__(self) -> NoReturn:
        refuse_to_pickle("DispatchIndex")

    def set_client(self, number: int, client: Client) -> None:
        """Updates a client that has changed. The number of clients so far adds one."""
        with self._own:
            try:
                code = lib.vcs_dispatch_set_client(self._c, number, client._c, ffi.NULL)
            except WRONG_ARGUMENT as reason:
                raise explain(reason, "set_client", ("number", number, "uint32_t"),
                              ("client", client, Client)) from None
            if code:
                fail("set_client", lib.vcs_dispatch_set_client, self._c, number, client._c)

    def set_job(self, number: int, job: DispatchJob) -> None:
        """Updates a job that has changed. The number of jobs so far adds one."""
        with self._own:
            try:
                code = lib.vcs_dispatch_set_job(self._c, number, job._c, ffi.NULL)
            except WRONG_ARGUMENT as reason:
                raise explain(reason, "set_job", ("number", number, "uint32_t"), ("job", job, DispatchJob)) from None
            if code:
                fail("set_job", lib.vcs_dispatch_set_job, self._c, number, job._c)

    def next(self, client: int, now: float) -> DispatchDecision:
        """Which job a client gets next. What the index holds stays the same."""
        decision = DispatchDecision._blank()
        with self._own:
            try:
                code = lib.vcs_dispatch_next(self._c, client, now, decision._c)
            except WRONG_ARGUMENT as reason:
                raise explain(reason, "next", ("client", client, "uint32_t"), ("now", now, "double")) from None
        if code:
            raise failure("next", code, None, client=client, now=now)
        return decision
