// SPDX-License-Identifier: MIT
//! The layer over the library: layouts, the example of the manual for Lua with its numbers, refusals.

use super::*;

const CPU: [Resource; 1] =
    [Resource { id: 0, flops: 1e9, usable: 0.8, instances: 2, flags: 0, reserve: 0.0, reserved: [0] }];

fn projects() -> [Project; 2] {
    [Project { id: 1, share: 2.0, ..Default::default() }, Project { id: 2, share: 1.0, ..Default::default() }]
}

fn task(id: u64, project: u32, remaining: f64, deadline: f64) -> Task {
    Task { id, project, app: VCS_NONE, cpus: 1.0, remaining, deadline, ..Default::default() }
}

fn tasks() -> [Task; 3] {
    [task(1, 0, 7200.0, 86400.0), task(2, 0, 7200.0, 86400.0), task(3, 1, 3600.0, 2000.0)]
}

fn current() -> Parameters {
    let mut parameters = Parameters::of_profile(VCS_PROFILE_CURRENT).unwrap();
    parameters.set("min_buffer", 3600.0).unwrap();
    parameters
}

fn records<'a>(projects: &'a [Project], tasks: &'a [Task]) -> Records<'a> {
    Records { resources: &CPU, projects, tasks, ..Default::default() }
}

#[test]
fn every_field_lies_where_the_library_has_it() {
    let layouts = sys::layouts();
    assert!(layouts.len() > 50);
    for (number, size, fields) in layouts {
        let name = emulator_struct_name(number);
        assert_eq!(emulator_struct_size(number) as usize, size, "{name}");
        let there: Vec<_> = (0..emulator_field_count(number))
            .map(|index| emulator_field_at(number, index).unwrap())
            .map(|info| (text_in(&info.name), info.offset as usize, info.size as usize))
            .collect();
        let here: Vec<_> = fields.into_iter().map(|(field, offset, size)| (field.to_string(), offset, size)).collect();
        assert_eq!(there, here, "{name}");
    }
}

#[test]
fn the_version_is_that_of_the_headers_and_arithmetic_is_right() {
    assert!(version().starts_with(&format!("{VCS_VERSION_MAJOR}.{VCS_VERSION_MINOR}.{VCS_VERSION_PATCH}")));
    assert_eq!(self_test(), Ok(()));
}

#[test]
fn the_late_task_runs() {
    let (projects, tasks) = (projects(), tasks());
    let mut state = State::prepare(&records(&projects, &tasks), &current(), 0.0).unwrap();
    assert_eq!(state.wrr().unwrap().misses, 1);
    assert_eq!(state.wrr_tasks().unwrap()[2].verdict, VCS_VERDICT_MISSES);
    assert_eq!(state.wrr_resources().unwrap().len(), 1);
    assert_eq!(state.wrr_project_resources().unwrap().len(), 2);
    let summary = state.schedule(VCS_SCHEDULE_EXPLAIN).unwrap();
    let decisions = state.schedule_tasks().unwrap();
    assert_eq!((summary.running, decisions[2].run, reason_name(decisions[2].reason)), (2, 1, "late"));
    let running = state.schedule_running().unwrap();
    assert_eq!(running.iter().map(|(task, _)| *task).collect::<Vec<_>>(), [2, 0]);
    assert_eq!(running[0].1, decisions[2]);
    assert_eq!(state.schedule_resources().unwrap()[0].used, 2.0);
    state.fetch(&FetchQuestion::default()).unwrap();
    assert_eq!(state.fetch_decisions().unwrap().len(), 2);
    state.edf(VCS_EDF_MISSED).unwrap();
    assert_eq!((state.edf_tasks().unwrap().len(), state.edf_resources().unwrap().len()), (3, 1));
}

#[test]
fn a_candidate_is_admitted_once() {
    let (projects, candidates) = (projects(), [task(9, 0, 60.0, 86400.0)]);
    let records = Records { candidates: &candidates, ..records(&projects, &[]) };
    let mut state = State::prepare(&records, &current(), 0.0).unwrap();
    assert_eq!(state.admit(0).unwrap().admitted, 1);
    assert_eq!(state.admit(0).unwrap_err().code, VCS_ERR_DUPLICATE);
    assert_eq!(state.admit(1).unwrap_err().code, VCS_ERR_INDEX);
}

#[test]
fn what_is_refused_is_told_and_changes_nothing() {
    let (projects, mut tasks) = (projects(), tasks());
    tasks[1].remaining = -1.0;
    let error = State::prepare(&records(&projects, &tasks), &current(), 0.0).unwrap_err();
    assert_eq!((error.code, error.record, error.index, &*error.field), (VCS_ERR_RANGE, VCS_TYPE_TASK, 1, "remaining"));
    assert_eq!((error.name(), error.to_string().contains("remaining is negative")), ("VCS_ERR_RANGE", true));
    assert_eq!(State::prepare(&records(&projects, &[]), &current(), f64::NAN).unwrap_err().code, VCS_ERR_NOT_FINITE);
    assert_eq!(State::prepare(&Records::default(), &current(), 0.0).unwrap_err().code, VCS_ERR_COUNT);
    assert_eq!(Parameters::of_profile(VCS_PROFILE_COUNT).unwrap_err().code, VCS_ERR_FLAGS);
}

