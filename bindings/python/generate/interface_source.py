# SPDX-License-Identifier: MIT
"""Records and functions in Python: a class for each struct, and each function as a method of its record or as itself.

What a parameter is follows from its type, its name, and what the comment of the function says of it; see `Wrapper`. A
function whose parameters fit no rule is left to `vcsched.state`, where those over a whole host are written by hand.
"""

from __future__ import annotations

import re
from typing import Dict, List, Optional, Tuple

from constants_source import Constants, camel, docstring, quoted
from headers import Field, Function, Interface, Parameter, Struct
from number_source import answers_with_number

NOT_RECORDS = {"array", "snapshot", "error", "scenario", "situation", "hooks", "grid", "host_class", "grid_situation",
               "grid_hooks", "grid_results"}
"""Structs that Python has no class for: how arrays, errors and functions travel."""
PROFILE = "profile"
"""A parameter that may be the name of a profile, too."""
NUMBERS = {"double": "float", "uint32_t": "int", "uint64_t": "int", "int32_t": "int", "int": "int"}
DEFAULTS = {
    ("resource", "usable"): "1.0",
    ("resource", "instances"): "1",
    ("project", "share"): "100.0",
    ("task", "app"): "0xffffffff",
    ("task", "deadline"): "inf",
    ("task", "cpus"): "1.0",
    ("job_model", "cpus"): "1.0",
    ("job_model", "weight"): "1.0",
    ("dispatch_job", "client"): "0xffffffff",
    ("dispatch_job", "copy_of"): "0xffffffff",
    ("unit_event", "result"): "0xffffffff",
    ("grid_project", "distribution"): "0",
    ("host_model", "count"): "1",
    ("host_model", "sabotage"): "1.0",
    ("host_row", "weight"): "1.0",
}
"""What a field is that is not given, where that is not 0: as in a state file (doc/state_format.md), or nothing."""
LIKE = {("job_model", "mean_flops"): "est_flops", ("grid_project", "mean_flops"): "est_flops",
        ("grid_project", "target_nresults"): "min_quorum"}
"""A field that is not given is like another one."""

SHOW_ZEROS = {"outcome", "project_outcome", "resource_outcome", "grid_outcome", "grid_project_outcome",
              "grid_host_outcome", "grid_sample"}
"""Records in whose representation a 0 stands, since it is a result; elsewhere it is what was not given."""
BASES = {"change": "NamedChange, "}
"""Records that have more than their fields and functions, written by hand."""

_UNTYPED = "  # type: ignore[no-any-return]"
METHODS_OF_STATE = {"wrr", "edf", "admit", "schedule", "fetch"}
"""Functions that `vcsched.state` offers as methods, which read the details too. The package does not list them."""


def is_record(struct: Struct) -> bool:
    """Whether Python has a class for a struct. It has none for one whose fields only the library knows."""
    return bool(struct.fields) and struct.name not in NOT_RECORDS


def _may_refer_to_nothing(field: Field, struct: Struct) -> bool:
    """Whether a field is an index, or VCS_NONE. The comment on the struct may tell of all."""
    return field.c_type == "uint32_t" and ("VCS_NONE" in field.comment or (
        "index of" in field.comment and "VCS_NONE" in struct.comment))


def _one_of(things: str) -> str:
    """What an array of this name has elements of: "entry" for "entries"."""
    return things[:-3] + "y" if things.endswith("ies") else things[:-1] if things.endswith("s") else things


class Unfit(Exception):
    """No rule says what to do with a parameter."""


