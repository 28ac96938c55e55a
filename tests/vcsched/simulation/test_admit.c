/*
 * Admission (rule 4.5): examples worked by hand, and bad input. On random states it is compared with its oracle in
 * test_admit_oracle.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/array.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/effort.h"
#include "support/kernel.h"
#include "support/whole.h"
#include "oracle/oracle_admit.h"

/* Asks about a candidate of a prepared host. */
static vcs_admission ask(const test_host *h, uint32_t candidate) {
    vcs_admission admission;
    memset(&admission, 0xa5, sizeof admission);
    admission.struct_size = sizeof admission;
    assert_int_equal(vcs_admit(h->state, candidate, &admission), VCS_OK);
    assert_int_equal(admission.struct_size, sizeof admission);
    assert_int_equal(admission.flags, 0);
    assert_true(admission.reserved[0] == 0);
    return admission;
}

static void assert_admitted(const test_host *h, uint32_t candidate, double finish) {
    vcs_admission found = ask(h, candidate);
    assert_int_equal(found.reason, VCS_REASON_ADMITTED);
    assert_int_equal(found.admitted, 1);
    assert_true(found.finish == finish);
    assert_int_equal(found.harmed, VCS_NONE);
    assert_int_equal(found.harmed_candidate, VCS_NONE);
}

static vcs_admission assert_refused(const test_host *h, uint32_t candidate, uint32_t reason, double finish) {
    vcs_admission found = ask(h, candidate);
    assert_int_equal(found.reason, reason);
    assert_int_equal(found.admitted, 0);
    assert_true(found.finish == finish);
    return found;
}

/* Refused without harm to any other. */
static void assert_hopeless(const test_host *h, uint32_t candidate, uint32_t reason, double finish) {
    vcs_admission found = assert_refused(h, candidate, reason, finish);
    assert_int_equal(found.harmed, VCS_NONE);
    assert_int_equal(found.harmed_candidate, VCS_NONE);
}

static void assert_harms_task(const test_host *h, uint32_t candidate, uint32_t reason, double finish, uint32_t task) {
    vcs_admission found = assert_refused(h, candidate, reason, finish);
    assert_int_equal(found.harmed, task);
    assert_int_equal(found.harmed_candidate, VCS_NONE);
}

static void assert_harms_candidate(const test_host *h, uint32_t candidate, uint32_t reason, double finish,
                                   uint32_t other) {
    vcs_admission found = assert_refused(h, candidate, reason, finish);
    assert_int_equal(found.harmed, VCS_NONE);
    assert_int_equal(found.harmed_candidate, other);
}

/* A host with no buffer and one project that has sent no tasks yet. */
static void begin(test_host *h, uint32_t cpus) {
    host_begin(h, VCS_PROFILE_CURRENT, cpus);
    h->parameters.min_buffer = 0;
    host_add_project(h, 1);
}

/* ---- The decision ---- */

static void the_queue_grows_by_what_is_admitted(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 1);
    host_add_task(&h, 0, 10, 10); /* 0 ... 10, just in time */
    host_add_task(&h, 0, 10, 30); /* 10 ... 20 */
    host_add_candidate(&h, 0, 10, 40);
    host_add_candidate(&h, 0, 5, 35);
    host_add_candidate(&h, 0, 6, 36);
    host_add_candidate(&h, 0, 1, 5);
    host_add_candidate(&h, 0, 50, 45);
    host_prepare(&h);
    assert_admitted(&h, 0, 30);                                    /* 20 ... 30 */
    assert_admitted(&h, 1, 25);                                    /* 20 ... 25, then candidate 0 until 35 <= 40 */
    assert_harms_candidate(&h, 2, VCS_REASON_HARMS_TIMELY, 31, 0); /* 25 ... 31, then candidate 0 until 41 > 40 */
    assert_harms_task(&h, 3, VCS_REASON_HARMS_TIMELY, 1, 0);       /* 0 ... 1, then task 0 until 11 > 10 */
    assert_hopeless(&h, 4, VCS_REASON_OWN_DEADLINE, 85);           /* 35 ... 85 > 45 */
    assert_harms_candidate(&h, 2, VCS_REASON_HARMS_TIMELY, 31, 0); /* whoever was refused may ask again */
    host_end(&h);
}

