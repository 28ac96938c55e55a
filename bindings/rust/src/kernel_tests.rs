// SPDX-License-Identifier: MIT
//! The functions over single records and slices: what they answer, what they change, and what they refuse.

use super::*;

const HOUR: f64 = 3600.0;

fn current() -> Parameters {
    Parameters::of_profile(VCS_PROFILE_CURRENT).unwrap()
}

#[test]
fn a_computer_of_a_gigaflops_earns_200_credits_a_day() {
    assert_eq!(credits(1e9 * 86400.0), Ok(200.0));
    assert_eq!(credits(-1.0).unwrap_err().code, VCS_ERR_RANGE);
    assert_eq!(credits(f64::NAN).unwrap_err().name(), "VCS_ERR_NOT_FINITE");
}

#[test]
fn an_average_decays_and_is_unchanged_on_an_error() {
    let mut recent = Average::default();
    recent.add(100.0, 1.0 / 604800.0, 0.0).unwrap();
    recent.add(10.0, 1.0 / 604800.0, 604800.0).unwrap();
    assert!((recent.value - (100.0 / std::f64::consts::E + 10.0)).abs() < 1e-9);
    // After a half-life, half of the mean is that of the new work: 0 and 2 a day.
    let mut mean = Average::default();
    mean.blend(2.0, 86400.0, 86400.0).unwrap();
    assert_eq!(mean.value, 1.0);
    let before = mean;
    assert_eq!(mean.blend(-2.0, 86400.0, 86400.0).unwrap_err().code, VCS_ERR_RANGE);
    assert_eq!(mean, before);
}

#[test]
fn a_timer_is_delayed_and_waits() {
    let mut timer = ProjectTimer::default();
    assert_eq!(timer.wait(0.0), Ok(0.0));
    timer.delay(60.0, 0.0).unwrap();
    assert_eq!((timer.wait(20.0), timer.wait(60.0)), (Ok(40.0), Ok(0.0)));
    let before = timer;
    assert_eq!(timer.delay(f64::INFINITY, 60.0).unwrap_err().code, VCS_ERR_NOT_FINITE);
    assert_eq!(timer, before);
}

#[test]
fn a_failure_a_refusal_and_a_task_change_the_timers() {
    let (mut timer, mut backoffs) = (ProjectTimer::default(), [ResourceBackoff::default(); 2]);
    let asked = ResourceReply { seconds: HOUR, u: 0.5, ..Default::default() };
    let failed = Reply { flags: VCS_REPLY_FAILED, u: 0.5, ..Default::default() };
    timer.reply_apply(&mut backoffs, &failed, &[asked, asked], &current()).unwrap();
    assert_eq!((timer.failures, backoffs), (1, [ResourceBackoff::default(); 2]));
    let range = BackoffRange::init(&current(), VCS_BACKOFF_OF_SCHEDULER).unwrap();
    assert_eq!(timer.wait(0.0), backoff(1, &range, 0.5));

    // Work came for the first resource alone. u = 0.5 leaves the interval as it is.
    let answer = Reply { now: HOUR, request_delay: 60.0, ..Default::default() };
    let sent = ResourceReply { tasks: 1, ..asked };
    timer.reply_apply(&mut backoffs, &answer, &[sent, asked], &current()).unwrap();
    assert_eq!((timer.failures, timer.wait(HOUR)), (0, Ok(60.0)));
    assert_eq!((backoffs[0].wait(HOUR), backoffs[1].wait(HOUR)), (Ok(0.0), Ok(current().resource_backoff_min)));
    timer.reply_apply(&mut backoffs, &answer, &[sent, sent], &current()).unwrap();
    assert_eq!(backoffs[1].interval, 0.0);
}

