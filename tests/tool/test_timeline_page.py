# SPDX-License-Identifier: MIT
"""The timeline in a browser: Chromium, driven by Selenium. Skipped where they are not installed.

The environment variable VCEMU is the path of the tool.
"""

import json
import os
import pathlib
import re
import subprocess

import pytest
from browser import console

pytest.importorskip('selenium.webdriver', reason='python3-selenium is not installed')

VCEMU = os.path.abspath(os.environ['VCEMU'])
EXAMPLES = pathlib.Path(__file__).parents[2] / 'examples'

LOOKS = [(1400, 900, 'light'), (1400, 900, 'dark'), (390, 844, 'light'), (390, 844, 'dark')]


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
        return console(self.driver)

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


def test_figures_say_which_way_is_good(small):
    ways = small.run('Object.fromEntries([...document.querySelectorAll("#figures div")]'
                     '.map((group) => [group.children[0].textContent, [group.children[2].textContent, group.title]]))')
    assert ways.pop('in time') == ['\u2191', 'higher is better']
    assert set(map(tuple, ways.values())) == {('\u2193', 'lower is better')} and 'monotony' in ways


def test_work_is_told_as_credit(small):
    legend = small.run('[...document.querySelectorAll("#legend small")].map((part) => part.textContent)')
    for told, project in zip(legend, small.outcome['projects']):
        number = float(told.split(', ')[-1].removesuffix(' credits').replace(',', ''))
        assert number == pytest.approx(project['flops_used'] * 200 / 86400e9, rel=0.01)
    first = '[...story.tasks.values()].find((task) => task.operations > 0)'
    size = small.run(f'{first}.operations') * 200 / 86400e9
    assert f'size: {float(f"{size:.3g}"):g} credits' in small.run(f'aboutTask({first}, []).lines')


@pytest.fixture(name='brief')
def open_brief(chromium, tmp_path):
    """A host with three hours of work, which nobody adds to, for a hundred days."""
    (tmp_path / 'brief.ini').write_text(
        '[host]\ncpus = 1\nflops = 1e9\n[project p]\nno_new_work = yes\n'
        '[task t]\nproject = p\nremaining = 10800\ndeadline = 86400\n', encoding='ascii')
    page = Page(chromium, tmp_path, tmp_path / 'brief.ini')
    page.look_like(1400, 900, 'light')
    return page


def test_chart_ends_where_the_work_ends(brief, small):
    # small is open now: its work lasts to the end.
    assert small.run('view.to === data.duration')
    brief.look_like(1400, 900, 'light')
    # Its result is reported within a day.
    assert 10800 < brief.run('[...story.tasks.values()][0].reported') < brief.run('view.to') < 86400
    assert brief.run('document.getElementById("about").textContent').endswith('; the work ends on day 0')
    brief.run('document.getElementById("all").click()')
    assert brief.run('view.to') == 8640000


@pytest.mark.parametrize('width, height', [(360, 800), (1280, 1000), (2560, 1400)])
def test_few_rows_fill_the_window(small, width, height):
    small.look_like(width, height, 'light')
    end = small.run('chart.getBoundingClientRect().bottom')
    assert end > 0.7 * height


def touch(driver, kind, *places):
    driver.execute_cdp_cmd('Input.dispatchTouchEvent', {
        'type': kind, 'touchPoints': [{'x': x, 'y': y, 'id': number} for number, (x, y) in enumerate(places)]})


def test_fingers_zoom_and_move(small):
    small.look_like(390, 844, 'light')
    small.driver.execute_cdp_cmd('Emulation.setTouchEmulationEnabled', {'enabled': True, 'maxTouchPoints': 2})
    try:
        y = small.run('chart.getBoundingClientRect().top') + 60
        x = small.run('(LEFT + view.width - RIGHT) / 2')
        middle, span = small.run('timeOf((LEFT + view.width - RIGHT) / 2)'), small.run('view.to - view.from')
        touch(small.driver, 'touchStart', (x - 20, y), (x + 20, y))
        touch(small.driver, 'touchMove', (x - 40, y), (x + 40, y))
        touch(small.driver, 'touchMove', (x - 80, y), (x + 80, y))
        touch(small.driver, 'touchEnd')
        assert small.run('view.to - view.from') == pytest.approx(span / 4, rel=0.1)
        assert small.run('timeOf((LEFT + view.width - RIGHT) / 2)') == pytest.approx(middle, abs=span / 50)
        touch(small.driver, 'touchStart', (x, y))
        touch(small.driver, 'touchMove', (x - 30, y))
        touch(small.driver, 'touchMove', (x - 60, y))
        touch(small.driver, 'touchEnd')
        moved = small.run('timeOf((LEFT + view.width - RIGHT) / 2)') - middle
        assert moved == pytest.approx(60 * span / 4 / small.run('view.width - LEFT - RIGHT'), rel=0.3)
    finally:
        small.driver.execute_cdp_cmd('Emulation.setTouchEmulationEnabled', {'enabled': False})


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


