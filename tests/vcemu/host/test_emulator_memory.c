/*
 * The memory of an emulation.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support/array.h"
#include "support/counted_memory.h"
#include "support/emulation_case.h"

#include "vcsched/core/fence.h"

static void begin_with_heap(case_records *c, heap *h, double duration) {
    begin(c, VCS_PROFILE_STUDY2007, 2, duration);
    add_app(c, add_project(c), 13000, 9 * DAY);
    *h = (heap){0};
    c->hooks.allocate = heap_allocate;
    c->hooks.release = heap_release;
    c->hooks.context = h;
}

/* Memory grows with the queue, which is no longer after 100 days than after 10; and all of it is released. */
static void memory_does_not_grow_with_time(void **unused) {
    (void)unused;
    case_records c;
    heap short_run, long_run;
    begin_with_heap(&c, &short_run, 10 * DAY);
    run(&c);
    begin_with_heap(&c, &long_run, 100 * DAY);
    run(&c);
    assert_int_equal(short_run.used, 0);
    assert_int_equal(short_run.pieces, 0);
    assert_int_equal(long_run.used, 0);
    assert_true(long_run.most == short_run.most);
}

/*
 * How much that is, on a machine of 64 bits and without gaps between arrays: arrays grow by a quarter and 64 elements,
 * arrays of constant size are allocated together, and a state has memory to spare, so little is allocated later.
 */
static void what_an_emulation_takes(void **unused) {
    (void)unused;
    case_records c;
    heap h;
    if (sizeof(void *) != 8 || VCS_GAP != 0) {
        skip();
    }
    begin_with_heap(&c, &h, 100 * DAY);
    run(&c);
    assert_int_equal(h.most, 37666);
    assert_int_equal(h.asked, 28);
    begin(&c, VCS_PROFILE_CURRENT, 16, 10 * DAY);
    for (uint32_t i = 0; i < 6; i++) {
        add_app(&c, add_project(&c), 3000, 9 * DAY);
    }
    c.parameters.min_buffer = 2 * DAY;
    h = (heap){0};
    c.hooks.allocate = heap_allocate;
    c.hooks.release = heap_release;
    c.hooks.context = &h;
    run(&c);
    assert_int_equal(h.most, 2599681);
    assert_int_equal(h.asked, 130);
}

static int ignore_event(void *context, const vcs_event *event) {
    (void)context;
    (void)event;
    return VCS_OK;
}

/*
 * Whichever allocation fails, the emulation ends with an error, the outcome is untouched, and nothing is leaked. At
 * least 18 can: five of the setup (a state, sizes, switches, models, servers), one of all arrays of constant size, six
 * of tasks, four of jobs on offer, one of the CPUs' tracks, and one of results.
 */
static void missing_memory_is_an_error(void **unused) {
    (void)unused;
    case_records c;
    heap h;
    uint32_t failures = 0;
    for (uint32_t fail_at = 1;; fail_at++) {
        begin_with_heap(&c, &h, DAY);
        h.fail_at = fail_at;
        c.hooks.observe = ignore_event;
        vcs_error error = {.struct_size = sizeof error};
        int code = emulate(&c, &error);
        assert_int_equal(h.pieces, 0);
        if (code == VCS_OK) {
            break;
        }
        failures++;
        assert_int_equal(code, VCS_ERR_MEMORY);
        assert_string_equal(error.message, "there is not enough memory");
        assert_true(c.outcome.flops_used == 0);
    }
    assert_true(failures >= 18);
}

static int choose_as_usual(void *context, const vcs_situation *situation, vcs_task_decision *decisions,
                           vcs_schedule_summary *summary) {
    (void)context;
    const int code = vcs_schedule(situation->state, VCS_SCHEDULE_EXPLAIN, summary);
    const uint32_t count = situation->snapshot->tasks.count;
    return code != VCS_OK ? code : vcs_schedule_tasks(situation->state, ARRAY(decisions, count));
}

static int ask_as_usual(void *context, const vcs_situation *situation, const vcs_fetch_question *question,
                        vcs_fetch_decision *decisions, vcs_fetch_summary *summary) {
    (void)context;
    const int code = vcs_fetch(situation->state, question, summary);
    const uint32_t count = situation->snapshot->projects.count * situation->snapshot->resources.count;
    return code != VCS_OK ? code : vcs_fetch_decisions(situation->state, ARRAY(decisions, count));
}

static int send_all(void *context, const vcs_situation *situation, uint32_t candidate, vcs_admission *admission) {
    (void)context;
    (void)situation;
    (void)candidate;
    admission->admitted = 1;
    return VCS_OK;
}

/*
 * A caller with longer records than the library's is shown copies of that length, and these need memory too. `which`:
 * the function of the caller's that is shown them.
 */
static uint32_t count_failures_with_longer_records(uint32_t which) {
    case_records c;
    heap h;
    for (uint32_t fail_at = 1;; fail_at++) {
        struct {
            vcs_project known;
            uint64_t later;
        } projects[1];
        begin_with_heap(&c, &h, DAY);
        h.fail_at = fail_at;
        c.hooks.schedule = which == 0 ? choose_as_usual : NULL;
        c.hooks.fetch = which == 1 ? ask_as_usual : NULL;
        c.hooks.send = which == 2 ? send_all : NULL;
        memset(projects, 0, sizeof projects);
        projects[0].known = c.projects[0];
        c.scenario.snapshot.projects.base = projects;
        c.scenario.snapshot.projects.element_size = sizeof *projects;
        vcs_error error = {.struct_size = sizeof error};
        const int code = emulate(&c, &error);
        assert_int_equal(h.pieces, 0);
        if (code == VCS_OK) {
            return fail_at - 1;
        }
        assert_int_equal(code, VCS_ERR_MEMORY);
        assert_true(c.outcome.flops_used == 0);
    }
}

static void missing_memory_for_longer_records_is_an_error(void **unused) {
    (void)unused;
    const uint32_t without = count_failures_with_longer_records(3);
    for (uint32_t which = 0; which < 3; which++) {
        assert_int_equal(count_failures_with_longer_records(which), without + 1); /* the copies of the projects */
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_does_not_grow_with_time),
        cmocka_unit_test(what_an_emulation_takes),
        cmocka_unit_test(missing_memory_is_an_error),
        cmocka_unit_test(missing_memory_for_longer_records_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