#[test]
fn a_reply_that_is_refused_changes_nothing_and_is_told() {
    let (mut timer, mut backoffs) = (ProjectTimer::default(), [ResourceBackoff::default(); 2]);
    let asked = ResourceReply { seconds: HOUR, ..Default::default() };
    let mut refused = |reply: &Reply, replies: &[ResourceReply]| {
        let error = timer.reply_apply(&mut backoffs, reply, replies, &current()).unwrap_err();
        assert_eq!((timer, backoffs), (ProjectTimer::default(), [ResourceBackoff::default(); 2]));
        error
    };
    assert_eq!(refused(&Reply::default(), &[asked]).code, VCS_ERR_COUNT);
    let error = refused(&Reply::default(), &[asked, ResourceReply { u: 1.0, ..asked }]);
    assert_eq!((error.code, error.record), (VCS_ERR_RANGE, VCS_TYPE_RESOURCE_REPLY));
    assert_eq!((error.index, &*error.field), (1, "u"));
    let error = refused(&Reply { request_delay: -1.0, ..Default::default() }, &[asked; 2]);
    assert_eq!((error.record, &*error.field), (VCS_TYPE_REPLY, "request_delay"));
}

#[test]
fn a_size_that_a_caller_changed_is_not_believed() {
    let wrong = Reply { struct_size: 1 << 30, ..Default::default() };
    let parameters = Parameters { struct_size: 7, ..current() };
    assert_eq!(ProjectTimer::default().reply_apply(&mut [], &wrong, &[], &parameters), Ok(()));
    let range = BackoffRange::init(&parameters, VCS_BACKOFF_OF_RESOURCE).unwrap();
    assert!(backoff(2, &BackoffRange { struct_size: 1 << 30, ..range }, 0.5).is_ok());
}

#[test]
fn transfers_are_held_back_from_the_third_failure_on() {
    let range = BackoffRange::init(&current(), VCS_BACKOFF_OF_TRANSFER).unwrap();
    let mut transfers = TransferBackoff::default();
    for now in [1.0, 2.0, 3.0] {
        assert_eq!(transfers.wait(now), Ok(0.0));
        transfers.failed(&range, now, 0.5).unwrap();
    }
    assert_eq!((transfers.failures, transfers.wait(3.0)), (VCS_TRANSFER_FAILURES, backoff(3, &range, 0.5)));
}

#[test]
fn answers_as_long_as_what_was_given() {
    let entry = |id, share| RankEntry { id, share, debt: share, ..Default::default() };
    let ranking = Ranking { rule: VCS_RANK_DEBT, ..Default::default() };
    assert_eq!(rank(&[entry(1, 5.0), entry(2, 9.0)], &ranking), Ok((vec![1, 0], vec![5.0, 9.0])));
    assert_eq!(rank(&[], &ranking), Ok((vec![], vec![])));
    let mut debts = [Debt { id: 9, ..Default::default() }, Debt { id: 3, ..Default::default() }];
    let interval = DebtInterval { period: HOUR, elapsed: HOUR, ..Default::default() };
    assert_eq!(debt_update(&mut debts, &interval), Ok(vec![1, 0]));
}

#[test]
fn a_session_asks_the_project_that_has_a_scheduler() {
    let parameters = Parameters::of_profile(VCS_PROFILE_RPC2003).unwrap();
    let mut session = RpcSession::default();
    let mut projects = [RpcProject { id: 1, scheduler_urls: 1, ..Default::default() }];
    let action = session.rpc_next(&mut projects, &RpcSituation::default(), &parameters).unwrap();
    assert_eq!((action.kind, action.project), (VCS_RPC_CALL, 0));
    let outcome = RpcOutcome { kind: VCS_RPC_NO_ANSWER, u: 0.5, ..Default::default() };
    session.rpc_report(&mut projects, &outcome, &parameters).unwrap();
    assert_eq!(projects[0].timer.failures, 1);
    assert_eq!(result_overdue(100.0, 0.0, &parameters, 0.0), Ok(true));
    assert_eq!(result_overdue(f64::INFINITY, 0.0, &parameters, 0.0), Ok(false));
}