@pytest.fixture(name='shared_page', scope='module')
def page_of_wide_tasks_and_of_halves(chromium, tmp_path_factory):
    """Four CPUs, of which a task takes all or one, and two GPUs, of which a task takes half of one."""
    folder = tmp_path_factory.mktemp('shared')
    jobs = 'latency_bound = 604800\nest_flops'
    (folder / 'shared.ini').write_text(
        '[host]\ncpus = 4\nflops = 2e9\n[gpu g]\ncount = 2\nflops = 2e9\n'
        '[project wide]\n[project plain]\n[project halves]\n'
        f'[app wide/all]\ncpus = 4\n{jobs} = 6e13\n[app plain/one]\n{jobs} = 3e13\ndistribution = exponential\n'
        f'[app halves/half]\ngpu = g\ngpus = 0.5\ncpus = 0.1\n{jobs} = 8e12\ndistribution = exponential\n',
        encoding='ascii')
    return Page(chromium, folder, folder / 'shared.ini', '--days', '3')


@pytest.fixture(name='shared')
def open_shared(shared_page):
    shared_page.look_like(1400, 900, 'light')
    return shared_page


def test_there_are_as_many_rows_as_instances(shared):
    lanes = [label for label in shared.labels() if re.fullmatch(r'(CPU|g) \+?\d+', label)]
    assert lanes == ['CPU 1', 'CPU 2', 'CPU 3', 'CPU 4', 'g 1', 'g 2']


def test_a_task_is_on_as_many_rows_as_it_uses(shared):
    places = shared.run('''story.lanes.flatMap((lanes, resource) => lanes.flatMap((strands, lane) =>
        strands.flatMap(({from, pieces}) => pieces.map(({bar, use}) => (
            [data.projects[bar.task.project], story.bars[resource].indexOf(bar), lane, from, use])))))''')
    rows = {}
    for project, bar, lane, start, use in places:
        rows.setdefault((project, bar), []).append((lane, start, use))
    assert {project for project, _ in rows} == {'wide', 'plain', 'halves'}
    for (project, _), own in rows.items():
        if project == 'wide':
            assert own == [(0, 0, 1), (1, 0, 1), (2, 0, 1), (3, 0, 1)]
        else:
            (_, start, use), = own
            assert (start, use) in ({(0, 0.5), (0.5, 0.5)} if project == 'halves' else {(0, 1)})


def test_nothing_is_drawn_over_anything_else(shared):
    # At any moment, the pieces on an instance are beside each other, and all of it is used if nothing is idle.
    assert shared.outcome['idleness'] < 0.001
    sums = shared.run('''[0.2, 0.5, 0.8].map((part) => part * data.duration).flatMap((time) =>
        story.lanes.flat().map((strands) => strands.flatMap(({from, pieces}) => pieces
            .filter(({bar}) => bar.start <= time && time < bar.end).map(({use}) => [from, use]))
            .sort(([a], [b]) => a - b)))''')
    assert len(sums) == 18
    assert all(pieces in ([[0, 1]], [[0, 0.5], [0.5, 0.5]]) for pieces in sums)


