/*
 * The plan for people, table by table. Each function returns false if there is not enough memory.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCEMU_PLAN_TEXT_H
#define VCEMU_PLAN_TEXT_H

#include "plan.h"
#include "wording.h"

/* How busy each processor is from now to the end of the buffer. */
bool plan_print_resources(const struct plan *plan, const struct screen *screen);

/* How each project stands: share, work of late, priority, misses. */
bool plan_print_projects(const struct plan *plan, const struct screen *screen);

/* Which project is asked for work, and why the others are not. */
bool plan_print_requests(const struct plan *plan, const struct screen *screen);

/* When each task finishes and what it does now: all tasks, or the first ones to finish. */
bool plan_print_tasks(const struct plan *plan, const struct screen *screen, bool all_tasks);

/* Why a project is asked for a resource or not, in short: "backed off, 15m 00s left". */
struct wording plan_word_request_reason(const struct plan *plan, const vcs_pair_decision *request);

/* How long before its deadline a task finishes; negative after it, +-infinity if either never comes. */
double plan_slack(const struct plan *plan, uint32_t task);

#endif
