/*
 * The choice of tasks in the loop: what was decided is carried out, time passes, and it is asked again.
 *
 * A rule can be right each time and wrong in the long run. On random hosts with GPUs, tasks of several CPUs, limits and
 * exclusions, tasks arrive and end. At no moment may anything be idle for which a task at hand fits, every choice must
 * be possible, and no task must stop within its slice for one like it of its own project that is not due earlier.
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
#include "support/array.h"

#include <math.h>
#include <stdlib.h>
#include <vcsched/schedule.h>
#include <vcsched/host.h>
#include <vcsched/simulation.h>

#define BLOCK 67
#define HOUR 3600.0
#define MOST_TASKS 60
#define STEPS 150

/* ---- A host that computes ---- */

typedef struct kind {
    double cpus, gpus, length, slack, checkpoint; /* slack: how often its length fits before the deadline */
    uint32_t gpu;
} kind;

typedef struct world {
    uint64_t stream;
    vcs_host host;
    vcs_resource resources[3];
    vcs_project projects[3];
    vcs_project_resource project_resources[9];
    vcs_app_resource app_resources[6];
    vcs_app apps[6]; /* two of each project; each has tasks of one kind */
    kind kinds[6];
    vcs_task tasks[MOST_TASKS];
    vcs_task_decision decisions[MOST_TASKS];
    vcs_snapshot snapshot;
    vcs_parameters parameters;
    double now;
    bool stay_in_memory; /* most tasks do when they are stopped */
    uint64_t arrived, ended, stopped;
} world;

static uint32_t below(world *w, uint32_t count) {
    uint64_t z = w->stream += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)((z ^ z >> 31) >> 32) % count;
}

static void draw_kind(world *w, uint32_t app) {
    static const double cpus[] = {1, 1, 1, 0.5, 2, 4}, gpus[] = {1, 1, 0.5, 0.25, 0.6, 2}, shares[] = {0, 0.1, 0.2, 1};
    static const double slacks[] = {1.1, 1.5, 3, 10, 100};
    kind *of = &w->kinds[app];
    of->gpu = below(w, w->snapshot.resources.count);
    of->gpus = of->gpu != 0 ? gpus[below(w, 6)] : 0;
    of->cpus = of->gpu != 0 ? shares[below(w, 4)] : cpus[below(w, 6)];
    of->length = (1 + below(w, 20)) * 1800;
    of->slack = slacks[below(w, 5)];
    of->checkpoint = below(w, 3) == 0 ? 600 : below(w, 2) ? 7200 : 1;
    w->apps[app] =
        (vcs_app){.id = app + 1, .project = app / 2, .max_concurrent = below(w, 4) == 0 ? 1 + below(w, 3) : 0};
    if (of->gpu != 0 && below(w, 4) == 0) {
        w->app_resources[w->snapshot.app_resources.count++] =
            (vcs_app_resource){.app = app, .resource = of->gpu, .excluded = 1};
    }
}

static void begin(world *w, uint64_t seed, uint32_t is_plain) {
    *w = (world){.stream = seed, .now = 1e6};
    vcs_parameters_init(&w->parameters, sizeof w->parameters, VCS_PROFILE_CURRENT);
    if (is_plain) {
        w->parameters.hysteresis = w->parameters.save_first = 0;
        w->parameters.switch_cost = 0;
    }
    w->snapshot.struct_size = sizeof w->snapshot;
    w->snapshot.host = array_of(&w->host, sizeof w->host, 1);
    w->snapshot.resources = array_of(w->resources, sizeof *w->resources, 1 + below(w, 3));
    w->snapshot.projects = array_of(w->projects, sizeof *w->projects, 3);
    w->snapshot.apps = array_of(w->apps, sizeof *w->apps, 6);
    w->snapshot.app_resources = array_of(w->app_resources, sizeof *w->app_resources, 0);
    for (uint32_t r = 0; r < w->snapshot.resources.count; r++) {
        const uint32_t instances = r == 0 ? 1 + below(w, 8) : 1 + below(w, 3);
        w->resources[r] =
            (vcs_resource){.id = r + 1, .flops = r == 0 ? 1e9 : 1e11, .usable = 1, .instances = instances};
    }
    for (uint32_t p = 0; p < 3; p++) {
        w->projects[p] = (vcs_project){.id = p + 1, .share = 100.0 * (p + 1)};
        w->projects[p].max_concurrent = below(w, 6) == 0 ? 1 + below(w, 4) : 0;
    }
    for (uint32_t app = 0; app < 6; app++) {
        draw_kind(w, app);
    }
    w->host.ram = below(w, 4) == 0 ? 4e9 : 0;
}

