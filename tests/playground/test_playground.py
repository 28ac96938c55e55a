# SPDX-License-Identifier: MIT
"""The playground decides as the tool does, keeps its state in a link, and can be used by everybody."""

import csv
import io
import os
import pathlib
import re
import statistics
import subprocess
import time

import pytest

from conftest import ROOT, vcemu

SCENARIOS = ROOT / "examples/scenarios"
SMALL = SCENARIOS / "small_state.ini"
EXAMPLES = 10


def test_it_is_small_and_silent(page):
    assert pathlib.Path(os.environ["PLAYGROUND"]).stat().st_size < 700_000
    assert "3 tasks of 8 run from now on" in page.text("#summary")
    assert page.text("#failure") == ""


@pytest.mark.parametrize("example", range(EXAMPLES))
def test_every_example_is_planned_as_by_the_tool(page, tmp_path, example):
    page.set("#examples", str(example))
    page.set("#policy-b", "")
    (tmp_path / "state.ini").write_text(page.value("#text"), encoding="utf-8")
    by_tool = vcemu("plan", tmp_path / "state.ini")
    rest = "[...document.querySelectorAll('#plan button')].find((at) => at.textContent.startsWith('Show all'))"
    while page.run(f"{rest} !== undefined"):
        page.run(f"{rest}.click()")
    assert page.text("#about") != "" and page.text("#failure") == ""
    assert {row[0]: row[-1] for row in page.rows("#tasks")} == {
        task["name"]: ("runs: " if task["run"] else "") + task["reason"].replace("_", " ") for task in by_tool["tasks"]}
    assert {(row[0], row[2]): row[-1].split(",")[0] for row in page.rows("#projects")} == {
        (project["name"], resource["name"]): resource["reason"].replace("_", " ")
        for project in by_tool["projects"] for resource in project["resources"]}


def test_what_is_too_close_is_not_called_late(page):
    """In its turn, impact_77 ends an hour before its deadline: the policy keeps more. Editing leaves the example."""
    page.set("#examples", "0")
    done = {row[0]: row[4] for row in page.rows("#tasks")}
    assert done["impact_77"].endswith("(too close)") and done["skymap_2031_b"].endswith("(late)")
    page.choose("impact_77")
    assert "what would save itnothing needed" in page.text("#explanation")
    assert page.run("document.querySelector('#examples').selectedIndex") == 0
    page.type_host(SMALL.read_text(encoding="utf-8").replace("impact_77", "impact_78"))
    assert page.run("document.querySelector('#examples').selectedIndex") == -1


def test_what_is_given_up_is_said_to_be(page):
    """The table, the plan, the picture and the explanation say so in the same words as the tool."""
    page.set("#examples", "0")
    page.set("#policy-a", "steady")
    assert {row[0]: row[4] for row in page.rows("#tasks")}["impact_77"] == "given up"
    assert "In their turn none would be late. 1 task given up." in page.text("#summary")
    page.until("document.querySelector('.course').textContent.endsWith(', none late, 1 task given up.')")
    page.choose("impact_77")
    assert "done in its turngiven up" in page.text("#explanation")


def test_the_plan_counts_with_the_words_of_the_table(page):
    page.set("#examples", "0")
    page.set("#policy-a", "")
    assert "In their turn 1 would be late, 1 too close to its deadline." in page.text("#summary")
    # The more time is kept before deadlines, the more tasks are too close to theirs: here it is 26 hours.
    page.run("document.querySelector('#parameters').open = true")
    page.set("#find", "deadline_cushion")
    page.until("document.querySelector('#set-0-deadline_cushion') !== null")
    page.set("#set-0-deadline_cushion", "93600")
    marks = [row[4].partition("(")[2] for row in page.rows("#tasks")]
    close = marks.count("too close)")
    assert close > 1 and marks.count("late)") == 1
    assert f"In their turn 1 would be late, {close} too close to their deadline." in page.text("#summary")
    page.until("document.querySelector('.course').textContent.endsWith(', none late.')")