static void late_tasks_must_not_finish_later(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 1);
    host_add_task(&h, 0, 20, 10); /* 0 ... 20 > 10 */
    host_add_candidate(&h, 0, 1, 5);
    host_add_candidate(&h, 0, 0, 5);
    host_add_candidate(&h, 0, 1, 21);
    host_prepare(&h);
    assert_harms_task(&h, 0, VCS_REASON_DELAYS_LATE, 1, 0); /* 20 becomes 21 */
    assert_admitted(&h, 1, 0);                              /* takes no time */
    assert_admitted(&h, 2, 21);
    host_end(&h);
}

static void the_first_one_harmed_is_named(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 1);
    host_add_task(&h, 0, 10, 45); /* 20 ... 30: in time with 5 s more */
    host_add_task(&h, 0, 10, 29); /* 10 ... 20: in time with 5 s more */
    host_add_task(&h, 0, 10, 12); /* 0 ... 10: not with 5 s more */
    host_add_task(&h, 0, 90, 50); /* 30 ... 120: late */
    host_add_candidate(&h, 0, 5, 6);
    host_add_candidate(&h, 0, 5, 20);
    host_prepare(&h);
    assert_harms_task(&h, 0, VCS_REASON_HARMS_TIMELY, 5, 2);
    assert_harms_task(&h, 1, VCS_REASON_DELAYS_LATE, 15, 3); /* tasks 1 and 0 finish at 25 <= 29 and 35 <= 45 */
    host_end(&h);
}

static void it_may_fit_on_another_cpu(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 2);
    host_add_task(&h, 0, 10, 10);
    host_add_task(&h, 0, 8, 19); /* on the second CPU: 0 ... 8 */
    host_add_candidate(&h, 0, 9, 9);
    host_add_candidate(&h, 0, 3, 15);
    host_prepare(&h);
    assert_admitted(&h, 0, 9);  /* task 0 moves to the second CPU, task 1 waits until 9 and ends at 17 */
    assert_admitted(&h, 1, 12); /* 9 ... 12; task 1 at 10 ... 18 */
    host_end(&h);
}

static void the_candidate_is_the_latest_arrival(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 1);
    host_add_task(&h, 0, 5, 10)->received = 100;
    host_add_candidate(&h, 0, 5, 10)->received = -100;
    host_add_candidate(&h, 0, 5, 10);
    host_add_candidate(&h, 0, 0, 10);
    h.candidates[0].id = 0;
    host_prepare(&h);
    assert_admitted(&h, 1, 10);                          /* behind the task of the same deadline and length */
    assert_hopeless(&h, 0, VCS_REASON_OWN_DEADLINE, 15); /* behind the candidate that came before it */
    assert_admitted(&h, 2, 0);                           /* shorter: goes first */
    host_end(&h);
}

static void the_buffer_comes_off_the_deadline(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 1);
    h.now = 1000;
    h.parameters.min_buffer = 10;
    host_add_task(&h, 0, 5, 1015);
    host_add_candidate(&h, 0, 5, 1020);
    host_add_candidate(&h, 0, 5.000001, 1020);
    host_add_candidate(&h, 0, 5, INFINITY);
    host_prepare(&h);
    assert_hopeless(&h, 1, VCS_REASON_OWN_DEADLINE, 10.000001); /* > 1020 - 1000 - 10 */
    assert_admitted(&h, 0, 10);
    assert_admitted(&h, 2, 15);
    host_end(&h);
}

