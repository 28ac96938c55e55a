# SPDX-License-Identifier: MIT
"""Reads the files of a BOINC client. doc/importing.md says what is read and what it becomes."""
