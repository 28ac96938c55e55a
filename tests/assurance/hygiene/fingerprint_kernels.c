/*
 * The fingerprint of what is decided over a small struct: numbers, accounts, timers, ranks, sessions of calls.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/core/number.h"
#include "assurance/hygiene/fingerprint.h"
#include "support/array.h"

#include <string.h>
#include <vcsched/vcsched.h>

#define NUMBERS 200000

static void report_numbers(void) {
    fingerprint exp2 = nothing_yet, log2 = nothing_yet;
    for (int i = 0; i < NUMBERS; i++) {
        const double x = 2200 * spread(i) - 1100;
        add_number(&exp2, vcs_exp2(x));
        add_number(&exp2, vcs_exp2m1(x / 1100));
        add_number(&log2, vcs_log2(vcs_exp2(x) * (1 + spread(7 * i))));
    }
    report("exp2", exp2);
    report("log2", log2);
}

static void add_estimates(fingerprint *print, vcs_correction *correction, int i) {
    const vcs_progress task = {
        .struct_size = sizeof task,
        .est_flops = 1e12 + 1e14 * spread(i),
        .flops = 1e9,
        .dcf = correction->dcf,
        .elapsed = 1e5 * spread(3 * i),
        .fraction_done = 1.1 * spread(5 * i),
    };
    double remaining = 0.0;
    require(vcs_correction_update(correction, &task, NULL) == VCS_OK &&
                vcs_estimate_remaining(&task, (uint32_t)i % 3, &remaining, NULL) == VCS_OK,
            "an estimate was refused");
    add_number(print, correction->dcf);
    add_number(print, remaining);
}

static void add_averages(fingerprint *print, vcs_average *sum, vcs_average *mean, int i) {
    const double now = 10000.0 * i;
    require(vcs_average_add(sum, 3600 * spread(i), 1 / 604800.0, now) == VCS_OK &&
                vcs_average_blend(mean, 100 * spread(3 * i), 864000, now) == VCS_OK,
            "an average was refused");
    add_number(print, sum->value);
    add_number(print, mean->value);
}

static void add_timers(fingerprint *print, vcs_project_timer *timer, vcs_resource_backoff *backoff,
                       vcs_transfer_backoff *transfer, const vcs_backoff_range *range, const vcs_parameters *policy,
                       int i) {
    const double now = 1000.0 * i;
    const vcs_reply reply = {.struct_size = sizeof reply,
                             .flags = i % 5 == 0 ? VCS_REPLY_FAILED : 0,
                             .now = now,
                             .request_delay = i % 3 == 0 ? 600 * spread(i) : 0,
                             .u = spread(3 * i)};
    const vcs_resource_reply resource = {
        .seconds = i % 4 == 0 ? 0 : 1e5 * spread(i), .u = spread(7 * i), .tasks = i % 7 == 0};
    double wait = 0.0;
    require(vcs_reply_apply(timer, ARRAY(backoff, 1), &reply, ARRAY(&resource, 1), policy, NULL) == VCS_OK &&
                vcs_transfer_backoff_failed(transfer, range, now, spread(5 * i)) == VCS_OK &&
                vcs_transfer_backoff_wait(transfer, now, &wait) == VCS_OK,
            "a reply was refused");
    add_number(print, wait);
    add_record(print, VCS_TYPE_PROJECT_TIMER, timer);
    add_record(print, VCS_TYPE_RESOURCE_BACKOFF, backoff);
    add_record(print, VCS_TYPE_TRANSFER_BACKOFF, transfer);
}

/* Debts and priorities of some projects over many periods. */
#define RANKED 12

static void report_ranks(void) {
    fingerprint print = nothing_yet;
    vcs_debt debts[RANKED];
    memset(debts, 0, sizeof debts);
    for (int round = 0; round < 500; round++) {
        const vcs_debt_interval interval = {
            .struct_size = sizeof interval, .period = 3600, .elapsed = 3600 * spread(round)};
        vcs_rank_entry entries[RANKED];
        vcs_ranking ranking = {.struct_size = sizeof ranking, .rule = (uint32_t)round % 2, .bump = 3600};
        uint32_t order[RANKED];
        double priorities[RANKED];
        memset(entries, 0, sizeof entries);
        for (int p = 0; p < RANKED; p++) {
            debts[p].id = entries[p].id = (uint64_t)p;
            debts[p].share = entries[p].share = p == 3 ? 0 : 100 * spread(p);
            debts[p].used = 3600 * spread(round * RANKED + p);
            debts[p].flags = (uint32_t)(round + p) % 4;
            entries[p].rec = 1000 * spread(round + 7 * p);
            entries[p].exp_avg_cpu = 5000 * spread(3 * round + p);
            entries[p].priority_class = p % 3;
        }
        require(vcs_debt_update(ARRAY(debts, RANKED), &interval, order, NULL) == VCS_OK, "debts were refused");
        add_records(&print, VCS_TYPE_DEBT, debts, RANKED);
        require(vcs_rank(ARRAY(entries, RANKED), &ranking, order, priorities, NULL) == VCS_OK, "a ranking was refused");
        for (int p = 0; p < RANKED; p++) {
            add_integer(&print, order[p]);
            add_number(&print, priorities[p]);
        }
    }
    report("ranks", print);
}

