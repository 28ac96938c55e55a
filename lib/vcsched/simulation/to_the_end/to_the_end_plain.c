/*
 * The simulation without turns where every task uses one CPU and has no limit: each CPU that becomes free takes the
 * next task by deadline. Nothing has to be searched for, so a heap of the tasks that run is all it needs.
 *
 * Rules 4.3 and 15.4; the plain reference is tests/oracle/oracle_sliced.c. This form holds no rule of its own: where
 * the tasks that run do not all fit any more, it leaves them to the general form.
 *
 * With 50 tasks of three projects on 4 CPUs it takes 23,300 instructions, the general form 102,700.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/simulation/to_the_end/to_the_end_plain.h"

#include "vcsched/core/invariant.h"
#include "vcsched/host/scratch.h"
#include "vcsched/simulation/slice.h"
#include "vcsched/simulation/sliced/sliced_time.h"
#include "vcsched/simulation/sliced/uniform_queues.h"

typedef struct running_task {
    int64_t finish;
    uint32_t task;
    uint32_t unused;
} running_task;

typedef struct plain {
    vcs_sliced sim;
    const vcs_prepared_task *tasks;
    uint32_t cpus;
    uint32_t count;        /* tasks that run */
    uint32_t next;         /* place of the next task in the order of deadlines */
    uint32_t touched;      /* tasks in `changed` */
    running_task *running; /* a heap by finish */
    uint32_t *changed;     /* tasks that started or finished in the present step */
    uint32_t *used;        /* CPUs that the tasks of each project use */
} plain;

/* Less than the general form needs, which allocates the same and more for each task (to_the_end_queues.c). */
static void allocate(plain *p, vcs_state *state) {
    const vcs_counts counts = vcs_counts_of(state);
    vcs_arena arena = vcs_scratch(state);
    vcs_sliced_allocate(&p->sim, &counts, &arena);
    p->running = vcs_arena_allocate(&arena, counts.tasks, sizeof(running_task));
    p->changed = vcs_arena_allocate(&arena, 2 * counts.tasks, sizeof(uint32_t));
    p->used = vcs_arena_allocate(&arena, counts.projects, sizeof(uint32_t));
}

static bool runs_on(const vcs_prepared_task *task) {
    return task->can_start && vcs_runs_already(task);
}

/* Counts the tasks of each project. Returns false if one is not plain, or if more run than there are CPUs. */
static bool count_tasks(plain *p) {
    const vcs_state *state = p->sim.state;
    uint32_t running = 0;
    for (uint32_t i = 0; i < state->task_count; i++) {
        const vcs_prepared_task *task = &p->tasks[i];
        if (task->takes_part) {
            if (!vcs_is_plain_task(state, task)) {
                return false;
            }
            p->sim.demands[vcs_sliced_index(&p->sim, task->project, 0)].tasks++;
            running += runs_on(task);
        }
    }
    return running <= p->cpus;
}

static bool open_plain(plain *p, vcs_state *state) {
    if (!vcs_has_whole_cpus(state)) {
        return false;
    }
    allocate(p, state);
    vcs_sliced_begin(&p->sim, state);
    p->tasks = vcs_prepared_tasks(state);
    p->cpus = (uint32_t)(vcs_resources(state)[0].capacity / VCS_ONE);
    if (!count_tasks(p)) {
        return false;
    }
    vcs_sliced_line_up(&p->sim);
    for (uint32_t i = 0; i < state->project_count; i++) {
        p->used[i] = 0;
    }
    p->count = p->next = p->touched = 0;
    return true;
}

/* ---- Starting and finishing ---- */

static void start(plain *p, uint32_t index) {
    const vcs_prepared_task *task = &p->tasks[index];
    const int64_t finish = p->sim.now + task->run_time;
    uint32_t place = p->count++;
    VCS_INVARIANT(place < p->sim.state->task_count); /* each task runs once */
    for (; place > 0 && p->running[(place - 1) / 2].finish > finish; place = (place - 1) / 2) {
        p->running[place] = p->running[(place - 1) / 2];
    }
    p->running[place] = (running_task){finish, index, 0};
    p->used[task->project]++;
    p->changed[p->touched++] = index;
    p->sim.effort++;
}