#[test]
fn what_a_server_decides_on_single_records() {
    let mut unit = Unit::default();
    unit.init(7).unwrap();
    assert_eq!((unit.id, unit.check(&[])), (7, Ok(())));
    assert_eq!(copies(1.0, 0.5), Ok(1));
    let terms = GiveUpTerms::init(VCS_GIVE_UP_BY_CHANCE).unwrap();
    assert_eq!(terms.rule, VCS_GIVE_UP_BY_CHANCE);
}

/// Applies changes, as a server does in one transaction: new results get the ids 1, 2, ...
fn apply(changes: &[Change], unit: &mut Unit, results: &mut Vec<vcs_result>) {
    for change in changes {
        change.apply(unit, results).unwrap();
        for _ in 0..if change.kind == VCS_CHANGE_CREATE { change.integer } else { 0 } {
            let mut result = vcs_result::default();
            result.init(results.len() as u64 + 1).unwrap();
            results.push(result);
        }
    }
}

fn event(kind: u32, result: u32) -> UnitEvent {
    UnitEvent { kind, result, ..Default::default() }
}

/// A unit that needs two equal results, of which both are in progress.
fn unit_in_progress() -> (Unit, Vec<vcs_result>) {
    let (mut unit, mut results) = (Unit::default(), Vec::new());
    unit.init(7).unwrap();
    unit = Unit { min_quorum: 2, target_nresults: 2, max_total: 4, max_success: 4, ..unit };
    let changes = unit.handle_event(&results, &event(VCS_UNIT_EVENT_CREATED, VCS_NONE), 0.0).unwrap();
    apply(&changes, &mut unit, &mut results);
    let changes = unit.transition(&results, 0.0).unwrap();
    apply(&changes, &mut unit, &mut results);
    for result in 0..2 {
        let changes = unit.handle_event(&results, &event(VCS_UNIT_EVENT_SENT, result), HOUR).unwrap();
        apply(&changes, &mut unit, &mut results);
    }
    (unit, results)
}

fn report(unit: &mut Unit, results: &mut Vec<vcs_result>, result: u32) {
    let success = UnitEvent { report: VCS_REPORT_SUCCESS, ..event(VCS_UNIT_EVENT_RECEIVED, result) };
    let changes = unit.handle_event(results, &success, 2.0 * HOUR).unwrap();
    apply(&changes, unit, results);
}

#[test]
fn a_unit_lives_from_its_creation_to_a_consensus() {
    let (mut unit, mut results) = unit_in_progress();
    assert_eq!(results.iter().map(|result| result.server_state).collect::<Vec<_>>(), [VCS_RESULT_IN_PROGRESS; 2]);
    assert_eq!(results[0].deadline, HOUR + unit.delay_bound);
    for result in 0..2 {
        report(&mut unit, &mut results, result);
    }
    let changes = unit.transition(&results, 2.0 * HOUR).unwrap();
    apply(&changes, &mut unit, &mut results);
    assert_eq!(unit.need_validate, 1);
    assert_eq!(unit.transition(&results, 2.0 * HOUR), Ok(vec![])); // nothing more at the same time
    let changes = unit.validate(&results, &[5, 5], 2.0 * HOUR).unwrap();
    apply(&changes, &mut unit, &mut results);
    assert_eq!((unit.canonical, unit.assimilate_state, unit.need_validate), (1, VCS_ASSIMILATE_READY, 0));
    assert_eq!(results.iter().map(|result| result.credited).collect::<Vec<_>>(), [1, 1]);
    assert!(changes.iter().all(|change| change.reason != 0));
}

