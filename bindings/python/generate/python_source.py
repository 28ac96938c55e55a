#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the modules of the package that follow from the headers: the constants, and records with their functions.

    python_source.py FOLDER_OF_HEADERS DEPENDENCIES.d CONSTANTS.py INTERFACE.py
"""

from __future__ import annotations

import pathlib
import sys

from constants_source import Constants, constants_source
from headers import EMULATOR, read_headers, write_dependencies
from interface_source import interface_source


def main() -> None:
    """Writes both."""
    folder, dependencies, constants_path, interface_path = sys.argv[1:]
    interface = read_headers(pathlib.Path(folder), *EMULATOR)
    constants = Constants(interface)
    pathlib.Path(constants_path).write_text(constants_source(constants), encoding="ascii")
    pathlib.Path(interface_path).write_text(interface_source(interface, constants), encoding="ascii")
    write_dependencies(pathlib.Path(dependencies), constants_path, pathlib.Path(folder))


main()
