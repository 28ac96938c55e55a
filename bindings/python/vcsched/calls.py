# SPDX-License-Identifier: MIT
"""Functions of Python's that the emulator calls back: how it finds them, and what becomes of what they raise."""

from __future__ import annotations

from inspect import getattr_static, isfunction
from typing import Any, Callable, Dict, NamedTuple, Optional, Sequence, Type, TypeVar

from vcsched.library import ffi, kind_of, lib
from vcsched.memory import Record, Records

_F = TypeVar("_F", bound=Callable[..., int])
_R = TypeVar("_R", bound=Record)

_RAISED = -1000
"""What a function of Python's returns to the library after an exception. No code of the library's is so low."""


def functions_of(policy: object, methods: Sequence[str]) -> Dict[str, Callable[..., Any]]:
    """Those methods that a policy has. A policy without any is refused; None has none."""
    if policy is None:
        return {}
    if isinstance(policy, type) and any(isfunction(getattr_static(policy, name, None)) for name in methods):
        raise TypeError(f"policy must be an object, not a class: {policy.__name__}(...), not {policy.__name__}")
    found = {name: getattr(policy, name, None) for name in methods}
    functions = {name: function for name, function in found.items() if callable(function)}
    if not functions:
        raise TypeError(f"policy must have one of the methods {', '.join(methods)}; {kind_of(policy)} has none of them")
    return functions


class Calls:
    """The functions of one emulation, or of one class of its hosts, and the first exception that one of them raised."""

    __slots__ = ("functions", "keep_events", "exception")

    def __init__(self, functions: Dict[str, Callable[..., Any]], keep_events: bool = False) -> None:
        self.functions = functions
        self.keep_events = keep_events
        self.exception: Optional[BaseException] = None

    def surface(self) -> None:
        """Raises the exception that ended the emulation, if one did."""
        exception, self.exception = self.exception, None
        if exception is not None:
            try:
                raise exception
            finally:
                # Its traceback knows this function, so a name of it here would keep it for ever.
                del exception


class Context:
    """What the library passes to each function, and the events that it keeps."""

    __slots__ = ("c", "_handle")

    def __init__(self, calls: Calls) -> None:
        self._handle = ffi.new_handle(calls)
        self.c = ffi.new("run_context *", {"python": self._handle})

    def __enter__(self) -> "Context":
        return self

    def __exit__(self, *unused: object) -> None:
        lib.event_list_free(self.c)

    def events(self, kind: Type[_R]) -> Records[_R]:
        """The events so far."""
        kept = Records(kind, self.c.count)
        if self.c.count:
            ffi.memmove(kept._base, self.c.events, self.c.count * kind._size)
        return kept


_RUN_CONTEXT = ffi.typeof("run_context *")


def calls_of(context: Any) -> Calls:
    """The functions that go with what the library passed."""
    calls: Calls = ffi.from_handle(ffi.cast(_RUN_CONTEXT, context).python)
    return calls


class Hooks(NamedTuple):
    """A kind of struct of functions that the library calls back, and how its events are kept without Python."""

    struct: str
    prefix: str
    """What the names of the functions begin with that the compiled part has for it."""
    keep: str

    def of(self, context: Context, calls: Calls) -> Any:
        """The functions of one emulation as the library calls them."""
        hooks = ffi.new(f"{self.struct} *", {"struct_size": ffi.sizeof(self.struct), "context": context.c})
        for name in calls.functions:
            setattr(hooks, name, getattr(lib, f"{self.prefix}{name}"))
        if calls.keep_events and "observe" not in calls.functions:
            hooks.observe = ffi.addressof(lib, self.keep)
        return hooks

    def observed(self, context: Any, event: Any, record: Type[_R]) -> int:
        """Tells a function of an event, and keeps it if that is wanted, too."""
        calls = calls_of(context)
        if calls.keep_events and getattr(lib, self.keep)(context, event):
            raise MemoryError("there is not enough memory for the events")
        calls.functions["observe"](record._copy_of(event))
        return 0


OF_HOSTS = Hooks("vcs_hooks", "call_", "event_list_add")
OF_SERVERS = Hooks("vcs_grid_hooks", "call_grid_", "event_list_add_of_grid")


def _note(kind: object, exception: BaseException, traceback: Any) -> None:
    """Keeps an exception of a function of `from_library` until the library has returned."""
    calls = calls_of(traceback.tb_frame.f_locals["context"])
    calls.exception = exception.with_traceback(traceback)


from_library: Callable[[_F], _F] = ffi.def_extern(error=_RAISED, onerror=_note)
"""Makes a function one that the library can call. Its first argument is `context`; what it raises goes to _note()."""
