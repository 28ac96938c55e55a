/*
 * What fits beside what was taken so far (rule 4.7): examples worked by hand, and the library against the oracle.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/support.h"

#include "oracle/cases.h"
#include "oracle/oracle_fit.h"
#include "vcsched/simulation/fit.h"

/* ---- CPUs ---- */

static vcs_cpus cpus_of(double count, uint32_t rule) {
    return vcs_cpus_of(vcs_units(count), rule);
}

static bool cpu_task(vcs_cpus *cpus, double use) {
    const bool fits = vcs_cpu_task_fits(cpus, vcs_units(use));
    if (fits) {
        vcs_cpus_occupy(cpus, vcs_units(use), false);
    }
    return fits;
}

static bool gpu_task(vcs_cpus *cpus, double share) {
    const bool fits = vcs_cpu_share_fits(cpus, vcs_units(share));
    if (fits) {
        vcs_cpus_occupy(cpus, vcs_units(share), true);
    }
    return fits;
}

/* 4 CPUs, 0.2 of them used by a GPU task: of five tasks of one CPU four run, since 1 is less than 0.8 + 1. */
static void a_fraction_costs_no_task_its_place(void **unused) {
    (void)unused;
    vcs_cpus cpus = cpus_of(4, VCS_CPU_FIT_FRACTION);
    assert_true(gpu_task(&cpus, 0.2));
    for (int i = 0; i < 4; i++) {
        assert_true(cpu_task(&cpus, 1));
    }
    assert_false(cpu_task(&cpus, 1));
    assert_false(cpu_task(&cpus, 0.01));
    assert_true(cpu_task(&cpus, 0)); /* uses nothing */
}

/*
 * 8 CPUs, a GPU task with 1.0 CPU, two tasks of 8 CPUs. 8 is not less than 7 + 1: the GPU task alone keeps the first
 * one away, so it runs. Then CPUs are used that are not there, and the second waits.
 */
static void gpu_tasks_starve_nobody(void **unused) {
    (void)unused;
    const double shares[] = {0.1, 1, 1, 0.5};
    vcs_cpus cpus = cpus_of(8, VCS_CPU_FIT_FRACTION);
    for (int taken = 1; taken <= 4; taken++) {
        assert_true(gpu_task(&cpus, shares[taken - 1]));
        vcs_cpus with = cpus;
        assert_true(cpu_task(&with, 8));
        assert_false(cpu_task(&with, 8));
        assert_false(cpu_task(&with, 1));
    }
    assert_false(cpu_task(&cpus, 9)); /* that many are never there */
    assert_true(cpu_task(&cpus, 8.5));
}

/* The exception is for one task: beside another of the CPU, even a small one, what GPU tasks use counts. */
static void the_exception_ends_with_the_first_cpu_task(void **unused) {
    (void)unused;
    vcs_cpus cpus = cpus_of(2, VCS_CPU_FIT_FRACTION);
    assert_true(gpu_task(&cpus, 2));
    assert_true(cpu_task(&cpus, 0)); /* does not count as one */
    assert_true(cpu_task(&cpus, 0.1));
    assert_false(cpu_task(&cpus, 0.1));
}

/* 2 CPUs. A GPU task is taken even if nothing is free, as long as less than a CPU is missing, or just one. */
static void cpu_share_of_a_gpu_task(void **unused) {
    (void)unused;
    vcs_cpus cpus = cpus_of(2, VCS_CPU_FIT_FRACTION);
    assert_false(gpu_task(&cpus, 3.1));
    assert_true(gpu_task(&cpus, 2));
    assert_true(gpu_task(&cpus, 0.6));
    assert_false(gpu_task(&cpus, 0.5)); /* 0.4 more are allowed */
    assert_true(gpu_task(&cpus, 0.4));
    assert_false(gpu_task(&cpus, 0.01));
    assert_true(gpu_task(&cpus, 0));
    cpus = cpus_of(2, VCS_CPU_FIT_FRACTION);
    assert_true(gpu_task(&cpus, 3));
}

/* One CPU of two is free. */
static void three_rules(void **unused) {
    (void)unused;
    const double uses[] = {1, 1.5, 2, 5};
    const bool expected[][4] = {
        [VCS_CPU_FIT_FRACTION] = {true, true, false, false},
        [VCS_CPU_FIT_STRICT] = {true, false, false, false},
        [VCS_CPU_FIT_ANY] = {true, true, true, true},
    };
    for (uint32_t rule = 0; rule <= VCS_CPU_FIT_STRICT; rule++) {
        for (int i = 0; i < 4; i++) {
            vcs_cpus cpus = cpus_of(2, rule);
            assert_true(cpu_task(&cpus, 1));
            assert_int_equal(cpu_task(&cpus, uses[i]), expected[rule][i]);
        }
    }
    vcs_cpus strict = cpus_of(2, VCS_CPU_FIT_STRICT);
    assert_false(gpu_task(&strict, 2.1));
    assert_true(gpu_task(&strict, 2));
    assert_false(cpu_task(&strict, 0.5)); /* no exception here */
    vcs_cpus any = cpus_of(2, VCS_CPU_FIT_ANY);
    assert_false(gpu_task(&any, 3.1)); /* any is for tasks of the CPU */
    assert_true(cpu_task(&any, 3));
    assert_false(cpu_task(&any, 1));
}

