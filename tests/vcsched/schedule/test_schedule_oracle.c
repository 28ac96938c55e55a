/*
 * Which tasks run, on random states: against its oracle, to the last bit, and what must hold whatever the state is.
 *
 * SPDX-License-Identifier: MIT
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "oracle/cases.h"
#include "oracle/oracle_fit.h"
#include "oracle/oracle_records.h"
#include "oracle/oracle_schedule.h"
#include "support/array.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK 61

/* ---- States: what a decision on running tasks looks at beyond what the simulations do ---- */

typedef struct stream {
    uint64_t state;
} stream;

static uint32_t below(stream *s, uint32_t count) {
    uint64_t z = s->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)((z ^ z >> 31) >> 32) % count;
}

static void draw_policy(stream *s, vcs_parameters *p) {
    p->scheduling = below(s, 4) == 0 ? VCS_SCHEDULING_ROUND_ROBIN : VCS_SCHEDULING_DEADLINE;
    p->late_by = below(s, 2);
    p->ranking = below(s, 3);
    p->save_first = below(s, 2);
    p->hysteresis = below(s, 2);
    p->switch_cost = below(s, 2) ? 0 : below(s, 2) ? 60 : 1000;
    p->look_interval = below(s, 3) * 30;
    p->device_bound = below(s, VCS_DEVICES_REQUIRED + 1);
    p->stopped_memory = below(s, 2);
    p->keep_running = below(s, 4) == 0;
}

static void draw_task(stream *s, const random_state *state, vcs_task *task) {
    const double period = state->parameters.period;
    const double began[] = {0, 60, period / 2, period, period + 60, 2 * period, 1e5, -60};
    const double unsaved[] = {0, 0, 60, period / 2, period};
    if (below(s, 3) == 0) {
        task->flags |= VCS_TASK_STARTED;
    }
    if (below(s, 3) == 0) {
        task->flags |= VCS_TASK_WAS_LATE;
    }
    task->running_since = state->now - began[below(s, 8)];
    task->since_checkpoint = unsaved[below(s, 5)];
    task->ram = 0.25e9 * below(s, 6);
    task->flags |= below(s, 12) == 0 ? VCS_TASK_UNINTERRUPTIBLE : 0;
}

static void draw_project(stream *s, vcs_project *project) {
    if (below(s, 3) == 0) {
        project->exp_avg_cpu = 0;
    }
    if (below(s, 4) == 0) {
        project->short_term_debt = 0;
    }
}

static void draw_state(random_state *state, uint64_t seed) {
    stream s = {seed};
    random_state_fill(state, seed % 5 == 0 ? RANDOM_FLUID : RANDOM_ANY, seed);
    if (below(&s, 4) != 0) {
        random_state_enrich(state, seed);
    }
    if (seed % 7 == 1 && seed % 5 != 0) {
        random_state_restrict(state, seed);
    }
    draw_policy(&s, &state->parameters);
    state->host.ram = below(&s, 3) == 0 ? 0.5e9 * (1 + below(&s, 8)) : 0;
    for (uint32_t i = 0; i < state->snapshot.projects.count; i++) {
        draw_project(&s, &state->projects[i]);
    }
    for (uint32_t i = 0; i < state->snapshot.tasks.count; i++) {
        draw_task(&s, state, &state->tasks[i]);
    }
}

/* ---- The library's answer in the oracle's shape ---- */

typedef struct answer {
    vcs_task_forecast forecasts[RANDOM_MOST_TASKS];
    vcs_schedule_summary summary;
    vcs_task_decision tasks[RANDOM_MOST_TASKS];
    vcs_resource_decision resources[RANDOM_MOST_RESOURCES];
} answer;

static void ask(const random_state *s, answer *found) {
    memset(found, 0, sizeof *found);
    vcs_state *state = prepare_case(s);
    found->summary.struct_size = sizeof found->summary;
    assert_int_equal(vcs_wrr(state, NULL), VCS_OK);
    assert_int_equal(vcs_wrr_tasks(state, ARRAY(found->forecasts, s->snapshot.tasks.count)), VCS_OK);
    assert_int_equal(vcs_schedule(state, VCS_SCHEDULE_EXPLAIN, &found->summary), VCS_OK);
    assert_int_equal(vcs_schedule_tasks(state, ARRAY(found->tasks, s->snapshot.tasks.count)), VCS_OK);
    assert_int_equal(vcs_schedule_resources(state, ARRAY(found->resources, s->snapshot.resources.count)), VCS_OK);
    free_case(state);
}

