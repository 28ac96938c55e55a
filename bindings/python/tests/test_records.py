# SPDX-License-Identifier: MIT
"""Records, arrays of records, constants: the surface that everything else stands on."""

from __future__ import annotations

import enum
import math
import pickle
import pydoc
import re

import pytest

from conftest import PROJECT_ROOT

library = pytest.importorskip("vcsched.library", reason="needs the compiled part")
import vcsched as v  # noqa: E402 - only with the compiled part
from vcsched import constants, interface, tables  # noqa: E402
from vcsched.memory import Record, struct_number  # noqa: E402

KINDS = sorted((kind for kind in vars(interface).values()
                if isinstance(kind, type) and issubclass(kind, Record) and kind is not Record),
               key=lambda kind: kind.__name__)


def test_a_record_has_keywords_defaults_and_a_representation_that_makes_it_again():
    task = v.Task(id=3, project=1, remaining=3600.0, flags=v.TASK_RUNNING | v.TASK_STARTED)
    assert (task.id, task.project, task.remaining, task.flags) == (3, 1, 3600.0, 3)
    assert (task.app, task.deadline, task.cpus, task.gpu) == (v.NONE, math.inf, 1.0, 0)
    assert repr(v.Task(id=3, remaining=2.5)) == "Task(id=3, remaining=2.5)"
    assert eval(repr(v.Task(id=3, remaining=2.5)), vars(interface)) == v.Task(id=3, remaining=2.5)
    assert "TaskFlags.RUNNING" in repr(v.Task(flags=v.TASK_RUNNING))


def test_records_are_compared_copied_replaced_and_pickled_by_value():
    task = v.Task(id=3)
    assert task == task.copy() and task != v.Task(id=4) and task != 3
    assert task.replace(id=9) == v.Task(id=9) and task.id == 3
    assert pickle.loads(pickle.dumps(task)) == task
    records = v.Task.records(3)
    records[1].remaining = 5.0
    assert pickle.loads(pickle.dumps(records)) == records
    assert task.asdict()["deadline"] == math.inf
    with pytest.raises(TypeError):
        hash(task)
    with pytest.raises(TypeError, match="Task has no field 'remainder'"):
        task.replace(remainder=1)
    with pytest.raises(TypeError):
        v.Task(remainder=1)
    with pytest.raises(AttributeError):
        task.remainder = 1


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_kind_of_record_has_the_fields_of_the_library_s_table(kind):
    table = {field.name: field for field in tables.fields(kind)}
    public = [name for name in table
              if name != "struct_size" and not name.rpartition(".")[2].startswith("reserved")]
    assert list(dict.fromkeys(name.partition(".")[0] for name in public)) == list(kind.fields)
    record = kind._blank()
    for name in kind.fields:
        assert getattr(record, name) is not None
    assert set(kind.fields) <= set(kind.__annotations__)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_help_has_the_meaning_and_the_unit_of_each_field(kind):
    """In the words of the header, as a reader of the header finds them; units from the library's own table."""
    shown = " ".join(pydoc.plain(pydoc.render_doc(kind)).replace("|", " ").split())
    units = {field.name: field.unit for field in tables.fields(kind)}
    for name in kind.fields:
        meaning = comment_in_header(kind._struct, name)
        undefined = "; None if it is undefined" if name in kind._undefined else ""
        unit = f" (unit: {units.get(name)})" if units.get(name) else ""
        assert f"{name} {meaning}{undefined}{unit}" in shown, name


def comment_in_header(struct, field):
    """The comment behind a field, as one line."""
    for header in (PROJECT_ROOT / "include").glob("*/*.h"):
        found = re.search(rf"typedef struct vcs_{struct} {{(.*?)}} vcs_{struct};", header.read_text(encoding="ascii"),
                          re.DOTALL)
        if found:
            comment = re.search(rf"\b{field}(?:\[\d+\])?;\s*/\*(.*?)\*/", found[1], re.DOTALL)
            return " ".join(comment[1].split())
    raise AssertionError(f"no header has vcs_{struct}")


def test_outcomes_show_their_zeros():
    assert "waste=0.0" in repr(v.Outcome()) and "received=0" in repr(v.Outcome())
    assert repr(v.ProjectOutcome()).count("=0") == len(v.ProjectOutcome.fields)
    assert repr(v.ResourceOutcome()).count("=0") == len(v.ResourceOutcome.fields)
    undefined = v.Outcome(flags=v.UNDEFINED_WASTE)
    assert "waste=None, idleness=None, share_violation=0.0" in repr(undefined)
    assert repr(v.Task()) == "Task()"


