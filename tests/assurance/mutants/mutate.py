# SPDX-License-Identifier: MIT
"""Small faults in C: every place of a source where one can be made, and the source that comes of it.

Only code inside functions is changed: not comments, strings, includes, declarations of types, nor tables.
"""

import re
from typing import Iterator, List, NamedTuple

TOKEN = re.compile(r'''
    (?P<skip>\s+|//[^\n]*|/\*.*?\*/|^\s*\#(?:\\\n|[^\n])*)
  | (?P<string>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')
  | (?P<number>(?:0[xX][0-9a-fA-F.]+(?:[pP][+-]?\d+)?|\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)[uUlLfF]*)
  | (?P<word>[A-Za-z_]\w*)
  | (?P<sign>\.\.\.|<<=|>>=|->|\+\+|--|&&|\|\||[-+*/%&|^<>=!]=|<<|>>|[-+*/%&|^<>=!~?:;,.(){}\[\]])
''', re.VERBOSE | re.DOTALL | re.MULTILINE)

RELATIONS = {'<': ('<=', '>'), '<=': ('<', '>='), '>': ('>=', '<'), '>=': ('>', '<='), '==': ('!=',), '!=': ('==',)}
ARITHMETIC = {'+': ('-',), '-': ('+',), '*': ('/',), '/': ('*',), '%': ('/',), '<<': ('>>',), '>>': ('<<',),
              '&': ('|',), '|': ('&',), '&&': ('||',), '||': ('&&',), '+=': ('-=',), '-=': ('+=',), '*=': ('/=',),
              '&=': ('|=',), '|=': ('&=',), '++': ('--',), '--': ('++',)}
WORDS = {'true': 'false', 'false': 'true', 'vcs_min': 'vcs_max', 'vcs_max': 'vcs_min', 'vcs_min_i64': 'vcs_max_i64',
         'vcs_max_i64': 'vcs_min_i64'}
TERMS = {'+', '-', '*', '/', '&&', '||', '&', '|'}
# After these a sign has an operand on both sides.
OPERAND_ENDS = {')', ']'}
NO_STATEMENTS = {'return', 'break', 'continue', 'goto', 'case', 'default', 'if', 'else', 'for', 'while', 'do', 'switch',
                 'const', 'static', 'struct', 'union', 'enum', 'unsigned', 'signed', 'int', 'char', 'double', 'float',
                 'void', 'bool', 'size_t', 'typedef', 'sizeof'}

NEGATED = '!'
"""In place of a text: what stands there, negated."""


class Token(NamedTuple):
    kind: str
    text: str
    start: int
    end: int


class Mutant(NamedTuple):
    """The source from `start` to `end`, which is in that function, is replaced."""

    path: str
    function: str
    start: int
    end: int
    text: str
    what: str


def tokens_of(source: str) -> List[Token]:
    found, place = [], 0
    while place < len(source):
        match = TOKEN.match(source, place)
        if match is None:
            raise ValueError(f'{source[place:place + 20]!r} is no C')
        if match.lastgroup != 'skip':
            found.append(Token(match.lastgroup or '', match.group(), match.start(), match.end()))
        place = match.end()
    return found


def bodies_of(tokens: List[Token]) -> Iterator['tuple[str, List[int]]']:
    """The name of each function, and the tokens inside its braces, which follow a closing parenthesis."""
    depth, start = 0, -1
    for i, token in enumerate(tokens):
        if token.text == '{':
            if depth == 0 and i > 0 and tokens[i - 1].text == ')':
                start = i
            depth += 1
        elif token.text == '}':
            depth -= 1
            if depth == 0 and start >= 0:
                yield tokens[opening(tokens, start - 1) - 1].text, list(range(start + 1, i))
                start = -1


def closing(tokens: List[Token], i: int) -> int:
    """The token that closes the bracket at i."""
    depth = 0
    for k in range(i, len(tokens)):
        depth += tokens[k].text in ('(', '[', '{')
        depth -= tokens[k].text in (')', ']', '}')
        if depth == 0:
            return k
    raise ValueError('a bracket is not closed')


def opening(tokens: List[Token], i: int) -> int:
    """The token that opens the bracket that is closed at i."""
    depth = 0
    for k in range(i, -1, -1):
        depth += tokens[k].text in (')', ']', '}')
        depth -= tokens[k].text in ('(', '[', '{')
        if depth == 0:
            return k
    raise ValueError('a bracket is not opened')


def operand_end(tokens: List[Token], i: int) -> int:
    """The token after the operand that begins at i."""
    while tokens[i].text in ('!', '-', '*', '&', '~'):
        i += 1
    if tokens[i].text == '(':
        i = closing(tokens, i) + 1
        if tokens[i].kind in ('word', 'number') or tokens[i].text == '(':
            return operand_end(tokens, i)  # a cast
    else:
        i += 1
    while tokens[i].text in ('(', '[', '.', '->'):
        i = closing(tokens, i) + 1 if tokens[i].text in ('(', '[') else i + 2
    return i


