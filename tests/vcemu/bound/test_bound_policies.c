/*
 * No policy loses less than the bound (rule 15.9).
 *
 * Hosts are emulated under all profiles, with many seeds. Work that is in time, less what the bound allows of the work
 * done, must not be above 0 by more than four standard errors of its mean over the seeds; what is under way at the end
 * counts as done, not as in time.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/effort.h"
#include "support/emulation_case.h"

#include <stdbool.h>
#include <vcemu/bound.h>
#include <vcsched/chance.h>

#define HOUR 3600.0
#define SEEDS 12

/* All hosts; or, where each takes long, the first three, which differ in their processors, projects and buffers. */
static uint32_t hosts_to_try(void) {
    return cases_to_try(12) > 3 ? (uint32_t)cases_to_try(12) : 3;
}

/* One to three projects on one to four CPUs. */
static void make_host(case_records *c, uint32_t profile, uint32_t number, bool spread) {
    random_stream random = {number};
    static const double buffers[] = {0.01, 0.1, 0.5};
    const double spell = HOUR * pow(2, 6 * random_draw(&random) - 1);
    begin(c, profile, 1u << (number % 3), 40 * DAY);
    c->emulation.available = 0.25 + 0.7 * random_draw(&random);
    c->emulation.available_mean = spell;
    c->parameters.min_buffer = DAY * buffers[number % 3];
    c->parameters.additional_buffer = DAY * buffers[(number + 1) % 3];
    const uint32_t count = 1 + number % 3;
    for (uint32_t i = 0; i < count; i++) {
        const double size = HOUR * pow(20, random_draw(&random));
        vcs_job_model *model = add_app(c, add_project(c), size, size * (2 + 20 * random_draw(&random)));
        if (spread) {
            model->distribution = VCS_SIZES_NORMAL;
            model->sd_flops = 0.4 * size;
        }
    }
}

/* The mean over the seeds of (in time - (1 - loss) * done) / done, and its standard error. */
static double excess_of(case_records *c, uint32_t kind, double *error) {
    vcs_project_bound bounds[MOST];
    const uint32_t count = c->scenario.snapshot.projects.count;
    const vcs_array array = {{bounds}, sizeof *bounds, count};
    const vcs_array projects = {{c->project_outcomes}, sizeof *c->project_outcomes, count};
    double sum = 0, square = 0;
    assert_int_equal(vcs_bound(&c->scenario, &array, NULL), VCS_OK);
    for (uint32_t seed = 1; seed <= SEEDS; seed++) {
        double excess = 0, all = 0;
        c->emulation.seed = seed;
        c->outcome.struct_size = sizeof c->outcome;
        assert_int_equal(vcs_emulate(&c->scenario, &c->parameters, NULL, &c->outcome, &projects, NULL, NULL), VCS_OK);
        for (uint32_t i = 0; i < count; i++) {
            const vcs_project_outcome *p = &c->project_outcomes[i];
            assert_int_equal(bounds[i].flags, 0);
            const double loss = kind == VCS_BOUND_ANY_SIZE ? bounds[i].any_size : bounds[i].optimal;
            excess += p->flops_in_time - (1 - loss + 2 * bounds[i].error) * p->flops_used;
            all += p->flops_used;
        }
        excess = all > 0 ? excess / all : 0;
        sum += excess;
        square += excess * excess;
    }
    const double mean = sum / SEEDS;
    *error = sqrt(fmax(square / SEEDS - mean * mean, 0) / (SEEDS - 1));
    return mean;
}

/* Jobs of one size: the bound holds for each policy. Of several sizes it holds for those that do not choose by size. */
static void assert_bounded(bool spread) {
    const uint32_t hosts = hosts_to_try();
    double nearest = 1;
    for (uint32_t profile = 0; profile < VCS_PROFILE_COUNT; profile++) {
        for (uint32_t number = 1; number <= hosts; number++) {
            case_records c;
            double error;
            make_host(&c, profile, number, spread);
            if (c.emulation.available_step > 0) {
                continue;
            }
            const double excess = excess_of(&c, spread ? VCS_BOUND_OPTIMAL : VCS_BOUND_ANY_SIZE, &error);
            if (excess > 4 * error) {
                fail_msg("%s, host %u: %.4f above the bound, error %.4f", vcs_profile_name(profile), number, excess,
                         error);
            }
            nearest = fmin(nearest, fabs(excess));
        }
    }
    print_message("nearest to the bound: %.4f\n", nearest);
    assert_true(nearest < 0.02); /* else the bound would say little */
}

/* Those that give up, and report by risk, too; spells are known. */
static void giving_up(void **unused) {
    (void)unused;
    const uint32_t hosts = hosts_to_try();
    double gained = 0;
    for (uint32_t rule = VCS_GIVE_UP_NEVER; rule <= VCS_GIVE_UP_BY_SIZE; rule++) {
        for (uint32_t number = 1; number <= hosts; number++) {
            case_records c;
            double error;
            make_host(&c, VCS_PROFILE_CURRENT, number, false);
            c.parameters.give_up = rule;
            c.parameters.report_risk = 0.02;
            c.host.on_spell = c.emulation.available_mean;
            c.host.off_spell = c.host.on_spell * (1 - c.emulation.available) / c.emulation.available;
            const double excess = excess_of(&c, VCS_BOUND_ANY_SIZE, &error);
            if (excess > 4 * error) {
                fail_msg("rule %u, host %u: %.4f above the bound, error %.4f", rule, number, excess, error);
            }
            gained += rule == VCS_GIVE_UP_NEVER ? -excess : excess / 2;
        }
    }
    print_message("giving up gains %.4f\n", gained / hosts);
    assert_true(hosts < 12 || gained > 0); /* else these policies would say no more than the others */
}

static void one_size(void **unused) {
    (void)unused;
    assert_bounded(false);
}

static void sizes_with_a_spread(void **unused) {
    (void)unused;
    assert_bounded(true);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_size), cmocka_unit_test(giving_up),
                                       cmocka_unit_test(sizes_with_a_spread)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
