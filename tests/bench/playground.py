#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""How quick the playground is: in Chromium, driven by Selenium, from a file.

    playground.py PAGE

Prints how long it takes until the page can be used, on this processor and slowed to a quarter; to draw a plan of 1,000
tasks anew; and to emulate a host, a grid and a figure of the study.
"""

from __future__ import annotations

import pathlib
import shutil
import statistics
import sys
import time

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

READY = "return document.documentElement.dataset.ready === '' ? performance.now() : null"
SLIDE = """
const slider = document.querySelector('#buffer-min_buffer');
return arguments[0].map((value) => {
  slider.value = value;
  const began = performance.now();
  slider.dispatchEvent(new Event('input'));
  document.body.offsetHeight;  // laid out
  return performance.now() - began;
});"""
EMULATIONS = (("30 days of a host, 20 seeds", "emulate", "future-words"),
              ("two days of 10,000 hosts", "run-grid", "grid-words"),
              ("figure 1 of the study, 40 points, 5 seeds", "draw", "study-words"))


def started() -> webdriver.Chrome:
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    for switch in ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1280,900"):
        options.add_argument(switch)
    return webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)


def wait(driver: webdriver.Chrome, script: str):
    while True:
        found = driver.execute_script(script)
        if found:
            return found
        time.sleep(0.02)


def thousand_tasks() -> str:
    projects = "".join(f"[project p{index}]\nshare = {10 + index}\n" for index in range(20))
    tasks = "".join(f"[task t{index}]\nproject = p{index % 20}\nremaining = {3600 + 97 * index % 30000}\n"
                    f"deadline = {86400 * (1 + index % 14)}\n" for index in range(1000))
    return f"[host]\ncpus = 16\nflops = 4e9\nusable = 0.9\n{projects}{tasks}"


def main() -> None:
    address = pathlib.Path(sys.argv[1]).resolve().as_uri()
    for slowed in (1, 4):
        times = []
        for _ in range(5):
            driver = started()
            driver.execute_cdp_cmd("Emulation.setCPUThrottlingRate", {"rate": slowed})
            driver.get(address)
            times.append(wait(driver, READY))
            driver.quit()
        print(f"ready after, slowed {slowed} times: {statistics.median(times):.0f} ms in the middle of 5 starts")
    driver = started()
    driver.get(address)
    wait(driver, READY)
    for name, button, words in EMULATIONS:
        began = time.perf_counter()
        driver.execute_script("document.getElementById(arguments[0]).click()", button)
        wait(driver, f"return document.getElementById('{words}').textContent.includes('done')")
        print(f"{name}: {time.perf_counter() - began:.2f} s")
    driver.execute_script("const at = document.querySelector('#text'); at.value = arguments[0];"
                          "at.dispatchEvent(new Event('input'))", thousand_tasks())
    wait(driver, "return document.querySelector('#summary').textContent.includes('of 1000')")
    times = driver.execute_script(SLIDE, [step / 20 for step in range(1, 81)])[40:]
    print(f"a plan of 1,000 tasks drawn anew: {statistics.median(times):.1f} ms, at most {max(times):.1f}")
    driver.quit()


main()
