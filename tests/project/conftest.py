# SPDX-License-Identifier: MIT
"""Each test of this folder has a time limit, and finds the packages of examples/grid."""

import pathlib
import sys

TREE = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(TREE / "tests" / "support"))
sys.path.insert(0, str(TREE / "examples" / "project"))
sys.path.insert(0, str(TREE / "tests" / "project"))
from browser import chromium  # noqa: E402,F401  # pylint: disable=wrong-import-position,unused-import
from time_limit import *  # noqa: E402,F403  # pylint: disable=wildcard-import,wrong-import-position
import running  # noqa: E402,F401  # pylint: disable=wrong-import-position,unused-import - finds the package
