# SPDX-License-Identifier: MIT
"""Scheduling policy of volunteer computing: what to run, what to fetch, from whom, and why.

This package has the names that the manual uses: records such as `Task`, constants, `State` and `plan()`.
They are loaded when they are first used, and the compiled part of the package with them. The importer of BOINC's files
does without it: `python3 -m vcsched import` needs nothing but Python.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, List

from vcsched.errors import VcsError as VcsError

if TYPE_CHECKING:
    __version__: str
    from vcsched.bounds import *  # noqa: F403
    from vcsched.constants import *  # noqa: F403
    from vcsched.dispatch import *  # noqa: F403
    from vcsched.emulation import *  # noqa: F403
    from vcsched.grid import *  # noqa: F403
    from vcsched.grid_emulation import *  # noqa: F403
    from vcsched.grid_policy import *  # noqa: F403
    from vcsched.host_class import *  # noqa: F403
    from vcsched.interface import *  # noqa: F403
    from vcsched.memory import Records as Records
    from vcsched.named_state import *  # noqa: F403
    from vcsched.policy import *  # noqa: F403
    from vcsched.scenario import *  # noqa: F403
    from vcsched.state import *  # noqa: F403
    from vcsched.sweeps import *  # noqa: F403

_MODULES = ("vcsched.constants", "vcsched.interface", "vcsched.state", "vcsched.named_state", "vcsched.dispatch",
            "vcsched.scenario", "vcsched.policy", "vcsched.bounds", "vcsched.emulation", "vcsched.host_class",
            "vcsched.grid", "vcsched.grid_policy", "vcsched.grid_emulation", "vcsched.sweeps")
_OTHERS = {"Records": "vcsched.memory"}


def __getattr__(name: str) -> object:
    if name == "__version__":
        version: str = importlib.import_module("vcsched.interface").version()
        return version.replace("-rc", "rc")  # as packages of Python write it
    if name.startswith("_"):
        raise AttributeError(f"module 'vcsched' has no attribute {name!r}")
    if f"vcsched.{name}" in _MODULES:  # which one of them may be asking for while it is loaded itself
        return importlib.import_module(f"vcsched.{name}")
    for module in (_OTHERS.get(name),) if name in _OTHERS else _MODULES:
        loaded = importlib.import_module(str(module))
        if name in _OTHERS or name in loaded.__all__:
            found: object = getattr(loaded, name)
            globals()[name] = found
            return found
    raise AttributeError(f"module 'vcsched' has no attribute {name!r}")


def __dir__() -> List[str]:
    listed = [name for module in _MODULES for name in importlib.import_module(module).__all__]
    return sorted({*globals(), *listed, *_OTHERS})
