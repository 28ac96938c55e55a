/*
 * Timers, accounts and chances (chapters 1 to 3, 7 and 15), one call after the other with any numbers: a call that is
 * refused leaves every record and every output as it was; an answer is finite and within its range, and the record that
 * was written is taken by the next call.
 *
 * SPDX-License-Identifier: MIT
 */
#include "fuzz.h"
#include "support/array.h"

#include <math.h>
#include <string.h>

#include <vcsched/accounts.h>
#include <vcsched/chance.h>
#include <vcsched/timers.h>

enum { PROJECTS = 4, RESOURCES = 3 };

/* All records that the calls read and write, side by side, so that they can be compared as a whole. */
typedef struct desk {
    vcs_average sum, mean;
    vcs_backoff_range range;
    vcs_project_timer timer;
    vcs_resource_backoff backoffs[RESOURCES];
    vcs_transfer_backoff transfer;
    vcs_correction correction;
    vcs_usable usable;
    vcs_spells spells;
    vcs_hour hours[VCS_HOURS_OF_DAY];
    vcs_debt debts[PROJECTS];
    vcs_rpc_session session;
    vcs_rpc_project projects[PROJECTS];
    uint32_t order[PROJECTS];
    double answers[PROJECTS];
    vcs_rpc_action action;
    uint32_t word;
} desk;

/* What is only read. */
typedef struct question {
    vcs_progress progress;
    vcs_debt_interval interval;
    vcs_reply reply;
    vcs_resource_reply replies[RESOURCES];
    vcs_rpc_situation situation;
    vcs_rpc_outcome outcome;
    vcs_rank_entry entries[PROJECTS];
    vcs_ranking ranking;
    vcs_give_up_terms task;
    vcs_admit_terms job;
    vcs_parameters parameters;
} question;

static void begin(fuzz_input *in, desk *d, question *q) {
    const uint32_t profile = fuzz_byte(in) % VCS_PROFILE_COUNT;
    memset(d, 0, sizeof *d);
    memset(q, 0, sizeof *q);
    assert_int_equal(vcs_parameters_init(&q->parameters, sizeof q->parameters, profile), VCS_OK);
    assert_int_equal(vcs_backoff_range_init(&d->range, sizeof d->range, &q->parameters, VCS_BACKOFF_OF_SCHEDULER, NULL),
                     VCS_OK);
    assert_int_equal(vcs_give_up_init(&q->task, sizeof q->task, 1 + profile % 2), VCS_OK);
    assert_int_equal(vcs_admit_init(&q->job, sizeof q->job), VCS_OK);
    d->action.struct_size = sizeof d->action;
    q->progress = (vcs_progress){.struct_size = sizeof q->progress, .est_flops = 1e12, .flops = 1e9, .elapsed = 500};
    q->interval = (vcs_debt_interval){.struct_size = sizeof q->interval, .period = 3600, .elapsed = 600};
    q->reply = (vcs_reply){.struct_size = sizeof q->reply, .now = 1e6};
    q->situation = (vcs_rpc_situation){.struct_size = sizeof q->situation, .now = 1e6};
    q->outcome = (vcs_rpc_outcome){.struct_size = sizeof q->outcome, .kind = VCS_RPC_ANSWERED, .now = 1e6};
    q->ranking = (vcs_ranking){.struct_size = sizeof q->ranking};
    for (uint32_t i = 0; i < PROJECTS; i++) {
        d->debts[i] = (vcs_debt){.id = i, .share = i, .used = 100.0 * i, .flags = i % 4};
        d->projects[i] = (vcs_rpc_project){.id = i, .rank = i, .scheduler_urls = i};
        q->entries[i] = (vcs_rank_entry){.id = i, .share = i, .rec = 100.0 * i};
    }
}

