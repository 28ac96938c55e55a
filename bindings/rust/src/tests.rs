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
        let name = text(unsafe { vcs_struct_name(number) });
        assert_eq!(unsafe { vcs_struct_size(number) } as usize, size, "{name}");
        let mut there = Vec::new();
        for index in 0..unsafe { vcs_field_count(number) } {
            let mut info = FieldInfo::default();
            plain(unsafe { vcs_field_at(number, index, &mut info) }).unwrap();
            there.push((text_in(&info.name), info.offset as usize, info.size as usize));
        }
        let here: Vec<_> = fields.into_iter().map(|(field, offset, size)| (field.to_string(), offset, size)).collect();
        assert_eq!(there, here, "{name}");
    }
}

#[test]
fn the_version_is_that_of_the_headers_and_arithmetic_is_right() {
    assert_eq!(version(), format!("{VCS_VERSION_MAJOR}.{VCS_VERSION_MINOR}.{VCS_VERSION_PATCH}"));
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
    let (before, mut parameters) = (current(), current());
    assert!(parameters.set("no such parameter", 1.0).is_err());
    assert!(parameters.set("min\0buffer", 1.0).is_err());
    assert!(parameters.set("min_buffer", -1.0).is_err());
    assert_eq!(parameters, before);
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
    let many: Vec<_> = (1..1000).map(|id| task(id, 0, 60.0, 86400.0)).collect();
    assert_eq!(state.renew(&records(&projects, &many), &current(), 60.0).unwrap_err().code, VCS_ERR_WORKSPACE);
    assert_eq!(state.wrr_tasks().unwrap().len(), 3);
    tasks[2].id = 1;
    assert_eq!(state.renew(&records(&projects, &tasks), &current(), 60.0).unwrap_err().code, VCS_ERR_DUPLICATE);
    state.wrr().unwrap();
    assert_eq!((state.wrr_tasks().unwrap().len(), state.wrr_resources().unwrap().len()), (0, 1));
}

#[test]
fn a_state_moves_between_threads() {
    let (projects, tasks) = (projects(), tasks());
    let mut state = State::prepare(&records(&projects, &tasks), &current(), 0.0).unwrap();
    let misses = std::thread::spawn(move || state.wrr().map(|summary| summary.misses)).join().unwrap();
    assert_eq!(misses, Ok(1));
}