static void receive(world *w) {
    const uint32_t app = below(w, 6);
    const kind *of = &w->kinds[app];
    vcs_task *task = &w->tasks[w->snapshot.tasks.count];
    *task = (vcs_task){.id = ++w->arrived, .project = app / 2, .app = app, .received = w->now};
    task->cpus = of->cpus;
    task->gpu = of->gpu;
    task->gpus = of->gpus;
    task->remaining = of->length;
    task->deadline = w->now + of->slack * of->length;
    task->ram = 1e9;
    task->flags = below(w, 8) == 0 ? VCS_TASK_DOWNLOADING : 0;
    task->flags |= below(w, 10) == 0 ? VCS_TASK_UNINTERRUPTIBLE : 0;
    task->flags |= w->stay_in_memory && below(w, 4) > 0 ? VCS_TASK_IN_MEMORY : 0;
    w->snapshot.tasks = array_of(w->tasks, sizeof *w->tasks, w->snapshot.tasks.count + 1);
}

/* Returns in how many seconds to ask again. */
static double decide(world *w) {
    vcs_schedule_summary summary = {.struct_size = sizeof summary};
    size_t size;
    vcs_state *state;
    assert_int_equal(vcs_state_size(&w->snapshot, &size), VCS_OK);
    void *work = oracle_allocate(1, size);
    assert_int_equal(vcs_state_prepare(&w->snapshot, &w->parameters, w->now, work, size, &state, NULL), VCS_OK);
    assert_int_equal(vcs_wrr(state, NULL), VCS_OK);
    assert_int_equal(vcs_schedule(state, VCS_SCHEDULE_EXPLAIN, &summary), VCS_OK);
    assert_int_equal(vcs_schedule_tasks(state, ARRAY(w->decisions, w->snapshot.tasks.count)), VCS_OK);
    free(work);
    return summary.next_check;
}

static void carry_out(world *w) {
    for (uint32_t i = 0; i < w->snapshot.tasks.count; i++) {
        vcs_task *task = &w->tasks[i];
        const vcs_task_decision *decision = &w->decisions[i];
        const bool goes_on =
            decision->run && (task->flags & VCS_TASK_RUNNING) != 0 && decision->devices == task->devices;
        if (!goes_on && (task->flags & VCS_TASK_RUNNING) != 0) {
            task->remaining += (task->flags & VCS_TASK_IN_MEMORY) != 0 ? 0 : task->since_checkpoint;
            task->since_checkpoint = 0;
            w->stopped++;
        }
        task->flags &= VCS_TASK_STARTED | VCS_TASK_DOWNLOADING | VCS_TASK_IN_MEMORY | VCS_TASK_UNINTERRUPTIBLE;
        task->flags |= decision->run ? VCS_TASK_RUNNING | VCS_TASK_STARTED : 0;
        task->flags |= (decision->flags & VCS_DECISION_LATE) != 0 ? VCS_TASK_WAS_LATE : 0;
        task->flags |= (decision->flags & VCS_DECISION_FILLS_IN) != 0 ? VCS_TASK_FILLS_IN : 0;
        task->devices = decision->run ? decision->devices : task->devices;
        if ((decision->flags & VCS_DECISION_NEW_SLICE) != 0) {
            task->running_since = w->now;
        }
    }
}

/* Until the first task ends, or this many seconds. */
static void compute(world *w, double seconds) {
    uint32_t left = 0;
    for (uint32_t i = 0; i < w->snapshot.tasks.count; i++) {
        seconds = w->decisions[i].run ? fmin(seconds, w->tasks[i].remaining) : seconds;
    }
    seconds = fmax(seconds, 1);
    w->now += seconds;
    for (uint32_t i = 0; i < w->snapshot.tasks.count; i++) {
        vcs_task task = w->tasks[i];
        if ((task.flags & VCS_TASK_RUNNING) != 0) {
            task.remaining -= seconds;
            task.since_checkpoint = fmod(task.since_checkpoint + seconds, w->kinds[task.app].checkpoint);
            w->projects[task.project].rec += seconds * (task.cpus + 100 * task.gpus) / 1e5;
        }
        task.flags &= below(w, 4) == 0 ? ~VCS_TASK_DOWNLOADING : ~0u;
        if (task.remaining > 0) {
            w->tasks[left++] = task;
        } else {
            w->ended++;
        }
    }
    w->snapshot.tasks = array_of(w->tasks, sizeof *w->tasks, left);
}

/* ---- What must hold of each decision ---- */

