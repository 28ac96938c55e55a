/*
 * What fits, by hand.
 *
 * Rule 4.7.
 *
 * SPDX-License-Identifier: MIT
 */
#include "simulation/fit.h"

#include "support/kernel.h"

static vcs_cpus cpus_of(int64_t count, uint32_t rule) {
    return (vcs_cpus){.capacity = count * VCS_ONE, .free = count * VCS_ONE, .rule = rule};
}

static int64_t units(double instances) {
    return vcs_units(instances);
}

/* 4 CPUs, a GPU task with 0.2 CPU: four tasks of one CPU run beside it, and then nothing is free. */
static void a_share_costs_no_cpu_task_its_place(void **unused) {
    (void)unused;
    vcs_cpus cpus = cpus_of(4, VCS_CPU_FIT_FRACTION);
    vcs_cpus_take(&cpus, units(0.2), true);
    for (int i = 0; i < 4; i++) {
        assert_true(vcs_cpu_task_fits(&cpus, VCS_ONE));
        vcs_cpus_take(&cpus, VCS_ONE, false);
    }
    assert_false(vcs_cpu_task_fits(&cpus, VCS_ONE));
    assert_false(vcs_cpu_task_fits(&cpus, 1));
    assert_true(vcs_cpu_task_fits(&cpus, 0));
}

/* 8 CPUs, a GPU task with 1 CPU: a task of 8 CPUs fits as long as no other CPU task runs. */
static void gpu_tasks_keep_no_task_away_for_ever(void **unused) {
    (void)unused;
    vcs_cpus cpus = cpus_of(8, VCS_CPU_FIT_FRACTION);
    vcs_cpus_take(&cpus, VCS_ONE, true);
    vcs_cpus other = cpus;
    assert_true(vcs_cpu_task_fits(&cpus, 8 * VCS_ONE));
    vcs_cpus_take(&cpus, 8 * VCS_ONE, false);
    assert_false(vcs_cpu_task_fits(&cpus, 1));
    vcs_cpus_take(&other, 0, false); /* a task that uses no CPU is none of them */
    assert_true(vcs_cpu_task_fits(&other, 8 * VCS_ONE));
    vcs_cpus_take(&other, VCS_ONE, false);
    assert_false(vcs_cpu_task_fits(&other, 8 * VCS_ONE));
}

/* The share of a GPU task may lack less than a CPU, even where nothing is free. */
static void shares_of_gpu_tasks(void **unused) {
    (void)unused;
    vcs_cpus cpus = cpus_of(1, VCS_CPU_FIT_FRACTION);
    vcs_cpus_take(&cpus, VCS_ONE, false);
    assert_true(vcs_cpu_share_fits(&cpus, VCS_ONE));
    assert_false(vcs_cpu_share_fits(&cpus, VCS_ONE + 1));
    vcs_cpus_take(&cpus, VCS_ONE, true);
    assert_false(vcs_cpu_share_fits(&cpus, 1));
    assert_true(vcs_cpu_share_fits(&cpus, 0));
}

static void the_other_settings(void **unused) {
    (void)unused;
    vcs_cpus strict = cpus_of(2, VCS_CPU_FIT_STRICT), any = cpus_of(2, VCS_CPU_FIT_ANY);
    vcs_cpus_take(&strict, units(0.5), true);
    vcs_cpus_take(&any, units(0.5), true);
    assert_true(vcs_cpu_task_fits(&strict, units(1.5)));
    assert_false(vcs_cpu_task_fits(&strict, units(1.5) + 1));
    assert_false(vcs_cpu_task_fits(&strict, 2 * VCS_ONE)); /* not even alone */
    assert_true(vcs_cpu_share_fits(&strict, units(1.5)));
    assert_false(vcs_cpu_share_fits(&strict, units(1.5) + 1));
    vcs_cpus_take(&any, VCS_ONE, false);
    assert_true(vcs_cpu_task_fits(&any, 7 * VCS_ONE));
    vcs_cpus_take(&any, 7 * VCS_ONE, false);
    assert_false(vcs_cpu_task_fits(&any, 1));
}

