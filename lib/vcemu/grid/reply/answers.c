/*
 * What becomes of results on a server by reply: checks, votes, and the consequences for caught hosts.
 *
 * Rules 11.1 to 11.3 and 14.2; worked by hand in tests/vcemu/grid/test_grid_reply.c.
 *
 * SPDX-License-Identifier: MIT
 */

#include "vcemu/grid/reply/answers.h"
#include "vcemu/grid/figures.h"
#include "vcemu/grid/grid_events.h"
#include "vcemu/grid/grid_trust.h"
#include "vcemu/grid/reply/grid_jobs.h"
#include "vcemu/grid/reply/window.h"
#include "vcemu/host/memory.h"

#include <vcsched/verify.h>

_Static_assert(VCS_GRID_CHECK_NONE == VCS_VERIFY_NONE && VCS_GRID_CHECK_DIRECT == VCS_VERIFY_DIRECT &&
                   VCS_GRID_CHECK_INVERSE == VCS_VERIFY_INVERSE,
               "a project's verification is the library's method");

static uint32_t client_of(const vcs_grid_server *s, uint32_t number) {
    const uint32_t client = s->by_reply->records[number].client;
    VCS_INVARIANT(client != VCS_NONE); /* only jobs that were sent get here */
    return client;
}

static bool has_votes(const vcs_grid_server *s) {
    return s->project.verification == VCS_GRID_CHECK_RECOMPUTATION ||
           s->project.verification == VCS_GRID_CHECK_CREDIBILITY;
}

/* Whether units with an accepted result have been assimilated. */
static bool is_assimilated(const vcs_grid_server *s) {
    return (s->project.flags & VCS_GRID_ASSIMILATE_LAST) == 0 || s->is_batch_done;
}

/* Jobs with a reply still to come, as far as the server believes; superseded jobs do not count. */
static uint32_t pending_of(const vcs_grid_dispatcher *d, const vcs_grid_reply_unit *unit, bool checks) {
    uint32_t pending = 0;
    for (uint32_t i = unit->first; i != VCS_NONE; i = d->jobs[i].next) {
        const bool waits = d->records[i].state == VCS_JOB_FRESH || d->records[i].state == VCS_JOB_IN_PROGRESS;
        pending += waits && d->jobs[i].is_check == checks;
    }
    return pending;
}

/* ---- What is learned of clients ---- */

void vcs_grid_job_teach(vcs_grid_server *s, uint32_t number, uint32_t outcome) {
    vcs_grid_job *job = &s->by_reply->jobs[number];
    const uint32_t host = client_of(s, number);
    if (!job->has_taught) {
        job->has_taught = true;
        vcs_grid_note(s, vcs_trust_update(&s->clients[host].trust, outcome, 0));
        vcs_grid_quota_judge(s, host, outcome != VCS_TRUST_ERROR);
    }
}

static void punish(vcs_grid_server *s, uint32_t number, uint32_t reason) {
    vcs_grid_job_teach(s, number, VCS_TRUST_ERROR);
    vcs_grid_catch(s, client_of(s, number), reason);
}

/* ---- The end of a job, and of a unit ---- */

static void end_job(vcs_grid_server *s, uint32_t number, vcs_grid_fate fate) {
    vcs_grid_dispatcher *d = s->by_reply;
    vcs_grid_job *job = &d->jobs[number];
    vcs_dispatch_job *record = &d->records[number];
    if (job->fate == VCS_GRID_HELD && !job->is_check) {
        vcs_grid_copy_over(s, s->now, record->sent);
    }
    if (vcs_grid_is_held(record)) {
        record->state = VCS_JOB_REPLIED;
        vcs_grid_job_changed(s, number);
        vcs_grid_window_remove(s, &d->units[job->unit]);
    }
    job->fate = fate;
}

/* Gives up a job that nobody needs. A client that has it is not waited for. */
static void give_up(vcs_grid_server *s, uint32_t number) {
    vcs_grid_dispatcher *d = s->by_reply;
    vcs_grid_job *job = &d->jobs[number];
    if (d->records[number].state == VCS_JOB_FRESH) {
        d->records[number].state = VCS_JOB_OVER;
        s->counts.unsent -= !job->is_check;
        vcs_grid_job_changed(s, number);
    } else if (vcs_grid_is_held(&d->records[number])) {
        if (job->fate == VCS_GRID_HELD && !job->is_check) {
            vcs_grid_notify_copy(s, VCS_GRID_EVENT_NO_REPLY, client_of(s, number), d->units[job->unit].number,
                                 job->copy, d->records[number].sent + s->project.delay_bound, 0.0, 0);
        }
        end_job(s, number, job->fate == VCS_GRID_HELD ? VCS_GRID_GIVEN_UP : job->fate);
    }
}