/* Whether a task takes memory though it does not run. */
static bool keeps_memory(const world *w, const vcs_task *task) {
    return w->parameters.stopped_memory && (task->flags & VCS_TASK_IN_MEMORY) != 0 &&
           (task->flags & (VCS_TASK_RUNNING | VCS_TASK_STARTED)) != 0;
}

/* Whether its project and its application have room for one more such task, and memory has. */
static bool limits_leave_room(const world *w, const vcs_task *task) {
    uint32_t of_project = 0, of_app = 0;
    double ram = keeps_memory(w, task) ? 0 : task->ram;
    for (uint32_t i = 0; i < w->snapshot.tasks.count; i++) {
        of_project += w->decisions[i].run && w->tasks[i].project == task->project;
        of_app += w->decisions[i].run && w->tasks[i].app == task->app;
        ram += w->decisions[i].run || keeps_memory(w, &w->tasks[i]) ? w->tasks[i].ram : 0;
    }
    const uint32_t most = w->projects[task->project].max_concurrent, most_of_app = w->apps[task->app].max_concurrent;
    return (most == 0 || of_project < most) && (most_of_app == 0 || of_app < most_of_app) &&
           (w->host.ram == 0 || ram <= w->host.ram);
}

/* Each task that runs fits beside those taken before it, on the devices that it was given; and no other fits, too. */
static void assert_full_and_possible(const world *w) {
    static vcs_task placed[MOST_TASKS]; /* the fit refers to them */
    oracle_fit fit = oracle_fit_new(&w->snapshot, &w->parameters);
    for (uint32_t place = 0; place < w->snapshot.tasks.count; place++) {
        for (uint32_t i = 0; i < w->snapshot.tasks.count; i++) {
            if (w->decisions[i].run && w->decisions[i].place == place) {
                vcs_task *task = &placed[place];
                *task = w->tasks[i];
                task->devices = w->decisions[i].devices;
                assert_true(oracle_fit_has_cpus(&fit, task) ||
                            (w->decisions[i].reason == VCS_REASON_UNINTERRUPTIBLE && oracle_fit_had_cpus(&fit, task)));
                assert_true(task->gpu == 0 || oracle_fit_keeps(&fit, task));
                oracle_fit_take(&fit, task, task->devices);
            }
        }
    }
    for (uint32_t i = 0; i < w->snapshot.tasks.count; i++) {
        const vcs_task *task = &w->tasks[i];
        uint64_t devices;
        if (!w->decisions[i].run && (task->flags & VCS_TASK_DOWNLOADING) == 0 && limits_leave_room(w, task)) {
            const bool waits = w->parameters.device_bound == VCS_DEVICES_REQUIRED && task->devices != 0;
            assert_false(waits ? oracle_fit_has_cpus(&fit, task) && oracle_fit_keeps(&fit, task)
                               : oracle_fit_finds(&fit, task, &devices));
        }
    }
    oracle_fit_free(&fit);
}

/* Memory that tasks take once the decision is carried out: those that run, and those that stay in it. */
static double memory_taken(const world *w) {
    double ram = 0;
    for (uint32_t i = 0; i < w->snapshot.tasks.count; i++) {
        const vcs_task *task = &w->tasks[i];
        const bool stays = (task->flags & VCS_TASK_IN_MEMORY) != 0 && (task->flags & VCS_TASK_STARTED) != 0;
        ram += w->decisions[i].run || stays ? task->ram : 0;
    }
    return ram;
}

/* Its slice began less than a period ago. */
static bool is_in_slice(const world *w, const vcs_task *task) {
    return (task->flags & VCS_TASK_RUNNING) != 0 && w->now - task->running_since < w->parameters.period;
}

/*
 * It can be in time only if it goes first, and the other one cannot at all: then that gives way. With hysteresis it
 * does so, too, if it can wait.
 */
static bool saves(const world *w, const vcs_task *task, const vcs_task *other) {
    const double slack = task->deadline - w->now - task->remaining;
    const double of_other = other->deadline - w->now - other->remaining;
    return w->parameters.save_first && slack >= 0 && slack < w->parameters.period &&
           (of_other < 0 || (w->parameters.hysteresis && of_other >= w->parameters.period));
}

/* Whoever must not move never does. */
static void assert_nobody_moves(const world *w) {
    for (uint32_t i = 0; i < w->snapshot.tasks.count && w->parameters.device_bound == VCS_DEVICES_REQUIRED; i++) {
        assert_true(!w->decisions[i].run || w->tasks[i].devices == 0 || w->decisions[i].devices == w->tasks[i].devices);
    }
}

