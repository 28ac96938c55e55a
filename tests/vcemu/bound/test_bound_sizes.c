/*
 * How long jobs take (rule 15.9).
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/kernel.h"

#include "vcemu/bound/sizes.h"

static vcs_emu_sizes sizes_of(uint32_t distribution, double mean, double sd) {
    const vcs_job_model model = {.mean_flops = mean * 10, .sd_flops = sd * 10, .distribution = distribution};
    vcs_emu_sizes sizes;
    memset(&sizes, 0xa5, sizeof sizes);
    vcs_emu_sizes_read(&sizes, &model, NULL, 10.0);
    return sizes;
}

static void assert_near(double a, double b, double by) {
    if (!(fabs(a - b) <= by)) {
        fail_msg("%.17g is not %.17g", a, b);
    }
}

/* 100 operations a second; a normal size of 100 s, sd 20 s. */
static void normal_sizes(void **unused) {
    (void)unused;
    const vcs_emu_sizes sizes = sizes_of(VCS_SIZES_NORMAL, 100, 20);
    assert_int_equal(sizes.point_count, 0);
    assert_near(sizes.least, 0, 0); /* 100 - 6 * 20 is below 0 */
    assert_near(sizes.most, 220, 1e-12);
    assert_near(vcs_emu_sizes_above(&sizes, 100), 0.5, 1e-15);
    assert_near(vcs_emu_sizes_above(&sizes, 120), 0.15865525393145707, 1e-14); /* one standard deviation */
    assert_near(vcs_emu_sizes_above(&sizes, 0), 0.99999971334842808, 1e-14);
    assert_near(vcs_emu_sizes_above(&sizes, 400), 0, 0); /* beyond what is computed */
    assert_near(vcs_emu_sizes_above(&sizes, -400), 1, 0);
    /* Half of the jobs take at most 100 s: 50 - 20 / sqrt(2 pi), but for what is below 0. */
    assert_near(vcs_emu_sizes_work(&sizes, 100), 42.02117, 1e-3);
    assert_near(vcs_emu_sizes_work(&sizes, 220), 100, 1e-4);
}

/* What takes at most its mean: 1 - 2 / e of all the work. */
static void exponential_sizes(void **unused) {
    (void)unused;
    const vcs_emu_sizes sizes = sizes_of(VCS_SIZES_EXPONENTIAL, 50, 0);
    assert_near(sizes.most, 1500, 1e-9);
    assert_near(vcs_emu_sizes_above(&sizes, 100), 0.1353352832366127, 1e-15); /* e^-2 */
    assert_near(vcs_emu_sizes_work(&sizes, 50), 50 * (1 - 2 / 2.718281828459045), 1e-12);
}

/* Mean 100, sd 100: the logarithm has a variance of ln 2; half of the jobs is below 100 / sqrt(2), and half of the work
   below 100 sqrt(2). */
static void log_normal_sizes(void **unused) {
    (void)unused;
    const vcs_emu_sizes sizes = sizes_of(VCS_SIZES_LOG_NORMAL, 100, 100);
    assert_near(sizes.log_sd, sqrt(log(2)), 1e-15);
    assert_near(vcs_emu_sizes_above(&sizes, 100 / sqrt(2)), 0.5, 1e-14);
    assert_near(vcs_emu_sizes_work(&sizes, 100 * sqrt(2)), 50, 1e-12);
    assert_near(vcs_emu_sizes_above(&sizes, 0), 1, 0);
    assert_near(vcs_emu_sizes_work(&sizes, 0), 0, 0);
    assert_near(vcs_emu_sizes_work(&sizes, sizes.most), 100, 1e-6);
    const vcs_emu_sizes narrow = sizes_of(VCS_SIZES_LOG_NORMAL, 100, 0);
    assert_int_equal(narrow.point_count, 1);
    const vcs_emu_sizes nothing = sizes_of(VCS_SIZES_LOG_NORMAL, 0, 10);
    assert_int_equal(nothing.point_count, 0);
    assert_false(vcs_emu_sizes_fit(&nothing, 100));
}

static void sizes_that_are_points(void **unused) {
    (void)unused;
    const vcs_emu_sizes constant = sizes_of(VCS_SIZES_CONSTANT, 100, 20);
    assert_int_equal(constant.point_count, 1);
    assert_near(constant.points[0], 100, 0);
    assert_near(constant.least, 100, 0);
    assert_near(constant.most, 100, 0);
    const vcs_emu_sizes narrow = sizes_of(VCS_SIZES_NORMAL, 100, 0);
    assert_int_equal(narrow.point_count, 1);
    const vcs_emu_sizes nothing = sizes_of(VCS_SIZES_CONSTANT, 0, 0);
    assert_int_equal(nothing.point_count, 0);
    assert_false(vcs_emu_sizes_fit(&nothing, 100));
    assert_true(vcs_emu_sizes_fit(&constant, 100));
    assert_false(vcs_emu_sizes_fit(&constant, 99));
    const vcs_emu_sizes normal = sizes_of(VCS_SIZES_NORMAL, 100, 10);
    assert_true(vcs_emu_sizes_fit(&normal, 41));
    assert_false(vcs_emu_sizes_fit(&normal, 40)); /* not even the least size */
}