static void give_up_all(vcs_grid_server *s, const vcs_grid_reply_unit *unit, bool checks_alone) {
    const vcs_grid_dispatcher *d = s->by_reply;
    for (uint32_t i = unit->first; i != VCS_NONE; i = d->jobs[i].next) {
        if (!checks_alone || d->jobs[i].is_check) {
            give_up(s, i);
        }
    }
}

static void accept(vcs_grid_server *s, vcs_grid_reply_unit *unit, uint32_t number) {
    vcs_grid_job *job = &s->by_reply->jobs[number];
    job->fate = VCS_GRID_VALID;
    unit->accepted = number;
    unit->done = s->now;
    unit->is_wrong = job->kind != VCS_GRID_RIGHT;
    s->counts.wrong_accepted += unit->is_wrong;
    vcs_grid_unit_done(s, s->now, true);
    vcs_grid_job_teach(s, number, VCS_TRUST_VALID);
    vcs_grid_notify_copy(s, VCS_GRID_EVENT_ACCEPTED, client_of(s, number), unit->number, job->copy,
                         s->by_reply->records[number].sent + s->project.delay_bound, unit->is_wrong, 0);
    give_up_all(s, unit, false);
}

/* The accepted result has been withdrawn: a new vote is held, or another result may be accepted. */
static void reopen(vcs_grid_server *s, vcs_grid_reply_unit *unit) {
    vcs_grid_dispatcher *d = s->by_reply;
    s->counts.wrong_accepted -= unit->is_wrong;
    unit->is_wrong = false;
    unit->accepted = VCS_NONE;
    vcs_grid_unit_done(s, s->now, false);
    for (uint32_t i = unit->first; i != VCS_NONE && has_votes(s); i = d->jobs[i].next) {
        if (d->jobs[i].fate == VCS_GRID_VALID) {
            d->jobs[i].fate = VCS_GRID_ANSWERED;
        }
    }
}

void vcs_grid_reply_unit_finish(vcs_grid_server *s, vcs_grid_reply_unit *unit) {
    const vcs_grid_dispatcher *d = s->by_reply;
    if (unit->accepted == VCS_NONE || unit->outside > 0 || !is_assimilated(s)) {
        return;
    }
    vcs_grid_reply_unit_count(s, unit);
    for (uint32_t i = unit->first; i != VCS_NONE; i = d->jobs[i].next) {
        const uint32_t previous = d->jobs[i].previous_of_host, next = d->jobs[i].next_of_host;
        if (d->jobs[i].fate == VCS_GRID_WAITS) {
            continue;
        }
        *(previous != VCS_NONE ? &d->jobs[previous].next_of_host : &s->clients[client_of(s, i)].first) = next;
        if (next != VCS_NONE) {
            d->jobs[next].previous_of_host = previous;
        }
    }
    vcs_grid_reply_unit_free(s, unit);
}

/* ---- One result at a time (rule 11.1) ---- */

static vcs_verdict verify(vcs_grid_server *s, uint32_t number, uint32_t outcome) {
    const vcs_check check = {
        .struct_size = sizeof check,
        .flags = s->clients[client_of(s, number)].trust.flags & VCS_BLACKLISTED,
        .method = s->project.verification,
        .outcome = outcome,
    };
    vcs_verdict verdict = {.struct_size = sizeof verdict};
    vcs_grid_note(s, vcs_verify(&check, &verdict, vcs_grid_error(s)));
    return verdict;
}

static void lose(vcs_grid_server *s, vcs_grid_reply_unit *unit, uint32_t number, const vcs_verdict *verdict) {
    s->by_reply->jobs[number].fate = VCS_GRID_INVALID;
    unit->is_at_head |= (verdict->flags & VCS_QUEUE_HEAD) != 0;
    punish(s, number, verdict->reason); /* a client on the blacklist stays there */
}