/* What must not be interrupted is not: neither stopped nor moved, from its beginning to its end. */
static void assert_nobody_is_interrupted(const world *w) {
    for (uint32_t i = 0; i < w->snapshot.tasks.count; i++) {
        const uint32_t must = VCS_TASK_UNINTERRUPTIBLE | VCS_TASK_RUNNING;
        assert_true((w->tasks[i].flags & must) != must ||
                    (w->decisions[i].run && w->decisions[i].devices == w->tasks[i].devices));
    }
}

static void assert_no_needless_stop(const world *w) {
    for (uint32_t i = 0; i < w->snapshot.tasks.count; i++) {
        for (uint32_t k = 0; k < w->snapshot.tasks.count && (w->decisions[i].flags & VCS_DECISION_STOP) != 0; k++) {
            const vcs_task *stopped = &w->tasks[i], *started = &w->tasks[k];
            const bool is_elsewhere = w->parameters.device_bound == VCS_DEVICES_REQUIRED &&
                                      (w->decisions[k].devices & stopped->devices) == 0 && stopped->gpu != 0;
            if ((w->decisions[k].flags & VCS_DECISION_START) != 0 && started->app == stopped->app &&
                is_in_slice(w, stopped) && !is_elsewhere) {
                const bool needs_less = keeps_memory(w, started) && !keeps_memory(w, stopped); /* it is there already */
                assert_true(started->deadline < stopped->deadline || saves(w, started, stopped) || needs_less);
            }
        }
    }
}

typedef struct way_of_life {
    uint32_t is_plain, device_bound, stopped_memory;
    bool stay_in_memory;
} way_of_life;

/* Returns how often tasks take more memory than there is. */
static uint64_t live(const way_of_life *way) {
    seeds cases = seeds_of_test(BLOCK, way->device_bound == VCS_DEVICES_REQUIRED ? 200
                                       : way->stay_in_memory                     ? 100
                                                                                 : 400);
    static world w;
    uint64_t ended = 0, stopped = 0, excesses = 0;
    for (uint64_t seed = cases.first; seed < cases.first + cases.count; seed++) {
        begin(&w, seed, way->is_plain);
        w.parameters.device_bound = way->device_bound;
        w.parameters.stopped_memory = way->stopped_memory;
        w.stay_in_memory = way->stay_in_memory;
        w.host.ram = way->stay_in_memory ? (2 + (double)(seed % 8)) * 1e9 : w.host.ram;
        for (uint32_t step = 0; step < STEPS; step++) {
            const uint32_t most = step / 50 == 1 ? 10 : MOST_TASKS; /* now and then there is little to do */
            for (uint32_t many = below(&w, 6); many > 0 && w.snapshot.tasks.count < most; many--) {
                receive(&w);
            }
            double wait = decide(&w);
            assert_full_and_possible(&w);
            assert_nobody_moves(&w);
            assert_nobody_is_interrupted(&w);
            assert_no_needless_stop(&w);
            excesses += w.host.ram > 0 && memory_taken(&w) > w.host.ram;
            carry_out(&w);
            compute(&w, fmin(wait, below(&w, 4) == 0 ? 60 * below(&w, 30) : HOUR));
        }
        ended += w.ended;
        stopped += w.stopped;
    }
    assert_true(ended > 5 * cases.count); /* they did live */
    assert_true(stopped > 0 && stopped < ended);
    return excesses;
}

static void hosts_that_only_count_misses(void **unused) {
    (void)unused;
    live(&(way_of_life){.is_plain = 1, .device_bound = VCS_DEVICES_PREFERRED});
}

static void hosts_with_hysteresis(void **unused) {
    (void)unused;
    live(&(way_of_life){.device_bound = VCS_DEVICES_PREFERRED});
}

static void hosts_whose_tasks_must_not_move(void **unused) {
    (void)unused;
    live(&(way_of_life){.device_bound = VCS_DEVICES_REQUIRED});
}

/* Stopped tasks that stay in memory count against it, so that there is always enough; if they do not, there is not. */
static void hosts_whose_stopped_tasks_stay_in_memory(void **unused) {
    (void)unused;
    way_of_life way = {.device_bound = VCS_DEVICES_PREFERRED, .stay_in_memory = true};
    assert_true(live(&way) > 0);
    way.stopped_memory = 1;
    assert_true(live(&way) == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hosts_that_only_count_misses),
        cmocka_unit_test(hosts_with_hysteresis),
        cmocka_unit_test(hosts_whose_tasks_must_not_move),
        cmocka_unit_test(hosts_whose_stopped_tasks_stay_in_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
