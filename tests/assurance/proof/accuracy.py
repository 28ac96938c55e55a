#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Proves how exact vcs_exp2(), vcs_exp2m1() and vcs_log2() are, for all doubles: what lib/vcsched/core/number.h says of
each.

    accuracy.py SOURCE_ROOT

The formulas are read from lib/vcsched/core/number.c as they stand. Two errors are bounded apart, over pieces of the
range that cover all of it, in interval arithmetic of 60 digits (mpmath):

- that of the formula, if each operation were exact: it differs from the function by what a polynomial lacks, which is
  developed around the middle of a piece;
- that of rounding: each operation adds half a unit in the last place of what it gives, and passes on the errors of what
  it takes.

What is taken for granted, since it follows from IEEE 754 by hand:

- x + ROUNDER - ROUNDER is the integer nearest to x, for |x| < 2^31: the sum is between 2^52 and 2^53, where doubles are
  integers. What is left, x - whole, is exact: it is a multiple of the last place of x, and not above 1/2.
- For |r| < 2^-60 the polynomial gives its first coefficient, the double that is nearest to ln(2): 2^r comes out as 1,
  and 2^r - 1 is off by half a unit for that coefficient, and by half a unit for the product.
- Multiplying by a power of two is exact but for the rounding into a subnormal number.
- In vcs_log2(), split() is exact: 1 + f has the bits of x, and is between 1/2 and 2, where taking away 1 is exact. The
  bits that are cut off make `large` smaller by less than 2^-20 of itself. Its product with log2_e_high, of 21 bits, is
  exact. (whole - sum) + head is what sum = whole + head has lost, since |whole| >= |head| or whole is 0 (Dekker).