class Wrapper:
    """The parts of a function in Python, gathered parameter by parameter."""

    def __init__(self, function: Function, interface: Interface, comments: Dict[Tuple[str, str], str]) -> None:
        self.function = function
        self.interface = interface
        self.comments = comments
        self.signature: List[Tuple[str, str, str]] = []  # name, annotation, default
        self.prepare: List[str] = []
        self.arguments: List[str] = []
        self.checks: List[str] = []
        self.after: List[str] = []
        self.answers: List[Tuple[str, str, str]] = []  # name, annotation, expression
        self.counted = ""  # how many elements the arrays have, as an expression
        self.counted_by = ""  # the array that says so
        self.counts: Dict[str, str] = {}  # how many there are of a thing, where several are counted
        self.described = False
        self.held: List[str] = []  # arrays, that which is changed first
        self.changes = False  # whether there is such a one
        self.owned = ""  # the state, which belongs to one thread at a time
        parameters = list(function.parameters)
        while parameters:
            self._take(parameters)

    def comment(self, parameter: Parameter) -> str:
        """What is said of a parameter; if not here, then where another function has the same one."""
        return parameter.comment or self.comments.get((parameter.name, parameter.c_type), "")

    def _take(self, parameters: List[Parameter]) -> None:
        """Takes the next parameters that belong together."""
        parameter = parameters.pop(0)
        pointed = parameter.c_type.rstrip("*")
        if parameter.c_type == "vcs_error*":
            self.described = True
        elif parameter.c_type in NUMBERS:
            self._take_number(parameter)
        elif parameter.c_type == "vcs_state*":
            self._take_state(parameter)
        elif parameter.c_type == "vcs_array*":
            self._take_records(parameter, parameters)
        elif parameter.c_type.startswith("vcs_") and parameter.c_type.count("*") == 1:
            self._take_record(parameter)
            if parameters and parameters[0].name == "size":
                parameters.pop(0)
                self.arguments.append(f"{camel(pointed[4:])}._size")
        elif parameter.c_type.count("*") == 1 and pointed in NUMBERS:
            self._take_numbers(parameter)
        elif parameter.c_type == "char*" and parameter.const:
            self.signature.append((parameter.name, "str", ""))
            self.arguments.append(f"{parameter.name}.encode('ascii', 'replace')")
            self.checks.append(f'("{parameter.name}", {parameter.name}, str)')
        else:
            raise Unfit(self.function.name)

    def _take_number(self, parameter: Parameter) -> None:
        name = parameter.name
        self.signature.append((name, NUMBERS[parameter.c_type], ""))
        self.arguments.append(name)
        self.checks.append(f'("{name}", {name}, "{parameter.c_type}")')

    def _take_state(self, parameter: Parameter) -> None:
        self.signature.append((parameter.name, '"State"', ""))
        self.arguments.append(f"{parameter.name}._c")
        self.owned = parameter.name

    def _is_answer(self, parameter: Parameter) -> bool:
        """Whether a single struct is written only: it says so itself, or the function does."""
        struct = self.interface.structs[parameter.c_type[4:].rstrip("*")]
        said_so = self.comment(parameter).startswith(("out", "the answer"))
        return not parameter.const and (parameter.name == "info" or said_so
                                        or any(field.comment.startswith("out:") for field in struct.fields))

    def _take_record(self, parameter: Parameter) -> None:
        name, kind = parameter.name, camel(parameter.c_type[4:].rstrip("*"))
        if not is_record(self.interface.structs[parameter.c_type[4:].rstrip("*")]):
            raise Unfit(self.function.name)
        if self._is_answer(parameter):
            self.prepare.append(f"{name} = {kind}._blank()")
            self.answers.append((name, kind, name))
            self.arguments.append(f"{name}._c")
        elif parameter.const and "may be NULL" in self.comment(parameter):
            self.signature.append((name, f"Optional[{kind}]", "None"))
            self.arguments.append(f"NULL if {name} is None else {name}._c")
            self.checks.append(f'("{name}", {name}, ({kind}, type(None)))')
        else:
            self.signature.append((name, kind, ""))
            self.arguments.append(f"{name}._c")
            self.checks.append(f'("{name}", {name}, {kind})')

    def _take_records(self, parameter: Parameter, parameters: List[Parameter]) -> None:
        """An array of structs. How many changes there are is answered right behind them."""
        name, kind, comment = parameter.name, camel(parameter.element), parameter.comment
        if not parameter.element or (comment.startswith("out: ") and self.owned and not self.counted):
            raise Unfit(self.function.name)
        if name == "changes":
            counter = parameters.pop(0)
            capacity = f"constants.CHANGES_PER_UNIT + constants.CHANGES_PER_RESULT * {self.counted or 0}"
            self.prepare += [f"{name} = Records({kind}, {capacity})", f"{counter.name} = ffi.new('uint32_t *')"]
            self.arguments += [f"{name}._as_array()", counter.name]
            self.answers.append((name, f"Records[{kind}]", f"{name}[:{counter.name}[0]]"))
        elif comment.startswith("out: "):
            self.prepare.append(f"{name} = Records({kind}, {self._count_for(comment)})")
            self.arguments.append(f"{name}._as_array()")
            self.answers.append((name, f"Records[{kind}]", name))
        else:
            changes = comment.startswith("in/out: ")
            self.signature.append((name, f"Many[{kind}]", ""))
            self.prepare.append(f'{name}_held = borrow({name}, {kind}, "{name}"{", True" if changes else ""})')
            self.arguments.append(f"{name}_held.as_array()")
            self.held.insert(0 if changes else len(self.held), name)
            self._count(name, comment)
            if changes:
                self.after.append(f"{name}_held.give_back()")
                self.changes = True

    def _count(self, name: str, comment: str) -> None:
        """What is said to be there "for each ballot", or for the same thing as each of the ballots, has their number.
        """
        self.counted, self.counted_by = f"{name}_held.count", name
        for counted in (_one_of(name), *re.findall(r"one for each (\w+)", comment)):
            self.counts[counted] = self.counted

    def _count_for(self, comment: str) -> str:
        """How many elements an answer has, by what is said of it."""
        named = re.search(r"for each (\w+)|numbers as (\w+)\b", comment)
        thing = (named[1] or _one_of(named[2])) if named else ""
        if not self.counted:
            raise Unfit(self.function.name)
        return self.counts.get(thing, self.counted)

    def _take_numbers(self, parameter: Parameter) -> None:
        name, number = parameter.name, parameter.c_type.rstrip("*")
        comment = self.comment(parameter)
        if parameter.const:
            self.signature.append((name, "Sequence[int]", ""))
            self.prepare += [f'{name}_held = numbers({name}, "{number}", "{name}")',
                             f'same_count(("{self.counted_by}", {self._count_for("")}), '
                             f'("{name}", len({name}_held)))']
            self.arguments.append(f"{name}_held")
        elif comment.startswith(("out: `count`", "out: as many")):
            count = self._count_for(comment)
            self.prepare.append(f"{name}_out = ffi.new('{number}[]', {count})")
            self.arguments.append(f"{name}_out")
            self.answers.append((name, f"List[{NUMBERS[number]}]", f"ffi.unpack({name}_out, {count})"))
        else:
            truth = comment.startswith("set to 1")
            self.prepare.append(f"{name} = _new(_{number}_POINTER)")
            self.arguments.append(name)
            self.answers.append((name, "bool" if truth else NUMBERS[number],
                                 f"bool({name}[0])" if truth else f"{name}[0]"))