#define SAME(record, index, a, b, field)                                                                               \
    same_field((a)->field == (b)->field, what, seed, record, index, #field, (double)(a)->field, (double)(b)->field)

static bool same_schedule(const oracle_schedule_outcome *expected, const answer *found, const vcs_snapshot *snapshot,
                          const char *what, uint64_t seed) {
    for (uint32_t i = 0; i < snapshot->tasks.count; i++) {
        const vcs_task_decision *a = &expected->tasks[i], *b = &found->tasks[i];
        if (!SAME("task", i, a, b, run) || !SAME("task", i, a, b, reason) || !SAME("task", i, a, b, place) ||
            !SAME("task", i, a, b, flags) || !SAME("task", i, a, b, devices) ||
            !same_field(memcmp(a, b, sizeof *a) == 0, what, seed, "task", i, "reserved bytes", 0, 1)) {
            return false;
        }
    }
    const vcs_schedule_summary *a = &expected->summary, *b = &found->summary;
    if (!SAME("summary", 0, a, b, running) || !SAME("summary", 0, a, b, started) ||
        !SAME("summary", 0, a, b, stopped) || !SAME("summary", 0, a, b, late) || !SAME("summary", 0, a, b, ram) ||
        !SAME("summary", 0, a, b, next_check) || !SAME("summary", 0, a, b, cpu_excess) ||
        !same_field(memcmp(a, b, sizeof *a) == 0, what, seed, "summary", 0, "reserved bytes", 0, 1)) {
        return false;
    }
    for (uint32_t i = 0; i < snapshot->resources.count; i++) {
        if (!SAME("resource", i, &expected->resources[i], &found->resources[i], used)) {
            return false;
        }
    }
    return true;
}

static void equals_the_oracle(void **unused) {
    (void)unused;
    seeds cases = seeds_of_test(BLOCK, 10000);
    static random_state s;
    static answer found;
    uint32_t reasons[VCS_REASON_HELD + 1] = {0};
    for (uint64_t seed = cases.first; seed < cases.first + cases.count; seed++) {
        draw_state(&s, seed);
        ask(&s, &found);
        oracle_schedule_outcome expected = oracle_schedule(&s.snapshot, &s.parameters, s.now, found.forecasts);
        assert_true(same_schedule(&expected, &found, &s.snapshot, "schedule against oracle", seed));
        for (uint32_t i = 0; i < s.snapshot.tasks.count; i++) {
            assert_in_range(found.tasks[i].reason, VCS_REASON_CANNOT_RUN, VCS_REASON_HELD);
            reasons[found.tasks[i].reason]++;
        }
        oracle_schedule_free(&expected);
    }
    /* The states were odd enough to give every reason. */
    for (uint32_t reason = 0; reason <= VCS_REASON_HELD && cases.count >= 1000; reason++) {
        bool is_ours = reason == VCS_REASON_CANNOT_RUN || reason >= VCS_REASON_LATE;
        bool is_defined = strcmp(vcs_reason_name(reason), "unknown") != 0;
        assert_true(!is_ours || !is_defined || reasons[reason] > 0);
    }
}

/* ---- What runs, by itself ---- */

/* Each task that runs is named once, at its place, with the decision on it. */
static void assert_same_running(const answer *expected, const uint32_t *tasks, const vcs_task_decision *decisions) {
    for (uint32_t place = 0; place < expected->summary.running; place++) {
        assert_in_range(tasks[place], 0, RANDOM_MOST_TASKS - 1);
        assert_int_equal(decisions[place].place, place);
        assert_memory_equal(&decisions[place], &expected->tasks[tasks[place]], sizeof *decisions);
    }
}

/* With VCS_SCHEDULE_RUNNING what is reported is the same, and the same tasks run. */
static void deciding_only_what_runs_is_the_same(void **unused) {
    (void)unused;
    seeds cases = seeds_of_test(BLOCK, 10000);
    static random_state s;
    static answer expected;
    for (uint64_t seed = cases.first; seed < cases.first + cases.count; seed++) {
        draw_state(&s, seed);
        ask(&s, &expected);
        const uint32_t running = expected.summary.running;
        uint32_t tasks[RANDOM_MOST_TASKS];
        vcs_task_decision decisions[RANDOM_MOST_TASKS];
        vcs_resource_decision resources[RANDOM_MOST_RESOURCES] = {{0}};
        vcs_schedule_summary summary = {.struct_size = sizeof summary};
        vcs_state *state = prepare_case(&s);
        assert_int_equal(vcs_wrr(state, NULL), VCS_OK);
        assert_int_equal(vcs_schedule(state, VCS_SCHEDULE_RUNNING, &summary), VCS_OK);
        assert_memory_equal(&summary, &expected.summary, sizeof summary);
        assert_int_equal(vcs_schedule_resources(state, ARRAY(resources, s.snapshot.resources.count)), VCS_OK);
        assert_memory_equal(resources, expected.resources, s.snapshot.resources.count * sizeof *resources);
        assert_int_equal(vcs_schedule_running(state, tasks, ARRAY(decisions, running)), VCS_OK);
        assert_same_running(&expected, tasks, decisions);
        assert_int_equal(vcs_schedule(state, VCS_SCHEDULE_EXPLAIN, NULL), VCS_OK);
        assert_int_equal(vcs_schedule_running(state, tasks, ARRAY(decisions, running)), VCS_OK);
        assert_same_running(&expected, tasks, decisions);
        /* What was decided before about a task that does not run now is not remembered. */
        assert_int_equal(vcs_schedule(state, VCS_SCHEDULE_RUNNING, &summary), VCS_OK);
        assert_memory_equal(&summary, &expected.summary, sizeof summary);
        assert_int_equal(vcs_schedule_running(state, tasks, ARRAY(decisions, running)), VCS_OK);
        assert_same_running(&expected, tasks, decisions);
        free_case(state);
    }
}

/* With vcs_wrr_for_schedule() the choice is the same. Where that does not simulate, nobody is late. */
static void simulating_only_if_needed_is_the_same(void **unused) {
    (void)unused;
    seeds cases = seeds_of_test(BLOCK, 10000);
    static random_state s;
    static answer expected;
    uint64_t spared[2] = {0}, simulated = 0;
    for (uint64_t seed = cases.first; seed < cases.first + cases.count; seed++) {
        draw_state(&s, seed);
        for (uint32_t i = 0; i < s.snapshot.tasks.count && seed % 2 == 0; i++) {
            s.tasks[i].deadline +=
                s.tasks[i].deadline < 1e12 ? 1e4 * (double)(seed % 512) : 0; /* else few are spared */
        }
        ask(&s, &expected);
        vcs_task_decision decisions[RANDOM_MOST_TASKS];
        vcs_task_forecast forecasts[RANDOM_MOST_TASKS];
        vcs_schedule_summary summary = {.struct_size = sizeof summary};
        vcs_wrr_summary wrr = {.struct_size = sizeof wrr};
        vcs_state *state = prepare_case(&s);
        assert_int_equal(vcs_wrr_for_schedule(state), VCS_OK);
        const bool is_spared = vcs_wrr_tasks(state, ARRAY(forecasts, s.snapshot.tasks.count)) == VCS_ERR_SEQUENCE;
        assert_int_equal(vcs_schedule(state, VCS_SCHEDULE_EXPLAIN, &summary), VCS_OK);
        assert_memory_equal(&summary, &expected.summary, sizeof summary);
        assert_int_equal(vcs_schedule_tasks(state, ARRAY(decisions, s.snapshot.tasks.count)), VCS_OK);
        assert_memory_equal(decisions, expected.tasks, s.snapshot.tasks.count * sizeof *decisions);
        if (is_spared && s.parameters.scheduling == VCS_SCHEDULING_DEADLINE && !s.parameters.keep_running) {
            assert_int_equal(vcs_wrr(state, &wrr), VCS_OK);
            assert_int_equal(wrr.misses, 0);
            spared[s.snapshot.resources.count > 1]++;
        }
        simulated += !is_spared;
        free_case(state);
    }
    assert_true(cases.count < 1000 || (spared[0] >= 50 && spared[1] >= 50 && simulated >= 50));
}

/* Found by fuzzing: less than a CPU is left, so no task may run. Those that the simulation finds late do not count. */
static void where_no_task_may_run_none_is_late(void **unused) {
    (void)unused;
    static random_state s;
    random_state_fill(&s, RANDOM_FLUID, 0xa6c47ffd);
    random_state_enrich(&s, 0xa6c47ffd);
    assert_int_equal(s.parameters.cpu_fit, VCS_CPU_FIT_STRICT);
    assert_true(s.resources[0].instances - s.resources[0].reserve < 1);
    vcs_state *state = prepare_case(&s);
    assert_int_equal(vcs_wrr(state, NULL), VCS_OK);
    for (uint32_t detail = VCS_SCHEDULE_EXPLAIN; detail <= VCS_SCHEDULE_RUNNING; detail++) {
        vcs_schedule_summary summary = {.struct_size = sizeof summary};
        assert_int_equal(vcs_schedule(state, detail, &summary), VCS_OK);
        assert_int_equal(summary.running, 0);
        assert_int_equal(summary.late, 0);
    }
    free_case(state);
}

/* ---- What must hold of every state ---- */

/* It takes part, its files are there, and its resource is not paused. */
static bool can_start(const random_state *s, const vcs_task *task) {
    return oracle_takes_part(&s->snapshot, task) && (task->flags & VCS_TASK_DOWNLOADING) == 0 &&
           (s->resources[task->gpu].flags & VCS_RESOURCE_PAUSED) == 0;
}

/* The order of the records decides nothing. */
static void order_of_records_does_not_matter(void **unused) {
    (void)unused;
    seeds cases = seeds_of_test(BLOCK, 10000);
    static random_state original, copy;
    static answer expected, found;
    for (uint64_t seed = cases.first; seed < cases.first + cases.count; seed++) {
        random_places places;
        draw_state(&original, seed);
        random_state_shuffle(&copy, &original, seed, &places);
        ask(&original, &expected);
        ask(&copy, &found);
        assert_memory_equal(&expected.summary, &found.summary, sizeof found.summary);
        for (uint32_t i = 0; i < original.snapshot.tasks.count; i++) {
            assert_memory_equal(&expected.tasks[i], &found.tasks[places.tasks[i]], sizeof *found.tasks);
        }
        assert_memory_equal(expected.resources, found.resources, sizeof found.resources);
    }
}

/*
 * The CPUs in use exceed those there are by one at most; by more only while a single CPU task runs beside GPU tasks,
 * whose shares are not over by more than that either.
 */
static void assert_cpus_hold(const random_state *s, const answer *found) {
    const double cpus = s->resources[0].instances - (double)oracle_units(s->resources[0].reserve) / (double)ORACLE_ONE;
    double shares = 0;
    uint32_t cpu_tasks = 0;
    for (uint32_t i = 0; i < s->snapshot.tasks.count; i++) {
        const vcs_task *task = &s->tasks[i];
        shares += found->tasks[i].run && task->gpu != 0 ? (double)oracle_use(task, 0) / (double)ORACLE_ONE : 0;
        cpu_tasks += found->tasks[i].run && task->gpu == 0 && oracle_use(task, 0) > 0;
    }
    const double used = found->resources[0].used;
    assert_true(found->summary.cpu_excess == (used > cpus ? used - cpus : 0));
    switch (s->parameters.cpu_fit) {
    case VCS_CPU_FIT_STRICT:
        assert_true(used <= cpus);
        break;
    case VCS_CPU_FIT_FRACTION:
        assert_true(used <= cpus + 1 || (cpu_tasks == 1 && used - shares < cpus + 1));
        assert_true(shares <= cpus + 1);
        break;
    default:
        assert_true(shares <= cpus + 1);
    }
}

/* More memory is never used than there is, nor CPUs, nor do more tasks run than limits allow, nor any that must not. */
static void limits_hold(void **unused) {
    (void)unused;
    seeds cases = seeds_of_test(BLOCK, 10000);
    static random_state s;
    static answer found;
    for (uint64_t seed = cases.first; seed < cases.first + cases.count; seed++) {
        uint32_t of_project[RANDOM_MOST_PROJECTS] = {0}, of_app[RANDOM_MOST_APPS] = {0};
        draw_state(&s, seed);
        ask(&s, &found);
        for (uint32_t i = 0; i < s.snapshot.tasks.count; i++) {
            const vcs_task *task = &s.tasks[i];
            of_project[task->project] += found.tasks[i].run;
            of_app[task->app == VCS_NONE ? 0 : task->app] += task->app != VCS_NONE && found.tasks[i].run;
            assert_true(!found.tasks[i].run || can_start(&s, task));
        }
        assert_cpus_hold(&s, &found);
        for (uint32_t i = 0; i < s.snapshot.projects.count; i++) {
            assert_true(s.projects[i].max_concurrent == 0 || of_project[i] <= s.projects[i].max_concurrent);
        }
        for (uint32_t i = 0; i < s.snapshot.apps.count; i++) {
            assert_true(s.apps[i].max_concurrent == 0 || of_app[i] <= s.apps[i].max_concurrent);
        }
        assert_true(s.host.ram == 0 || found.summary.ram <= s.host.ram);
    }
}

/* Sums up the use of a resource by tasks for it that run, of a project or an application; all, or those on a device. */
static double used_by(const random_state *s, const answer *found, uint32_t resource, uint32_t project, uint32_t app,
                      uint64_t device, uint32_t *tasks) {
    double used = 0;
    *tasks = 0;
    for (uint32_t i = 0; i < s->snapshot.tasks.count; i++) {
        const vcs_task *task = &s->tasks[i];
        const bool is_of = task->gpu == resource && (project == VCS_NONE || task->project == project) &&
                           (app == VCS_NONE || task->app == app);
        if (found->tasks[i].run && is_of && (device == 0 || (found->tasks[i].devices & device) != 0)) {
            used += (double)oracle_use(task, resource) / (double)ORACLE_ONE;
            ++*tasks;
        }
    }
    return used;
}

static void assert_limit_holds(const random_state *s, const answer *found, uint32_t resource, uint32_t project,
                               uint32_t app, double max_instances, uint32_t max_per_device) {
    uint32_t tasks;
    const double used = used_by(s, found, resource, project, app, 0, &tasks);
    assert_true(max_instances == 0 || used <= max_instances + 1e-4);
    for (uint32_t i = 0; max_per_device > 0 && i < s->resources[resource].instances; i++) {
        used_by(s, found, resource, project, app, UINT64_C(1) << i, &tasks);
        assert_true(tasks <= max_per_device);
    }
}

/* Limits in instances, and per device. */
static void limits_of_resources_hold(void **unused) {
    (void)unused;
    seeds cases = seeds_of_test(BLOCK, 3000);
    static random_state s;
    static answer found;
    for (uint64_t seed = cases.first; seed < cases.first + cases.count; seed++) {
        draw_state(&s, seed);
        ask(&s, &found);
        for (uint32_t i = 0; i < s.snapshot.project_resources.count; i++) {
            const vcs_project_resource *pair = &s.project_resources[i];
            assert_limit_holds(&s, &found, pair->resource, pair->project, VCS_NONE, pair->max_instances,
                               pair->max_per_device);
        }
        for (uint32_t i = 0; i < s.snapshot.app_resources.count; i++) {
            const vcs_app_resource *of_app = &s.app_resources[i];
            assert_limit_holds(&s, &found, of_app->resource, VCS_NONE, of_app->app, of_app->max_instances,
                               of_app->max_per_device);
        }
    }
}

static bool has_limits(const random_state *s) {
    uint32_t limits = s->host.ram > 0;
    for (uint32_t i = 0; i < s->snapshot.projects.count; i++) {
        limits |= s->projects[i].max_concurrent;
    }
    for (uint32_t i = 0; i < s->snapshot.apps.count; i++) {
        limits |= s->apps[i].max_concurrent;
    }
    for (uint32_t i = 0; i < s->snapshot.project_resources.count; i++) {
        const vcs_project_resource *pair = &s->project_resources[i];
        limits |= pair->max_instances > 0 || pair->max_per_device > 0;
    }
    for (uint32_t i = 0; i < s->snapshot.app_resources.count; i++) {
        const vcs_app_resource *of_app = &s->app_resources[i];
        limits |= of_app->max_instances > 0 || of_app->max_per_device > 0;
    }
    return limits != 0;
}

/* What runs from now on, as the reference of what fits has it. */
typedef struct running_set {
    oracle_fit fit;
    uint32_t of_project[RANDOM_MOST_PROJECTS], of_app[RANDOM_MOST_APPS];
} running_set;

static running_set gather(const random_state *s, const answer *found) {
    running_set set = {.fit = oracle_fit_new(&s->snapshot, &s->parameters)};
    for (uint32_t i = 0; i < s->snapshot.tasks.count; i++) {
        const vcs_task *task = &s->tasks[i];
        if (found->tasks[i].run) {
            oracle_fit_take(&set.fit, task, found->tasks[i].devices);
            set.of_project[task->project]++;
            set.of_app[task->app == VCS_NONE ? 0 : task->app] += task->app != VCS_NONE;
        }
    }
    return set;
}

static bool keeps_memory(const random_state *s, const vcs_task *task) {
    return s->parameters.stopped_memory && (task->flags & VCS_TASK_IN_MEMORY) != 0 &&
           (task->flags & (VCS_TASK_STARTED | VCS_TASK_RUNNING)) != 0;
}

/* Memory of the tasks that run and, for a task that is not in memory, of all that are. */
static double memory_in_use(const random_state *s, const answer *found, const vcs_task *task) {
    double ram = found->summary.ram;
    for (uint32_t i = 0; i < s->snapshot.tasks.count && !keeps_memory(s, task); i++) {
        ram += !found->tasks[i].run && keeps_memory(s, &s->tasks[i]) ? s->tasks[i].ram : 0;
    }
    return ram;
}

/* Whether limits and memory leave room for one more such task. */
static bool limits_leave_room(const random_state *s, const answer *found, const running_set *set,
                              const vcs_task *task) {
    const uint32_t limit = s->projects[task->project].max_concurrent;
    if (limit != 0 && set->of_project[task->project] >= limit) {
        return false;
    }
    if (task->app != VCS_NONE && s->apps[task->app].max_concurrent != 0 &&
        set->of_app[task->app] >= s->apps[task->app].max_concurrent) {
        return false;
    }
    if (!oracle_fit_project_has_room(&set->fit, task) || !oracle_fit_app_has_room(&set->fit, task)) {
        return false;
    }
    return s->host.ram == 0 || memory_in_use(s, found, task) + task->ram <= s->host.ram;
}

/* It has begun on as many devices as it needs, and must not go on on others. */
static bool must_go_back(const random_state *s, const vcs_task *task) {
    return s->parameters.device_bound == VCS_DEVICES_REQUIRED && task->gpu != 0 &&
           (task->flags & (VCS_TASK_STARTED | VCS_TASK_RUNNING)) != 0 && oracle_fit_matches(task);
}

/* Whether CPUs stay free for a task of several, since nothing is stopped for it (rule 15.4). */
static bool holds_free_cpus(const random_state *s, const answer *found) {
    for (uint32_t i = 0; i < s->snapshot.tasks.count && s->parameters.keep_running; i++) {
        if (found->tasks[i].reason == VCS_REASON_HELD) {
            return true;
        }
    }
    return false;
}

/* Work conservation: no task that may run and still fits is left waiting. */
static void nothing_that_fits_is_left_waiting(void **unused) {
    (void)unused;
    seeds cases = seeds_of_test(BLOCK, 10000);
    static random_state s;
    static answer found;
    uint32_t waiting = 0, held = 0;
    for (uint64_t seed = cases.first; seed < cases.first + cases.count; seed++) {
        draw_state(&s, seed);
        ask(&s, &found);
        running_set set = gather(&s, &found);
        for (uint32_t i = 0; i < s.snapshot.tasks.count; i++) {
            const vcs_task *task = &s.tasks[i];
            uint64_t devices;
            if (task->gpu == 0 && holds_free_cpus(&s, &found)) {
                held++;
                continue;
            }
            if (found.tasks[i].run || !can_start(&s, task) || !limits_leave_room(&s, &found, &set, task)) {
                continue;
            }
            waiting++;
            assert_false(oracle_fit_finds(&set.fit, task, &devices) &&
                         (!must_go_back(&s, task) || oracle_fit_keeps(&set.fit, task)));
        }
        oracle_fit_free(&set.fit);
    }
    assert_true(waiting > cases.count / 10 && held < waiting / 4);
}

static uint32_t count_bits(uint64_t bits) {
    uint32_t count = 0;
    for (; bits != 0; bits &= bits - 1) {
        count++;
    }
    return count;
}

/* The instances that a GPU task may use, as bits. */
static uint64_t allowed_to(const random_state *s, const vcs_task *task) {
    uint64_t allowed = UINT64_MAX >> (64 - s->resources[task->gpu].instances);
    const vcs_app_resource *of_app = oracle_app_resource(&s->snapshot, task->app, task->gpu);
    allowed &= ~(of_app == NULL ? 0 : of_app->excluded);
    const vcs_project_resource *pair = oracle_project_resource(&s->snapshot, task->project, task->gpu);
    return allowed & ~(pair == NULL ? 0 : pair->excluded);
}

/* How much of a device the tasks use that run on it, without one of them. */
static double load_of(const random_state *s, const answer *found, uint32_t gpu, uint32_t device, uint32_t without) {
    double load = 0;
    for (uint32_t i = 0; i < s->snapshot.tasks.count; i++) {
        if (i != without && s->tasks[i].gpu == gpu && (found->tasks[i].devices >> device & 1) != 0) {
            load += fmin(s->tasks[i].gpus, 1);
        }
    }
    return load;
}

/* The most that a device may hold: an excess of 1e-4, and the units of 2^-20 in which uses are counted. */
#define MOST_OF_A_DEVICE (1 + 1e-4 + 1e-5)

/* Every choice can be carried out: it has as many devices as it needs, which it may use, and none is overfull. */
static void assert_placed(const random_state *s, const answer *found, uint32_t index) {
    const vcs_task *task = &s->tasks[index];
    const uint64_t devices = found->tasks[index].devices;
    if (!found->tasks[index].run || task->gpu == 0) {
        assert_true(devices == 0);
        return;
    }
    const double use = (double)oracle_use(task, task->gpu) / (double)ORACLE_ONE;
    assert_int_equal(count_bits(devices), use <= 1 ? use > 0 : (uint32_t)ceil(use - 1e-4));
    assert_true((devices & ~allowed_to(s, task)) == 0);
    for (uint32_t i = 0; i < s->resources[task->gpu].instances; i++) {
        assert_true(load_of(s, found, task->gpu, i, VCS_NONE) <= MOST_OF_A_DEVICE);
    }
}

/* A running task that goes on elsewhere could not have stayed: others are where it was, or it was never right. */
static void assert_kept(const random_state *s, const answer *found, uint32_t index) {
    const vcs_task *task = &s->tasks[index];
    const double use = fmin(task->gpus, 1);
    bool is_taken = false;
    if (!found->tasks[index].run || task->gpu == 0 || (task->flags & VCS_TASK_RUNNING) == 0 || task->devices == 0 ||
        found->tasks[index].devices == task->devices || (task->devices & ~allowed_to(s, task)) != 0 ||
        count_bits(task->devices) != count_bits(found->tasks[index].devices)) {
        return;
    }
    for (uint32_t i = 0; i < s->resources[task->gpu].instances; i++) {
        is_taken |= (task->devices >> i & 1) != 0 && load_of(s, found, task->gpu, i, index) + use > 1 + 1e-4 - 1e-5;
    }
    assert_true(is_taken);
}

/* Whether a task has run on one of these devices until now. */
static bool one_ran_on(const random_state *s, uint32_t gpu, uint64_t devices) {
    for (uint32_t i = 0; i < s->snapshot.tasks.count; i++) {
        if (s->tasks[i].gpu == gpu && (s->tasks[i].flags & VCS_TASK_RUNNING) != 0 &&
            (s->tasks[i].devices & devices) != 0) {
            return true;
        }
    }
    return false;
}

/* Whether a task, and no other, keeps a running one from its device, which was offered its place later. */
static bool drives_out(const random_state *s, const answer *found, uint32_t index, uint32_t other) {
    const vcs_task *driven = &s->tasks[other];
    const uint64_t taken = found->tasks[index].devices & ~s->tasks[index].devices;
    if (driven->gpu != s->tasks[index].gpu || (driven->flags & VCS_TASK_RUNNING) == 0 || !found->tasks[other].run ||
        found->tasks[other].place < found->tasks[index].place || (found->tasks[other].devices & taken) != 0 ||
        (driven->devices & ~allowed_to(s, driven)) != 0 ||
        count_bits(driven->devices) != count_bits(found->tasks[other].devices)) {
        return false;
    }
    for (uint32_t i = 0; i < s->resources[driven->gpu].instances; i++) {
        if ((taken & driven->devices) == UINT64_C(1) << i) {
            return load_of(s, found, driven->gpu, i, index) + fmin(driven->gpus, 1) <= 1;
        }
    }
    return false;
}

/* Then it could have gone nowhere else: at the end no device has room for it on which nobody ran. */
static void assert_drove_nobody_out(const random_state *s, const answer *found, uint32_t index) {
    const vcs_task *task = &s->tasks[index];
    bool has_driven_out = false;
    if (must_go_back(s, task)) {
        return;
    }
    for (uint32_t i = 0; i < s->snapshot.tasks.count && count_bits(found->tasks[index].devices) == 1; i++) {
        has_driven_out |= drives_out(s, found, index, i);
    }
    for (uint32_t i = 0; i < s->resources[task->gpu].instances && has_driven_out; i++) {
        const uint64_t device = UINT64_C(1) << i;
        assert_false((allowed_to(s, task) & device) != 0 && !one_ran_on(s, task->gpu, device) &&
                     load_of(s, found, task->gpu, i, VCS_NONE) + fmin(task->gpus, 1) <= 1);
    }
}

/* Whether another task that has begun and does not run belongs to one of these devices. */
static bool one_is_bound_to(const random_state *s, const answer *found, uint32_t gpu, uint64_t devices) {
    for (uint32_t i = 0; i < s->snapshot.tasks.count; i++) {
        const vcs_task *task = &s->tasks[i];
        if (task->gpu == gpu && !found->tasks[i].run && (task->flags & VCS_TASK_STARTED) != 0 &&
            (task->flags & VCS_TASK_RUNNING) == 0 && (task->devices & devices) != 0 && oracle_fit_matches(task) &&
            (task->devices & ~allowed_to(s, task)) == 0) {
            return true;
        }
    }
    return false;
}

/*
 * A task that has begun goes back to its devices, unless others are there now or ran there until now. One that has not
 * takes a stopped task's whole device only if no other was free.
 */
static void assert_bound(const random_state *s, const answer *found, uint32_t index) {
    const vcs_task *task = &s->tasks[index];
    const uint64_t devices = found->tasks[index].devices;
    const bool has_begun = (task->flags & (VCS_TASK_STARTED | VCS_TASK_RUNNING)) != 0;
    if (!found->tasks[index].run || task->gpu == 0 || s->parameters.device_bound == VCS_DEVICES_FREE) {
        return;
    }
    assert_true(!must_go_back(s, task) || devices == task->devices);
    if (has_begun && oracle_fit_matches(task) && devices != task->devices) {
        bool is_taken = one_ran_on(s, task->gpu, task->devices) || (task->devices & ~allowed_to(s, task)) != 0;
        for (uint32_t i = 0; i < s->resources[task->gpu].instances; i++) {
            is_taken |= (task->devices >> i & 1) != 0 &&
                        load_of(s, found, task->gpu, i, index) + fmin(task->gpus, 1) > 1 + 1e-4 - 1e-5;
        }
        assert_true(is_taken);
    }
    const bool takes = !has_begun && task->gpus == 1 && one_is_bound_to(s, found, task->gpu, devices);
    for (uint32_t i = 0; i < s->resources[task->gpu].instances && takes; i++) {
        const uint64_t device = UINT64_C(1) << i;
        const bool is_idle = load_of(s, found, task->gpu, i, VCS_NONE) == 0 && (allowed_to(s, task) & device) != 0;
        assert_false(is_idle && !one_ran_on(s, task->gpu, device) && !one_is_bound_to(s, found, task->gpu, device));
    }
}

static void choices_can_be_carried_out(void **unused) {
    (void)unused;
    seeds cases = seeds_of_test(BLOCK, 10000);
    static random_state s;
    static answer found;
    for (uint64_t seed = cases.first; seed < cases.first + cases.count; seed++) {
        draw_state(&s, seed);
        ask(&s, &found);
        for (uint32_t i = 0; i < s.snapshot.tasks.count; i++) {
            assert_placed(&s, &found, i);
            assert_kept(&s, &found, i);
            assert_drove_nobody_out(&s, &found, i);
            assert_bound(&s, &found, i);
        }
    }
}

/* With more time for each task, no task becomes late that was not; where deadlines are the order in which tasks begin
   (rule 15.4), with as much more for all. */
static void later_deadlines_add_no_late_task(void **unused) {
    (void)unused;
    seeds cases = seeds_of_test(BLOCK, 5000);
    static random_state s;
    static answer before, after;
    for (uint64_t seed = cases.first; seed < cases.first + cases.count; seed++) {
        stream r = {~seed};
        draw_state(&s, seed);
        const bool counts = s.parameters.ranking == VCS_RANK_DEBT || s.parameters.late_by == VCS_LATE_BY_COUNT;
        ask(&s, &before);
        double more = 0;
        for (uint32_t i = 0; i < s.snapshot.tasks.count; i++) {
            more = i == 0 || !s.parameters.keep_running ? 100.0 * below(&r, 1000) : more;
            s.tasks[i].deadline += more;
        }
        ask(&s, &after);
        for (uint32_t i = 0; i < s.snapshot.tasks.count; i++) {
            assert_false(after.forecasts[i].verdict == VCS_VERDICT_MISSES &&
                         before.forecasts[i].verdict != VCS_VERDICT_MISSES);
            /* Where misses only count, others of the project may become its first. */
            assert_false(!counts && (after.tasks[i].flags & VCS_DECISION_LATE) != 0 &&
                         (before.tasks[i].flags & VCS_DECISION_LATE) == 0);
        }
        /* Then those that stay late for their slice may come on top, and others may be refused for a limit. */
        assert_true((counts && (s.parameters.hysteresis || has_limits(&s))) ||
                    after.summary.late <= before.summary.late);
    }
}

static uint32_t running_of(const random_state *s, const answer *found, uint32_t project) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->snapshot.tasks.count; i++) {
        count += found->tasks[i].run && s->tasks[i].project == project;
    }
    return count;
}

