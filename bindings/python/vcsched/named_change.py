# SPDX-License-Identifier: MIT
"""What a change sets, by the name of the field."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Union

from vcsched.library import lib, library_fields, text
from vcsched.memory import struct_number


class NamedChange:
    """What every change has besides its fields."""

    __slots__ = ()

    if TYPE_CHECKING:
        result: int
        field: int
        number: float
        integer: int

    @property
    def name(self) -> str:
        """The field that it sets, such as "outcome"; "" if it asks for new results."""
        return _name(self.field)

    @property
    def value(self) -> Union[int, float]:
        """What it sets the field to; if it asks for new results, how many."""
        is_of_unit: bool = self.result == lib.VCS_NONE
        return self.number if _is_double("unit" if is_of_unit else "result", self.field) else self.integer


@lru_cache(maxsize=None)
def _name(field: int) -> str:
    return text(lib.vcs_change_field_name(field))


@lru_cache(maxsize=None)
def _is_double(struct: str, field: int) -> bool:
    row = library_fields(struct_number(struct)).get(_name(field))
    return row is not None and text(row.kind) == "f64"
