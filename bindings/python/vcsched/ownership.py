# SPDX-License-Identifier: MIT
"""What belongs to one thread at a time: states, and the indices of dispatchers.

The library works without the interpreter's lock, so two threads of Python can be in it at once. In the same memory that
would crash the interpreter; here the second one gets an exception.
"""

from __future__ import annotations

import threading
from typing import Any, NoReturn, Protocol, Tuple

from vcsched.library import ffi, kind_of

_allocate = ffi.new_allocator(should_clear_after_alloc=False)


class Ownership:
    """Held by the thread that is at work on an object. That thread may hold it several times."""

    __slots__ = ("_lock", "_kind")

    def __init__(self, kind: str, lock: Any = None) -> None:
        self._lock = threading.RLock() if lock is None else lock
        self._kind = kind

    def __enter__(self) -> None:
        if not self._lock.acquire(blocking=False):
            self.refuse(self._kind)

    @staticmethod
    def refuse(kind: str) -> NoReturn:
        """Says that another thread is the owner."""
        raise RuntimeError(f"{kind}: another thread is using it; it belongs to one thread at a time")

    def __exit__(self, *unused: object) -> None:
        self._lock.release()


class _Owned(Protocol):
    _own: Ownership


def ownership_of(thing: _Owned, function: str, name: str, kind: str) -> Ownership:
    """The ownership of an argument, which must be of the right kind."""
    try:
        return thing._own
    except AttributeError:
        raise TypeError(f"{function}(): {name} must be {kind}, not {kind_of(thing)}") from None


def copied(work: Any, pointer: Any) -> Tuple[Any, Any]:
    """What the library prepared in some memory, in memory of its own. It holds no pointers."""
    size = ffi.sizeof(work)
    copy = _allocate("uint64_t[]", size // 8)
    ffi.memmove(copy, work, size)
    offset = ffi.cast("char *", pointer) - ffi.cast("char *", work)
    return copy, ffi.cast(ffi.typeof(pointer), ffi.cast("char *", copy) + offset)


def refuse_to_pickle(kind: str) -> NoReturn:
    """The library alone knows what is in it, and only in the same build."""
    raise TypeError(f"{kind} cannot be pickled: keep its records, and make it again of them")
