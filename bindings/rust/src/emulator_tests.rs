// SPDX-License-Identifier: MIT
//! The layer over libvcemu, and what a server sends: from records and from files, and what is refused.

use super::*;
// By name, since sys has others.
use super::{Error, GridHooks, Hooks, Scenario};
use std::panic::{catch_unwind, AssertUnwindSafe};

const SCENARIO: &str = "
[host]
cpus = 2
flops = 1e9

[project left]
share = 300

[project right]
share = 100

[app left/short]
latency_bound = 86400
est_flops = 3.6e12

[app right/long]
latency_bound = 864000
est_flops = 3.6e13

[emulation]
duration = 864000
";

const GRID: &str = "
[emulation]
duration = 864000

[project science]

[server science]
units = 40
est_flops = 3.6e12
delay_bound = 86400
min_quorum = 2

[population lab]
count = 10
cpus = 2
flops = 1e9
";

fn parse(text: &str, kind: u32) -> File {
    File::parse(text, "test.ini", kind, &Changes::default()).unwrap()
}

fn model(latency_bound: f64, flops: f64) -> JobModel {
    JobModel { latency_bound, est_flops: flops, mean_flops: flops, cpus: 1.0, weight: 1.0, ..Default::default() }
}

#[test]
fn records_and_a_file_come_to_the_same() {
    let resources = [Resource { flops: 1e9, usable: 1.0, instances: 2, ..Default::default() }];
    let project = |id, share| Project { id, share, ..Default::default() };
    let projects = [project(0, 300.0), project(1, 100.0)];
    let apps = [App { project: 0, ..Default::default() }, App { id: 1, project: 1, ..Default::default() }];
    let records = Records { resources: &resources, projects: &projects, apps: &apps, ..Default::default() };
    let emulation = Emulation { duration: 864000.0, ..Emulation::of_profile(VCS_PROFILE_CURRENT).unwrap() };
    let models = [model(86400.0, 3.6e12), model(864000.0, 3.6e13)];
    let scenario = Scenario { records, emulation, models: &models, ..Default::default() };
    let parameters = Parameters::of_profile(VCS_PROFILE_CURRENT).unwrap();
    let emulated = scenario.emulate(&parameters).unwrap();
    assert_eq!((emulated.projects.len(), emulated.resources.len()), (2, 1));
    assert!(emulated.outcome.in_time > 100 && emulated.projects[0].flops_used > emulated.projects[1].flops_used);

    let file = parse(SCENARIO, VCS_FILE_SCENARIO);
    assert_eq!((file.name(VCS_TYPE_PROJECT, 1), file.name(VCS_TYPE_APP, 0)), ("right", "left/short"));
    assert_eq!(file.name(VCS_TYPE_PROJECT, 2), "");
    assert_eq!(file.emulate().unwrap(), emulated);

    let off = [3600.0, 7200.0];
    let paused = Scenario { switches: &off, ..scenario }.emulate(&parameters).unwrap();
    assert_eq!(paused.outcome.available_time, 864000.0 - 3600.0);
}

#[test]
fn a_file_is_changed_when_it_is_read_and_later() {
    let changes = Changes { profile: Some("steady"), settings: &["min_buffer=7200"], seed: Some(7), days: 2.0 };
    let mut file = File::parse(SCENARIO, "test.ini", VCS_FILE_SCENARIO, &changes).unwrap();
    let (parameters, emulation) = (file.parameters(), file.emulation());
    let steady = Parameters::of_profile(VCS_PROFILE_STEADY).unwrap();
    assert_eq!(parameters, Parameters { min_buffer: 7200.0, ..steady });
    assert_eq!((emulation.seed, emulation.duration), (7, 172800.0));
    assert_eq!(file.emulate().unwrap().outcome.available_time, 172800.0);
    file.set_emulation(&Emulation { struct_size: 4096, duration: 86400.0, ..emulation });
    file.set_parameters(&Parameters { min_buffer: 0.0, ..parameters });
    assert_eq!((file.emulation().duration, file.parameters().min_buffer), (86400.0, 0.0));
    assert_eq!(file.emulate().unwrap().outcome.available_time, 86400.0);
    assert_eq!((file.terms(), file.notes()), (None, ""));
    assert!(!file.sets(VCS_NONE, "min_buffer") && !file.sets(7, "no\0name"));
    let own = parse(&format!("{SCENARIO}\n[client]\nmin_buffer = 60\n"), VCS_FILE_SCENARIO);
    assert!(own.sets(VCS_NONE, "min_buffer") && own.sets(7, "min_buffer") && !own.sets(0, "additional_buffer"));
}

