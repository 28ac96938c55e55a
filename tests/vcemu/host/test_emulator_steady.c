/*
 * What the owner of a host sees of the better policy over months (profile "steady", rules 15.2 to 15.6).
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/emulation_case.h"

#define HOUR 3600.0

enum { LOOSE, TIGHT };

/* One CPU that is never off, and two projects of equal share: jobs of 1 h due in ten days, and of 4 h due in 5. */
static void begin_mixed(case_records *c, uint32_t profile) {
    begin(c, profile, 1, 100 * DAY);
    add_app(c, add_project(c), HOUR, 10 * DAY);
    add_app(c, add_project(c), 4 * HOUR, 5 * HOUR);
    c->parameters.min_buffer = c->parameters.additional_buffer = 12 * HOUR;
}

static double part_of(const case_records *c, uint32_t project) {
    return c->project_outcomes[project].flops_in_time / c->outcome.flops_available;
}

/* Tight jobs come one at a time, whenever the CPU is free and more than four are owed, so all are done in time. */
static void tight_jobs_get_their_share(void **unused) {
    (void)unused;
    case_records c;
    begin_mixed(&c, VCS_PROFILE_STEADY);
    run(&c);
    assert_true(part_of(&c, TIGHT) > 0.48 && part_of(&c, TIGHT) <= 0.5);
    assert_true(part_of(&c, LOOSE) > 0.48);
    assert_true(c.outcome.idleness < 1e-6);
    assert_int_equal(c.outcome.stops, 0);
    assert_int_equal(c.outcome.late + c.outcome.given_up, 0);
    assert_true(c.outcome.calls < 800); /* for 300 tight jobs, a call each and some, and 1,200 others */
}

/* The deployed policy takes twelve hours off each deadline, and none of these jobs is left. */
static void the_deployed_policy_never_gets_them(void **unused) {
    (void)unused;
    case_records c;
    begin_mixed(&c, VCS_PROFILE_CURRENT);
    run(&c);
    assert_true(c.project_outcomes[TIGHT].flops_in_time == 0);
}

/* The same where tight jobs are said to take a fifth longer than they do, and the others half as long. */
static void wrong_estimates_are_learned(void **unused) {
    (void)unused;
    for (int deployed = 0; deployed <= 1; deployed++) {
        case_records c;
        begin_mixed(&c, VCS_PROFILE_STEADY);
        c.models[TIGHT].est_flops *= 1.2;
        c.models[LOOSE].est_flops *= 0.5;
        c.parameters.use_dcf = deployed ? VCS_DCF_DEPLOYED : VCS_DCF_MEAN;
        run(&c);
        assert_true(part_of(&c, TIGHT) > 0.48 && part_of(&c, TIGHT) <= 0.51);
        assert_int_equal(c.outcome.late, 0);
    }
}

/*
 * Sizes that scatter by an eighth: the deployed factor learns the longest jobs, takes the others for hopeless, and then
 * none comes that could teach it better.
 */
static void chance_does_not_shut_a_project_out(void **unused) {
    (void)unused;
    double part[2];
    for (int deployed = 0; deployed <= 1; deployed++) {
        case_records c;
        begin_mixed(&c, VCS_PROFILE_STEADY);
        c.models[TIGHT].distribution = VCS_SIZES_NORMAL;
        c.models[TIGHT].sd_flops = c.models[TIGHT].mean_flops / 8;
        c.parameters.use_dcf = deployed ? VCS_DCF_DEPLOYED : VCS_DCF_MEAN;
        run(&c);
        part[deployed] = part_of(&c, TIGHT);
    }
    assert_true(part[0] > 0.45 && part[1] < 0.05);
}

/*
 * Two CPUs, two projects of equal share with jobs of 1 h, and 2 h to 12 h of work kept. The server of one lets the host
 * have two jobs at a time, which wait until all that came before them is done. Behind 12 h of work they would be two
 * jobs in 24, and the other project, beyond its share, would be called for each job.
 */
static void a_servers_limit_leaves_most_of_the_share(void **unused) {
    (void)unused;
    case_records c;
    begin(&c, VCS_PROFILE_STEADY, 2, 100 * DAY);
    add_app(&c, add_project(&c), HOUR, 10 * DAY);
    const uint32_t limited = add_project(&c);
    add_app(&c, limited, HOUR, 10 * DAY);
    c.servers[limited].max_in_progress = 2;
    c.parameters.min_buffer = 2 * HOUR;
    c.parameters.additional_buffer = 10 * HOUR;
    run(&c);
    assert_true(part_of(&c, limited) > 0.3);
    assert_true(10 * c.outcome.calls < 6 * c.outcome.in_time);
    assert_true(c.outcome.idleness < 1e-6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tight_jobs_get_their_share),
        cmocka_unit_test(the_deployed_policy_never_gets_them),
        cmocka_unit_test(wrong_estimates_are_learned),
        cmocka_unit_test(chance_does_not_shut_a_project_out),
        cmocka_unit_test(a_servers_limit_leaves_most_of_the_share),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
