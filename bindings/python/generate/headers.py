#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reads the public headers: constants, structs, functions, and what their comments say.

Everything that a binding needs to know of the library's interface comes from here, so none of it is written twice.
Other languages may use it as well:

    headers.py FOLDER       prints the declarations without comments, attributes and constants, for an FFI
"""

from __future__ import annotations

import pathlib
import re
import sys
from typing import Dict, Iterator, List, NamedTuple, Optional

ALL = "vcsched/vcsched.h"
"""The header that includes all others of the library. Other libraries have headers of their own."""
EMULATOR = ("vcemu/grid.h", "vcemu/bound.h")
"""The headers of the emulator, which is a library of its own; they include emulator.h."""
FILES = "vcemu/scenario.h"
"""The header that reads files for the emulator. The package calls it by hand, in `vcsched.files`."""


class Constant(NamedTuple):
    """One #define."""

    name: str
    value: str
    comment: str


class Group(NamedTuple):
    """Constants that stand together, and the comment above the first."""

    comment: str
    constants: List[Constant]


class Field(NamedTuple):
    """A field of a struct. `length` is 0 if it is no array."""

    name: str
    c_type: str
    length: int
    comment: str


class Struct(NamedTuple):
    """A struct, under its name without the prefix. One without fields is opaque."""

    name: str
    comment: str
    fields: List[Field]
    text: str

    @property
    def c_name(self) -> str:
        return "vcs_" + self.name


class Parameter(NamedTuple):
    """A parameter of a function: its type without const and blanks, such as `vcs_task*`. Of an array of records the
    type is `vcs_array*`, and the comment names the struct of an element: `vcs_task[]`."""

    name: str
    c_type: str
    const: bool
    comment: str

    @property
    def element(self) -> str:
        """The struct of an element of an array, without its prefix; "" if this is no array."""
        named = re.search(r"\bvcs_(\w+)\[\]", self.comment) if self.c_type == "vcs_array*" else None
        return named[1] if named else ""


class Function(NamedTuple):
    """A prototype, under its name without the prefix."""

    name: str
    result: str
    parameters: List[Parameter]
    comment: str
    text: str


class Interface(NamedTuple):
    """All that the headers declare, in the order of their includes."""

    groups: List[Group]
    structs: Dict[str, Struct]
    functions: Dict[str, Function]


_COMMENT = re.compile(r"/\*(.*?)\*/", re.DOTALL)
_INCLUDE = re.compile(r"^#include <(vc(?:sched|emu)/\w+\.h)>", re.MULTILINE)
_DEFINE = re.compile(r"^#define (VCS_(?!API\b|VERSION\b)\w+) +((?:[^/\n]|/(?!\*))+?) *(?:/\*(.*?)\*/)?$",
                     re.MULTILINE | re.DOTALL)
_STRUCT = re.compile(r"typedef struct vcs_(\w+)(?: \{(.*?)\n\} vcs_\1| vcs_\1);", re.DOTALL)
_FIELD = re.compile(r"^ {4}(?P<type>[\w *]+?[ *])(?P<name>\w+)(?:\[(?P<length>\d+)\])?;(?: */\*(?P<comment>.*?)\*/)?",
                    re.MULTILINE | re.DOTALL)
_FUNCTION = re.compile(r"^VCS_API ([\w ]+?[ *])vcs_(\w+)\(([^)]*)\);", re.MULTILINE)
_PARAMETER = re.compile(r"(const )?([\w ]+?[ *]+)(\w+)$")
_DESCRIBED = re.compile(r"^([a-z]\w*(?:, [a-z]\w*)*) {2,}(\S.*?)(?=^\S|^$|\Z)", re.MULTILINE | re.DOTALL)


def read_headers(folder: pathlib.Path, *others: str) -> Interface:
    """Reads all headers of the library, those first that others include; then `others`, headers of other libraries."""
    interface = Interface([], {}, {})
    for path in _in_order(folder, [ALL, *others]):
        _read_header(path.read_text(encoding="ascii"), interface)
    return interface