#[test]
fn the_host_of_a_file_is_prepared() {
    let file = parse(
        "[host]\ncpus = 2\nflops = 1e9\n[project one]\n[task a]\nproject = one\nremaining = 60\n",
        VCS_FILE_STATE,
    );
    let mut state = file.prepare().unwrap();
    drop(file);
    assert_eq!(state.wrr().unwrap().misses, 0);
    assert_eq!(state.wrr_tasks().unwrap()[0].finish, 60.0);
}

#[test]
fn a_grid_is_emulated() {
    let mut file = parse(GRID, VCS_FILE_GRID);
    let terms = file.terms().unwrap();
    assert_eq!(terms.duration, 864000.0);
    let emulated = file.emulate_grid().unwrap();
    assert_eq!((emulated.outcome.hosts, emulated.projects.len(), emulated.projects[0].units), (10, 1, 40));
    assert!(emulated.projects[0].done > 0);
    assert_eq!((emulated.hosts.len(), emulated.samples[0].len(), emulated.turnarounds[0].len()), (10, 0, 2560));
    assert_eq!(emulated.turnarounds[0].iter().sum::<u64>(), emulated.projects[0].done);
    let leaving = parse(&format!("{GRID}lifetime = 432000\nreplaced = yes\n"), VCS_FILE_GRID).emulate_grid().unwrap();
    assert!(leaving.hosts.len() as u64 == leaving.outcome.hosts && leaving.outcome.hosts > 10);
    assert!(leaving.hosts.iter().skip(10).all(|host| host.joined > 0.0));
    for (sample, count) in [(86400.0, 10), (863999.0, 1), (864000.0, 1), (1e6, 0)] {
        file.set_terms(&GridTerms { sample, ..terms });
        assert_eq!(file.emulate_grid().unwrap().samples[0].len(), count, "{sample}");
    }
    for strange in [f64::NAN, -1.0, f64::INFINITY, 1e-300] {
        file.set_terms(&GridTerms { sample: strange, ..terms });
        assert!(file.emulate_grid().is_err(), "{strange}");
    }
    file.set_terms(&GridTerms { duration: 60.0, ..terms });
    assert_eq!(file.emulate_grid().unwrap().projects[0].done, 0);
}

#[test]
fn what_is_wrong_with_a_file_is_told_by_its_line() {
    let refused = |text: &str| File::parse(text, "test.ini", VCS_FILE_SCENARIO, &Changes::default()).unwrap_err();
    assert!(refused("[host]\ncpus = many\n").to_string().starts_with("test.ini:2: [host] cpus: "));
    assert!(refused("[host]\ncpus = 2\nflops = 1e9\n").0.contains("there are no jobs to emulate"));
    let changes = Changes { profile: Some("best"), ..Default::default() };
    assert!(File::parse(SCENARIO, "test.ini", VCS_FILE_SCENARIO, &changes).unwrap_err().0.contains("best"));
    let changes = Changes { settings: &["min\0buffer=1"], ..Default::default() };
    assert!(File::parse(SCENARIO, "test.ini", VCS_FILE_SCENARIO, &changes).unwrap_err().0.contains("NUL"));
    assert!(File::read("/dev/null/none.ini", VCS_FILE_SCENARIO, &Changes::default()).is_err());
    let mut file = parse(SCENARIO, VCS_FILE_SCENARIO);
    file.set_emulation(&Emulation { duration: -1.0, ..file.emulation() });
    let error = file.emulate().unwrap_err();
    assert_eq!((error.code, error.record, &*error.field), (VCS_ERR_RANGE, VCS_TYPE_EMULATION, "duration"));
    assert!(error.message.starts_with("test.ini"), "{error}");
}

