#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Serves a project, and says at the end which part of its processor time went into the library's decisions.

    policy_share.py PROJECT        until Ctrl-C

Counted is everything below the methods of the package that decide: the library, the step into it and the records that
it fills. What turns rows into records and back is the server's.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any, Callable, Dict

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples" / "project"))

import vcsched as v  # noqa: E402
from server.__main__ import main  # noqa: E402

spent: Dict[str, float] = {}
calls: Dict[str, int] = {}


def timed(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    def measured(*arguments: Any, **named: Any) -> Any:
        began = time.thread_time()
        try:
            return function(*arguments, **named)
        finally:
            spent[name] = spent.get(name, 0.0) + time.thread_time() - began
            calls[name] = calls.get(name, 0) + 1

    return measured


for kind, methods in ((v.Unit, ("handle_event", "transition", "validate", "result_needed", "finished")),
                      (v.Change, ("apply", "lesson")),
                      (v.Trust, ("update",)), (v.Quota, ("left", "take", "judge")), (v.Average, ("blend",)),
                      (v.State, ("__init__",))):
    for method in methods:
        if hasattr(kind, method):
            setattr(kind, method, timed(f"{kind.__name__}.{method}", getattr(kind, method)))
for function_name in ("send", "credits"):
    setattr(v, function_name, timed(function_name, getattr(v, function_name)))

if __name__ == "__main__":
    main(["serve", *sys.argv[1:]])
    whole = time.process_time()
    for name in sorted(spent, key=lambda name: -spent[name]):
        print(f"{name:24} {calls[name]:8} calls {spent[name]:8.3f} s {100 * spent[name] / whole:6.2f} %")
    print(f"all decisions: {sum(spent.values()):.3f} s of {whole:.3f} s, {100 * sum(spent.values()) / whole:.2f} %")