def test_reasons_and_what_refers_to_nothing_are_shown_by_name():
    nobody = v.plan(resources=[v.Resource(flops=1e9)]).fetch.summary
    assert (nobody.project, nobody.reason) == (v.NONE, v.REASON_NO_PROJECT)
    assert "project=None, reason=Reason.NO_PROJECT" in repr(nobody)
    first = v.plan(resources=[v.Resource(flops=1e9)], projects=[v.Project(id=1)]).fetch.summary
    assert "project=0, reason=Reason.ASKED" in repr(first)
    assert repr(v.Task(app=0)) == "Task(app=0)" and repr(v.Task(app=v.NONE)) == "Task()"
    assert "reason=Reason.JOB_SENT, harmed=None" in repr(v.SendDecision(reason=v.REASON_JOB_SENT, harmed=v.NONE))


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_kind_of_record_has_a_numpy_type_of_the_same_layout(kind):
    numpy = pytest.importorskip("numpy")
    dtype = kind.dtype()
    assert dtype.itemsize == kind._size == library.struct_size(struct_number(kind._struct))
    for field in tables.fields(kind):
        assert dtype.fields[field.name][1] == field.offset
        assert dtype.fields[field.name][0].itemsize == field.size
    assert isinstance(kind.array(2), numpy.ndarray)


def test_a_record_inside_another_one_is_a_part_of_it():
    project = v.RpcProject(id=1, timer=v.ProjectTimer(failures=2))
    assert project.timer.failures == 2
    project.timer.failures = 9
    assert project.timer == v.ProjectTimer(failures=9)
    timer = project.timer
    del project
    assert timer.failures == 9  # the memory stays as long as it is used
    with pytest.raises(TypeError, match="RpcProject.timer must be ProjectTimer, not int"):
        v.RpcProject(timer=3)


def test_records_in_a_row_share_their_memory_with_numpy():
    numpy = pytest.importorskip("numpy")
    records = v.Task.records(4)
    assert records[0].cpus == 1.0 and len(records) == 4
    records.array["remaining"] = [1, 2, 3, 4]
    assert records.column("remaining") == [1.0, 2.0, 3.0, 4.0]
    assert records[-1].remaining == 4.0
    part = records[1:3]
    assert part.column("remaining") == [2.0, 3.0] and part == list(records)[1:3]
    part.array["id"] = 7
    assert records[2].id == 7
    assert numpy.asarray(part).dtype == v.Task.dtype()
    array = v.Task.records(2).array
    assert array["cpus"].tolist() == [1.0, 1.0]  # the memory stays as long as it is used
    with pytest.raises(IndexError):
        records[4]
    with pytest.raises(ValueError, match="step must be 1"):
        records[::2]
    with pytest.raises(TypeError, match="no field"):
        records.column("none")


def test_what_records_are_of_cannot_be_changed():
    records = v.Task.records(1)
    assert records.kind is v.Task
    # Otherwise a call could read beyond their memory, and an empty row of its own kind would ask itself without end.
    for kind in (v.Project, v.Grid, records, None):
        with pytest.raises(AttributeError):
            records.kind = kind
    assert records.kind is v.Task and records.column("cpus") == [1.0]


@pytest.mark.parametrize("field, value, error, message", [
    ("remaining", "3", TypeError, "Task.remaining must be a number, not str"),
    ("remaining", None, TypeError, "Task.remaining must be a number, not None"),
    ("remaining", 10**400, OverflowError, "Task.remaining is too large for a number"),
    ("project", "3", TypeError, "Task.project must be a whole number, not str"),
    ("project", 1.0, TypeError, "Task.project must be a whole number, not float"),
    ("project", -1, OverflowError, "Task.project must be 0 ... 4294967295"),
    ("project", 2**32, OverflowError, "Task.project must be 0 ... 4294967295"),
    ("id", 2**64, OverflowError, "Task.id must be 0 ... 18446744073709551615"),
])
def test_a_field_refuses_what_it_cannot_hold(field, value, error, message):
    task = v.Task()
    with pytest.raises(error) as caught:
        setattr(task, field, value)
    assert str(caught.value) == message
    if value is not None:  # None in a constructor is refused too, by the same words
        with pytest.raises(error) as caught:
            v.Task(**{field: value})
        assert str(caught.value) == message
    assert task == v.Task()


def test_numbers_of_numpy_are_numbers():
    numpy = pytest.importorskip("numpy")
    task = v.Task(project=numpy.uint32(3), remaining=numpy.float32(1.5), id=numpy.int64(7))
    assert (task.project, task.remaining, task.id) == (3, 1.5, 7)