def test_each_half_can_be_read(shared):
    def at(height):
        return shared.run(f'''(() => {{
            const row = rows.find(({{label}}) => label === "g 1");
            return find((LEFT + view.width) / 2, row.top + {height} * row.height).lines;
        }})()''')
    assert at(0.25) != at(0.75)
    assert 'uses 0.5 g' in at(0.25) and 'uses 0.5 g' in at(0.75)
    wide = shared.run('story.bars[0].find(({use}) => use === 4).start')
    for label in ('CPU 1', 'CPU 4'):
        assert 'uses 4 CPU' in shared.run(f'''(() => {{
            const row = rows.find(({{label}}) => label === "{label}");
            return find(xOf({wide}) + 3, row.top + row.height / 2).lines;
        }})()''')


def test_a_cpu_that_a_gpu_task_uses_is_not_called_idle(chromium, tmp_path):
    (tmp_path / 'gpu.ini').write_text(
        '[host]\ncpus = 2\nflops = 1e9\n[gpu g]\nflops = 1e9\n[project p]\n'
        '[app p/gpu]\ngpu = g\ncpus = 2\nlatency_bound = 604800\nest_flops = 1e13\n', encoding='ascii')
    page = Page(chromium, tmp_path, tmp_path / 'gpu.ini', '--days', '1')
    page.look_like(1400, 900, 'light')
    assert page.tip('CPU 2', 0.5) == 'CPU: in usefor tasks of a GPU'


def test_work_of_wide_tasks_is_told_as_credit(shared):
    shares = shared.run('sharesBetween(0, data.duration)')
    used = [project['flops_used'] for project in shared.outcome['projects']]
    for share, own in zip(shares, used):
        assert share == pytest.approx(own / sum(used), abs=0.01)


def places_of(page, instances, uses):
    """Where tasks are drawn that start one after the other: for each, the instance and the part of it."""
    return page.run(f'''(() => {{
        const places = new Places({instances});
        return {json.dumps(uses)}.map((use) => places.occupy({{use}}).map((one) => (
            [one.lane, Math.round(100 * one.from) / 100, Math.round(100 * one.use) / 100])));
    }})()''')


def test_parts_share_an_instance(shared):
    assert places_of(shared, 2, [0.1] * 12) == [
        *([[0, round(0.1 * i, 1), 0.1]] for i in range(10)), [[1, 0, 0.1]], [[1, 0.1, 0.1]]]
    # The fifth finds bits on both: two tasks and a half of 0.4 fit into one.
    assert places_of(shared, 2, [0.4] * 5) == [
        [[0, 0, 0.4]], [[0, 0.4, 0.4]], [[1, 0, 0.4]], [[1, 0.4, 0.4]], [[0, 0.8, 0.2], [1, 0.8, 0.2]]]
    assert places_of(shared, 3, [1.5, 0.5, 1]) == [[[0, 0, 1], [1, 0, 0.5]], [[1, 0.5, 0.5]], [[2, 0, 1]]]


def test_only_what_is_too_much_has_rows_of_its_own(shared):
    # Three of four CPUs are in use when a task of four starts: three of its rows are beyond them.
    assert places_of(shared, 4, [1, 1, 1, 4, 0.1, 0]) == [
        [[0, 0, 1]], [[1, 0, 1]], [[2, 0, 1]], [[3, 0, 1], [4, 0, 1], [5, 0, 1], [6, 0, 1]], [[7, 0, 0.1]],
        [[7, 0.1, 0.05]]]
    # Rounding is not too much: GPU tasks may exceed it by a ten-thousandth.
    assert {lane for task in places_of(shared, 1, [0.50002] * 2) for lane, *_ in task} == {0}


def test_a_task_that_is_given_up_leaves_its_row(shared):
    kinds = shared.run('data.kinds')
    for kind in ('given_up', 'aborted'):
        events = [[kinds.index('started'), 0, 9000, 0, 0, 0, 5000, 1],
                  [kinds.index(kind), 4000, 9000, 0, 0, 0, 5000]]
        bar, late, text = shared.run(f'''(() => {{
            const {{bars, misses, tasks}} = tell({{...data, tasks: [], events: {json.dumps(events)}}});
            return [bars[0][0].end, misses.length, lateness(tasks.get(9000))];
        }})()''')
        assert (bar, late, text) == (4000, 0, 'given up')


def test_durations_are_rounded_as_the_tool_does(small):
    assert small.run('[59.94, 7164, 7199, 86399, 185400].map(spanText)') \
        == ['59.9 s', '1 h 59 min', '2 h', '1 d', '2 d 4 h']
