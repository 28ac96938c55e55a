/*
 * What the simulation runs from now on is what the choice of tasks runs (rules 4.3, 4.7 and 5), on random states in
 * which nothing but the order of projects and what fits decides; and what either leaves waiting does not fit. Without
 * turns (rule 15.4) both agree with deadlines, slices under way, devices and uninterruptible tasks as they come.
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <vcsched/schedule.h>

#include "oracle/cases.h"
#include "oracle/oracle_fit.h"
#include "oracle/oracle_sliced.h"
#include "support/array.h"
#include "support/kernel.h"

/* Nothing is late, and no task is better off for having run. */
static void let_priority_decide(random_state *s) {
    s->parameters.discipline = VCS_DISCIPLINE_SLICED;
    s->parameters.ranking = VCS_RANK_PRIORITY;
    s->parameters.switch_cost = 0;
    s->parameters.let_finish = 0;
    s->parameters.hysteresis = 0;
    s->host.ram = 0;
    for (uint32_t i = 0; i < s->snapshot.resources.count; i++) {
        s->resources[i].flags &= ~VCS_RESOURCE_PAUSED;
    }
}

/*
 * No slice is under way, and started tasks come first by arrival, running tasks before the others. The devices of a
 * running task are not known: it would keep them, and a task in need would get the device with the least loss.
 */
static void let_slices_end(const random_state *s, vcs_task *task) {
    task->deadline = INFINITY;
    task->flags &= ~(VCS_TASK_DOWNLOADING | VCS_TASK_WAS_LATE);
    task->running_since = s->now - 2 * fmax(s->parameters.period, s->parameters.hold);
    task->since_checkpoint = 0;
    task->devices = 0;
    task->received -= (task->flags & VCS_TASK_STARTED) != 0 ? 1e10 : 0;
    task->received -= (task->flags & VCS_TASK_RUNNING) != 0 ? 1e10 : 0;
}

static void draw_state(random_state *s, uint64_t seed) {
    random_state_fill(s, RANDOM_ANY, seed);
    random_state_enrich(s, seed);
    if (seed % 3 == 0) {
        random_state_restrict(s, seed);
    }
    let_priority_decide(s);
    for (uint32_t i = 0; i < s->snapshot.tasks.count; i++) {
        let_slices_end(s, &s->tasks[i]);
    }
}

/* The library's choice. */
static void choose(vcs_state *state, const random_state *s, vcs_task_decision *decisions) {
    assert_int_equal(vcs_wrr(state, NULL), VCS_OK);
    assert_int_equal(vcs_schedule(state, VCS_SCHEDULE_EXPLAIN, NULL), VCS_OK);
    assert_int_equal(vcs_schedule_tasks(state, ARRAY(decisions, s->snapshot.tasks.count)), VCS_OK);
}

/* Whether the choice of a state runs what the simulation runs from now on. Returns how many tasks these are. */
static uint32_t assert_both_run_the_same(const random_state *s, uint64_t seed) {
    bool picked[RANDOM_MOST_TASKS];
    vcs_task_decision decisions[RANDOM_MOST_TASKS];
    uint32_t running = 0;
    vcs_state *state = prepare_case(s);
    choose(state, s, decisions);
    oracle_fit fit = oracle_sliced_first_pick(&s->snapshot, &s->parameters, s->now, picked);
    oracle_fit_free(&fit);
    for (uint32_t i = 0; i < s->snapshot.tasks.count; i++) {
        running += picked[i];
        if (picked[i] != (decisions[i].run != 0)) {
            fail_msg("VCS_SEED=%llu VCS_CASES=1: task %u %s simulated to run, but reason %u", (unsigned long long)seed,
                     i, picked[i] ? "is" : "is not", decisions[i].reason);
        }
    }
    free_case(state);
    return running;
}

static void both_run_the_same(void **unused) {
    (void)unused;
    seeds cases = seeds_of_test(48, 10000);
    static random_state s;
    for (uint64_t seed = cases.first; seed < cases.first + cases.count; seed++) {
        draw_state(&s, seed);
        assert_both_run_the_same(&s, seed);
    }
}

