# SPDX-License-Identifier: MIT
"""The compiled part: loaded once, its layout compared, its errors turned into exceptions."""

from __future__ import annotations

import math
from itertools import count, takewhile
from typing import Any, Callable, Iterable, Iterator, NamedTuple, NoReturn, Optional, Tuple

from vcsched.errors import VcsError

try:
    from vcsched._binding import ffi as ffi
    from vcsched._binding import lib as lib
except ImportError as _reason:
    raise ImportError("the compiled part of vcsched cannot be loaded; only `vcsched import` works without it: "
                      f"{_reason}") from _reason

NULL = ffi.NULL


class FieldLayout(NamedTuple):
    """Where a field lies in its struct, in bytes."""

    offset: int
    size: int


def library_fields(struct_type: int) -> "dict[str, Any]":
    """What the library's own table says of each field of a struct, by name."""
    info = ffi.new("vcs_field_info *")
    info.struct_size = ffi.sizeof("vcs_field_info")
    fields = {}
    for index in range(lib.vcs_emulator_field_count(struct_type)):
        if lib.vcs_emulator_field_at(struct_type, index, info) == lib.VCS_OK:
            fields[text(info.name)] = ffi.new("vcs_field_info *", info[0])
    return fields


def text(characters: Any) -> str:
    """Characters of the library as a string."""
    return str(ffi.string(characters).decode("ascii"))


def compiled_layout(struct: str) -> "dict[str, FieldLayout]":
    """The fields of a struct as this package was compiled. Those of a struct inside it are named `outer.inner`."""
    return dict(_compiled_fields(ffi.typeof(f"vcs_{struct}"), "", 0))


def _compiled_fields(c_type: Any, prefix: str, start: int) -> "Iterable[Tuple[str, FieldLayout]]":
    for name, field in c_type.fields:
        inner = field.type
        if inner.kind == "struct" and not inner.cname.endswith("vcs_array"):
            yield from _compiled_fields(inner, f"{prefix}{name}.", start + field.offset)
        else:
            yield prefix + name, FieldLayout(start + field.offset, ffi.sizeof(inner))


def check_layout(struct: str, size: int, fields: "dict[str, FieldLayout]", library_size: int,
                 library: "dict[str, FieldLayout]", version: str) -> None:
    """Compares a struct as this package was compiled with what the library says of it.

    A newer library may have more fields behind the known ones. An older one lacks some, so that what is
    written there would be lost: it is refused.
    """
    if library_size < size or not fields.keys() <= library.keys():
        missing = ", ".join(sorted(fields.keys() - library.keys())) or f"{size - library_size} bytes"
        raise ImportError(f"libvcsched {version} is older than this package: its vcs_{struct} lacks {missing}")
    for name, here in fields.items():
        if library[name] != here:
            raise ImportError(f"libvcsched {version} does not fit this package: field {name} of vcs_{struct} has "
                              f"offset {library[name].offset} and {library[name].size} bytes there, "
                              f"{here.offset} and {here.size} here")


def struct_name(struct_type: int) -> str:
    """The name of a struct without its prefix; empty if there is none of this number."""
    return text(lib.vcs_emulator_struct_name(struct_type))


def struct_size(struct_type: int) -> int:
    """Its size in the library, bytes."""
    size: int = lib.vcs_emulator_struct_size(struct_type)
    return size


def struct_types() -> "Iterator[int]":
    """The numbers of all structs of both libraries; of a newer one, those that were there before."""
    known = set(ffi.list_types()[0])
    yield from (number for number in range(1, lib.VCS_TYPE_COUNT)
                if struct_name(number) and number != lib.VCS_TYPE_CANDIDATE)
    yield from (number for number in takewhile(struct_name, count(lib.VCS_TYPE_EMULATION))
                if f"vcs_{struct_name(number)}" in known)


def check_library() -> None:
    """Compares all structs, when the package is loaded."""
    version = text(lib.vcs_version())
    for number in struct_types():
        struct = struct_name(number)
        table = {name: FieldLayout(field.offset, field.size) for name, field in library_fields(number).items()}
        check_layout(struct, ffi.sizeof(f"vcs_{struct}"), compiled_layout(struct), struct_size(number), table, version)


def check_arithmetic() -> None:
    """Runs the self-test of the library, when the package is loaded. Flushed denormal numbers change no decision."""
    error = new_error()
    if lib.vcs_self_test(error) and text(error.field) != "denormals":
        raise ImportError(f"libvcsched decides otherwise here than elsewhere: {text(error.message)}")


def new_error() -> Any:
    """Room for the library to say what it refused."""
    error = ffi.new("vcs_error *")
    error.struct_size = ffi.sizeof("vcs_error")
    return error


check_library()
check_arithmetic()

# ---- Errors ----