#[test]
fn a_host_is_no_grid() {
    let (mut host, grid) = (parse(SCENARIO, VCS_FILE_SCENARIO), parse(GRID, VCS_FILE_GRID));
    host.set_terms(&grid.terms().unwrap());
    assert_eq!(host.emulate_grid().unwrap_err().code, VCS_ERR_NULL);
    assert_eq!(grid.emulate().unwrap_err().code, VCS_ERR_NULL);
    assert_eq!(grid.prepare().unwrap_err().code, VCS_ERR_NULL);
}

#[test]
fn a_scenario_that_cannot_be_is_refused() {
    let parameters = Parameters::of_profile(VCS_PROFILE_CURRENT).unwrap();
    assert!(Scenario::default().emulate(&parameters).is_err());
    assert_eq!(Emulation::of_profile(VCS_PROFILE_COUNT).unwrap_err().code, VCS_ERR_FLAGS);
}

#[test]
fn a_server_sends_what_can_be_done_in_time() {
    let resources = [Resource { flops: 1e9, usable: 1.0, instances: 1, ..Default::default() }];
    let projects = [Project { id: 1, share: 1.0, ..Default::default() }];
    let candidate = |id, remaining| Task { id, app: VCS_NONE, cpus: 1.0, remaining, ..Default::default() };
    let candidates = [candidate(1, 3600.0), candidate(2, 3600.0), candidate(3, 3600.0)];
    let records = Records { resources: &resources, projects: &projects, candidates: &candidates, ..Default::default() };
    let mut parameters = Parameters::of_profile(VCS_PROFILE_CURRENT).unwrap();
    parameters.set("min_buffer", 0.0).unwrap();
    let mut state = State::prepare(&records, &parameters, 0.0).unwrap();
    let requests = [SendRequest { seconds: 7200.0, ..Default::default() }];
    let job = |unit, latency_bound| SendJob { unit, latency_bound, ..Default::default() };
    let jobs = [job(1, 60.0), job(2, 86400.0), job(3, 86400.0)];
    let limits = SendLimits { max_jobs: 1, struct_size: 4096, ..SendLimits::none().unwrap() };
    let (summary, decisions) = state.send(&requests, &jobs, &limits).unwrap();
    assert_eq!((summary.sent, decisions.len()), (1, 3));
    assert_eq!(decisions.iter().map(|one| one.sent).collect::<Vec<_>>(), [0, 1, 0]);
    assert_eq!(decisions[1].reason, VCS_REASON_JOB_SENT);
    assert_eq!(state.send(&requests, &jobs, &SendLimits::none().unwrap()).unwrap().0.sent, 2);
    assert_eq!(state.send(&requests, &jobs[..2], &limits).unwrap_err().code, VCS_ERR_COUNT);
    let negative = [SendRequest { seconds: -1.0, ..Default::default() }];
    let error = state.send(&negative, &jobs, &limits).unwrap_err();
    assert_eq!((error.code, error.record, &*error.field), (VCS_ERR_RANGE, VCS_TYPE_SEND_REQUEST, "seconds"));
}

#[test]
fn functions_that_decide_as_the_library_does_change_nothing() {
    let (file, mut asked, mut events) = (parse(SCENARIO, VCS_FILE_SCENARIO), [0; 4], Vec::new());
    let [schedules, fetches, sends, estimates] = &mut asked;
    let mut hooks = Hooks {
        schedule: Some(Box::new(|situation, decisions| {
            *schedules += 1;
            let summary = situation.state.schedule(VCS_SCHEDULE_EXPLAIN)?;
            decisions.copy_from_slice(&situation.state.schedule_tasks()?);
            Ok(summary.next_check)
        })),
        fetch: Some(Box::new(|situation, question, decisions| {
            *fetches += 1;
            assert_eq!((situation.seed, situation.records.projects.len()), (1, 2));
            let summary = situation.state.fetch(question)?;
            decisions.copy_from_slice(&situation.state.fetch_decisions()?);
            Ok((summary.project, summary.next_check))
        })),
        send: Some(Box::new(|situation, candidate| {
            *sends += 1;
            assert!((candidate as usize) < situation.records.candidates.len());
            Ok(true)
        })),
        estimate: Some(Box::new(|progress, rule| {
            *estimates += 1;
            progress.estimate_remaining(rule)
        })),
        observe: Some(Box::new(|event| {
            events.push(*event);
            Ok(())
        })),
    };
    let emulated = file.emulate_with(&mut hooks).unwrap();
    drop(hooks);
    assert_eq!(emulated, file.emulate().unwrap());
    assert!(asked.iter().all(|calls| *calls > 10), "{asked:?}");
    assert!(events.len() > 100 && events.windows(2).all(|two| two[0].time <= two[1].time));
}

