/*
 * What the hosts of a grid lose, beside what they lose at least (rule 15.9).
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/grid_case.h"

#include <vcemu/bound.h>
#include <vcsched/chance.h>

#define MOST_HOSTS 400

static grid_case g;
static vcs_grid_host_outcome hosts[MOST_HOSTS];

/* A project whose units are hours of a CPU, due within `bound` hours. */
static vcs_grid_project *begin_bounds(double days, double size, double bound) {
    begin_grid(&g, days * DAY);
    memset(hosts, 0, sizeof hosts);
    g.results.hosts = hosts;
    g.results.host_size = sizeof *hosts;
    g.results.host_count = MOST_HOSTS;
    g.terms.flags = VCS_GRID_BOUNDS;
    return add_units(&g, size * HOUR, bound * HOUR);
}

/* Hosts of a CPU that are on for an hour in the mean, and off for an hour. Servers send them whatever a host could do
   that is always on. */
static case_records *add_hourly(uint64_t count) {
    add_hosts(&g, count, 1);
    case_records *host = &g.hosts[g.grid.classes.count - 1];
    vcs_parameters_init(&host->parameters, sizeof host->parameters, VCS_PROFILE_STUDY2007);
    host->parameters.min_buffer = 0;
    host->emulation.available = 0.5;
    host->emulation.available_mean = HOUR;
    return host;
}

static void assert_near(double value, double expected, double error) {
    if (!(fabs(value - expected) <= error)) {
        fail_msg("%.6f in the place of %.6f", value, expected);
    }
}

/* ---- By hand ---- */

/* Ten hours within 18: 0.4561. Used is what the host did, and lost what its server had of it too late. */
static void as_worked_by_hand(void **unused) {
    (void)unused;
    begin_bounds(60, 10, 18);
    add_hourly(1);
    run_grid(&g);
    assert_near(hosts[0].least_loss, 0.4561, 0.0001);
    assert_true(hosts[0].lost > hosts[0].least_loss);
    assert_true(hosts[0].flops_used == g.outcome.flops_used);
    assert_near(hosts[0].lost, hosts[0].waste / (1 - hosts[0].idleness), 1e-12);
}

static void nothing_is_lost_where_hosts_are_always_on(void **unused) {
    (void)unused;
    begin_bounds(10, 1, 18);
    add_hourly(2)->emulation.available = 1;
    run_grid(&g);
    assert_true(hosts[0].lost == 0 && hosts[0].least_loss == 0 && hosts[0].flops_used == 10 * DAY);
}

/* Hosts that nobody asks about have none, and the rest of their outcome is the same. */
static void only_where_it_is_wanted(void **unused) {
    vcs_grid_host_outcome with;
    (void)unused;
    for (uint32_t wanted = 0; wanted <= 1; wanted++) {
        begin_bounds(20, 10, 18);
        g.terms.flags = wanted == 0 ? VCS_GRID_BOUNDS : 0;
        add_hourly(1);
        run_grid(&g);
        with = wanted == 0 ? hosts[0] : with;
    }
    assert_true(with.lost > 0 && with.least_loss > 0 && hosts[0].lost == 0 && hosts[0].least_loss == 0);
    with.lost = with.least_loss = 0;
    assert_memory_equal(&with, hosts, sizeof with);
    g.terms.flags = 2 * VCS_GRID_BOUNDS;
    assert_int_equal(emulate_grid(&g, NULL), VCS_ERR_FLAGS);
}

/* Ten hours within 18, and an hour within 1000, of which nothing need be lost: the mean at what the host has done. */
static void at_its_own_mix(void **unused) {
    (void)unused;
    begin_bounds(60, 10, 18);
    add_units(&g, HOUR, 1000 * HOUR);
    add_hourly(1)->projects[0].share = 3000;
    run_grid(&g);
    const vcs_grid_project_outcome *p = &g.project_outcomes[0];
    const double flops = p->flops_useful + p->flops_redundant + p->flops_late + p->flops_held;
    const double mix = flops / g.outcome.flops_used;
    assert_true(mix > 0.2 && mix < 0.8);
    assert_near(hosts[0].least_loss, 0.4561 * mix, 0.0002);
}