static void change(fuzz_input *in, desk *d, question *q) {
    const fuzz_records records[] = {
        {VCS_TYPE_AVERAGE, &d->sum, sizeof d->sum, 1},
        {VCS_TYPE_AVERAGE, &d->mean, sizeof d->mean, 1},
        {VCS_TYPE_BACKOFF_RANGE, &d->range, sizeof d->range, 1},
        {VCS_TYPE_PROJECT_TIMER, &d->timer, sizeof d->timer, 1},
        {VCS_TYPE_RESOURCE_BACKOFF, d->backoffs, sizeof *d->backoffs, RESOURCES},
        {VCS_TYPE_TRANSFER_BACKOFF, &d->transfer, sizeof d->transfer, 1},
        {VCS_TYPE_CORRECTION, &d->correction, sizeof d->correction, 1},
        {VCS_TYPE_USABLE, &d->usable, sizeof d->usable, 1},
        {VCS_TYPE_SPELLS, &d->spells, sizeof d->spells, 1},
        {VCS_TYPE_HOUR, d->hours, sizeof *d->hours, VCS_HOURS_OF_DAY},
        {VCS_TYPE_DEBT, d->debts, sizeof *d->debts, PROJECTS},
        {VCS_TYPE_RPC_SESSION, &d->session, sizeof d->session, 1},
        {VCS_TYPE_RPC_PROJECT, d->projects, sizeof *d->projects, PROJECTS},
        {VCS_TYPE_PROGRESS, &q->progress, sizeof q->progress, 1},
        {VCS_TYPE_DEBT_INTERVAL, &q->interval, sizeof q->interval, 1},
        {VCS_TYPE_REPLY, &q->reply, sizeof q->reply, 1},
        {VCS_TYPE_RESOURCE_REPLY, q->replies, sizeof *q->replies, RESOURCES},
        {VCS_TYPE_RPC_SITUATION, &q->situation, sizeof q->situation, 1},
        {VCS_TYPE_RPC_OUTCOME, &q->outcome, sizeof q->outcome, 1},
        {VCS_TYPE_RANK_ENTRY, q->entries, sizeof *q->entries, PROJECTS},
        {VCS_TYPE_RANKING, &q->ranking, sizeof q->ranking, 1},
        {VCS_TYPE_GIVE_UP_TERMS, &q->task, sizeof q->task, 1},
        {VCS_TYPE_ADMIT_TERMS, &q->job, sizeof q->job, 1},
        {VCS_TYPE_PARAMETERS, &q->parameters, sizeof q->parameters, 1},
    };
    fuzz_edit(in, records, sizeof records / sizeof *records);
}

static void is_within(double number, double least, double greatest) {
    assert_true(number >= least && number <= greatest);
}

/* Each index once. */
static void is_permutation(const uint32_t *order, uint32_t count) {
    uint32_t seen = 0;
    for (uint32_t i = 0; i < count; i++) {
        assert_true(order[i] < count);
        seen |= 1u << order[i];
    }
    assert_int_equal(seen, (1u << count) - 1);
}

/* A factor that has learned is within its bounds; without an estimate nothing is learned, whatever it was. */
static int call_correction(desk *d, const question *q, vcs_error *error) {
    const vcs_correction before = d->correction;
    const int code = vcs_correction_update(&d->correction, &q->progress, error);
    if (code == VCS_OK && d->correction.tasks != before.tasks) {
        is_within(d->correction.dcf, 0.01, 100);
    } else if (code == VCS_OK && before.tasks < UINT64_MAX) {
        fuzz_same("a correction that learns nothing", &before, &d->correction, sizeof before);
    }
    return code;
}

/* A task that is kept has a chance, and a job that is admitted has more than one that is given up. */
static int call_choice(desk *d, const question *q, double now, vcs_error *error) {
    int code = vcs_give_up(&q->task, now, &d->word, &d->order[0], &d->answers[0], error);
    if (code == VCS_OK) {
        is_within(d->answers[0], 0, 1);
        assert_true(d->word <= (d->order[0] < VCS_REASON_KEPT));
        return code;
    }
    error->code = 0;
    code = vcs_admit_by_chance(&q->job, &d->word, &d->order[0], &d->answers[0], &d->answers[1], error);
    if (code == VCS_OK) {
        is_within(d->answers[0], 0, 1);
        is_within(d->answers[1], 0, 1);
        assert_true(d->word == 0 || d->answers[0] > q->job.give_up_below || d->answers[0] == 1);
    }
    return code;
}

