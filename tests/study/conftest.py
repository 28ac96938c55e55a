# SPDX-License-Identifier: MIT
"""Each test of this folder has a time limit."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / 'support'))
from time_limit import *  # noqa: E402,F403  # pylint: disable=wildcard-import,wrong-import-position
