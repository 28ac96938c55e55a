/*
 * Weighted round-robin as callers see it, whatever the discipline (rule 4.1): order of calls, arguments, counts of
 * misses.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/array.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

static test_host host;

static vcs_state *begin(uint32_t discipline) {
    host_begin_with_two_of_everything(&host, VCS_PROFILE_CURRENT);
    host.parameters.discipline = discipline;
    return host_prepare(&host);
}

static void null_arguments(void **unused) {
    (void)unused;
    vcs_wrr_summary summary = {.struct_size = sizeof summary};
    vcs_task_forecast task;
    vcs_resource_forecast resource;
    vcs_project_resource_forecast pair;
    assert_int_equal(vcs_wrr(NULL, &summary), VCS_ERR_NULL);
    assert_int_equal(vcs_wrr_tasks(NULL, ARRAY(&task, 1)), VCS_ERR_NULL);
    assert_int_equal(vcs_wrr_resources(NULL, ARRAY(&resource, 1)), VCS_ERR_NULL);
    assert_int_equal(vcs_wrr_project_resources(NULL, ARRAY(&pair, 1)), VCS_ERR_NULL);
}

static void results_of_nothing_need_no_memory(void **unused) {
    (void)unused;
    host_begin(&host, VCS_PROFILE_CURRENT, 1);
    vcs_state *state = host_prepare(&host);
    assert_int_equal(vcs_wrr(state, NULL), VCS_OK);
    assert_int_equal(vcs_wrr_tasks(state, NO_RECORDS), VCS_OK);
    assert_int_equal(vcs_wrr_project_resources(state, NO_RECORDS), VCS_OK);
    host_end(&host);
}

static void a_refused_summary_leaves_no_results(void **unused) {
    (void)unused;
    vcs_state *state = begin(VCS_DISCIPLINE_SLICED);
    vcs_wrr_summary summary = {.struct_size = sizeof summary - 8, .misses = 77}, before = summary;
    vcs_task_forecast tasks[2];
    assert_int_equal(vcs_wrr(state, &summary), VCS_ERR_ABI_OLDER);
    assert_memory_equal(&summary, &before, sizeof summary);
    assert_int_equal(vcs_wrr_tasks(state, ARRAY(tasks, 2)), VCS_ERR_SEQUENCE);
    host_end(&host);
}

/* What earliest deadline first found belongs to the misses of one simulation. */
static void a_new_simulation_makes_placements_stale(void **unused) {
    (void)unused;
    vcs_state *state = begin(VCS_DISCIPLINE_SLICED);
    vcs_edf_task placements[2];
    assert_int_equal(vcs_wrr(state, NULL), VCS_OK);
    assert_int_equal(vcs_edf(state, VCS_EDF_MISSED, NULL), VCS_OK);
    assert_int_equal(vcs_edf_tasks(state, ARRAY(placements, 2)), VCS_OK);
    assert_int_equal(vcs_wrr(state, NULL), VCS_OK);
    assert_int_equal(vcs_edf_tasks(state, ARRAY(placements, 2)), VCS_ERR_SEQUENCE);
    host_end(&host);
}

/* Asked again, a state gives the same answer: nothing of the first simulation is left in the second. */
static void again_is_the_same(void **unused) {
    (void)unused;
    static const uint32_t disciplines[] = {VCS_DISCIPLINE_FLUID, VCS_DISCIPLINE_SLICED};
    for (size_t i = 0; i < 2; i++) {
        vcs_state *state = begin(disciplines[i]);
        vcs_project_resource_forecast once[4], again[4];
        vcs_task_forecast tasks_once[2], tasks_again[2];
        vcs_wrr_summary first = {.struct_size = sizeof first}, second = {.struct_size = sizeof second};
        assert_int_equal(vcs_wrr(state, &first), VCS_OK);
        assert_int_equal(vcs_wrr_project_resources(state, ARRAY(once, 4)), VCS_OK);
        assert_int_equal(vcs_wrr_tasks(state, ARRAY(tasks_once, 2)), VCS_OK);
        assert_int_equal(vcs_wrr(state, &second), VCS_OK);
        assert_int_equal(vcs_wrr_project_resources(state, ARRAY(again, 4)), VCS_OK);
        assert_int_equal(vcs_wrr_tasks(state, ARRAY(tasks_again, 2)), VCS_OK);
        assert_memory_equal(&first, &second, sizeof first);
        assert_memory_equal(once, again, sizeof once);
        assert_memory_equal(tasks_once, tasks_again, sizeof tasks_once);
        host_end(&host);
    }
}

