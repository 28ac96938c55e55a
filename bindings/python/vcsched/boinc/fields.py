# SPDX-License-Identifier: MIT
"""The fields of a record, by name and as values."""

from __future__ import annotations

import re
from typing import Dict, List, Optional

from vcsched.boinc.xml_records import Element
from vcsched.errors import quoted

LONGEST_DURATION = 1e12
"""Seconds. What the library tells apart; times are bounded by it too."""
GREATEST_AMOUNT = 1e30
"""No speed, size or share of a computer comes near."""

NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)
WHOLE = re.compile(r"[+-]?\d{1,18}", re.ASCII)


def number_of(element: Element, minimum: float = 0.0, maximum: float = GREATEST_AMOUNT) -> float:
    """The element's text as a number between the bounds."""
    text = element.text.strip()
    if not NUMBER.fullmatch(text):
        raise element.error(f"{quoted(text)} is not a number")
    value = float(text)
    if not minimum <= value <= maximum:
        raise element.error(f"{quoted(text)} is not between {minimum:g} and {maximum:g}")
    return value


def whole_of(element: Element, minimum: int, maximum: int) -> int:
    """The element's text as a whole number between the bounds."""
    text = element.text.strip()
    if not WHOLE.fullmatch(text):
        raise element.error(f"{quoted(text)} is not a whole number")
    value = int(text)
    if not minimum <= value <= maximum:
        raise element.error(f"{quoted(text)} is not between {minimum} and {maximum}")
    return value


def flag_of(element: Element) -> bool:
    """An empty element is a flag that is set; otherwise its text is 0 or 1."""
    return not element.text.strip() or whole_of(element, -(10**9), 10**9) != 0


class Fields:
    """The elements directly inside a record. A field that is missing has the default that is asked for."""

    def __init__(self, record: Element) -> None:
        self.record = record
        self._by_name: Dict[str, List[Element]] = {}
        for child in record.children:
            self._by_name.setdefault(child.name, []).append(child)

    def every(self, name: str) -> List[Element]:
        """All elements of this name, for fields that may occur several times."""
        return self._by_name.get(name, [])

    def one(self, name: str) -> Optional[Element]:
        """The element of this name. It may stand there again only to say the same."""
        found = self._by_name.get(name)
        if not found:
            return None
        for again in found[1:]:
            if not (again.is_leaf and found[0].is_leaf and again.text.strip() == found[0].text.strip()):
                raise again.error(f"stands twice in <{self.record.name}>, first at line {found[0].line}")
        return found[0]

    def text(self, name: str) -> str:
        """The text, without blanks around it; empty if there is none."""
        element = self.one(name)
        return element.text.strip() if element else ""

    def required_text(self, name: str) -> str:
        """The text, which must not be empty."""
        text = self.text(name)
        if not text:
            raise self.record.error(f"has no <{name}>")
        return text

    def number(self, name: str, default: float = 0.0, minimum: float = 0.0,
               maximum: float = GREATEST_AMOUNT) -> float:
        """An amount."""
        element = self.one(name)
        return number_of(element, minimum, maximum) if element else default

    def duration(self, name: str, default: float = 0.0) -> float:
        """Seconds; also a time, which counts them from 1970."""
        return self.number(name, default, 0.0, LONGEST_DURATION)

    def known_duration(self, name: str) -> Optional[float]:
        """Seconds, or None if the element is missing."""
        return self.duration(name) if self.one(name) else None

    def whole(self, name: str, default: int = 0, minimum: int = 0, maximum: int = 2**31 - 1) -> int:
        """A whole number."""
        element = self.one(name)
        return whole_of(element, minimum, maximum) if element else default

    def flag(self, name: str) -> bool:
        """Whether the flag is there and set."""
        element = self.one(name)
        return element is not None and flag_of(element)