/* ---- Where there is no bound ---- */

static void assert_no_bound(void) {
    run_grid(&g);
    assert_true(hosts[0].flops_used > 0 && isnan(hosts[0].lost) && isnan(hosts[0].least_loss));
}

static void none_for_late_replies_and_errors(void **unused) {
    (void)unused;
    begin_bounds(10, 1, 4)->dispatch = VCS_GRID_BY_REPLY;
    add_hourly(1);
    assert_no_bound();
    begin_bounds(10, 1, 4);
    add_hourly(1);
    g.models[0].client_error = 0.01;
    assert_no_bound();
    begin_bounds(10, 1, 4);
    add_hourly(1)->emulation.spells = VCS_SPELLS_WEIBULL;
    g.hosts[0].emulation.spell_shape = 0.5;
    assert_no_bound();
    /* a project by reply does no harm to a host that has done nothing for it */
    begin_bounds(10, 1, 4);
    add_units(&g, 10 * HOUR, HOUR)->dispatch = VCS_GRID_BY_REPLY;
    add_hourly(1);
    run_grid(&g);
    assert_true(hosts[0].lost > 0 && hosts[0].least_loss > 0);
}

/* ---- Hosts that differ ---- */

/* What vcs_bound() says of the first class, if its CPUs had this speed and were on for this part of the time. */
static double exact(double flops, double available, double *error) {
    case_records host = g.hosts[0];
    vcs_project_bound bound;
    host.resources[0].flops = flops;
    host.emulation.available = available;
    host.scenario.snapshot.resources.base = host.resources;
    host.scenario.emulation.base = &host.emulation;
    host.models[0].distribution = g.projects[0].distribution;
    host.models[0].sd_flops = g.projects[0].sd_flops;
    host.scenario.models.base = host.models;
    assert_int_equal(vcs_bound(&host.scenario, ARRAY(&bound, 1), NULL), VCS_OK);
    *error = bound.error;
    return bound.optimal;
}

/* Speeds in two classes: what is interpolated is near what vcs_bound() finds; where jobs fit only at the greater speed,
   it is found anew. */
static void between_two_speeds(void **unused) {
    (void)unused;
    for (uint32_t spread = 0; spread <= 1; spread++) {
        double worst = 0;
        uint32_t count = 0;
        vcs_grid_project *project = begin_bounds(8, 3, 18);
        project->distribution = spread == 0 ? VCS_SIZES_CONSTANT : VCS_SIZES_NORMAL;
        project->sd_flops = spread == 0 ? 0 : HOUR;
        add_hourly(60);
        g.models[0].speed_sd = 1;
        run_grid(&g);
        for (uint32_t i = 0; i < 60; i++) {
            double error;
            if (hosts[i].flops_used > 0) {
                const double least = exact(hosts[i].flops, 0.5, &error);
                worst = fmax(worst, fabs(hosts[i].least_loss - least) - error);
                count++;
            }
        }
        print_message("%u hosts, %.5f at most\n", count, worst);
        assert_true(count > 50 && worst > 0 && worst < 0.001);
    }
}

/* Rows and classes: each has bounds of its own. At .5671 of the speed a job fits just yet, and at the next speed below
   for which bounds are kept it does not. */
static void of_each_kind(void **unused) {
    (void)unused;
    double error;
    begin_bounds(30, 10, 18);
    add_hourly(4);
    g.rows[0][0] = (vcs_host_row){.weight = 1};
    g.rows[0][1] = (vcs_host_row){.weight = 1, .available = 0.8};
    g.rows[0][2] = (vcs_host_row){.weight = 1, .flops = 2};
    g.rows[0][3] = (vcs_host_row){.weight = 1, .flops = 0.5671};
    g.classes[0].rows.count = 4;
    add_hourly(1)->emulation.available_mean = 2 * HOUR;
    run_grid(&g);
    assert_near(hosts[0].least_loss, 0.4561, 0.0001);
    assert_near(hosts[1].least_loss, exact(1, 0.8, &error), 1e-12);
    assert_near(hosts[2].least_loss, exact(2, 0.5, &error), 1e-12);
    assert_near(hosts[3].least_loss, exact(0.5671, 0.5, &error), 1e-12);
    assert_true(fabs(hosts[4].least_loss - hosts[0].least_loss) > 0.01);
}