#[test]
fn a_policy_that_runs_nothing_finishes_nothing() {
    let file = parse(SCENARIO, VCS_FILE_SCENARIO);
    let nothing = Hooks { schedule: Some(Box::new(|_, _| Ok(3600.0))), ..Default::default() };
    let outcome = file.emulate_with(&mut { nothing }).unwrap().outcome;
    assert_eq!((outcome.in_time, outcome.idleness), (0, 1.0));
    let refusing = Hooks { send: Some(Box::new(|_, _| Ok(false))), ..Default::default() };
    let emulated = file.emulate_with(&mut { refusing }).unwrap();
    assert_eq!((emulated.outcome.received, emulated.projects[0].received), (0, 0));
}

#[test]
fn an_error_or_a_panic_of_a_function_ends_the_emulation() {
    let (file, mut calls) = (parse(SCENARIO, VCS_FILE_SCENARIO), 0);
    let mut hooks = Hooks {
        schedule: Some(Box::new(|situation, _| {
            calls += 1;
            situation.state.admit(u32::MAX).map(|_| 0.0) // an error of the library's, passed on
        })),
        ..Default::default()
    };
    assert_eq!(file.emulate_with(&mut hooks).unwrap_err().code, VCS_ERR_INDEX);
    drop(hooks);
    assert_eq!(calls, 1);
    let own = Error { code: 1, record: VCS_TYPE_NONE, index: 0, field: String::new(), message: "mine".into() };
    let mut hooks = Hooks { observe: Some(Box::new(|_| Err(own.clone()))), ..Default::default() };
    assert_eq!(file.emulate_with(&mut hooks), Err(own.clone()));

    let mut hooks = Hooks { estimate: Some(Box::new(|_, _| panic!("on purpose"))), ..Default::default() };
    let panic = catch_unwind(AssertUnwindSafe(|| file.emulate_with(&mut hooks))).unwrap_err();
    assert_eq!(panic.downcast_ref::<&str>(), Some(&"on purpose"));
    assert!(file.emulate().is_ok());
}

#[test]
fn impossible_decisions_are_refused() {
    let file = parse(SCENARIO, VCS_FILE_SCENARIO);
    let refused = |mut hooks: Hooks| {
        let error = file.emulate_with(&mut hooks).unwrap_err();
        assert!([VCS_ERR_RANGE, VCS_ERR_NOT_FINITE].contains(&error.code), "{error}");
    };
    for strange in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0] {
        refused(Hooks {
            fetch: Some(Box::new(move |_, _, decisions| {
                decisions.fill(FetchDecision { seconds: strange, ..Default::default() });
                Ok((0, 60.0))
            })),
            ..Default::default()
        });
        refused(Hooks { estimate: Some(Box::new(move |_, _| Ok(strange))), ..Default::default() });
    }
    refused(Hooks { schedule: Some(Box::new(|_, _| Ok(f64::NAN))), ..Default::default() });
    refused(Hooks { fetch: Some(Box::new(|_, _, _| Ok((0, f64::NAN)))), ..Default::default() });
    let all = TaskDecision { run: u32::MAX, flags: !VCS_DECISION_GIVE_UP, devices: u64::MAX, ..Default::default() };
    refused(Hooks {
        schedule: Some(Box::new(move |_, decisions| {
            decisions.fill(all);
            Ok(-1.0)
        })),
        ..Default::default()
    });
    // A project that is not there is asked for nothing.
    let mut nobody = Hooks { fetch: Some(Box::new(|_, _, _| Ok((u32::MAX - 1, 3600.0)))), ..Default::default() };
    assert_eq!(file.emulate_with(&mut nobody).unwrap().outcome.received, 0);
}