/* Numbers of any size. */
static int call_chance(fuzz_input *in, desk *d, double a, double b, double c) {
    const double on = fuzz_number(in), off = fuzz_number(in);
    const vcs_array hours = {{d->hours}, sizeof *d->hours, VCS_HOURS_OF_DAY};
    int code;
    switch (fuzz_byte(in) % 8) {
    case 0:
        return vcs_spells_add(&d->spells, fuzz_byte(in) % 3, a);
    case 1:
        code = vcs_spells_means(&d->spells, a, &d->answers[0], &d->answers[1]);
        if (code == VCS_OK) {
            is_within(d->answers[0], VCS_MIN_ON, 1e12);
            is_within(d->answers[1], 0, 1e12);
        }
        return code;
    case 2:
        code = vcs_report_latest(a, b, on, off, c, &d->answers[0]);
        if (code == VCS_OK) {
            assert_true(d->answers[0] >= c && (d->answers[0] <= a || d->answers[0] == c));
        }
        return code;
    case 3:
        code = vcs_chance_margin(a, b, on, off, &d->answers[0]);
        if (code == VCS_OK) {
            assert_false(isnan(d->answers[0]));
        }
        return code;
    case 4:
        return vcs_hours_add(&hours, fuzz_byte(in) % 3, a, b);
    case 5:
        code = vcs_hours_spells(&hours, on, off, a, b, &d->answers[0], &d->answers[1]);
        if (code == VCS_OK) {
            is_within(d->answers[0], VCS_MIN_ON, (double)INFINITY);
            is_within(d->answers[1], 0, 1e12);
        }
        return code;
    case 6:
        code = vcs_hours_report_latest(&hours, a, b, on, off, c, &d->answers[0]);
        if (code == VCS_OK) {
            assert_true(d->answers[0] >= c && (d->answers[0] <= a || d->answers[0] == c));
        }
        return code;
    default:
        code = vcs_chance_to_finish(a, b, c, on, off, &d->answers[0]);
        if (code == VCS_OK) {
            is_within(d->answers[0], 0, 1);
        }
        return code;
    }
}

static int call_accounts(fuzz_input *in, uint32_t which, desk *d, const question *q, vcs_error *error) {
    const double a = fuzz_number(in), b = fuzz_number(in), now = fuzz_number(in);
    int code;
    switch (which % 10) {
    case 0:
        code = vcs_average_add(&d->sum, a, b, now);
        if (code == VCS_OK) {
            is_within(d->sum.value, 0, 1e30);
        }
        return code;
    case 1:
        code = vcs_average_blend(&d->mean, a, b, now);
        if (code == VCS_OK) {
            is_within(d->mean.value, 0, 1e30);
        }
        return code;
    case 2:
        code = vcs_credits(a, &d->answers[0]);
        if (code == VCS_OK) {
            is_within(d->answers[0], 0, 1e30);
        }
        return code;
    case 3:
        code = vcs_estimate_remaining(&q->progress, fuzz_byte(in) % 6, &d->answers[0], error);
        if (code == VCS_OK) {
            is_within(d->answers[0], 0, 1e12);
        }
        return code;
    case 4:
        return call_correction(d, q, error);
    case 5:
        code = vcs_usable_update(&d->usable, a, b);
        if (code == VCS_OK && d->usable.fraction != 0) {
            is_within(d->usable.fraction, 0, 1);
        }
        return code;
    case 8:
        return call_chance(in, d, a, b, now);
    case 9:
        return call_choice(d, q, now, error);
    case 6:
        code = vcs_debt_update(ARRAY(d->debts, PROJECTS), &q->interval, d->order, error);
        if (code == VCS_OK) {
            is_permutation(d->order, PROJECTS);
            for (uint32_t i = 0; i < PROJECTS; i++) {
                is_within(d->debts[i].short_term, -1e12, 1e12);
                is_within(d->debts[i].long_term, -1e12, 1e12);
                assert_true(d->debts[i].used == 0);
            }
        }
        return code;
    default:
        code = vcs_rank(ARRAY(q->entries, PROJECTS), &q->ranking, d->order, d->answers, error);
        if (code == VCS_OK) {
            is_permutation(d->order, PROJECTS);
            for (uint32_t i = 0; i < PROJECTS; i++) {
                assert_false(isnan(d->answers[i]));
            }
        }
        return code;
    }
}

