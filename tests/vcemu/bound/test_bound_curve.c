/*
 * The least loss of a mix of projects (rule 15.9).
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/kernel.h"

#include <vcemu/bound.h>

#define MOST 6

static void assert_near(double a, double b, double by) {
    if (!(fabs(a - b) <= by)) {
        fail_msg("%.17g is not %.17g", a, b);
    }
}

static vcs_project_bound project(double share, double loss) {
    return (vcs_project_bound){.share = share,
                               .optimal = loss,
                               .hopeless = loss + 0.01,
                               .any_size = loss - 0.01,
                               .blind_optimal = loss + 0.02,
                               .blind_hopeless = loss + 0.03};
}

static uint32_t draw(vcs_project_bound *bounds, uint32_t count, uint32_t kind, vcs_bound_point *points) {
    const vcs_array of = {{bounds}, sizeof *bounds, count}, out = {{points}, sizeof *points, count};
    uint32_t corners = 77;
    memset(points, 0xa5, count * sizeof *points);
    assert_int_equal(vcs_bound_curve(&of, kind, &out, &corners, NULL), VCS_OK);
    return corners;
}

/*
 * Shares of .5, .3 and .2, losses of .1, .4 and .2. At the shares .05 + .12 + .04 = .21 is lost. First the second
 * project gives its .3 to the first: .21 - .3 * .3 = .12; then the third its .2: .12 - .2 * .1 = .1.
 */
static void by_hand(void **unused) {
    (void)unused;
    vcs_project_bound bounds[] = {project(.5, .1), project(.3, .4), project(.2, .2)};
    vcs_bound_point points[3];
    assert_int_equal(draw(bounds, 3, VCS_BOUND_OPTIMAL, points), 3);
    assert_near(points[0].share_violation, 0, 0);
    assert_near(points[0].loss, .21, 1e-15);
    assert_int_equal(points[0].project, VCS_NONE);
    assert_near(points[1].share_violation, .3, 1e-15);
    assert_near(points[1].loss, .12, 1e-15);
    assert_int_equal(points[1].project, 1);
    assert_near(points[2].share_violation, .5, 1e-15);
    assert_near(points[2].loss, .1, 1e-15);
    assert_int_equal(points[2].project, 2);
    static const double first[] = {.21, .22, .2, .23, .24};
    for (uint32_t kind = 0; kind < VCS_BOUND_KINDS; kind++) {
        assert_int_equal(draw(bounds, 3, kind, points), 3);
        assert_near(points[0].loss, first[kind], 1e-15);
    }
}

/* A project without jobs leaves its share to the best; one without a share has nothing to give, but may be the best. */
static void without_jobs_or_shares(void **unused) {
    (void)unused;
    vcs_project_bound bounds[] = {project(.6, .3), project(.4, .02), project(0, .1), project(0, .2)};
    vcs_bound_point points[4];
    bounds[1].flags = VCS_BOUND_NO_JOBS;
    assert_int_equal(draw(bounds, 4, VCS_BOUND_OPTIMAL, points), 2);
    assert_near(points[0].share_violation, .4, 1e-15);
    assert_near(points[0].loss, .6 * .3 + .4 * .1, 1e-15);
    assert_near(points[1].share_violation, 1, 1e-15);
    assert_near(points[1].loss, .1, 1e-15);
    assert_int_equal(points[1].project, 0);
    assert_int_equal(points[2].project, 0); /* the rest is 0 */
    assert_near(points[3].loss, 0, 0);
    bounds[0].flags = VCS_BOUND_INFEASIBLE; /* all of it is lost, and that is known */
    bounds[0].optimal = 1;
    assert_int_equal(draw(bounds, 4, VCS_BOUND_OPTIMAL, points), 2);
    assert_near(points[0].loss, .6 + .4 * .1, 1e-15);
}

static void no_curve(void **unused) {
    (void)unused;
    vcs_project_bound bounds[] = {project(.5, .1), project(.5, .2)};
    vcs_bound_point points[2];
    bounds[1].flags = VCS_BOUND_SPELLS;
    assert_int_equal(draw(bounds, 2, VCS_BOUND_OPTIMAL, points), 0);
    bounds[1].flags = 0;
    bounds[1].resource = 1; /* they do not compete */
    assert_int_equal(draw(bounds, 2, VCS_BOUND_OPTIMAL, points), 0);
    bounds[1].flags = VCS_BOUND_NO_JOBS;
    assert_int_equal(draw(bounds, 2, VCS_BOUND_OPTIMAL, points), 1);
    bounds[0].flags = VCS_BOUND_NO_JOBS;
    assert_int_equal(draw(bounds, 2, VCS_BOUND_OPTIMAL, points), 0);
    assert_int_equal(draw(bounds, 0, VCS_BOUND_OPTIMAL, points), 0);
}

