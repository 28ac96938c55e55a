# SPDX-License-Identifier: MIT
"""The page of `vcemu grid --report` in a browser: Chromium, driven by Selenium. Skipped where they are not installed.

The environment variable VCEMU is the path of the program.
"""

import json
import re
import subprocess
import sys

import pytest

from browser import console
from vcemu_examples import ROOT, output_of

pytest.importorskip('selenium.webdriver', reason='python3-selenium is not installed')
from selenium.webdriver.common.by import By  # noqa: E402  pylint: disable=wrong-import-position


CHARTS = ['Units done per day', 'Turnaround', 'Copies on hosts', 'Wrong results accepted', 'Idleness', 'Waste',
          'Share violation']


@pytest.fixture(name='written', scope='module')
def written_page(tmp_path_factory):
    """The page, and the figures as JSON."""
    path = tmp_path_factory.mktemp('page') / 'page.html'
    answer = output_of('grid', 'examples/scenarios/grids/saboteurs.ini', '--seeds', 3, '--json', '--report', path)
    return path, json.loads(answer)


def show(driver, path, width=1240, scheme='light'):
    driver.execute_cdp_cmd('Emulation.setDeviceMetricsOverride', {
        'width': width, 'height': 900, 'deviceScaleFactor': 1, 'mobile': width < 640})
    driver.execute_cdp_cmd('Emulation.setEmulatedMedia', {
        'features': [{'name': 'prefers-color-scheme', 'value': scheme}]})
    driver.get(path.as_uri())
    # Charts are drawn when it is known how wide they are, which is before the second frame.
    driver.set_script_timeout(600)
    driver.execute_async_script('requestAnimationFrame(() => requestAnimationFrame(arguments[0]))')


def card_of(driver, title):
    for card in driver.find_elements(By.CSS_SELECTOR, '.card'):
        if card.find_element(By.TAG_NAME, 'h3').text == title:
            return card
    raise AssertionError(f'no card is called {title}')


@pytest.mark.parametrize('width, scheme', [(1240, 'light'), (1240, 'dark'), (720, 'light'), (360, 'dark')])
def test_all_of_it_is_drawn_and_fits(chromium, written, width, scheme):
    show(chromium, written[0], width, scheme)
    assert console(chromium) == []
    assert chromium.execute_script('return document.documentElement.scrollWidth') <= width
    for title in CHARTS:
        lines = card_of(chromium, title).find_elements(By.CSS_SELECTOR, '.plot path[stroke]')
        assert len(lines) == (1 if title in CHARTS[4:] else 2)
        for line in lines:
            assert re.fullmatch(r'M[-\d. LHV]+', line.get_attribute('d')) and len(line.get_attribute('d')) > 60
    outside = chromium.execute_script('''
        return [...document.querySelectorAll(".plot svg *")].filter((element) => {
          const box = element.getBoundingClientRect(), svg = element.ownerSVGElement.getBoundingClientRect();
          return box.left < svg.left - 2 || box.right > svg.right + 2 || box.top < svg.top - 2
            || box.bottom > svg.bottom + 2;
        }).map((element) => element.outerHTML)''')
    assert outside == []


@pytest.mark.parametrize('width', [800, 1300, 1920])
def test_no_row_of_cards_has_a_gap_at_its_end(chromium, written, width):
    show(chromium, written[0], width)
    ends = chromium.execute_script('''
        return [...document.querySelectorAll(".cards")].flatMap((cards) => {
          const rows = new Map();
          for (const card of cards.children) {
            const box = card.getBoundingClientRect();
            rows.set(Math.round(box.top), Math.max(rows.get(Math.round(box.top)) ?? 0, box.right));
          }
          return [...rows.values()].map((right) => cards.getBoundingClientRect().right - right);
        })''')
    over_time = len({card_of(chromium, title).location['y'] for title in CHARTS[:4]})
    assert over_time == (4 if width < 1000 else 2), 'four charts stand two by two, or one below the other'
    assert all(end < 2 for end in ends), ends


