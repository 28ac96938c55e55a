/*
 * The caller's functions in a grid: each is called, each can end the emulation, and none can lead it astray.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/array.h"
#include "support/grid_case.h"

#include <math.h>

#include <vcsched/chance.h>
#include <vcsched/unit.h>

#define STOP (-1234)

static grid_case g;

/* How often each function was called, and at which call it ends the emulation; 0 = never. */
static struct {
    uint32_t dispatch, validate, trust, observe, progress, schedule, fetch, send, estimate;
} calls, stop_at;

static int count(uint32_t *calls_of, uint32_t stop) {
    ++*calls_of;
    return stop != 0 && *calls_of == stop ? STOP : VCS_OK;
}

/* ---- Functions that do what the library does ---- */

static int dispatch(void *context, const vcs_grid_situation *situation, const vcs_dispatch *index,
                    vcs_dispatch_decision *decision) {
    assert_ptr_equal(context, &g);
    assert_true(situation->host < 4 && situation->project == 1 && situation->seed == 1);
    const int code = count(&calls.dispatch, stop_at.dispatch);
    return code != VCS_OK ? code : vcs_dispatch_next(index, situation->host, situation->now, decision);
}

static int validate(void *context, const vcs_grid_situation *situation, const vcs_unit *unit, const vcs_array *results,
                    const uint32_t *classes, const vcs_array *changes, uint32_t *change_count) {
    assert_ptr_equal(context, &g);
    assert_true(situation->host == VCS_NONE && situation->struct_size >= sizeof *situation);
    assert_true(situation->now >= 0 && situation->now <= g.terms.duration);
    const int code = count(&calls.validate, stop_at.validate);
    return code != VCS_OK ? code : vcs_validate(unit, results, classes, situation->now, changes, change_count, NULL);
}

static int trust(void *context, const vcs_grid_situation *situation, const vcs_trust *record, double u,
                 uint32_t *needed) {
    assert_ptr_equal(context, &g);
    assert_true(situation->host < 4);
    const int code = count(&calls.trust, stop_at.trust);
    return code != VCS_OK ? code : vcs_trust_needs_copy(record, u, needed, NULL);
}

static int observe(void *context, const vcs_grid_event *event) {
    assert_ptr_equal(context, &g);
    assert_true(event->time >= 0);
    return count(&calls.observe, stop_at.observe);
}

static int progress(void *context, double done) {
    assert_ptr_equal(context, &g);
    assert_true(done >= 0 && done <= 1);
    return count(&calls.progress, stop_at.progress);
}

static int schedule(void *context, const vcs_situation *situation, vcs_task_decision *decisions,
                    vcs_schedule_summary *summary) {
    assert_ptr_equal(context, &calls);
    int code = count(&calls.schedule, stop_at.schedule);
    code = code != VCS_OK ? code : vcs_schedule(situation->state, VCS_SCHEDULE_EXPLAIN, summary);
    return code != VCS_OK ? code
                          : vcs_schedule_tasks(situation->state, ARRAY(decisions, situation->snapshot->tasks.count));
}

static int fetch(void *context, const vcs_situation *situation, const vcs_fetch_question *question,
                 vcs_fetch_decision *decisions, vcs_fetch_summary *summary) {
    (void)context;
    int code = count(&calls.fetch, stop_at.fetch);
    code = code != VCS_OK ? code : vcs_fetch(situation->state, question, summary);
    return code != VCS_OK
               ? code
               : vcs_fetch_decisions(situation->state, ARRAY(decisions, situation->snapshot->projects.count *
                                                                            situation->snapshot->resources.count));
}

static int send(void *context, const vcs_situation *situation, uint32_t candidate, vcs_admission *admission) {
    (void)context;
    (void)situation;
    (void)candidate;
    admission->admitted = 1;
    return count(&calls.send, stop_at.send);
}

static int estimate(void *context, const vcs_progress *of, uint32_t rule, double *device_seconds) {
    (void)context;
    const int code = count(&calls.estimate, stop_at.estimate);
    return code != VCS_OK ? code : vcs_estimate_remaining(of, rule, device_seconds, NULL);
}

