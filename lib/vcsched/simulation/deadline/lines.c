/* SPDX-License-Identifier: MIT */
#include "vcsched/simulation/deadline/lines.h"

#include "vcsched/core/heap.h"
#include "vcsched/core/invariant.h"
#include "vcsched/core/min_tree.h"

/* ---- Memory ---- */

void vcs_lines_lay_out(vcs_lines *lines, const vcs_counts *counts, vcs_arena *arena) {
    const uint64_t tasks = counts->tasks + counts->candidates, limits = counts->projects + counts->apps;
    lines->behind = vcs_arena_allocate(arena, tasks, sizeof *lines->behind);
    const uint64_t own = vcs_may_limit_units(counts) ? tasks : 0;
    lines->lines = vcs_arena_allocate(arena, limits + own + 1, sizeof *lines->lines);
    lines->limits = vcs_arena_allocate(arena, limits, sizeof *lines->limits);
    lines->ends = vcs_arena_allocate(arena, 2 * tasks + limits, sizeof *lines->ends); /* one more for each heap */
    lines->ready = vcs_arena_allocate(arena, 4 * (limits + 1), sizeof *lines->ready);
    lines->blocked = vcs_arena_allocate(arena, 4 * (limits + 1), sizeof *lines->blocked);
    vcs_unit_limits_lay_out(&lines->units, counts, arena);
}

/* ---- The limits ---- */

static const vcs_prepared_task *task_at(const vcs_lines *lines, uint32_t number) {
    return &vcs_prepared_tasks(lines->plan->state)[lines->tasks[number]];
}

static vcs_limit *project_limit(const vcs_lines *lines, const vcs_prepared_task *task) {
    vcs_limit *limit = &lines->limits[task->project];
    return limit->most > 0 ? limit : NULL;
}

static vcs_limit *app_limit(const vcs_lines *lines, const vcs_prepared_task *task) {
    if (task->app == VCS_NONE) {
        return NULL;
    }
    vcs_limit *limit = &lines->limits[lines->plan->state->project_count + task->app];
    return limit->most > 0 ? limit : NULL;
}

/* How many tasks a limit lets run. Where each takes one whole CPU, a limit in instances is one of tasks, too. */
static uint32_t most_of(const vcs_lines *lines, uint32_t limit) {
    const vcs_state *state = lines->plan->state;
    const bool counts = lines->plan->single && lines->units.any;
    if (limit < state->project_count) {
        const uint32_t most = vcs_projects(state)[limit].max_concurrent;
        const size_t of_cpus = (size_t)limit * state->resource_count;
        return counts ? vcs_most_single_tasks(vcs_project_resources(state)[of_cpus].max_instances, most) : most;
    }
    const uint32_t app = limit - state->project_count, most = vcs_apps(state)[app].max_concurrent;
    const size_t of_cpus = (size_t)app * state->resource_count;
    return counts && state->capacity.app_resources > 0
               ? vcs_most_single_tasks(vcs_app_resources(state)[of_cpus].max_instances, most)
               : most;
}

/* A limit gets memory for no more ends than it has tasks. */
static void begin_limits(vcs_lines *lines, uint32_t count) {
    const vcs_state *state = lines->plan->state;
    const uint32_t limits = state->project_count + state->app_count;
    for (uint32_t i = 0; i < limits; i++) {
        lines->limits[i] = (vcs_limit){.most = most_of(lines, i), .line = VCS_NONE};
    }
    for (uint32_t i = 0; i < count; i++) {
        vcs_limit *of_project = project_limit(lines, task_at(lines, i)), *of_app = app_limit(lines, task_at(lines, i));
        if (of_project != NULL) {
            of_project->count++;
        }
        if (of_app != NULL) {
            of_app->count++;
        }
    }
    int64_t *free = lines->ends;
    for (uint32_t i = 0; i < limits; i++) {
        vcs_limit *limit = &lines->limits[i];
        const uint32_t room = limit->most < limit->count ? limit->most : limit->count;
        limit->ends = free;
        limit->room = room;
        limit->count = 0;
        vcs_heap_clear(limit->ends, room);
        free += room + 1;
    }
}

/* When the next task may run: once fewer placed tasks than the limit are still running. */
static int64_t opening_of(const vcs_limit *limit) {
    return limit == NULL || limit->count < limit->most ? 0 : vcs_heap_least(limit->ends);
}

static void note_end(vcs_limit *limit, int64_t end) {
    if (limit == NULL) {
        return;
    }
    const uint32_t count = limit->count;
    if (count < limit->most) {
        VCS_INVARIANT(count < limit->room); /* there is room for all its tasks */
        vcs_heap_add(limit->ends, count, end);
        limit->count = count + 1;
    } else if (end > vcs_heap_least(limit->ends)) {
        VCS_INVARIANT(count <= limit->room); /* only so many were added */
        vcs_heap_replace_least(limit->ends, count, end);
    }
}

