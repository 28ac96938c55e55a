/*
 * The life of units on a server by deadline, in a grid.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/effort.h"
#include "support/grid_any.h"
#include "support/grid_watch.h"

#include <vcsched/chance.h>

static grid_case g;

/* ---- Rule 8.7: whatever happens ---- */

static void each_unit_ends_once(void **unused) {
    (void)unused;
    random_stream r = {8700};
    uint64_t done = 0, failed = 0;
    /* Twenty would meet neither a unit that wants more copies than it may have, nor one that fails twice. */
    const uint32_t rounds = (uint32_t)(cases_to_try(400) > 100 ? cases_to_try(400) : 100);
    for (uint32_t round = 0; round < rounds; round++) {
        any_grid(&g, &r, 1 + round % 3, 1 + round % 2);
        run_watched(&g);
        for (uint32_t i = 0; i < g.grid.projects.count; i++) {
            done += g.project_outcomes[i].done;
            failed += g.project_outcomes[i].failed;
        }
    }
    assert_true(done > 25 * rounds && failed > 2 * rounds);
}

/* ---- Rule 8.3: many copies ---- */

/* 600 copies of each unit, which must all agree: more than a block of memory holds. */
static void units_of_many_copies(void **unused) {
    (void)unused;
    begin_grid(&g, 5 * DAY);
    vcs_grid_project *project = add_units(&g, 1000, DAY);
    project->units = 3;
    project->min_quorum = project->target_nresults = project->max_total = project->max_success = 600;
    add_hosts(&g, 600, 1);
    g.hosts[0].parameters.report_delay = 0;
    run_grid(&g);
    assert_int_equal(g.project_outcomes[0].done, 3);
    assert_int_equal(g.project_outcomes[0].valid, 1800);
}

/* ---- Rule 15.3: copies that are given up ---- */

/*
 * Ten hours of work, due in 24 on hosts that are off for half of the time, in spells of 12 hours. What is given up is
 * over at once, as a copy of which nobody heard, and another host has it: copies are in progress for less time, and
 * less is computed in vain. A unit may wait for longer all the same, since a late result of its first copy would have
 * counted.
 */
static void what_is_given_up_goes_to_another_host(void **unused) {
    (void)unused;
    double in_progress[2], in_vain[2];
    for (uint32_t rule = 0; rule < 2; rule++) {
        begin_grid(&g, 90 * DAY);
        vcs_grid_project *project = add_units(&g, 10 * 3600, 24 * 3600);
        project->units = 200;
        project->min_quorum = project->target_nresults = 1;
        project->max_total = project->max_error = 1000;
        add_prompt_hosts(&g, 100);
        g.hosts[0].emulation.available = 0.5;
        g.hosts[0].emulation.available_mean = 12 * 3600;
        g.hosts[0].parameters.give_up = rule == 1 ? VCS_GIVE_UP_BY_CHANCE : VCS_GIVE_UP_NEVER;
        g.hosts[0].parameters.give_up_below = 0.1;
        run_grid(&g);
        assert_int_equal(g.project_outcomes[0].done, 200);
        assert_int_equal(g.project_outcomes[0].errors, 0);
        in_progress[rule] = g.project_outcomes[0].time_in_progress;
        in_vain[rule] = g.outcome.flops_used - g.project_outcomes[0].flops_useful;
    }
    assert_true(in_progress[1] < in_progress[0]);
    assert_true(in_vain[1] < in_vain[0]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_unit_ends_once),
        cmocka_unit_test(units_of_many_copies),
        cmocka_unit_test(what_is_given_up_goes_to_another_host),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