/* ---- Devices ---- */

#define ALL UINT64_MAX

/* Takes a use and returns the devices as bits; 0 if it does not fit. */
static uint64_t device_task(vcs_devices *devices, double use, uint64_t allowed) {
    uint64_t found = 0;
    if (!vcs_devices_find(devices, vcs_units(use), allowed, &found)) {
        return 0;
    }
    vcs_devices_occupy(devices, vcs_units(use), found);
    return found;
}

static vcs_devices devices_of(uint32_t count) {
    vcs_devices devices;
    vcs_devices_begin(&devices, count);
    return devices;
}

/* 0.6 to device 0; the second 0.6 needs another; 0.4 goes where least is left: 0 first, then 1. Then all is used. */
static void fractions_are_packed(void **unused) {
    (void)unused;
    vcs_devices two = devices_of(2);
    assert_int_equal(device_task(&two, 0.6, ALL), 1);
    assert_int_equal(device_task(&two, 0.6, ALL), 2);
    assert_int_equal(device_task(&two, 0.6, ALL), 0);
    assert_int_equal(device_task(&two, 0.4, ALL), 1);
    assert_int_equal(device_task(&two, 0.4, ALL), 2);
    assert_int_equal(device_task(&two, 0.01, ALL), 0);
}

/* 0.3 leaves 0.7 of device 0, 0.5 goes there too and leaves 0.2; 0.5 goes to device 1; 0.2 goes where it fills up. */
static void where_least_is_left(void **unused) {
    (void)unused;
    vcs_devices three = devices_of(3);
    assert_int_equal(device_task(&three, 0.3, ALL), 1);
    assert_int_equal(device_task(&three, 0.5, ALL), 1);
    assert_int_equal(device_task(&three, 0.5, ALL), 2);
    assert_int_equal(device_task(&three, 0.2, ALL), 1);
    assert_int_equal(device_task(&three, 1, ALL), 4);
}

/* In units, ten times a tenth is 4 units more than one, six times a sixth 2 more, three times a third 1 less. */
static void parts_that_make_a_whole(void **unused) {
    (void)unused;
    for (int parts = 2; parts <= 100; parts++) {
        vcs_devices one = devices_of(1);
        for (int i = 0; i < parts; i++) {
            assert_int_equal(device_task(&one, 1.0 / parts, ALL), 1);
        }
        assert_int_equal(device_task(&one, 1.0 / parts, ALL), 0);
    }
    vcs_devices one = devices_of(1);
    assert_int_equal(device_task(&one, 0.5, ALL), 1);
    assert_int_equal(device_task(&one, 0.5002, ALL), 0); /* twice the excess that fits */
    assert_int_equal(device_task(&one, 0.50005, ALL), 1);
}

/* 2 takes two devices that are wholly free, and so does 1.5; 1.00005 takes one. */
static void whole_devices(void **unused) {
    (void)unused;
    vcs_devices four = devices_of(4);
    assert_int_equal(device_task(&four, 0.1, 2), 2);
    assert_int_equal(device_task(&four, 2, ALL), 1 | 4);
    assert_int_equal(device_task(&four, 1.5, ALL), 0);
    assert_int_equal(device_task(&four, 1.00005, ALL), 8);
    four = devices_of(4);
    assert_int_equal(device_task(&four, 1.5, ALL), 1 | 2);
    assert_int_equal(device_task(&four, 0.5, ALL), 4);
    assert_int_equal(device_task(&four, 2, ALL), 0);
}

/* Device 1 is excluded. A use of nothing needs no device. */
static void exclusions(void **unused) {
    (void)unused;
    vcs_devices two = devices_of(2);
    uint64_t found = 7;
    assert_int_equal(device_task(&two, 0.7, ~UINT64_C(2)), 1);
    assert_int_equal(device_task(&two, 0.7, ~UINT64_C(2)), 0);
    assert_int_equal(device_task(&two, 2, ~UINT64_C(2)), 0);
    assert_true(vcs_devices_find(&two, 0, 0, &found));
    assert_int_equal(found, 0);
    vcs_devices most = devices_of(64);
    assert_true(device_task(&most, 64, ALL) == ALL);
}

/* A running task holds device 0: others go elsewhere while they can, then there too. */
static void others_spare_the_devices_of_running_tasks(void **unused) {
    (void)unused;
    vcs_devices two = devices_of(2);
    vcs_devices_hold(&two, vcs_units(0.5), 1, 0.0);
    assert_int_equal(device_task(&two, 0.4, ALL), 1); /* beside it, where least is left */
    assert_int_equal(device_task(&two, 0.4, ALL), 2);
    assert_int_equal(device_task(&two, 0.6, ALL), 2);
    assert_true(vcs_devices_suit(&two, vcs_units(0.5), ALL, 1));
    assert_false(vcs_devices_suit(&two, vcs_units(0.5), ~UINT64_C(1), 1));
    assert_false(vcs_devices_suit(&two, vcs_units(0.5), ALL, 2));
    assert_false(vcs_devices_suit(&two, vcs_units(2), ALL, 1));
    assert_int_equal(device_task(&two, 0.6, ALL), 1); /* nothing else fits */
    assert_false(vcs_devices_suit(&two, vcs_units(0.5), ALL, 1));
    vcs_devices_let_go(&two, vcs_units(0.5), 1);
    assert_int_equal(two.holders, 0);
    assert_int_equal(device_task(&two, 0.1, ALL), 0);
}