/* Rule 13.1: the slip of the study's program, which counts finishes from the start and deadlines from the epoch. */
static void deadlines_may_count_from_the_start(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 1);
    h.now = 1000;
    h.parameters.min_buffer = 10;
    host_add_candidate(&h, 0, 900, 1010);
    host_add_candidate(&h, 0, 100.000001, 1010);
    host_add_candidate(&h, 0, 100, 1010);
    host_prepare(&h);
    assert_hopeless(&h, 0, VCS_REASON_OWN_DEADLINE, 900); /* > 1010 - 1000 - 10 = 0 */
    h.parameters.deadline_origin = VCS_ORIGIN_START;
    host_prepare(&h);
    assert_admitted(&h, 0, 900); /* <= 1010 - 10 */
    /* A shorter one of the same deadline goes first. */
    assert_harms_candidate(&h, 1, VCS_REASON_HARMS_TIMELY, 100.000001, 0);
    assert_admitted(&h, 2, 100);
    host_end(&h);
}

static void a_host_without_tasks_takes_any_that_is_in_time(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 1);
    host_add_candidate(&h, 0, 10, 9);
    host_add_candidate(&h, 0, 10, 10);
    host_prepare(&h);
    assert_hopeless(&h, 0, VCS_REASON_OWN_DEADLINE, 10);
    assert_admitted(&h, 1, 10);
    host_end(&h);
}

static void what_cannot_run_is_refused(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 2);
    host_add_project(&h, 1);
    host_add_resource(&h, 1, 10);
    host_add_resource(&h, 1, 10);
    h.projects[1].flags = VCS_PROJECT_SUSPENDED;
    h.resources[2].flags = VCS_RESOURCE_SUSPENDED;
    host_add_project_resource(&h, 0, 1)->excluded = 1;
    host_add_candidate(&h, 0, 1, 100)->cpus = 3;
    host_add_candidate(&h, 1, 1, 100);
    host_add_candidate(&h, 0, 1, 100)->flags = VCS_TASK_SUSPENDED;
    for (uint32_t gpu = 1; gpu <= 2; gpu++) {
        vcs_task *candidate = host_add_candidate(&h, 0, 1, 100);
        candidate->gpu = gpu;
        candidate->gpus = 1;
    }
    host_add_candidate(&h, 0, 1, 100);
    host_prepare(&h);
    for (uint32_t i = 0; i < 5; i++) {
        assert_hopeless(&h, i, VCS_REASON_CANNOT_RUN, INFINITY);
    }
    assert_admitted(&h, 5, 1);
    host_end(&h);
}

/* A suspended or stuck task is in nobody's way. */
/* The first project may run one task at a time. The second is not concerned. */
static void a_limit_holds_for_queue_and_candidates(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 8);
    uint32_t b = host_add_project(&h, 1);
    h.projects[0].max_concurrent = 1;
    host_add_task(&h, 0, 10, 15);
    host_add_candidate(&h, 0, 10, 19);
    host_add_candidate(&h, 0, 10, 101);
    host_add_candidate(&h, 0, 10, 102);
    host_add_candidate(&h, b, 10, 10);
    host_add_candidate(&h, 0, 1, 14);
    host_add_candidate(&h, 0, 5, 13);
    host_prepare(&h);
    assert_hopeless(&h, 0, VCS_REASON_OWN_DEADLINE, 20); /* after the task, though seven CPUs are idle */
    assert_admitted(&h, 1, 20);
    assert_admitted(&h, 2, 30);
    assert_admitted(&h, 3, 10);
    assert_admitted(&h, 4, 1); /* first of all by deadline: the others end at 11, 21 and 31 */
    assert_harms_task(&h, 5, VCS_REASON_HARMS_TIMELY, 5, 0); /* at 16 */
    host_end(&h);
}

/*
 * One CPU and a GPU. A1 is on the GPU until 10, and A2 waits for it, until 15 on the CPU. The candidate has a later
 * deadline, but finds the CPU free: A2 would start at 12 only.
 */
