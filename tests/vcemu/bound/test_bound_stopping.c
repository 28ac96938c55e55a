/*
 * Optimal stopping (rule 15.9): by hand, against sums of distributions, against every possible policy, and against jobs
 * that are drawn.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/kernel.h"

#include "oracle/oracle_bound.h"
#include "vcemu/bound/stopping.h"
#include "vcemu/host/random.h"

#include <stdlib.h>
#include <vcsched/chance.h>

static vcs_emu_mesh mesh;

static void assert_near(double a, double b, double by) {
    if (!(fabs(a - b) <= by)) {
        fail_msg("%.17g is not %.17g by %g", a, b, fabs(a - b));
    }
}

static double loss(vcs_emu_worth worth) {
    return 1 - worth.good / worth.used;
}

static double best_loss(vcs_emu_mesh *on) {
    return loss(vcs_emu_stop_best(on, vcs_emu_stop_hopeless(on), NULL));
}

/* ---- By hand ---- */

/* A host that is always on loses nothing, and takes all jobs that fit. */
static void always_on(void **unused) {
    (void)unused;
    assert_true(vcs_emu_mesh_of_size(&mesh, 100, 100, 50, 0, 96));
    const vcs_emu_worth worth = vcs_emu_stop_hopeless(&mesh);
    assert_near(worth.good, 100, 1e-9);
    assert_near(worth.used, 100, 1e-9);
    assert_near(best_loss(&mesh), 0, 1e-12);
    assert_false(vcs_emu_mesh_of_size(&mesh, 100, 99, 50, 0, 96));
}

/*
 * Without a second to spare, a job of R is done if the host does not go off: good = R e^(-R/m), and it runs for
 * m (1 - e^(-R/m)) before. With R = m that is 1/e of 1 - 1/e, and 0.41802 of the time is lost; giving up cannot help.
 */
static void no_time_to_spare(void **unused) {
    (void)unused;
    assert_true(vcs_emu_mesh_of_size(&mesh, 100, 100, 100, 70, 192));
    const vcs_emu_worth worth = vcs_emu_stop_hopeless(&mesh);
    assert_near(worth.good, 100 * exp(-1), 1e-3);
    assert_near(worth.used, 100 * (1 - exp(-1)), 1e-3);
    assert_near(best_loss(&mesh), 0.41802329313, 2e-5);
}

/*
 * Two sizes, 1 and 3, in equal parts, not known, always on, to be done within 3: nothing is lost if all go on. Within 2
 * the long ones never are: a job that goes on beyond 1 does so in vain. Giving up at 1 loses half of the time; if jobs
 * were given up only when they are hopeless, that would be at 1, too.
 */
static void two_sizes_always_on(void **unused) {
    (void)unused;
    const vcs_emu_sizes sizes = {.points = {1, 3}, .chances = {0.5, 0.5}, .point_count = 2, .least = 1, .most = 3};
    assert_true(vcs_emu_mesh_of_sizes(&mesh, &sizes, 3, 1, 0, 96));
    assert_near(best_loss(&mesh), 0, 1e-12);
    assert_true(vcs_emu_mesh_of_sizes(&mesh, &sizes, 2, 1, 0, 96));
    assert_near(loss(vcs_emu_stop_hopeless(&mesh)), 0.5, 1e-12);
    assert_near(best_loss(&mesh), 0.5, 1e-12);
}

/*
 * Exponential sizes of mean 1 on a host that is always on, within B = 1. A job runs for 1 - 1/e in the mean, and
 * 1 - 2/e of that is good: 0.58198 is lost. What has run for x is done with a rate of 1, and is then worth x: it is
 * best to go on to the end, since a job is worth more the longer it has run.
 */
static void exponential_sizes_always_on(void **unused) {
    (void)unused;
    const vcs_emu_sizes sizes = {.mean = 1, .most = 30};
    assert_true(vcs_emu_mesh_of_sizes(&mesh, &sizes, 1, 1, 0, 96));
    assert_near(loss(vcs_emu_stop_hopeless(&mesh)), 0.58197670687, 1e-9);
    assert_near(best_loss(&mesh), 0.58197670687, 1e-9);
}

