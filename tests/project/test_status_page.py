# SPDX-License-Identifier: MIT
"""The status page in a browser: Chromium, driven by Selenium. Skipped where they are not installed."""

from __future__ import annotations

import json
import re
import time

import pytest

webdriver = pytest.importorskip("selenium.webdriver", reason="python3-selenium is not installed")
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from browser import console
from server import daemons
from watched import HOSTILE, Watched, unit_of


class Page:
    """The page, open in the browser."""

    def __init__(self, driver, url):
        self.driver = driver
        self.driver.get(url)

    def one(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def text(self, selector):
        return self.one(selector).text

    def run(self, script, *arguments):
        return self.driver.execute_script(f"return {script}", *arguments)

    def until(self, holds):
        """Waits for it, as long as a test may last."""
        while not holds():
            time.sleep(0.05)

    def focused(self):
        return self.driver.switch_to.active_element

    def press(self, *keys):
        self.focused().send_keys(*keys)

    def command(self, name, **arguments):
        return self.driver.execute_cdp_cmd(name, arguments)

    def look_like(self, width, height, scheme):
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                     mobile=width < 640)
        self.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def figure(self, label):
        """A large number at the top, and what stands below it."""
        for box in self.all("#figures > div"):
            if box.find_element(By.TAG_NAME, "dt").text == label:
                return [part.text for part in box.find_elements(By.TAG_NAME, "dd")]
        raise AssertionError(f"no figure is called {label}")


@pytest.fixture(name="watched")
def watched_project(tmp_path):
    with Watched(tmp_path / "grid") as watched:
        yield watched


@pytest.fixture(name="page")
def open_page(chromium, watched):
    page = Page(chromium, watched.url + "status/")
    page.look_like(1280, 900, "light")
    page.until(lambda: page.text("#live") == "live")
    page.until(lambda: page.all("#figures > div"))
    yield page
    # Whatever a test did, nothing was refused or went wrong, and nothing came from elsewhere.
    expected = re.compile("status/stream - .* status of 503|willReadFrequently")
    assert [message for message in console(chromium) if not expected.search(message)] == []
    assert all(address.startswith(watched.url) for address in
               page.run("performance.getEntriesByType('resource').map((entry) => entry.name)"))
    chromium.get("about:blank")


def finish_unit(watched, number=1):
    """Two hosts compute the first unit."""
    for name in ("castor", "pollux"):
        host = watched.host(f"{name}{number}")
        host.talk(instances=1)
        host.talk(reports=tuple(watched.compute(host, task) for task in host.tasks.values()))
    watched.work()


def test_it_shows_what_happens_without_being_loaded_again(watched, page):
    assert page.text("h1") == "Tiles <b>& more</b>"
    assert page.driver.title == "Tiles <b>& more</b>: status"
    assert page.figure("Active nodes")[0] == "0"
    assert page.text("#picture-text") == "seahorse, 64 × 48 pixels: 0 of 12 tiles"
    assert page.text("#hosts-more") == "No node has asked for work yet."
    finish_unit(watched)
    page.until(lambda: page.text("#picture-text").endswith("1 of 12 tiles"))
    page.until(lambda: page.figure("Active nodes")[0] == "2")
    assert page.figure("Power") == ["4 GFLOPS", "of the active nodes"]
    assert page.figure("Credit")[0] != "0"
    assert [item.text.split() for item in page.all("#states li")][-2:] == [["done", "1"], ["failed", "0"]]
    assert page.all("#chart rect")
    chart = page.one("#chart svg").get_attribute("aria-label")
    assert chart.startswith("Results per second over the last 10 min: now ")
    rows = [[cell.text for cell in row.find_elements(By.TAG_NAME, "td")] for row in page.all("#hosts tbody tr")]
    assert [row[0] for row in rows] == ["castor1\nnode 1", "pollux1\nnode 2"]
    assert rows[0][1:4] == ["active", "0", "1 valid in a row"]
    assert page.text("#changes li:first-child .what") == "the result was taken over"


def test_a_hostile_name_is_text(watched, page):
    host = watched.host(HOSTILE)
    host.talk(instances=1)
    page.until(lambda: page.all("#hosts tbody tr"))
    assert page.run("document.querySelector('#hosts tbody span').textContent") == HOSTILE
    page.run("location.hash = 'unit-1'")
    page.until(lambda: page.all("#unit-results li"))
    assert HOSTILE in page.run("document.querySelector('#unit-results li').textContent")
    assert page.driver.title != "caught"
    assert not page.all("img") and len(page.all("script")) == 1