static void who_waits_for_a_limit_may_be_harmed_by_a_later_deadline(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 1);
    uint32_t b = host_add_project(&h, 1), gpu = host_add_resource(&h, 1, 10);
    h.projects[0].max_concurrent = 1;
    vcs_task *first = host_add_task(&h, 0, 10, 10);
    first->gpu = gpu;
    first->gpus = 1;
    first->cpus = 0;
    host_add_task(&h, 0, 5, 16);
    host_add_candidate(&h, b, 12, 30);
    host_add_candidate(&h, b, 10, 30);
    host_prepare(&h);
    assert_harms_task(&h, 0, VCS_REASON_HARMS_TIMELY, 12, 1);
    assert_admitted(&h, 1, 10);
    host_end(&h);
}

static void tasks_that_do_not_run_do_not_count(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 1);
    host_add_task(&h, 0, 10, 1)->flags = VCS_TASK_SUSPENDED;
    host_add_task(&h, 0, 10, 2)->cpus = 2;
    host_add_candidate(&h, 0, 3, 3);
    host_add_candidate(&h, 0, 1, 1);
    host_prepare(&h);
    assert_admitted(&h, 0, 3);
    assert_harms_candidate(&h, 1, VCS_REASON_HARMS_TIMELY, 1, 0);
    host_end(&h);
}

static void fractions_and_gpus_are_placed_too(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 1);
    host_add_resource(&h, 1, 10);
    vcs_task *gpu_task = host_add_task(&h, 0, 10, 20); /* 0 ... 10 on the GPU and half the CPU */
    gpu_task->gpu = 1;
    gpu_task->gpus = 1;
    gpu_task->cpus = 0.5;
    host_add_candidate(&h, 0, 15, 30)->cpus = 0.5;
    host_add_candidate(&h, 0, 2, 4);
    host_add_candidate(&h, 0, 8.5, 5)->cpus = 0.75;
    host_add_candidate(&h, 0, 16, 25);
    *host_add_candidate(&h, 0, 4, 25) = *gpu_task;
    host_prepare(&h);
    assert_admitted(&h, 0, 15); /* the other half of the CPU */
    assert_admitted(&h, 1, 2);  /* all of it at first: the GPU task runs 2 ... 12, candidate 0 until 17 */
    /* Candidate 2 has the CPU for itself from 2 on, until 10.5 > 5. */
    assert_hopeless(&h, 2, VCS_REASON_OWN_DEADLINE, 10.5);
    /* Whatever the GPU task uses of the CPU, and before candidate 0: 2 ... 18, then candidate 0 until 33 > 30. */
    assert_harms_candidate(&h, 3, VCS_REASON_HARMS_TIMELY, 18, 0);
    assert_hopeless(&h, 4, VCS_REASON_OWN_DEADLINE, 22); /* the GPU is free at 12 */
    host_end(&h);
}

/* Every task takes one whole CPU, but the CPUs are not what they wait for. */
static void whole_cpus_may_wait_for_gpus(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 2);
    host_add_resource(&h, 1, 10);
    vcs_task *gpu_task = host_add_task(&h, 0, 10, 20);
    gpu_task->gpu = 1;
    gpu_task->gpus = 1;
    *host_add_candidate(&h, 0, 0, 0) = *gpu_task;
    h.candidates[0].deadline = 19;
    host_add_candidate(&h, 0, 3, 21);
    *host_add_candidate(&h, 0, 0, 0) = *gpu_task;
    h.candidates[2].remaining = 1;
    host_prepare(&h);
    assert_admitted(&h, 0, 10);                               /* the task before it runs 10 ... 20 now, on CPU 1 */
    assert_admitted(&h, 1, 13);                               /* 10 ... 13 on CPU 0 */
    assert_harms_task(&h, 2, VCS_REASON_HARMS_TIMELY, 11, 0); /* 10 ... 11, then the task until 21 > 20 */
    host_end(&h);
}

/* ---- Horizon and budget (rule 4.6) ---- */

