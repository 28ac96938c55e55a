# SPDX-License-Identifier: MIT
"""Files that are broken, cut off, contradictory, or meant to do harm: one line says what is wrong and where."""

from __future__ import annotations

import io
import random
import re
import resource
import subprocess
import sys

import pytest

from client_xml import (NOW, URL, active_task, app, element, gpu_host, host, nvidia, project, result, state, times,
                        version, work, workunit)
from conftest import PACKAGE

from vcsched.boinc import xml_records

ANYWHERE = "http://elsewhere.example.org/"
UNSUPPORTED = "1:31: the encoding that it declares is not supported"


@pytest.mark.parametrize("content, complaint", [
    (b"", "1:1: no element found"),
    (b"\n\n", "3:1: no element found"),
    (b"plain text", "1:1: syntax error"),
    (b"\x00\x01\x02\xff" * 100, "1:1: not well-formed (invalid token)"),
    (b"\x1f\x8b\x08\x00rest", "1:1: not well-formed (invalid token)"),
    (b"<client_state>\n<a>\x00</a>\n</client_state>", "2:4: not well-formed (invalid token)"),
    (b"<client_state>\n<name>M\xfcller</name>\n</client_state>", "2:8: not well-formed (invalid token)"),
    (b"<client_state>\n<a>", "2:4: no element found"),
    (b"<client_state>\n<a></b>\n</client_state>", "2:6: mismatched tag"),
    (b"<client_state/>\n<client_state/>", "2:1: junk after document element"),
    (b"<client_state>&unheard_of;</client_state>", "1:15: undefined entity"),
    (b"<html><body>404</body></html>",
     "1:1: begins with <html>, so it is not a BOINC client state or a reply of a BOINC client"),
    (b"<boinc_gui_rpc_reply><unauthorized/></boinc_gui_rpc_reply>",
     "1:1: has no <host_info>, so it is no client state"),
    (b"<client_state/>", "1:1: has no <host_info>, so it is no client state"),
    (b'<?xml version="1.0" encoding="utf-16"?><client_state/>', "1:31: encoding specified in XML declaration"),
    (b'<?xml version="1.0" encoding="klingon"?><client_state/>', UNSUPPORTED),
    (b'<?xml version="1.0" encoding="big5"?><client_state/>', UNSUPPORTED),
    (b'<?xml version="1.0" encoding="zlib"?><client_state/>', UNSUPPORTED),
    ("<client_state/>".encode("utf-16")[:-1], "1:2: unclosed token"),
], ids=range(19))
def test_what_is_no_xml_or_another_file(refused, content, complaint):
    assert refused(content).startswith(f"client_state.xml:{complaint}")


ENTITY_BOMB = """<?xml version="1.0"?>
<!DOCTYPE bomb [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]>
<client_state><host_venue>&c;</host_venue></client_state>"""
EXTERNAL_ENTITY = """<!DOCTYPE x [<!ENTITY secret SYSTEM "file:///etc/hostname">]>
<client_state><host_venue>&secret;</host_venue></client_state>"""


@pytest.mark.parametrize("content, line", [
    (ENTITY_BOMB, 2), (EXTERNAL_ENTITY, 1),
    ('<!DOCTYPE client_state SYSTEM "http://dtd.example.org/"><client_state/>', 1),
], ids=["bomb", "file", "address"])
def test_document_types_are_refused(refused, content, line):
    message = refused(content)
    assert message.startswith(f"client_state.xml:{line}:")
    assert message.endswith(": document types are refused, since they can hold entities")


def test_encodings_that_are_declared_rightly(run, tmp_path):
    for encoding in ("utf-8", "iso-8859-1", "utf-16", "cp1252"):
        source = tmp_path / f"{encoding}.xml"
        text = f'<?xml version="1.0" encoding="{encoding}"?>\n' + state(project(project_name="Gezeiten für alle"))
        source.write_bytes(text.encode(encoding))
        assert "[project Gezeiten für alle]" in run("import", source).output