def parameter_comments(interface: Interface) -> Dict[Tuple[str, str], str]:
    """What is first said of a parameter of some name and type."""
    comments: Dict[Tuple[str, str], str] = {}
    for function in interface.functions.values():
        for parameter in function.parameters:
            if parameter.comment:
                comments.setdefault((parameter.name, parameter.c_type), parameter.comment)
    return comments


def interface_source(interface: Interface, constants: Constants) -> str:
    """The module."""
    comments = parameter_comments(interface)
    wrappers = {}
    for function in interface.functions.values():
        try:
            wrappers[function.name] = Wrapper(function, interface, comments)
        except Unfit:
            continue
    return _Module(interface, constants, wrappers).source()


class _Module:
    """The text of the module, record by record and function by function."""

    def __init__(self, interface: Interface, constants: Constants, wrappers: Dict[str, Wrapper]) -> None:
        self.interface = interface
        self.constants = constants
        self.wrappers = wrappers
        self.structs = [struct for struct in interface.structs.values() if is_record(struct)]
        self.names: List[str] = []
        self.answers: List[str] = []

    def source(self) -> str:
        body: List[str] = []
        for struct in self.structs:
            body += self._record(struct)
        for wrapper in self.wrappers.values():
            if not self._owner(wrapper.function):
                body += self._function(wrapper, "", wrapper.function.name)
                self.names += [] if wrapper.function.name in METHODS_OF_STATE else [wrapper.function.name]
        registered = ", ".join(camel(struct.name) for struct in self.structs)
        head = [
            '"""Records and functions of the library."""', "", "from __future__ import annotations", "",
            "from math import inf",
            "from typing import TYPE_CHECKING, Any, List, NamedTuple, Optional, Sequence, Type, TypeVar, Union", "",
            "from vcsched import constants",
            "from vcsched.library import NULL, WRONG_ARGUMENT, explain, fail, failure, ffi, lib, text",
            "from vcsched.memory import (Record, Records, apart, borrow, number_of_profile, numbers, register, "
            "same_count, show)",
            "from vcsched.named_change import NamedChange",
            "from vcsched.ownership import ownership_of", "",
            "if TYPE_CHECKING:", "    from vcsched.memory import NumpyArray", "    from vcsched.state import State", "",
            '_R = TypeVar("_R", bound=Record)',
            'Many = Union[Sequence[_R], "NumpyArray"]',
            '"""Records as an argument: a NumPy array of their dtype(), Records, or a list."""',
            "_new = ffi.new",
            *(f"_{name} = lib.vcs_{name}" for name in self.wrappers),
            *(f"_number_of_{name} = lib.number_of_{name}" for name, wrapper in self.wrappers.items()
              if answers_with_number(wrapper.function)),
            *(f'_{number}_POINTER = ffi.typeof("{number} *")' for number in NUMBERS),
        ]
        names = [camel(struct.name) for struct in self.structs] + self.names
        listed = ["", "__all__ = [", *(f'    "{name}",' for name in names), "]", ""]
        return "\n".join(head + listed + body + self.answers + ["", "", f"register({registered})"]) + "\n"

    def _owner(self, function: Function) -> Optional[Struct]:
        """The record that a function is a method of: it is its first parameter, alone and not an array of such, and
        begins its name, or it is a unit with its results. A function with the name of a field stays by itself."""
        parameters = function.parameters
        first = parameters[0].c_type[4:].rstrip("*") if parameters else ""
        struct = self.interface.structs.get(first)
        is_of_unit = first == "unit" and len(parameters) > 1 and parameters[1].name == "results"
        fits = struct and is_record(struct) and (is_of_unit or function.name.startswith(first + "_"))
        taken = fits and struct and _method_name(function, struct) in {field.name for field in struct.fields}
        return struct if fits and not taken else None

    # ---- Records ----

    def _record(self, struct: Struct) -> List[str]:
        name = camel(struct.name)
        fields = [field for field in struct.fields
                  if field.name != "struct_size" and not field.name.startswith("reserved")]
        defaults = ", ".join(f'"{field.name}": {DEFAULTS[struct.name, field.name]}' for field in fields
                             if (struct.name, field.name) in DEFAULTS)
        enums = ", ".join(f'"{field.name}": constants.{self.constants.of_field[struct.name, field.name]}'
                          for field in fields if (struct.name, field.name) in self.constants.of_field)
        undefined = ", ".join(f'"{field.name}": constants.{self.constants.undefined[struct.name, field.name]}'
                              for field in fields if (struct.name, field.name) in self.constants.undefined)
        like = ", ".join(f'"{field.name}": "{LIKE[struct.name, field.name]}"' for field in fields
                         if (struct.name, field.name) in LIKE)
        places = ", ".join(f'"{field.name}"' for field in fields if _may_refer_to_nothing(field, struct))
        options = [f'struct="{struct.name}"'] + ([f"defaults={{{defaults}}}"] if defaults else []) + \
            ([f"enums={{{enums}}}"] if enums else []) + ([f"like={{{like}}}"] if like else []) + \
            ([f"undefined={{{undefined}}}"] if undefined else []) + \
            ([f"places=({places},)"] if places else []) + \
            (["shows_zeros=True"] if struct.name in SHOW_ZEROS else []) + [f"meanings=_MEANINGS_OF_{name.upper()}"]
        meanings = {field.name: self._meaning(struct, field) for field in fields if field.comment}
        lines = ["", "", f"_MEANINGS_OF_{name.upper()} = {{",
                 *(f'    "{field}": {quoted(meaning)},' for field, meaning in meanings.items()), "}", "", "",
                 f"class {name}({BASES.get(struct.name, '')}Record, {', '.join(options)}):",
                 docstring(struct.comment or f"vcs_{struct.name}", "    "), "", "    if not TYPE_CHECKING:",
                 "        __slots__ = ()", ""]
        for field in fields:
            annotation = self._annotation(field.c_type, field.length)
            may_lack = (struct.name, field.name) in self.constants.undefined
            lines.append(f"    {field.name}: {f'Optional[{annotation}]' if may_lack else annotation}")
            if field.comment:
                lines.append(docstring(meanings[field.name], "    "))
        settable = [(field.name, field.c_type) for field in fields
                    if not field.length and (field.c_type in NUMBERS or field.c_type.startswith("vcs_"))]
        initial = self.wrappers.get(f"{struct.name}_init")
        lines += self._filled(struct, initial, settable) if initial else self._constructor(struct, settable)
        for wrapper in self.wrappers.values():
            if self._owner(wrapper.function) is struct and wrapper is not initial:
                lines += self._function(wrapper, "    ", _method_name(wrapper.function, struct))
        return lines

    def _meaning(self, struct: Struct, field: Field) -> str:
        may_lack = (struct.name, field.name) in self.constants.undefined
        return field.comment + ("; None if it is undefined" if may_lack else "")

    def _annotation(self, c_type: str, length: int) -> str:
        if c_type == "char":
            return "str"
        if length:
            return f"tuple[{NUMBERS[c_type]}, ...]"
        return NUMBERS.get(c_type) or camel(c_type[4:])

    def _constructor(self, struct: Struct, fields: List[Tuple[str, str]]) -> List[str]:
        """The usual one: every field by keyword."""
        signature, values, inner = [], [], []
        for field, c_type in fields:
            if (struct.name, field) in LIKE:
                like = LIKE[struct.name, field]
                signature.append(f"{field}: Optional[{NUMBERS[c_type]}] = None")
                values.append(f'"{field}": {like} if {field} is None else {field}')
            elif c_type in NUMBERS:
                default = DEFAULTS.get((struct.name, field), "0.0" if c_type == "double" else "0")
                signature.append(f"{field}: {NUMBERS[c_type]} = {default}")
                values.append(f'"{field}": {field}')
            else:
                signature.append(f"{field}: Optional[{camel(c_type[4:])}] = None")
                inner.append(f'"{field}": {field}')
        lines = ["", f"    def __init__(self, *, {', '.join(signature)}) -> None:" if signature
                 else "    def __init__(self) -> None:", f"        self._make({{{', '.join(values)}}})"]
        return lines + ([f"        self._change({{{', '.join(inner)}}})"] if inner else [])

    def _filled(self, struct: Struct, initial: Wrapper, fields: List[Tuple[str, str]]) -> List[str]:
        """That of a record which the library fills in; keywords change what it set."""
        own = initial.signature[1:]
        taken = {name for name, _, _ in own}
        keywords = [f"{field}: Optional[{self._given(struct, field, NUMBERS[c_type])}] = "
                    + DEFAULTS.get((struct.name, field), "None")
                    for field, c_type in fields if field not in taken and c_type in NUMBERS]
        like = {field: f"{LIKE[struct.name, field]} if {field} is None else {field}" for field, _ in fields
                if (struct.name, field) in LIKE}
        changed = ", ".join(f'"{field}": {like.get(field, field)}' for field, _ in fields if field not in taken)
        first = initial.function.parameters[0].name
        by_place = [item for item in own if item[0] != "id"]  # ids are named, as in every other record
        by_name = [item for item in own if item[0] == "id"]
        signature = ["self", *(self._required(struct, item) for item in by_place), "*",
                     *(self._required(struct, item) for item in by_name), *keywords]
        lines = ["", f"    def __init__({', '.join(signature)}) -> None:",
                 "        self._c = ffi.new(self._pointer)"]
        if PROFILE in taken:
            lines.append("        profile = number_of_profile(profile)")
        if struct.name == "backoff_range":
            lines.append("        parameters = Parameters() if parameters is None else parameters")
        call = self._call(initial, "        ")
        checked = f', ("{first}", {first}, {camel(struct.name)})'
        lines += [line.replace(f"{first}._c", "self._c").replace(checked, "") for line in call]
        return lines + [f"        self._change({{{changed}}})"]

    def _given(self, struct: Struct, field: str, annotation: str) -> str:
        choice = struct.name == "parameters" and (struct.name, field) in self.constants.of_field
        return f"Union[{annotation}, str]" if choice else annotation

    def _required(self, struct: Struct, item: Tuple[str, str, str]) -> str:
        name, annotation, _ = item
        if name == PROFILE:
            return f"{name}: Union[int, str] = constants.PROFILE_CURRENT"
        if annotation == "Parameters":
            return f"{name}: Optional[Parameters] = None"
        return f"{name}: {annotation}" + (" = 0" if name == "purpose" else "")

    # ---- Functions ----

    def _function(self, wrapper: Wrapper, indent: str, name: str) -> List[str]:
        signature = [f"{item}: {annotation}" + (f" = {default}" if default else "")
                     for item, annotation, default in wrapper.signature]
        own = wrapper.function.parameters[0].name if indent else ""
        answer = self._answer(wrapper)
        lines: List[str] = []
        if indent:
            signature[0] = "self"
        lines += [""] if indent else ["", ""]
        lines += [f"{indent}def {name}({', '.join(signature)}) -> {answer}:",
                  docstring(_about(wrapper, own), indent + "    ")]
        body = self._call(wrapper, indent + "    ")
        if own:
            checked = f', ("{own}", {own}, {camel(wrapper.function.parameters[0].c_type[4:].rstrip("*"))})'
            body = [line.replace(f"{own}._c", "self._c").replace(checked, "") for line in body]
        lines += body
        if wrapper.function.result == "int" and wrapper.answers and not answers_with_number(wrapper.function):
            values = ", ".join(expression for _, _, expression in wrapper.answers)
            # cffi's values have no type.
            plain = "" if answer == "bool" or answer.startswith("Records") or values.isidentifier() else _UNTYPED
            lines.append(f"{indent}    return {values}{plain}" if len(wrapper.answers) == 1
                         else f"{indent}    return {answer}({values})")
        return lines

    def _answer(self, wrapper: Wrapper) -> str:
        """The annotation of what a function returns. Several answers are a named tuple."""
        result = wrapper.function.result.replace(" ", "")
        if result != "int":
            return "str" if result == "constchar*" else NUMBERS[result]
        if len(wrapper.answers) < 2:
            return wrapper.answers[0][1] if wrapper.answers else "None"
        name = camel(wrapper.function.name) + "Answer"
        self.names.append(name)
        self.answers += ["", "", f"class {name}(NamedTuple):",
                         f'    """What vcs_{wrapper.function.name}() answers."""', ""]
        items = [item for item, _, _ in wrapper.answers]
        self.answers += [f"    {item}: {annotation}" for item, annotation, _ in wrapper.answers]
        if "reason" in items:
            shown = ", ".join("reason={show(self.reason, constants.Reason)}" if item == "reason"
                              else f"{item}={{self.{item}}}" for item in items)
            self.answers += ["", "    def __repr__(self) -> str:", f'        return f"{name}({shown})"']
        return name

    def _call(self, wrapper: Wrapper, indent: str) -> List[str]:
        function = wrapper.function
        call = f"_{function.name}"
        given = ", ".join(wrapper.arguments)
        checks = "".join(f", {check}" for check in wrapper.checks)
        rescue = [f"{indent}except WRONG_ARGUMENT as wrong:",
                  f'{indent}    raise explain(wrong, "{function.name}"{checks}) from None']
        result = function.result.replace(" ", "")
        if answers_with_number(function):
            return self._call_for_number(wrapper, rescue, indent)
        lines = [indent + line for line in wrapper.prepare]
        if wrapper.changes and len(wrapper.held) > 1:
            arrays = ", ".join(f'("{name}", {name}_held)' for name in wrapper.held)
            lines.append(f"{indent}apart({arrays})")
        if result != "int":
            value = f"text({call}({given}))" if result == "constchar*" else f"{call}({given})"
            kind = "str" if result == "constchar*" else NUMBERS[result]
            return lines + [f"{indent}try:", f"{indent}    answer: {kind} = {value}", *rescue, f"{indent}return answer"]
        error = (["NULL"] if wrapper.described else [])
        if wrapper.owned:
            lines.append(f'{indent}with ownership_of({wrapper.owned}, "{function.name}", "{wrapper.owned}", "State"):')
            indent += "    "
            rescue = ["    " + line for line in rescue]
        lines += [f"{indent}try:", f"{indent}    code = {call}({', '.join([*wrapper.arguments, *error])})", *rescue,
                  f"{indent}if code:"]
        if wrapper.described:
            lines.append(f'{indent}    fail("{function.name}", {call}, {given})')
        else:
            lines.append(f'{indent}    raise failure("{function.name}", code{self._shown(wrapper)})')
        return lines + [indent + line for line in wrapper.after]

    def _shown(self, wrapper: Wrapper) -> str:
        """The numbers and the records that a function was given, for a message."""
        shown = ", ".join([f"{name}={name}" for name, annotation, _ in wrapper.signature
                           if annotation in ("int", "float")] +
                          [f"{name}={name}._c" for name, _, _ in wrapper.signature
                           if f"{name}._c" in wrapper.arguments and not wrapper.owned
                           and not wrapper.function.name.endswith("_init")])
        return ", None, " + shown if shown else ""

    def _call_for_number(self, wrapper: Wrapper, rescue: List[str], indent: str) -> List[str]:
        """A call that returns its number. On an error the function itself is called again, which says what is wrong."""
        name, answer = wrapper.function.name, wrapper.answers[0][0]
        given = ", ".join(argument for argument in wrapper.arguments if argument != answer)
        again = ", ".join("_new(_double_POINTER)" if argument == answer else argument for argument in wrapper.arguments)
        raised = f'fail("{name}", _{name}, {again})' if wrapper.described \
            else f'raise failure("{name}", _{name}({again}){self._shown(wrapper)})'
        prepared = [indent + line for line in wrapper.prepare if not line.startswith(f"{answer} = ")]
        return [*prepared, f"{indent}try:", f"{indent}    answer: float = _number_of_{name}({given})", *rescue,
                f"{indent}if answer != answer:", f"{indent}    {raised}", f"{indent}return answer"]


