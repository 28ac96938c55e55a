# SPDX-License-Identifier: MIT
"""The timeline in a browser: Chromium, driven by Selenium. Skipped where they are not installed.

The environment variable VCEMU is the path of the tool.
"""

import json
import os
import pathlib
import shutil
import subprocess

import pytest

webdriver = pytest.importorskip('selenium.webdriver', reason='python3-selenium is not installed')
from selenium.webdriver.chrome.service import Service  # noqa: E402

VCEMU = os.path.abspath(os.environ['VCEMU'])
EXAMPLES = pathlib.Path(__file__).parents[2] / 'examples'
BROWSER, DRIVER = shutil.which('chromium'), shutil.which('chromedriver')
if not BROWSER or not DRIVER:
    pytest.skip('chromium and chromium-driver are not installed', allow_module_level=True)

# Nothing leaves the machine, and nothing is shared with a browser that somebody uses.
SWITCHES = ('--headless=new', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking',
            '--disable-component-update', '--disable-sync', '--disable-dev-shm-usage')
LOOKS = [(1400, 900, 'light'), (1400, 900, 'dark'), (390, 844, 'light'), (390, 844, 'dark')]


@pytest.fixture(name='chromium', scope='module')
def started_browser(tmp_path_factory):
    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER
    for switch in (*SWITCHES, f'--user-data-dir={tmp_path_factory.mktemp("chromium")}'):
        options.add_argument(switch)
    options.set_capability('goog:loggingPrefs', {'browser': 'ALL'})
    driver = webdriver.Chrome(service=Service(DRIVER, log_path=os.devnull), options=options)
    yield driver
    driver.quit()


class Page:
    """A timeline, open in the browser, and what vcemu says of the same emulation."""

    def __init__(self, driver, folder, scenario, *options):
        result = subprocess.run([VCEMU, 'run', scenario, '--json', '--timeline', folder / 'page.html', *options],
                                capture_output=True, text=True, check=True)
        self.outcome = json.loads(result.stdout)
        self.driver = driver
        self.address = (folder / 'page.html').as_uri()

    def look_like(self, width, height, scheme):
        """Opens it anew, on such a screen."""
        self.driver.execute_cdp_cmd('Emulation.setDeviceMetricsOverride', {
            'width': width, 'height': height, 'deviceScaleFactor': 1, 'mobile': width < 600})
        self.driver.execute_cdp_cmd('Emulation.setEmulatedMedia', {
            'features': [{'name': 'prefers-color-scheme', 'value': scheme}]})
        self.driver.get('about:blank')
        self.driver.get(self.address)

    def run(self, script):
        """The value of an expression, once everything due is drawn."""
        return self.driver.execute_async_script(
            f'const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done({script})));')

    def complaints(self):
        return [entry['message'] for entry in self.driver.get_log('browser')]

    def labels(self):
        return self.run('rows.map((row) => `${row.label} ${row.detail ?? ""}`.trim())')

    def tip(self, label, part):
        """The text for a point in a row, some part of the way from left to right."""
        return self.run(f'''(() => {{
            const row = rows.find((row) => `${{row.label}} ${{row.detail ?? ""}}`.trim() === {json.dumps(label)});
            const box = chart.getBoundingClientRect();
            chart.dispatchEvent(new PointerEvent("pointermove", {{
                clientX: box.left + LEFT + {part} * (view.width - LEFT - RIGHT),
                clientY: box.top + row.top + row.height / 2}}));
            return document.getElementById("tip").textContent;
        }})()''')


@pytest.fixture(name='small_page', scope='module')
def page_of_few(chromium, tmp_path_factory):
    """Three projects; one has short deadlines and misses many."""
    return Page(chromium, tmp_path_factory.mktemp('small'), EXAMPLES / 'study/tight_and_loose.ini',
                '--profile', 'rpc2003', '--days', '3')


@pytest.fixture(name='wide_page', scope='module')
def page_of_many(chromium, tmp_path_factory):
    """Twenty projects on 64 CPUs, for 100 days."""
    folder = tmp_path_factory.mktemp('wide')
    scenario = (EXAMPLES / 'study/job_mix_of_20.ini').read_text(encoding='utf-8')
    assert '\ncpus = 2\n' in scenario
    (folder / 'wide.ini').write_text(scenario.replace('\ncpus = 2\n', '\ncpus = 64\n'), encoding='utf-8')
    return Page(chromium, folder, folder / 'wide.ini')


@pytest.fixture(name='small')
def open_small(small_page):
    small_page.look_like(1400, 900, 'light')
    return small_page


@pytest.fixture(name='wide')
def open_wide(wide_page):
    wide_page.look_like(1400, 900, 'light')
    return wide_page