@pytest.mark.parametrize("content, complaint", [
    ("<client_state>" + "<project>" * 100_000, "more than 64 elements inside each other"),
    ("<client_state>" + "<unheard_of>" * 100_000, "more than 64 elements inside each other"),
    ("<client_state><project>" + "<ended/>" * 20_000, "more than 10000 elements in <project>"),
    ("<client_state><project><project_name>" + "x" * 5_000, "the text of <project_name> is longer than 4096"),
    ("<client_state><project><project_name>" + "&lt;" * 5_000, "the text of <project_name> is longer than 4096"),
    ("<client_state><!--" + "x" * 3_000_000, "a tag or a comment is longer than 1048576 bytes"),
    ("<client_state><file name='" + "x" * 3_000_000, "a tag or a comment is longer than 1048576 bytes"),
    ("<client_state><" + "x" * 3_000_000, "a tag or a comment is longer than 1048576 bytes"),
    ("<" * 1_000_000, "not well-formed"),
], ids=range(9))
def test_what_has_no_end(refused, content, complaint):
    assert complaint in refused(content)


def test_bounds_do_not_hold_for_what_is_skipped(imported):
    junk = "<file><file_signature>" + "x" * 100_000 + "</file_signature>" + "<a/>" * 20_000 + "</file>"
    assert "task wave_0" in imported(state(junk, project(), app(), version(cmdline=[None] * 20_000), workunit(),
                                           result(stderr_out="y" * 100_000)))


@pytest.mark.parametrize("text, complaint", [
    ("many", "'many' is not a number"),
    ("", "'' is not a number"),
    ("nan", "'nan' is not a number"),
    ("inf", "'inf' is not a number"),
    ("-inf", "'-inf' is not a number"),
    ("0x10", "'0x10' is not a number"),
    ("1_000", "'1_000' is not a number"),
    ("1,5", "'1,5' is not a number"),
    ("1.#IND", "'1.#IND' is not a number"),
    ("\u0661\u0662", "'\u0661\u0662' is not a number"),
    ("-1", "'-1' is not between 0 and 1e+30"),
    ("1e999", "'1e999' is not between 0 and 1e+30"),
    ("9" * 3000, f"'{'9' * 57}...' is not between 0 and 1e+30"),
])
def test_numbers_that_are_none(refused, text, complaint):
    assert refused(state(start=host(p_fpops=text))) == f"client_state.xml:4:1: <p_fpops>: {complaint}"


@pytest.mark.parametrize("text, complaint", [
    ("0", "'0' is not between 1 and 65536"), ("-4", "'-4' is not between 1 and 65536"),
    ("65537", "'65537' is not between 1 and 65536"), ("4.0", "'4.0' is not a whole number"),
    ("9" * 30, f"'{'9' * 30}' is not a whole number"), ("4 CPUs", "'4 CPUs' is not a whole number")])
def test_whole_numbers_that_are_none(refused, text, complaint):
    assert refused(state(start=host(p_ncpus=text))) == f"client_state.xml:3:1: <p_ncpus>: {complaint}"


NEGATIVE = [
    (work(report_deadline=-1), "<report_deadline>"), (work(received_time="-0.5"), "<received_time>"),
    (work(state=-1), "<state>"), (work(estimated_cpu_time_remaining=-9), "<estimated_cpu_time_remaining>"),
    (work(final_elapsed_time=-9), "<final_elapsed_time>"), (project(resource_share=-5), "<resource_share>"),
    (project(rec=-1), "<rec>"), (project(duration_correction_factor=-1), "<duration_correction_factor>"),
    (project(nrpc_failures=-1), "<nrpc_failures>"), (project(min_rpc_time=-1), "<min_rpc_time>"),
    (project(cpu_backoff_interval=-1), "<cpu_backoff_interval>"),
    (project() + version(avg_ncpus=-1), "<avg_ncpus>"), (project() + version(flops=-1), "<flops>"),
    (project() + workunit(rsc_fpops_est=-1), "<rsc_fpops_est>"),
    (project() + workunit(rsc_memory_bound=-1), "<rsc_memory_bound>"),
    (work() + active_task(elapsed_time=-1), "<elapsed_time>"),
    (work() + active_task(fraction_done=-0.5), "<fraction_done>"),
    (element("global_preferences", work_buf_min_days=-1), "<work_buf_min_days>"),
    (element("coprocs", coproc_cuda="<count>-1</count>"), "<count>"),
    (element("coprocs", coproc_cuda="<peak_flops>-1</peak_flops>"), "<peak_flops>"),
]