/* The loss of the curve at a share violation. */
static double loss_at(const vcs_bound_point *points, uint32_t count, double violation) {
    for (uint32_t i = 1; i < count; i++) {
        if (violation <= points[i].share_violation) {
            const double width = points[i].share_violation - points[i - 1].share_violation;
            const double part = width > 0 ? (violation - points[i - 1].share_violation) / width : 1;
            return points[i - 1].loss + part * (points[i].loss - points[i - 1].loss);
        }
    }
    return points[count - 1].loss;
}

/* Every mix of twelfths of up to four projects: none is below the curve, and each corner is reached by one. */
static void every_mix(void **unused) {
    (void)unused;
    random_stream random = {5};
    for (int c = 0; c < 200; c++) {
        const uint32_t count = 1 + (uint32_t)c % 4;
        uint32_t left = 12, shares[4] = {0};
        vcs_project_bound bounds[4];
        for (uint32_t i = 0; i < count; i++) {
            shares[i] = i + 1 == count ? left : (uint32_t)(random_draw(&random) * (left + 1));
            left -= shares[i];
            bounds[i] = project(shares[i] / 12.0, 0.02 + 0.9 * (int)(5 * random_draw(&random)) / 5.0);
        }
        vcs_bound_point points[4];
        const uint32_t corners = draw(bounds, count, VCS_BOUND_OPTIMAL, points);
        assert_in_range(corners, 1, count);
        double nearest[4] = {1, 1, 1, 1};
        for (uint32_t mix = 0; mix < 13 * 13 * 13; mix++) {
            const uint32_t parts[4] = {mix % 13, mix / 13 % 13, mix / 169, 0};
            uint32_t rest = 12;
            double loss = 0, violation = 0;
            for (uint32_t i = 0; i < count; i++) {
                const uint32_t part = i + 1 == count ? rest : parts[i] <= rest ? parts[i] : 0;
                rest -= part;
                loss += part / 12.0 * bounds[i].optimal;
                violation += fabs((double)part - shares[i]) / 24.0;
            }
            assert_true(loss > loss_at(points, corners, violation) - 1e-12);
            for (uint32_t k = 0; k < corners; k++) {
                const double away = fabs(loss - points[k].loss) + fabs(violation - points[k].share_violation);
                nearest[k] = fmin(nearest[k], away);
            }
        }
        for (uint32_t k = 0; k < corners; k++) {
            assert_near(nearest[k], 0, 1e-12);
        }
    }
}

/* ---- An emulated host ---- */

/* Two projects used 3 and 1 of 4 parts; 2 of 10 device seconds were lost. At least .75 * .1 + .25 * .2 = .125. */
static void beyond(void **unused) {
    (void)unused;
    vcs_project_bound bounds[] = {project(.5, .1), project(.5, .2), project(0, .3)};
    vcs_project_outcome projects[] = {{.flops_used = 30}, {.flops_used = 10}, {.flops_used = 0}};
    vcs_resource_outcome resources[] = {{.used = 10, .wasted = 2}, {.used = 5, .wasted = 5}};
    const vcs_array b = {{bounds}, sizeof *bounds, 3}, p = {{projects}, sizeof *projects, 3};
    vcs_array r = {{resources}, sizeof *resources, 2};
    vcs_error error = {.struct_size = sizeof error};
    double lost = 7, least = 7;
    bounds[2].flags = VCS_BOUND_SPELLS; /* which nobody worked for */
    assert_int_equal(vcs_bound_beyond(&b, VCS_BOUND_OPTIMAL, &p, &r, &lost, &least, &error), VCS_OK);
    assert_near(lost, .2, 1e-15);
    assert_near(least, .125, 1e-15);
    assert_int_equal(vcs_bound_beyond(&b, VCS_BOUND_BLIND_HOPELESS, &p, &r, &lost, &least, &error), VCS_OK);
    assert_near(least, .155, 1e-15);
    bounds[0].resource = bounds[1].resource = 1;
    assert_int_equal(vcs_bound_beyond(&b, VCS_BOUND_OPTIMAL, &p, &r, &lost, &least, &error), VCS_OK);
    assert_near(lost, 1, 0);
    r.count = 1;
    assert_int_equal(vcs_bound_beyond(&b, VCS_BOUND_OPTIMAL, &p, &r, &lost, &least, &error), VCS_ERR_INDEX);
    r.count = 2;
    resources[1].used = 0;
    assert_int_equal(vcs_bound_beyond(&b, VCS_BOUND_OPTIMAL, &p, &r, &lost, &least, &error), VCS_OK);
    assert_true(isnan(lost) && isnan(least));
    lost = least = 7;
    bounds[1].resource = 0;
    assert_int_equal(vcs_bound_beyond(&b, VCS_BOUND_OPTIMAL, &p, &r, &lost, &least, &error), VCS_OK);
    assert_true(isnan(lost) && isnan(least));
    bounds[0].resource = 0;
    projects[2].flops_used = 1;
    assert_int_equal(vcs_bound_beyond(&b, VCS_BOUND_OPTIMAL, &p, &r, &lost, &least, &error), VCS_OK);
    assert_true(isnan(least));
    projects[0].flops_used = projects[1].flops_used = projects[2].flops_used = 0;
    assert_int_equal(vcs_bound_beyond(&b, VCS_BOUND_OPTIMAL, &p, &r, &lost, &least, &error), VCS_OK);
    assert_true(isnan(least));
}

