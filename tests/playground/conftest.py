# SPDX-License-Identifier: MIT
"""The playground in a browser: Chromium, driven by Selenium. Skipped where they are not installed.

The environment variables PLAYGROUND, VCEMU and STUDY are the paths of the page and of the programs.
"""

import json
import os
import pathlib
import subprocess
import sys
import time

import pytest

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1] / "support")]
from browser import chromium, console  # noqa: E402,F401  # pylint: disable=wrong-import-position,unused-import
from time_limit import *  # noqa: E402,F403  pylint: disable=wildcard-import,wrong-import-position

pytest.importorskip("selenium.webdriver", reason="python3-selenium is not installed")
from selenium.webdriver import ActionChains  # noqa: E402  pylint: disable=wrong-import-position
from selenium.webdriver.common.by import By  # noqa: E402  pylint: disable=wrong-import-position
from selenium.webdriver.common.keys import Keys  # noqa: E402  pylint: disable=wrong-import-position

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Page:
    """The page, open in the browser from its file."""

    keys = Keys

    def __init__(self, driver, link=""):
        self.driver = driver
        driver.get("about:blank")
        driver.get(pathlib.Path(os.environ["PLAYGROUND"]).resolve().as_uri() + link)
        self.until("document.documentElement.dataset.ready === ''")

    def run(self, script, *arguments):
        return self.driver.execute_script(f"return {script}", *arguments)

    def until(self, script):
        """Waits until it holds, as long as a test may last."""
        while not self.run(script):
            time.sleep(0.02)

    def one(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def text(self, selector):
        return self.run("document.querySelector(arguments[0]).textContent", selector)

    def value(self, selector):
        return self.run("document.querySelector(arguments[0]).value", selector)

    def set(self, selector, value):
        """As somebody who types or chooses it."""
        self.driver.execute_script(
            "const [at, value] = [document.querySelector(arguments[0]), arguments[1]];"
            "if (at.type === 'checkbox') { at.click(); } else { at.value = value;"
            " for (const kind of ['input', 'change']) { at.dispatchEvent(new Event(kind, {bubbles: true})); } }",
            selector, value)

    def click(self, selector):
        self.driver.execute_script("document.querySelector(arguments[0]).click()", selector)

    def type_host(self, text):
        """Another host, and what has come of it."""
        self.set("#text", text)
        # The page waits for the end of the typing, by a timer that is over before this one, however busy the machine.
        self.driver.execute_async_script("setTimeout(arguments[0], 500)")

    def press(self, key):
        """Presses it where the focus is. To type into a named element, Selenium would scroll to it."""
        ActionChains(self.driver).send_keys(key).perform()

    def choose(self, name):
        """What is explained."""
        self.driver.execute_script("[...document.querySelectorAll('.link')].find((link) =>"
                                   " link.textContent === arguments[0]).click()", name)

    def rows(self, part):
        """The texts of a table's cells, row by row."""
        return self.run("[...document.querySelectorAll(`${arguments[0]} tbody tr`)].map((row) =>"
                        " [...row.cells].map((cell) => cell.textContent))", part)

    def complaints(self):
        return console(self.driver)

    def look_like(self, width, height, scheme):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 640})
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": scheme}]})


@pytest.fixture(name="page")
def opened_page(chromium):
    page = Page(chromium)
    yield page
    assert page.complaints() == []
    chromium.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@pytest.fixture(name="opened")
def opener(chromium):
    """Opens the page with a link."""
    return lambda link: Page(chromium, link)


def vcemu(*arguments):
    """What the tool says, as JSON."""
    return json.loads(subprocess.run([os.environ["VCEMU"], *map(str, arguments), "--json"], check=True,
                                     capture_output=True, text=True, encoding="utf-8").stdout)