def test_the_next_days_are_those_of_the_tool(page):
    page.type_host((SCENARIOS / "unreliable.ini").read_text(encoding="utf-8"))
    page.until("document.querySelector('#days').value === '10'")  # as the file says
    page.set("#seeds", "1")
    page.click("#emulate")
    page.until("!document.querySelector('#future-result').hidden")
    by_tool = vcemu("run", SCENARIOS / "unreliable.ini", "--seed", 1)
    merits = {row[0]: float(row[2].replace("%", "")) for row in page.rows("#merits")}
    assert merits["waste"] == round(100 * by_tool["waste"], 2)
    assert merits["monotony"] == round(by_tool["monotony"], 3)
    assert merits["jobs reported in time"] == by_tool["in_time"]
    assert {row[0]: int(row[3]) for row in page.rows("#by-project")} == {
        project["name"]: project["in_time"] for project in by_tool["projects"]}


def test_seeds_have_error_bars_and_can_be_stopped(page, tmp_path):
    """Half of the 95 % confidence interval, by Student's t of 3 degrees of freedom."""
    page.set("#examples", "3")
    page.set("#days", "5")
    page.set("#seeds", "4")
    page.click("#emulate")
    page.until("document.querySelector('#future-words').textContent === '5 days, 4 seeds: done.'")
    rows = {row[0]: row for row in page.rows("#merits")}
    (tmp_path / "state.ini").write_text(page.value("#text"), encoding="utf-8")
    monotonies = [vcemu("run", tmp_path / "state.ini", "--days", 5, "--seed", seed)["monotony"]
                  for seed in range(1, 5)]
    mean, half = statistics.mean(monotonies), 3.182 * statistics.stdev(monotonies) / 2
    assert rows["monotony"][2] == f"{mean:.3f} ± {half:.3f} " and half > 0.005
    assert rows["jobs reported in time"][1] == "↑ higher"
    page.set("#days", "1000")
    page.set("#seeds", "200")
    page.click("#emulate")
    page.click("#stop-future")
    page.until("document.querySelector('#future-words').textContent === 'Stopped.'")
    assert page.run("document.querySelector('#future-progress').hidden")


def test_what_was_found_before_a_stop_is_kept(page):
    """Each seed is added as it comes, and the wait is estimated."""
    page.set("#examples", "3")
    page.set("#days", "30")
    page.set("#seeds", "200")
    page.click("#emulate")
    page.until("document.querySelector('#future-left').textContent.match(/^about .* left$/)")
    page.click("#stop-future")
    page.until("document.querySelector('#future-words').textContent.match(/^Stopped after \\d+ of 200 seeds[.]$/)")
    assert page.text("#future-left") == ""
    assert " ± " in {row[0]: row for row in page.rows("#merits")}["monotony"][2]


@pytest.mark.parametrize("figure", "123456")
def test_figures_of_the_study_are_those_of_its_program(page, figure):
    page.set("#figures", figure)
    page.set("#study-seeds", "1")
    page.click("#draw")
    page.until("document.querySelector('#study-words').textContent.includes('done')")
    drawn = page.run("[...document.querySelectorAll('#study-charts figure')].map((at) =>"
                     " [...at.querySelectorAll('title')].map((title) => title.textContent))")
    answer = subprocess.run([os.environ["STUDY"], "-s", "1", figure], check=True, capture_output=True, text=True)
    wanted = sorted(float(row["waste"]) for row in csv.DictReader(io.StringIO(answer.stdout)))
    shown = sorted(float(title.rsplit(": ", 1)[1].replace("m", "e-3")) for title in drawn[0])
    assert len(shown) == len(wanted)
    assert shown == pytest.approx(wanted, rel=0.006, abs=0.00006)


def test_a_grid_of_ten_thousand_hosts(page):
    page.click("#run-grid")
    page.until("document.querySelector('#grid-words').textContent.includes('done')")
    assert "10,000 hosts" in page.text("#grid-words")
    [row] = page.rows("#grid-outcome")
    assert row[0] == "batch" and row[1] == "12,000"


