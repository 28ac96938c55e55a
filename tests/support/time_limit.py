# SPDX-License-Identifier: MIT
"""Ends each test of pytest that takes too long, by name, so that nothing hangs for ever.

Use in a conftest.py: `from time_limit import *`. The environment variable VCS_TEST_SECONDS is the limit (300): so much
that no machine comes near it, however slow or busy. A test that waits in Python fails with the place at which it
waited. One that is stuck below Python, where no exception reaches it, ends the whole run a minute later, with the stack
of every thread.

Whatever a test starts also ends by Ctrl-C, wherever the tests are started: what a shell runs in the background ignores
it, and so does all that inherits this.
"""

import contextlib
import faulthandler
import os
import signal

import pytest

__all__ = ['pytest_configure', 'pytest_runtest_call', 'pytest_runtest_setup', 'pytest_runtest_teardown',
           'pytest_sessionfinish']

SECONDS = int(os.environ.get('VCS_TEST_SECONDS', '300'))
BROWSER_SECONDS = 110  # a test that has a browser open in the fixture `chromium`
GRACE = 60
SKIPPED = 77  # the exit status that means so to Meson
_messages = {}


def pytest_configure(config):
    """Keeps the standard error output as it is outside of all tests, and hears SIGINT."""
    capture = config.pluginmanager.getplugin('capturemanager')
    with capture.global_and_fixture_disabled() if capture else contextlib.nullcontext():
        _messages['to'] = os.dup(2)
    signal.signal(signal.SIGINT, signal.default_int_handler)


@contextlib.contextmanager
def _limited(item, what):
    def give_up(*_):
        faulthandler.dump_traceback(file=_messages['to'])
        pytest.fail(f'{item.nodeid}: {what} took more than {seconds} s')

    seconds = min(SECONDS, BROWSER_SECONDS) if 'chromium' in item.fixturenames else SECONDS
    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(seconds)
    faulthandler.dump_traceback_later(seconds + GRACE, file=_messages['to'], exit=True)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_setup(item):
    with _limited(item, 'its setup'):
        yield


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item):
    with _limited(item, 'it'):
        yield


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_teardown(item):
    with _limited(item, 'its teardown'):
        yield


def pytest_sessionfinish(session, exitstatus):
    """A file that is skipped as a whole, such as one for a browser that is not there, is skipped for Meson, too."""
    if exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED:
        session.exitstatus = SKIPPED
