# SPDX-License-Identifier: MIT
"""The status page of a project: what its hosts, units and results do at this moment, and why."""