def test_whatever_is_changed_is_seen_at_once_and_is_in_the_link(page, opened):
    page.choose("Škoda")
    page.set("#edit-share", "10")
    assert re.search(r"\[project Škoda\]\nshare = 10\n", page.value("#text"))
    assert {row[1] for row in page.rows("#projects") if row[0] == "Škoda"} == {"9.1 %"}
    page.choose("impact_77")
    page.set("#edit-suspended", None)
    page.set("#edit-due-in-hours", "1000")
    assert "deadline = 3600000" in page.value("#text")
    assert next(row[-1] for row in page.rows("#tasks") if row[0] == "impact_77") == "task suspended"
    page.set("#policy-b", "steady")
    page.run("document.querySelector('#parameters').open = true")
    page.set("#find", "min_buffer")
    page.until("document.querySelector('#set-1-min_buffer') !== null")
    page.set("#set-1-min_buffer", "100")
    assert "steady with 1 change" in page.text("#summary")
    page.until("location.hash.length > 1")
    text = page.value("#text")
    page.driver.execute_async_script("setTimeout(arguments[0], 500)")  # the link follows with a pause
    again = opened(page.run("location.hash"))
    assert again.value("#text") == text
    assert again.value("#policy-b") == "steady" and "steady with 1 change" in again.text("#summary")
    assert again.text("#explanation h3") == "Task impact_77"


def test_a_fault_in_the_text_is_named_and_changes_nothing(page):
    before = page.rows("#tasks")
    page.type_host(SMALL.read_text(encoding="utf-8").replace("cpus = 2", "cpus = many"))
    assert re.search(r"line:6: \[host\] cpus", page.text("#failure"))
    assert page.rows("#tasks") == before
    page.type_host(SMALL.read_text(encoding="utf-8"))
    assert page.text("#failure") == "" and page.rows("#tasks") == before


def test_a_broken_link_is_told(opened):
    page = opened("#no-link")
    assert "The link is not whole" in page.text("#failure")
    assert "3 tasks of 8" in page.text("#summary")


def test_files_of_a_client_are_imported(page, tmp_path):
    page.one("#file").send_keys(str(SCENARIOS / "client_state.xml"))
    page.until("document.querySelector('#summary').textContent.includes('of 53')")
    settings = tmp_path / "cc_config.xml"
    settings.write_text("<cc_config>\n<options>\n<ncpus>4</ncpus>\n</options>\n</cc_config>\n", encoding="utf-8")
    page.one("#file").send_keys(f"{SCENARIOS / 'client_state.xml'}\n{settings}")
    page.until("document.querySelector('#text').value.includes('cpus = 4')")
    broken = tmp_path / "client_state.xml"
    broken.write_text("<client_state>\n<host_info>\n", encoding="utf-8")
    page.one("#file").send_keys(str(broken))
    page.until("document.querySelector('#failure').textContent !== ''")
    assert "client_state.xml" in page.text("#failure")
    assert "of 53" in page.text("#summary")


def test_short_buffers_are_shown(page):
    """Whatever its length, a time has a unit, and stands beside its slider."""
    page.set("#examples", "9")
    assert [page.value(f"#buffers p:nth-child({at}) output") for at in (1, 2)] == ["4 s", "6 s"]
    page.set("#buffer-min_buffer", "0.5")
    assert page.value("#buffers output") == "12 h"
    page.look_like(360, 740, "light")
    assert page.run("[...document.querySelectorAll('.slider')].every(({ children: [slider, value] }) =>"
                    " value.getBoundingClientRect().top < slider.getBoundingClientRect().bottom)")


def test_a_task_that_waits_for_a_limit_shows_it(page):
    page.set("#examples", "0")
    page.choose("skymap_2031_a")
    assert "limit of tasks at once1 of its application" in page.text("#explanation")
    page.choose("fold_αβ_000173")
    assert "limit of tasks at once1 of its project" in page.text("#explanation")
    page.choose("gpu_lens_5")
    assert "limit of tasks at once" not in page.text("#explanation")