def test_constants_have_the_values_of_the_compiler():
    plain = [name for name in constants.__all__ if not isinstance(getattr(constants, name), type)]
    assert len(plain) > 200
    for name in plain:
        assert getattr(constants, name) == getattr(library.lib, f"VCS_{name}"), name
    assert v.Reason.OWN_DEADLINE == v.REASON_OWN_DEADLINE
    assert v.TaskFlags.RUNNING | v.TaskFlags.STARTED == 3
    # A flag of several structs is a member of the enum of each.
    for flags in (v.TrustFlags, v.ClientFlags, v.BallotFlags, v.CheckFlags, v.SendLimitsFlags):
        assert flags.BLACKLISTED == v.BLACKLISTED == 1
    assert "ClientFlags.BLACKLISTED" in repr(v.Client(flags=v.BLACKLISTED))
    assert v.ErrorCode(-7).name == "RANGE"
    # Names that say what they mean, values that are no flags, and no count among the members.
    assert v.ResourceReplyFlags.NOT_WANTED == v.NextRequestFlags.WITHOUT_WORK == v.TaskDecisionFlags.LATE == 1
    assert v.LateBy.COUNT == 1 and v.EventReason(v.IDLE_SERVER_LIMIT) and not issubclass(v.Class, enum.Flag)
    assert v.IDLE_REASONS not in list(v.EventReason) and v.DECISION_GIVE_UP in list(v.TaskDecisionFlags)


def test_parameters_begin_with_a_profile_and_take_choices_by_name():
    current = v.Parameters()
    assert current == v.Parameters("current") == v.Parameters(v.PROFILE_CURRENT)
    study = v.Parameters("study2007", discipline="sliced", period=60)
    assert (study.profile, study.discipline, study.period) == (v.PROFILE_STUDY2007, v.DISCIPLINE_SLICED, 60.0)
    with pytest.raises(ValueError, match="profile must be one of rpc2003, study2007, current, steady, not 'today'"):
        v.Parameters("today")
    with pytest.raises(ValueError, match="Parameters.discipline must be one of fluid, sliced, not 'round'"):
        v.Parameters(discipline="round")
    with pytest.raises(v.VcsError):
        v.Parameters(17)
    broken = v.Parameters(miss_fraction=2.0)
    with pytest.raises(v.VcsError) as caught:
        broken.check()
    assert (caught.value.name, caught.value.record, caught.value.field) == ("VCS_ERR_RANGE", "parameters",
                                                                            "miss_fraction")


def test_the_library_s_tables_can_be_read():
    names = [row.name for row in tables.parameters()]
    assert set(names) <= set(v.Parameters.fields) and "rec_half_life" in names
    reasons = {row.code: row.sentence for row in tables.reasons()}
    assert all(reasons[code] for code in v.Reason if code)
    assert interface.version().count(".") == 2


def test_every_function_of_the_library_is_reached():
    by_hand = {"state_size", "state_prepare", "state_renew", "wrr_tasks", "wrr_resources", "wrr_project_resources",
               "edf_tasks",
               "edf_resources", "schedule_running", "schedule_tasks", "schedule_resources", "fetch_decisions",
               "dispatch_size", "dispatch_build", "dispatch_set_client", "dispatch_set_job", "dispatch_next", "emulate",
               "emulate_grid", "bound"}
    reached = {name for name, thing in vars(interface).items() if callable(thing)}
    for kind in KINDS:
        reached |= {f"{kind._struct}_{name}" for name in vars(kind)} | {f"{kind._struct}_init"}
    reached |= {*vars(v.Unit)}  # with its results, whatever the name
    functions = {name[len("vcs_"):] for name in dir(library.lib) if name.startswith("vcs_")}
    assert {name for name in functions - reached - by_hand if not name.startswith("file_")} == set()  # vcsched.files


class TestLayout:
    """The check when the package is loaded, against libraries of other ages."""

    FIELDS = {"id": library.FieldLayout(0, 8), "share": library.FieldLayout(8, 8)}

    def check(self, size, fields):
        library.check_layout("host", 16, self.FIELDS, size, fields, "9.9.9")

    def test_the_same_and_a_newer_library_are_fine(self):
        self.check(16, self.FIELDS)
        self.check(24, {**self.FIELDS, "more": library.FieldLayout(16, 8)})

    def test_an_older_library_is_refused(self):
        with pytest.raises(ImportError, match="libvcsched 9.9.9 is older than this package: its vcs_host lacks share"):
            self.check(8, {"id": library.FieldLayout(0, 8)})
        with pytest.raises(ImportError, match="lacks 8 bytes"):
            self.check(8, self.FIELDS)

    def test_another_layout_is_refused(self):
        with pytest.raises(ImportError, match="field share of vcs_host has offset 16"):
            self.check(24, {**self.FIELDS, "share": library.FieldLayout(16, 8)})
