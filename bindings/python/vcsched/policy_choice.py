# SPDX-License-Identifier: MIT
"""Another policy in place of a file's or a scenario's."""

from __future__ import annotations

from typing import Any, List, Mapping, Optional, Sequence, Union

from vcsched.interface import Parameters
from vcsched.library import kind_of

Changes = Union[Parameters, str, Mapping[str, Any], None]
"""Parameters in the place of all others, or the name of a profile for the same; or only some, with their values."""


def names_kept(before: Parameters, kept: Optional[Sequence[str]]) -> List[str]:
    """The parameters that another profile leaves alone; if nobody says which, all that differ from their profile."""
    if kept is not None:
        return list(kept)
    usual = Parameters(before.profile)
    return [name for name in Parameters.fields if name != "profile" and getattr(before, name) != getattr(usual, name)]


def with_profile(before: Parameters, kept: Sequence[str], profile: str) -> Parameters:
    """The parameters of another profile, but for the kept ones."""
    return Parameters(profile).replace(**{name: getattr(before, name) for name in kept})


def chosen(before: Parameters, kept: Optional[Sequence[str]], profile: Optional[str], changes: Changes) -> Parameters:
    """The policy that a caller of plan() wants; without a wish, `before` decides."""
    if isinstance(changes, (Parameters, str)):
        if profile is not None:
            raise TypeError("give a profile or all parameters, not both; single ones are a dict: "
                            "plan(profile=\"steady\", parameters={\"min_buffer\": 3600})")
        return changes if isinstance(changes, Parameters) else Parameters(changes)
    if changes is not None and not isinstance(changes, Mapping):
        raise TypeError("parameters must be Parameters, the name of a profile, or a dict of some parameters, not "
                        + kind_of(changes))
    if profile is not None:
        before = with_profile(before, names_kept(before, kept), profile)
    return before.replace(**changes) if changes else before
