/*
 * Sessions of scheduler calls against a world of random servers: what must hold whatever happens (rules 7.1 to 7.4).
 *
 * The world has projects with schedulers that answer or not, have work or none, ask for delays or not, and move to
 * other URLs; a clock that jumps both ways; a user; and a client that now and then ends in the middle of an action and
 * begins again from what it saved. The model below keeps its own books of what was called, and knows no more of
 * sessions than the rules say.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/array.h"
#include "support/effort.h"
#include "support/kernel.h"

#include <stdbool.h>
#include <vcsched/timers.h>

#define DAY 86400.0
#define MOST_PROJECTS 6
#define WORLDS 400
#define STEPS 500

/* What the model knows of one project: the truth behind the caller's record. */
typedef struct model {
    double allowed;       /* not to be contacted before this time */
    double seen;          /* when its timer was last used */
    uint32_t failures;    /* in a row */
    uint32_t tried;       /* schedulers tried in this round */
    bool marked;          /* its master file is wanted */
    bool done;            /* contacted in this session, with nothing gained */
    double answers, work; /* the probability that a scheduler answers, and that it then has work */
    double delay;         /* what it likes to ask for */
} model;

typedef struct world {
    random_stream stream;   /* what happens */
    random_stream restarts; /* when the client ends and begins again; no such stream, no restarts */
    vcs_parameters policy;
    vcs_rpc_session session;
    vcs_rpc_project projects[MOST_PROJECTS];
    model models[MOST_PROJECTS];
    uint32_t count;
    uint64_t next_id;
    double now, work;
    vcs_rpc_action under_way; /* not reported yet; VCS_RPC_WAIT if none is */
    uint32_t kind, last;      /* of the session, and of the previous session */
    bool reads_masters;       /* it is done with the schedulers */
    double pause_until;       /* no session to get work before */
    double work_at_call;      /* what there was when the present or last project was chosen */
    uint64_t sent_by;         /* the project that sent tasks with the last answer; 0 = none did */
    uint32_t calls, master_tries, reports, failures, waits;
} world;

static bool chance(world *w, double probability) {
    return random_draw(&w->stream) < probability;
}

static void join(world *w) {
    const uint32_t i = w->count++;
    memset(&w->projects[i], 0, sizeof w->projects[i]);
    memset(&w->models[i], 0, sizeof w->models[i]);
    w->projects[i].id = w->next_id++;
    w->models[i].allowed = -(double)INFINITY;
    w->models[i].answers = random_draw(&w->stream);
    w->models[i].work = chance(w, 0.2) ? 0 : random_draw(&w->stream);
    w->models[i].delay = chance(w, 0.5) ? 0 : random_magnitude(&w->stream, 1, 1e4);
}

static void begin(world *w, uint64_t seed, bool with_restarts) {
    memset(w, 0, sizeof *w);
    w->stream.state = seed;
    w->restarts.state = with_restarts;
    w->next_id = 100;
    w->under_way.kind = VCS_RPC_WAIT;
    w->pause_until = -(double)INFINITY;
    uint32_t profile = random_below(&w->stream, VCS_PROFILE_COUNT);
    assert_int_equal(vcs_parameters_init(&w->policy, sizeof w->policy, profile), VCS_OK);
    w->policy.backoff_rule = VCS_BACKOFF_EXPONENT + random_below(&w->stream, 3);
    w->policy.least_buffer = 0;
    w->policy.min_buffer = random_between(&w->stream, 0, DAY / 10);
    w->policy.additional_buffer = chance(w, 0.2) ? 0 : random_between(&w->stream, 0, DAY);
    w->policy.master_fetch_failures = 1 + random_below(&w->stream, 10);
    w->policy.master_fetch_interval = chance(w, 0.5) ? 0 : random_between(&w->stream, 0, DAY);
    w->policy.look_interval = chance(w, 0.5) ? 0 : random_between(&w->stream, 0, 600);
    w->now = chance(w, 0.1) ? 0 : random_between(&w->stream, -1e9, 2e9);
    for (uint32_t i = 1 + random_below(&w->stream, MOST_PROJECTS); i > 0; i--) {
        join(w);
        w->projects[w->count - 1].scheduler_urls = random_below(&w->stream, 4);
    }
}