@pytest.mark.parametrize("names, text, said", [
    (["notes.txt"], "Milk, bread\n", "notes.txt is neither a file of a BOINC client nor a state file without faults: "
                                     "line 1: a line is a "),
    (["global_prefs_override.xml", "cc_config.xml"], "<a>\n</a>\n", "global_prefs_override.xml and cc_config.xml can "
     "only be read together with client_state.xml: choose or drop all of them at once."),
    (["picture.xml"], "<svg>\n</svg>\n", "picture.xml:1:1: begins with <svg>, so it is not a BOINC client state"),
    (["one.xml", "other.xml"], "<client_state>\n</client_state>\n", "one.xml and other.xml: only one of them can be"),
])
def test_a_file_that_cannot_be_used_is_named_and_changes_nothing(page, tmp_path, names, text, said):
    before, about = page.value("#text"), page.text("#about")
    for name in names:
        (tmp_path / name).write_text(text, encoding="utf-8")
    page.one("#file").send_keys("\n".join(str(tmp_path / name) for name in names))
    page.until("document.querySelector('#failure').textContent !== ''")
    assert page.text("#failure").startswith(said)
    assert page.value("#text") == before and page.text("#about") == about != ""


@pytest.mark.parametrize("field, value, button, words, said", [
    ("#seeds", "0", "#emulate", "#future-words", "Not emulated: seeds must be a whole number from 1 to 200."),
    ("#days", "", "#emulate", "#future-words", "Not emulated: days must be a whole number from 1 to 1000."),
    ("#study-seeds", "1.5", "#draw", "#study-words", "Not emulated: seeds must be a whole number from 1 to 50."),
])
def test_a_number_that_cannot_be_used_is_refused(page, field, value, button, words, said):
    page.set(field, value)
    page.click(button)
    assert page.text(words) == said and page.run("`#${document.activeElement.id}`") == field


def test_it_is_used_with_the_keyboard(page):
    body = page.one("body")
    body.send_keys(page.keys.TAB)
    assert page.run("document.activeElement.textContent") == "Skip to the plan"
    page.driver.switch_to.active_element.send_keys(page.keys.ENTER)
    assert page.run("document.activeElement.id") == "plan"
    for _ in range(8):
        page.driver.switch_to.active_element.send_keys(page.keys.TAB)
        if page.run("document.activeElement.classList.contains('link')"):
            break
    name = page.run("document.activeElement.textContent")
    page.driver.switch_to.active_element.send_keys(page.keys.ENTER)
    assert page.text("#explanation h3") == f"Task {name}"


IN_VIEW = ("((box) => box.top >= 0 && box.bottom <= innerHeight)(document.querySelector(arguments[0])"
           ".getBoundingClientRect())")


def bring_up(page, selector):
    """To the bottom of the window, as somebody who scrolls down to it."""
    page.driver.execute_script("document.querySelector(arguments[0]).scrollIntoView({block: 'end',"
                               " behavior: 'instant'})", selector)


def test_what_is_chosen_is_explained_in_view(page):
    """On a phone the explanation is far from the tables: view and keyboard go there, and back."""
    page.look_like(360, 740, "light")
    page.set("#examples", "1")
    bring_up(page, "#choose-resource-0-0")
    assert not page.run(IN_VIEW, "#explanation")
    page.one("#choose-resource-0-0").send_keys(page.keys.ENTER)
    while not page.run(IN_VIEW, "#explanation h3"):
        time.sleep(0.02)
    assert page.run("document.activeElement.textContent") == "Processor CPU"
    page.one("#explanation .back button").send_keys(page.keys.ENTER)
    assert page.run("document.activeElement.id") == "choose-resource-0-0"
    while not page.run(IN_VIEW, "#choose-resource-0-0"):
        time.sleep(0.02)


def test_nothing_moves_if_the_explanation_is_in_view(page):
    page.look_like(1280, 900, "light")
    page.set("#examples", "0")
    bring_up(page, "#choose-project-0-0")
    assert page.run(IN_VIEW, "#explanation")
    page.driver.execute_script("document.querySelector('#choose-task-1-0').focus({preventScroll: true})")
    before = page.run("scrollY")
    page.press(page.keys.ENTER)
    assert page.text("#explanation h3") == "Task skymap_2031_b"
    assert page.run("document.activeElement.id") == "choose-task-1-0" and page.run("scrollY") == before