#[test]
fn an_emulation_within_a_decision_has_functions_of_its_own() {
    let (file, mut inner_calls) = (parse(SCENARIO, VCS_FILE_SCENARIO), 0);
    let mut outer_calls = 0;
    let mut hooks = Hooks {
        schedule: Some(Box::new(|situation, _| {
            outer_calls += 1;
            let mut inner = Hooks {
                observe: Some(Box::new(|_| {
                    inner_calls += 1;
                    Ok(())
                })),
                ..Default::default()
            };
            if outer_calls == 1 {
                file.emulate_with(&mut inner)?;
            }
            situation.state.wrr()?;
            Ok(3600.0)
        })),
        ..Default::default()
    };
    assert_eq!(file.emulate_with(&mut hooks).unwrap().outcome.in_time, 0);
    drop(hooks);
    assert!(inner_calls > 100 && outer_calls > 100);
}

#[test]
fn a_host_that_is_always_on_need_not_lose_anything() {
    let file = parse(SCENARIO, VCS_FILE_SCENARIO);
    let bounds = file.bounds().unwrap();
    assert_eq!(bounds.iter().map(|bound| bound.optimal).collect::<Vec<_>>(), [0.0, 0.0]);
    let emulated = file.emulate().unwrap();
    let beyond = bound_beyond(&bounds, VCS_BOUND_OPTIMAL, &emulated.projects, &emulated.resources);
    assert_eq!(beyond, Ok((0.0, 0.0)));
    let (points, corners) = bound_curve(&bounds, VCS_BOUND_OPTIMAL).unwrap();
    assert!(points.len() == 2 && (1..=2).contains(&corners));
    assert_eq!((points[0].share_violation, points[0].loss, points[0].project), (0.0, 0.0, VCS_NONE));

    assert_eq!(bound_curve(&bounds, u32::MAX).unwrap_err().code, VCS_ERR_FLAGS);
    let fewer = bound_beyond(&bounds[1..], VCS_BOUND_OPTIMAL, &emulated.projects, &emulated.resources);
    assert_eq!(fewer.unwrap_err().code, VCS_ERR_COUNT);
    let elsewhere = [bounds[0], bounds[1]].map(|bound| ProjectBound { resource: 9, ..bound });
    let beyond = bound_beyond(&elsewhere, VCS_BOUND_OPTIMAL, &emulated.projects, &emulated.resources);
    assert_eq!(beyond.unwrap_err().code, VCS_ERR_INDEX);
    assert!(Scenario::default().bounds().is_err());
    assert_eq!(parse(GRID, VCS_FILE_GRID).bounds().unwrap_err().code, VCS_ERR_NULL);
}

#[test]
fn a_host_that_is_off_for_long_loses_at_least_its_bound() {
    let off = SCENARIO.replace("[project left]", "available = 0.5\navailable_mean = 36000\n[project left]");
    let bounds = parse(&off, VCS_FILE_SCENARIO).bounds().unwrap();
    assert!(bounds[0].optimal > 0.0 && bounds[0].optimal <= bounds[0].hopeless, "{bounds:?}");
}

#[test]
fn servers_that_decide_as_the_library_does_change_nothing() {
    let adaptive = GRID.replace("min_quorum = 2", "min_quorum = 2\nverification = adaptive");
    let by_reply = GRID.replace("min_quorum = 2", "dispatch = reply");
    for (text, kinds) in [(&adaptive, 0b0110), (&by_reply, 0b0001)] {
        let (mut file, asked) = (parse(text, VCS_FILE_GRID), [0; 4].map(Cell::new));
        let count = |kind: usize| asked[kind].set(asked[kind].get() + 1);
        let (mut times, mut done) = (Vec::new(), Vec::new());
        let mut hooks = GridHooks {
            dispatch: Some(Box::new(|situation, next| {
                count(0);
                next(situation.host, situation.now).map(Some)
            })),
            validate: Some(Box::new(|situation, unit, results, classes| {
                count(1);
                unit.validate(results, classes, situation.now).map(Some)
            })),
            trust: Some(Box::new(|_, trust, u| {
                count(2);
                trust.needs_copy(u).map(|(needed, _)| Some(needed))
            })),
            observe: Some(Box::new(|event| {
                times.push(event.time);
                Ok(())
            })),
            progress: Some(Box::new(|part| {
                done.push(part);
                Ok(())
            })),
            hosts: Hooks {
                schedule: Some(Box::new(|situation, decisions| {
                    count(3);
                    let summary = situation.state.schedule(VCS_SCHEDULE_EXPLAIN)?;
                    decisions.copy_from_slice(&situation.state.schedule_tasks()?);
                    Ok(summary.next_check)
                })),
                ..Default::default()
            },
        };
        let emulated = file.emulate_grid_with(&mut hooks).unwrap();
        assert!(hooks.hosts.schedule.is_some());
        drop(hooks);
        let called = (0..3).filter(|kind| asked[*kind].get() > 0).map(|kind| 1 << kind).sum::<u32>();
        assert_eq!((called, asked[3].get() > 10), (kinds, true), "{asked:?}");
        assert!(times.len() > 100 && times.windows(2).all(|two| two[0] <= two[1]));
        assert!(done.iter().all(|part| (0.0..=1.0).contains(part)));
        // Without functions once more: the file names none that are gone.
        assert_eq!(file.emulate_grid().unwrap(), emulated);
    }
}