@pytest.mark.parametrize("parts, name", NEGATIVE, ids=[name for _, name in NEGATIVE])
def test_negative_amounts(refused, parts, name):
    line = refused(state(parts))
    assert f": {name}: " in line
    assert "is not between 0 and" in line


def places(text, name):
    """Where elements of a name begin, as line:column. In the texts here each begins its line."""
    return [f"{number}:1" for number, line in enumerate(text.splitlines(), start=1) if line.startswith(f"<{name}>")]


@pytest.mark.parametrize("parts, name, thing", [
    (project() + project(), "project", URL),
    (work() + result(), "result", "wave_0"),
    (work() + workunit(), "workunit", "wave"),
    (work() + app(), "app", "surge"),
    (work() + version(), "app_version", "surge"),
    (work() + active_task() + active_task(), "active_task", "wave_0"),
    (host(), "host_info", None),
    (times(), "time_stats", None),
    (element("coprocs", coproc_cuda=["<count>1</count>", "<count>1</count>"]), "coproc_cuda", "NVIDIA"),
    (element("global_preferences") * 2, "global_preferences", None),
], ids=lambda value: value if value and value.isidentifier() else "")
def test_what_stands_twice(refused, tmp_path, parts, name, thing):
    text = state(parts)
    first, second = places(text, name)
    of_what = f" for {thing!r}" if thing else ""
    assert refused(text) == (f"client_state.xml:{second}: <{name}>: stands twice{of_what}, "
                             f"first at {tmp_path / 'client_state.xml'}:{first}")


def test_a_field_that_contradicts_itself(refused):
    text = state(project(rec=[1, 2]))
    first, second = places(text, "rec")
    assert refused(text) == (f"client_state.xml:{second}: <rec>: stands twice in <project>, "
                             f"first at line {first.split(':')[0]}")


def test_the_same_said_again_is_no_contradiction(imported):
    assert imported(state(project(rec=[2, 2])))["project Tidewatch"]["rec"] == "2"


LISTED = {"wu_name": "x", "estimated_cpu_time_remaining": 1}


@pytest.mark.parametrize("parts, name, complaint", [
    (app(), "app", "no <project> stands before it"),
    (result(), "result", "no <project> stands before it"),
    (work(wu_name="unheard_of"), "result", "there is no work unit 'unheard_of'"),
    (work(project_url=ANYWHERE), "result", f"there is no project '{ANYWHERE}'"),
    (work(version_num=7), "result", "there is no version 7 of the application 'surge' for the plan class ''"),
    (work(plan_class="mt"), "result", "there is no version 100 of the application 'surge' for the plan class 'mt'"),
    (work() + active_task(result_name="x"), "active_task", "there is no result 'x' of its project"),
    (work(state=8), "result", "there is no state 8"),
    (project(master_url=""), "project", "has no <master_url>"),
    (work(name=""), "result", "has no <name>"),
    (work(resources="all of it", **LISTED), "result", "<resources> is 'all of it', which is not understood"),
    (work(resources="... CPUs", **LISTED), "result", "<resources> is '... CPUs', which is not understood"),
    (work(resources="1 CPU + " + "( " * 2000, **LISTED), "result",
     "<resources> is '1 CPU + " + "( " * 24 + "(...', which is not understood"),
    (project() + app() + version(flops=1e-9) + workunit() + result(), "result", "would take more than 1e+12 s"),
    (element("coprocs", coproc="<type>CPU</type>"), "coproc", "CPU is no type of GPU"),
    (element("coprocs", coproc="<count>1</count>"), "coproc", "has no <type>"),
], ids=range(16))
def test_what_refers_to_nothing_or_makes_no_sense(refused, parts, name, complaint):
    text = state(parts)
    assert refused(text) == f"client_state.xml:{places(text, name)[0]}: <{name}>: {complaint}"


