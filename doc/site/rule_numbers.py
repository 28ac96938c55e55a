# SPDX-License-Identifier: MIT
"""Rules of the manual, and where a text cites them: "rule 4.3", "Rules 6.1 to 6.10 (S2, S4), 3.3"."""

import re

NUMBER = r'\d+\.\d+'
PART = rf'{NUMBER}(?: ?[a-g]\b)?(?: \([^()]*\))?'
CITATION = re.compile(rf'\b[Rr]ules? {PART}(?:(?:,? and |,? or | to |, ){PART})*')
IN_BRACKETS = re.compile(rf'(?<=\(){NUMBER}(?:(?:, | to | and ){NUMBER})*(?=\))')
ONE = re.compile(rf'(to )?({NUMBER})')
ANCHOR = re.compile(r'<a id="rule-(\d+\.\d+)"></a>')
MANUAL = 'doc/rules.html'


def key(number):
    return tuple(map(int, number.split('.')))


def in_manual(text):
    return ANCHOR.findall(text)


def link_to(number):
    return f'{MANUAL}#rule-{number}'


def cited_in(text, rules):
    """The numbers of the rules that a text cites; of a range, all that there are."""
    found = []
    for citation in CITATION.finditer(text):
        for is_end, number in ONE.findall(re.sub(r' \([^()]*\)', '', citation[0])):
            if is_end and found:
                first = key(found[-1])
                found += [rule for rule in rules if first < key(rule) < key(number)]
            if number in rules:
                found.append(number)
    return found