static vcs_rpc_action next_of(world *w) {
    vcs_rpc_situation situation = {.struct_size = sizeof situation, .now = w->now, .estimated_work = w->work};
    vcs_rpc_action action = {.struct_size = sizeof action};
    assert_int_equal(vcs_rpc_next(&w->session, ARRAY(w->projects, w->count), &situation, &w->policy, &action, NULL),
                     VCS_OK);
    return action;
}

/* ---- What the rules allow, by the model's books ---- */

static bool has(const world *w, uint32_t i, uint32_t flag) {
    return (w->projects[i].flags & flag) != 0;
}

static bool has_waited(const world *w, uint32_t i) {
    return w->now >= w->models[i].allowed;
}

static bool interval_is_over(const world *w, uint32_t i) {
    const vcs_rpc_project *project = &w->projects[i];
    double elapsed = w->now - project->master_fetched;
    return project->scheduler_urls == 0 || project->master_fetched == 0.0 || elapsed < 0 ||
           elapsed >= w->policy.master_fetch_interval;
}

static bool master_is_due(const world *w, uint32_t i) {
    bool needed = w->projects[i].scheduler_urls == 0 || w->models[i].marked;
    return needed && has_waited(w, i) && interval_is_over(w, i);
}

static bool may_get_work(const world *w, uint32_t i) {
    return w->projects[i].scheduler_urls > 0 && !has(w, i, VCS_RPC_SUSPENDED | VCS_RPC_NO_NEW_WORK) &&
           has_waited(w, i);
}

static bool goes_before(const world *w, uint32_t a, uint32_t b) {
    if (w->projects[a].rank != w->projects[b].rank) {
        return w->projects[a].rank < w->projects[b].rank;
    }
    return w->projects[a].id < w->projects[b].id;
}

static double high_water(const world *w) {
    return w->policy.min_buffer + w->policy.additional_buffer;
}

static double missing(const world *w) {
    if (w->work < high_water(w)) {
        return high_water(w) - w->work;
    }
    return w->work == 0 ? 1 : 0;
}

static bool is_low(const world *w) {
    return w->work < w->policy.min_buffer || w->work == 0;
}

static bool is_next_to_ask(const world *w, uint32_t i) {
    return may_get_work(w, i) && !w->models[i].done && !master_is_due(w, i);
}

static bool is_next_to_read(const world *w, uint32_t i) {
    return master_is_due(w, i) && !w->models[i].done && !has(w, i, VCS_RPC_SUSPENDED);
}

static bool is_wanted(const world *w, uint32_t i) {
    return has(w, i, VCS_RPC_CALL_WANTED);
}

static bool may_report(const world *w, uint32_t i) {
    return w->projects[i].overdue > 0 && has_waited(w, i) && !has(w, i, VCS_RPC_SUSPENDED);
}

typedef bool condition(const world *w, uint32_t i);

static bool any(const world *w, condition *holds) {
    for (uint32_t i = 0; i < w->count; i++) {
        if (holds(w, i)) {
            return true;
        }
    }
    return false;
}

static bool is_best(const world *w, uint32_t p, condition *holds) {
    for (uint32_t i = 0; i < w->count; i++) {
        if (holds(w, i) && goes_before(w, i, p)) {
            return false;
        }
    }
    return holds(w, p);
}

/* ---- Each action is allowed by the rules, and the best of its kind ---- */

static bool may_begin_to_get_work(const world *w) {
    return is_low(w) && w->now >= w->pause_until && (any(w, is_next_to_ask) || any(w, is_next_to_read));
}

static void check_report_begins(const world *w, uint32_t p) {
    if (any(w, is_wanted)) {
        assert_true(is_best(w, p, is_wanted));
    } else {
        assert_true(is_best(w, p, may_report));
        assert_true(!may_begin_to_get_work(w) || w->last == VCS_RPC_GET_WORK);
    }
    /* Work is asked for along with a report only if nobody who may be asked goes before. */
    bool first = !has(w, p, VCS_RPC_SUSPENDED | VCS_RPC_NO_NEW_WORK);
    for (uint32_t i = 0; i < w->count; i++) {
        first = first && !(may_get_work(w, i) && goes_before(w, i, p));
    }
    assert_number(w->session.seconds, first ? missing(w) : 0);
}