#[test]
fn a_parameter_that_is_not_set_is_named() {
    let (before, mut parameters) = (current(), current());
    for (name, value, code, message) in [
        ("min_bufer", 1.0, VCS_ERR_INDEX, "there is no parameter called \"min_bufer\""),
        ("min\0buffer", 1.0, VCS_ERR_INDEX, "there is no parameter called \"min\\0buffer\""),
        ("min_buffer", f64::NAN, VCS_ERR_NOT_FINITE, "min_buffer must be a number from 0 to 10000000000, not NaN"),
        ("min_buffer", -1.0, VCS_ERR_RANGE, "min_buffer must be a number from 0 to 10000000000, not -1"),
        ("backoff_failures", 1.5, VCS_ERR_RANGE, "backoff_failures must be a whole number from 1 to 1000, not 1.5"),
        ("freeze_rec", 2.0, VCS_ERR_RANGE, "freeze_rec must be a whole number from 0 to 1, not 2"),
    ] {
        let error = parameters.set(name, value).unwrap_err();
        assert_eq!((error.code, error.record, &*error.field), (code, VCS_TYPE_PARAMETERS, name));
        assert_eq!(error.to_string().trim_start_matches("parameters: "), message);
    }
    assert_eq!(parameters, before);
}

#[test]
fn a_host_whose_size_cannot_be_computed_is_refused_with_a_reason() {
    let (projects, tasks) = (projects(), tasks());
    let mut state = State::prepare(&records(&projects, &tasks), &current(), 0.0).unwrap();
    let without_cpus = [Resource { instances: 0, ..CPU[0] }];
    let records = Records { resources: &without_cpus, ..records(&projects, &tasks) };
    for refused in [State::prepare(&records, &current(), 0.0).map(|_| ()), state.renew(&records, &current(), 0.0)] {
        let error = refused.unwrap_err();
        assert_eq!((error.code, error.record, &*error.field), (VCS_ERR_RANGE, VCS_TYPE_RESOURCE, "instances"));
        assert_eq!(error.to_string(), "resource 0: instances is too small");
    }
}

#[test]
fn hours_are_those_of_a_day_or_a_week() {
    let (projects, hours) = (projects(), [Hour::default(); 24]);
    let parameters = Parameters { hours: VCS_HOURS_DAY, ..current() };
    let of = |hours| Records { hours, ..records(&projects, &[]) };
    assert!(State::prepare(&of(&hours), &parameters, 0.0).is_ok());
    let error = State::prepare(&of(&hours[1..]), &parameters, 0.0).unwrap_err();
    assert_eq!((error.code, error.record), (VCS_ERR_COUNT, VCS_TYPE_HOUR));
}

#[test]
fn results_must_have_been_worked_out() {
    let (projects, tasks) = (projects(), tasks());
    let mut state = State::prepare(&records(&projects, &tasks), &current(), 0.0).unwrap();
    assert_eq!(state.wrr_tasks().unwrap_err().code, VCS_ERR_SEQUENCE);
    assert_eq!(state.schedule(VCS_SCHEDULE_EXPLAIN).unwrap_err().code, VCS_ERR_SEQUENCE);
    assert_eq!(state.fetch(&FetchQuestion::default()).unwrap_err().code, VCS_ERR_SEQUENCE);
}

#[test]
fn a_size_that_a_caller_changed_is_not_believed() {
    let (projects, tasks) = (projects(), tasks());
    let wrong = Parameters { struct_size: 4096, ..current() };
    let mut state = State::prepare(&records(&projects, &tasks), &wrong, 0.0).unwrap();
    state.wrr().unwrap();
    state.fetch(&FetchQuestion { struct_size: 4096, ..Default::default() }).unwrap();
}

#[test]
fn renewing_is_preparing() {
    let (projects, mut tasks) = (projects(), tasks());
    let mut state = State::prepare(&records(&projects, &tasks), &current(), 0.0).unwrap();
    tasks[2].deadline = 86400.0;
    state.renew(&records(&projects, &tasks), &current(), 60.0).unwrap();
    assert_eq!(state.wrr().unwrap().misses, 0);
    tasks[2].id = 1;
    assert_eq!(state.renew(&records(&projects, &tasks), &current(), 60.0).unwrap_err().code, VCS_ERR_DUPLICATE);
    state.wrr().unwrap();
    assert_eq!((state.wrr_tasks().unwrap().len(), state.wrr_resources().unwrap().len()), (0, 1));
}