static vcs_hooks host_hooks;

static void begin_hooked(void) {
    begin_grid(&g, 6 * DAY);
    vcs_grid_project *project = add_units(&g, 5000, 2 * DAY);
    project->verification = VCS_GRID_CHECK_ADAPTIVE;
    add_units(&g, 5000, 2 * DAY)->dispatch = VCS_GRID_BY_REPLY;
    add_hosts(&g, 4, 2);
    g.hosts[0].parameters.report_delay = 0;
    memset(&calls, 0, sizeof calls);
    memset(&stop_at, 0, sizeof stop_at);
}

static void hook(void) {
    g.hooks.context = &g;
    g.hooks.dispatch = dispatch;
    g.hooks.validate = validate;
    g.hooks.trust = trust;
    g.hooks.observe = observe;
    g.hooks.progress = progress;
    host_hooks = (vcs_hooks){
        .struct_size = sizeof host_hooks,
        .context = &calls,
        .schedule = schedule,
        .fetch = fetch,
        .send = send,
        .estimate = estimate,
    };
    g.classes[0].hooks = &host_hooks;
}

/* What such a function may write includes that copies nobody has yet are not needed any more. */
static void a_verdict_may_end_unsent_copies(void **unused) {
    (void)unused;
    vcs_grid_project_outcome expected = {0};
    for (int hooked = 0; hooked < 2; hooked++) {
        begin_hooked();
        g.projects[0].verification = VCS_GRID_CHECK_NONE;
        g.projects[0].min_quorum = 2;
        g.projects[0].target_nresults = 5;
        g.projects[0].max_total = 8;
        g.hooks.context = &g;
        g.hooks.validate = hooked ? validate : NULL;
        run_grid(&g);
        assert_true(g.project_outcomes[0].done > 100);
        if (hooked) {
            assert_memory_equal(&g.project_outcomes[0], &expected, sizeof expected);
        }
        expected = g.project_outcomes[0];
    }
    assert_true(calls.validate > 100);
}

static int stop_at_second_progress(void *context, double done) {
    (void)context;
    assert_true(done < 1e-3);
    return count(&calls.progress, 2);
}

/* However long it is, its caller is soon asked whether it is to go on. */
static void a_long_one_can_soon_be_ended(void **unused) {
    (void)unused;
    begin_hooked();
    g.terms.duration = 1e6 * DAY;
    g.hooks.progress = stop_at_second_progress;
    assert_int_equal(emulate_grid(&g, NULL), STOP);
    assert_int_equal(calls.progress, 2);
}

/* Functions that decide as the library does change nothing, except that `schedule` has no deadlines of its own. */
static void each_is_called(void **unused) {
    (void)unused;
    begin_hooked();
    run_grid(&g);
    const vcs_grid_project_outcome expected[2] = {g.project_outcomes[0], g.project_outcomes[1]};
    hook();
    g.classes[0].hooks = NULL;
    run_grid(&g);
    assert_memory_equal(g.project_outcomes, expected, sizeof expected);
    hook();
    run_grid(&g);
    assert_true(calls.dispatch > 0 && calls.validate > 0 && calls.trust > 0 && calls.observe > 0);
    assert_true(calls.schedule > 0 && calls.fetch > 0 && calls.send > 0 && calls.estimate > 0);
    assert_true(calls.progress > 10 && calls.progress <= 1001 * 2);
    assert_true(g.project_outcomes[0].done > 100 && g.project_outcomes[1].done > 100);
}

static double longest_spell;

static int note_spells(void *context, const vcs_situation *situation, vcs_task_decision *decisions,
                       vcs_schedule_summary *summary) {
    const vcs_host *host = situation->snapshot->host.base;
    longest_spell = fmax(longest_spell, host->on_spell);
    return schedule(context, situation, decisions, summary);
}

