# SPDX-License-Identifier: MIT
"""Names as a state file can have them: on one line, distinct, and without what ends the title of a section."""

from __future__ import annotations

import unicodedata
from typing import Dict

LONGEST_NAME = 256
"""Characters of a name that are kept. Lines of a state file are at most 4096 bytes long."""


def one_line(text: str) -> str:
    """The text without line breaks and control characters, with single blanks between its words."""
    if not text.isprintable():
        text = "".join(" " if unicodedata.category(letter) in ("Cc", "Zl", "Zp") else letter for letter in text)
    return " ".join(text.split())


def clean_name(text: str) -> str:
    """The text as the name of a section: one line of bounded length that does not end the section's title."""
    return one_line(text).replace("]", ")")[:LONGEST_NAME].rstrip() or "unnamed"


class Names:
    """The names of one kind of section, no two of which may be equal."""

    def __init__(self) -> None:
        self._last_number: Dict[str, int] = {}

    def claim(self, text: str, suffix: str = "") -> str:
        """A clean name that nobody has yet: the text unchanged, else with the suffix, else with a number appended."""
        name = clean_name(text)
        if name in self._last_number and suffix:
            name = f"{name} ({clean_name(suffix)})"
        distinct = name
        while distinct in self._last_number:
            self._last_number[name] += 1
            distinct = f"{name} {self._last_number[name]}"
        self._last_number[distinct] = 1
        return distinct