/* ---- The lines ---- */

/* Whether a task needs more than there is, or than its limits allow. */
static bool is_stuck(const vcs_lines *lines, const vcs_prepared_task *task) {
    return !vcs_plan_suffices(lines->plan, task) || (lines->units.any && vcs_exceeds_limits(lines->plan->state, task));
}

/* Whether two tasks under limits in instances or per device have room whenever the other has. */
static bool are_alike(const vcs_prepared_task *task, const vcs_prepared_task *other) {
    return task->project == other->project && task->app == other->app && task->resource == other->resource &&
           task->cpu_units == other->cpu_units && task->gpu_units == other->gpu_units;
}

/* The line of tasks like one under such limits. O(lines). */
static vcs_line *line_of_units(vcs_lines *lines, const vcs_prepared_task *task) {
    vcs_line *line = &lines->lines[1];
    const vcs_line *end = &lines->lines[lines->count];
    for (; line < end; line++) {
        if (line->has_units && are_alike(task, task_at(lines, line->first))) {
            return line;
        }
    }
    *line = (vcs_line){VCS_NONE, VCS_NONE, project_limit(lines, task), app_limit(lines, task), 1, 0};
    lines->count++;
    return line;
}

static vcs_line *line_of(vcs_lines *lines, const vcs_prepared_task *task) {
    vcs_limit *of_project = project_limit(lines, task), *of_app = app_limit(lines, task);
    vcs_limit *own = of_app != NULL ? of_app : of_project;
    const bool has_units = !lines->plan->single && vcs_limits_units_of(&lines->units, task);
    if ((own == NULL && !has_units) || is_stuck(lines, task)) {
        return &lines->lines[0]; /* a task that can never run waits for no limit */
    }
    if (has_units) {
        return line_of_units(lines, task);
    }
    if (own->line == VCS_NONE) {
        /* Each limit opens one line at most, and each task one. */
        VCS_INVARIANT(lines->count <= lines->plan->state->project_count + lines->plan->state->app_count +
                                          lines->plan->state->task_count + lines->plan->state->candidate_count);
        own->line = lines->count++;
        lines->lines[own->line] = (vcs_line){VCS_NONE, VCS_NONE, of_project, of_app, 0, 0};
    }
    return &lines->lines[own->line];
}

/* At first every line with tasks counts as ready. */
static void begin_trees(vcs_lines *lines) {
    lines->moment = 0;
    lines->width = vcs_tree_width(lines->count);
    vcs_tree_clear(lines->ready, lines->width);
    vcs_tree_clear(lines->blocked, lines->width);
    for (uint32_t i = lines->lines[0].first == VCS_NONE; i < lines->count; i++) {
        lines->ready[lines->width + i] = lines->lines[i].first;
    }
    vcs_tree_build(lines->ready, lines->width);
}

void vcs_lines_begin(vcs_lines *lines, vcs_plan *plan, const uint32_t *tasks, uint32_t count) {
    lines->plan = plan;
    lines->tasks = tasks;
    lines->count = 1;
    lines->lines[0] = (vcs_line){VCS_NONE, VCS_NONE, NULL, NULL, 0, 0};
    vcs_unit_limits_begin(&lines->units, plan);
    begin_limits(lines, count);
    for (uint32_t i = 0; i < count; i++) {
        vcs_line *line = line_of(lines, task_at(lines, i));
        VCS_INVARIANT(line->first == VCS_NONE || line->last < i); /* the last task of the line came before */
        *(line->first == VCS_NONE ? &line->first : &lines->behind[line->last]) = i;
        line->last = i;
        lines->behind[i] = VCS_NONE;
    }
    if (plan->single) {
        begin_trees(lines);
    }
}

/* When the limits let the first task of a line run. */
static int64_t opening_of_line(vcs_lines *lines, const vcs_line *line) {
    const int64_t opening = vcs_max_i64(opening_of(line->project), opening_of(line->app));
    lines->plan->openings = NULL;
    return line->has_units ? vcs_max_i64(opening, vcs_unit_limits_open(&lines->units, task_at(lines, line->first)))
                           : opening;
}

/* When an instance is free for the first task of a line. */
static int64_t first_free_for(const vcs_lines *lines, const vcs_line *line) {
    const vcs_prepared_task *task = task_at(lines, line->first);
    lines->plan->openings = NULL; /* limits are asked about apart */
    return is_stuck(lines, task) ? 0 : vcs_plan_first_free(lines->plan, task);
}

/* Whether the limits have room for the first task of a line when an instance is free for it. */
static bool has_room(vcs_lines *lines, const vcs_line *line) {
    const int64_t opening = opening_of_line(lines, line);
    return opening == 0 || opening <= first_free_for(lines, line);
}

