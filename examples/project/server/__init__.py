# SPDX-License-Identifier: MIT
"""A server of a project of volunteer computing, to which unmodified clients attach. See README.md beside it."""
