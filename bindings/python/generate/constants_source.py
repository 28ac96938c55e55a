# SPDX-License-Identifier: MIT
"""The constants of the headers in Python: each under its name without VCS_, and as a member of an enum."""

from __future__ import annotations

import re
from typing import Dict, Iterator, List, NamedTuple, Optional, Tuple

from headers import Constant, Group, Interface

_OF_FIELD = re.compile(r"\bvcs_(\w+)\.(\w+)")
_BY_PREFIX = re.compile(r"VCS_([A-Z0-9_]+_)\*")
_NAMES = {"VCS_OK": "ErrorCode", "VCS_TYPE_NONE": "StructType", "VCS_TYPE_EMULATION": "EmulatorStructType",
          "VCS_TYPE_GRID_TERMS": "GridStructType", "VCS_TYPE_PROJECT_BOUND": "BoundStructType"}
"""Enums whose constants have no prefix that tells what they are, by their first constant."""
_COUNTS = {"VCS_TYPE_COUNT", "VCS_PROFILE_COUNT", "VCS_EVENT_KINDS", "VCS_IDLE_REASONS", "VCS_BOUND_KINDS"}
"""Constants that tell how many others there are, which are no members of an enum."""
_UNDEFINED = "VCS_UNDEFINED_"
"""Begins the name of a flag whose comment lists the fields that have no value where it is set."""


class Enum(NamedTuple):
    """An enum: its members with their comments, and what the header says of all of them."""

    name: str
    flags: bool
    comment: str
    prefix: str
    members: List[Tuple[str, Constant]]


class Constants:
    """What becomes of the constants of the headers."""

    def __init__(self, interface: Interface) -> None:
        self.plain = [constant for group in interface.groups for constant in group.constants]
        self.enums: List[Enum] = []
        self.of_field: Dict[Tuple[str, str], str] = {}
        records = {camel(struct) for struct in interface.structs}
        for group in interface.groups:
            if _is_shared(group):
                continue
            if _is_enum(group):
                enum = _enum(group, records)
                self.enums.append(enum)
                for field in _OF_FIELD.findall(group.comment):
                    self.of_field[field] = enum.name
        for group in filter(_is_shared, interface.groups):
            self._share(group)
        self._find_fields_by_prefix(interface)
        self.undefined = dict(_undefined_fields(interface))

    def _share(self, group: Group) -> None:
        """A flag of several fields becomes the first member of the enum of each, which may be all that it has."""
        constant = group.constants[0]
        member = (constant.name[len("VCS_"):], constant)
        for struct, field in _OF_FIELD.findall(group.comment):
            name = self.of_field.setdefault((struct, field), camel(struct) + camel(field))
            places = [place for place, enum in enumerate(self.enums) if enum.name == name]
            if places:
                enum = self.enums[places[0]]
                self.enums[places[0]] = enum._replace(members=[member, *enum.members])
            else:
                self.enums.append(Enum(name, True, f"vcs_{struct}.{field}", "VCS_", [member]))

    def _find_fields_by_prefix(self, interface: Interface) -> None:
        """A field whose comment is about VCS_REASON_* holds one of that enum, if one alone begins so, and one with the
        name of the enum whose comment tells one of them. One that is to be looked up there ("see VCS_EVENT_*") holds
        something else."""
        for struct in interface.structs.values():
            for field in struct.fields:
                prefix = _BY_PREFIX.search(field.comment) or re.search(rf"VCS_({field.name.upper()}_)", field.comment)
                if prefix and not field.comment.startswith("see ") and (struct.name, field.name) not in self.of_field:
                    found = [enum.name for enum in self.enums if enum.prefix == "VCS_" + prefix[1]]
                    if len(found) == 1 and field.c_type in ("uint32_t", "int32_t"):
                        self.of_field[struct.name, field.name] = found[0]


def _undefined_fields(interface: Interface) -> Iterator[Tuple[Tuple[str, str], str]]:
    """Fields that may have no value, each with the flag that says so."""
    for group in interface.groups:
        for constant in group.constants:
            if constant.name.startswith(_UNDEFINED):
                struct = _OF_FIELD.search(group.comment)[1]
                names = {field.name for field in interface.structs[struct].fields}
                fields = constant.comment.partition(":")[0].split(" and ")
                if not names.issuperset(fields):
                    raise ValueError(f"the comment of {constant.name} begins with no fields of vcs_{struct}")
                yield from (((struct, field), constant.name[len("VCS_"):]) for field in fields)


