/* SPDX-License-Identifier: MIT */
#include "plan/plan.h"

#include <stdlib.h>

#include <vcsched/accounts.h>

#include "vcemu/scenario/prepare.h"

static void *make_array(size_t count, size_t size) {
    return calloc(count == 0 ? 1 : count, size);
}

static bool allocate(struct plan *plan) {
    size_t tasks = plan->file->counts[STATE_TASK];
    size_t projects = plan->file->counts[STATE_PROJECT];
    size_t resources = vcs_scn_state_file_resource_count(plan->file);
    plan->tasks = make_array(tasks, sizeof *plan->tasks);
    plan->resources = make_array(resources, sizeof *plan->resources);
    plan->busy = make_array(resources, sizeof *plan->busy);
    plan->early = make_array(tasks, sizeof *plan->early);
    plan->project_resources = make_array(projects * resources, sizeof *plan->project_resources);
    plan->priorities = make_array(projects, sizeof *plan->priorities);
    plan->ranks = make_array(projects, sizeof *plan->ranks);
    plan->decisions = make_array(tasks, sizeof *plan->decisions);
    plan->requests = make_array(projects * resources, sizeof *plan->requests);
    return plan->tasks != NULL && plan->resources != NULL && plan->busy != NULL && plan->early != NULL &&
           plan->project_resources != NULL && plan->priorities != NULL && plan->ranks != NULL &&
           plan->decisions != NULL && plan->requests != NULL;
}

/* Simulates and collects. Returns the first error; a prepared state gives none. */
static int simulate(struct plan *plan, vcs_state *state) {
    uint32_t tasks = plan->file->counts[STATE_TASK];
    uint32_t resources = vcs_scn_state_file_resource_count(plan->file);
    uint32_t project_resources = plan->file->counts[STATE_PROJECT] * resources;
    plan->wrr.struct_size = sizeof plan->wrr;
    plan->edf.struct_size = sizeof plan->edf;
    int code = vcs_wrr(state, &plan->wrr);
    if (code == VCS_OK) {
        code = vcs_wrr_tasks(state, &(vcs_array){{plan->tasks}, sizeof *plan->tasks, tasks});
    }
    if (code == VCS_OK) {
        code = vcs_wrr_resources(state, &(vcs_array){{plan->resources}, sizeof *plan->resources, resources});
    }
    if (code == VCS_OK) {
        code = vcs_wrr_project_resources(
            state, &(vcs_array){{plan->project_resources}, sizeof *plan->project_resources, project_resources});
    }
    if (code == VCS_OK) {
        code = vcs_edf(state, VCS_EDF_MISSED, &plan->edf);
    }
    if (code == VCS_OK) {
        code = vcs_edf_tasks(state, &(vcs_array){{plan->early}, sizeof *plan->early, tasks});
    }
    if (code == VCS_OK) {
        code = vcs_edf_resources(state, &(vcs_array){{plan->busy}, sizeof *plan->busy, resources});
    }
    return code;
}

/* Decides and collects, after simulate(). */
static int decide(struct plan *plan, vcs_state *state) {
    uint32_t tasks = plan->file->counts[STATE_TASK];
    uint32_t project_resources = plan->file->counts[STATE_PROJECT] * vcs_scn_state_file_resource_count(plan->file);
    plan->schedule.struct_size = sizeof plan->schedule;
    plan->fetch.struct_size = sizeof plan->fetch;
    int code = vcs_schedule(state, VCS_SCHEDULE_EXPLAIN, &plan->schedule);
    if (code == VCS_OK) {
        code = vcs_schedule_tasks(state, &(vcs_array){{plan->decisions}, sizeof *plan->decisions, tasks});
    }
    if (code == VCS_OK) {
        code = vcs_fetch(state, NULL, &plan->fetch);
    }
    if (code == VCS_OK) {
        code = vcs_fetch_decisions(state, &(vcs_array){{plan->requests}, sizeof *plan->requests, project_resources});
    }
    return code;
}

/* A project is ranked if it has a task in the simulation. */
static uint32_t rank_flags(const struct plan *plan, uint32_t project) {
    for (uint32_t resource = 0; resource < vcs_scn_state_file_resource_count(plan->file); resource++) {
        if (plan_project_resource(plan, project, resource)->tasks > 0) {
            return 0;
        }
    }
    return VCS_RANK_ENTRY_INACTIVE;
}