/* The line with room that begins with the earliest deadline; NULL if there is none. */
static vcs_line *first_with_room(vcs_lines *lines) {
    vcs_line *found = NULL;
    for (vcs_line *line = lines->lines; line < lines->lines + lines->count; line++) {
        if (line->first < (found == NULL ? VCS_NONE : found->first) && has_room(lines, line)) {
            found = line;
        }
    }
    return found;
}

/* The line with limits that open first, among lines that begin with an earlier deadline than task `end`. */
static vcs_line *first_to_open(vcs_lines *lines, uint32_t end) {
    vcs_line *found = NULL;
    int64_t least = VCS_NEVER;
    for (vcs_line *line = lines->lines; line < lines->lines + lines->count; line++) {
        const int64_t opening = line->first < end ? opening_of_line(lines, line) : VCS_NEVER;
        if (opening < least || (found != NULL && opening == least && line->first < found->first)) {
            found = line;
            least = opening;
        }
    }
    return found;
}

/*
 * The line that goes next: the first with room, unless the limits of an earlier line open by the time an instance is
 * free for the line with room.
 */
static vcs_line *next_line(vcs_lines *lines) {
    *vcs_plan_effort(lines->plan) += lines->count;
    vcs_line *roomy = first_with_room(lines);
    vcs_line *waiting = first_to_open(lines, roomy == NULL ? VCS_NONE : roomy->first);
    if (roomy == NULL || (waiting != NULL && opening_of_line(lines, waiting) <= first_free_for(lines, roomy))) {
        return waiting;
    }
    return roomy;
}

/* ---- The next line where all tasks take one whole CPU ---- */

static uint32_t least_of(const vcs_lines *lines, const int64_t *tree) {
    const int64_t least = vcs_tree_least(tree);
    VCS_INVARIANT(least < VCS_TREE_EMPTY); /* as the caller saw */
    const uint32_t leaf = vcs_tree_first_below(tree, lines->width, 0, least + 1);
    VCS_INVARIANT(leaf < lines->count); /* all other leaves are empty */
    return leaf;
}

/* Makes lines ready when their limits have room by now. */
static void wake_lines(vcs_lines *lines) {
    while (vcs_tree_least(lines->blocked) <= lines->moment) {
        const uint32_t i = least_of(lines, lines->blocked);
        vcs_tree_set(lines->ready, lines->width, i, lines->lines[i].first);
        vcs_tree_set(lines->blocked, lines->width, i, VCS_TREE_EMPTY);
    }
}

/*
 * Any CPU will do for any task, so all lines wait for the same moment, which only moves on. A ready line whose limits
 * have become full is found out when its turn comes.
 */
static vcs_line *next_ready_line(vcs_lines *lines) {
    lines->moment = vcs_max_i64(lines->moment, vcs_free_times_least(lines->plan->free_times));
    for (;;) {
        wake_lines(lines);
        if (vcs_tree_least(lines->ready) == VCS_TREE_EMPTY) {
            if (vcs_tree_least(lines->blocked) == VCS_TREE_EMPTY) {
                return NULL;
            }
            lines->moment = vcs_tree_least(lines->blocked);
            continue;
        }
        const uint32_t i = least_of(lines, lines->ready);
        const int64_t opening = opening_of_line(lines, &lines->lines[i]);
        if (opening <= lines->moment) {
            return &lines->lines[i];
        }
        vcs_tree_set(lines->ready, lines->width, i, VCS_TREE_EMPTY);
        vcs_tree_set(lines->blocked, lines->width, i, opening);
    }
}

uint32_t vcs_lines_place(vcs_lines *lines, int64_t *start) {
    vcs_line *line = lines->plan->single ? next_ready_line(lines) : next_line(lines);
    if (line == NULL) {
        return VCS_NONE;
    }
    const uint32_t number = line->first;
    VCS_INVARIANT(number != VCS_NONE); /* an empty line has no turn */
    const vcs_prepared_task *task = task_at(lines, number);
    const bool is_never = is_stuck(lines, task) && !vcs_plan_is_used_up(lines->plan);
    *start = is_never ? VCS_STUCK : vcs_place_from(lines->plan, task, opening_of_line(lines, line));
    lines->plan->openings = NULL;
    line->first = lines->behind[number];
    if (lines->plan->single) {
        const int64_t next = line->first == VCS_NONE ? VCS_TREE_EMPTY : line->first;
        vcs_tree_set(lines->ready, lines->width, (uint32_t)(line - lines->lines), next);
    }
    if (*start != VCS_STUCK && *start != VCS_NOT_REACHED) {
        const int64_t end = vcs_finish_of(*start, task->run_time);
        note_end(line->project, end);
        note_end(line->app, end);
        if (line->has_units) {
            vcs_unit_limits_count(&lines->units, task, end);
        }
    }
    return number;
}
