# SPDX-License-Identifier: MIT
"""What the comments of the headers say of a number: that it refers to a record, or that it is a yes or no.

In Lua a record is referred to by its place in a list, from 1, and by nil if there is none; yes and no are booleans.
"""

import re

YES_OR_NO = re.compile(r'(?:out: )?1(?::| =) ')
SET_YES_OR_NO = re.compile(r'set to 1 ')


def of_field(field, struct):
    """The C constant for what a field of a struct means, or None. The comment on the struct may tell of all fields."""
    if field.c_type != 'uint32_t':
        return None
    if 'VCS_NONE' in field.comment:
        return 'MEANS_PLACE_OR_NONE'
    if 'index of' in field.comment:
        return 'MEANS_PLACE_OR_NONE' if 'VCS_NONE' in struct.comment else 'MEANS_PLACE'
    if YES_OR_NO.match(field.comment):
        return 'MEANS_YES_OR_NO'
    return None


def is_place(parameter):
    """Whether an argument is the index of a record, or of a row of a table."""
    return parameter.c_type == 'uint32_t' and (parameter.name == 'index' or 'index of' in parameter.comment)


def is_yes_or_no(parameter):
    """Whether an argument or an answer is 1 or 0 for yes or no."""
    return bool(YES_OR_NO.match(parameter.comment) or SET_YES_OR_NO.match(parameter.comment))


def may_be_missing(parameter):
    """Whether a struct that the function reads may be NULL."""
    return 'may be NULL' in parameter.comment and 'if count' not in parameter.comment