Prints a line for each function, and last "N of M proved".
"""

import pathlib
import re
import sys

from mpmath import iv, mp, mpf
from pycparser import c_ast, c_generator

import doubles

iv.dps = mp.dps = 60
HALF_LAST = mpf(2) ** -53
"""Half a unit in the last place of 1: how much an operation may be off, relatively."""
LEAST = mpf(2) ** -1075
PIECES = 64


def interval(low, high):
    return iv.mpf([low, high])


def greatest(x):
    """The greatest absolute value in an interval."""
    return max(abs(mpf(x.a)), abs(mpf(x.b)))


def least(x):
    """The least absolute value in an interval."""
    low, high = mpf(x.a), mpf(x.b)
    return mpf(0) if low <= 0 <= high else min(abs(low), abs(high))


def last_place(x):
    """The unit in the last place of doubles of this size."""
    return mpf(2) ** max(int(mp.floor(mp.log(x, 2))) - 52, -1074)


def rounding(most):
    """How far from a number of at most this size the nearest double may be."""
    return last_place(most) / 2 if most > 0 else mpf(0)


# ---- Formulas ----

class Rounded:
    """What the exact operations give, as an interval, and by how much the rounded ones are off at most."""

    def __init__(self, value, error=mpf(0)):
        self.value = value
        self.error = error

    def after(self, error):
        """With the rounding of the operation that gave it."""
        return Rounded(self.value, error + rounding(greatest(self.value) + error))

    def __add__(self, other):
        return Rounded(self.value + other.value).after(self.error + other.error)

    def __sub__(self, other):
        return Rounded(self.value - other.value).after(self.error + other.error)

    def __mul__(self, other):
        return Rounded(self.value * other.value).after(
            greatest(self.value) * other.error + greatest(other.value) * self.error + self.error * other.error)

    def __truediv__(self, other):
        quotient = self.value / other.value
        passed_on = (self.error + greatest(quotient) * other.error) / (least(other.value) - other.error)
        return Rounded(quotient).after(passed_on)


class Polynomial:
    """In one variable, with exact coefficients, the lowest first."""

    def __init__(self, *coefficients):
        self.coefficients = list(coefficients)

    def __add__(self, other):
        a, b = sorted((self.coefficients, other.coefficients), key=len)
        return Polynomial(*[x + y for x, y in zip(a, b)], *b[len(a):])

    def __mul__(self, other):
        product = [mpf(0)] * (len(self.coefficients) + len(other.coefficients) - 1)
        for i, a in enumerate(self.coefficients):
            for k, b in enumerate(other.coefficients):
                product[i + k] += a * b
        return Polynomial(*product)

    def derivative(self):
        return Polynomial(*[i * a for i, a in enumerate(self.coefficients)][1:] or [mpf(0)])

    def at(self, x):
        value = iv.mpf(0)
        for coefficient in reversed(self.coefficients):
            value = value * x + iv.mpf(coefficient)
        return value


class Formula:
    """The declarations of a function and what it returns, computed with numbers of any kind."""

    def __init__(self, definition, constant, hints=None):
        self.definition = definition
        self.constant = constant
        self.hints = hints or {}

    def computed(self, **values):
        """What it returns, and all that it declares on the way."""
        for statement in self.definition.body.block_items:
            if isinstance(statement, c_ast.Decl) and statement.init is not None and statement.name not in values:
                values[statement.name] = self.value(statement.init, values)
            elif isinstance(statement, c_ast.Return):
                values['return'] = self.value(statement.expr, values)
        return values

    def value(self, node, values):
        text = c_generator.CGenerator().visit(node)
        if text in self.hints:
            return self.hints[text](values)
        if isinstance(node, c_ast.Constant):
            return self.constant(mpf(float.fromhex(node.value) if 'x' in node.value else float(node.value)))
        if isinstance(node, c_ast.ID):
            return values[node.name]
        if isinstance(node, c_ast.BinaryOp):
            left, right = self.value(node.left, values), self.value(node.right, values)
            return {'+': lambda: left + right, '-': lambda: left - right, '*': lambda: left * right,
                    '/': lambda: left / right}[node.op]()
        raise doubles.Unknown(f'{self.definition.decl.name}: {text}')


def parse(root):
    tree = doubles.parse(root, 'number.c')
    return {each.decl.name: each for each in tree.ext if isinstance(each, c_ast.FuncDef)}


def of_doubles(number):
    return Rounded(iv.mpf(number))


def polynomial_of(definition, variable):
    """Its coefficients are exact: doubles, added up and multiplied in 60 digits."""
    return Formula(definition, Polynomial).computed(**{variable: Polynomial(mpf(0), mpf(1))})['return']


# ---- 2^x ----

ORDER = 9


def lack_of_power(polynomial, piece):
    """|r * polynomial(r) - (2^r - 1)| on a piece at most: Taylor's formula around its middle."""
    product = polynomial * Polynomial(mpf(0), mpf(1))
    middle = (mpf(piece.a) + mpf(piece.b)) / 2
    width = (mpf(piece.b) - mpf(piece.a)) / 2
    log_2 = iv.log(iv.mpf(2))
    lack, reach, factor = mpf(0), mpf(1), mpf(1)
    for k in range(ORDER + 1):
        at = iv.mpf(middle) if k < ORDER else piece
        truth = iv.exp(at * log_2) * log_2 ** k - (1 if k == 0 else 0)
        lack += greatest(product.at(at) - truth) * reach / factor
        product = product.derivative()
        reach *= width
        factor *= k + 1
    return lack


class Power:
    """2^r - 1 on a piece of |r| <= 1/2: how far `rise` is from it."""

    def __init__(self, functions, piece):
        slope = Formula(functions['exp2_slope'], of_doubles).computed(r=Rounded(piece))['return']
        rise = Rounded(piece) * slope
        lack = lack_of_power(polynomial_of(functions['exp2_slope'], 'r'), piece)
        log_2 = iv.log(iv.mpf(2))
        self.truth = iv.exp(piece * log_2)
        self.rise = Rounded(self.truth - 1, rise.error + lack)