/* Rule 15.1: a host that nothing is stated of begins with 4 hours, and learns from there; else it goes by that. */
static void hosts_learn_their_spells(void **unused) {
    (void)unused;
    for (uint32_t stated = 0; stated < 2; stated++) {
        begin_hooked();
        hook();
        host_hooks.schedule = note_spells;
        g.hosts[0].parameters.give_up = VCS_GIVE_UP_BY_CHANCE;
        g.hosts[0].emulation.available = 0.5;
        g.hosts[0].emulation.available_mean = 12 * 3600;
        g.hosts[0].host.on_spell = stated ? 7 * 3600 : 0;
        longest_spell = 0;
        run_grid(&g);
        assert_true(stated ? longest_spell == 7 * 3600 : longest_spell > 5 * 3600);
    }
}

/* Wherever a function ends the emulation, its error is returned, and nothing is written. */
static void each_can_end_it(void **unused) {
    (void)unused;
    uint32_t *const stops[] = {
        &stop_at.dispatch, &stop_at.validate, &stop_at.trust, &stop_at.observe,  &stop_at.progress,
        &stop_at.schedule, &stop_at.fetch,    &stop_at.send,  &stop_at.estimate,
    };
    static const char *const names[] = {"dispatch", "validate", "trust", "observe", "progress",
                                        "schedule", "fetch",    "send",  "estimate"};
    static const uint32_t moments[] = {1, 2, 7, 23};
    for (size_t i = 0; i < COUNT_OF(stops); i++) {
        for (size_t k = 0; k < COUNT_OF(moments); k++) {
            vcs_error error = {.struct_size = sizeof error};
            begin_hooked();
            hook();
            *stops[i] = moments[k];
            memset(g.project_outcomes, 0x55, sizeof g.project_outcomes);
            assert_int_equal(emulate_grid(&g, &error), STOP);
            assert_int_equal(error.code, STOP);
            assert_string_equal(error.field, names[i]);
            assert_int_equal(g.outcome.hosts, 0);
            assert_int_equal(*(unsigned char *)g.project_outcomes, 0x55);
        }
    }
}

/* Any event of any kind can be the last. */
static void any_event_can_be_the_last(void **unused) {
    (void)unused;
    for (uint32_t i = 1; i < 2000; i += 1 + i / 8) {
        begin_hooked();
        hook();
        stop_at.observe = i;
        assert_int_equal(emulate_grid(&g, NULL), STOP);
        assert_int_equal(calls.observe, i);
    }
}

static int stop_at_server_event(void *context, const vcs_grid_event *event) {
    (void)context;
    return event->kind < VCS_EVENT_KINDS ? VCS_OK : count(&calls.observe, stop_at.observe);
}

/* Any event of a server, where hosts are caught, results withdrawn, and jobs called back. */
static void any_event_of_a_server_can_be_the_last(void **unused) {
    (void)unused;
    int code = STOP;
    for (uint32_t i = 1; code != VCS_OK; i++) {
        begin_grid(&g, 0.6 * DAY);
        vcs_grid_project *project = add_units(&g, 4000, DAY);
        project->spot_checks = 0.2;
        project->flags = VCS_GRID_BLACKLIST | VCS_GRID_WITHDRAW | VCS_GRID_ASSIMILATE_LAST | VCS_GRID_ABORTS;
        project->units = 12;
        project->target_nresults = project->max_total = 2;
        add_hosts(&g, 4, 1)->speed_sd = 1;
        g.models[0].saboteurs = 0.6;
        g.models[0].sabotage = 0.5;
        g.hosts[0].parameters.report_delay = 0;
        g.hooks.observe = stop_at_server_event;
        memset(&calls, 0, sizeof calls);
        stop_at.observe = i;
        code = emulate_grid(&g, NULL);
        assert_true(code == STOP || code == VCS_OK);
    }
    assert_true(g.project_outcomes[0].caught > 0 && g.project_outcomes[0].aborted > 0);
}

/* ---- Functions that decide otherwise ---- */

static int doubt_all(void *context, const vcs_grid_situation *situation, const vcs_trust *record, double u,
                     uint32_t *needed) {
    (void)context;
    (void)situation;
    (void)record;
    (void)u;
    calls.trust++;
    *needed = 1;
    return VCS_OK;
}

static int believe_all(void *context, const vcs_grid_situation *situation, const vcs_trust *record, double u,
                       uint32_t *needed) {
    doubt_all(context, situation, record, u, needed);
    *needed = 0;
    return VCS_OK;
}

