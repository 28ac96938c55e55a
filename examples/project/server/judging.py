# SPDX-License-Identifier: MIT
"""Which results of a unit are equal, whatever the project's code makes of their files (rule 8.4).

The work compares all results of a unit in one call. If that fails, each result is tried alone, so that the one to blame
is found, and the others are compared without it.
"""

from __future__ import annotations

import operator
from typing import Any, Dict, List, NamedTuple, Optional, Set

from server import trouble
from server.trouble import CAUGHT
from server.work import FAILED, LATER, MISSING, WRONG, Output, Work


class Judgement(NamedTuple):
    """What was found of a unit's results."""

    classes: Dict[int, int]
    """by the ids of the results"""
    errors: Dict[int, str]
    """of those that could not be judged: why not"""

    def failed(self) -> Set[int]:
        """Results that cannot be judged."""
        return {result for result, found in self.classes.items() if found in (FAILED, MISSING)}

    def delayed(self) -> Set[int]:
        """Results that are to be judged later."""
        return {result for result, found in self.classes.items() if found == LATER}

    def good(self) -> Set[int]:
        """Results that were."""
        return {result for result, found in self.classes.items() if found < LATER or found == WRONG}

    def later(self) -> Optional[str]:
        """Why something has to wait; None if nothing has."""
        for result, found in self.classes.items():
            if found == LATER:
                return self.errors.get(result, "it is to be judged later")
        return None


def judge(work: Work, number: int, outputs: List[Output]) -> Judgement:
    """Judges the results of a unit."""
    found = Judgement({}, {})
    there = []
    for output in outputs:
        found.classes[output.result] = MISSING
        try:
            # path.is_file() hides faults of the disk
            is_there = all([_is_file(path) for path in output.files])
        except OSError as reason:
            found.classes[output.result], found.errors[output.result] = LATER, trouble.text_of(reason)
            continue
        if is_there:
            there.append(output)
    if there:
        try:
            found.classes.update(zip([output.result for output in there], ask(work, number, there)))
        except CAUGHT:
            _one_by_one(work, number, there, found)
    return found


def _is_file(path: Any) -> bool:
    try:
        return (path.stat().st_mode & 0o170000) == 0o100000
    except (FileNotFoundError, NotADirectoryError):
        return False


def ask(work: Work, number: int, outputs: List[Output]) -> List[int]:
    """What the work finds, which must be a class for each of the results."""
    found = [operator.index(one) for one in work.classify(number, outputs)]
    if len(found) != len(outputs) or not all(0 <= one <= MISSING for one in found):
        raise ValueError(f"classify() returned {found!r:.80} for {len(outputs)} results")
    return found


def _one_by_one(work: Work, number: int, outputs: List[Output], found: Judgement) -> None:
    """Each alone, then those that can be judged together."""
    rest = []
    for output in outputs:
        try:
            alone = ask(work, number, [output])[0]
        except CAUGHT as reason:
            is_passing = trouble.is_passing(work, reason)
            found.classes[output.result] = LATER if is_passing else FAILED
            found.errors[output.result] = trouble.text_of(reason)
            continue
        found.classes[output.result] = alone
        if alone < LATER:
            rest.append(output)
    try:
        if len(rest) > 1:
            found.classes.update(zip([output.result for output in rest], ask(work, number, rest)))
    except CAUGHT as reason:
        if trouble.is_passing(work, reason):
            _all_later(rest, reason, found)
        else:
            _in_pairs(work, number, rest, found)


def _all_later(outputs: List[Output], reason: BaseException, found: Judgement) -> None:
    for output in outputs:
        found.classes[output.result], found.errors[output.result] = LATER, trouble.text_of(reason)


def _in_pairs(work: Work, number: int, outputs: List[Output], found: Judgement) -> None:
    """Each can be judged, but not all together, as if they were of different sizes: what cannot be compared is not
    equal."""
    firsts: List[Output] = []
    for output in outputs:
        same = None
        for place, first in enumerate(firsts):
            try:
                one, other = ask(work, number, [first, output])
            except CAUGHT as reason:
                if trouble.is_passing(work, reason):
                    _all_later(outputs, reason, found)
                    return
                continue
            if one == other and one < LATER:
                same = place
                break
        if same is None:
            same = len(firsts)
            firsts.append(output)
        found.classes[output.result] = same


def can_judge(work: Work, number: int, output: Output) -> Optional[bool]:
    """Whether the work can judge a result that it judged before; None if its files have gone."""
    try:
        if not all([_is_file(path) for path in output.files]):
            return None
        return ask(work, number, [output])[0] < LATER
    except CAUGHT:
        return False


