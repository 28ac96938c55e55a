# SPDX-License-Identifier: MIT
"""The glue between the library's records and the rows of a database: a field is a column of the same name."""

from __future__ import annotations

import functools
from typing import Any, Dict, List, Sequence, Tuple, Type, TypeVar

import vcsched as v

R = TypeVar("R")


@functools.lru_cache(maxsize=None)
def names(kind: Any, prefix: str = "") -> Tuple[str, ...]:
    """The columns of a record."""
    return tuple(prefix + name for name in kind.fields)


def columns(kind: Any, prefix: str = "", key: str = "") -> List[str]:
    """The columns of a record with their types. The primary key is the field of that name."""
    blank = kind(id=1) if kind in (v.Unit, v.Result) else kind()
    return [f"{prefix}{name} {'double precision' if isinstance(value, float) else 'bigint'} "
            f"{'primary key' if name == key else 'not null'}" for name, value in blank.asdict().items()]


def record(kind: Type[R], row: Sequence[Any]) -> R:
    """A record of the values of its columns, in the order of names()."""
    return kind(**dict(zip(kind.fields, row)))  # type: ignore[attr-defined]


def fill(target: Any, row: Sequence[Any]) -> None:
    """The same in a record that is there."""
    for name, value in zip(target.fields, row):
        setattr(target, name, value)


def values(of: Any) -> Tuple[Any, ...]:
    """The values of a record's columns, in the order of names()."""
    return tuple([getattr(of, name) for name in of.fields])


def assignments(kind: Any, prefix: str = "") -> str:
    """All columns of a record, to be set in an update."""
    return ", ".join(f"{name} = ?" for name in names(kind, prefix))


def as_row(of: Any, prefix: str = "") -> Dict[str, Any]:
    """The columns of a record with its values."""
    return {prefix + name: value for name, value in of.asdict().items()}