static double sum_of_shares(const struct state_file *file) {
    double sum = 0;
    for (uint32_t i = 0; i < file->counts[STATE_PROJECT]; i++) {
        sum += (file->projects[i].flags & VCS_PROJECT_SUSPENDED) != 0 ? 0 : file->projects[i].share;
    }
    return sum;
}

static int rank_projects(struct plan *plan) {
    uint32_t count = plan->file->counts[STATE_PROJECT];
    vcs_rank_entry *entries = make_array(count, sizeof *entries);
    uint32_t *order = make_array(count, sizeof *order);
    int code = VCS_ERR_OVERFLOW;
    if (entries != NULL && order != NULL) {
        for (uint32_t i = 0; i < count; i++) {
            const vcs_project *project = &plan->file->projects[i];
            entries[i].id = project->id;
            entries[i].share = project->share;
            entries[i].rec = project->rec;
            entries[i].priority_class = project->priority_class;
            entries[i].flags = rank_flags(plan, i);
        }
        vcs_ranking ranking = {.struct_size = sizeof ranking, .rule = VCS_RANK_PRIORITY};
        code = vcs_rank(&(vcs_array){{entries}, sizeof *entries, count}, &ranking, order, plan->priorities, NULL);
    }
    for (uint32_t i = 0; i < count; i++) {
        plan->priorities[i] += 0.0; /* never show -0 */
    }
    for (uint32_t i = 0; code == VCS_OK && i < count; i++) {
        plan->ranks[order[i]] = i;
    }
    free(entries);
    free(order);
    return code;
}

bool plan_make(struct plan *plan, const struct state_file *file, struct fault *fault) {
    *plan = (struct plan){.file = file};
    if (!allocate(plan)) {
        return vcs_scn_fault_memory(fault, file->document.file);
    }
    vcs_state *state = vcs_scn_prepare_state(file, fault);
    if (state == NULL) {
        return false;
    }
    int code = simulate(plan, state);
    if (code == VCS_OK) {
        code = decide(plan, state);
    }
    free(state);
    plan->share_sum = sum_of_shares(file);
    if (code == VCS_OK) {
        code = rank_projects(plan);
    }
    return code == VCS_OK || vcs_scn_fault_set(fault, "%s: %s", file->document.file, vcs_strerror(code));
}

void plan_free(struct plan *plan) {
    free(plan->tasks);
    free(plan->resources);
    free(plan->project_resources);
    free(plan->busy);
    free(plan->early);
    free(plan->priorities);
    free(plan->ranks);
    free(plan->decisions);
    free(plan->requests);
    *plan = (struct plan){.file = NULL};
}

bool plan_is_cut(const struct plan *plan) {
    return (plan->wrr.flags & VCS_SIMULATION_STOPPED) != 0;
}

const vcs_project_resource_forecast *plan_project_resource(const struct plan *plan, uint32_t project,
                                                           uint32_t resource) {
    return &plan->project_resources[(size_t)project * vcs_scn_state_file_resource_count(plan->file) + resource];
}

const vcs_fetch_decision *plan_request(const struct plan *plan, uint32_t project, uint32_t resource) {
    return &plan->requests[(size_t)project * vcs_scn_state_file_resource_count(plan->file) + resource];
}

double plan_time_to_deadline(const struct plan *plan, uint32_t task) {
    return plan->file->tasks[task].deadline - plan->file->now;
}

bool plan_is_hopeless(const struct plan *plan, uint32_t task) {
    return (plan->decisions[task].flags & VCS_DECISION_HOPELESS) != 0;
}

bool plan_gives_up(const struct plan *plan, uint32_t task) {
    return (plan->decisions[task].flags & VCS_DECISION_GIVE_UP) != 0;
}

double plan_slack(const struct plan *plan, uint32_t task) {
    return plan_time_to_deadline(plan, task) - plan->tasks[task].finish;
}

bool plan_has_choice(const struct plan *plan, uint32_t resource) {
    return resource != 0 && plan->file->resources[resource].instances > 1;
}

bool plan_is_early(const struct plan *plan, uint32_t task) {
    return plan->early[task].verdict == VCS_VERDICT_MEETS;
}