static void check_session_begins(world *w, const vcs_rpc_action *action) {
    for (uint32_t i = 0; i < w->count; i++) {
        w->models[i].done = false;
    }
    if (action->session == VCS_RPC_REPORT_RESULT) {
        check_report_begins(w, action->project);
        w->reports++;
    } else {
        assert_false(any(w, is_wanted));
        assert_true(may_begin_to_get_work(w));
        assert_true(w->last != VCS_RPC_GET_WORK || !any(w, may_report));
    }
}

static bool is_done_with_schedulers(const world *w) {
    return missing(w) == 0 || !any(w, is_next_to_ask);
}

static void check_action(world *w, const vcs_rpc_action *action) {
    const uint32_t p = action->project;
    assert_true(p < w->count);
    assert_int_equal(action->url, 0);
    if (action->kind == VCS_RPC_CALL) {
        w->calls++;
        assert_true(w->projects[p].scheduler_urls > 0);
    }
    if (action->session != VCS_RPC_GET_WORK) {
        return;
    }
    if (action->kind == VCS_RPC_CALL) {
        assert_false(w->reads_masters);
        assert_true(is_best(w, p, is_next_to_ask));
        assert_true(missing(w) > 0);
        assert_number(action->seconds, missing(w));
    } else {
        assert_true(w->reads_masters || is_done_with_schedulers(w));
        assert_true(is_best(w, p, is_next_to_read));
        w->reads_masters = true;
    }
    w->work_at_call = w->work;
}

/* Nobody is kept waiting for nothing, and the wait ends when somebody may be contacted. */
static void check_wait(const world *w, const vcs_rpc_action *action) {
    const double slack = 1 + 1e-9 * fabs(w->now);
    double low = w->now + (is_low(w) ? 0 : w->work - w->policy.min_buffer);
    assert_true(action->until > w->now);
    assert_false(any(w, is_wanted));
    assert_false(any(w, may_report));
    assert_false(may_begin_to_get_work(w));
    for (uint32_t i = 0; i < w->count; i++) {
        const double allowed = w->models[i].allowed;
        if (w->projects[i].overdue > 0 && !has(w, i, VCS_RPC_SUSPENDED)) {
            assert_true(action->until <= allowed + slack);
        }
        if (w->projects[i].scheduler_urls > 0 && !has(w, i, VCS_RPC_SUSPENDED | VCS_RPC_NO_NEW_WORK)) {
            assert_true(action->until <= fmax(allowed, fmax(low, w->pause_until)) + slack);
        }
    }
}

/* ---- Asking ---- */

/* When the clock goes back, the moments that are waited for go with it. */
static void see(model *m, double now) {
    if (m->seen > now) {
        m->allowed -= m->seen - now;
    }
    m->seen = now;
}

static double pause_of(const world *w) {
    return fmax(w->policy.look_interval, 1);
}

static void see_all(world *w) {
    w->pause_until = fmin(w->pause_until, w->now + pause_of(w));
    for (uint32_t i = 0; i < w->count; i++) {
        model *m = &w->models[i];
        see(m, w->now);
        if (w->sent_by == w->projects[i].id && w->work < w->work_at_call + 1) {
            m->done = true;
        }
    }
    w->sent_by = 0;
}

/* The timers agree with the books up to rounding, which the books then take over. */
static void compare_timers(world *w) {
    for (uint32_t i = 0; i < w->count; i++) {
        model *m = &w->models[i];
        const double until = w->projects[i].timer.min_rpc_time;
        assert_int_equal(w->projects[i].timer.failures, m->failures);
        if (m->allowed > w->now || (until > w->now && until != 0)) {
            assert_true(fabs(until - m->allowed) <= 1e-9 * (1 + fabs(w->now) + fabs(until)));
            m->allowed = until;
        }
    }
}

