/*
 * The memory of a state, and each decision's part of it. doc/figures.md has the sizes of three hosts; decisions share
 * the work memory, so these show only the largest part, and the others are written down here. Every caller pays for a
 * number that grows, so it must change only on purpose.
 *
 * The numbers are for machines of 64 bits. The sanitizers' build has gaps between arrays and is left out.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/support.h"

#include "vcsched/core/fence.h"
#include "vcsched/simulation/sliced/sliced_classes.h"
#include "vcsched/simulation/sliced/uniform_queues.h"
#include "vcsched/host/builder.h"
#include "vcsched/host/renew.h"
#include "vcsched/host/scratch.h"

#include <stdbool.h>
#include <stdlib.h>

/* A phone, a computer with two GPUs, and a host of many CPUs with 10,000 tasks. */
static const vcs_counts phone = {.resources = 1, .projects = 3, .apps = 3, .tasks = 20, .instances = 8},
                        computer = {.resources = 2,
                                    .projects = 20,
                                    .apps = 30,
                                    .tasks = 600,
                                    .candidates = 10,
                                    .project_resources = 20,
                                    .instances = 34},
                        crowded = {.resources = 3,
                                   .projects = 20,
                                   .apps = 20,
                                   .tasks = 10000,
                                   .project_resources = 60,
                                   .instances = 132};

#define MOST_TASKS 10000

/* Whether sizes are as written down here. */
static bool is_ordinary(void) {
    return sizeof(void *) == 8 && VCS_GAP == 0;
}

static void assert_bytes(const char *what, uint64_t found, uint64_t expected) {
    if (is_ordinary() && found != expected) {
        print_error("%s takes %llu bytes, not %llu\n", what, (unsigned long long)found, (unsigned long long)expected);
        fail();
    }
}

/* What a caller is told. Each type of GPU has two instances, the rest are CPUs; no more of a record is looked at. */
static size_t state_size(const vcs_counts *counts) {
    static vcs_task tasks[MOST_TASKS];
    static test_host h;
    size_t bytes = 0;
    host_begin(&h, VCS_PROFILE_CURRENT, (uint32_t)(counts->instances - 2 * (counts->resources - 1)));
    for (uint32_t i = 1; i < counts->resources; i++) {
        host_add_resource(&h, 2, 10);
    }
    h.snapshot.projects.count = (uint32_t)counts->projects;
    h.snapshot.apps.count = (uint32_t)counts->apps;
    h.snapshot.project_resources.count = (uint32_t)counts->project_resources;
    h.snapshot.candidates.count = (uint32_t)counts->candidates;
    h.snapshot.tasks = (vcs_array){{tasks}, sizeof *tasks, (uint32_t)counts->tasks};
    assert_int_equal(vcs_state_size(&h.snapshot, &bytes), VCS_OK);
    return bytes;
}

static void states(void **unused) {
    (void)unused;
    assert_bytes("the state of a phone", state_size(&phone), 15696);
    assert_bytes("the state of a computer", state_size(&computer), 623384);
    assert_bytes("the state of a crowded host", state_size(&crowded), 6181128);
}

/* ---- What is shared ---- */

static const struct {
    const char *name;
    uint64_t (*bytes)(const vcs_counts *counts);
    uint64_t expected[3]; /* phone, computer, crowded */
} parts[] = {
    {"preparing", vcs_build_scratch, {1280, 38400, 640000}},
    {"renewing", vcs_renew_scratch, {1280, 38400, 640000}},
    {"the fluid discipline", vcs_wrr_fluid_scratch, {1408, 27600, 405168}},
    {"the sliced discipline", vcs_wrr_sliced_scratch, {6328, 167072, 2562728}},
    {"its form for tasks of a CPU", vcs_uniform_scratch, {3792, 46672, 402376}},
    {"its form for all hosts", vcs_general_scratch, {6072, 152248, 2302032}},
    {"earliest deadline first", vcs_edf_scratch, {5936, 175744, 2491808}},
    {"the choice of tasks", vcs_schedule_scratch, {3880, 59240, 889200}},
    {"fetching", vcs_fetch_scratch, {2712, 57328, 740424}},
    {"sending", vcs_send_scratch, {56, 296, 200}},
};

static void each_decision(void **unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        assert_bytes(parts[i].name, parts[i].bytes(&phone), parts[i].expected[0]);
        assert_bytes(parts[i].name, parts[i].bytes(&computer), parts[i].expected[1]);
        assert_bytes(parts[i].name, parts[i].bytes(&crowded), parts[i].expected[2]);
    }
}

/* What stays from one candidate to the next. */
static void the_queue(void **unused) {
    (void)unused;
    assert_bytes("the queue of a phone", vcs_admit_queue(&phone), 0);
    assert_bytes("the queue of a computer", vcs_admit_queue(&computer), 216312);
    assert_bytes("the queue of a crowded host", vcs_admit_queue(&crowded), 0);
}

/* ---- Renewing ---- */

/* Memory of just the size that is asked for will do for any number of tasks: none to spare is not too little. */
static void no_memory_to_spare_is_enough(void **unused) {
    (void)unused;
    static vcs_task tasks[1000];
    static test_host h;
    size_t bytes = 0;
    host_begin(&h, VCS_PROFILE_CURRENT, 4);
    host_add_project(&h, 1);
    for (uint32_t i = 0; i < 1000; i++) {
        tasks[i] = (vcs_task){.id = i + 1, .app = VCS_NONE, .cpus = 1, .remaining = 100, .deadline = 1e6};
    }
    h.snapshot.tasks = (vcs_array){{tasks}, sizeof *tasks, 1000};
    assert_int_equal(vcs_state_size(&h.snapshot, &bytes), VCS_OK);
    void *work = malloc(bytes);
    vcs_state *state;
    for (uint32_t before = 1; before < 1000; before *= 2) {
        h.snapshot.tasks.count = before;
        assert_int_equal(vcs_state_prepare(&h.snapshot, &h.parameters, 0, work, bytes, &state, NULL), VCS_OK);
        h.snapshot.tasks.count = 1000;
        assert_int_equal(vcs_state_renew(state, bytes, &h.snapshot, &h.parameters, 0, NULL), VCS_OK);
        assert_int_equal(vcs_state_renew(state, bytes - 8, &h.snapshot, &h.parameters, 0, NULL), VCS_ERR_WORKSPACE);
    }
    free(work);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states),
        cmocka_unit_test(each_decision),
        cmocka_unit_test(the_queue),
        cmocka_unit_test(no_memory_to_spare_is_enough),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
