/*
 * What a host does now and what will happen to its tasks: all decisions of the library on one state file.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCEMU_PLAN_H
#define VCEMU_PLAN_H

#include <stdbool.h>
#include <stdio.h>

#include <vcsched/simulation.h>
#include <vcsched/fetch.h>
#include <vcsched/schedule.h>

#include "vcemu/scenario/text/fault.h"
#include "text/screen.h"
#include "vcemu/scenario/state/state_file.h"

struct plan {
    const struct state_file *file;
    vcs_wrr_summary wrr;
    vcs_edf_summary edf; /* of the tasks that miss their deadline */
    vcs_task_forecast *tasks;
    vcs_resource_forecast *resources;
    vcs_project_resource_forecast *project_resources; /* project by project */
    vcs_edf_resource *busy;   /* of each resource */
    vcs_schedule_summary schedule;
    vcs_task_decision *decisions;
    vcs_fetch_summary fetch;
    vcs_fetch_decision *requests; /* project by project */
    double *priorities;       /* of each project; -infinity for one that takes no part */
    uint32_t *places;         /* of each project in the order of these priorities, from 0 */
    double share_sum;         /* of the projects that are not suspended */
};

/*
 * Makes the plan of a state, which must stay. Returns false and describes what is wrong if the library refuses it.
 * In both cases plan_free() is due.
 */
bool plan_make(struct plan *plan, const struct state_file *file, struct fault *fault);

void plan_free(struct plan *plan);

/* The simulation ended at the horizon or the budget of steps, not with the last task. */
bool plan_is_cut(const struct plan *plan);

/* The outcome for one project on one resource. */
const vcs_project_resource_forecast *plan_project_resource(const struct plan *plan, uint32_t project,
                                                           uint32_t resource);

/* What was decided on asking one project for one resource. */
const vcs_fetch_decision *plan_request(const struct plan *plan, uint32_t project, uint32_t resource);

/* The resource that a task is for: its GPU type, or else the CPU. */
const char *plan_resource_name(const struct plan *plan, const vcs_task *task);

/* Writes the plan as JSON. */
void plan_print_json(const struct plan *plan, FILE *out);

/*
 * Explains the decision on the project or task of this name; on both if they share it. Returns false
 * and describes what is wrong if there is neither.
 */
bool plan_explain(const struct plan *plan, const char *name, const struct screen *screen, struct fault *fault);

/* Writes the plan for people: all tasks, or the first ones of them. Returns false if there is not enough memory. */
bool plan_print_text(const struct plan *plan, const struct screen *screen, bool all_tasks);

#endif