static vcs_rpc_action ask(world *w) {
    see_all(w);
    vcs_rpc_action action = next_of(w);
    compare_timers(w);
    if (w->under_way.kind != VCS_RPC_WAIT) {
        w->under_way.project = action.project; /* the only thing that may have changed: its place */
        assert_memory_equal(&action, &w->under_way, sizeof action);
        return action;
    }
    if (w->kind == VCS_RPC_GET_WORK && action.session != VCS_RPC_GET_WORK) {
        assert_true(w->reads_masters || is_done_with_schedulers(w));
        assert_false(any(w, is_next_to_read));
        w->last = VCS_RPC_GET_WORK;
        w->pause_until = w->now + pause_of(w);
        w->kind = VCS_RPC_NO_SESSION;
    }
    if (w->kind != action.session) {
        check_session_begins(w, &action);
        w->kind = action.session;
        w->reads_masters = false;
    }
    if (action.kind == VCS_RPC_WAIT) {
        check_wait(w, &action);
        w->waits++;
    } else {
        check_action(w, &action);
    }
    w->under_way = action;
    return action;
}

/* ---- Outcomes ---- */

/* The wait after a failure lies in what rule 3.1 allows, and never ends before an earlier one. */
static void expect_failure(world *w, uint32_t p) {
    model *m = &w->models[p];
    const double until = w->projects[p].timer.min_rpc_time;
    const double slack = 1e-9 * (1 + fabs(w->now));
    see(m, w->now);
    m->failures++;
    w->failures++;
    assert_int_equal(w->projects[p].timer.failures, m->failures);
    assert_true(until >= fmax(w->now + w->policy.backoff_min, m->allowed) - slack);
    assert_true(until <= fmax(w->now + w->policy.backoff_max, m->allowed) + slack);
    m->allowed = until;
}

static void expect_delay(world *w, uint32_t p, double delay) {
    model *m = &w->models[p];
    see(m, w->now);
    if (delay > 0) {
        m->allowed = fmax(m->allowed, w->now + delay);
        assert_true(fabs(w->projects[p].timer.min_rpc_time - m->allowed) <= 1e-9 * (1 + fabs(w->now) + delay));
    }
}

static void expect_cleared(world *w, uint32_t p) {
    w->models[p].failures = 0;
    w->models[p].allowed = -(double)INFINITY;
    assert_int_equal(w->projects[p].timer.failures, 0);
}

static void expect_answer(world *w, uint32_t p, const vcs_rpc_outcome *outcome) {
    expect_cleared(w, p);
    expect_delay(w, p, outcome->request_delay);
    assert_int_equal(w->projects[p].overdue, 0);
    if (w->kind == VCS_RPC_GET_WORK && outcome->tasks > 0) {
        w->models[p].done = false;
        w->sent_by = w->projects[p].id;
    }
}

/* Whether the outcome ended the action; else the same project is called at its next scheduler. */
static bool expect_silence(world *w, uint32_t p, const vcs_rpc_project *before) {
    model *m = &w->models[p];
    if (++m->tried < before->scheduler_urls) {
        assert_memory_equal(&w->projects[p], before, sizeof *before); /* nothing, before the last has failed */
        w->under_way.url++;
        return false;
    }
    expect_failure(w, p);
    m->marked = m->marked || m->failures % w->policy.master_fetch_failures == 0;
    return true;
}

static void expect_master(world *w, uint32_t p, const vcs_rpc_outcome *outcome, const vcs_rpc_project *before) {
    w->master_tries++;
    assert_number(w->projects[p].master_fetched, w->now);
    if (outcome->kind == VCS_RPC_MASTER_FAILED || outcome->scheduler_urls == 0) {
        assert_int_equal(w->projects[p].scheduler_urls, before->scheduler_urls);
        expect_failure(w, p);
        return;
    }
    assert_int_equal(w->projects[p].scheduler_urls, outcome->scheduler_urls);
    w->models[p].marked = false;
    if (before->scheduler_urls == 0 || outcome->flags == VCS_RPC_NEW_URLS) {
        expect_cleared(w, p);
    }
}

