# SPDX-License-Identifier: MIT
"""Places of the Mandelbrot set that are worth a look, and how each is coloured."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Place:
    """A window into the set. Its height follows from the picture's."""

    re: str
    """Of its centre, in decimal digits."""
    im: str
    width: str
    iterations: int
    """A point that has not escaped by then belongs to the set."""
    turns: float
    """How often the colours go round while the count of iterations doubles."""
    phase: float
    """With which colour they begin, 0 ... 1."""


PLACES = {
    "whole": Place("-0.68", "0", "3.6", 1500, 0.4, 0.3),
    "seahorse": Place("-0.748", "0.101", "0.012", 2500, 0.9, 0.05),
    "elephants": Place("0.2925", "0.0145", "0.018", 2000, 0.7, 0.75),
    "spiral": Place("-0.743643887037151", "0.13182590420533", "0.00004", 6000, 1.2, 0.1),
    "eyes": Place("-1.25066", "0.02012", "0.00035", 4000, 1.0, 0.0),
    "snowflake": Place("-0.16070135", "1.0375665", "0.00000012", 6000, 1.0, 0.6),
}