/* Only memory, which no simulation knows, tasks that may not run yet, and devices of stopped tasks stay out. */
static void draw_state_without_turns(random_state *s, uint64_t seed) {
    random_stream stream = {seed};
    random_state_fill(s, RANDOM_ANY, seed);
    random_state_enrich(s, seed);
    if (seed % 3 == 0) {
        random_state_restrict(s, seed);
    }
    s->parameters.keep_running = 1;
    s->parameters.discipline = VCS_DISCIPLINE_SLICED;
    s->parameters.device_bound = VCS_DEVICES_FREE;
    s->parameters.switch_cost = random_below(&stream, 2) * random_between(&stream, 0, 4000);
    s->parameters.hold = random_below(&stream, 3) == 0 ? 0 : random_between(&stream, 100, 40000);
    s->host.ram = 0;
    for (uint32_t i = 0; i < s->snapshot.resources.count; i++) {
        s->resources[i].flags &= ~VCS_RESOURCE_PAUSED;
    }
    for (uint32_t i = 0; i < s->snapshot.tasks.count; i++) {
        s->tasks[i].flags &= ~VCS_TASK_DOWNLOADING;
        s->tasks[i].flags |= random_below(&stream, 6) == 0 ? VCS_TASK_UNINTERRUPTIBLE : 0;
        s->tasks[i].flags |= random_below(&stream, 3) == 0 ? VCS_TASK_RUNNING | VCS_TASK_STARTED : 0;
    }
}

static void both_run_the_same_without_turns(void **unused) {
    (void)unused;
    seeds cases = seeds_of_test(97, 10000);
    static random_state s;
    uint64_t running = 0;
    for (uint64_t seed = cases.first; seed < cases.first + cases.count; seed++) {
        draw_state_without_turns(&s, seed);
        running += assert_both_run_the_same(&s, seed);
    }
    assert_true(running > cases.count);
}

/* Whether a limit keeps a task waiting beside the running ones. */
static bool limit_holds(const random_state *s, const bool *picked, const vcs_task *task) {
    uint32_t of_project = 0, of_app = 0;
    for (uint32_t i = 0; i < s->snapshot.tasks.count; i++) {
        of_project += picked[i] && s->tasks[i].project == task->project;
        of_app += picked[i] && s->tasks[i].app == task->app;
    }
    const uint32_t project_limit = s->projects[task->project].max_concurrent;
    const uint32_t app_limit = task->app == VCS_NONE ? 0 : s->apps[task->app].max_concurrent;
    return (project_limit != 0 && of_project >= project_limit) || (app_limit != 0 && of_app >= app_limit);
}

/* In the first pick, each project uses as much of each resource as the tasks that the oracle picks. */
static void assert_used(const random_state *s, const bool *picked) {
    vcs_state *state = prepare_case(s);
    oracle_wrr found = library_wrr(state, &s->snapshot);
    const uint32_t resources = s->snapshot.resources.count;
    for (uint32_t i = 0; i < s->snapshot.projects.count * resources; i++) {
        int64_t used = 0;
        for (uint32_t t = 0; t < s->snapshot.tasks.count; t++) {
            used += picked[t] && s->tasks[t].project == i / resources ? oracle_use(&s->tasks[t], i % resources) : 0;
        }
        assert_true(found.project_resources[i].used_now == (double)used / (double)ORACLE_ONE);
    }
    oracle_wrr_free(&found);
    free_case(state);
}

/* Work conservation, and placement: no device holds more than it has. */
static void what_waits_does_not_fit(void **unused) {
    (void)unused;
    seeds cases = seeds_of_test(49, 10000);
    static random_state s;
    uint64_t waiting = 0;
    for (uint64_t seed = cases.first; seed < cases.first + cases.count; seed++) {
        bool picked[RANDOM_MOST_TASKS];
        random_state_fill(&s, RANDOM_ANY, seed);
        random_state_enrich(&s, seed);
        oracle_fit fit = oracle_sliced_first_pick(&s.snapshot, &s.parameters, s.now, picked);
        assert_used(&s, picked);
        for (uint32_t i = 0; i < s.snapshot.tasks.count; i++) {
            const vcs_task *task = &s.tasks[i];
            uint64_t devices;
            if (!picked[i] && oracle_takes_part(&s.snapshot, task) && !limit_holds(&s, picked, task)) {
                waiting++;
                assert_false(oracle_fit_finds(&fit, task, &devices));
            }
        }
        for (uint32_t i = 0; i < s.snapshot.resources.count * ORACLE_MOST_DEVICES; i++) {
            assert_true(fit.used[i] <= ORACLE_ONE + ORACLE_ONE / 10000);
        }
        oracle_fit_free(&fit);
    }
    assert_true(waiting > cases.count);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_run_the_same),
        cmocka_unit_test(both_run_the_same_without_turns),
        cmocka_unit_test(what_waits_does_not_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