/* A job is too long for the mesh if it goes on through too many spells. */
static void too_many_spells(void **unused) {
    (void)unused;
    assert_true(vcs_emu_mesh_of_size(&mesh, 512, 2000, 1, 1, 96));
    assert_in_range(mesh.place_count, 513, VCS_EMU_MOST_PLACES);
    assert_near(vcs_emu_stop_hopeless(&mesh).good / 512, 1, 1e-6);
    assert_false(vcs_emu_mesh_of_size(&mesh, 513, 2000, 1, 1, 96));
    const vcs_emu_sizes sizes = {.mean = 450, .sd = 10, .least = 390, .most = 510};
    assert_true(vcs_emu_mesh_of_sizes(&mesh, &sizes, 2000, 1, 1, 96));
    assert_in_range(mesh.reach_count, 200, VCS_EMU_MOST_REACHES);
    assert_false(vcs_emu_mesh_of_sizes(&mesh, &sizes, 2000, 0.5, 1, 96));
}

/* Sixty-four sizes, 100 apart, and many spells of being off between them: no more reaches than there is room for. What
   is done of each is what is done of a job of that size, if all go on to their ends. */
static void many_points(void **unused) {
    (void)unused;
    vcs_emu_sizes sizes = {.point_count = VCS_EMU_MOST_POINTS, .least = 100, .most = 6400};
    double chance, done = 0;
    for (uint32_t i = 0; i < VCS_EMU_MOST_POINTS; i++) {
        sizes.points[i] = 100 * (i + 1);
        sizes.chances[i] = 1.0 / VCS_EMU_MOST_POINTS;
        assert_int_equal(vcs_chance_to_finish(sizes.points[i], 6410, 0, 1000, 1, &chance), VCS_OK);
        done += chance * sizes.points[i] / VCS_EMU_MOST_POINTS;
    }
    assert_true(vcs_emu_mesh_of_sizes(&mesh, &sizes, 6410, 1000, 1, 192));
    assert_in_range(mesh.reach_count, 1000, VCS_EMU_MOST_REACHES);
    assert_near(vcs_emu_stop_hopeless(&mesh).good / done, 1, 1e-4);
}

/* ---- Against sums of distributions ---- */

/* A number from least to greatest, each order of magnitude alike. */
static double drawn(vcs_emu_stream *random, double least, double greatest) {
    return least * pow(greatest / least, vcs_emu_draw_uniform(random));
}

/* What is done in time, and for how long a job runs until it is done or hopeless, as vcs_chance_to_finish() says: the
   chance that x of it is done in time, summed over x. */
static void hopeless_by_chances(void **unused) {
    (void)unused;
    vcs_emu_stream random = vcs_emu_stream_open(1, 0, 0);
    double worst = 0;
    for (int i = 0; i < 200; i++) {
        const double size = drawn(&random, 1, 100), bound = size * drawn(&random, 1.001, 10);
        const double on = drawn(&random, 2, 200), off = drawn(&random, 1, 400);
        assert_true(vcs_emu_mesh_of_size(&mesh, size, bound, on, off, 192));
        const vcs_emu_worth fine = vcs_emu_stop_hopeless(&mesh);
        double chance, used = 0;
        const int parts = 400;
        for (int k = 0; k <= parts; k++) { /* Simpson's rule */
            const double x = size * k / parts;
            assert_int_equal(vcs_chance_to_finish(x, x + bound - size, 0, on, off, &chance), VCS_OK);
            used += chance * size / parts / 3 * (k == 0 || k == parts ? 1 : k % 2 == 1 ? 4 : 2);
        }
        assert_near(fine.good / size, chance, 4e-4);
        assert_near(fine.used / used, 1, 4e-4);
        worst = fmax(worst, fabs(loss(fine) - (1 - chance * size / used)));
    }
    print_message("hopeless: wrong by %.2g at most\n", worst);
    assert_true(worst < 5e-4);
}