/* The bounds of a host with a GPU are found for its own speeds: nothing is interpolated. */
static void of_gpus(void **unused) {
    (void)unused;
    double error;
    begin_bounds(30, 6, 18);
    case_records *host = add_hourly(2);
    vcs_parameters_init(&host->parameters, sizeof host->parameters, VCS_PROFILE_CURRENT);
    host->parameters.min_buffer = 0;
    host->resources[1] = (vcs_resource){.id = 2, .flops = 1, .usable = 1, .instances = 1};
    host->scenario.snapshot.resources.count = 2;
    host->models[0].gpu = 1;
    host->models[0].gpus = 1;
    host->models[0].cpus = 0;
    g.models[0].speed_sd = 0.1;
    run_grid(&g);
    for (uint32_t i = 0; i < 2; i++) {
        assert_true(hosts[i].flops != 1 && hosts[i].flops_used > 0);
        g.hosts[0].resources[1].flops = hosts[i].flops;
        assert_near(hosts[i].least_loss, exact(hosts[i].flops, 0.5, &error), 1e-12);
    }
}

/* ---- No policy loses less ---- */

/* A grid of twenty hosts under each profile, and `current` that gives up: what is lost, weighed by what each host has
   done, is not below the bound by more than four standard errors of the hosts. What is under way is not lost yet. */
static void no_policy_loses_less(void **unused) {
    (void)unused;
    double nearest = 1;
    for (uint32_t profile = 0; profile <= VCS_PROFILE_COUNT; profile++) {
        double sum = 0, squares = 0, all = 0;
        begin_bounds(60, 4, 8);
        add_hourly(20)->emulation.available = 0.7;
        vcs_parameters *parameters = &g.hosts[0].parameters;
        vcs_parameters_init(parameters, sizeof *parameters,
                            profile < VCS_PROFILE_COUNT ? profile : VCS_PROFILE_CURRENT);
        parameters->min_buffer = 0;
        if (profile == VCS_PROFILE_COUNT) {
            parameters->give_up = VCS_GIVE_UP_BY_CHANCE;
            parameters->report_risk = 0.02;
        }
        g.hosts[0].host.on_spell = HOUR;
        g.hosts[0].host.off_spell = HOUR * 3 / 7;
        run_grid(&g);
        for (uint32_t i = 0; i < 20; i++) {
            const double beyond = hosts[i].flops_used * (hosts[i].lost - hosts[i].least_loss);
            sum += beyond;
            squares += beyond * beyond;
            all += hosts[i].flops_used;
        }
        const double mean = sum / all, error = sqrt(squares / 20 - sum * sum / 400) * sqrt(20) / all;
        print_message("profile %u: %.4f beyond the bound of %.4f, +- %.4f\n", profile, mean, hosts[0].least_loss,
                      error);
        assert_true(mean > -4 * error && error < 0.02);
        nearest = fmin(nearest, mean);
    }
    assert_true(nearest < 0.1); /* else the bound would say little */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_worked_by_hand),
        cmocka_unit_test(nothing_is_lost_where_hosts_are_always_on),
        cmocka_unit_test(only_where_it_is_wanted),
        cmocka_unit_test(at_its_own_mix),
        cmocka_unit_test(none_for_late_replies_and_errors),
        cmocka_unit_test(between_two_speeds),
        cmocka_unit_test(of_each_kind),
        cmocka_unit_test(of_gpus),
        cmocka_unit_test(no_policy_loses_less),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