static void consider(vcs_grid_server *s, vcs_grid_reply_unit *unit, uint32_t number) {
    vcs_verdict verdict = verify(s, number, VCS_CHECK_NOT_MADE);
    if (verdict.action == VCS_ACTION_EXAMINE) {
        const bool is_right = s->by_reply->jobs[number].kind == VCS_GRID_RIGHT;
        verdict = verify(s, number, is_right ? VCS_CHECK_PASSED : VCS_CHECK_FAILED);
        if (is_right) {
            vcs_grid_job_teach(s, number, VCS_TRUST_PASSED);
        }
    }
    if (verdict.action == VCS_ACTION_ACCEPT) {
        accept(s, unit, number);
    } else if (verdict.action == VCS_ACTION_SEND_CHECK) {
        unit->candidate = number;
    } else {
        lose(s, unit, number, &verdict);
    }
}

/* Considers results until one is accepted or being checked; if none is, the unit has to be computed again. */
static void judge(vcs_grid_server *s, vcs_grid_reply_unit *unit) {
    const vcs_grid_dispatcher *d = s->by_reply;
    for (uint32_t i = unit->first; i != VCS_NONE; i = d->jobs[i].next) {
        const bool is_open = d->jobs[i].fate == VCS_GRID_ANSWERED;
        if (is_open && unit->accepted == VCS_NONE && unit->candidate == VCS_NONE) {
            consider(s, unit, i);
        }
    }
    const bool is_checked = unit->candidate != VCS_NONE;
    if (unit->accepted == VCS_NONE && pending_of(d, unit, is_checked) == 0) {
        vcs_grid_job_queue(s, unit, is_checked);
    }
}

/* The inverse problem has been solved. It confirms the candidate if both results are right, or if both clients collude
   in the same lie. */
static void accept_check(vcs_grid_server *s, vcs_grid_reply_unit *unit, uint32_t number) {
    vcs_grid_job *job = &s->by_reply->jobs[number];
    const uint32_t candidate = unit->candidate;
    VCS_INVARIANT(candidate != VCS_NONE);                               /* without a candidate, checks are given up */
    const bool agrees = job->kind == s->by_reply->jobs[candidate].kind; /* no other kinds are alike */
    const vcs_verdict verdict = verify(s, candidate, agrees ? VCS_CHECK_PASSED : VCS_CHECK_FAILED);
    job->fate = agrees ? VCS_GRID_VALID : VCS_GRID_INVALID;
    unit->candidate = VCS_NONE;
    if (agrees) {
        vcs_grid_job_teach(s, number, VCS_TRUST_VALID);
        vcs_grid_job_teach(s, candidate, VCS_TRUST_PASSED);
        accept(s, unit, candidate);
    } else {
        give_up_all(s, unit, true);
        lose(s, unit, candidate, &verdict);
        punish(s, number, verdict.reason); /* VCS_BLACKLIST_CHECKER: nobody knows which of them was wrong */
    }
}

/* ---- Votes (rules 11.2 and 11.3) ---- */

static void add_ballot(vcs_grid_server *s, uint32_t number, uint32_t index) {
    vcs_grid_dispatcher *d = s->by_reply;
    const vcs_trust *trust = &s->clients[client_of(s, number)].trust;
    double credibility = 0.0;
    VCS_INVARIANT(d->ballots != NULL && d->voters != NULL); /* as in hold_vote() */
    vcs_grid_note(s, vcs_credibility(trust->passed, s->project.error_bound, &credibility));
    d->voters[index] = number;
    d->ballots[index] = (vcs_ballot){
        .id = d->records[number].id,
        .result_class = d->jobs[number].kind,
        .flags = trust->flags & VCS_BLACKLISTED,
        .credibility = credibility,
    };
}

static bool reserve_ballots(vcs_grid_server *s, uint32_t count) {
    vcs_grid_dispatcher *d = s->by_reply;
    vcs_emu_emulator *ground = &s->world->ground;
    return vcs_emu_reserve(ground, &d->ballots, count, sizeof *d->ballots) &&
           vcs_emu_reserve(ground, &d->voters, count, sizeof *d->voters) &&
           vcs_emu_reserve(ground, &d->ballot_order, count, sizeof *d->ballot_order) &&
           vcs_emu_reserve(ground, &d->verdicts, count, sizeof *d->verdicts);
}

