# SPDX-License-Identifier: MIT
"""The command line: options, exit status, how the output is written, what is said on the way."""

from __future__ import annotations

import io
import os
import select
import stat
import subprocess
import sys

import pytest

from client_xml import NOW, active_task, project, state, work
from conftest import PACKAGE, PROJECT_ROOT, read_state

from vcsched.commands.progress import WORTH_SHOWING, ProgressBar


@pytest.fixture(name="source")
def fixture_source(tmp_path):
    path = tmp_path / "client_state.xml"
    path.write_text(state(work()))
    return path


def command(*arguments, **options):
    return subprocess.run([sys.executable, "-m", "vcsched", *map(str, arguments)], cwd=PACKAGE, check=False,
                          capture_output=True, **options)


def test_help_shows_examples(run):
    outcome = run("import", "--help")
    assert outcome.status == 0
    assert "python3 -m vcsched import client_state.xml -o state.ini" in outcome.output
    assert "import" in run("--help").output


@pytest.mark.parametrize("arguments", [(), ("unheard_of",), ("import", "--unheard-of", "x"),
                                       ("import", "x", "--now", "soon"), ("import", "x", "--now", "nan"),
                                       ("import", "x", "--now", "1e300")])
def test_wrong_usage(run, arguments):
    outcome = run(*arguments)
    assert outcome.status == 2
    assert outcome.messages.startswith("usage: python3 -m vcsched")


def test_something_must_be_named(run):
    outcome = run("import")
    assert (outcome.status, outcome.messages) == (2, "vcsched: import: give a FILE or --data-dir\n")


def test_files_that_cannot_be_read(run, tmp_path, source):
    for outcome in (run("import", tmp_path / "missing.xml"), run("import", tmp_path),
                    run("import", source, "--cc-config", tmp_path / "missing.xml"),
                    run("import", "--data-dir", tmp_path / "missing"),
                    run("import", source, "--data-dir", tmp_path / "missing"),
                    run("import", source, "--app-config", f"Tidewatch={tmp_path / 'missing.xml'}")):
        assert outcome.status == 1
        assert outcome.output == ""
        assert outcome.messages.startswith(f"vcsched: {tmp_path}")
        assert len(outcome.messages.splitlines()) == 1


def test_the_output_replaces_what_was_there(run, tmp_path, source):
    target = tmp_path / "state.ini"
    target.write_text("old")
    target.chmod(0o640)
    assert run("import", source, "-o", target).status == 0
    assert "task wave_0" in read_state(target.read_text())
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert sorted(path.name for path in tmp_path.iterdir()) == ["client_state.xml", "state.ini"]


def test_a_new_file_has_the_usual_access(run, tmp_path, source):
    mask = os.umask(0o027)
    try:
        run("import", source, "-o", tmp_path / "state.ini")
    finally:
        os.umask(mask)
    assert stat.S_IMODE((tmp_path / "state.ini").stat().st_mode) == 0o640


def test_a_link_is_followed(run, tmp_path, source):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "state.ini").symlink_to("elsewhere/state.ini")
    assert run("import", source, "-o", tmp_path / "state.ini").status == 0
    assert (tmp_path / "state.ini").is_symlink()
    assert "task wave_0" in read_state((tmp_path / "elsewhere" / "state.ini").read_text())


def test_devices_are_written_as_they_are(run, source):
    reader, terminal = os.openpty()
    try:
        assert run("import", source, "-o", os.ttyname(terminal)).status == 0
        assert stat.S_ISCHR(os.stat(os.ttyname(terminal)).st_mode)
        written = b""
        while b"[project " not in written:  # a terminal hands it over in parts
            assert select.select([reader], [], [], 60)[0], written
            written += os.read(reader, 10000)
    finally:
        os.close(terminal)
        os.close(reader)


def test_an_output_that_cannot_be_written(run, tmp_path, source):
    outcome = run("import", source, "-o", tmp_path / "missing" / "state.ini")
    assert outcome.status == 1
    assert len(outcome.messages.splitlines()) == 1


def test_what_was_there_stays_if_the_input_is_bad(run, tmp_path, source):
    target = tmp_path / "state.ini"
    target.write_text("old")
    source.write_text(state(work(state=9)))
    assert run("import", source, "-o", target).status == 1
    assert target.read_text() == "old"


def test_inputs_are_not_overwritten(run, source):
    before = source.read_bytes()
    outcome = run("import", source, "-o", source)
    assert outcome.status == 2
    assert "would be overwritten" in outcome.messages
    assert source.read_bytes() == before