def _method_name(function: Function, struct: Struct) -> str:
    """What a function is called as a method: its name without that of the record."""
    begin = struct.name + "_"
    return function.name[len(begin):] if function.name.startswith(begin) else function.name


def _about(wrapper: Wrapper, own: str) -> str:
    """What the header says of a function, as far as it is about what Python passes."""
    parts = []
    for paragraph in wrapper.function.comment.split("\n\n"):
        if paragraph.startswith("Returns VCS_OK"):
            parts.append(re.sub(r"^Returns VCS_OK(,| or)", "Raises VcsError with", paragraph))
        elif not re.match(r"^[a-z]\w*(, [a-z]\w*)* {2,}", paragraph):
            parts.append(paragraph)
    described = [f"{name}: {text}" for name, text in _parameters(wrapper) if name != own]
    text = "\n\n".join(parts[:1] + (["\n".join(described)] if described else []) + parts[1:])
    return re.sub(r"\bNULL\b", "None", text) or f"vcs_{wrapper.function.name}()"


def _parameters(wrapper: Wrapper) -> List[Tuple[str, str]]:
    shown = {name for name, _, _ in wrapper.signature} | {name for name, _, _ in wrapper.answers}
    return [(parameter.name, wrapper.comment(parameter)) for parameter in wrapper.function.parameters
            if parameter.name in shown and wrapper.comment(parameter)]
