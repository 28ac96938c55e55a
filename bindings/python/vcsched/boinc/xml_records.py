# SPDX-License-Identifier: MIT
"""Reads the interesting elements of an XML file one after the other, without trusting it.

The file is read in pieces and never held as a whole. What nobody asked for is skipped. Document types, and with them
all entities of a file's own, are refused; so are elements nested without end and markup without end.

A BOINC client writes some names as they are, such as the name of a project with an `&`. Where it begins no reference,
it is taken for what it is.
"""

from __future__ import annotations

import re
from typing import BinaryIO, Callable, Dict, FrozenSet, Iterator, List, NamedTuple, Tuple
from xml.parsers import expat

from vcsched.errors import InputError, Position

PIECE = 64 * 1024
"""Bytes that are read at a time."""
LONGEST_MARKUP = 1024 * 1024
"""Bytes that one tag or comment may have. The parser would look at a longer one again with every piece."""
DEEPEST_NESTING = 64
"""Elements that may be nested."""
LONGEST_TEXT = 4096
"""Characters that the text of a field may have, unless a layout says otherwise."""
MOST_ELEMENTS = 10_000
"""Fields that one record may have."""


LONGEST_REFERENCE = 64
"""Bytes, with the & before it."""
_BARE_AMPERSAND = re.compile(rb"&(?!(?:#[0-9]{1,60}|#x[0-9a-fA-F]{1,60}|[A-Za-z_:][-A-Za-z0-9_:.]{0,60});)")


class Element:
    """An element with its text, or with the elements inside it."""

    __slots__ = ("name", "parent", "source", "line", "column", "attributes", "children", "text", "is_leaf")

    def __init__(self, name: str, parent: str, position: Tuple[str, int, int], attributes: Dict[str, str]) -> None:
        self.name = name
        self.parent = parent
        self.source, self.line, self.column = position
        self.attributes = attributes
        self.children: List[Element] = []
        self.text = ""
        self.is_leaf = True

    @property
    def position(self) -> Position:
        """Where it begins."""
        return Position(self.source, self.line, self.column)

    def error(self, message: str) -> InputError:
        """An error that names this element and its place."""
        return InputError(self.position, f"<{self.name}>: {message}")


class Layout(NamedTuple):
    """What is of interest in a kind of file."""

    description: str
    """What such a file is called in messages."""
    roots: FrozenSet[str]
    """Elements with which such a file may begin."""
    containers: FrozenSet[str]
    """Elements that are entered in search of records."""
    records: FrozenSet[str]
    """Elements that are wanted as a whole."""
    fields: FrozenSet[str]
    """Elements that are kept inside a record."""
    longest_text: int = LONGEST_TEXT
    """Characters that the text of a field may have."""


def read_records(stream: BinaryIO, source: str, layout: Layout,
                 progress: Callable[[int], None] = lambda size: None) -> Iterator[Element]:
    """The records of a file, each as soon as it is complete.

    stream    the file, open for reading bytes
    source    its name, for messages
    progress  is called with the number of bytes of each piece that has been read

    Raises InputError for anything that is not well-formed, not a file of this layout, or beyond the bounds above.
    """
    builder = _RecordBuilder(source, layout)
    held = b""
    while True:
        piece = stream.read(PIECE)
        progress(len(piece))
        # A reference may go on in the next piece.
        whole = held + piece
        start = whole.rfind(b"&", -LONGEST_REFERENCE) if piece else -1
        whole, held = (whole, b"") if start < 0 else (whole[:start], whole[start:])
        if whole:
            builder.feed(_with_references(whole))
        if not piece:
            builder.feed(b"")
        yield from builder.take_complete()
        if not piece:
            return


def _with_references(text: bytes) -> bytes:
    """Writes each `&` that begins no reference as one. Only encodings that extend ASCII are looked into."""
    return text if b"\0" in text else _BARE_AMPERSAND.sub(b"&amp;", text)