#[test]
fn what_cannot_happen_to_a_unit_is_refused() {
    let (mut unit, mut results) = unit_in_progress();
    let mut wrong = UnitEvent { struct_size: 1 << 30, ..event(VCS_UNIT_EVENT_RECEIVED, 2) };
    wrong.report = VCS_REPORT_SUCCESS;
    assert_eq!(unit.handle_event(&results, &wrong, HOUR).unwrap_err().code, VCS_ERR_INDEX);
    wrong.result = VCS_NONE;
    assert_eq!(unit.handle_event(&results, &wrong, HOUR).unwrap_err().code, VCS_ERR_INDEX);
    let sent_again = event(VCS_UNIT_EVENT_SENT, 0);
    assert_eq!(unit.handle_event(&results, &sent_again, HOUR).unwrap_err().code, VCS_ERR_SEQUENCE);
    let unknown = event(u32::MAX, VCS_NONE);
    assert_eq!(unit.handle_event(&results, &unknown, HOUR).unwrap_err().code, VCS_ERR_FLAGS);
    assert_eq!(unit.transition(&results, f64::NAN).unwrap_err().code, VCS_ERR_NOT_FINITE);
    // One class for each result, no fewer and no more.
    for classes in [&[][..], &[5], &[5; 3]] {
        assert_eq!(unit.validate(&results, classes, HOUR).unwrap_err().code, VCS_ERR_COUNT);
    }
    let lost = Unit { canonical: 9, assimilate_state: VCS_ASSIMILATE_READY, ..unit };
    assert_eq!(lost.validate(&results, &[5, 5], HOUR).unwrap_err().code, VCS_ERR_INDEX);
    results[1].id = 1;
    let error = unit.transition(&results, HOUR).unwrap_err();
    assert_eq!((error.code, error.record, error.index), (VCS_ERR_DUPLICATE, VCS_TYPE_RESULT, 1));

    // Changes for other records than these.
    let before = (unit, results.clone());
    let change = Change { field: VCS_FIELD_RESULT_OUTCOME, result: 2, ..Default::default() };
    assert_eq!(change.apply(&mut unit, &mut results).unwrap_err().code, VCS_ERR_INDEX);
    assert_eq!(Change { field: 99, ..change }.apply(&mut unit, &mut results).unwrap_err().code, VCS_ERR_FLAGS);
    assert_eq!((unit, results), before);
}

#[test]
fn a_unit_without_results_can_be_asked() {
    let mut unit = Unit::default();
    unit.init(7).unwrap();
    // A new unit is due only when it is reported as created.
    assert_eq!(unit.transition(&[], 0.0).map(|changes| changes.len() <= VCS_CHANGES_PER_UNIT as usize), Ok(true));
    assert_eq!(unit.validate(&[], &[], 0.0).map(|changes| changes.len() <= VCS_CHANGES_PER_UNIT as usize), Ok(true));
}

#[test]
fn the_class_with_most_votes_wins() {
    let ballot = |id, result_class| Ballot { id, result_class, ..Default::default() };
    let terms = VoteTerms { copies: 2, struct_size: 1 << 30, ..Default::default() };
    let (order, verdicts, summary) = vote(&[ballot(30, 4), ballot(20, 9), ballot(10, 4)], &terms).unwrap();
    assert_eq!(order, [2, 0, 1]);
    assert_eq!(
        verdicts.iter().map(|one| one.verdict).collect::<Vec<_>>(),
        [VCS_BALLOT_VALID, VCS_BALLOT_WRONG, VCS_BALLOT_VALID]
    );
    assert_eq!((summary.flags, summary.winner, summary.ballot, summary.votes), (VCS_VOTE_WON, 4, 2, 2));
    let (order, verdicts, summary) = vote(&[], &terms).unwrap();
    assert_eq!((order.len(), verdicts.len(), summary.further), (0, 0, 2));
    assert_eq!(vote(&[ballot(1, 4)], &VoteTerms::default()).unwrap_err().code, VCS_ERR_RANGE);
    let credible = Ballot { credibility: f64::NAN, ..ballot(1, 4) };
    let by_credibility = VoteTerms { rule: VCS_VOTE_BY_CREDIBILITY, tolerance: 0.1, ..terms };
    let error = vote(&[credible], &by_credibility).unwrap_err();
    assert_eq!((error.code, &*error.field), (VCS_ERR_NOT_FINITE, "credibility"));
}