def _in_order(folder: pathlib.Path, names: List[str]) -> List[pathlib.Path]:
    ordered: List[pathlib.Path] = []

    def visit(path: pathlib.Path) -> None:
        if path not in ordered:
            for name in _INCLUDE.findall(path.read_text(encoding="ascii")):
                visit(folder / name)
            ordered.append(path)

    for first in names:
        visit(folder / first)
    return ordered


def _read_header(text: str, interface: Interface) -> None:
    interface.groups.extend(_groups(text))
    for match in _STRUCT.finditer(text):
        struct = Struct(match[1], _comment_before(text, match.start()), list(_fields(match[2] or "")),
                        _without_comments(match[0]))
        interface.structs[struct.name] = struct
    shared = ""
    for match in _FUNCTION.finditer(text):
        comment = _comment_before(text, match.start())
        # Where a function stands right below another one, one comment is about both.
        shared = comment = comment or shared
        prototype = " ".join(_without_comments(match[0]).replace("VCS_API ", "").split())
        function = Function(match[2], match[1].strip(), list(_parameters(match[3], comment)), comment, prototype)
        interface.functions[function.name] = function


def _groups(text: str) -> Iterator[Group]:
    """Paragraphs of #defines. What stands alone in front is the comment of the whole."""
    for paragraph in re.split(r"\n\s*\n", text):
        constants = [Constant(match[1], match[2], _plain(match[3] or "")) for match in _DEFINE.finditer(paragraph)]
        if constants:
            first = _COMMENT.match(paragraph.strip())
            yield Group(_plain(first[1]) if first else "", constants)


def _fields(body: str) -> Iterator[Field]:
    """The fields of a struct; of a union inside it, the first."""
    body = re.sub(r"^ {4}union \{\n {4}(.*?;)(.*?)^ {4}\};", r"\1", body, flags=re.MULTILINE | re.DOTALL)
    for match in _FIELD.finditer(body):
        yield Field(match["name"], match["type"].replace(" ", "").replace("const", ""), int(match["length"] or 0),
                    _plain(match["comment"] or ""))


def _parameters(text: str, comment: str) -> Iterator[Parameter]:
    described = {}
    for names, what in _DESCRIBED.findall(comment):
        described.update({name: " ".join(what.split()) for name in names.split(", ")})
    for part in " ".join(text.split()).split(", "):
        match = _PARAMETER.match(part)
        if match:
            yield Parameter(match[3], match[2].replace(" ", ""), bool(match[1]), described.get(match[3], ""))


def _comment_before(text: str, position: int) -> str:
    """The comment that ends right before a place, with its line breaks."""
    before = text[:position].rstrip(" ")
    if not before.endswith("*/\n"):
        return ""
    return _lines(before[before.rindex("/*") + 2:-3])


def _lines(comment: str) -> str:
    """A comment without its stars, line by line."""
    return "\n".join(re.sub(r"^ \* ?", "", line) for line in comment.split("\n")).strip()


def _plain(comment: str) -> str:
    """A comment as one line."""
    return " ".join(_lines(comment).split())


def _without_comments(text: str) -> str:
    return re.sub(r"[ \t]+$", "", _COMMENT.sub("", text), flags=re.MULTILINE)


def declarations(interface: Interface) -> str:
    """Structs and prototypes as C, for a parser that knows no preprocessor."""
    parts = [struct.text for struct in interface.structs.values()]
    return "\n".join(parts + [function.text for function in interface.functions.values()]) + "\n"


def write_dependencies(path: pathlib.Path, output: str, folder: pathlib.Path) -> None:
    """Tells the build what an output was made of: the headers, and these scripts."""
    used = [*sorted(folder.glob("vcsched/*.h")), *sorted(folder.glob("vcemu/*.h")),
            *sorted(pathlib.Path(__file__).parent.glob("*.py"))]
    path.write_text(f"{output}: " + " ".join(str(part).replace(" ", "\\ ") for part in used) + "\n", encoding="utf-8")


def main(arguments: List[str]) -> Optional[str]:
    """Prints the declarations. Returns what is wrong with the arguments."""
    if len(arguments) != 1 or not pathlib.Path(arguments[0]).is_dir():
        return "usage: headers.py FOLDER"
    sys.stdout.write(declarations(read_headers(pathlib.Path(arguments[0]))))
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
