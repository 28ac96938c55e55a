#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws charts of a page of `vcemu grid --report` as one SVG file, in its light colours.

    vcemu grid examples/scenarios/grids/saboteurs.ini --seeds 10 --report page.html
    python3 examples/scenarios/grids/picture.py page.html "Units done per day" Turnaround > picture.svg

Needs Chromium and Selenium: the page draws itself in the browser, and the charts of this name are taken from there.
"""

import pathlib
import shutil
import sys
import tempfile
import xml.etree.ElementTree as ET

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

SVG = 'http://www.w3.org/2000/svg'
COLUMN_WIDTH, GAP, TOP = 420, 16, 44

# The charts as they are drawn, with the styles that the page gives them written into each element.
TAKE = '''
const wanted = arguments[0];
return wanted.map((title) => {
  const card = [...document.querySelectorAll(".card")].find((one) => one.querySelector("h3").textContent === title);
  const svg = card?.querySelector(".plot svg");
  if (!svg) {
    return null;
  }
  const copy = svg.cloneNode(true);
  const originals = [...svg.querySelectorAll("*")];
  [...copy.querySelectorAll("*")].forEach((element, i) => {
    const style = getComputedStyle(originals[i]);
    for (const name of ["fill", "stroke"]) {
      element.setAttribute(name, style[name]);
    }
    element.removeAttribute("class");
  });
  copy.querySelectorAll("[opacity='0']").forEach((element) => element.remove());
  const names = [...card.querySelectorAll(".legend span")].map((span) => {
    const line = span.querySelector("line");
    return [span.textContent, getComputedStyle(line).stroke, line.getAttribute("stroke-dasharray")];
  });
  return {title, names, width: svg.clientWidth, height: svg.clientHeight, drawn: copy.innerHTML};
});
'''


def charts_of(page, titles):
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which('chromium')
    with tempfile.TemporaryDirectory() as folder:
        for switch in ('--headless=new', '--no-sandbox', '--disable-gpu', f'--user-data-dir={folder}'):
            options.add_argument(switch)
        browser = webdriver.Chrome(service=Service(shutil.which('chromedriver')), options=options)
        try:
            browser.execute_cdp_cmd('Emulation.setDeviceMetricsOverride', {
                'width': COLUMN_WIDTH + 54, 'height': 900, 'deviceScaleFactor': 1, 'mobile': False})
            browser.execute_cdp_cmd('Emulation.setEmulatedMedia', {
                'features': [{'name': 'prefers-color-scheme', 'value': 'light'}]})
            browser.get(pathlib.Path(page).resolve().as_uri())
            browser.set_script_timeout(60)
            browser.execute_async_script('requestAnimationFrame(() => requestAnimationFrame(arguments[0]))')
            return browser.execute_script(TAKE, titles)
        finally:
            browser.quit()


def legend_of(chart):
    left = 0
    for name, stroke, dashes in chart['names']:
        yield f'<line x1="{left}" x2="{left + 26}" y1="34" y2="34" stroke="{stroke}" stroke-width="1.8" ' \
              f'stroke-dasharray="{dashes}"/>'
        text = ET.Element('text', {'x': str(left + 31), 'y': '38'})
        text.text = name
        yield ET.tostring(text, encoding='unicode')
        left += 50 + 7 * len(name)


def draw(charts):
    rows = (len(charts) + 1) // 2
    height = max(chart['height'] for chart in charts) + TOP + GAP
    columns = min(len(charts), 2)
    width = columns * (COLUMN_WIDTH + GAP) + GAP
    yield (f'<svg xmlns="{SVG}" viewBox="0 0 {width} {rows * height + GAP}" font-family="sans-serif" '
           'font-size="11.5" fill="#1b1b1b">')
    yield f'<rect width="{width}" height="{rows * height + GAP}" fill="#ffffff"/>'
    for i, chart in enumerate(charts):
        left, top = GAP + i % 2 * (COLUMN_WIDTH + GAP), GAP + i // 2 * height
        yield f'<g transform="translate({left} {top})">'
        yield f'<text y="14" font-size="14" font-weight="bold">{chart["title"]}</text>'
        yield from legend_of(chart)
        yield f'<g transform="translate(0 {TOP})">'
        yield chart['drawn'].replace('><', '>\n<')
        yield '</g>'
        yield '</g>'
    yield '</svg>'


def main():
    page, *titles = sys.argv[1:]
    charts = charts_of(page, titles)
    missing = [title for title, chart in zip(titles, charts) if chart is None]
    if missing or not titles:
        raise SystemExit(f'the page has no chart of this name: {", ".join(missing)}')
    print('\n'.join(line.rstrip() for line in draw(charts)))


main()