static void report(world *w, const vcs_rpc_outcome *outcome) {
    const uint32_t p = w->under_way.project;
    const vcs_rpc_project before = w->projects[p];
    bool ended = true, goes_on = w->kind == VCS_RPC_GET_WORK;
    assert_int_equal(vcs_rpc_report(&w->session, ARRAY(w->projects, w->count), outcome, &w->policy, NULL), VCS_OK);
    w->models[p].done = true;
    if (outcome->kind == VCS_RPC_ANSWERED) {
        expect_answer(w, p, outcome);
    } else if (outcome->kind == VCS_RPC_NO_ANSWER) {
        ended = expect_silence(w, p, &before);
    } else if (outcome->kind == VCS_RPC_NOT_DONE) {
        assert_int_equal(w->projects[p].timer.failures, w->models[p].failures);
        expect_delay(w, p, outcome->request_delay);
    } else {
        expect_master(w, p, outcome, &before);
        goes_on = goes_on || (outcome->kind == VCS_RPC_MASTER_FETCHED && outcome->scheduler_urls > 0);
    }
    assert_int_equal(has(w, p, VCS_RPC_MASTER_WANTED), w->models[p].marked);
    if (!ended) {
        return;
    }
    w->models[p].tried = 0;
    w->under_way.kind = VCS_RPC_WAIT;
    if (!goes_on) {
        assert_false(has(w, p, VCS_RPC_CALL_WANTED));
        w->kind = VCS_RPC_NO_SESSION;
        w->last = VCS_RPC_REPORT_RESULT;
    }
}

/* ---- What servers do ---- */

static vcs_rpc_outcome draw_outcome(world *w) {
    const model *m = &w->models[w->under_way.project];
    vcs_rpc_outcome outcome = {.struct_size = sizeof outcome, .now = w->now, .u = random_draw(&w->stream)};
    if (chance(w, 0.03)) {
        outcome.kind = VCS_RPC_NOT_DONE;
        outcome.request_delay = 100;
    } else if (w->under_way.kind == VCS_RPC_CALL && chance(w, m->answers)) {
        outcome.kind = VCS_RPC_ANSWERED;
        outcome.tasks = w->under_way.seconds > 0 && chance(w, m->work) ? 1 + random_below(&w->stream, 5) : 0;
        outcome.request_delay = chance(w, 0.5) ? 0 : m->delay;
    } else if (w->under_way.kind == VCS_RPC_CALL) {
        outcome.kind = VCS_RPC_NO_ANSWER;
    } else if (chance(w, 0.6)) {
        outcome.kind = VCS_RPC_MASTER_FETCHED;
        outcome.scheduler_urls = random_below(&w->stream, 5);
        outcome.flags = chance(w, 0.5) ? VCS_RPC_NEW_URLS : 0;
    } else {
        outcome.kind = VCS_RPC_MASTER_FAILED;
    }
    return outcome;
}

/* ---- What happens in between ---- */

static void pass_time(world *w, double seconds) {
    w->now += seconds;
    w->work = w->work > seconds ? w->work - seconds : 0;
}

/* The last project fills the gap of a project that leaves. */
static void leave(world *w, uint32_t i) {
    const bool is_under_way = w->under_way.kind != VCS_RPC_WAIT && w->under_way.project == i;
    w->count--;
    w->projects[i] = w->projects[w->count];
    w->models[i] = w->models[w->count];
    if (is_under_way) {
        w->under_way.kind = VCS_RPC_WAIT;
        if (w->kind == VCS_RPC_REPORT_RESULT) {
            w->kind = VCS_RPC_NO_SESSION;
            w->last = VCS_RPC_REPORT_RESULT;
        }
    }
}

static void disturb_project(world *w, uint32_t i) {
    vcs_rpc_project *project = &w->projects[i];
    model *m = &w->models[i];
    project->rank = random_below(&w->stream, 4);
    if (chance(w, 0.1)) {
        project->flags ^= VCS_RPC_SUSPENDED;
    }
    if (chance(w, 0.1)) {
        project->flags ^= VCS_RPC_NO_NEW_WORK;
    }
    if (chance(w, 0.05)) {
        project->flags |= VCS_RPC_CALL_WANTED;
    }
    if (chance(w, 0.02)) {
        project->flags |= VCS_RPC_MASTER_WANTED;
        m->marked = true;
    }
    project->overdue += chance(w, 0.1);
    if (chance(w, 0.05)) { /* a computation failed */
        double delay = random_magnitude(&w->stream, 1, 1e4);
        assert_int_equal(vcs_project_timer_delay(&project->timer, delay, w->now), VCS_OK);
        expect_delay(w, i, delay);
    }
}