@pytest.mark.parametrize('width, height, scheme', LOOKS)
@pytest.mark.parametrize('name', ['small', 'wide'])
def test_page_fits_in_every_look(name, width, height, scheme, request):
    page = request.getfixturevalue(name)
    page.look_like(width, height, scheme)
    page.run('0')
    assert page.complaints() == []
    assert page.run('document.documentElement.scrollWidth <= document.documentElement.clientWidth')
    light = page.run('theme.page') == '#ffffff'
    assert light == (scheme == 'light')


def test_what_was_emulated_is_said(small):
    assert small.run('document.getElementById("about").textContent') == (
        'profile rpc2003, seed 1, 3 d, the host on for 3 d')
    figures = small.run('Object.fromEntries([...document.querySelectorAll("#figures div")]'
                        '.map((group) => [group.children[0].textContent, group.children[1].textContent]))')
    assert float(figures['waste']) == pytest.approx(small.outcome['waste'], abs=0.00005)
    assert float(figures['share violation']) == pytest.approx(small.outcome['share_violation'], abs=0.00005)
    assert float(figures['monotony']) == pytest.approx(small.outcome['monotony'], abs=0.00005)
    assert figures['late'] == str(small.outcome['late'])


@pytest.mark.parametrize('name', ['small', 'wide'])
def test_shares_are_those_of_the_outcome(name, request):
    page = request.getfixturevalue(name)
    shares = page.run('sharesBetween(0, data.duration)')
    due = page.run('due')
    used = [project['flops_used'] for project in page.outcome['projects']]
    for share, own in zip(shares, used):
        assert share == pytest.approx(own / sum(used), abs=0.002)
    violation = sum(abs(share - part) for share, part in zip(shares, due)) / 2
    assert violation == pytest.approx(page.outcome['share_violation'], abs=0.005)


def test_shares_can_be_read(small):
    text = small.tip('shares so far', 0.9999)
    share = small.run('sharesBetween(0, data.duration)[0]')
    assert 'due 50.0 %' in text and f'P1: {100 * share:.1f} %' in text
    # In the first hours, only the first project has jobs.
    assert 'P1: 100.0 %' in small.tip('shares so far', 0.01)
    assert 'P2' in small.tip('shares of 6 h', 0.15)


def test_many_instances_are_shown_together_first(wide):
    assert 'CPU: all 64 in use' in wide.labels() and 'CPU 1' not in wide.labels()
    height = wide.run('view.height')
    assert '64.0 of 64 in use' in wide.tip('CPU: all 64 in use', 0.5)
    wide.run('document.getElementById("each").click()')
    assert sum(label.startswith('CPU ') and label[4:].isdigit() for label in wide.labels()) == 64
    assert wide.run('view.height') > height + 64 * 9
    wide.run('document.getElementById("each").click()')
    assert wide.run('view.height') == height


def test_few_instances_are_shown_one_by_one(small):
    assert 'CPU 1' in small.labels() and small.run('document.getElementById("each").hidden')


def signs(page):
    return page.run('[...document.querySelectorAll("#signs span")].map((sign) => sign.textContent)')


def test_legend_has_what_is_drawn(small_page, wide_page):
    small_page.look_like(1400, 900, 'light')
    always = {'share due', 'work at hand: how long all instances are busy', 'least buffer', 'whole buffer', 'a task',
              'deadline of the task under the pointer', 'call that asks for work', 'call that only reports'}
    late = {'deadline missed', 'task with a late result', 'after its deadline'}
    assert always | late <= set(signs(small_page))
    # The host is never off, each call is answered, and no buffer is far above its target.
    assert not {'host off', 'call without answer', 'cut off: more than fits here'} & set(signs(small_page))
    wide_page.look_like(1400, 900, 'light')
    assert always | {'host off', 'cut off: more than fits here'} <= set(signs(wide_page))


def test_what_is_cut_off_is_marked(wide):
    # Where the work at hand is beyond the scale, the uppermost pixels of its row have the colour of the legend.
    wide.run('show(0, 0.6 * DAY)')
    marked = wide.run('''(() => {
        const row = rows.find((row) => row.draw === drawBuffer);
        const pen = chart.getContext("2d");
        const at = (time) => Array.from(pen.getImageData(Math.round(xOf(time)), row.top, 1, 1).data);
        const forecasts = story.forecasts[0];
        const spans = forecasts.slice(0, -1).map(({time, saturated}, i) => ({
            middle: (time + forecasts[i + 1].time) / 2, wide: xOf(forecasts[i + 1].time) - xOf(time),
            isCut: saturated > cutAbove(row)}));
        const isShaded = (time) => [-2, 0, 2].some((pixels) => findOff(xOf(time) + pixels));
        const isSeen = ({middle, wide}) => wide > 6 && middle < view.to && !isShaded(middle);
        return spans.filter(isSeen).map(({middle, isCut}) => [isCut, at(middle).slice(0, 3)]);
    })()''')
    assert sum(is_cut for is_cut, _ in marked) > 3
    assert sum(not is_cut for is_cut, _ in marked) > 3
    assert [] == [(is_cut, colour) for is_cut, colour in marked if (colour == [200, 16, 46]) != is_cut]
