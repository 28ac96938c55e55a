# SPDX-License-Identifier: MIT
"""Chromium for tests, driven by Selenium: the fixture `chromium`, and what its console says of a page. Without them,
what asks for it is skipped.

Use in a conftest.py: `from browser import chromium`.
"""

import os
import shutil

import pytest

# Nothing leaves the machine, and nothing is shared with a browser that somebody uses.
SWITCHES = ('--headless=new', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
            '--disable-background-networking', '--disable-component-update', '--disable-sync',
            '--disable-dev-shm-usage', '--window-size=1280,900')


def console(driver):
    """What the pages have said in the console since it was looked at. Chromium's own pages, which complain of a slow
    network, are not counted."""
    return [entry['message'] for entry in driver.get_log('browser') if not entry['message'].startswith('chrome://')]


@pytest.fixture(scope='module')
def chromium(tmp_path_factory):
    """The browser, whose console can be read."""
    webdriver = pytest.importorskip('selenium.webdriver', reason='python3-selenium is not installed')
    program, driver = shutil.which('chromium'), shutil.which('chromedriver')
    if not program or not driver:
        pytest.skip('chromium and chromium-driver are not installed')
    from selenium.webdriver.chrome.service import Service  # pylint: disable=import-outside-toplevel
    options = webdriver.ChromeOptions()
    options.binary_location = program
    for switch in (*SWITCHES, f'--user-data-dir={tmp_path_factory.mktemp("chromium")}'):
        options.add_argument(switch)
    options.set_capability('goog:loggingPrefs', {'browser': 'ALL'})
    started = webdriver.Chrome(service=Service(driver, log_path=os.devnull), options=options)
    yield started
    started.quit()
