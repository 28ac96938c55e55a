/*
 * What the emulated client remembers of the work that a project has sent (rules 15.5, 15.6).
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/array.h"
#include "support/emulation_case.h"

#include <vcsched/chance.h>

#define HOUR 3600.0

/* Events so far, and how often the record was compared with them. */
typedef struct seen {
    uint32_t received, ended, given_up, compared;
} seen;

static int count(void *context, const vcs_event *event) {
    seen *s = context;
    s->received += event->kind == VCS_EVENT_RECEIVED;
    s->ended += event->kind == VCS_EVENT_ENDED;
    s->given_up += event->kind == VCS_EVENT_GIVEN_UP;
    return 0;
}

/* The library's choice, after a look at the record: jobs count as 10 h until they end, then as the 20 h they took. */
static int compare(void *context, const vcs_situation *situation, vcs_task_decision *decisions,
                   vcs_schedule_summary *summary) {
    seen *s = context;
    const vcs_project_resource *known = situation->snapshot->project_resources.base;
    assert_true(known->received == 10 * HOUR * ((double)s->received + s->ended - s->given_up));
    if (s->received > 0) {
        assert_true(known->job_seconds == 10 * HOUR && known->job_bound == 22 * HOUR);
        assert_true(known->job_spread == (s->ended < 5 ? 0.2 : 0.0)); /* all took twice their estimate */
        s->compared++;
    }
    const int code = vcs_schedule(situation->state, VCS_SCHEDULE_EXPLAIN, summary);
    return code != VCS_OK ? code
                          : vcs_schedule_tasks(situation->state, ARRAY(decisions, situation->snapshot->tasks.count));
}

/* Jobs that take twice their estimate, due so soon that a host that is off for a fifth of the time gives some up. */
static void the_record_follows_what_happens(void **unused) {
    (void)unused;
    case_records c;
    seen s = {0};
    begin(&c, VCS_PROFILE_CURRENT, 1, 100 * DAY);
    add_app(&c, add_project(&c), 20 * HOUR, 22 * HOUR)->est_flops = 10 * HOUR;
    c.emulation.available = 0.8;
    c.emulation.available_mean = 4 * HOUR;
    c.parameters.use_dcf = 0;
    c.parameters.give_up = VCS_GIVE_UP_BY_CHANCE;
    c.hooks.observe = count;
    c.hooks.schedule = compare;
    c.hooks.context = &s;
    run(&c);
    assert_true(s.ended > 5 && s.given_up > 0 && s.compared > 50);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_record_follows_what_happens),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
