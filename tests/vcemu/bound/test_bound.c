/*
 * The bounds of the projects of a host (rule 15.9).
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/emulation_case.h"

#include "oracle/oracle_bound.h"

#include <vcemu/bound.h>
#include <vcsched/chance.h>

#define HOUR 3600.0

static vcs_project_bound bounds[MOST];

static int find(const case_records *c, vcs_error *error) {
    const vcs_array array = {{bounds}, sizeof *bounds, c->scenario.snapshot.projects.count};
    memset(bounds, 0xa5, sizeof bounds);
    return vcs_bound(&c->scenario, &array, error);
}

static void assert_near(double a, double b, double by) {
    if (!(fabs(a - b) <= by)) {
        fail_msg("%.17g is not %.17g by %g", a, b, fabs(a - b));
    }
}

static void assert_all(const vcs_project_bound *bound, double loss) {
    assert_near(bound->optimal, loss, 1e-12);
    assert_near(bound->hopeless, loss, 1e-12);
    assert_near(bound->any_size, loss, 1e-12);
    assert_near(bound->blind_optimal, loss, 1e-12);
    assert_near(bound->blind_hopeless, loss, 1e-12);
    assert_near(bound->error, 0, 1e-12);
}

static void begin_host(case_records *c, double available, double spell) {
    begin(c, VCS_PROFILE_CURRENT, 2, 100 * DAY);
    c->emulation.available = available;
    c->emulation.available_mean = spell;
}

/* ---- By hand ---- */

static void always_on(void **unused) {
    (void)unused;
    case_records c;
    begin_host(&c, 1, 0);
    add_app(&c, add_project(&c), 10 * HOUR, 10 * HOUR); /* it just fits */
    add_app(&c, add_project(&c), 10 * HOUR, 10 * HOUR - 1);
    add_project(&c);                       /* sends nothing */
    add_app(&c, add_project(&c), 0, HOUR); /* takes no time */
    c.projects[1].share = 300;
    assert_int_equal(find(&c, NULL), VCS_OK);
    assert_int_equal(bounds[0].flags, 0);
    assert_all(&bounds[0], 0);
    assert_int_equal(bounds[1].flags, VCS_BOUND_INFEASIBLE);
    assert_all(&bounds[1], 1);
    assert_int_equal(bounds[2].flags, VCS_BOUND_NO_JOBS);
    assert_all(&bounds[2], 0);
    assert_int_equal(bounds[3].flags, VCS_BOUND_NO_JOBS);
    assert_near(bounds[0].share, 1 / 6.0, 1e-15);
    assert_near(bounds[1].share, 0.5, 1e-15);
    assert_int_equal(bounds[2].id, 3);
}

/* Ten hours within 18, spells of an hour: done with a chance of .3621 (rule 15.1), and .5342 is lost if jobs are given
   up when they are hopeless; .4561 if they are where this is best. All bounds of one size are alike. */
static void one_size(void **unused) {
    (void)unused;
    case_records c;
    begin_host(&c, 0.5, HOUR);
    add_app(&c, add_project(&c), 10 * HOUR, 18 * HOUR);
    assert_int_equal(find(&c, NULL), VCS_OK);
    assert_near(bounds[0].hopeless, 0.53420, 2e-5);
    assert_near(bounds[0].optimal, 0.45608, 2e-5);
    assert_near(bounds[0].any_size, bounds[0].optimal, 1e-12);
    assert_near(bounds[0].blind_optimal, bounds[0].optimal, 1e-12);
    assert_near(bounds[0].blind_hopeless, bounds[0].hopeless, 1e-12);
    assert_true(bounds[0].error > 0 && bounds[0].error < 2e-4);
}

/*
 * Two kinds of job of the same project: one always fits without loss on a host that is always on, with a weight of 3
 * and 1 CPU; the other never fits. It is dropped when it comes, so nothing is lost. If its size is not known, it runs
 * until it is hopeless, which a kind of its own shows at once: nothing is lost either.
 */
static void two_kinds(void **unused) {
    (void)unused;
    case_records c;
    begin_host(&c, 1, 0);
    const uint32_t project = add_project(&c);
    add_app(&c, project, HOUR, 2 * HOUR)->weight = 3;
    add_app(&c, project, 3 * HOUR, 2 * HOUR);
    assert_int_equal(find(&c, NULL), VCS_OK);
    assert_int_equal(bounds[0].flags, 0);
    assert_all(&bounds[0], 0);
}

/*
 * A list of 1 h and 3 h, always on, within 2 h. Known, nothing is lost. Not known, half of the jobs are given up after
 * an hour: half is lost.
 */