/* Sessions of calls to three projects, whose schedulers answer, fail, move, or send nothing. */
static void report_sessions(void) {
    fingerprint print = nothing_yet;
    vcs_parameters policy;
    require(vcs_parameters_init(&policy, sizeof policy, VCS_PROFILE_RPC2003) == VCS_OK, "no parameters");
    vcs_rpc_session session;
    vcs_rpc_project projects[3];
    memset(&session, 0, sizeof session);
    memset(projects, 0, sizeof projects);
    double now = 0, work = 0;
    for (uint32_t p = 0; p < 3; p++) {
        projects[p].id = p;
        projects[p].rank = 2 - p;
        projects[p].scheduler_urls = 1 + p;
    }
    for (int i = 0; i < 20000; i++) {
        const vcs_rpc_situation situation = {.struct_size = sizeof situation, .now = now, .estimated_work = work};
        vcs_rpc_action action = {.struct_size = sizeof action};
        projects[i % 3].overdue = i % 11 == 0;
        require(vcs_rpc_next(&session, ARRAY(projects, 3), &situation, &policy, &action, NULL) == VCS_OK,
                "a session was refused");
        add_record(&print, VCS_TYPE_RPC_ACTION, &action);
        if (action.kind == VCS_RPC_WAIT) {
            now += 600 + 60 * spread(i);
            work = work > 4000 ? work - 4000 : 0;
            continue;
        }
        const double fate = spread(7 * i);
        vcs_rpc_outcome outcome = {
            .struct_size = sizeof outcome, .now = now, .request_delay = 100 * spread(i), .u = spread(3 * i)};
        if (action.kind == VCS_RPC_CALL) {
            outcome.kind = fate < 0.7 ? VCS_RPC_ANSWERED : VCS_RPC_NO_ANSWER;
            outcome.tasks = fate < 0.4 ? 1 : 0;
            work += outcome.tasks * 20000.0;
        } else {
            outcome.kind = fate < 0.5 ? VCS_RPC_MASTER_FETCHED : VCS_RPC_MASTER_FAILED;
            outcome.scheduler_urls = 1 + (uint32_t)i % 3;
            outcome.flags = fate < 0.2 ? VCS_RPC_NEW_URLS : 0;
        }
        outcome.request_delay = outcome.kind == VCS_RPC_ANSWERED ? outcome.request_delay : 0;
        outcome.scheduler_urls = outcome.kind == VCS_RPC_MASTER_FETCHED ? outcome.scheduler_urls : 0;
        outcome.flags = outcome.kind == VCS_RPC_MASTER_FETCHED ? outcome.flags : 0;
        require(vcs_rpc_report(&session, ARRAY(projects, 3), &outcome, &policy, NULL) == VCS_OK,
                "the outcome of a call was refused");
        add_record(&print, VCS_TYPE_RPC_SESSION, &session);
        add_records(&print, VCS_TYPE_RPC_PROJECT, projects, 3);
    }
    report("sessions", print);
}

static void add_wait(fingerprint *print, vcs_backoff_range *range, int i) {
    double wait = 0.0;
    range->rule = VCS_BACKOFF_EXPONENT + (uint32_t)i % 3;
    require(vcs_backoff((uint32_t)i % 14, range, spread(i), &wait) == VCS_OK, "a wait was refused");
    add_number(print, wait);
}

static void report_accounts(void) {
    fingerprint print = nothing_yet;
    vcs_parameters policy;
    vcs_backoff_range range;
    require(vcs_parameters_init(&policy, sizeof policy, VCS_PROFILE_CURRENT) == VCS_OK &&
                vcs_backoff_range_init(&range, sizeof range, &policy, VCS_BACKOFF_OF_SCHEDULER, NULL) == VCS_OK,
            "the parameters were refused");
    vcs_average sum = {0}, mean = {0};
    vcs_correction correction = {0};
    vcs_project_timer timer = {0};
    vcs_resource_backoff backoff = {0};
    vcs_transfer_backoff transfer = {0};
    for (int i = 0; i < NUMBERS / 10; i++) {
        add_timers(&print, &timer, &backoff, &transfer, &range, &policy, i);
        add_estimates(&print, &correction, i);
        add_averages(&print, &sum, &mean, i);
        add_wait(&print, &range, i);
    }
    report("kernels", print);
}

