/*
 * The plan for people, table by table. Each function returns false if there is not enough memory.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCEMU_PLAN_TEXT_H
#define VCEMU_PLAN_TEXT_H

#include "plan/plan.h"
#include "text/wording.h"

/* How busy each processor is from now to the end of the buffer. */
bool plan_print_resources(const struct plan *plan, const struct screen *screen);

/* How each project stands: share, recent work, priority, misses. */
bool plan_print_projects(const struct plan *plan, const struct screen *screen);

/* Which project is asked for work, and why the others are not. For a host without projects, says that none is asked. */
bool plan_print_requests(const struct plan *plan, const struct screen *screen);

/* When each task finishes and what it does now: all tasks, or those that run and the first of the others. */
bool plan_print_tasks(const struct plan *plan, const struct screen *screen, bool all_tasks);

/* Adds to `text` when the decision is to be made again, `wait` seconds from now; nothing if time changes nothing. */
void plan_add_next_decision(char *text, size_t size, double wait);

/* Whether a task could run on one or another device: a resource is a GPU type of several. */
bool plan_has_choice(const struct plan *plan, uint32_t resource);

/* How long before its deadline a task finishes; negative after it, +-infinity if either never comes. */
double plan_slack(const struct plan *plan, uint32_t task);

#endif
