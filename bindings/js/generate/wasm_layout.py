# SPDX-License-Identifier: MIT
"""Where the fields of the structs are in WebAssembly, where a pointer has four bytes.

Every offset that is written for JavaScript is also written as an assertion in C, which clang checks while it compiles.
"""

from __future__ import annotations

from typing import Dict, List, NamedTuple, Tuple

from headers import Field, Interface, Struct

SIZES = {'double': 8, 'uint64_t': 8, 'int64_t': 8, 'uint32_t': 4, 'int32_t': 4, 'int': 4, 'size_t': 4, 'char': 1}
ARRAY_SIZE = 16  # of a vcs_array, whatever the size of a pointer


class Place(NamedTuple):
    """A field and where it is."""

    field: Field
    offset: int
    size: int


class Layout(NamedTuple):
    """The fields of a struct, its size, and what its address is a multiple of."""

    places: List[Place]
    size: int
    alignment: int


def layout_of(struct: Struct, interface: Interface, known: Dict[str, Layout]) -> Layout:
    """The layout of a struct. Structs with functions among their fields have none here."""
    if struct.name in known:
        return known[struct.name]
    places, end, largest = [], 0, 1
    for field in struct.fields:
        size, alignment = _size(field.c_type, interface, known)
        end += -end % alignment
        size *= field.length or 1
        places.append(Place(field, end, size))
        end += size
        largest = max(largest, alignment)
    known[struct.name] = Layout(places, end + -end % largest, largest)
    return known[struct.name]


def _size(c_type: str, interface: Interface, known: Dict[str, Layout]) -> Tuple[int, int]:
    if c_type.endswith('*'):
        return 4, 4
    if c_type == 'vcs_array':
        return ARRAY_SIZE, 8
    if c_type.startswith('vcs_'):
        inner = layout_of(interface.structs[c_type[4:]], interface, known)
        return inner.size, inner.alignment
    return SIZES[c_type], SIZES[c_type]


def assertions(struct: Struct, layout: Layout) -> List[str]:
    """The same in C."""
    name = struct.c_name
    return [f'_Static_assert(sizeof({name}) == {layout.size}, "{name}");',
            *(f'_Static_assert(offsetof({name}, {place.field.name}) == {place.offset}, "{name}.{place.field.name}");'
              for place in layout.places)]