/* From jobs that see no break to jobs that see a million, with too little time, enough and plenty. */
static void report_chances(void) {
    fingerprint print = nothing_yet;
    for (int i = 0; i < NUMBERS / 4; i++) {
        const double on = 60 * vcs_exp2(14 * spread(i)), off = i % 50 == 0 ? 0 : 60 * vcs_exp2(14 * spread(3 * i));
        const double remaining = on * vcs_exp2(20 * spread(5 * i) * spread(7 * i) - 4);
        const double window = remaining * (1 + off / on * 2 * spread(11 * i) * (1 + 3 * spread(13 * i)));
        double chance = 0.0;
        require(vcs_chance_to_finish(remaining, window, i % 3 == 0 ? spread(17 * i) : 0, on, off, &chance) == VCS_OK,
                "a chance was refused");
        add_number(&print, chance);
    }
    report("chances", print);
}

/* What a client learns of its spells, and when it reports by that. */
static void report_spells(void) {
    fingerprint print = nothing_yet;
    vcs_spells spells = {0};
    for (int i = 0; i < NUMBERS / 20; i++) {
        double on = 0.0, off = 0.0, latest = 0.0;
        if (i % 40 == 0) {
            spells = (vcs_spells){0};
        }
        require(vcs_spells_add(&spells, (uint32_t)i % 2, 1e5 * spread(i) * spread(3 * i)) == VCS_OK &&
                    vcs_spells_means(&spells, spread(5 * i), &on, &off) == VCS_OK &&
                    vcs_report_latest(3e5 * spread(7 * i), 0.001 + 0.1 * spread(11 * i), on, off, 0, &latest) == VCS_OK,
                "spells were refused");
        add_number(&print, on);
        add_number(&print, off);
        add_number(&print, latest);
    }
    report("spells", print);
}

/* What a client learns of the hours, and what follows from them. */
static void report_hours(void) {
    fingerprint print = nothing_yet;
    vcs_hour hours[VCS_HOURS_OF_WEEK] = {{.on = 0.0}};
    const vcs_array arrays[] = {{{hours}, sizeof *hours, VCS_HOURS_OF_DAY},
                                {{hours}, sizeof *hours, VCS_HOURS_OF_WEEK}};
    double moment = 0.0;
    for (int i = 0; i < NUMBERS / 20; i++) {
        const vcs_array *array = &arrays[i % 3 == 0];
        const double spell = 1e5 * spread(i) * spread(3 * i), window = 60 * vcs_exp2(20 * spread(5 * i));
        const double on = 600 * vcs_exp2(10 * spread(7 * i)), off = 600 * vcs_exp2(10 * spread(11 * i));
        double within = 0.0, between = 0.0, latest = 0.0;
        require(vcs_hours_add(array, (uint32_t)i % 2, moment, moment + spell) == VCS_OK, "a spell was refused");
        moment += spell;
        require(vcs_hours_spells(array, on, off, moment, window, &within, &between) == VCS_OK &&
                    vcs_hours_report_latest(array, moment + window, 0.02, on, off, moment, &latest) == VCS_OK,
                "hours were refused");
        add_number(&print, within);
        add_number(&print, between);
        add_number(&print, latest);
    }
    report("hours", print);
}

/* What is given up, and what is admitted. */
static void report_choices(void) {
    fingerprint print = nothing_yet;
    for (int i = 0; i < NUMBERS / 20; i++) {
        vcs_give_up_terms task;
        vcs_admit_terms job;
        uint32_t chosen = 0, reason = 0;
        double chance = 0.0, waiting = 0.0, margin = 0.0;
        require(vcs_give_up_init(&task, sizeof task, 1 + (uint32_t)i % 2) == VCS_OK &&
                    vcs_admit_init(&job, sizeof job) == VCS_OK,
                "no terms");
        task.on = job.on = 600 * vcs_exp2(10 * spread(i));
        task.off = job.off = 600 * vcs_exp2(10 * spread(3 * i));
        task.total = 600 * vcs_exp2(10 * spread(5 * i));
        task.remaining = job.remaining = job.added = task.total * spread(7 * i);
        task.bound = task.total * (1 + 5 * spread(11 * i));
        task.deadline = job.window = task.bound * spread(13 * i);
        job.wait = i % 2 * task.total * spread(17 * i);
        job.spread = i % 5 == 0 ? spread(19 * i) : 0;
        job.best = spread(23 * i);
        job.flags = i % 7 == 0 ? VCS_ADMIT_IDLE : 0;
        require(vcs_give_up(&task, 0, &chosen, &reason, &chance, NULL) == VCS_OK, "a task was refused");
        add_integer(&print, reason);
        add_number(&print, chance);
        require(vcs_chance_margin(job.window, task.remaining, task.on, task.off, &margin) == VCS_OK,
                "a margin was refused");
        add_number(&print, margin);
        job.least_margin = margin > 0 ? margin : job.least_margin;
        require(vcs_admit_by_chance(&job, &chosen, &reason, &chance, &waiting, NULL) == VCS_OK, "a job was refused");
        add_integer(&print, reason);
        add_number(&print, waiting);
    }
    report("by chance", print);
}

void report_kernels(void) {
    report_numbers();
    report_accounts();
    report_ranks();
    report_sessions();
    report_chances();
    report_spells();
    report_hours();
    report_choices();
}