class _RecordBuilder:
    """Turns the parser's events into records."""

    def __init__(self, source: str, layout: Layout) -> None:
        self._source = source
        self._layout = layout
        self._fed = 0
        self._containers: List[str] = []
        self._open: List[Element] = []
        """The record that is being read, and which of its fields are not closed yet."""
        self._size = 0
        """Fields of the record that is being read."""
        self._skipped_depth = 0
        """How many elements are open from the one on that nobody asked for."""
        self._complete: List[Element] = []
        self._parser = expat.ParserCreate()
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text
        self._parser.StartDoctypeDeclHandler = self._refuse_document_type

    def feed(self, piece: bytes) -> None:
        """Parses a piece of the file; an empty one is its end."""
        try:
            self._parser.Parse(piece, not piece)
        except expat.ExpatError as error:
            position = Position(self._source, error.lineno, error.offset + 1)
            raise InputError(position, expat.ErrorString(error.code)) from None
        except InputError:
            raise
        except (LookupError, TypeError, ValueError):
            # What Python's codecs say about an encoding that the parser does not know and that they cannot supply.
            raise self._error("the encoding that it declares is not supported") from None
        self._fed += len(piece)
        if self._fed - self._parser.CurrentByteIndex > LONGEST_MARKUP:
            raise self._error(f"a tag or a comment is longer than {LONGEST_MARKUP} bytes")

    def take_complete(self) -> List[Element]:
        """The records that were completed since the last call."""
        complete, self._complete = self._complete, []
        return complete

    def _place(self) -> Tuple[str, int, int]:
        """Where the parser is. A plain tuple, for there is one for every element."""
        return self._source, self._parser.CurrentLineNumber, self._parser.CurrentColumnNumber + 1

    def _error(self, message: str) -> InputError:
        return InputError(Position(*self._place()), message)

    def _start(self, name: str, attributes: Dict[str, str]) -> None:
        depth = len(self._containers) + len(self._open) + self._skipped_depth
        if depth >= DEEPEST_NESTING:
            raise self._error(f"more than {DEEPEST_NESTING} elements inside each other")
        if depth == 0 and name not in self._layout.roots:
            raise self._error(f"begins with <{name[:40]}>, so it is not {self._layout.description}")
        if self._skipped_depth:
            self._skipped_depth += 1
        elif self._open:
            self._start_field(name, attributes)
        elif name in self._layout.records:
            self._size = 0
            self._open.append(Element(name, "".join(self._containers[-1:]), self._place(), attributes))
        elif name in self._layout.containers:
            self._containers.append(name)
        else:
            self._skipped_depth = 1

    def _start_field(self, name: str, attributes: Dict[str, str]) -> None:
        enclosing = self._open[-1]
        enclosing.is_leaf = False
        enclosing.text = ""
        if name not in self._layout.fields:
            self._skipped_depth = 1
            return
        self._size += 1
        if self._size > MOST_ELEMENTS:
            raise self._error(f"more than {MOST_ELEMENTS} elements in <{self._open[0].name}>")
        element = Element(name, enclosing.name, self._place(), attributes)
        enclosing.children.append(element)
        self._open.append(element)

    def _end(self, _name: str) -> None:
        if self._skipped_depth:
            self._skipped_depth -= 1
        elif self._open:
            element = self._open.pop()
            if not self._open:
                self._complete.append(element)
        else:
            self._containers.pop()

    def _text(self, text: str) -> None:
        if self._skipped_depth or not self._open or not self._open[-1].is_leaf:
            return
        element = self._open[-1]
        longest = self._layout.longest_text
        if len(element.text) + len(text) > longest:
            raise self._error(f"the text of <{element.name}> is longer than {longest} characters")
        element.text += text

    def _refuse_document_type(self, *_ignored: object) -> None:
        raise self._error("document types are refused, since they can hold entities")
