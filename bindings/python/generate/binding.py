#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the C source of the module that reaches the library, for cffi's API mode.

    binding.py FOLDER_OF_HEADERS MODULE DEPENDENCIES.d OUTPUT.c
"""

from __future__ import annotations

import pathlib
import sys

import cffi
from headers import Interface, declarations, read_headers, write_dependencies


def c_definitions(interface: Interface) -> str:
    """What cffi is told: everything the headers declare. The compiler fills in the values of the constants."""
    lines = []
    for group in interface.groups:
        for constant in group.constants:
            whole = constant.value.strip("()").rstrip("u").lstrip("-")
            if whole.isdigit() or whole.startswith("0x") or whole == "UINT32_MAX":
                lines.append(f"#define {constant.name} ...")
            else:
                lines.append(f"static const double {constant.name};")
    return "\n".join(lines) + "\n" + declarations(interface)


def main() -> None:
    """Writes the source."""
    folder, module, dependencies, output = sys.argv[1:]
    interface = read_headers(pathlib.Path(folder))
    builder = cffi.FFI()
    builder.cdef(c_definitions(interface))
    builder.set_source(module, "#include <vcsched/vcsched.h>\n")
    builder.emit_c_code(output)
    write_dependencies(pathlib.Path(dependencies), output, pathlib.Path(folder))


main()
