/*
 * All decisions of the library on one state file: what the host does now, and when its tasks will finish.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCEMU_PLAN_PLAN_H
#define VCEMU_PLAN_PLAN_H

#include <stdbool.h>
#include <stdio.h>

#include <vcsched/simulation.h>
#include <vcsched/fetch.h>
#include <vcsched/schedule.h>

#include "text/screen.h"
#include "vcemu/scenario/state/state_file.h"
#include "vcemu/scenario/text/fault.h"

struct plan {
    const struct state_file *file;
    vcs_wrr_summary wrr;
    vcs_edf_summary edf; /* of the tasks that miss their deadline */
    vcs_task_forecast *tasks;
    vcs_resource_forecast *resources;
    vcs_project_resource_forecast *project_resources; /* project by project */
    vcs_edf_resource *busy;                           /* per resource */
    vcs_edf_task *early;                              /* per task: those that miss their deadline, if they go first */
    vcs_schedule_summary schedule;
    vcs_task_decision *decisions;
    vcs_fetch_summary fetch;
    vcs_fetch_decision *requests; /* project by project */
    double *priorities;           /* per project; -infinity if it has no task to run */
    uint32_t *ranks;              /* per project, by priority; 0 is the highest */
    double share_sum;             /* over projects that are not suspended */
};

/*
 * Makes the plan of a state file, which must outlive it. Returns false with a fault if the library refuses the state.
 * Call plan_free() in either case.
 */
bool plan_make(struct plan *plan, const struct state_file *file, struct fault *fault);

void plan_free(struct plan *plan);

/* Whether the simulation ended at its horizon or step budget, not with the last task. */
bool plan_is_cut(const struct plan *plan);

const vcs_project_resource_forecast *plan_project_resource(const struct plan *plan, uint32_t project,
                                                           uint32_t resource);

/* The decision on asking a project for a resource. */
const vcs_fetch_decision *plan_request(const struct plan *plan, uint32_t project, uint32_t resource);

/* Seconds from now; negative when it has passed, infinity without a deadline. */
double plan_time_to_deadline(const struct plan *plan, uint32_t task);

/* Whether a task cannot be done in time, even if it ran alone from now on. */
bool plan_is_hopeless(const struct plan *plan, uint32_t task);
bool plan_gives_up(const struct plan *plan, uint32_t task);

/* Whether a task that is not in time in its turn is so if all of these go first, by their deadlines. */
bool plan_is_early(const struct plan *plan, uint32_t task);

/* Seconds from a task's finish to its deadline; negative if late, +-infinity if either never comes. */
double plan_slack(const struct plan *plan, uint32_t task);

/* Whether a task could run on one device or another: the resource is a GPU type with several. */
bool plan_has_choice(const struct plan *plan, uint32_t resource);

/* Writes the plan as JSON. */
void plan_print_json(const struct plan *plan, FILE *out);

/*
 * Explains the decision on the project or task of this name, or why a resource of this name is idle; all of them if
 * they share it. plan_find() says what a name may be. Returns false with a fault if there is no such name.
 */
bool plan_explain(const struct plan *plan, const char *name, const struct screen *screen, struct fault *fault);

/*
 * Prints the plan for people, with all tasks and projects, or with the first 40 tasks and equal projects as one.
 * Returns false if memory is short.
 */
bool plan_print_text(const struct plan *plan, const struct screen *screen, bool all);

#endif
