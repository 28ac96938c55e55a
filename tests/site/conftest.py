# SPDX-License-Identifier: MIT
"""Each test of this folder has a time limit, and may ask for a browser."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / 'support'))
from browser import chromium  # noqa: E402,F401  # pylint: disable=wrong-import-position,unused-import
from time_limit import *  # noqa: E402,F403  # pylint: disable=wildcard-import,wrong-import-position