@pytest.fixture(name="data")
def fixture_data(tmp_path):
    """A client's data directory, with all that the import reads."""
    data = tmp_path / "data"
    (data / "projects" / "tidewatch.example.org").mkdir(parents=True)
    (data / "client_state.xml").write_text(state(work(), active_task(once_ran_edf=1)))
    (data / "global_prefs.xml").write_text("<global_preferences><work_buf_min_days>1</work_buf_min_days>"
                                           "<max_cpus>3</max_cpus></global_preferences>")
    (data / "global_prefs_override.xml").write_text(
        "<global_preferences><work_buf_min_days>2</work_buf_min_days></global_preferences>")
    (data / "cc_config.xml").write_text("<cc_config><options><ncpus>16</ncpus></options></cc_config>")
    (data / "projects" / "tidewatch.example.org" / "app_config.xml").write_text(
        "<app_config><project_max_concurrent>5</project_max_concurrent></app_config>")
    return data


def test_everything_from_a_data_directory(run, data):
    outcome = run("import", "--data-dir", data, "-q")
    assert (outcome.status, outcome.messages) == (0, "")
    assert "imported from client_state.xml." in outcome.output
    found = read_state(outcome.output)
    assert (found["host"]["cpus"], found["client"]["min_buffer"]) == ("3", "172800")
    assert found["project Tidewatch"]["max_concurrent"] == "5"
    assert found["task wave_0"]["was_late"] == "1"


def test_a_data_directory_adds_to_a_reply_what_it_lacks(run, source, data):
    reply = f"<boinc_gui_rpc_reply>{state(work())}</boinc_gui_rpc_reply>"
    preferences = "<global_preferences><work_buf_min_days>3</work_buf_min_days></global_preferences>"
    source.write_text(reply.replace("</client_state>", f"{preferences}</client_state>"))
    assert "was_late" not in read_state(run("import", source, "-q").output)["task wave_0"]
    found = read_state(run("import", source, "--data-dir", data, "-q").output)
    # The preferences of a reply are those in force.
    assert (found["host"]["cpus"], found["client"]["min_buffer"]) == ("16", "259200")
    assert found["project Tidewatch"]["max_concurrent"] == "5"
    assert found["task wave_0"]["was_late"] == "1"


def test_of_preferences_beside_the_file_it_is_said_how_to_read_them(run, tmp_path, data, monkeypatch):
    note = "there are no computing preferences, so the client's defaults are taken."
    assert f"{note} With --data-dir {data} those beside the file are read.\n" in run(
        "import", data / "client_state.xml").messages
    monkeypatch.chdir(data)
    assert f"{note} With --data-dir . those beside the file are read.\n" in run("import", "client_state.xml").messages
    (data / "client_state.xml").rename(data / "attic.xml")
    assert (f"{note} With --global-prefs global_prefs.xml --global-prefs global_prefs_override.xml those beside the "
            "file are read.\n") in run("import", "attic.xml").messages
    (tmp_path / "empty").mkdir()
    (data / "attic.xml").rename(tmp_path / "empty" / "client_state.xml")
    assert run("import", "--data-dir", tmp_path / "empty").messages.endswith(f"{note}\n")


def test_a_folder_of_projects_that_may_not_be_listed(run, data, monkeypatch):
    """A client makes it so, and most who ask are another user."""
    def refuse(path):
        raise PermissionError(13, "Permission denied", path)
    monkeypatch.setattr(os, "listdir", refuse)
    found = read_state(run("import", "--data-dir", data, "-q").output)
    assert found["project Tidewatch"]["max_concurrent"] == "5"


def test_what_is_named_goes_before_the_data_directory(run, tmp_path, data):
    (tmp_path / "cc.xml").write_text("<cc_config><options><ncpus>2</ncpus></options></cc_config>")
    (tmp_path / "app.xml").write_text("<app_config><project_max_concurrent>7</project_max_concurrent></app_config>")
    (tmp_path / "prefs.xml").write_text("<global_preferences><work_buf_min_days>4</work_buf_min_days>"
                                        "</global_preferences>")
    found = read_state(run("import", "--data-dir", data, "-q", "--cc-config", tmp_path / "cc.xml", "--app-config",
                           f"Tidewatch={tmp_path / 'app.xml'}", "--global-prefs", tmp_path / "prefs.xml").output)
    assert (found["host"]["cpus"], found["client"]["min_buffer"]) == ("2", "345600")
    assert found["project Tidewatch"]["max_concurrent"] == "7"


@pytest.mark.parametrize("late, warned", [(60, False), (61, True)])
def test_an_old_file_is_warned_of(run, source, late, warned):
    outcome = run("import", source, "--now", NOW + late)
    assert outcome.status == 0
    assert (f"the newest time in the file is {late} s before now" in outcome.messages) == warned