def pieces_between(exponent):
    """From 2^exponent to twice that: the ends of as many pieces as are worth while."""
    count = PIECES if exponent >= -4 else PIECES // 4
    return [[mpf(2) ** exponent * (1 + mpf(k) / count) for k in (i, i + 1)] for i in range(count)]


def pieces_of_power():
    """Of 2^-60 <= |r| <= 1/2: narrower ones towards 0."""
    for sign in (-1, 1):
        for exponent in range(-60, -1):
            for ends in pieces_between(exponent):
                yield interval(*sorted(sign * end for end in ends))


def error_of_exp2(functions):
    """In units of the last place. Where a result is subnormal its last place is greater, and it is rounded again."""
    worst = mpf(0)
    for piece in pieces_of_power():
        of = Power(functions, piece)
        fraction = Rounded(iv.mpf(1)) + of.rise
        place = last_place(mpf(of.truth.a))
        worst = max(worst, fraction.error / place)
        # At 2^-1023, where the last place is twice as great, and below: what was off counts half, and half a place is
        # added.
        worst = max(worst, fraction.error / place / 2 + mpf(1) / 2)
    return worst


def error_of_exp2m1(functions):
    """From |x| = 60 on it is vcs_exp2() - 1, where one of the two is less than half a last place of the other."""
    worst = error_of_exp2(functions) + 1
    for piece in pieces_of_power():
        of = Power(functions, piece)
        for whole in range(-60, 61):
            scale = mpf(2) ** whole
            exact = Rounded(iv.mpf(scale - 1))
            less = exact if abs(whole) <= 53 else exact.after(mpf(0))  # up to there it has at most 53 bits
            scaled = Rounded(of.rise.value * scale, of.rise.error * scale)
            if whole == 0:
                result, truth = of.rise, of.rise.value  # 0 is added to it
            else:
                result, truth = less + scaled, of.truth * scale - 1
            worst = max(worst, result.error / last_place(least(truth)))
    return worst


# ---- log2(x) ----

CUT = mpf(2) ** -20
TERMS = 60


def lack_of_tail(polynomial, piece):
    """
    |polynomial(z) - T(z)| on a piece at most, where T(z) = 2 * (1/3 + z/5 + z^2/7 + ...): the difference is a
    polynomial, and what comes after it is less than a geometric series.
    """
    series = Polynomial(*[-2 / mpf(2 * k + 3) for k in range(TERMS)])
    difference = polynomial + series
    middle = (piece.a + piece.b) / 2
    width = greatest(piece - middle)
    lack = greatest(difference.at(iv.mpf(middle))) + width * greatest(difference.derivative().at(piece))
    z = mpf(piece.b)
    return lack + 2 * z ** TERMS / (2 * TERMS + 3) / (1 - z)


def logarithm(functions, piece, tail):
    """
    How far head + tail are from log2(1 + f) on a piece of f, and how large they are: (error, log2(1 + f), |head|,
    |tail|).

    What `large` stands for cancels: large + small = ln(1 + f) whatever was cut off, if each operation were exact. So
    of the differences only the size counts.
    """
    def cut_off(values):
        exact = piece - values['half_square'].value
        most = greatest(exact) * (1 + CUT + 3 * HALF_LAST) + values['half_square'].error
        return Rounded(interval(-most, most))  # it is what it is

    def first_difference(values):
        # f - large = f^2/2, and what was cut off
        most = greatest(values['half_square'].value) + greatest(values['large'].value) * (CUT + 4 * HALF_LAST)
        return Rounded(interval(-most, most)).after(mpf(0))

    def second_difference(values):
        before = first_difference(values)
        most = greatest(values['large'].value) * (CUT + 4 * HALF_LAST)
        return Rounded(interval(-most, most)).after(before.error + values['half_square'].error)

    def tail_of(values):
        return Rounded(tail['return'].value, tail['return'].error + tail['lack'])

    definition = functions['vcs_log2']
    hints = {'double_of(bits_of(f - half_square) & 0xffffffff00000000UL)': cut_off,
             'f - large': first_difference,
             '(f - large) - half_square': second_difference,
             'atanh_tail(z)': tail_of,
             '(double) exponent': lambda values: Rounded(iv.mpf(0)),
             'large * log2_e_high': lambda values: Rounded(values['large'].value * values['log2_e_high'].value)}
    found = Formula(definition, of_doubles, hints).computed(f=Rounded(piece), s=tail['s'], z=tail['z'])
    constants = found['log2_e_high'].value + found['log2_e_low'].value
    off = greatest(constants - 1 / iv.log(iv.mpf(2))) * greatest(iv.log(1 + piece))
    truth = iv.log(1 + piece) / iv.log(iv.mpf(2))
    return found['tail'].error + off, truth, greatest(found['head'].value), greatest(found['tail'].value)