static void trust_decides_on_copies(void **unused) {
    (void)unused;
    begin_hooked();
    g.hooks.trust = believe_all;
    run_grid(&g);
    assert_int_equal(g.project_outcomes[0].copies, g.project_outcomes[0].done + g.project_outcomes[0].in_progress);
    calls.trust = 0;
    g.hooks.trust = doubt_all;
    run_grid(&g);
    assert_int_equal(g.project_outcomes[0].valid, 2 * g.project_outcomes[0].done);
    assert_true(calls.trust > 0 && calls.trust <= g.project_outcomes[0].units); /* once for each at the most */
}

/* ---- Functions that are wrong ---- */

static vcs_change bad_change;
static uint32_t bad_count;

static int validate_badly(void *context, const vcs_grid_situation *situation, const vcs_unit *unit,
                          const vcs_array *results, const uint32_t *classes, const vcs_array *changes,
                          uint32_t *change_count) {
    (void)context;
    (void)situation;
    (void)unit;
    (void)results;
    (void)classes;
    assert_true(changes->count >= 1);
    vcs_change *list = changes->out;
    list[0] = bad_change;
    if (bad_count == 2) {
        list[1] = (vcs_change){.result = VCS_NONE, .field = VCS_FIELD_UNIT_NEED_VALIDATE};
    }
    *change_count = bad_count != UINT32_MAX ? bad_count : changes->count + 1;
    return VCS_OK;
}

static void bad_verdicts_are_refused(void **unused) {
    (void)unused;
    static const struct {
        uint32_t count;
        int code;
        vcs_change change;
    } bad[] = {
        {UINT32_MAX, VCS_ERR_RANGE, {0}},
        {0, VCS_ERR_RANGE, {0}}, /* nothing at all: the unit would be validated for ever */
        {1, VCS_ERR_RANGE, {.kind = VCS_CHANGE_CREATE, .integer = 3}},
        {1, VCS_ERR_RANGE, {.kind = VCS_CHANGE_SET, .result = 4096, .field = VCS_FIELD_RESULT_OUTCOME}},
        {1, VCS_ERR_RANGE, {.result = VCS_NONE, .field = VCS_FIELD_UNIT_CANONICAL, .integer = 99}},
        {1, VCS_ERR_RANGE, {.result = VCS_NONE, .field = VCS_FIELD_RESULT_OUTCOME}},
        {1, VCS_ERR_RANGE, {.result = 0, .field = VCS_FIELD_RESULT_SERVER_STATE, .integer = VCS_RESULT_UNSENT}},
        {1, VCS_ERR_INDEX, {.result = 0, .field = VCS_FIELD_UNIT_ERROR_MASK}},
        /* What may be written, but leaves a unit to be validated again, or in a state that cannot be */
        {1, VCS_ERR_RANGE, {.result = 0, .field = VCS_FIELD_RESULT_SERVER_STATE, .integer = VCS_RESULT_OVER}},
        {1, VCS_ERR_RANGE, {.result = VCS_NONE, .field = VCS_FIELD_UNIT_CANONICAL, .integer = 1}},
        {2,
         VCS_ERR_UNSUPPORTED,
         {.result = VCS_NONE, .field = VCS_FIELD_UNIT_ASSIMILATE_STATE, .integer = VCS_ASSIMILATE_DONE}},
        {1, VCS_ERR_FLAGS, {.result = 0, .field = 9999}},
    };
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        vcs_error error = {.struct_size = sizeof error};
        begin_hooked();
        g.hooks.validate = validate_badly;
        bad_change = bad[i].change;
        bad_count = bad[i].count;
        const int code = emulate_grid(&g, &error);
        if (code != bad[i].code) {
            fail_msg("%zu: %d (%s)", i, code, error.message);
        }
        assert_int_equal(error.code, code);
    }
}

/* ---- Functions that fail at one decision ---- */

static uint32_t fails_below; /* every decision about a unit or a call with a lower number in ten fails */