WRONG_ARGUMENT = (TypeError, OverflowError, AttributeError)
"""What a call raises before it reaches the library, if an argument is not what it should be."""

_INTEGER_RANGES = {"uint32_t": (0, 2**32 - 1), "uint64_t": (0, 2**64 - 1), "int32_t": (-2**31, 2**31 - 1),
                   "int": (-2**31, 2**31 - 1)}


def describe_fault(value: object, c_type: str) -> str:
    """Why a value cannot be a number of this type; empty if it can."""
    if c_type == "double":
        try:
            float(value)  # type: ignore[arg-type]
        except OverflowError:
            return "is too large for a number"
        except (TypeError, ValueError):
            return f"must be a number, not {kind_of(value)}"
        return f"must be a number, not {kind_of(value)}" if isinstance(value, (str, bytes)) else ""
    if isinstance(value, float) or not hasattr(value, "__index__"):
        return f"must be a whole number, not {kind_of(value)}"
    least, greatest = _INTEGER_RANGES[c_type]
    whole = value.__index__()
    return "" if least <= whole <= greatest else f"must be {least} ... {greatest}"


def kind_of(value: object) -> str:
    """What a value is, in a message."""
    return "None" if value is None else type(value).__name__


def explain(reason: Exception, function: str, *arguments: Tuple[str, object, Any]) -> Exception:
    """Names the argument at fault. Each argument comes as its name, its value, and what it should be: the name of a
    type of C for a number, else the class of a record."""
    for name, value, wanted in arguments:
        if isinstance(wanted, str):
            fault = describe_fault(value, wanted)
        else:
            fault = "" if isinstance(value, wanted) \
                else f"must be {wanted.__name__}, not {kind_of(value)}"
        if fault:
            error = OverflowError if "..." in fault or "too large" in fault else TypeError
            return error(f"{function}(): {name} {fault}")
    return reason


def failure(function: str, code: int, error: Any = None, **arguments: object) -> VcsError:
    """The exception for a code that the library returned, with what it said about it, if anything."""
    name = text(lib.vcs_error_name(code))
    if error is not None and error.code == code:
        record, field = struct_name(error.type), text(error.field)
        hint = _WANTED.get((record, field), "") if code == lib.VCS_ERR_RANGE else ""
        said = text(error.message) or text(lib.vcs_strerror(code))
        return VcsError(code, name, f"{function}(): {said}{hint}", record, error.index, field)
    fault = _field_at_fault(arguments)
    if fault is not None:
        record, field, wanted = fault
        return VcsError(code, name, f"{function}(): {record}: {field} {wanted}", record, field=field)
    # No field is to blame: say which numbers were given, or just which cannot be right.
    numbers = {key: value for key, value in arguments.items() if isinstance(value, (int, float))}
    if code == lib.VCS_ERR_NOT_FINITE:
        numbers = {key: value for key, value in numbers.items() if not math.isfinite(value)} or numbers
    given = ", ".join(f"{key}={value!r}" for key, value in numbers.items())
    field = next(iter(numbers)) if len(numbers) == 1 else ""
    return VcsError(code, name, f"{function}({given}): {text(lib.vcs_strerror(code))}", field=field)


_WANTED = {("resource", "flops"): ": it wants the operations per second of one instance, and is 0 if not given"}
"""Fields whose default is refused, and what to give instead."""

_AT_MOST = {("quota", "quota"): "max_quota"}
"""Fields that another field of the same record bounds."""


def _field_at_fault(arguments: "dict[str, object]") -> Optional[Tuple[str, str, str]]:
    """The first field outside its range, in a record that a function was given: record, field, what is wrong."""
    for record in arguments.values():
        if not isinstance(record, ffi.CData):
            continue
        struct = ffi.typeof(record).item.cname.rpartition("vcs_")[2]
        for name, field in library_fields(getattr(lib, f"VCS_TYPE_{struct.upper()}")).items():
            bound = _AT_MOST.get((struct, name))
            value, least = getattr(record, name), field.minimum
            most = getattr(record, bound) if bound else field.maximum
            if isinstance(value, (int, float)) and not least <= value <= most:
                limit = f"{bound} = {most:.17g}" if bound else f"{most:.17g}"
                return struct, name, f"is {value!r}, not {least:.17g} ... {limit}"
    return None


def check(function: str, call: Callable[..., int], *arguments: Any) -> None:
    """Calls a function of the library that describes its errors, and raises what it says."""
    code = call(*arguments, NULL)
    if code:
        fail(function, call, *arguments)


def fail(function: str, call: Callable[..., int], *arguments: Any) -> NoReturn:
    """Repeats a failed call, which changed nothing, to learn why. Most calls succeed and need no memory for this."""
    error = new_error()
    raise failure(function, call(*arguments, error), error)