def camel(name: str) -> str:
    """A name of C as that of a class."""
    return "".join(part.capitalize() for part in name.split("_"))


def _is_shared(group: Group) -> bool:
    """Whether it is a single flag that several fields have."""
    return len(group.constants) == 1 and group.constants[0].value.startswith("0x") and \
        len(_OF_FIELD.findall(group.comment)) > 1


def _is_enum(group: Group) -> bool:
    whole = all(re.fullmatch(r"0x[0-9a-f]+u|\d+u|\(-\d+\)|0", constant.value) for constant in group.constants)
    of_field = bool(_OF_FIELD.search(group.comment))
    return whole and (of_field or len(group.constants) > 1 and _prefix(group.constants, None) != "VCS_"
                      or group.constants[0].name in _NAMES)


def _is_bit(value: str) -> bool:
    return value.startswith("0x") and bin(int(value.rstrip("u"), 16)).count("1") == 1


def _enum(group: Group, records: "set[str]") -> Enum:
    constants = [constant for constant in group.constants if constant.name not in _COUNTS]
    flags = all(_is_bit(constant.value) for constant in constants)
    field = _OF_FIELD.search(group.comment)
    prefix = _prefix(constants, field[1] if field else None)
    name = _NAMES.get(constants[0].name) or camel(prefix[len("VCS_"):].strip("_").lower())
    if field and field[1] == "parameters":
        name = name if camel(field[2]) in records else camel(field[2])
    elif field:
        name = camel(field[1]) + camel(field[2])
    elif name in records:
        name += "Code"
    members = [(_member(constant.name, prefix), constant) for constant in constants]
    return Enum(name, flags, group.comment, prefix, members)


def _prefix(constants: List[Constant], struct: Optional[str]) -> str:
    """The words with which all names begin; a single name, with those of its struct, or the last of them."""
    names = [constant.name for constant in constants if constant.name != "VCS_OK"]
    words = names[0].split("_")[:-1]
    if len(names) == 1 and struct:
        own = struct.upper().split("_")
        parts = (own[first:end] for first in range(len(own)) for end in range(len(own), first, -1))
        prefixes = ("_".join(["VCS", *part, ""]) for part in parts)
        return next((prefix for prefix in prefixes if names[0].startswith(prefix)), "_".join(words) + "_")
    while not all(name.startswith("_".join(words) + "_") for name in names):
        words.pop()
    return "_".join(words) + "_"


def _member(name: str, prefix: str) -> str:
    member = name[len(prefix):] if name.startswith(prefix) else name[len("VCS_"):]
    return member if not member[0].isdigit() else "_" + member


def _value(constant: Constant) -> str:
    """A value of C in Python."""
    value = re.sub(r"\b(0x[0-9a-f]+|\d+)u\b", r"\1", constant.value).replace("UINT32_MAX", "0xffffffff")
    inner = value[1:-1]
    return inner if value.startswith("(-") and inner[1:].isdigit() else value


def constants_source(constants: Constants) -> str:
    """The module."""
    names = [constant.name[len("VCS_"):] for constant in constants.plain] + [enum.name for enum in constants.enums]
    lines = ['"""Every constant of the library: under its name without VCS_, and as a member of an enum."""', "",
             "import enum", "", "__all__ = ["]
    lines += [f'    "{name}",' for name in names] + ["]", ""]
    for constant in constants.plain:
        lines.append(f"{constant.name[len('VCS_'):]} = {_value(constant)}")
        if constant.comment:
            lines.append(docstring(constant.comment, ""))
    for enum in constants.enums:
        lines += ["", "", f"class {enum.name}(enum.{'IntFlag' if enum.flags else 'IntEnum'}):",
                  docstring(enum.comment or enum.name, "    "), ""]
        for member, constant in enum.members:
            lines.append(f"    {member} = {_value(constant)}")
            if constant.comment:
                lines.append(docstring(constant.comment, "    "))
    return "\n".join(lines) + "\n"


def quoted(text: str) -> str:
    """Text as a string of one line."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def docstring(text: str, indent: str) -> str:
    """Text as a string that documents what stands above it."""
    content = text.replace("\\", "\\\\").replace('"', '\\"')
    lines = content.split("\n")
    end = f"\n{indent}" if len(lines) > 1 else ""
    return "\n".join(f"{indent}{line}" if line else "" for line in [f'"""{lines[0]}', *lines[1:]]) + f'{end}"""'