/* A state may say so, however odd that is: then a device is not spared, and nothing overflows. */
static void thousands_may_claim_a_device(void **unused) {
    (void)unused;
    vcs_devices one = devices_of(1);
    for (int i = 0; i < 5000; i++) {
        vcs_devices_hold(&one, VCS_ONE, 1, 0.0);
    }
    assert_int_equal(device_task(&one, 1, ALL), 1);
    for (int i = 0; i < 5000; i++) {
        assert_false(vcs_devices_suit(&one, VCS_ONE, ALL, 1));
        vcs_devices_let_go(&one, VCS_ONE, 1);
    }
    assert_int_equal(one.holders, 0);
    assert_int_equal(one.held[0], 0);
}

/* ---- Against the oracle ---- */

/* Offers all tasks of a random state, in their order, to both. The first half hold their devices. */
static void equals_the_oracle(void **unused) {
    (void)unused;
    seeds cases = seeds_of_test(47, 10000);
    static random_state s;
    for (uint64_t seed = cases.first; seed < cases.first + cases.count; seed++) {
        random_state_fill(&s, RANDOM_ANY, seed);
        random_state_enrich(&s, seed);
        vcs_state *state = prepare_case(&s);
        oracle_fit oracle = oracle_fit_new(&s.snapshot, &s.parameters);
        vcs_devices devices[RANDOM_MOST_RESOURCES];
        vcs_cpus cpus = vcs_cpus_of(vcs_resources(state)[0].capacity, s.parameters.cpu_fit);
        for (uint32_t r = 0; r < s.snapshot.resources.count; r++) {
            vcs_devices_begin(&devices[r], r == 0 ? 0 : s.resources[r].instances);
        }
        for (uint32_t i = 0; i < s.snapshot.tasks.count / 2; i++) {
            const vcs_task *task = &s.tasks[i];
            oracle_fit_hold(&oracle, task, 1);
            vcs_devices_hold(&devices[task->gpu], vcs_units(task->gpus), task->devices, -VCS_INFINITY);
        }
        for (uint32_t i = s.snapshot.tasks.count / 2; i < s.snapshot.tasks.count; i += 3) {
            const vcs_task *task = &s.tasks[i]; /* it has stopped, and is not offered before the others are */
            oracle_fit_bind(&oracle, task);
            vcs_devices_bind(&devices[task->gpu], vcs_units(task->gpus), task->devices);
        }
        for (uint32_t i = 0; i < s.snapshot.tasks.count; i++) {
            const vcs_task *task = &s.tasks[i];
            const vcs_prepared_task *prepared = &vcs_prepared_tasks(state)[i];
            uint64_t expected, found = 0;
            if (i < s.snapshot.tasks.count / 2) {
                oracle_fit_hold(&oracle, task, -1);
                vcs_devices_let_go(&devices[task->gpu], vcs_units(task->gpus), task->devices);
            }
            const bool fits = oracle_fit_finds(&oracle, task, &expected);
            const uint64_t allowed = vcs_allowed_devices(state, prepared);
            const bool found_one =
                task->gpu == 0 ? vcs_cpu_task_fits(&cpus, prepared->cpu_units)
                               : vcs_cpu_share_fits(&cpus, prepared->cpu_units) &&
                                     vcs_devices_find(&devices[task->gpu], prepared->gpu_units, allowed, &found);
            if (fits != found_one || (fits && expected != found)) {
                fail_msg("VCS_SEED=%llu VCS_CASES=1: task %u", (unsigned long long)seed, i);
            }
            if (fits) {
                oracle_fit_take(&oracle, task, expected);
                vcs_cpus_occupy(&cpus, prepared->cpu_units, task->gpu != 0);
                vcs_devices_occupy(&devices[task->gpu], task->gpu == 0 ? 0 : prepared->gpu_units, found);
            }
        }
        oracle_fit_free(&oracle);
        free_case(state);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fraction_costs_no_task_its_place),
        cmocka_unit_test(gpu_tasks_starve_nobody),
        cmocka_unit_test(the_exception_ends_with_the_first_cpu_task),
        cmocka_unit_test(cpu_share_of_a_gpu_task),
        cmocka_unit_test(three_rules),
        cmocka_unit_test(fractions_are_packed),
        cmocka_unit_test(where_least_is_left),
        cmocka_unit_test(parts_that_make_a_whole),
        cmocka_unit_test(whole_devices),
        cmocka_unit_test(exclusions),
        cmocka_unit_test(others_spare_the_devices_of_running_tasks),
        cmocka_unit_test(thousands_may_claim_a_device),
        cmocka_unit_test(equals_the_oracle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
