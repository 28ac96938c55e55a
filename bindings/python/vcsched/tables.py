# SPDX-License-Identifier: MIT
"""What the library tells of itself: its parameters, its reasons, the fields of its records."""

from __future__ import annotations

from itertools import repeat
from typing import Iterator, Type

from vcsched import interface
from vcsched.interface import FieldInfo, ParameterInfo, ReasonInfo
from vcsched.memory import Record, struct_number

__all__ = ["fields", "parameters", "reasons"]


def parameters() -> Iterator[ParameterInfo]:
    """Every parameter of a policy: name, unit, range, value in each profile, and a line about it."""
    return map(interface.parameter_at, range(interface.parameter_count()))


def reasons() -> Iterator[ReasonInfo]:
    """Every reason that a decision can have: code, name, sentence."""
    return map(interface.reason_at, range(interface.reason_count()))


def fields(record: Type[Record]) -> Iterator[FieldInfo]:
    """Every field of a kind of record, reserved ones too: name, offset, unit, range."""
    number = struct_number(record._struct)
    return map(interface.emulator_field_at, repeat(number), range(interface.emulator_field_count(number)))