/* Free CPUs take tasks by deadline. Those that ran at the start run since then. */
static void start_next(plain *p) {
    const uint32_t *by_deadline = vcs_deadline_order(p->sim.state);
    for (; p->count < p->cpus && p->next < p->sim.state->task_count; p->next++) {
        const vcs_prepared_task *task = &p->tasks[by_deadline[p->next]];
        if (task->takes_part && !runs_on(task)) {
            start(p, by_deadline[p->next]);
        }
    }
}

static void start_first(plain *p) {
    for (uint32_t i = 0; i < p->sim.state->task_count; i++) {
        if (p->tasks[i].takes_part && runs_on(&p->tasks[i])) {
            start(p, i);
        }
    }
    start_next(p);
}

/* Removes the first of the heap: the last takes its place, and sinks. */
static void finish_first(plain *p) {
    const uint32_t index = p->running[0].task;
    const running_task last = p->running[--p->count];
    uint32_t place = 0;
    for (uint32_t child = 1; child < p->count; child = 2 * place + 1) {
        child += child + 1 < p->count && p->running[child + 1].finish < p->running[child].finish;
        if (last.finish <= p->running[child].finish) {
            break;
        }
        p->running[place] = p->running[child];
        place = child;
    }
    p->running[place] = last;
    p->used[p->tasks[index].project]--;
    p->changed[p->touched++] = index;
    vcs_sliced_finish(&p->sim, index);
}

static int64_t first_finish(const plain *p) {
    return p->count > 0 ? p->running[0].finish : VCS_NEVER;
}

/* ---- Use and idle CPUs ---- */

/* After the end of the buffer no shortfall counts. */
static void settle(plain *p) {
    for (uint32_t i = 0; i < p->touched && p->sim.now < p->sim.buffer_end; i++) {
        const uint32_t project = p->tasks[p->changed[i]].project;
        vcs_sliced_usage *usage = &p->sim.usages[vcs_sliced_index(&p->sim, project, 0)];
        const int64_t used = p->used[project] * VCS_ONE;
        if (usage->used != used) {
            vcs_sliced_set_used(&p->sim, usage, used);
        }
    }
    p->touched = 0;
    p->sim.resources[0].free = (int64_t)(p->cpus - p->count) * VCS_ONE;
    vcs_sliced_settle(&p->sim, &p->sim.resources[0]);
}

/* Notes the use by each project, and the idle instances, from the start. GPUs are idle throughout. */
static void note_first_pick(plain *p) {
    for (uint32_t i = 0; i < p->sim.state->project_count; i++) {
        vcs_project_resource_forecasts(p->sim.state)[vcs_sliced_index(&p->sim, i, 0)].used_now = p->used[i];
    }
    for (uint32_t r = 1; r < p->sim.resource_count; r++) {
        vcs_sliced_settle(&p->sim, &p->sim.resources[r]);
    }
    vcs_sliced_note_idle(&p->sim);
}

bool vcs_to_the_end_plain(vcs_state *state, vcs_wrr_summary *summary) {
    plain p;
    if (!open_plain(&p, state)) {
        return false;
    }
    start_first(&p);
    settle(&p);
    note_first_pick(&p);
    vcs_sliced_end_of_step end;
    while ((end = vcs_sliced_step_to_finish(&p.sim, first_finish(&p))) < VCS_SLICED_ALL_DONE) {
        while (first_finish(&p) == p.sim.now) {
            finish_first(&p);
        }
        start_next(&p);
        settle(&p);
    }
    vcs_sliced_report(&p.sim, end == VCS_SLICED_STOPPED, summary);
    return true;
}