/* Most clocks are ordinary. */
static double draw_now(fuzz_input *in, const question *q) {
    const double step = fuzz_fraction(in) * 1e5;
    return fuzz_byte(in) < 32 ? fuzz_number(in) : q->situation.now + step;
}

static int call_timers(fuzz_input *in, uint32_t which, desk *d, question *q, vcs_error *error) {
    const double u = fuzz_byte(in) < 240 ? fuzz_fraction(in) : fuzz_number(in), now = draw_now(in, q);
    int code;
    switch (which % 10) {
    case 0:
        code = vcs_backoff(fuzz_byte(in), &d->range, u, &d->answers[0]);
        if (code == VCS_OK) {
            is_within(d->answers[0], 0, 1e12);
        }
        return code;
    case 1:
        return vcs_project_timer_delay(&d->timer, fuzz_number(in), now);
    case 2:
        code = vcs_project_timer_wait(&d->timer, now, &d->answers[0]);
        break;
    case 3:
        code = vcs_resource_backoff_wait(d->backoffs, now, &d->answers[0]);
        break;
    case 4:
        return vcs_transfer_backoff_failed(&d->transfer, &d->range, now, u);
    case 5:
        code = vcs_transfer_backoff_wait(&d->transfer, now, &d->answers[0]);
        break;
    case 6:
        return vcs_reply_apply(&d->timer, ARRAY(d->backoffs, RESOURCES), &q->reply, ARRAY(q->replies, RESOURCES),
                               &q->parameters, error);
    case 7:
        q->situation.now = now;
        code =
            vcs_rpc_next(&d->session, ARRAY(d->projects, PROJECTS), &q->situation, &q->parameters, &d->action, error);
        if (code == VCS_OK) {
            assert_true(d->action.kind <= VCS_RPC_FETCH_MASTER);
            assert_true(d->action.kind == VCS_RPC_WAIT ? d->action.project == VCS_NONE : d->action.project < PROJECTS);
        }
        return code;
    case 8:
        q->outcome.now = now;
        q->outcome.kind = fuzz_byte(in) % 7;
        return vcs_rpc_report(&d->session, ARRAY(d->projects, PROJECTS), &q->outcome, &q->parameters, error);
    default:
        code = vcs_result_overdue(fuzz_number(in), fuzz_number(in), &q->parameters, now, &d->word);
        if (code == VCS_OK) {
            assert_true(d->word <= 1);
        }
        return code;
    }
    if (code == VCS_OK) {
        is_within(d->answers[0], 0, 4e15);
    }
    return code;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static desk d, before;
    static question q;
    fuzz_input in = {bytes, size};
    begin(&in, &d, &q);
    for (uint32_t steps = 0; steps < 60 && fuzz_more(&in); steps++) {
        const uint32_t what = fuzz_byte(&in);
        vcs_error error = {.struct_size = sizeof error};
        for (uint32_t edits = what % 3; edits > 0; edits--) {
            change(&in, &d, &q);
        }
        before = d;
        const int code =
            what >= 128 ? call_accounts(&in, what, &d, &q, &error) : call_timers(&in, what, &d, &q, &error);
        if (code != VCS_OK) {
            assert_string_not_equal(vcs_error_name(code), "unknown");
            assert_true(error.code == 0 || error.code == code);
            fuzz_same("records of a call that was refused", &before, &d, sizeof d);
        }
    }
    return 0;
}
