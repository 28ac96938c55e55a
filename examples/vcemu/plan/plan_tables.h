/*
 * The tables of the plan for people, and what is said below them, one file each.
 * Each function returns false if memory is short.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCEMU_PLAN_PLAN_TABLES_H
#define VCEMU_PLAN_PLAN_TABLES_H

#include "plan/plan.h"
#include "text/table.h"
#include "text/wording.h"

/* How busy each processor is from now to the end of the buffer. */
bool plan_print_resources(const struct plan *plan, const struct screen *screen);

/* Each project's share, recent work, priority and misses. */
bool plan_print_projects(const struct plan *plan, const struct screen *screen);

/*
 * Which project is asked for work, and why the others are not. Of many projects with equal rows only how many they are
 * is shown, unless all are wanted. Without projects, a sentence says that none is asked.
 */
bool plan_print_requests(const struct plan *plan, const struct screen *screen, bool all_projects);

/* When each task finishes and what it does now: all tasks, or the running ones and the first of the others. */
bool plan_print_tasks(const struct plan *plan, const struct screen *screen, bool all_tasks);

/* Below the tasks: which cannot be done in time, whatever the host does, and which late ones would be without these. */
bool plan_print_hopeless(const struct plan *plan, const struct screen *screen);

/* Cells of a task: its finish or why there is none, and what it does from now on and why. */
void plan_add_finish(struct table *table, const struct plan *plan, uint32_t task);
void plan_add_decision(struct table *table, const struct plan *plan, uint32_t task);

/* In short: "backed off, 15m 00s left", and if it waits for something else too, "(deferred, 5m 00s left)". */
struct wording plan_word_why(const struct plan *plan, uint32_t project, uint32_t resource);

/* Whether a project is the best for the resource, but not asked since another is called now, for another resource. */
bool plan_gives_way(const struct plan *plan, uint32_t project, uint32_t resource);

#endif