/* `cpus` is what the tasks take; with less than one CPU the library goes another way. */
static void check_not_reached(double cpus, double horizon, uint32_t budget) {
    test_host h;
    begin(&h, 1);
    h.parameters.horizon = horizon;
    h.parameters.step_budget = budget;
    for (int i = 0; i < 3; i++) {
        host_add_task(&h, 0, 10, 100)->cpus = cpus; /* 0 ... 10, 10 ... 20, not reached */
    }
    host_add_candidate(&h, 0, 1, 200);
    host_add_candidate(&h, 0, 1, INFINITY)->cpus = 2;
    host_add_candidate(&h, 0, 11, 12);
    host_prepare(&h);
    assert_hopeless(&h, 0, VCS_REASON_BUDGET, INFINITY);
    assert_hopeless(&h, 1, VCS_REASON_BUDGET, INFINITY); /* it cannot run either, but nobody got so far */
    assert_admitted(&h, 2, 11);
    host_end(&h);
}

static void what_is_not_reached_is_not_admitted(void **unused) {
    (void)unused;
    check_not_reached(1, 19, 0);
    check_not_reached(0.75, 19, 0);
    check_not_reached(1, 0, 2);
    check_not_reached(0.75, 0, 2);
}

/* A member that was not reached before is not judged, if it is reached with the candidate in the queue. */
static void a_candidate_may_bring_the_horizon_nearer(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 2);
    h.parameters.horizon = 50;
    host_add_task(&h, 0, 1, 2)->cpus = 0.7;
    host_add_task(&h, 0, 100, 200)->cpus = 0.3;
    host_add_task(&h, 0, 100, 300)->cpus = 0.7;
    host_add_task(&h, 0, 400, 301);
    host_add_candidate(&h, 0, 1, 1)->cpus = 0.3;
    host_prepare(&h);
    /*
     * Without the candidate, tasks 0 and 1 share CPU 0, task 2 has CPU 1, and none is free before 100. With it, tasks 1
     * and 2 share CPU 1, and task 3 runs 1 ... 401 on CPU 0, which is late.
     */
    assert_admitted(&h, 0, 1);
    host_end(&h);
}

/* ---- Many ---- */

/* Fills a host with tasks of one CPU, so that about half of the candidates fit in. */
static void fill_host(test_host *h, uint32_t cpus, uint64_t seed) {
    random_stream stream = {seed};
    begin(h, cpus);
    for (uint32_t i = 0; i < 2 * HOST_MOST; i++) {
        double remaining = random_below(&stream, 32);
        double deadline = 10 + random_below(&stream, 128) * 13.0 / cpus;
        if (i < HOST_MOST) {
            host_add_task(h, 0, remaining, deadline);
        } else {
            host_add_candidate(h, 0, remaining, deadline);
        }
    }
}

static void check_against_oracle(test_host *h) {
    uint32_t admitted[HOST_MOST], count = 0;
    h->candidates[0].deadline = INFINITY; /* the first to be asked about goes to the very end */
    host_prepare(h);
    for (uint32_t i = 0; i < HOST_MOST; i++) {
        vcs_admission expected = oracle_admit(&h->snapshot, &h->parameters, h->now, admitted, count, i);
        vcs_admission found = ask(h, i);
        assert_memory_equal(&found, &expected, sizeof found);
        if (found.admitted) {
            admitted[count++] = i;
        }
    }
    assert_in_range(count, 5, HOST_MOST - 5); /* else it would show nothing */
    host_end(h);
}

/* Tasks enough for the library to begin in the middle of the queue. On a large host it keeps fewer such places. */
static void long_queues_equal_the_oracle(void **unused) {
    (void)unused;
    static test_host h;
    for (uint64_t seed = cases_to_try(10); seed > 0; seed--) {
        fill_host(&h, 1 + (uint32_t)(seed % 5), seed);
        check_against_oracle(&h);
        fill_host(&h, 3, seed);
        for (int gpus = 0; gpus < 5; gpus++) {
            host_add_resource(&h, VCS_MAX_GPU_INSTANCES, 1);
        }
        check_against_oracle(&h);
        fill_host(&h, 3, seed);
        h.parameters.step_budget = 70;
        check_against_oracle(&h);
        fill_host(&h, 3, seed);
        h.parameters.horizon = 200;
        check_against_oracle(&h);
        fill_host(&h, 3, seed);
        h.tasks[seed].cpus = 0.5;
        check_against_oracle(&h);
    }
}