#[test]
fn renewing_with_more_than_fits_takes_more_memory() {
    let (projects, tasks) = (projects(), tasks());
    let mut state = State::prepare(&records(&projects, &tasks), &current(), 0.0).unwrap();
    state.wrr().unwrap();
    let mut many: Vec<_> = (1..1000).map(|id| task(id, 0, 60.0, 86400.0)).collect();
    many[998].id = 1;
    assert_eq!(state.renew(&records(&projects, &many), &current(), 60.0).unwrap_err().code, VCS_ERR_DUPLICATE);
    many[998].remaining = -1.0;
    assert_eq!(state.renew(&records(&projects, &many), &current(), 60.0).unwrap_err().code, VCS_ERR_RANGE);
    assert_eq!(state.wrr_tasks().unwrap().len(), 3); // the state is unchanged

    many[998] = task(999, 0, 60.0, 86400.0);
    for count in [999, 10, 999, 600] {
        let records = records(&projects, &many[..count]);
        state.renew(&records, &current(), 60.0).unwrap();
        assert_eq!(state.wrr_tasks().unwrap_err().code, VCS_ERR_SEQUENCE);
        let mut fresh = State::prepare(&records, &current(), 60.0).unwrap();
        assert_eq!(state.wrr().unwrap(), fresh.wrr().unwrap());
        assert_eq!(state.wrr_tasks().unwrap(), fresh.wrr_tasks().unwrap());
        assert_eq!(state.wrr_tasks().unwrap().len(), count);
    }
    let none = Records { projects: &projects, ..Default::default() };
    assert_eq!(state.renew(&none, &current(), 60.0).unwrap_err().code, VCS_ERR_COUNT);
    assert_eq!(state.wrr_tasks().unwrap().len(), 600);
}

#[test]
fn a_state_moves_between_threads() {
    let (projects, tasks) = (projects(), tasks());
    let mut state = State::prepare(&records(&projects, &tasks), &current(), 0.0).unwrap();
    let misses = std::thread::spawn(move || state.wrr().map(|summary| summary.misses)).join().unwrap();
    assert_eq!(misses, Ok(1));
}

#[test]
fn as_much_of_wrr_as_a_schedule_needs() {
    let (projects, tasks) = (projects(), tasks());
    let mut state = State::prepare(&records(&projects, &tasks), &current(), 0.0).unwrap();
    state.wrr_for_schedule().unwrap();
    let summary = state.schedule(VCS_SCHEDULE_EXPLAIN).unwrap();
    assert_eq!((summary.running, state.schedule_tasks().unwrap()[2].run), (2, 1));
}

#[test]
fn tables_are_read_row_by_row() {
    assert_eq!((profile_name(VCS_PROFILE_CURRENT), profile_name(VCS_PROFILE_COUNT)), ("current", ""));
    let rows: Vec<_> = (0..parameter_count()).map(|row| parameter_at(row).unwrap()).collect();
    let buffer = rows.iter().find(|row| text_in(&row.name) == "min_buffer").unwrap();
    assert_eq!((text_in(&buffer.unit), buffer.minimum), ("s".to_string(), 0.0));
    assert_eq!(
        buffer.value[VCS_PROFILE_CURRENT as usize],
        Parameters::of_profile(VCS_PROFILE_CURRENT).unwrap().min_buffer
    );
    assert_eq!(parameter_at(parameter_count()).unwrap_err().code, VCS_ERR_INDEX);
    assert_eq!(parameter_choice(u32::MAX, u32::MAX), "");
    let reason = reason_at(reason_count() - 1).unwrap();
    assert_eq!(text_in(&reason.name), reason_name(reason.code));
    assert_eq!(reason_at(u32::MAX).unwrap_err().code, VCS_ERR_INDEX);
    assert_eq!(text_in(&field_at(VCS_TYPE_TASK, 0).unwrap().name), "id");
    assert_eq!(field_at(VCS_TYPE_TASK, field_count(VCS_TYPE_TASK)).unwrap_err().code, VCS_ERR_INDEX);
    assert_eq!((struct_name(VCS_TYPE_TASK), struct_size(VCS_TYPE_TASK) as usize), ("task", size_of::<Task>()));
    assert_eq!((struct_name(u32::MAX), struct_size(u32::MAX), field_count(u32::MAX)), ("", 0, 0));
    assert_eq!(
        (emulator_struct_name(u32::MAX), emulator_struct_size(u32::MAX), emulator_field_count(u32::MAX)),
        ("", 0, 0)
    );
    assert_eq!(emulator_field_at(u32::MAX, 0).unwrap_err().code, VCS_ERR_INDEX);
    assert_eq!((event_name(VCS_EVENT_RECEIVED), event_name(u32::MAX)), ("received", ""));
    assert_eq!((idle_name(VCS_IDLE_NO_WORK), idle_name(u32::MAX)), ("no_work", ""));
    assert!(!idle_sentence(VCS_IDLE_NO_WORK).is_empty() && idle_sentence(u32::MAX).is_empty());
    assert_eq!((bound_name(VCS_BOUND_OPTIMAL), bound_name(u32::MAX)), ("optimal", ""));
    assert_eq!((change_field_name(VCS_FIELD_RESULT_OUTCOME), change_field_name(u32::MAX)), ("outcome", ""));
    assert_eq!(abi_version() as i32, VCS_ABI_VERSION);
    assert!(GridTerms::init().unwrap().duration > 0.0 && GridProject::init().is_ok());
}