def term_end(tokens: List[Token], i: int) -> int:
    """The token after the term that begins at i, which the sign before it joins to what is left of that."""
    sign = tokens[i - 1].text
    if sign in ('&&', '||'):
        while tokens[i].text not in ('&&', '||', ')', ']', '}', ';', ',', '?', ':'):
            i = closing(tokens, i) + 1 if tokens[i].text in ('(', '[') else i + 1
        return i
    i = operand_end(tokens, i)
    while sign in ('+', '-') and tokens[i].text in ('*', '/', '%'):
        i = operand_end(tokens, i + 1)
    return i


def is_binary(tokens: List[Token], i: int) -> bool:
    before = tokens[i - 1]
    if before.text == ')' and tokens[i].text in ('*', '&', '-', '+'):
        # `(double)-x` is a cast; a cast ends in a type or a star
        inner = tokens[i - 2]
        return not (inner.text == '*' or re.match(r'^(?:u?int\d+_t|double|size_t|char|unsigned|int)$', inner.text))
    is_operand = before.kind in ('word', 'number') and before.text not in ('return', 'case', 'sizeof')
    return is_operand or before.text in OPERAND_ENDS


def is_declaration(tokens: List[Token], i: int) -> bool:
    """`const x *y`, `double x`: a type, and a name after it."""
    if tokens[i].text in NO_STATEMENTS:
        return True
    following = tokens[i + 1]
    if following.kind == 'word':
        return True
    return following.text == '*' and tokens[i + 2].kind == 'word' and tokens[i + 3].text in ('=', ';', ',')


def numbers_near(text: str) -> Iterator[str]:
    digits = text.rstrip('uUlL')
    tail = text[len(digits):]
    if re.fullmatch(r'\d+', digits):
        yield str(int(digits) + 1) + tail
        if int(digits) > 0:
            yield str(int(digits) - 1) + tail
    elif re.fullmatch(r'\d*\.\d*(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+', digits):
        yield f'({digits} + 1.0)'
        yield f'({digits} - 1.0)'


def of_token(path: str, function: str, tokens: List[Token], i: int) -> Iterator[Mutant]:
    token = tokens[i]

    def replace(text: str, what: str, end: int = token.end) -> Mutant:
        return Mutant(path, function, token.start, end, text, what)

    if token.kind == 'number':
        for text in numbers_near(token.text):
            yield replace(text, 'constant')
    elif token.kind == 'word' and token.text in WORDS:
        yield replace(WORDS[token.text], 'swapped')
    elif token.kind == 'word' and token.text in ('if', 'while') and tokens[i + 1].text == '(':
        end = closing(tokens, i + 1)
        yield Mutant(path, function, tokens[i + 1].start, tokens[end].end, NEGATED, 'negated')
    elif token.text in RELATIONS:
        for text in RELATIONS[token.text]:
            yield replace(text, 'relation')
    elif token.text in ('++', '--'):
        yield replace(ARITHMETIC[token.text][0], 'arithmetic')
    elif token.text in ARITHMETIC and is_binary(tokens, i):
        for text in ARITHMETIC[token.text]:
            yield replace(text, 'arithmetic')
        if token.text in TERMS:
            yield replace('', 'dropped term', tokens[term_end(tokens, i + 1) - 1].end)
    elif token.text == '!':
        yield replace('', 'negation dropped')


def statements(path: str, function: str, tokens: List[Token], body: List[int]) -> Iterator[Mutant]:
    """Whole statements that may be left out: assignments and calls."""
    for i in body:
        begins = tokens[i - 1].text in (';', '{', '}') and tokens[i].kind == 'word'
        if not begins or is_declaration(tokens, i):
            continue
        end = i
        while tokens[end].text != ';':
            end = closing(tokens, end) + 1 if tokens[end].text in ('(', '[', '{') else end + 1
            if end not in range(body[0], body[-1] + 1):
                break
        else:
            yield Mutant(path, function, tokens[i].start, tokens[end].end, ';', 'statement deleted')


def mutants_of(path: str, source: str) -> Iterator[Mutant]:
    tokens = tokens_of(source)
    for function, body in bodies_of(tokens):
        for i in body:
            yield from of_token(path, function, tokens, i)
        yield from statements(path, function, tokens, body)


def apply(source: str, mutant: Mutant) -> str:
    text = mutant.text
    if text == NEGATED:
        text = '(!' + source[mutant.start:mutant.end] + ')'
    return source[:mutant.start] + text + source[mutant.end:]


def lines_of(source: str, mutant: Mutant) -> 'tuple[int, str, str]':
    """The number of the first line that changes, the lines that do, and what they become, each as one line."""
    changed = apply(source, mutant)
    first = source.count('\n', 0, mutant.start)
    last = source.count('\n', 0, mutant.end)
    rest = len(source.split('\n')) - last - 1
    before = source.split('\n')[first:last + 1]
    after = changed.split('\n')[first:len(changed.split('\n')) - rest]
    return first + 1, ' '.join(' '.join(before).split()), ' '.join(' '.join(after).split())