def test_no_warning_where_now_is_the_files(run, source):
    assert "before now" not in run("import", source).messages


def test_standard_input_and_output(source):
    outcome = command("import", "-", input=source.read_bytes())
    assert outcome.returncode == 0
    assert b"imported from standard input." in outcome.stdout
    assert command("import", source, "-o", "-", "-q").stdout.splitlines()[1:] == outcome.stdout.splitlines()[1:]


def test_errors_of_standard_input():
    outcome = command("import", "-", input=b"<client_state>")
    assert outcome.returncode == 1
    assert outcome.stderr.startswith(b"vcsched: <stdin>:1:15: ")


def test_the_output_is_utf_8_whatever_the_locale(source):
    source.write_text(state(project(project_name="Küste")), encoding="utf-8")
    environment = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    outcome = command("import", source, env=environment)
    assert outcome.returncode == 0
    assert "[project Küste]".encode() in outcome.stdout


def test_a_reader_that_leaves_early_is_no_failure_to_talk_about(tmp_path):
    many = "".join(project(master_url=f"http://{n}.example.org/", project_name=f"p{n}") for n in range(3000))
    source = tmp_path / "client_state.xml"
    source.write_text(state(many))
    with subprocess.Popen([sys.executable, "-m", "vcsched", "import", str(source), "-q"], cwd=PACKAGE,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.read(10)
        process.stdout.close()
        assert process.stderr.read() == b""


def test_the_same_input_gives_the_same_bytes(source):
    assert command("import", source).stdout == command("import", source).stdout


def test_importing_the_package_needs_nothing(tmp_path):
    # The package grows a compiled part; what it imports on loading must not depend on it, nor on much of Python's.
    outcome = subprocess.run([sys.executable, "-c", "import sys, vcsched; print('xml' in sys.modules)"], cwd=PACKAGE,
                             check=True, capture_output=True, text=True)
    assert outcome.stdout == "False\n"


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_progress_is_for_terminals_and_long_files():
    for stream, total in ((io.StringIO(), 10 * WORTH_SHOWING), (Terminal(), WORTH_SHOWING - 1)):
        bar = ProgressBar(stream, "reading", total)
        bar.advance(1000)
        bar.close()
        assert stream.getvalue() == ""


def test_progress_is_shown_once_for_each_percent():
    stream = Terminal()
    bar = ProgressBar(stream, "reading x", WORTH_SHOWING)
    for _ in range(1024):
        bar.advance(WORTH_SHOWING // 1024)
    bar.advance(1)  # the file has grown meanwhile
    shown = stream.getvalue().split("\r")[1:]
    assert shown[0] == "reading x [" + "." * 40 + "]   0 %"
    assert shown[50] == "reading x [" + "#" * 20 + "." * 20 + "]  50 %"
    assert shown[-1] == "reading x [" + "#" * 40 + "] 100 %"
    assert len(shown) == 101
    bar.close()
    assert stream.getvalue().endswith("\r\x1b[K")


def test_lines_are_as_short_as_a_state_file_may_have(run, source):
    name = "\U0001F30A" * 4000
    source.write_text(state(work(name=name)), encoding="utf-8")
    text = run("import", source).output
    assert max(len(line.encode()) for line in text.splitlines()) <= 4096
    assert f"[task {name[:256]}]" in text


def test_the_example(run):
    text = run("import", PROJECT_ROOT / "examples" / "scenarios" / "client_state.xml", "-q").output
    found = read_state(text)
    sections = [name.split(" ")[0] for name in found.sections()]
    assert {kind: sections.count(kind) for kind in sections} == {
        "host": 1, "gpu": 1, "client": 1, "project": 6, "project_resource": 6, "task": 53}
    assert (found["host"]["cpus"], found["gpu NVIDIA"]["count"]) == ("8", "2")
    shares = [found[name].getfloat("share") for name in found.sections() if name.startswith("project ")]
    assert sorted(shares) == [0, 30, 50, 100, 120, 200]
    assert found["project Glacier Archive"]["no_new_work"] == "1"
    tasks = [found[name] for name in found.sections() if name.startswith("task")]
    assert sum(task.getboolean("running", fallback=False) for task in tasks) == 10
    assert {task["gpus"] for task in tasks if "gpu" in task} == {"0.5", "1"}
    assert sum(task.getfloat("cpus") == 4 for task in tasks) == 3
    assert sum(task.getfloat("deadline") < found["host"].getfloat("now") for task in tasks) == 1
