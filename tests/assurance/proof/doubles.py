#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Proves what functions of lib/vcsched/core/number.h promise of all doubles, bit by bit.

    doubles.py PROMISES SOURCE_ROOT

PROMISES is in SMT-LIB: pieces that begin with a line "; NAME: what is promised" and end with a formula that must hold
for whatever it leaves undeclared. The functions are translated from the C source as they stand: what they are given,
what they return, and each operation as IEEE 754 and C say. Z3 then looks for a counterexample.

What C leaves undefined, a conversion of a double that no integer holds, is any number here. That it does not happen is
proved by Eva. Prints a line for each promise, and last "N of M proved".
"""

import pathlib
import re
import struct
import subprocess
import sys
import tempfile

from pycparser import c_ast, c_parser

SECONDS = 600
# What is needed of the C library's headers.
HEADERS = {
    'stdint.h': 'typedef long int64_t; typedef unsigned long uint64_t; typedef unsigned uint32_t;\n'
                '#define INT64_C(n) n##L\n#define UINT64_C(n) n##UL\n',
    'string.h': 'typedef unsigned long size_t; void *memcpy(void *to, const void *from, size_t size);\n',
    'stddef.h': '',
}
DOUBLE = 'double'
BITS = {'int': 32, 'uint32_t': 32, 'int64_t': 64, 'uint64_t': 64}
SIGNED = {'int', 'int64_t'}
RANKS = ['int', 'uint32_t', 'int64_t', 'uint64_t', DOUBLE]
COMPARED = {'<': ('fp.lt', 'bvslt', 'bvult'), '<=': ('fp.leq', 'bvsle', 'bvule'), '>': ('fp.gt', 'bvsgt', 'bvugt'),
            '>=': ('fp.geq', 'bvsge', 'bvuge'), '==': ('fp.eq', '=', '=')}
COMPUTED = {'+': 'add', '-': 'sub', '*': 'mul', '/': 'div'}
OF_BITS = {'+': 'bvadd', '-': 'bvsub', '*': 'bvmul', '&': 'bvand', '|': 'bvor', '^': 'bvxor'}


class Unknown(Exception):
    """Something in the source that is not translated."""


def sort_of(kind):
    return '(_ FloatingPoint 11 53)' if kind == DOUBLE else f'(_ BitVec {BITS[kind]})'


def number(text, kind):
    if kind == DOUBLE:
        bits = int.from_bytes(struct.pack('>d', float(text)), 'big')
        return f'((_ to_fp 11 53) #x{bits:016x})'
    return f'(_ bv{int(text) % (1 << BITS[kind])} {BITS[kind]})'


def converted(kind, term, wanted):
    if kind == wanted:
        return term
    if wanted == DOUBLE:
        return f'((_ to_fp{"" if kind in SIGNED else "_unsigned"} 11 53) RNE {term})'
    if kind == DOUBLE:
        return f'((_ fp.to_{"s" if wanted in SIGNED else "u"}bv {BITS[wanted]}) RTZ {term})'
    more = BITS[wanted] - BITS[kind]
    if more > 0:
        return f'((_ {"sign" if kind in SIGNED else "zero"}_extend {more}) {term})'
    return term if more == 0 else f'((_ extract {BITS[wanted] - 1} 0) {term})'


class Function:
    """A function as a term of SMT-LIB: what it returns, of its parameters."""

    def __init__(self, definition, known):
        self.known = known
        self.name = definition.decl.name
        function = definition.decl.type
        self.kind = function.type.type.names[-1]
        self.parameters = [(each.name, each.type.type.names[-1]) for each in function.args.params]
        values = {name: (kind, name) for name, kind in self.parameters}
        self.term = self.block(definition.body.block_items, values)

    def text(self):
        given = ' '.join(f'({name} {sort_of(kind)})' for name, kind in self.parameters)
        return f'(define-fun {self.name} ({given}) {sort_of(self.kind)}\n  {self.term})\n'

    def block(self, statements, values):
        for place, statement in enumerate(statements):
            if isinstance(statement, c_ast.Return):
                return converted(*self.value(statement.expr, values), self.kind)
            if isinstance(statement, c_ast.If) and statement.iffalse is None:
                then = self.block(statement.iftrue.block_items, values)
                return f'(ite {self.truth(statement.cond, values)} {then} {self.block(statements[place + 1:], values)})'
            if isinstance(statement, c_ast.Decl):
                kind = statement.type.type.names[-1]
                if statement.init is not None:
                    values = {**values, statement.name: (kind, converted(*self.value(statement.init, values), kind))}
            elif isinstance(statement, c_ast.FuncCall) and statement.name.name == 'memcpy':
                values = self.copied(statement.args.exprs, values)
            else:
                raise Unknown(f'{self.name}: {type(statement).__name__}')
        raise Unknown(f'{self.name} ends without a result')

    def copied(self, arguments, values):
        """The bits of a double. Those of a NaN are any that a NaN can have."""
        to, source = arguments[0].expr.name, arguments[1].expr.name
        kind, term = values[source]
        if kind != DOUBLE:
            raise Unknown(f'{self.name}: memcpy of {kind}')
        return {**values, to: ('uint64_t', f'(fp.to_ieee_bv {term})')}

    def truth(self, node, values):
        if isinstance(node, c_ast.BinaryOp) and node.op in ('==', '!=', '<', '<=', '>', '>='):
            (left_kind, left), (right_kind, right) = self.value(node.left, values), self.value(node.right, values)
            kind = max(left_kind, right_kind, key=RANKS.index)
            left, right = converted(left_kind, left, kind), converted(right_kind, right, kind)
            if node.op == '!=':
                return f'(not ({COMPARED["=="][0 if kind == DOUBLE else 1]} {left} {right}))'
            return f'({COMPARED[node.op][0 if kind == DOUBLE else 1 if kind in SIGNED else 2]} {left} {right})'
        kind, term = self.value(node, values)
        return f'(not (= {term} {number("0", kind)}))'

    def value(self, node, values):
        if isinstance(node, c_ast.Constant):
            return self.constant(node)
        if isinstance(node, c_ast.ID):
            return values[node.name]
        if isinstance(node, c_ast.Cast):
            kind = node.to_type.type.type.names[-1]
            return kind, converted(*self.value(node.expr, values), kind)
        if isinstance(node, c_ast.UnaryOp) and node.op in '-~':
            kind, term = self.value(node.expr, values)
            return kind, f'({"fp.neg" if kind == DOUBLE else "bvneg" if node.op == "-" else "bvnot"} {term})'
        if isinstance(node, c_ast.TernaryOp):
            (left_kind, left), (right_kind, right) = self.value(node.iftrue, values), self.value(node.iffalse, values)
            kind = max(left_kind, right_kind, key=RANKS.index)
            return kind, (f'(ite {self.truth(node.cond, values)} {converted(left_kind, left, kind)} '
                          f'{converted(right_kind, right, kind)})')
        if isinstance(node, c_ast.FuncCall):
            function = self.known[node.name.name]
            given = ' '.join(converted(*self.value(each, values), kind)
                             for each, (_, kind) in zip(node.args.exprs, function.parameters))
            return function.kind, f'({function.name} {given})'
        if isinstance(node, c_ast.BinaryOp):
            return self.operation(node, values)
        raise Unknown(f'{self.name}: {type(node).__name__}')

    def constant(self, node):
        if 'double' in node.type:
            return DOUBLE, number(node.value, DOUBLE)
        kind = {'': 'int', 'L': 'int64_t', 'UL': 'uint64_t', 'LU': 'uint64_t'}[re.sub('[^UL]', '', node.value.upper())]
        return kind, number(str(int(node.value.rstrip('uUlL'), 0)), kind)

    def operation(self, node, values):
        if node.op in ('==', '!=', '<', '<=', '>', '>='):
            return 'int', f'(ite {self.truth(node, values)} {number("1", "int")} {number("0", "int")})'
        (left_kind, left), (right_kind, right) = self.value(node.left, values), self.value(node.right, values)
        if node.op in ('<<', '>>'):
            shifted = {'<<': 'bvshl', '>>': 'bvashr' if left_kind in SIGNED else 'bvlshr'}[node.op]
            return left_kind, f'({shifted} {left} {converted(right_kind, right, left_kind)})'
        kind = max(left_kind, right_kind, key=RANKS.index)
        left, right = converted(left_kind, left, kind), converted(right_kind, right, kind)
        if kind == DOUBLE:
            return kind, f'(fp.{COMPUTED[node.op]} RNE {left} {right})'
        return kind, f'({OF_BITS[node.op]} {left} {right})'


def parse(root, name='number.h'):
    with tempfile.TemporaryDirectory() as folder:
        for header, text in HEADERS.items():
            pathlib.Path(folder, header).write_text(text, encoding='ascii')
        command = ['cc', '-E', '-P', '-std=c11', '-nostdinc', '-U__GNUC__', f'-I{folder}', f'-I{root}/lib']
        source = subprocess.run([*command, f'{root}/lib/vcsched/core/{name}'], check=True, capture_output=True,
                                text=True).stdout
    return c_parser.CParser().parse(re.sub(r'^#pragma.*$', '', source, flags=re.MULTILINE))


def functions_of(tree, names):
    found = {}
    for each in tree.ext:
        if isinstance(each, c_ast.FuncDef) and each.decl.name in names:
            found[each.decl.name] = Function(each, found)
    return found


def promises_of(text):
    """Name, sentence and formula of each."""
    for piece in re.split(r'^(?=; \w+: )', text, flags=re.MULTILINE)[1:]:
        name, sentence = re.match(r'; (\w+): (.*)', piece).groups()
        yield name, sentence, '\n'.join(line for line in piece.splitlines() if not line.startswith(';'))


def holds(definitions, formula):
    """None if there is no counterexample, else what Z3 said."""
    text = f'{definitions}\n{formula.replace("(promise", "(assert (not", 1)})\n(check-sat)\n'
    with tempfile.NamedTemporaryFile('w', suffix='.smt2') as file:
        file.write(text)
        file.flush()
        said = subprocess.run(['z3', f'-T:{SECONDS}', file.name], capture_output=True, text=True).stdout.strip()
    return None if said == 'unsat' else said


def main():
    promises, root = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    pieces = list(promises_of(promises.read_text(encoding='ascii')))
    names = {name for _, _, formula in pieces for name in re.findall(r'\((vcs_\w+)', formula)} | {'vcs_round_half_up'}
    definitions = ''.join(each.text() for each in functions_of(parse(root), names).values())
    proved = 0
    for name, sentence, formula in pieces:
        wrong = holds(definitions, formula)
        proved += wrong is None
        print(f'  {name:16} {sentence}' if wrong is None else f'Failed: {name}: {sentence}: {wrong}', flush=True)
    print(f'{proved} of {len(pieces)} proved')
    return proved != len(pieces)


if __name__ == '__main__':
    sys.exit(main())