/* Random points and densities against the plain grid of the oracle. */
static void blind_by_the_oracle(void **unused) {
    (void)unused;
    vcs_emu_stream random = vcs_emu_stream_open(2, 0, 0);
    double worst = 0, gained = 0;
    for (int i = 0; i < 24; i++) {
        vcs_emu_sizes sizes = {0};
        double bound;
        if (i % 3 == 0) { /* points that are multiples of a tenth of the greatest */
            double rest = 1;
            for (uint32_t k = 0; k < 3; k++) {
                sizes.points[k] = k == 2 ? 10 : 1 + 3 * k + (double)(int)(3 * vcs_emu_draw_uniform(&random));
                sizes.chances[k] = k == 2 ? rest : rest * (0.2 + 0.6 * vcs_emu_draw_uniform(&random));
                rest -= sizes.chances[k];
            }
            sizes.point_count = 3;
            sizes.least = sizes.points[0];
            sizes.most = 10;
            bound = 10 + (double)(int)(8 * vcs_emu_draw_uniform(&random));
        } else if (i % 3 == 1) {
            sizes.mean = 5;
            sizes.sd = 0.5 + 2 * vcs_emu_draw_uniform(&random);
            sizes.least = fmax(5 - 6 * sizes.sd, 0);
            sizes.most = 5 + 6 * sizes.sd;
            bound = 5 * (1.2 + 2 * vcs_emu_draw_uniform(&random));
        } else {
            sizes.mean = 2;
            sizes.most = 60;
            bound = 2 * (1.2 + 4 * vcs_emu_draw_uniform(&random));
        }
        const double on = drawn(&random, 1, 20), off = drawn(&random, 1, 20);
        oracle_sizes plain = {sizes.points, sizes.chances, sizes.point_count, sizes.mean, sizes.sd};
        if (sizes.point_count == 0) { /* the bound as a multiple of a step */
            const double step = oracle_greatest_size(&plain, bound) / 60;
            bound = step * floor(bound / step + 0.5);
        }
        assert_true(vcs_emu_mesh_of_sizes(&mesh, &sizes, bound, on, off, 192));
        const double hopeless = loss(vcs_emu_stop_hopeless(&mesh)), optimal = best_loss(&mesh);
        assert_near(hopeless, oracle_blind_loss(&plain, bound, on, off, false, 60), 4e-3);
        const double plain_optimal = oracle_blind_loss(&plain, bound, on, off, true, 60);
        assert_near(optimal, plain_optimal, 4e-3);
        worst = fmax(worst, fabs(optimal - plain_optimal));
        gained = fmax(gained, hopeless - optimal);
    }
    print_message("optimal: at most %.2g from the oracle; gains %.2g at most\n", worst, gained);
    assert_true(gained > 0.03); /* else this would test nothing */
}

/* ---- Against every policy ---- */

/* The worth of a policy on the mesh: the equations of a step, with a set of places and reaches where jobs are given up.
   They are solved reach by reach, each mean as a sum over all reaches below. */
static vcs_emu_worth worth_of(const vcs_emu_mesh *m, uint32_t given_up) {
    double good[2][8] = {{0}}, used[2][8] = {{0}};
    uint32_t bit = 0, new = 0;
    for (uint32_t j = m->place_count - 1; j > 0; j--) {
        const vcs_emu_place *place = &m->places[j];
        const double half = place->step / (2 * m->on);
        new = j % 2;
        double *g = good[new], *u = used[new];
        double *g_old = good[1 - new], *u_old = used[1 - new];
        for (uint32_t i = 0; i < m->reach_count; i++) {
            g_old[i] += i >= place->first ? place->ends : 0;
        }
        for (uint32_t i = 0; i < m->reach_count; i++) {
            g[i] = u[i] = 0;
            const bool is_new = j == 1 && i + 1 == m->reach_count;
            if (i < place->first || (!is_new && (given_up >> bit++ & 1) != 0)) {
                continue;
            }
            double mean_g[2] = {0}, mean_u[2] = {0}; /* before and behind the step, without the value itself */
            for (uint32_t k = 0; k <= i; k++) {
                double far = 1; /* how much a mean at reach k counts at reach i */
                for (uint32_t l = k + 1; l <= i; l++) {
                    far *= m->reaches[l].keep;
                }
                const double below = k > 0 ? m->reaches[k].below : 0, here = m->reaches[k].here;
                mean_g[0] += far * (here * g_old[k] + (k > 0 ? below * g_old[k - 1] : 0));
                mean_u[0] += far * (here * u_old[k] + (k > 0 ? below * u_old[k - 1] : 0));
                mean_g[1] += far * ((k < i ? here * g[k] : 0) + (k > 0 ? below * g[k - 1] : 0));
                mean_u[1] += far * ((k < i ? here * u[k] : 0) + (k > 0 ? below * u[k - 1] : 0));
            }
            const double scale = 1 / (1 + half * (1 - m->reaches[i].here));
            g[i] = ((1 - half) * g_old[i] + half * (mean_g[0] + mean_g[1]) + place->work) * scale;
            u[i] = ((1 - half) * u_old[i] + half * (mean_u[0] + mean_u[1]) + place->cost) * scale;
        }
    }
    return (vcs_emu_worth){good[new][m->reach_count - 1], used[new][m->reach_count - 1]};
}