static void refusals(void **unused) {
    (void)unused;
    vcs_project_bound bounds[] = {project(1, .1)};
    vcs_project_outcome projects[] = {{.flops_used = 30}};
    vcs_resource_outcome resources[] = {{.used = 10, .wasted = 2}};
    vcs_bound_point points[1];
    vcs_error error = {.struct_size = sizeof error};
    uint32_t count = 7;
    double lost = 7, least = 7;
    const vcs_array b = {{bounds}, sizeof *bounds, 1}, r = {{resources}, sizeof *resources, 1};
    vcs_array p = {{projects}, sizeof *projects, 1}, out = {{points}, sizeof *points, 1};
    assert_int_equal(vcs_bound_curve(NULL, 0, &out, &count, &error), VCS_ERR_NULL);
    assert_int_equal(vcs_bound_curve(&b, 0, NULL, &count, &error), VCS_ERR_NULL);
    assert_int_equal(vcs_bound_curve(&b, 0, &out, NULL, &error), VCS_ERR_NULL);
    assert_int_equal(vcs_bound_curve(&b, VCS_BOUND_KINDS, &out, &count, &error), VCS_ERR_FLAGS);
    out.count = 2;
    assert_int_equal(vcs_bound_curve(&b, 0, &out, &count, &error), VCS_ERR_COUNT);
    out.count = 1;
    assert_int_equal(vcs_bound_beyond(NULL, 0, &p, &r, &lost, &least, &error), VCS_ERR_NULL);
    assert_int_equal(vcs_bound_beyond(&b, 0, NULL, &r, &lost, &least, &error), VCS_ERR_NULL);
    assert_int_equal(vcs_bound_beyond(&b, 0, &p, NULL, &lost, &least, &error), VCS_ERR_NULL);
    assert_int_equal(vcs_bound_beyond(&b, 0, &p, &r, NULL, &least, &error), VCS_ERR_NULL);
    assert_int_equal(vcs_bound_beyond(&b, 0, &p, &r, &lost, NULL, &error), VCS_ERR_NULL);
    assert_int_equal(vcs_bound_beyond(&b, VCS_BOUND_KINDS, &p, &r, &lost, &least, &error), VCS_ERR_FLAGS);
    p.count = 0;
    assert_int_equal(vcs_bound_beyond(&b, 0, &p, &r, &lost, &least, &error), VCS_ERR_COUNT);
    p.count = 1;
    projects[0].flops_used = -1;
    assert_int_equal(vcs_bound_beyond(&b, 0, &p, &r, &lost, &least, &error), VCS_ERR_RANGE);
    projects[0].flops_used = 1;
    resources[0].used = (double)NAN;
    assert_int_equal(vcs_bound_beyond(&b, 0, &p, &r, &lost, &least, &error), VCS_ERR_NOT_FINITE);
    resources[0].used = 1;
    bounds[0].optimal = 2;
    assert_int_equal(vcs_bound_beyond(&b, 0, &p, &r, &lost, &least, &error), VCS_ERR_RANGE);
    assert_int_equal(vcs_bound_curve(&b, 0, &out, &count, &error), VCS_ERR_RANGE);
    assert_string_equal(error.field, "optimal");
    error.struct_size = 4;
    assert_int_equal(vcs_bound_beyond(&b, 0, &p, &r, &lost, &least, &error), VCS_ERR_ABI_SIZE);
    assert_int_equal(vcs_bound_curve(&b, 0, &out, &count, &error), VCS_ERR_ABI_SIZE);
    assert_int_equal(count, 7);
    assert_near(lost, 7, 0);
    assert_near(least, 7, 0);
}

static void names(void **unused) {
    (void)unused;
    static const char *const all[] = {"optimal", "hopeless", "any_size", "blind_optimal", "blind_hopeless", ""};
    for (uint32_t i = 0; i <= VCS_BOUND_KINDS; i++) {
        assert_string_equal(vcs_bound_name(i), all[i]);
    }
    assert_string_equal(vcs_bound_name(UINT32_MAX), "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),  cmocka_unit_test(without_jobs_or_shares),
        cmocka_unit_test(no_curve), cmocka_unit_test(every_mix),
        cmocka_unit_test(beyond),   cmocka_unit_test(refusals),
        cmocka_unit_test(names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