/* ---- Between two candidates ---- */

/* Simulations in between share the state's memory, but not the queue's. */
static void simulations_in_between_change_nothing(void **unused) {
    (void)unused;
    static test_host alone, disturbed;
    fill_host(&alone, 2, 1);
    fill_host(&disturbed, 2, 1);
    host_prepare(&alone);
    host_prepare(&disturbed);
    for (uint32_t i = 0; i < HOST_MOST; i++) {
        vcs_admission expected = ask(&alone, i);
        assert_int_equal(vcs_wrr(disturbed.state, NULL), VCS_OK);
        assert_int_equal(vcs_edf(disturbed.state, i % 2 == 0 ? VCS_EDF_ALL : VCS_EDF_MISSED, NULL), VCS_OK);
        vcs_admission found = ask(&disturbed, i);
        assert_memory_equal(&found, &expected, sizeof found);
    }
    host_end(&alone);
    host_end(&disturbed);
}

static void admission_leaves_the_simulations_alone(void **unused) {
    (void)unused;
    static test_host h;
    static vcs_edf_task before[HOST_MOST], after[HOST_MOST];
    fill_host(&h, 2, 1);
    vcs_state *state = host_prepare(&h);
    assert_int_equal(vcs_edf(state, VCS_EDF_ALL, NULL), VCS_OK);
    assert_int_equal(vcs_edf_tasks(state, ARRAY(before, HOST_MOST)), VCS_OK);
    for (uint32_t i = 0; i < HOST_MOST; i++) {
        ask(&h, i);
    }
    assert_int_equal(vcs_edf_tasks(state, ARRAY(after, HOST_MOST)), VCS_OK);
    assert_memory_equal(before, after, sizeof before);
    assert_int_equal(vcs_edf(state, VCS_EDF_ALL, NULL), VCS_OK); /* looks at the tasks alone */
    assert_int_equal(vcs_edf_tasks(state, ARRAY(after, HOST_MOST)), VCS_OK);
    assert_memory_equal(before, after, sizeof before);
    host_end(&h);
}

/* A state is one piece of memory: a copy goes on where the original stood. */
static void check_copy(test_host *h) {
    size_t size;
    host_prepare(h);
    for (uint32_t i = 0; i < HOST_MOST / 2; i++) {
        ask(h, i);
    }
    assert_int_equal(vcs_state_size(&h->snapshot, &size), VCS_OK);
    void *copy = malloc(size);
    assert_non_null(copy);
    copy_whole(copy, h->work, size);
    vcs_admission expected[HOST_MOST];
    for (uint32_t i = HOST_MOST / 2; i < HOST_MOST; i++) {
        expected[i] = ask(h, i);
    }
    host_end(h);
    h->state = copy;
    for (uint32_t i = HOST_MOST / 2; i < HOST_MOST; i++) {
        vcs_admission found = ask(h, i);
        assert_memory_equal(&found, &expected[i], sizeof found);
    }
    free(copy);
}

static void a_copied_state_goes_on(void **unused) {
    (void)unused;
    static test_host h;
    fill_host(&h, 3, 7);
    check_copy(&h);
    fill_host(&h, 3, 7);
    h.tasks[0].cpus = 0.5;
    check_copy(&h);
}

/* ---- Bad input, and callers of another age ---- */