def pieces_of_logarithm():
    """Of sqrt(1/2) <= 1 + f < sqrt(2), f not 0: the least are a unit in the last place of 1/2 and of 1."""
    for sign, most in ((-1, mpf('0.2929')), (1, mpf('0.4143'))):
        for exponent in range(-54, -1):
            for ends in pieces_between(exponent):
                if ends[0] < most:
                    yield interval(*sorted(sign * min(end, most) for end in ends))


def error_of_log2(functions):
    polynomial = polynomial_of(functions['atanh_tail'], 'z')
    worst = mpf(0)
    for piece in pieces_of_logarithm():
        s = Rounded(piece) / (Rounded(iv.mpf(2)) + Rounded(piece))
        z = Rounded(s.value ** 2).after(2 * greatest(s.value) * s.error + s.error ** 2)
        tail = Formula(functions['atanh_tail'], of_doubles).computed(z=z)
        tail.update(s=s, z=z, lack=lack_of_tail(polynomial, z.value))
        error, truth, head, rest = logarithm(functions, piece, tail)
        # whole = 0: head + tail is the only rounding that is left
        result = greatest(truth) + error
        worst = max(worst, (error + rounding(result)) / last_place(least(truth)))
        for whole in [1, -1] + [sign * 2 ** k for k in range(1, 11) for sign in (1, -1)]:
            # From one power of two to the next the last place is at least that of the least, and errors are the same.
            exact = truth + interval(*sorted((whole, 2 * whole if abs(whole) > 1 else whole)))
            lost = rounding(greatest(exact) + head)
            inner = rounding(lost + rest)
            for part in parts_of(exact):
                worst = max(worst, (error + inner + rounding(greatest(part) + error)) / last_place(least(part)))
    return worst


def parts_of(x):
    """The parts of an interval that lie between powers of two."""
    low, high = least(x), greatest(x)
    while low < high:
        end = min(high, mpf(2) ** (int(mp.floor(mp.log(low, 2))) + 1))
        yield interval(low, end * (1 - mpf(2) ** -150) if end < high else end)
        low = end


# ---- All ----

ERRORS = {'vcs_exp2': error_of_exp2, 'vcs_exp2m1': error_of_exp2m1, 'vcs_log2': error_of_log2}


def promised(header, name):
    """How many units in the last place the header allows."""
    return int(re.search(r'within (\d+) ulp(?:(?!\*/).)*\*/\s*double ' + name + r'\(', header, re.DOTALL)[1])


def main():
    root = pathlib.Path(sys.argv[1])
    header = (root / 'lib/vcsched/core/number.h').read_text(encoding='ascii')
    functions = parse(root)
    proved = 0
    for name, error_of in ERRORS.items():
        error, most = error_of(functions), promised(header, name)
        proved += error <= most
        print(f'{"  " if error <= most else "Failed: "}{name:12} off by {float(error):.3f} ulp at most, '
              f'{most} are promised', flush=True)
    print(f'{proved} of {len(ERRORS)} proved')
    return proved != len(ERRORS)


if __name__ == '__main__':
    sys.exit(main())