#[test]
fn a_client_is_dead_after_four_times_the_expected_time() {
    let rules = DispatchRules::init().unwrap();
    let clients = [Client { id: 1, ..Default::default() }, Client { id: 2, last_heard: 300.0, ..Default::default() }];
    let job = |id, client| DispatchJob {
        id,
        client,
        expected: 100.0,
        state: VCS_JOB_IN_PROGRESS,
        copy_of: VCS_NONE,
        ..Default::default()
    };
    let jobs = [job(1, 0), job(2, 1)];
    let rows = pool_survey(&clients, &jobs, &Pace::default(), &rules, 401.0).unwrap();
    assert_eq!(
        rows.iter().map(|row| (row.liveness, row.has_died, row.dead_in)).collect::<Vec<_>>(),
        [(VCS_LIVENESS_DEAD, 1, 0.0), (VCS_LIVENESS_ACTIVE, 0, 299.0)]
    );
    let (order, _, summary) = pool_sum(&clients, &jobs, &rows).unwrap();
    assert_eq!((order, summary.dead, summary.active), (vec![0, 1], 1, 1));
    // A job of a client that is not there.
    let error = pool_survey(&clients, &[job(1, 2)], &Pace::default(), &rules, 401.0).unwrap_err();
    assert_eq!((error.code, error.record, &*error.field), (VCS_ERR_INDEX, VCS_TYPE_DISPATCH_JOB, "client"));
    assert_eq!(pool_survey(&[], &[], &Pace::default(), &rules, 0.0), Ok(vec![]));
    assert_eq!(pool_sum(&clients, &jobs, &rows[1..]).unwrap_err().code, VCS_ERR_COUNT);
}

fn client(id: u64, flags: u32) -> Client {
    Client { id, flags, ..Default::default() }
}

fn fresh(id: u64) -> DispatchJob {
    DispatchJob { id, queued: id as f64, client: VCS_NONE, copy_of: VCS_NONE, ..Default::default() }
}

#[test]
fn fresh_jobs_go_first_come_first_served_and_then_the_overdue_ones_again() {
    let rules = DispatchRules { struct_size: 1 << 30, ..DispatchRules::init().unwrap() };
    let (clients, mut jobs) = ([client(1, 0), client(2, 0)], vec![fresh(2), fresh(1)]);
    let mut index = Dispatch::build(&clients, &jobs, &rules, 3, 3).unwrap();
    let before = index.clone();
    for (number, asks) in [(1, 0), (0, 1)] {
        let decision = index.next(asks, 0.0).unwrap();
        assert_eq!((decision.job, decision.is_copy, decision.reason), (number, 0, VCS_REASON_FRESH));
        let job = &mut jobs[number as usize];
        job.job_send(asks, &clients[asks as usize], &Pace::default(), &rules, 0.0).unwrap();
        assert_eq!(job.expected, 1.0); // a complexity of 1 at a speed of 1
        index.set_job(number, job).unwrap();
    }
    // The window is twice the expected time.
    let decision = index.next(0, 0.5).unwrap();
    assert_eq!((decision.job, decision.reason, decision.next_check), (VCS_NONE, VCS_REASON_NO_JOB, 1.5));
    let decision = index.next(0, 2.0).unwrap();
    assert_eq!((decision.job, decision.is_copy, decision.reason), (0, 1, VCS_REASON_WINDOW_OVER));
    assert_eq!(before.next(0, 0.0).unwrap().job, 1); // the copy goes its own way

    index.set_client(0, &client(1, VCS_BLACKLISTED)).unwrap();
    assert_eq!(index.next(0, 0.0).unwrap().reason, VCS_REASON_BLACKLISTED);
    index.set_client(2, &client(3, 0)).unwrap();
    assert_eq!(index.next(2, 0.0).unwrap().reason, VCS_REASON_CLIENT_BLACKLISTED);
    index.set_job(2, &fresh(3)).unwrap();
    assert_eq!(index.set_job(3, &fresh(4)).unwrap_err().code, VCS_ERR_COUNT); // it is full
    assert_eq!(index.set_client(3, &client(4, 0)).unwrap_err().code, VCS_ERR_COUNT);
    std::thread::scope(|threads| {
        for _ in 0..2 {
            threads.spawn(|| assert_eq!(index.next(1, 0.0).map(|one| one.job), Ok(1)));
        }
    });
}