static int validate_unless(void *context, const vcs_grid_situation *situation, const vcs_unit *unit,
                           const vcs_array *results, const uint32_t *classes, const vcs_array *changes,
                           uint32_t *change_count) {
    const int code = validate(context, situation, unit, results, classes, changes, change_count);
    return unit->id % 10 < fails_below ? VCS_GRID_NOT_DECIDED : code; /* what has been written does not count */
}

static int dispatch_unless(void *context, const vcs_grid_situation *situation, const vcs_dispatch *index,
                           vcs_dispatch_decision *decision) {
    const int code = dispatch(context, situation, index, decision);
    return calls.dispatch % 10 < fails_below ? VCS_GRID_NOT_DECIDED : code;
}

static int trust_unless(void *context, const vcs_grid_situation *situation, const vcs_trust *record, double u,
                        uint32_t *needed) {
    assert_int_equal(trust(context, situation, record, u, needed), VCS_OK);
    *needed = 0;
    return VCS_GRID_NOT_DECIDED + 1; /* any positive number */
}

/* A comparison that fails for one unit in ten keeps these from ending, and nobody else: 8 tries, then a person. */
static void a_unit_that_cannot_be_compared_waits(void **unused) {
    (void)unused;
    begin_hooked();
    hook();
    g.projects[0].verification = VCS_GRID_CHECK_NONE;
    run_grid(&g);
    const vcs_grid_project_outcome usual = g.project_outcomes[0];
    assert_true(usual.failed_decisions == 0 && usual.waiting == 0);
    g.hooks.validate = validate_unless;
    fails_below = 1;
    run_grid(&g);
    const vcs_grid_project_outcome *found = &g.project_outcomes[0];
    assert_true(found->waiting > 10);
    assert_true(found->failed_decisions >= 8 * found->waiting && found->failed_decisions < 8 * (found->waiting + 20));
    assert_true(fabs((double)found->waiting * 9 / (double)found->done - 1) < 0.1);
    assert_true(found->done + found->waiting > usual.done * 9 / 10);
    assert_int_equal(found->units, found->done + found->failed + found->open);
    assert_true(found->waiting <= found->open && found->failed == 0);
    fails_below = 10; /* all of them: nothing ends, and the emulation does */
    run_grid(&g);
    assert_true(found->done == 0 && found->waiting > 0);
}

static double compared_at[9];
static uint32_t compared;

/* Fails at the first unit, the first seven times, or for ever. */
static int validate_in_the_end(void *context, const vcs_grid_situation *situation, const vcs_unit *unit,
                               const vcs_array *results, const uint32_t *classes, const vcs_array *changes,
                               uint32_t *change_count) {
    if (unit->id == 1 && unit->canonical == 0 && compared < 9) {
        compared_at[compared++] = situation->now;
        assert_int_equal(unit->compare_failures, compared - 1);
    }
    const int code = validate(context, situation, unit, results, classes, changes, change_count);
    return unit->id == 1 && compared < 8 ? VCS_GRID_NOT_DECIDED : code;
}

/* After 60, 120, ... 3840 s; the eighth time it works. */
static void a_comparison_is_tried_again_later_and_later(void **unused) {
    (void)unused;
    begin_hooked();
    hook();
    g.projects[0].verification = VCS_GRID_CHECK_NONE;
    g.hooks.validate = validate_in_the_end;
    compared = 0;
    run_grid(&g);
    assert_int_equal(compared, 8);
    for (uint32_t i = 1; i < 8; i++) {
        assert_true(compared_at[i] - compared_at[i - 1] == 60 * (1u << (i - 1)));
    }
    assert_true(g.project_outcomes[0].failed_decisions == 7 && g.project_outcomes[0].waiting == 0);
}

/* Of unit 1 nothing can be judged now, of unit 2 the first result fails to be compared at all. */
static int validate_some(void *context, const vcs_grid_situation *situation, const vcs_unit *unit,
                         const vcs_array *results, const uint32_t *classes, const vcs_array *changes,
                         uint32_t *change_count) {
    uint32_t own[64];
    assert_true(results->count <= COUNT_OF(own));
    for (uint32_t i = 0; i < results->count; i++) {
        own[i] = unit->id == 1 ? VCS_CLASS_LATER : unit->id == 2 && i == 0 ? VCS_CLASS_FAILED : classes[i];
    }
    return validate(context, situation, unit, results, own, changes, change_count);
}

