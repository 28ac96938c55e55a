#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Writes the playground as one file: its modules bundled by esbuild, the style, and the compiled library inside."""

from __future__ import annotations

import argparse
import base64
import gzip
import os
import pathlib
import subprocess

LINE_LENGTH = 120
"""Characters of base64 in a line: some editors dislike lines of a third of a megabyte."""


def bundled(esbuild: str, module: pathlib.Path, source: pathlib.Path, arguments: list[str]) -> str:
    """What esbuild makes of a file and all that it imports; the package `vcsched` is the folder of the module."""
    return subprocess.run([esbuild, str(source), "--bundle", "--minify", "--charset=utf8", "--log-level=error",
                           *arguments], check=True, stdout=subprocess.PIPE, text=True, encoding="utf-8",
                          env={**os.environ, "NODE_PATH": str(module.parent)}).stdout


def lines_of(text: str) -> str:
    return "\n".join(text[at:at + LINE_LENGTH] for at in range(0, len(text), LINE_LENGTH))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("esbuild")
    parser.add_argument("module", type=pathlib.Path, help="the folder of the JavaScript module, with vcsched.wasm")
    parser.add_argument("output", type=pathlib.Path)
    chosen = parser.parse_args()
    here = pathlib.Path(__file__).resolve().parent
    module = chosen.module.resolve()
    program = bundled(chosen.esbuild, module, here / "main.js", [
        "--format=iife", "--loader:.ini=text", "--loader:.csv=text", "--loader:.xml=text", "--external:node:*",
        "--define:import.meta.url=undefined"])
    # The end of the element must not stand inside it.
    parts = {
        "STYLE": bundled(chosen.esbuild, module, here / "page.css", []).strip(),
        "WASM": lines_of(base64.b64encode(gzip.compress((module / "vcsched.wasm").read_bytes(), 9, mtime=0))
                         .decode()),
        "PROGRAM": program.replace("</script", "<\\/script").strip(),
    }
    page = (here / "page.html").read_text(encoding="utf-8")
    for name, text in parts.items():
        page = page.replace(f"@{name}@", text)
    chosen.output.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