/*
 * A project that is given a greater share does not run fewer tasks for it. So with tasks of one CPU each, where the
 * size of a task does not matter, and by the rankings that look at shares alone: by debt, a pick is charged by share.
 */
static void greater_share_is_never_worse(void **unused) {
    (void)unused;
    seeds cases = seeds_of_test(BLOCK, 5000);
    static random_state s;
    static answer before, after;
    for (uint64_t seed = cases.first; seed < cases.first + cases.count; seed++) {
        random_state_fill(&s, RANDOM_FLUID, seed);
        stream r = {seed};
        s.parameters.ranking = below(&r, 2) ? VCS_RANK_PRIORITY : VCS_RANK_RESOURCE_DEBT;
        s.parameters.scheduling = VCS_SCHEDULING_ROUND_ROBIN;
        for (uint32_t i = 0; i < s.snapshot.projects.count; i++) {
            s.projects[i].max_concurrent = 0;
        }
        if (s.snapshot.projects.count == 0) {
            continue;
        }
        const uint32_t project = below(&r, s.snapshot.projects.count);
        ask(&s, &before);
        s.projects[project].share = fmin(s.projects[project].share * 2 + 1, 1e30);
        ask(&s, &after);
        assert_true(running_of(&s, &after, project) >= running_of(&s, &before, project));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_the_oracle),
        cmocka_unit_test(deciding_only_what_runs_is_the_same),
        cmocka_unit_test(simulating_only_if_needed_is_the_same),
        cmocka_unit_test(where_no_task_may_run_none_is_late),
        cmocka_unit_test(order_of_records_does_not_matter),
        cmocka_unit_test(limits_hold),
        cmocka_unit_test(limits_of_resources_hold),
        cmocka_unit_test(nothing_that_fits_is_left_waiting),
        cmocka_unit_test(choices_can_be_carried_out),
        cmocka_unit_test(later_deadlines_add_no_late_task),
        cmocka_unit_test(greater_share_is_never_worse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