def test_programs_for_two_kinds_of_gpu(refused):
    text = state(project(), version(coproc=["<type>ATI</type>", "<type>CUDA</type>"]))
    assert refused(text).startswith(f"client_state.xml:{places(text, 'coproc')[1]}: <coproc>: stands twice")


def test_other_files_are_not_trusted_either(refused, tmp_path):
    for option, name, content, complaint in (
            ("--global-prefs", "p.xml", "<cc_config/>", "1:1: begins with <cc_config>"),
            ("--global-prefs", "p.xml", "<global_preferences><max_cpus>x", "1:32: no element found"),
            ("--cc-config", "c.xml", ENTITY_BOMB, "2:16: document types are refused"),
            ("--cc-config", "c.xml", "<cc_config><options><ncpus>x</ncpus></options></cc_config>", "1:21: <ncpus>"),
            ("--app-config", "a.xml", "<app_config><app/></app_config>", "1:13: <app>: has no <name>")):
        (tmp_path / name).write_text(content)
        assert refused(state(work()), option, tmp_path / name).startswith(f"{name}:{complaint}")


def one_line_or_success(outcome):
    """What must hold whatever the file: it is read, or one line tells why not."""
    if outcome.status == 0:
        return outcome.output.startswith("# Host state")
    lines = outcome.messages.splitlines()
    return outcome.status == 1 and len(lines) == 1 and "client_state.xml:" in lines[0] and outcome.output == ""


EVERYTHING = state(
    project(rec=2, rec_time=NOW, resource_share=30, rsc_backoff_time="<name>CPU</name><value>5</value>"), app(),
    version(), workunit(), result(), active_task(current_cpu_time=5, checkpoint_elapsed_time=4, fraction_done=0.5),
    element("global_preferences", max_ncpus_pct=50),
    start=host(coprocs=nvidia()) + times(on_frac=0.5)).encode()


EXTREMES = state(
    project(rec=2, rec_time=1, resource_share=30, short_term_debt=1, min_rpc_time=5, duration_correction_factor=2),
    app(), version(flops=0, avg_ncpus=8), version(version_num=2, flops=3e9, coproc="<type>CUDA</type><count>1</count>"),
    workunit(), result(), result(name="ripple_0", version_num=2),
    active_task(current_cpu_time=5, elapsed_time=4, fraction_done=0.5, working_set_size_smoothed=1e6),
    element("global_preferences", max_ncpus_pct=50, cpu_usage_limit=50, work_buf_min_days=1,
            cpu_scheduling_period_minutes=60, max_cpus=3, ram_max_used_idle_pct=50),
    start=host(coprocs=nvidia(peak_flops=0)) + times(on_frac=0.5, gpu_active_frac=0.5)).encode()


def test_extreme_numbers_anywhere(run, tmp_path):
    # Whatever number stands in a field, what is written is finite.
    source = tmp_path / "client_state.xml"
    fields = [match.span(1) for match in re.finditer(rb">([0-9.]+)<", EXTREMES)]
    statuses = set()
    for start, end in fields:
        for number in (b"0", b"1e-300", b"1e12", b"1e30", b"1e308"):
            source.write_bytes(EXTREMES[:start] + number + EXTREMES[end:])
            outcome = run("import", source, "-q")
            statuses.add(outcome.status)
            assert one_line_or_success(outcome), outcome
            assert not re.search(r"= -?(inf|nan)", outcome.output)
    assert statuses == {0, 1}