def test_fingers_and_keys_move_and_zoom_the_timeline(page):
    page.set("#examples", "3")
    page.set("#days", "10")
    page.set("#seeds", "1")
    page.click("#emulate")
    page.until("!document.querySelector('#future-result').hidden")
    drawn = "document.querySelector('#timelines canvas').toDataURL()"
    whole = page.run(drawn)
    canvas = page.one("#timelines canvas")
    page.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", canvas)
    box = page.run("arguments[0].getBoundingClientRect()", canvas)

    def touch(kind, *xs):
        page.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [
            {"x": x, "y": box["y"] + 40, "id": number} for number, x in enumerate(xs)]})

    touch("touchStart", box["x"] + 300, box["x"] + 400)
    for apart in range(10, 200, 20):
        touch("touchMove", box["x"] + 300 - apart, box["x"] + 400 + apart)
    touch("touchEnd")
    closer = page.run(drawn)
    assert closer != whole
    touch("touchStart", box["x"] + 500)
    for moved in range(10, 200, 20):
        touch("touchMove", box["x"] + 500 - moved)
    touch("touchEnd")
    assert page.run(drawn) not in (whole, closer)
    canvas.send_keys("0")
    assert page.run(drawn) == whole
    canvas.send_keys("+")
    assert page.run(drawn) != whole


def test_it_fits_a_phone(page):
    page.look_like(360, 740, "light")
    page.set("#examples", "1")
    page.set("#policy-b", "steady")
    page.choose("Tidewatch")
    page.until("document.querySelector('.course').textContent !== ''")
    assert page.run("document.documentElement.scrollWidth") == 360


def test_tables_fit_where_two_policies_are_compared(page):
    """Both columns of what runs now are seen, and what is short stays on one line; on a phone names may break."""
    page.set("#examples", "0")
    page.set("#policy-b", "steady")
    page.choose("impact_77")
    page.look_like(1280, 900, "light")
    assert page.run("[...document.querySelectorAll('#tables .scroll')].every((at) =>"
                    " at.scrollWidth === at.clientWidth)")
    whole = "[...document.querySelectorAll(arguments[0])].every((at) => at.getClientRects().length === 1 &&" \
        " getComputedStyle(at).whiteSpace === 'nowrap')"
    assert page.run(whole, "#tasks .uses, #tasks td .whole, #projects td:nth-child(2)")
    page.look_like(360, 740, "light")
    assert page.run("document.querySelector('#tasks tbody th').offsetWidth") < 120


def test_no_deadline_is_called_so(page):
    page.set("#examples", "0")
    assert {row[0]: row[3] for row in page.rows("#tasks")}["sieve_12"] == "none"
    page.choose("impact_77")
    page.set("#edit-due-in-hours", "0")
    assert "deadline = never" in page.value("#text")
    assert "deadlinenone" in page.text("#explanation")


@pytest.mark.parametrize("scheme, width", [("light", 1280), ("dark", 1280), ("light", 360)])
def test_everybody_can_read_it(page, axe, scheme, width):
    page.look_like(width, 900, scheme)
    page.set("#policy-b", "steady")
    page.run("document.querySelectorAll('details').forEach((at) => { at.open = true; })")
    page.choose("impact_77")
    page.set("#seeds", "2")
    page.set("#study-seeds", "1")
    page.click("#emulate")
    page.click("#draw")
    page.until("!document.querySelector('#future-result').hidden")
    page.until("document.querySelector('#study-words').textContent.includes('done')")
    page.driver.execute_script(axe)
    found = page.driver.execute_async_script("axe.run().then(arguments[0])")
    assert [(fault["id"], [node["target"] for node in fault["nodes"]]) for fault in found["violations"]] == []


@pytest.fixture(name="axe", scope="session")
def accessibility_checks(tmp_path_factory):
    """axe-core, from the registry of npm; without it these tests are skipped."""
    folder = tmp_path_factory.mktemp("axe")
    try:
        subprocess.run(["npm", "install", "--no-save", "--no-audit", "--no-fund", "axe-core@4"], cwd=folder, check=True,
                       capture_output=True, timeout=60)
    except (OSError, subprocess.SubprocessError):
        pytest.skip("npm, or axe-core, cannot be had")
    return (folder / "node_modules/axe-core/axe.min.js").read_text(encoding="utf-8")
