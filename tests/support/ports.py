# SPDX-License-Identifier: MIT
"""Ports for the servers that tests start."""

import contextlib
import random
import socket

FIRST, END = 10000, 32768
"""Below the ports that Linux gives to whoever connects: one of these would not stay free until its server starts."""


def free_ports(count):
    """That many ports in a row at which nobody listens."""
    while True:
        first = random.SystemRandom().randrange(FIRST, END - count)
        ports = range(first, first + count)
        with contextlib.ExitStack() as stack, contextlib.suppress(OSError):
            for port in ports:
                stack.enter_context(socket.socket()).bind(('127.0.0.1', port))
            return list(ports)


def free_port():
    """A port at which nobody listens."""
    return free_ports(1)[0]