def test_files_cut_off_anywhere(run, tmp_path):
    source = tmp_path / "client_state.xml"
    for length in range(0, len(EVERYTHING) - 1, 37):
        source.write_bytes(EVERYTHING[:length])
        outcome = run("import", source, "-q")
        assert outcome.status == 1 and one_line_or_success(outcome), length


def test_files_with_random_damage(run, tmp_path):
    draw = random.Random(20070326)
    source = tmp_path / "client_state.xml"
    statuses = set()
    for attempt in range(100):
        damaged = bytearray(EVERYTHING)
        for _ in range(draw.randint(1, 3)):
            place = draw.randrange(len(damaged))
            length = draw.randint(0, 8)
            damaged[place:place + length] = draw.choice(
                [b"", b"0", b"-", b"9e9", b"<", b"</", b">", b"&", b"\xff", b"]]>", bytes([draw.randrange(256)]),
                 damaged[draw.randrange(len(damaged)):][:40]])
        source.write_bytes(damaged)
        outcome = run("import", source, "-q")
        statuses.add(outcome.status)
        assert one_line_or_success(outcome), (attempt, outcome)
    assert statuses == {0, 1}


def test_a_long_file_is_read_in_little_memory(tmp_path):
    source = tmp_path / "client_state.xml"
    file_record = element("file", name="wave_0", nbytes=12345, status=1, download_url=ANYWHERE * 4) * 400
    with open(source, "w", encoding="utf-8") as stream:
        stream.write(state(work())[:-len("</client_state>\n")])
        while stream.tell() < 12_000_000:
            stream.write(file_record)
        stream.write("</client_state>\n")
    limit = 100 * 1024 * 1024
    outcome = subprocess.run(
        [sys.executable, "-m", "vcsched", "import", str(source)], cwd=PACKAGE, check=False, capture_output=True,
        text=True, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
    assert outcome.returncode == 0, outcome.stderr
    assert "[task wave_0]" in outcome.stdout


def test_gpu_exclusions_beyond_the_map(refused, tmp_path):
    (tmp_path / "c.xml").write_text(
        f"<cc_config><options><exclude_gpu><url>{URL}</url><device_num>64</device_num></exclude_gpu>"
        "</options></cc_config>")
    assert "<device_num>: '64' is not between -1 and 63" in refused(
        state(project(), start=gpu_host()), "--cc-config", tmp_path / "c.xml")


NAMED = state(work(), start=host()).replace("Tidewatch", "Tides &{} co")


@pytest.mark.parametrize("written, read", [("", "Tides & co"), ("amp;", "Tides & co"), ("&", "Tides && co"),
                                           ("#38;", "Tides & co"), ("#x26;", "Tides & co"), ("lt", "Tides &lt co"),
                                           ("#;", "Tides &#; co"), ("; ", "Tides &;  co")])
def test_a_name_with_an_ampersand_is_read_as_clients_write_it(imported, written, read):
    found = imported(NAMED.format(written))
    assert f"project {' '.join(read.split())}" in [" ".join(name.split()) for name in found.sections()]


@pytest.mark.parametrize("size", range(1, 90))
def test_references_are_whole_wherever_pieces_end(monkeypatch, size):
    monkeypatch.setattr(xml_records, "PIECE", size)
    text = b"<results><msg>a &amp; b & c &#38; &#x26; d && e &lt;</msg></results>"
    layout = xml_records.Layout("a list", frozenset({"results"}), frozenset({"results"}), frozenset({"msg"}),
                                frozenset())
    [record] = xml_records.read_records(io.BytesIO(text), "it", layout)
    assert record.text == "a & b & c & & d && e <"


@pytest.mark.parametrize("encoding", ["utf-16", "latin-1"])
def test_other_encodings_stay_as_they_are(run, tmp_path, encoding):
    path = tmp_path / "client_state.xml"
    path.write_bytes(f'<?xml version="1.0" encoding="{encoding}"?>{NAMED.format("amp;")}'.encode(encoding))
    outcome = run("import", path)
    assert outcome.status == 0 and "[project Tides & co]" in outcome.output