static void bad_calls_are_refused(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 1);
    host_add_task(&h, 0, 10, 100);
    host_add_candidate(&h, 0, 10, 100);
    host_add_candidate(&h, 0, 10, 100);
    host_prepare(&h);
    assert_admitted(&h, 1, 20);
    static const struct {
        uint32_t candidate, struct_size;
        int code;
    } bad[] = {
        {0, 0, VCS_ERR_ABI_SIZE},
        {0, 4104, VCS_ERR_ABI_SIZE},
        {0, sizeof(vcs_admission) + 4, VCS_ERR_ABI_SIZE},
        {0, sizeof(vcs_admission) - 8, VCS_ERR_ABI_OLDER},
        {2, sizeof(vcs_admission), VCS_ERR_INDEX},
        {VCS_NONE, sizeof(vcs_admission), VCS_ERR_INDEX},
        {1, sizeof(vcs_admission), VCS_ERR_DUPLICATE},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        vcs_admission admission, before;
        memset(&admission, 0xa5, sizeof admission);
        admission.struct_size = bad[i].struct_size;
        before = admission;
        assert_int_equal(vcs_admit(h.state, bad[i].candidate, &admission), bad[i].code);
        assert_memory_equal(&admission, &before, sizeof admission);
    }
    vcs_admission admission = {.struct_size = sizeof admission};
    assert_int_equal(vcs_admit(NULL, 0, &admission), VCS_ERR_NULL);
    assert_int_equal(vcs_admit(h.state, 0, NULL), VCS_ERR_NULL);
    assert_admitted(&h, 0, 30); /* none of these has joined the queue */
    host_end(&h);
}

static void without_candidates_there_is_nothing_to_ask(void **unused) {
    (void)unused;
    test_host h;
    begin(&h, 1);
    host_add_task(&h, 0, 10, 100);
    host_prepare(&h);
    vcs_admission admission = {.struct_size = sizeof admission};
    assert_int_equal(vcs_admit(h.state, 0, &admission), VCS_ERR_INDEX);
    host_end(&h);
}

/* A caller newer than the library has a longer struct; what the library does not know is 0. */
static void newer_callers_read_zeros(void **unused) {
    (void)unused;
    test_host h;
    struct {
        vcs_admission known;
        uint64_t newer[2];
    } admission;
    begin(&h, 1);
    host_add_candidate(&h, 0, 10, 100);
    host_prepare(&h);
    memset(&admission, 0xa5, sizeof admission);
    admission.known.struct_size = sizeof admission;
    assert_int_equal(vcs_admit(h.state, 0, &admission.known), VCS_OK);
    assert_int_equal(admission.known.struct_size, sizeof admission);
    assert_int_equal(admission.known.admitted, 1);
    assert_true(admission.newer[0] == 0 && admission.newer[1] == 0);
    host_end(&h);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_queue_grows_by_what_is_admitted),
        cmocka_unit_test(late_tasks_must_not_finish_later),
        cmocka_unit_test(the_first_one_harmed_is_named),
        cmocka_unit_test(it_may_fit_on_another_cpu),
        cmocka_unit_test(the_candidate_is_the_latest_arrival),
        cmocka_unit_test(the_buffer_comes_off_the_deadline),
        cmocka_unit_test(deadlines_may_count_from_the_start),
        cmocka_unit_test(a_host_without_tasks_takes_any_that_is_in_time),
        cmocka_unit_test(what_cannot_run_is_refused),
        cmocka_unit_test(a_limit_holds_for_queue_and_candidates),
        cmocka_unit_test(who_waits_for_a_limit_may_be_harmed_by_a_later_deadline),
        cmocka_unit_test(tasks_that_do_not_run_do_not_count),
        cmocka_unit_test(fractions_and_gpus_are_placed_too),
        cmocka_unit_test(whole_cpus_may_wait_for_gpus),
        cmocka_unit_test(what_is_not_reached_is_not_admitted),
        cmocka_unit_test(a_candidate_may_bring_the_horizon_nearer),
        cmocka_unit_test(long_queues_equal_the_oracle),
        cmocka_unit_test(simulations_in_between_change_nothing),
        cmocka_unit_test(admission_leaves_the_simulations_alone),
        cmocka_unit_test(a_copied_state_goes_on),
        cmocka_unit_test(bad_calls_are_refused),
        cmocka_unit_test(without_candidates_there_is_nothing_to_ask),
        cmocka_unit_test(newer_callers_read_zeros),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