def test_text_can_be_read_in_both_schemes(chromium, written):
    def luminance(colour):
        parts = [int(part) / 255 for part in re.findall(r'\d+', colour)[:3]]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    grounds = []
    for scheme in ('light', 'dark'):
        show(chromium, written[0], scheme=scheme)
        colours = chromium.execute_script('''
            const style = (selector) => getComputedStyle(document.querySelector(selector));
            return [style(".card").backgroundColor, style("td").color, style(".card p").color, style(".default").color,
              style("svg .tick").fill, ...[...document.querySelectorAll(".plot path[stroke]")]
                .map((line) => getComputedStyle(line).stroke)]''')
        ground, *inks = [luminance(colour) for colour in colours]
        grounds.append(ground)
        for number, ink in enumerate(inks):
            contrast = (max(ground, ink) + 0.05) / (min(ground, ink) + 0.05)
            assert contrast >= (4.5 if number < 4 else 3), (scheme, colours[number + 1])
    assert grounds[0] > 0.9 and grounds[1] < 0.1


def test_figures_are_those_of_the_emulation(chromium, written):
    path, answer = written
    show(chromium, path)
    rows = {}
    for row in card_of(chromium, 'Figures').find_elements(By.CSS_SELECTOR, 'tbody tr'):
        label, *cells = [cell.text for cell in row.find_elements(By.TAG_NAME, 'td')]
        rows[label] = [cell.split(' \u00b1 ') for cell in cells]
    for i, project in enumerate(answer['projects']):
        done = rows['done per day'][i]
        assert float(done[0].replace(',', '')) == pytest.approx(project['throughput'], rel=1e-3)
        assert float(done[1].replace(',', '')) == pytest.approx(project['standard_error']['throughput'], rel=0.1)
        assert float(rows['copies per unit'][i][0]) == pytest.approx(project['copies_per_unit'], rel=1e-3)
    assert rows['turnaround, mean'][0][0].startswith(f'{int(answer["projects"][0]["turnaround"]["mean"] // 86400)} d')
    for granted, project in zip(rows['credit'], answer['projects']):
        number, unit = granted[0].split(' ', 1)
        assert (float(number.replace(',', '')), unit) == (
            pytest.approx(project['credit'] * 200 / 86400e9, rel=1e-3), 'cobblestones')
    assert '3 seeds, 1 to 3' in chromium.find_element(By.ID, 'about').text


def test_operations_have_the_lengths_of_their_parts(chromium, written):
    path, answer = written
    show(chromium, path)
    bars = chromium.find_elements(By.CSS_SELECTOR, '.bar')
    assert len(bars) == 2
    for bar, project in zip(bars, answer['projects']):
        parts = bar.find_elements(By.XPATH, './div')
        widths = [chromium.execute_script('return arguments[0].getBoundingClientRect().width', part) for part in parts]
        assert [width / sum(widths) for width in widths] \
            == pytest.approx(list(project['flops_fraction'].values()), abs=0.005)


def test_pointing_at_a_chart_says_its_values(chromium, written):
    show(chromium, written[0])
    chromium.execute_script('''
        const plot = arguments[0].querySelector(".plot"), box = plot.getBoundingClientRect();
        plot.dispatchEvent(new PointerEvent("pointermove", {clientX: box.left + box.width / 2, clientY: box.top + 50}));
    ''', card_of(chromium, 'Wrong results accepted'))
    tip = chromium.find_element(By.ID, 'tip')
    assert tip.is_displayed()
    title, *lines = tip.text.splitlines()
    assert re.fullmatch(r'after \d+ d( \d+ h)?', title)
    assert lines[0::2] == ['votes', 'checks'] and lines[3] == '0' and float(lines[1].split(' \u00b1 ')[0]) > 0


def test_charts_can_be_taken_as_a_picture(written):
    result = subprocess.run([sys.executable, 'examples/scenarios/grids/picture.py', written[0], *CHARTS[:2]], cwd=ROOT,
                            check=False, capture_output=True, encoding='utf-8')
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith('<svg xmlns=') and result.stdout.count('<path ') == 8
    assert 'var(' not in result.stdout and 'votes' in result.stdout


def test_durations_are_rounded_as_the_tool_does(chromium, written):
    show(chromium, written[0])
    assert chromium.execute_script('return [59.94, 7164, 7199, 86399, 185400].map(spanText)') \
        == ['59.9 s', '1 h 59 min', '2 h', '1 d', '2 d 4 h']