static void disturb(world *w) {
    pass_time(w, random_magnitude(&w->stream, 0.01, 100));
    if (chance(w, 0.03)) {
        double by = random_magnitude(&w->stream, 1, 1e8);
        w->now += chance(w, 0.5) ? by : -by;
    }
    if (w->count > 0 && chance(w, 0.3)) {
        disturb_project(w, random_below(&w->stream, w->count));
    }
    if (w->count > 0 && chance(w, 0.01)) {
        leave(w, random_below(&w->stream, w->count));
    }
    if (w->count < MOST_PROJECTS && chance(w, 0.02)) {
        join(w);
    }
}

/* A record as it is after it was saved field by field, under the names of the fields, and loaded again. */
static void save_and_load(void *record, uint32_t type) {
    unsigned char loaded[512] = {0};
    for (uint32_t k = 0; k < vcs_field_count(type); k++) {
        vcs_field_info info = {.struct_size = sizeof info};
        assert_int_equal(vcs_field_at(type, k, &info), VCS_OK);
        if (strstr(info.name, "reserved") == NULL) {
            memcpy(loaded + info.offset, (const unsigned char *)record + info.offset, info.size);
        }
    }
    memcpy(record, loaded, vcs_struct_size(type));
}

/* The client ends without having reported the action under way, and begins again from its saved records. */
static void restart_now_and_then(world *w) {
    if (w->restarts.state == 0 || random_below(&w->restarts, 5) > 0) {
        return;
    }
    save_and_load(&w->session, VCS_TYPE_RPC_SESSION);
    for (uint32_t i = 0; i < w->count; i++) {
        save_and_load(&w->projects[i], VCS_TYPE_RPC_PROJECT);
    }
    for (uint32_t times = random_below(&w->restarts, 3); w->under_way.kind != VCS_RPC_WAIT && times > 0; times--) {
        (void)ask(w);
    }
}

/* The tasks that came: now and then they are of no length. */
static void take_tasks(world *w, uint32_t tasks) {
    if (tasks > 0 && chance(w, 0.8)) {
        w->work += random_between(&w->stream, 0.05, 1) * high_water(w);
    }
}

static void live(world *w) {
    for (int step = 0; step < STEPS; step++) {
        vcs_rpc_action action = ask(w);
        restart_now_and_then(w);
        if (action.kind == VCS_RPC_WAIT) {
            double until = w->now + random_magnitude(&w->stream, 1, DAY);
            pass_time(w, (chance(w, 0.5) && action.until < until ? action.until : until) - w->now);
        } else if (chance(w, 0.8)) {
            pass_time(w, random_magnitude(&w->stream, 0.01, 100));
            vcs_rpc_outcome outcome = draw_outcome(w);
            report(w, &outcome);
            take_tasks(w, outcome.tasks);
        }
        if (chance(w, 0.3)) {
            disturb(w);
        }
    }
}

static world worlds[2];

static void the_rules_hold_in_any_world(void **unused) {
    (void)unused;
    uint32_t calls = 0, reports = 0, master_tries = 0, failures = 0, waits = 0;
    for (uint64_t seed = 1; seed <= WORLDS; seed++) {
        world *w = &worlds[0];
        begin(w, seed, false);
        live(w);
        calls += w->calls;
        reports += w->reports;
        master_tries += w->master_tries;
        failures += w->failures;
        waits += w->waits;
    }
    /* Much of everything has happened. */
    assert_true(calls > 20000 && reports > 2000 && master_tries > 2000 && failures > 5000 && waits > 5000);
}

/* Ending in the middle and beginning again changes nothing: not one byte of what comes after. */
static void a_restart_changes_nothing(void **unused) {
    (void)unused;
    for (uint64_t seed = 1; seed <= cases_to_try(WORLDS); seed++) {
        begin(&worlds[0], seed, false);
        begin(&worlds[1], seed, true);
        live(&worlds[0]);
        live(&worlds[1]);
        assert_memory_equal(&worlds[0].session, &worlds[1].session, sizeof worlds[0].session);
        assert_memory_equal(worlds[0].projects, worlds[1].projects, sizeof worlds[0].projects);
        assert_number(worlds[0].work, worlds[1].work);
        assert_int_equal(worlds[0].calls, worlds[1].calls);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_rules_hold_in_any_world),
        cmocka_unit_test(a_restart_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