/* On a small mesh, of all sets of places and reaches at which jobs can be given up, none loses less. */
static void every_policy(void **unused) {
    (void)unused;
    static vcs_emu_mesh small;
    int better_than_hopeless = 0;
    for (int c = 0; c < 40; c++) {
        vcs_emu_stream random = vcs_emu_stream_open(3, 0, (uint64_t)c);
        const double on = drawn(&random, 1, 10), off = drawn(&random, 1, 10);
        if (c % 2 == 0) {
            vcs_emu_mesh_of_size(&small, 3, 3 * drawn(&random, 1.05, 3), on, off, 3);
        } else {
            const vcs_emu_sizes two = {
                .points = {1, 3}, .chances = {0.6, 0.4}, .point_count = 2, .least = 1, .most = 3};
            vcs_emu_mesh_of_sizes(&small, &two, 3 * drawn(&random, 1.05, 3), on, off, 1);
        }
        assert_true(small.reach_count <= 8 && small.place_count <= 8);
        uint32_t bits = 0;
        for (uint32_t j = 1; j < small.place_count; j++) {
            bits += small.reach_count - small.places[j].first - (j == 1);
        }
        assert_in_range(bits, 4, 18);
        double least = 1;
        for (uint32_t set = 0; set < (uint32_t)1 << bits; set++) {
            const vcs_emu_worth worth = worth_of(&small, set);
            least = fmin(least, worth.used > 0 ? loss(worth) : 1);
        }
        const vcs_emu_worth hopeless = vcs_emu_stop_hopeless(&small);
        assert_near(loss(worth_of(&small, 0)), loss(hopeless), 1e-12);
        assert_near(best_loss(&small), least, 1e-9);
        better_than_hopeless += least < loss(hopeless) - 1e-3;
    }
    assert_true(better_than_hopeless >= 10);
}

/* ---- Against drawn jobs ---- */

typedef struct tally {
    double jobs, good, used, good_square, used_square, product;
} tally;

/* The greatest index of a reach that is at most this; UINT32_MAX if there is none. */
static uint32_t reach_at(const vcs_emu_mesh *m, double reach) {
    uint32_t low = 0, high = m->reach_count;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (m->reaches[middle].reach <= reach) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low - 1;
}

/* One job of this size, given up where `stops` says. */
static void run_job(const vcs_emu_mesh *m, const vcs_emu_stops *stops, double size, double bound, double off,
                    vcs_emu_stream *random, tally *t) {
    double x = 0, reach = bound, goes_off = vcs_emu_draw_exponential(random, m->on);
    uint32_t next = 1;
    double good = 0;
    while (true) {
        const double until = next < m->place_count ? m->places[next].run : INFINITY;
        if (size <= until && size <= goes_off) {
            good = size <= reach ? size : 0;
            x = size;
            break;
        }
        if (goes_off < until) {
            x = goes_off;
            reach -= vcs_emu_draw_exponential(random, off);
            goes_off += vcs_emu_draw_exponential(random, m->on);
        } else {
            x = until;
            next++;
        }
        const uint32_t i = reach_at(m, reach);
        if (i == UINT32_MAX || next >= m->place_count || stops->given_up[(size_t)next * m->reach_count + i]) {
            break;
        }
    }
    t->jobs++;
    t->good += good;
    t->used += x;
    t->good_square += good * good;
    t->used_square += x * x;
    t->product += good * x;
}