/*
 * A's CPU task is late; A's GPU task and B's CPU task are not; B's other one is past its deadline, but suspended: one
 * miss in all, of A on the CPU. Tasks count where they take part.
 */
static void misses_are_counted_by_project_and_resource(void **unused) {
    (void)unused;
    host_begin_with_two_of_everything(&host, VCS_PROFILE_CURRENT);
    host.tasks[0].deadline = -1;
    vcs_task *gpu_task = host_add_task(&host, 0, 10, INFINITY);
    gpu_task->gpu = 1;
    gpu_task->gpus = 1;
    gpu_task->cpus = 0;
    host_add_task(&host, 1, 10, -1)->flags = VCS_TASK_SUSPENDED;
    vcs_state *state = host_prepare(&host);
    vcs_wrr_summary summary = {.struct_size = sizeof summary};
    vcs_project_resource_forecast project_resources[4];
    assert_int_equal(vcs_wrr(state, &summary), VCS_OK);
    assert_int_equal(vcs_wrr_project_resources(state, ARRAY(project_resources, 4)), VCS_OK);
    static const uint32_t misses[] = {1, 0, 0, 0}, tasks[] = {1, 1, 1, 0};
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(project_resources[i].misses, misses[i]);
        assert_int_equal(project_resources[i].tasks, tasks[i]);
    }
    assert_int_equal(summary.misses, 1);
    assert_int_equal(summary.unknown, 0);
    host_end(&host);
}

/*
 * The example of S4, drawn in doc/rules.md: four instances, tasks of 7, 5, 8, 3 and 4, a buffer of 10. The last begins
 * when that of 3 has ended. Idle before the end of the buffer: 3 + 5 + 2 + 3.
 */
static void the_example_of_the_source(void **unused) {
    (void)unused;
    static const uint32_t disciplines[] = {VCS_DISCIPLINE_FLUID, VCS_DISCIPLINE_SLICED};
    static const double lengths[] = {7, 5, 8, 3, 4}, finishes[] = {7, 5, 8, 3, 7};
    for (size_t i = 0; i < 2; i++) {
        host_begin(&host, VCS_PROFILE_CURRENT, 4);
        host.parameters.discipline = disciplines[i];
        host.parameters.min_buffer = 4;
        host.parameters.additional_buffer = 6;
        host.parameters.least_buffer = 0;
        const uint32_t project = host_add_project(&host, 1);
        for (size_t k = 0; k < 5; k++) {
            host_add_task(&host, project, lengths[k], INFINITY);
        }
        vcs_state *state = host_prepare(&host);
        vcs_task_forecast tasks[5];
        vcs_resource_forecast cpus;
        assert_int_equal(vcs_wrr(state, NULL), VCS_OK);
        assert_int_equal(vcs_wrr_tasks(state, ARRAY(tasks, 5)), VCS_OK);
        assert_int_equal(vcs_wrr_resources(state, ARRAY(&cpus, 1)), VCS_OK);
        for (size_t k = 0; k < 5; k++) {
            assert_true(fabs(tasks[k].finish - finishes[k]) < 1e-9);
        }
        assert_true(fabs(cpus.shortfall - 13) < 1e-9 && fabs(cpus.saturated - 5) < 1e-9);
        assert_true(cpus.idle_now == 0);
        host_end(&host);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_example_of_the_source),
        cmocka_unit_test(null_arguments),
        cmocka_unit_test(results_of_nothing_need_no_memory),
        cmocka_unit_test(a_refused_summary_leaves_no_results),
        cmocka_unit_test(a_new_simulation_makes_placements_stale),
        cmocka_unit_test(again_is_the_same),
        cmocka_unit_test(misses_are_counted_by_project_and_resource),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