/* Sizes of a list, in order, those that are alike together, and those of 0 left out. */
static void lists(void **unused) {
    (void)unused;
    const vcs_job_model model = {.distribution = VCS_SIZES_LIST, .size_count = 5};
    double list[5] = {300, 100, 0, 100, 200};
    vcs_emu_sizes sizes;
    vcs_emu_sizes_read(&sizes, &model, list, 2.0);
    assert_int_equal(sizes.point_count, 3);
    assert_near(sizes.points[0], 50, 0);
    assert_near(sizes.chances[0], 0.4, 1e-15);
    assert_near(sizes.points[2], 150, 0);
    assert_near(sizes.chances[2], 0.2, 1e-15);
    assert_near(sizes.least, 50, 0);
    assert_near(sizes.most, 150, 0);
    double zeros[5] = {0};
    vcs_emu_sizes_read(&sizes, &model, zeros, 2.0);
    assert_int_equal(sizes.point_count, 0);
    assert_false(vcs_emu_sizes_fit(&sizes, 100));
}

/* 1,000 sizes are 64 parts, with the same number of jobs and the same work in all. */
static void long_lists(void **unused) {
    (void)unused;
    const vcs_job_model model = {.distribution = VCS_SIZES_LIST, .size_count = 1000};
    double list[1000], work = 0, chances = 0, parts = 0;
    for (uint32_t i = 0; i < 1000; i++) {
        list[i] = 1 + (double)(i * 677 % 1000);
        work += list[i] / 1000;
    }
    vcs_emu_sizes sizes;
    vcs_emu_sizes_read(&sizes, &model, list, 1.0);
    assert_int_equal(sizes.point_count, VCS_EMU_MOST_POINTS);
    for (uint32_t i = 0; i < sizes.point_count; i++) {
        chances += sizes.chances[i];
        parts += sizes.chances[i] * sizes.points[i];
        assert_true(i == 0 || sizes.points[i] > sizes.points[i - 1]);
    }
    assert_near(chances, 1, 1e-12);
    assert_near(parts, work, 1e-9);
}

/* The nodes have the chance and the work of the sizes up to the bound. */
static void nodes(void **unused) {
    (void)unused;
    static const double bounds[] = {20, 60, 100, 130, 400, 5000};
    const vcs_emu_sizes all[] = {
        sizes_of(VCS_SIZES_NORMAL, 100, 8),      sizes_of(VCS_SIZES_NORMAL, 100, 40),
        sizes_of(VCS_SIZES_NORMAL, 100, 100),    sizes_of(VCS_SIZES_EXPONENTIAL, 100, 0),
        sizes_of(VCS_SIZES_LOG_NORMAL, 100, 20), sizes_of(VCS_SIZES_LOG_NORMAL, 100, 100),
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        for (size_t k = 0; k < sizeof bounds / sizeof *bounds; k++) {
            vcs_emu_size_nodes found;
            double chances = 0, work = 0;
            vcs_emu_sizes_divide(&all[i], bounds[k], &found);
            for (uint32_t n = 0; n < found.count; n++) {
                assert_true(found.sizes[n] > (n > 0 ? found.sizes[n - 1] : 0) && found.sizes[n] < bounds[k]);
                chances += found.chances[n];
                work += found.chances[n] * found.sizes[n];
            }
            const double within = vcs_emu_sizes_above(&all[i], 0) - vcs_emu_sizes_above(&all[i], bounds[k]);
            assert_near(chances, within, 2e-6);
            assert_near(work, vcs_emu_sizes_work(&all[i], bounds[k]), 2e-4);
        }
    }
    const vcs_emu_sizes constant = sizes_of(VCS_SIZES_CONSTANT, 100, 0);
    vcs_emu_size_nodes found;
    vcs_emu_sizes_divide(&constant, 99, &found);
    assert_int_equal(found.count, 0);
    vcs_emu_sizes_divide(&constant, 100, &found);
    assert_int_equal(found.count, 1);
    assert_near(found.chances[0], 1, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(normal_sizes),
        cmocka_unit_test(exponential_sizes),
        cmocka_unit_test(log_normal_sizes),
        cmocka_unit_test(sizes_that_are_points),
        cmocka_unit_test(lists),
        cmocka_unit_test(long_lists),
        cmocka_unit_test(nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
