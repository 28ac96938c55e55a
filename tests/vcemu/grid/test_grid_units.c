/*
 * The life of units on a server by deadline, in a grid.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/effort.h"
#include "support/grid_any.h"
#include "support/grid_watch.h"

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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_unit_ends_once),
        cmocka_unit_test(units_of_many_copies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
