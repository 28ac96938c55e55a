# SPDX-License-Identifier: MIT
"""Functions that answer with one number, in C: they return it, so that Python allocates no memory for it.

`double number_of_backoff(failures, range, u)` returns what `vcs_backoff(failures, range, u, &wait)` writes. On an error
it returns NaN, which the library never answers; calling the function itself again shows which error.
"""

from __future__ import annotations

import re
from typing import List

from headers import Function, Interface


def answers_with_number(function: Function) -> bool:
    """Whether the only thing that a function writes is one number, and behind that a description of its error."""
    parameters = [parameter for parameter in function.parameters if parameter.c_type != "vcs_error*"]
    if function.result != "int" or not parameters or parameters[-1].c_type != "double*" or parameters[-1].const:
        return False
    return all(parameter.const and parameter.c_type.startswith("vcs_") or "*" not in parameter.c_type
               for parameter in parameters[:-1])


def declarations(interface: Interface) -> str:
    """The prototypes."""
    return "".join(f"{_prototype(function)};\n" for function in interface.functions.values()
                   if answers_with_number(function))


def definitions(interface: Interface) -> str:
    """The functions."""
    return "#include <math.h>\n" + "".join(
        f"static {_prototype(function)} {{\n    double answer;\n"
        f"    return vcs_{function.name}({', '.join(_arguments(function))}) == VCS_OK ? answer : NAN;\n}}\n"
        for function in interface.functions.values() if answers_with_number(function))


def _inputs(function: Function) -> List[str]:
    """The parameters as C, without those that are written."""
    listed = re.sub(r".*?\((.*)\);", r"\1", function.text).split(", ")
    return [text for text, parameter in zip(listed, function.parameters)
            if parameter.c_type not in ("double*", "vcs_error*")]


def _prototype(function: Function) -> str:
    return f"double number_of_{function.name}({', '.join(_inputs(function))})"


def _arguments(function: Function) -> List[str]:
    written = {"double*": "&answer", "vcs_error*": "NULL"}
    return [written.get(parameter.c_type, parameter.name) for parameter in function.parameters]
