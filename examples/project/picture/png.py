# SPDX-License-Identifier: MIT
"""Pictures as PNG files."""

from __future__ import annotations

import struct
import zlib


def _chunk(kind: bytes, held: bytes) -> bytes:
    return struct.pack(">I", len(held)) + kind + held + struct.pack(">I", zlib.crc32(kind + held))


def png(width: int, height: int, pixels: bytes, effort: int = 6) -> bytes:
    """Pixels row by row, red, green and blue of each, as a PNG file."""
    if len(pixels) != width * height * 3:
        raise ValueError(f"{len(pixels)} bytes are not {width} * {height} pixels")
    row = width * 3
    # Each row begins with how it was filtered: 0 = not at all.
    lines = b"".join(b"\0" + pixels[at:at + row] for at in range(0, len(pixels), row))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", head) + _chunk(b"IDAT", zlib.compress(lines, effort)) +
            _chunk(b"IEND", b""))