/* Puts results to the vote, and applies the verdict on each. */
static vcs_vote_summary hold_vote(vcs_grid_server *s, const vcs_grid_reply_unit *unit, uint32_t count,
                                  uint32_t decided) {
    vcs_grid_dispatcher *d = s->by_reply;
    const bool by_count = s->project.verification == VCS_GRID_CHECK_RECOMPUTATION;
    const vcs_vote_terms terms = {
        .struct_size = sizeof terms,
        .flags = decided,
        .copies = unit->wanted,
        .winner = decided != 0 ? unit->winner : 0,
        .tolerance = s->project.tolerance,
        .rule = by_count ? VCS_VOTE_BY_COUNT : VCS_VOTE_BY_CREDIBILITY,
    };
    vcs_vote_summary summary = {.struct_size = sizeof summary};
    VCS_INVARIANT(d->voters != NULL && d->verdicts != NULL && d->ballot_order != NULL); /* vote() sees to that */
    vcs_grid_note(s, vcs_vote(&(vcs_array){{d->ballots}, sizeof *d->ballots, count}, &terms, d->ballot_order,
                              &(vcs_array){{d->verdicts}, sizeof *d->verdicts, count}, &summary, vcs_grid_error(s)));
    for (uint32_t i = 0; i < count && (summary.flags & VCS_VOTE_WON) != 0; i++) {
        const bool is_valid = d->verdicts[i].verdict == VCS_BALLOT_VALID;
        d->jobs[d->voters[i]].fate = is_valid ? VCS_GRID_VALID : VCS_GRID_INVALID;
        if (is_valid) {
            vcs_grid_job_teach(s, d->voters[i], VCS_TRUST_VALID);
        } else {
            punish(s, d->voters[i], d->verdicts[i].reason);
        }
    }
    return summary;
}

static void vote(vcs_grid_server *s, vcs_grid_reply_unit *unit) {
    const vcs_grid_dispatcher *d = s->by_reply;
    const uint32_t most = unit->count;
    uint32_t count = 0;
    if (!reserve_ballots(s, most)) {
        return;
    }
    for (uint32_t i = unit->first; i != VCS_NONE; i = d->jobs[i].next) {
        if (d->jobs[i].fate == VCS_GRID_ANSWERED) {
            VCS_INVARIANT(count < most); /* a unit has no more jobs than its count */
            add_ballot(s, i, count++);
        }
    }
    const vcs_vote_summary summary = hold_vote(s, unit, count, 0);
    if ((summary.flags & VCS_VOTE_WON) != 0) {
        VCS_INVARIANT(summary.ballot < count); /* the first ballot of the winning class */
        unit->winner = summary.winner;
        accept(s, unit, d->voters[summary.ballot]);
        return;
    }
    for (uint32_t i = pending_of(d, unit, false); i < summary.further; i++) {
        vcs_grid_job_queue(s, unit, false);
    }
}

/* ---- From event to event ---- */

static void settle(vcs_grid_server *s, vcs_grid_reply_unit *unit) {
    if (unit->accepted == VCS_NONE) {
        if (has_votes(s)) {
            vote(s, unit);
        } else {
            judge(s, unit);
        }
    }
    vcs_grid_reply_unit_finish(s, unit);
}

void vcs_grid_answer(vcs_grid_server *s, uint32_t number, bool is_error) {
    vcs_grid_job *job = &s->by_reply->jobs[number];
    vcs_grid_reply_unit *unit = &s->by_reply->units[job->unit];
    const bool is_waited_for = job->fate == VCS_GRID_HELD;
    job->is_late = unit->accepted != VCS_NONE;
    if (job->is_check && !is_waited_for) {
        vcs_grid_reply_unit_finish(s, unit); /* the checked result has been judged already */
        return;
    }
    end_job(s, number, is_error ? VCS_GRID_FAILED : VCS_GRID_ANSWERED);
    if (is_error) {
        vcs_grid_job_teach(s, number, VCS_TRUST_ERROR);
    } else if (job->is_check) {
        accept_check(s, unit, number);
    } else if (job->is_late && has_votes(s)) { /* after the vote: there is room for a ballot */
        add_ballot(s, number, 0);
        hold_vote(s, unit, 1, VCS_VOTE_DECIDED); /* compares it with the winner */
    }
    settle(s, unit);
}

/* ---- Hosts that are caught ---- */