#[test]
fn an_index_refuses_what_is_not_there_and_stays_as_it_is() {
    let rules = DispatchRules::init().unwrap();
    let (clients, jobs) = ([client(1, 0)], [fresh(1)]);
    let mut index = Dispatch::build(&clients, &jobs, &rules, 10, 10).unwrap();
    assert_eq!(index.next(1, 0.0).unwrap_err().code, VCS_ERR_INDEX);
    assert_eq!(index.next(u32::MAX, 0.0).unwrap_err().code, VCS_ERR_INDEX);
    assert_eq!(index.next(0, f64::NAN).unwrap_err().code, VCS_ERR_NOT_FINITE);
    for number in [2, 10, 11, VCS_NONE] {
        assert_eq!(index.set_job(number, &fresh(1)).unwrap_err().code, VCS_ERR_INDEX);
        assert_eq!(index.set_client(number, &clients[0]).unwrap_err().code, VCS_ERR_INDEX);
    }
    let sent = DispatchJob { state: VCS_JOB_IN_PROGRESS, client: 0, ..fresh(1) };
    for wrong in [
        DispatchJob { client: 1, ..sent },
        DispatchJob { client: VCS_NONE, ..sent },
        DispatchJob { client: 0, ..fresh(1) },
        DispatchJob { copy_of: 0, ..fresh(1) },
        DispatchJob { copy_of: 7, ..fresh(1) },
    ] {
        assert_eq!(index.set_job(0, &wrong).unwrap_err().code, VCS_ERR_INDEX);
        let refused = Dispatch::build(&clients, &[wrong], &rules, 10, 10).unwrap_err();
        assert_eq!((refused.code, refused.record), (VCS_ERR_INDEX, VCS_TYPE_DISPATCH_JOB));
    }
    index.set_job(1, &DispatchJob { copy_of: 0, ..fresh(2) }).unwrap();
    assert_eq!(index.set_job(0, &fresh(9)).unwrap_err().code, VCS_ERR_SEQUENCE);
    assert_eq!(index.next(0, 0.0).unwrap().job, 0);
}

#[test]
fn an_index_has_the_room_that_was_asked_for() {
    let rules = DispatchRules::init().unwrap();
    let build = |max_clients, max_jobs| Dispatch::build(&[client(1, 0)], &[fresh(1)], &rules, max_clients, max_jobs);
    let too_small = |index: Result<Dispatch>| index.unwrap_err().code;
    assert_eq!((too_small(build(0, 9)), too_small(build(9, 0))), (VCS_ERR_COUNT, VCS_ERR_COUNT));
    assert_eq!((too_small(build(VCS_NONE, 9)), too_small(build(9, VCS_NONE))), (VCS_ERR_COUNT, VCS_ERR_COUNT));
    let bad = DispatchRules { wait_factor: f64::NAN, ..rules };
    assert_eq!(Dispatch::build(&[], &[], &bad, 0, 0).unwrap_err().code, VCS_ERR_NOT_FINITE);
    assert_eq!(Dispatch::build(&[], &[], &rules, 0, 0).unwrap().next(0, 0.0).unwrap_err().code, VCS_ERR_INDEX);
}