static void take_on(vcs_devices *devices, double use, uint64_t expected) {
    uint64_t found = 0;
    assert_true(vcs_devices_find(devices, units(use), UINT64_MAX, &found));
    assert_int_equal(found, expected);
    vcs_devices_take(devices, units(use), found);
}

static void refused_by(const vcs_devices *devices, double use) {
    uint64_t found = 77;
    assert_false(vcs_devices_find(devices, units(use), UINT64_MAX, &found));
    assert_int_equal(found, 77);
}

/* 2 GPUs: 0.6 and 0.4 on each; a third task of 0.6 does not fit, although 0.8 is free before the last two. */
static void tasks_lie_on_devices(void **unused) {
    (void)unused;
    vcs_devices devices;
    vcs_devices_begin(&devices, 2);
    take_on(&devices, 0.6, 1);
    take_on(&devices, 0.6, 2);
    refused_by(&devices, 0.6);
    take_on(&devices, 0.4, 1);
    take_on(&devices, 0.4, 2);
    refused_by(&devices, 0.001);
    take_on(&devices, 0.0, 0);
}

/* Where least is left, and whole devices; 1.2 takes two. */
static void the_fullest_device_first(void **unused) {
    (void)unused;
    vcs_devices devices;
    vcs_devices_begin(&devices, 4);
    take_on(&devices, 0.3, 1);
    take_on(&devices, 0.8, 2);
    take_on(&devices, 0.2, 2);
    take_on(&devices, 0.2, 1);
    take_on(&devices, 1.2, 4 + 8);
    refused_by(&devices, 1.0);
}

/* Ten tasks of 0.1, six of 1/6: what rounding adds is no obstacle. */
static void an_excess_of_rounding_fits(void **unused) {
    (void)unused;
    vcs_devices devices;
    vcs_devices_begin(&devices, 1);
    for (int i = 0; i < 10; i++) {
        take_on(&devices, 0.1, 1);
    }
    refused_by(&devices, 0.001);
    vcs_devices_begin(&devices, 1);
    for (int i = 0; i < 6; i++) {
        take_on(&devices, 1.0 / 6, 1);
    }
    vcs_devices_begin(&devices, 1);
    take_on(&devices, 1.00009, 1);
    vcs_devices_begin(&devices, 1);
    refused_by(&devices, 1.0002);
}

/* A running task holds device 0: others go elsewhere as long as they fit there. */
static void held_devices_go_last(void **unused) {
    (void)unused;
    vcs_devices devices;
    vcs_devices_begin(&devices, 2);
    vcs_devices_hold(&devices, units(0.5), 1);
    take_on(&devices, 0.6, 2);
    assert_true(vcs_devices_suit(&devices, units(0.5), UINT64_MAX, 1));
    assert_false(vcs_devices_suit(&devices, units(0.5), UINT64_MAX, 2));
    assert_false(vcs_devices_suit(&devices, units(0.5), ~UINT64_C(1), 1));
    assert_false(vcs_devices_suit(&devices, units(0.5), UINT64_MAX, 3));
    assert_false(vcs_devices_suit(&devices, units(0.5), UINT64_MAX, 0));
    take_on(&devices, 0.5, 1); /* beside what is held */
    vcs_devices_begin(&devices, 2);
    vcs_devices_hold(&devices, units(0.5), 1);
    take_on(&devices, 1.0, 2);
    take_on(&devices, 1.0, 1); /* nothing else fits */
    vcs_devices_let_go(&devices, units(0.5), 1);
    refused_by(&devices, 0.5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_share_costs_no_cpu_task_its_place),
        cmocka_unit_test(gpu_tasks_keep_no_task_away_for_ever),
        cmocka_unit_test(shares_of_gpu_tasks),
        cmocka_unit_test(the_other_settings),
        cmocka_unit_test(tasks_lie_on_devices),
        cmocka_unit_test(the_fullest_device_first),
        cmocka_unit_test(an_excess_of_rounding_fits),
        cmocka_unit_test(held_devices_go_last),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
