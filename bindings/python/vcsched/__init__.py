# SPDX-License-Identifier: MIT
"""Scheduling policy of volunteer computing: what to run, what to fetch, from whom, and why.

Importing the package loads nothing but this page; take what you need from its modules.
"""