/* A result that cannot be compared is invalid, and its unit gets another; a unit that is put off waits. */
static void results_may_be_put_off_or_fail(void **unused) {
    (void)unused;
    begin_hooked();
    hook();
    g.projects[0].verification = VCS_GRID_CHECK_NONE;
    run_grid(&g);
    const vcs_grid_project_outcome usual = g.project_outcomes[0];
    g.hooks.validate = validate_some;
    run_grid(&g);
    const vcs_grid_project_outcome *found = &g.project_outcomes[0];
    assert_true(found->failed_decisions == 8 && found->waiting == 1);
    assert_int_equal(found->invalid, usual.invalid + 1);
    assert_true(found->done + 3 > usual.done && found->failed == 0);
}

/* A dispatch that fails gives the host nothing now; a doubt that cannot be settled stays one. */
static void others_fail_at_one_decision(void **unused) {
    (void)unused;
    begin_hooked();
    hook();
    run_grid(&g);
    const vcs_grid_project_outcome usual[2] = {g.project_outcomes[0], g.project_outcomes[1]};
    g.hooks.dispatch = dispatch_unless;
    g.hooks.trust = trust_unless;
    fails_below = 3;
    run_grid(&g);
    const vcs_grid_project_outcome *found = g.project_outcomes;
    assert_true(found[1].failed_decisions > 10 && found[1].done > usual[1].done / 2);
    assert_true(found[0].failed_decisions > 10 && found[0].waiting == 0);
    assert_true(found[0].valid >= 2 * found[0].done && usual[0].valid < 2 * usual[0].done); /* all have two copies */
    fails_below = 10;
    run_grid(&g);
    assert_true(g.project_outcomes[1].copies == 0);
}

static vcs_dispatch_decision bad_decision;
static int bad_code;

static int dispatch_badly(void *context, const vcs_grid_situation *situation, const vcs_dispatch *index,
                          vcs_dispatch_decision *decision) {
    (void)context;
    (void)situation;
    (void)index;
    decision->job = bad_decision.job;
    decision->is_copy = bad_decision.is_copy;
    return bad_code;
}

/* Whether they say that there is such a job or not, and also from a function that ends it all. */
static void bad_choices_of_jobs_are_refused(void **unused) {
    (void)unused;
    static const vcs_dispatch_decision bad[] = {
        {.job = 99999999, .is_copy = 0},
        {.job = 99999999, .is_copy = 1},
        {.job = VCS_NONE - 1, .is_copy = 1},
        {.job = 0, .is_copy = 1}, /* nobody has it */
    };
    for (size_t i = 0; i < 2 * COUNT_OF(bad); i++) {
        vcs_error error = {.struct_size = sizeof error};
        begin_hooked();
        g.hooks.dispatch = dispatch_badly;
        bad_decision = bad[i / 2];
        bad_code = i % 2 == 0 ? VCS_OK : STOP;
        assert_int_equal(emulate_grid(&g, &error), i % 2 == 0 ? VCS_ERR_INDEX : STOP);
        assert_string_equal(error.field, "dispatch");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_is_called),
        cmocka_unit_test(hosts_learn_their_spells),
        cmocka_unit_test(each_can_end_it),
        cmocka_unit_test(a_long_one_can_soon_be_ended),
        cmocka_unit_test(any_event_can_be_the_last),
        cmocka_unit_test(any_event_of_a_server_can_be_the_last),
        cmocka_unit_test(trust_decides_on_copies),
        cmocka_unit_test(a_verdict_may_end_unsent_copies),
        cmocka_unit_test(a_unit_that_cannot_be_compared_waits),
        cmocka_unit_test(a_comparison_is_tried_again_later_and_later),
        cmocka_unit_test(results_may_be_put_off_or_fail),
        cmocka_unit_test(others_fail_at_one_decision),
        cmocka_unit_test(bad_verdicts_are_refused),
        cmocka_unit_test(bad_choices_of_jobs_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