def test_the_picture_grows_tile_by_tile(watched, page):
    def colour(x, y):
        pen = "document.getElementById('picture').getContext('2d')"
        return page.run(f"[...{pen}.getImageData({x}, {y}, 1, 1).data]")[:3]

    page.until(lambda: page.run("document.getElementById('picture').width") == 64)
    page.until(lambda: colour(5, 5) != [0, 0, 0])
    assert max(colour(5, 5)) - min(colour(5, 5)) < 16  # grey: missing
    finish_unit(watched)
    tile = watched.tile(1)
    page.until(lambda: colour(5, 5) == list(tile[(5 * 16 + 5) * 3:(5 * 16 + 5) * 3 + 3]))
    loaded = page.run("performance.getEntriesByType('resource').map((entry) => entry.name)")
    assert watched.url + "status/tile/0" in loaded
    # A tile that somebody renders looks different from one that is missing.
    watched.host("castor").talk(instances=1)
    page.until(lambda: colour(24, 8) != colour(40, 8))


def test_a_click_on_a_tile_tells_its_story(watched, page):
    finish_unit(watched)
    page.until(lambda: page.text("#picture-text").endswith("1 of 12 tiles"))
    canvas = page.one("#picture")
    size = canvas.size
    page.run("arguments[0].scrollIntoView()", canvas)
    actions = webdriver.ActionChains(page.driver)
    actions.move_to_element_with_offset(canvas, -size["width"] // 2 + 10, -size["height"] // 2 + 10).perform()
    assert page.text("#tile-text") == "Tile 0, unit 1: done"
    actions.click().perform()
    page.until(lambda: page.text("#unit-text") == "It is done: its result has been taken over.")
    assert page.text("#unit-title") == "Unit 1"
    assert [item.find_element(By.TAG_NAME, "b").text for item in page.all("#unit-results li")] == [
        "copy 1: valid, accepted as the unit's result", "copy 2: valid"]
    happened = page.text("#unit-history")
    for sentence in ("The work unit is new.", "The copy was sent to a host.", "It matches the canonical result.",
                     "The project has assimilated the work unit."):
        assert sentence in happened
    page.one("#close").click()
    assert not page.one("#unit").is_displayed() and page.run("location.hash") == ""


def test_everything_can_be_done_by_keyboard(watched, page):
    page.one("#number").click()
    page.press("7", Keys.ENTER)
    page.until(lambda: page.text("#unit-text") == "2 copies waiting for a host; 2 equal results are needed.")
    assert page.run("document.getElementById('unit').contains(document.activeElement)")
    page.press(Keys.ESCAPE)
    page.until(lambda: not page.one("#unit").is_displayed())
    # The arrow keys go over the picture, and do not leave it.
    page.run("document.getElementById('picture').focus()")
    page.press(Keys.ARROW_LEFT)
    assert page.text("#tile-text") == "Tile 0, unit 1: missing"
    page.press(Keys.ARROW_DOWN, Keys.ARROW_RIGHT, Keys.ARROW_UP, Keys.ARROW_UP, Keys.ARROW_RIGHT)
    assert page.text("#tile-text") == "Tile 2, unit 3: missing"
    # What moves below a resting pointer does not take the tile away, nor does another window.
    page.run("""["pointermove", "pointerleave", "blur", "focus"].forEach(
        (name) => document.getElementById('picture').dispatchEvent(new PointerEvent(name)))""")
    assert page.text("#tile-text") == "Tile 2, unit 3: missing"
    page.press(Keys.ENTER)
    page.until(lambda: page.text("#unit-title") == "Unit 3")
    page.press(Keys.ESCAPE)
    # Columns are sorted by the buttons at their top.
    for name, cpus in (("beta", 1), ("Alpha", 3)):
        watched.host(name, cpus).talk()
    page.until(lambda: len(page.all("#hosts tbody tr")) == 2)
    names = lambda: [cell.text.split("\n")[0] for cell in page.all("#hosts td.name")]  # noqa: E731
    assert names() == ["beta", "Alpha"]
    head = page.one("#hosts th button")
    page.run("arguments[0].focus()", head)
    page.press(Keys.ENTER)
    assert names() == ["Alpha", "beta"] and page.one("#hosts th").get_attribute("aria-sort") == "ascending"
    page.press(Keys.ENTER)
    assert names() == ["beta", "Alpha"] and page.one("#hosts th").get_attribute("aria-sort") == "descending"


def test_the_keyboard_stays_where_it_is_while_the_page_changes(watched, page):
    watched.host("castor").talk(instances=1)
    page.until(lambda: page.text("#changes li:first-child .what") == "a copy was sent")
    link = page.one("#changes li:first-child a")
    page.run("arguments[0].focus()", link)
    before = len(page.all("#hosts tbody tr"))
    watched.host("pollux").talk(instances=1)
    page.until(lambda: len(page.all("#hosts tbody tr")) == before + 1)
    page.until(lambda: page.one("#changes li:first-child a") != link)
    assert page.focused() == link


def test_it_fits_every_width_in_both_schemes(watched, page):
    watched.host("a-very-long-name-" * 6).talk(instances=1)
    finish_unit(watched)
    page.until(lambda: len(page.all("#hosts tbody tr")) == 3)
    for scheme in ("light", "dark"):
        for width in (320, 390, 640, 700, 768, 861, 960, 961, 1024, 1180, 1280, 1920):
            page.look_like(width, 800, scheme)
            page.until(lambda: page.run("document.getElementById('chart').firstChild.clientWidth <= innerWidth"))
            assert page.run("document.documentElement.scrollWidth") <= width
            assert page.run("""[...document.querySelectorAll("#figures dd, td, th, .legend li, #changes li")]
                .filter((box) => box.scrollWidth > box.clientWidth + 1).map((box) => box.textContent)""") == []
        colours = page.run("""(() => {
            const style = getComputedStyle(document.documentElement);
            return Object.fromEntries(["page", "lane", "ink", "faint", "accent", "failed", "good"].map(
                (name) => [name, style.getPropertyValue(`--${name}`).trim()]));
        })()""")
        assert (brightness(colours["page"]) < 0.1) == (scheme == "dark")
        for ground in ("page", "lane"):
            for name in ("ink", "faint", "accent", "failed", "good"):
                assert contrast(colours[name], colours[ground]) >= 4.5, (name, ground)
    page.run("location.hash = 'unit-2'")
    page.until(lambda: page.all("#unit-history li"))
    for width in (320, 390, 1280):
        page.look_like(width, 800, "light")
        box = page.one("#unit").rect
        assert box["x"] >= 0 and box["x"] + box["width"] <= width
        assert page.run("document.getElementById('unit').scrollWidth <= document.getElementById('unit').clientWidth")


def brightness(colour):
    """Relative luminance, as the guidelines for accessible pages define it."""
    parts = [int(colour[at:at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    bright, dark = sorted((brightness(one), brightness(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def test_a_screen_reader_finds_a_name_for_everything(watched, page):
    finish_unit(watched)
    page.until(lambda: page.text("#picture-text").endswith("1 of 12 tiles"))
    tree = [node for node in page.command("Accessibility.getFullAXTree")["nodes"] if not node.get("ignored")]
    named = {}
    for node in tree:
        named.setdefault(node["role"]["value"], []).append(node.get("name", {}).get("value", ""))
    for role in ("button", "link", "textbox", "application", "image", "table", "heading", "columnheader"):
        assert named[role] and all(named[role]), (role, named[role])
    assert named["main"] and len(named["row"]) == 3 and len(named["cell"]) == 18
    assert named["status"] and "Units" not in named["heading"]
    assert json.dumps(named["application"]).startswith('["The picture as it grows.')


def test_with_too_many_viewers_it_still_shows_how_things_are(watched, chromium, page, monkeypatch):
    monkeypatch.setattr(watched.status.feed, "_most_viewers", 0)
    chromium.refresh()
    page.until(lambda: page.text("#live").startswith("many are watching"))
    page.until(lambda: page.text("#units-title") == "12 units")


def test_it_says_when_there_is_nothing_to_see_and_when_there_is_again(watched, page, monkeypatch):
    def away():
        raise RuntimeError("the database is away")

    with monkeypatch.context() as broken:
        broken.setattr(watched.status.feed, "_look", away)
        page.until(lambda: page.text("#trouble") == "RuntimeError: the database is away")
    page.until(lambda: not page.one("#trouble").is_displayed())
    assert page.text("#live") == "live"


def test_a_unit_that_is_not_there_is_said_so(watched, page):
    page.run("location.hash = 'unit-4711'")
    page.until(lambda: page.text("#unit-text") == "there is no such unit; it may have been purged")
    console(page.driver)  # the browser notes that it was not found


def test_a_program_that_failed_shows_what_it_said(watched, page):
    host = watched.host("castor")
    host.talk(instances=1)
    task = next(iter(host.tasks.values()))
    import load
    host.talk(reports=(load.Report(task.name, 3, 7),))
    page.run(f"location.hash = 'unit-{unit_of(task)}'")
    page.until(lambda: page.all("#unit-results b.bad"))
    assert page.text("#unit-results b.bad") == "copy 1: error on the host"
    assert "exit status 7" in page.text("#unit-results li")


def test_what_failed_is_shown_until_it_is_mended(watched, page, monkeypatch):
    assert not page.one("#person-section").is_displayed()

    def broken(*_unused):
        raise KeyError("<b>parameters</b>")

    monkeypatch.setattr(watched.project.work, "classify", broken)
    finish_unit(watched)
    page.until(lambda: page.one("#person-section").is_displayed())
    assert re.fullmatch(r"Judging results has stopped: failed once, tried again at [-0-9: ]+: nothing could be judged "
                        r"so far: KeyError: '<b>parameters</b>'", page.text("#person"))
    monkeypatch.undo()
    monkeypatch.setattr(watched.project.work, "assimilate", broken)
    with watched.project.store.transaction("test") as transaction:
        transaction.run("update unit set max_failures = 1")
    daemons.retry(watched.project)
    watched.work()
    page.until(lambda: page.text("#person") == "1 unit waits for a person to be taken over: unit 1")
    monkeypatch.undo()
    daemons.retry(watched.project)
    watched.work()
    page.until(lambda: not page.one("#person-section").is_displayed())
