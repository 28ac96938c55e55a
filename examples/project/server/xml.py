# SPDX-License-Identifier: MIT
"""XML as the deployed clients write it, read without trust: no document types, no entities of one's own, limits on size
and depth. Anything else is refused with a sentence that says where."""

from __future__ import annotations

import re
from math import isfinite
from typing import Dict, List, Optional
from xml.parsers import expat
from xml.sax.saxutils import escape

DEEPEST = 12
"""Elements inside elements."""
MOST = 50000
"""Elements in a document."""
LONGEST = 65536
"""Characters in an element."""

_IMPOSSIBLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_STDERR = re.compile(r"<stderr_out>(.*?)</stderr_out>", re.DOTALL)


class Malformed(ValueError):
    """What came is not what we read."""


class Element:
    """An element: its text, and what is in it."""

    __slots__ = ("name", "text", "children")

    def __init__(self, name: str) -> None:
        self.name = name
        self.text = ""
        self.children: List["Element"] = []

    def find(self, name: str) -> Optional["Element"]:
        """The first element of that name in it."""
        for child in self.children:
            if child.name == name:
                return child
        return None

    def all(self, name: str) -> List["Element"]:
        """All elements of that name in it."""
        return [child for child in self.children if child.name == name]

    def string(self, name: str, default: str = "") -> str:
        """The text of an element in it."""
        found = self.find(name)
        return default if found is None else found.text.strip()

    def number(self, name: str, default: float, least: float, most: float) -> float:
        """The number in an element in it."""
        text = self.string(name)
        if not text:
            return default
        try:
            value = float(text)
        except ValueError:
            raise Malformed(f"<{name}> is no number: {text[:40]!r}") from None
        if not isfinite(value):
            raise Malformed(f"<{name}> is no finite number: {text[:40]!r}")
        return min(max(value, least), most)

    def integer(self, name: str, default: int, least: int, most: int) -> int:
        """The whole number in an element in it."""
        text = self.string(name)
        if not text:
            return default
        if not re.fullmatch(r"[+-]?[0-9]{1,18}", text):
            raise Malformed(f"<{name}> is no whole number: {text[:40]!r}")
        return min(max(int(text), least), most)


class _Reader:
    def __init__(self) -> None:
        self.root: Optional[Element] = None
        self._open: List[Element] = []
        self._texts: List[List[str]] = []
        self._count = 0
        self._length = 0
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._data
        self.parser.StartDoctypeDeclHandler = self._refuse
        self.parser.EntityDeclHandler = self._refuse
        self.parser.ProcessingInstructionHandler = self._refuse

    def _refuse(self, *_unused: object) -> None:
        raise Malformed("a document type, an entity or an instruction is not expected")

    def _start(self, name: str, _attributes: Dict[str, str]) -> None:
        self._count += 1
        if self._count > MOST:
            raise Malformed(f"more than {MOST} elements")
        if len(self._open) >= DEEPEST:
            raise Malformed(f"elements inside more than {DEEPEST} others")
        element = Element(name)
        if self._open:
            self._open[-1].children.append(element)
        else:
            self.root = element
        self._open.append(element)
        self._texts.append([])
        self._length = 0

    def _data(self, text: str) -> None:
        self._length += len(text)
        if self._length > LONGEST:
            raise Malformed(f"<{self._open[-1].name}> is longer than {LONGEST} characters")
        self._texts[-1].append(text)

    def _end(self, _name: str) -> None:
        self._open.pop().text = "".join(self._texts.pop())


def read(content: bytes, root: str) -> Element:
    """The root element. What programs wrote to their standard error may contain anything, so it is taken out of the way
    of the parser; it becomes the text of <stderr_out> as it stands."""
    text = _IMPOSSIBLE.sub("?", content.decode("utf-8", "replace"))
    text = _STDERR.sub(lambda found: f"<stderr_out>{escape(found[1][-LONGEST // 8:])}</stderr_out>", text)
    reader = _Reader()
    try:
        reader.parser.Parse(text.encode(), True)
    except expat.ExpatError as reason:
        raise Malformed(f"not XML: {reason}") from None
    if reader.root is None or reader.root.name != root:
        raise Malformed(f"<{root}> is missing")
    return reader.root


def element(name: str, content: object) -> str:
    """An element with text in it, on a line of its own, as the clients' line-wise reader likes it."""
    return f"<{name}>{escape(str(content))}</{name}>\n"
