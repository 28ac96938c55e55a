/*
 * Closed forms of verification, worked out with pencil and paper, against grids.
 *
 * Rule 14.4. Each point is a mean over seeds, and comes out within three standard errors, taken over the seeds, of the
 * closed form.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/grid_case.h"
#include "support/effort.h"

#include <stdio.h>

static grid_case g;

/* Wrong results and results, seed by seed. */
typedef struct tally {
    double wrong[100], all[100];
    uint32_t seeds;
} tally;

static void add_seed(tally *t) {
    t->wrong[t->seeds] = (double)g.project_outcomes[0].wrong_accepted;
    t->all[t->seeds] = (double)g.project_outcomes[0].done;
    t->seeds++;
}

/* The ratio of the two sums, and its standard error. */
static void expect_share(const tally *t, double expected, double greatest_error, const char *what) {
    double wrong = 0.0, all = 0.0, squares = 0.0;
    for (uint32_t i = 0; i < t->seeds; i++) {
        wrong += t->wrong[i];
        all += t->all[i];
    }
    const double ratio = wrong / all;
    for (uint32_t i = 0; i < t->seeds; i++) {
        const double residual = t->wrong[i] - ratio * t->all[i];
        squares += residual * residual;
    }
    const double error = sqrt(squares * t->seeds / (t->seeds - 1.0)) / all;
    if (getenv("VCS_SHOW_POINTS") != NULL) {
        print_message("%s: %.4f, expected %.4f, standard error %.4f, off by %.2f\n", what, ratio, expected, error,
                      error > 0.0 ? (ratio - expected) / error : 0.0);
    }
    if (fabs(ratio - expected) > 3.0 * error) {
        fail_msg("%s: %g instead of %g, standard error %g", what, ratio, expected, error);
    }
    assert_true(error <= greatest_error); /* else the test could not fail */
}

/* ---- k equal votes ---- */

static double binomial(uint32_t n, uint32_t j) {
    double product = 1.0;
    for (uint32_t i = 0; i < j; i++) {
        product *= (double)(n - i) / (double)(i + 1);
    }
    return product;
}

/* Of the first 2k - 1 results at least k are wrong. */
static double wrong_majority(uint32_t k, double f) {
    double sum = 0.0;
    for (uint32_t j = k; j <= 2 * k - 1; j++) {
        sum += binomial(2 * k - 1, j) * pow(f, j) * pow(1.0 - f, 2 * k - 1 - j);
    }
    return sum;
}

/*
 * k equal results decide, and copies are made until there are as many. Saboteurs lie always and alike. Whether a host
 * is one is drawn for each, so that hosts are independent, however units are spread over them; all units of the batch
 * get done, so that none is left out because its vote takes longer.
 */
static void check_votes(uint32_t k, double f) {
    tally t = {.seeds = 0};
    char what[64];
    for (uint64_t seed = 1; seed <= 80; seed++) {
        begin_grid(&g, 30 * DAY);
        g.terms.seed = 1000000 * k + (uint64_t)(10000.0 * f) + seed; /* no point leans on another one's draws */
        vcs_grid_project *project = add_units(&g, 1000, 10 * DAY);
        project->units = 60;
        project->min_quorum = project->target_nresults = k;
        project->max_total = 100;
        project->max_success = 100;
        project->quorum_rule = VCS_QUORUM_EQUAL;
        project->distribution = VCS_SIZES_NORMAL; /* hosts do not march in step */
        project->sd_flops = 300;
        vcs_host_model *model = add_prompt_hosts(&g, 50);
        model->saboteurs = f;
        model->sabotage = 1.0;
        model->flags = VCS_HOSTS_COLLUDE;
        model->arrivals = 10000;
        run_grid(&g);
        assert_int_equal(g.project_outcomes[0].done, 60);
        add_seed(&t);
    }
    sprintf(what, "%u votes, %g saboteurs", k, f);
    expect_share(&t, wrong_majority(k, f), 0.018, what);
}

static void equal_votes(void **unused) {
    (void)unused;
    const uint32_t points = 20, step = points / (uint32_t)cases_to_try(points);
    for (uint32_t point = step / 2; point < points; point += step) {
        check_votes(1 + point / 5, point % 5 / 10.0);
    }
}

/* ---- Spot checks ---- */

/*
 * Each host gets n jobs, by a daily quota. Each is one of known result with probability q. Whoever is caught is
 * withdrawn before anything is assimilated: the batch is larger than a day's work. A wrong result counts if none of its
 * host's n - 1 other jobs gave it away; and so does a right one of a saboteur.
 */
static void check_spot_checks(uint32_t dispatch, uint32_t n, double q, double s, double f) {
    tally t = {.seeds = 0};
    char what[96];
    for (uint64_t seed = 1; seed <= 80; seed++) {
        begin_grid(&g, 0.99 * DAY);
        g.terms.seed = 1000000 * n + (uint64_t)(10000.0 * (q + 10.0 * s + 100.0 * f)) + seed;
        vcs_grid_project *project = add_units(&g, 1000, 10 * DAY);
        project->units = 1000000;
        project->dispatch = dispatch;
        project->wait_factor = 1000; /* by reply nobody gets what another one has */
        project->dead_factor = 2000;
        project->quota = n;
        project->spot_checks = q;
        project->flags = VCS_GRID_BLACKLIST | VCS_GRID_WITHDRAW | VCS_GRID_ASSIMILATE_LAST;
        vcs_host_model *model = add_prompt_hosts(&g, 30);
        model->saboteurs = f;
        model->sabotage = s;
        run_grid(&g);
        assert_int_equal(g.project_outcomes[0].in_progress, 0);
        add_seed(&t);
    }
    const double b = pow(1.0 - q * s, n - 1.0);
    sprintf(what, "dispatch %u: %u jobs, %g known, %g wrong, %g saboteurs", dispatch, n, q, s, f);
    expect_share(&t, s * f * b / ((1.0 - f) + f * b), 0.012, what);
}

static void spot_checks_and_withdrawal(uint32_t dispatch, uint32_t every) {
    static const double known[] = {0.02, 0.1, 0.25}, wrong[] = {0.3, 1.0}, saboteurs[] = {0.1, 0.35};
    const uint32_t points = 24, step = points / (uint32_t)cases_to_try(points / every);
    for (uint32_t point = step / 2; point < points; point += step) {
        check_spot_checks(dispatch, point % 2 == 0 ? 5 : 16, known[point / 8], wrong[point / 4 % 2],
                          saboteurs[point / 2 % 2]);
    }
}

static void spot_checks_by_deadline(void **unused) {
    (void)unused;
    spot_checks_and_withdrawal(VCS_GRID_BY_DEADLINE, 1);
}

/* A result is withdrawn in another way there, and the units that it was for are given out again. */
static void spot_checks_by_reply(void **unused) {
    (void)unused;
    spot_checks_and_withdrawal(VCS_GRID_BY_REPLY, 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_votes),
        cmocka_unit_test(spot_checks_by_deadline),
        cmocka_unit_test(spot_checks_by_reply),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