static void sizes_of_a_list(void **unused) {
    (void)unused;
    case_records c;
    begin_host(&c, 1, 0);
    vcs_job_model *model = add_app(&c, add_project(&c), HOUR, 2 * HOUR);
    model->distribution = VCS_SIZES_LIST;
    model->first_size = 1;
    model->size_count = 2;
    c.sizes[0] = 100 * HOUR; /* of another list */
    c.sizes[1] = 3 * HOUR;
    c.sizes[2] = HOUR;
    c.scenario.sizes.count = 3;
    assert_int_equal(find(&c, NULL), VCS_OK);
    assert_near(bounds[0].hopeless, 0, 1e-12);
    assert_near(bounds[0].optimal, 0, 1e-12);
    assert_near(bounds[0].blind_optimal, 0.5, 1e-12);
    assert_near(bounds[0].blind_hopeless, 0.5, 1e-12);
}

/* Of many sizes alike, each with its part, the loss is that of one; and where the bound is so short that all work in
   time is lost in rounding, no job can be done. */
static void many_sizes(void **unused) {
    (void)unused;
    case_records c;
    begin_host(&c, 0.5, HOUR);
    vcs_job_model *model = add_app(&c, add_project(&c), 10 * HOUR, 18 * HOUR);
    model->distribution = VCS_SIZES_LIST;
    model->size_count = MOST;
    for (uint32_t i = 0; i < MOST; i++) {
        c.sizes[i] = 10 * HOUR * (1 + 1e-6 * i);
    }
    c.scenario.sizes.count = MOST;
    assert_int_equal(find(&c, NULL), VCS_OK);
    assert_near(bounds[0].hopeless, 0.53420, 1e-4);
    assert_near(bounds[0].optimal, 0.45608, 1e-4);
    assert_near(bounds[0].blind_hopeless, 0.53420, 1e-3);
    model->distribution = VCS_SIZES_NORMAL;
    model->sd_flops = 10 * HOUR;
    model->latency_bound = 1e-3;
    assert_int_equal(find(&c, NULL), VCS_OK);
    assert_int_equal(bounds[0].flags, VCS_BOUND_INFEASIBLE);
}

/* Jobs of kinds count by their weight, and by the instances that they use. */
static void weights_and_instances(void **unused) {
    (void)unused;
    case_records c;
    double one[2];
    for (int i = 0; i < 2; i++) {
        begin_host(&c, 0.5, HOUR);
        add_app(&c, add_project(&c), i == 0 ? HOUR : 2 * HOUR, 4 * HOUR);
        assert_int_equal(find(&c, NULL), VCS_OK);
        one[i] = bounds[0].optimal;
        assert_true(one[i] > 0.01);
    }
    begin_host(&c, 0.5, HOUR);
    const uint32_t project = add_project(&c);
    add_app(&c, project, HOUR, 4 * HOUR)->weight = 5;
    vcs_job_model *second = add_app(&c, project, 4 * HOUR, 4 * HOUR); /* 2 h on 2 CPUs */
    second->cpus = 2;
    assert_int_equal(find(&c, NULL), VCS_OK);
    /* Done of the first: 5 jobs of 1 h on one CPU, each with its chance; of the second: 1 of 2 h on two CPUs. */
    double chances[2];
    for (int i = 0; i < 2; i++) {
        assert_int_equal(vcs_chance_to_finish((i + 1) * HOUR, 4 * HOUR, 0, HOUR, HOUR, &chances[i]), VCS_OK);
    }
    const double done[2] = {5 * chances[0], 4 * chances[1]};
    const double used = done[0] / (1 - one[0]) + done[1] / (1 - one[1]);
    assert_near(bounds[0].optimal, 1 - (done[0] + done[1]) / used, 2e-5);
    assert_near(bounds[0].any_size, one[0] < one[1] ? one[0] : one[1], 1e-12);
}

/* A GPU job takes as long as its processors together need. */
static void jobs_of_a_gpu(void **unused) {
    (void)unused;
    case_records c;
    begin_host(&c, 0.5, HOUR);
    c.resources[1] = (vcs_resource){.id = 2, .flops = 9, .usable = 1, .instances = 1};
    c.scenario.snapshot.resources.count = 2;
    vcs_job_model *model = add_app(&c, add_project(&c), 100 * HOUR, 18 * HOUR);
    model->gpu = 1;
    model->gpus = 1; /* 10 operations a second: 10 h */
    assert_int_equal(find(&c, NULL), VCS_OK);
    assert_int_equal(bounds[0].resource, 1);
    assert_near(bounds[0].hopeless, 0.53420, 2e-5);
    add_app(&c, 0, HOUR, 18 * HOUR); /* and one of a CPU */
    assert_int_equal(find(&c, NULL), VCS_OK);
    assert_int_equal(bounds[0].flags, VCS_BOUND_RESOURCES);
    assert_all(&bounds[0], 0);
    c.models[1].weight = 0; /* never sent */
    assert_int_equal(find(&c, NULL), VCS_OK);
    assert_int_equal(bounds[0].flags, 0);
    c.models[1].weight = 1; /* without CPUs, a job is as fast as one */
    c.models[0].weight = 0;
    c.models[1].cpus = 0;
    c.models[1].mean_flops = 10 * HOUR;
    assert_int_equal(find(&c, NULL), VCS_OK);
    assert_near(bounds[0].hopeless, 0.53420, 2e-5);
}