/* Withdraws a result of a caught host. */
static void withdraw_result(vcs_grid_server *s, uint32_t number) {
    vcs_grid_job *job = &s->by_reply->jobs[number];
    vcs_grid_reply_unit *unit = &s->by_reply->units[job->unit];
    const bool was_valid = job->fate == VCS_GRID_VALID;
    job->fate = VCS_GRID_INVALID;
    if (unit->candidate == number) {
        unit->candidate = VCS_NONE;
        give_up_all(s, unit, true);
    }
    if (was_valid) {
        reopen(s, unit);
    }
    settle(s, unit);
}

/* Jobs of a caught host go to others at once, unjudged results lose their vote, and judged ones are withdrawn if the
   project says so (rules 8.9 and 11.2). */
static void expel(vcs_grid_server *s, uint32_t host) {
    vcs_grid_dispatcher *d = s->by_reply;
    const bool withdraws = (s->project.flags & VCS_GRID_WITHDRAW) != 0 && !is_assimilated(s);
    d->clients[host].flags |= VCS_BLACKLISTED;
    vcs_grid_client_changed(s, host);
    for (uint32_t i = s->clients[host].first; i != VCS_NONE;) {
        const uint32_t number = i;
        vcs_grid_job *job = &d->jobs[number];
        i = job->next_of_host; /* read now: the unit may be freed */
        if (job->fate == VCS_GRID_HELD) {
            if (!job->is_check) {
                vcs_grid_copy_over(s, s->now, d->records[number].sent);
            }
            job->fate = VCS_GRID_DETACHED; /* it stays in the index, for another client */
        } else if (!job->is_check && (job->fate == VCS_GRID_ANSWERED || (job->fate == VCS_GRID_VALID && withdraws))) {
            withdraw_result(s, number);
        }
    }
}

void vcs_grid_reply_conclude(vcs_grid_server *s) {
    const vcs_grid_dispatcher *d = s->by_reply;
    const uint64_t units = s->project.units;
    while (s->caught_count > 0) {
        expel(s, s->caught[--s->caught_count]);
    }
    if (units == 0 || s->is_batch_done || s->counts.done < units) {
        return;
    }
    s->is_batch_done = true;
    for (uint32_t slot = 0; slot < d->unit_count; slot++) {
        if (d->units[slot].number != 0) {
            vcs_grid_reply_unit_finish(s, &d->units[slot]);
        }
    }
}

/* ---- The outcome ---- */

/* Counts a job by its fate. */
static void count_job(vcs_grid_server *s, const vcs_grid_reply_unit *unit, uint32_t number) {
    const vcs_grid_job *job = &s->by_reply->jobs[number];
    vcs_grid_project_outcome *outcome = &s->outcome;
    switch (job->fate) {
    case VCS_GRID_WAITS:
        break;
    case VCS_GRID_HELD:
        outcome->in_progress++;
        break;
    case VCS_GRID_DETACHED:
        outcome->detached++;
        outcome->flops_invalid += job->flops;
        break;
    case VCS_GRID_GIVEN_UP:
        outcome->no_reply++;
        outcome->flops_late += job->flops;
        break;
    case VCS_GRID_ABORTED:
        outcome->aborted++;
        outcome->flops_failed += job->flops;
        break;
    case VCS_GRID_FAILED:
        outcome->errors++;
        outcome->flops_failed += job->flops;
        break;
    case VCS_GRID_ANSWERED:
        outcome->not_judged++;
        *(job->is_late ? &outcome->flops_late : &outcome->flops_redundant) += job->flops;
        break;
    case VCS_GRID_VALID:
        outcome->valid++;
        *(number == unit->accepted ? &outcome->flops_useful : &outcome->flops_redundant) += job->flops;
        break;
    default: /* VCS_GRID_INVALID */
        outcome->invalid++;
        outcome->flops_invalid += job->flops;
        break;
    }
}

void vcs_grid_reply_unit_count(vcs_grid_server *s, const vcs_grid_reply_unit *unit) {
    const vcs_grid_dispatcher *d = s->by_reply;
    const bool is_done = unit->accepted != VCS_NONE;
    for (uint32_t i = unit->first; i != VCS_NONE; i = d->jobs[i].next) {
        if (!d->jobs[i].is_check) {
            count_job(s, unit, i);
        }
    }
    vcs_grid_unit_end(s, is_done, false, unit->is_wrong, unit->done - unit->created);
}
