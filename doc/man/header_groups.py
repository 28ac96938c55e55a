# SPDX-License-Identifier: MIT
"""What stands in a header, in the groups that one comment each is about."""

import os
import re

from header_text import Comment, Constant, Function, Gap, Struct

LICENCE = 'SPDX-License-Identifier: MIT'
SECTION = re.compile(r'-{4} (.*) -{4}|([A-Z]+)')


def description(lines):
    """What the header is about, in short, and the rest of the lines of its first comment."""
    lines = [line for line in lines if line != LICENCE]
    end = lines.index('') if '' in lines else len(lines)
    about = ' '.join(lines[:end])
    short = re.match(r'.*?(?=\. |[.:]?$)', about)[0]
    name = short if short[1].isupper() else short[0].lower() + short[1:]
    return name.replace('`', ''), lines if len(about) > len(short) + 1 else lines[end:]


def section_of(comment, members):
    """The title of a section of the header, if that comment begins one; else None."""
    match = SECTION.fullmatch(comment.lines[0]) if comment and not members else None
    return match and (match[1] or match[2])


def grouped(items):
    """The items in groups that one comment is about: (comment or None, constants or functions or one struct)."""
    groups = []
    comment = None
    for item in items:
        joins = groups and groups[-1][1] and isinstance(item, (Constant, Function)) and \
            isinstance(groups[-1][1][-1], type(item))
        if isinstance(item, Gap):
            if comment is not None:
                groups.append((comment, []))
                comment = None
            elif groups:
                groups.append((None, []))
        elif isinstance(item, Comment):
            if comment is not None:
                groups.append((comment, []))
            comment = item
        elif comment is None and joins:
            groups[-1][1].append(item)
        else:
            groups.append((comment, [item]))
            comment = None
    return [group for group in groups if group != (None, [])] + ([(comment, [])] if comment else [])


def title_of(members):
    if isinstance(members[0], Struct):
        return 'struct ' + members[0].name
    if isinstance(members[0], Function):
        return ', '.join(member.name + ('()' if '(' in member.prototype else '') for member in members)
    names = [member.name for member in members]
    shared = os.path.commonprefix(names)
    if len(names) > 1 and shared != 'VCS_':
        return shared + '*'
    return ', '.join(names) if len(names) <= 2 else f'{names[0]} ... {names[-1]}'
