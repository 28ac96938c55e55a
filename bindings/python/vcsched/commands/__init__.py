# SPDX-License-Identifier: MIT
"""What `python3 -m vcsched` can do, a module for each command."""