#[test]
fn a_server_that_fails_at_a_decision_goes_on_and_an_error_or_a_panic_ends_it() {
    let mut file = parse(GRID, VCS_FILE_GRID);
    let whole = file.emulate_grid().unwrap();
    let mut failing = GridHooks { validate: Some(Box::new(|_, _, _, _| Ok(None))), ..Default::default() };
    let project = file.emulate_grid_with(&mut failing).unwrap().projects[0];
    assert!(project.failed_decisions > 0 && project.done == 0);

    let too_many = vec![Change::default(); 10000];
    let strange = vec![Change { result: 7, field: 99, ..Default::default() }];
    for (changes, code) in [(too_many, VCS_ERR_COUNT), (strange, VCS_ERR_RANGE)] {
        let mut hooks =
            GridHooks { validate: Some(Box::new(|_, _, _, _| Ok(Some(changes.clone())))), ..Default::default() };
        assert_eq!(file.emulate_grid_with(&mut hooks).unwrap_err().code, code);
    }
    let mut hooks = GridHooks::default();
    hooks.hosts.estimate = Some(Box::new(|_, _| panic!("a host, on purpose")));
    let panic = catch_unwind(AssertUnwindSafe(|| file.emulate_grid_with(&mut hooks))).unwrap_err();
    assert_eq!(panic.downcast_ref::<&str>(), Some(&"a host, on purpose"));
    assert!(hooks.hosts.estimate.is_some());
    let mut hooks = GridHooks { observe: Some(Box::new(|_| panic!("a server, on purpose"))), ..Default::default() };
    let panic = catch_unwind(AssertUnwindSafe(|| file.emulate_grid_with(&mut hooks))).unwrap_err();
    assert_eq!(panic.downcast_ref::<&str>(), Some(&"a server, on purpose"));
    drop(hooks);
    assert_eq!(file.emulate_grid().unwrap(), whole);

    let mut by_reply = parse(&GRID.replace("min_quorum = 2", "dispatch = reply"), VCS_FILE_GRID);
    for chosen in [0, 7, u32::MAX - 1] {
        let (mut first, mut strange) = (true, Vec::new());
        let mut hooks = GridHooks {
            dispatch: Some(Box::new(|situation, next| {
                strange = vec![next(u32::MAX, 0.0), next(situation.host, f64::NAN)];
                let copy = DispatchDecision { struct_size: 0, job: chosen, is_copy: 1, ..Default::default() };
                Ok(Some(if std::mem::take(&mut first) { copy } else { next(situation.host, situation.now)? }))
            })),
            ..Default::default()
        };
        assert_eq!(by_reply.emulate_grid_with(&mut hooks).unwrap_err().code, VCS_ERR_INDEX);
        drop(hooks);
        let codes: Vec<_> = strange.into_iter().map(|answer| answer.unwrap_err().code).collect();
        assert_eq!(codes, [VCS_ERR_INDEX, VCS_ERR_NOT_FINITE]);
    }
    assert_eq!(
        parse(SCENARIO, VCS_FILE_SCENARIO).emulate_grid_with(&mut GridHooks::default()).unwrap_err().code,
        VCS_ERR_NULL
    );
}
