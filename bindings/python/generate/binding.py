#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the C source of the module that reaches the libraries, for cffi's API mode.

    binding.py FOLDER_OF_HEADERS EVENT_LIST.h MODULE DEPENDENCIES.d OUTPUT.c

The module has functions of its own, too: those that keep the events of an emulation, which EVENT_LIST.h declares,
those of number_source.py, and those of Python's that the emulator calls back.
"""

from __future__ import annotations

import pathlib
import re
import sys

import cffi
import number_source
from headers import EMULATOR, FILES, Interface, declarations, read_headers, write_dependencies

_HOOK = re.compile(r"int \(\*(\w+)\)\(([^)]*)\);")
_OWN = re.compile(r"^typedef struct .*?^\}.*?;\n|^(?:int|void) .*?;\n", re.MULTILINE | re.DOTALL)


def c_definitions(interface: Interface) -> str:
    """What cffi parses: everything the headers declare. The compiler fills in the values of the constants."""
    lines = []
    for group in interface.groups:
        for constant in group.constants:
            whole = constant.value.strip("()").rstrip("u").lstrip("-")
            if whole.isdigit() or whole.startswith("0x") or whole == "UINT32_MAX":
                lines.append(f"#define {constant.name} ...")
            else:
                lines.append(f"static const double {constant.name};")
    return "\n".join(lines) + "\n" + declarations(interface)


def python_functions(interface: Interface) -> str:
    """One function of Python's for each that the emulator calls back: `call_schedule` for `schedule` of vcs_hooks,
    `call_grid_trust` for `trust` of vcs_grid_hooks."""
    return "".join(f'extern "Python" int call_{kind}{name}({parameters});\n' for kind in ("", "grid_")
                   for name, parameters in _HOOK.findall(interface.structs[f"{kind}hooks"].text))


def main() -> None:
    """Writes the source."""
    folder, own, module, dependencies, output = sys.argv[1:]
    interface = read_headers(pathlib.Path(folder), *EMULATOR, FILES)
    own_declarations = "".join(_OWN.findall(pathlib.Path(own).read_text(encoding="ascii")))
    builder = cffi.FFI()
    builder.cdef(c_definitions(interface) + own_declarations + python_functions(interface)
                 + number_source.declarations(interface))
    builder.set_source(module, "".join(f"#include <{name}>\n" for name in ("vcsched/vcsched.h", *EMULATOR, FILES)) +
                       f'#include "{pathlib.Path(own).name}"\n' + number_source.definitions(interface))
    builder.emit_c_code(output)
    write_dependencies(pathlib.Path(dependencies), output, pathlib.Path(folder))


main()
