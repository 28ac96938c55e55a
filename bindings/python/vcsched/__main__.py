# SPDX-License-Identifier: MIT
"""`python3 -m vcsched COMMAND`: what the package offers on the command line."""

from __future__ import annotations

import argparse
import os
import sys
from typing import List, Optional

from vcsched.commands import import_state, plan, run_scenario, watch
from vcsched.errors import InputError, LiveError, UsageError, VcsError
from vcsched.names import one_line

EXIT_INPUT = 1
"""A file cannot be read, written or used."""
EXIT_USAGE = 2
"""The command line makes no sense."""
EXIT_INTERRUPTED = 130


def main(arguments: Optional[List[str]] = None) -> int:
    """Runs the command that is asked for and returns the exit status."""
    parser = argparse.ArgumentParser(prog="python3 -m vcsched",
                                     description="Scheduling policy of volunteer computing.")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    import_state.add_parser(commands)
    plan.add_parser(commands)
    run_scenario.add_parser(commands)
    watch.add_parser(commands)
    options = parser.parse_args(arguments)
    try:
        status: int = options.run(options)
        return status
    except UsageError as error:
        return _fail(str(error), EXIT_USAGE)
    except (InputError, LiveError, VcsError) as error:
        return _fail(str(error), EXIT_INPUT)
    except BrokenPipeError:
        # Whoever reads the output has seen enough. What is left of it must not be complained about at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_INPUT
    except OSError as error:
        return _fail(f"{error.filename}: {error.strerror}" if error.filename else str(error), EXIT_INPUT)
    except KeyboardInterrupt:
        return _fail("interrupted", EXIT_INTERRUPTED)


def _fail(message: str, status: int) -> int:
    print(f"vcsched: {one_line(message)}", file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