/* What is not on and off by exponential spells has no bound. */
static void other_spells(void **unused) {
    (void)unused;
    case_records c;
    begin_host(&c, 0.5, HOUR);
    add_app(&c, add_project(&c), HOUR, 18 * HOUR);
    c.emulation.spells = VCS_SPELLS_WEIBULL;
    c.emulation.spell_shape = 0.5;
    assert_int_equal(find(&c, NULL), VCS_OK);
    assert_int_equal(bounds[0].flags, VCS_BOUND_SPELLS);
    assert_all(&bounds[0], 0);
    c.emulation.available = 1; /* they do not matter then */
    assert_int_equal(find(&c, NULL), VCS_OK);
    assert_int_equal(bounds[0].flags, 0);
    c.emulation.available = 0.5;
    c.emulation.spells = VCS_SPELLS_EXPONENTIAL;
    c.emulation.available_step = 60;
    assert_int_equal(find(&c, NULL), VCS_OK);
    assert_int_equal(bounds[0].flags, VCS_BOUND_SPELLS);
    c.emulation.available_step = 0;
    c.switches[0] = HOUR;
    c.scenario.switches.count = 1;
    assert_int_equal(find(&c, NULL), VCS_OK);
    assert_int_equal(bounds[0].flags, VCS_BOUND_SPELLS);
    c.scenario.switches.count = 0;
    c.emulation.available_mean = HOUR / 600; /* a job of 600 spells */
    assert_int_equal(find(&c, NULL), VCS_OK);
    assert_int_equal(bounds[0].flags, VCS_BOUND_MANY_SPELLS);
    assert_all(&bounds[0], 0);
}

/* ---- Properties ---- */

static void make_random(case_records *c, random_stream *random) {
    const double spell = HOUR * pow(2, 8 * random_draw(random));
    begin_host(c, 0.2 + 0.75 * random_draw(random), spell);
    const uint32_t project = add_project(c), kinds = 1 + (uint32_t)(2 * random_draw(random));
    for (uint32_t i = 0; i < kinds; i++) {
        const double size = spell * pow(10, 2 * random_draw(random) - 1.5);
        vcs_job_model *model = add_app(c, project, size, size * (1.1 + 5 * random_draw(random)));
        model->distribution = (uint32_t)(5 * random_draw(random));
        model->sd_flops = size * random_draw(random);
        model->weight = 1 + random_draw(random);
        if (model->distribution == VCS_SIZES_LIST) {
            model->first_size = 3 * i;
            model->size_count = 3;
            for (uint32_t k = 0; k < 3; k++) {
                c->sizes[3 * i + k] = size * 2 * random_draw(random);
            }
        }
    }
    c->scenario.sizes.count = 6;
}

/* Knowing the size never costs, nor does giving up where it is best; and time to spare never does. */
static void order_of_bounds(void **unused) {
    (void)unused;
    random_stream random = {1};
    for (int i = 0; i < 60; i++) {
        case_records c;
        make_random(&c, &random);
        assert_int_equal(find(&c, NULL), VCS_OK);
        const vcs_project_bound b = bounds[0];
        if (b.flags != 0) {
            continue;
        }
        const double by = 2 * b.error + 1e-6;
        assert_true(b.error < 0.01);
        assert_true(b.any_size <= b.optimal + by);
        assert_true(b.optimal <= b.hopeless + by);
        assert_true(b.hopeless <= b.blind_hopeless + by);
        assert_true(b.blind_optimal <= b.blind_hopeless + by);
        assert_true(b.any_size <= b.blind_optimal + by);
        for (uint32_t k = 0; k < c.scenario.models.count; k++) {
            c.models[k].latency_bound *= 1.5;
        }
        assert_int_equal(find(&c, NULL), VCS_OK);
        assert_true(bounds[0].any_size <= b.any_size + by + 2 * bounds[0].error);
        if (c.scenario.models.count == 1 && c.models[0].distribution == VCS_SIZES_CONSTANT) {
            assert_true(bounds[0].optimal <= b.optimal + by + 2 * bounds[0].error);
            assert_true(bounds[0].hopeless <= b.hopeless + by + 2 * bounds[0].error);
        }
    }
}