/* The loss of many jobs is that of the mesh, within four standard errors and what the mesh is wrong by: 0.001. */
static void assert_drawn(const vcs_emu_sizes *sizes, double bound, double on, double off, uint64_t seed) {
    assert_true(vcs_emu_mesh_of_sizes(&mesh, sizes, bound, on, off, 192));
    vcs_emu_stops stops = {calloc(mesh.place_count, mesh.reach_count)};
    const vcs_emu_worth best = vcs_emu_stop_best(&mesh, vcs_emu_stop_hopeless(&mesh), &stops);
    vcs_emu_stream random = vcs_emu_stream_open(seed, 1, 0);
    tally t = {0};
    for (int i = 0; i < 100000; i++) {
        double size = sizes->sd > 0 ? vcs_emu_draw_normal(&random, sizes->mean, sizes->sd)
                                    : vcs_emu_draw_exponential(&random, sizes->mean);
        size = sizes->log_sd > 0 ? vcs_emu_draw_log_normal(&random, sizes->mean, sizes->log_sd) : size;
        double u = vcs_emu_draw_uniform(&random);
        for (uint32_t k = 0; k < sizes->point_count; k++) {
            size = u >= 0 ? sizes->points[k] : size;
            u -= sizes->chances[k];
        }
        if (size > 0) {
            run_job(&mesh, &stops, size, bound, off, &random, &t);
        }
    }
    const double ratio = t.good / t.used;
    const double spread = t.good_square - 2 * ratio * t.product + ratio * ratio * t.used_square;
    const double error = sqrt(spread) / t.used;
    assert_near(1 - ratio, loss(best), 4 * error + 0.001);
    assert_true(error < 0.006);
    free(stops.given_up);
}

static void drawn_jobs(void **unused) {
    (void)unused;
    const vcs_emu_sizes ten = {.points = {10}, .chances = {1}, .point_count = 1, .least = 10, .most = 10};
    const vcs_emu_sizes three = {
        .points = {2, 6, 10}, .chances = {0.3, 0.5, 0.2}, .point_count = 3, .least = 2, .most = 10};
    const vcs_emu_sizes normal = {.mean = 10, .sd = 3, .most = 28};
    const vcs_emu_sizes exponential = {.mean = 10, .most = 300};
    assert_drawn(&ten, 18, 1, 1, 1); /* ten hours within 18, spells of an hour */
    assert_drawn(&ten, 14, 5, 3, 2);
    assert_drawn(&ten, 60, 20, 80, 3);
    assert_drawn(&three, 14, 4, 4, 4);
    assert_drawn(&normal, 20, 4, 3, 5);
    assert_drawn(&normal, 60, 20, 80, 6);
    assert_drawn(&exponential, 40, 5, 5, 7);
    vcs_emu_sizes log_normal;
    const vcs_job_model model = {.mean_flops = 10, .sd_flops = 8, .distribution = VCS_SIZES_LOG_NORMAL};
    vcs_emu_sizes_read(&log_normal, &model, NULL, 1.0);
    assert_drawn(&log_normal, 30, 5, 4, 8);
}

/* ---- How exact ---- */

/* The meshes that are used, extrapolated, against one of twice as many parts. */
static void finer_meshes(void **unused) {
    (void)unused;
    vcs_emu_stream random = vcs_emu_stream_open(4, 0, 0);
    double worst = 0, worst_of_density = 0;
    for (int i = 0; i < 60; i++) {
        const double size = drawn(&random, 1, 100), bound = size * drawn(&random, 1.05, 20);
        const double on = drawn(&random, 2, 200), off = on * drawn(&random, 0.05, 4);
        vcs_emu_sizes sizes = {.points = {size}, .chances = {1}, .point_count = 1, .least = size, .most = size};
        if (i % 2 == 1) {
            sizes = (vcs_emu_sizes){.mean = size, .sd = size / 3, .most = 3 * size};
        }
        double found[3];
        const uint32_t parts = i % 2 == 1 ? VCS_EMU_FINE / 2 : VCS_EMU_FINE;
        for (uint32_t k = 0; k < 3; k++) {
            assert_true(vcs_emu_mesh_of_sizes(&mesh, &sizes, bound, on, off, parts << k));
            found[k] = best_loss(&mesh);
        }
        const double here = found[1] + (found[1] - found[0]) / 3, finer = found[2] + (found[2] - found[1]) / 3;
        double *const w = i % 2 == 1 ? &worst_of_density : &worst;
        *w = fmax(*w, fabs(here - finer));
    }
    print_message("one size: %.2g, a density: %.2g\n", worst, worst_of_density);
    assert_true(worst < 2e-4 && worst_of_density < 5e-4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(always_on),           cmocka_unit_test(no_time_to_spare),
        cmocka_unit_test(two_sizes_always_on), cmocka_unit_test(exponential_sizes_always_on),
        cmocka_unit_test(too_many_spells),     cmocka_unit_test(many_points),
        cmocka_unit_test(hopeless_by_chances), cmocka_unit_test(blind_by_the_oracle),
        cmocka_unit_test(every_policy),        cmocka_unit_test(drawn_jobs),
        cmocka_unit_test(finer_meshes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