/* Normal sizes that are known: each loses what a job of that size loses, by 400 sizes in a row and the plain grid. */
static void known_sizes(void **unused) {
    (void)unused;
    case_records c;
    begin_host(&c, 0.6, 5 * HOUR);
    vcs_job_model *model = add_app(&c, add_project(&c), 10 * HOUR, 20 * HOUR);
    model->distribution = VCS_SIZES_NORMAL;
    model->sd_flops = 3 * HOUR;
    assert_int_equal(find(&c, NULL), VCS_OK);
    const vcs_project_bound found = bounds[0];
    double work = 0, least = 0;
    for (int i = 0; i < 40; i++) { /* the sizes within the bound, in 40 parts */
        const double size = 20 * HOUR * (i + 0.5) / 40, z = (size - 10 * HOUR) / (3 * HOUR), one = 1;
        const oracle_sizes plain = {&size, &one, 1, 0, 0};
        const double steps = floor(size / (20 * HOUR) * 60) + 1; /* steps of about 20 minutes */
        const double bound = floor(20 * HOUR / size * steps + 0.5) * size / steps;
        const double loss = oracle_blind_loss(&plain, bound, 5 * HOUR, 5 * HOUR * 0.4 / 0.6, true, (uint32_t)steps);
        double chance;
        assert_int_equal(vcs_chance_to_finish(size, 20 * HOUR, 0, 5 * HOUR, 5 * HOUR * 0.4 / 0.6, &chance), VCS_OK);
        work += exp(-z * z / 2) * size * chance;
        least += exp(-z * z / 2) * size * chance / (1 - loss);
    }
    assert_near(found.optimal, 1 - work / least, 4e-3);
    assert_true(found.hopeless > found.optimal + 0.001);
}

/* ---- Refusals ---- */

static void refusals(void **unused) {
    (void)unused;
    case_records c;
    vcs_error error = {.struct_size = sizeof error};
    begin_host(&c, 0.5, HOUR);
    add_app(&c, add_project(&c), HOUR, 18 * HOUR);
    vcs_array array = {{bounds}, sizeof *bounds, 1};
    assert_int_equal(vcs_bound(NULL, &array, &error), VCS_ERR_NULL);
    assert_int_equal(vcs_bound(&c.scenario, NULL, &error), VCS_ERR_NULL);
    error.struct_size = 4;
    assert_int_equal(vcs_bound(&c.scenario, &array, &error), VCS_ERR_ABI_SIZE);
    error.struct_size = sizeof error;
    memset(bounds, 0xa5, sizeof bounds);
    const vcs_project_bound untouched = bounds[0];
    array.count = 2;
    assert_int_equal(vcs_bound(&c.scenario, &array, &error), VCS_ERR_COUNT);
    c.scenario.flags = 1;
    assert_int_equal(find(&c, &error), VCS_ERR_FLAGS);
    c.scenario.flags = 0;
    c.scenario.struct_size = 8;
    assert_int_equal(find(&c, &error), VCS_ERR_ABI_OLDER);
    c.scenario.struct_size = sizeof c.scenario;
    c.emulation.available = 2;
    assert_int_equal(find(&c, &error), VCS_ERR_RANGE);
    assert_string_equal(error.field, "available");
    c.emulation.available = 0.5;
    c.models[0].latency_bound = (double)NAN;
    assert_int_equal(find(&c, &error), VCS_ERR_NOT_FINITE);
    c.models[0].latency_bound = HOUR;
    c.apps[0].project = 1;
    assert_int_equal(find(&c, &error), VCS_ERR_INDEX);
    assert_string_equal(error.field, "project");
    c.apps[0].project = 0;
    c.projects[0].share = -1;
    assert_int_equal(find(&c, &error), VCS_ERR_RANGE);
    c.projects[0].share = 0;
    c.resources[0].flops = -1;
    assert_int_equal(find(&c, &error), VCS_ERR_RANGE);
    c.resources[0].flops = 1;
    c.scenario.snapshot.resources.count = 0;
    assert_int_equal(find(&c, &error), VCS_ERR_INDEX); /* the application uses a CPU */
    c.scenario.snapshot.apps.count = c.scenario.models.count = 0;
    assert_int_equal(find(&c, &error), VCS_ERR_COUNT);
    assert_memory_equal(&bounds[0], &untouched, sizeof untouched);
    c.scenario.snapshot.apps.count = c.scenario.models.count = 1;
    c.scenario.snapshot.resources.count = 1;
    assert_int_equal(find(&c, &error), VCS_OK); /* no project has a share */
    assert_near(bounds[0].share, 0, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(always_on),
        cmocka_unit_test(one_size),
        cmocka_unit_test(two_kinds),
        cmocka_unit_test(sizes_of_a_list),
        cmocka_unit_test(many_sizes),

        cmocka_unit_test(weights_and_instances),
        cmocka_unit_test(jobs_of_a_gpu),
        cmocka_unit_test(other_spells),
        cmocka_unit_test(order_of_bounds),
        cmocka_unit_test(known_sizes),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
