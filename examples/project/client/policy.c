/*
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "log.h"
#include "policy.h"
#include "policy_view.h"
#include "task.h"

/* The library refuses only what we should not have shown it. */
static void must(int code, const vcs_error *error) {
    if (code != VCS_OK) {
        fprintf(stderr, "gridclient: %s\n", error != NULL ? error->message : vcs_strerror(code));
        exit(1);
    }
}

static void note_task(struct project *project, struct task *task, const vcs_task_decision *decision) {
    const char *why = vcs_reason_sentence(decision->reason);
    if (task->process == PROCESS_ENDING) {
        return; /* it is started again when it has ended, which is the next decision */
    }
    if (decision->flags & VCS_DECISION_START) {
        say(project->name, "task %s runs: %s", task->name, why);
    } else if (decision->flags & VCS_DECISION_STOP) {
        say(project->name, "task %s stops: %s", task->name, why);
    } else if (decision->reason != task->reason) {
        say(project->name, "task %s %s: %s", task->name, decision->run ? "goes on" : "does not run", why);
    }
    task->reason = decision->reason;
}

/* Ends the tasks that would not be done in time, and calls their projects at once. */
static void give_up(struct client *client, const struct policy_view *view, const vcs_task_decision *decisions) {
    for (uint32_t i = 0; i < view->task_count; i++) {
        struct project *project = view->project_at[view->tasks[i].project];
        if ((decisions[i].flags & VCS_DECISION_GIVE_UP) != 0) {
            say(project->name, "task %s ends: %s", view->task_at[i]->name, vcs_reason_sentence(decisions[i].reason));
            task_abort(client, project, view->task_at[i], EXIT_NOT_IN_TIME);
            project->is_wanted = client->is_changed = true;
        }
    }
}

static void start_and_stop(struct client *client, const struct policy_view *view, const vcs_task_decision *decisions) {
    /* Who stops makes room for who starts. */
    for (int starting = 0; starting < 2; starting++) {
        for (uint32_t i = 0; i < view->task_count; i++) {
            struct task *task = view->task_at[i];
            struct project *project = view->project_at[view->tasks[i].project];
            if (decisions[i].run != (uint32_t)starting || (decisions[i].flags & VCS_DECISION_GIVE_UP) != 0) {
                continue;
            }
            note_task(project, task, &decisions[i]);
            task->was_late = decisions[i].flags & VCS_DECISION_LATE;
            task->fills_in = decisions[i].flags & VCS_DECISION_FILLS_IN;
            if (decisions[i].flags & VCS_DECISION_NEW_SLICE) {
                task->running_since = client->now;
            }
            if (decisions[i].flags & VCS_DECISION_START) {
                task_run(client, project, task);
            } else if (decisions[i].flags & VCS_DECISION_STOP) {
                task_stop(client, task);
            }
        }
    }
}

static void note_fetch(const struct policy_view *view, const vcs_fetch_decision *decisions) {
    for (uint32_t p = 0; p < view->project_count; p++) {
        struct project *project = view->project_at[p];
        const vcs_fetch_decision *decision = &decisions[p];
        if (decision->reason == project->fetch_reason && decision->seconds == project->fetch_logged) {
            continue;
        }
        if (decision->seconds > 0) {
            say(project->name, "wants %.0f s of work, %g CPUs at once: %s", decision->seconds, decision->instances,
                vcs_reason_sentence(decision->reason));
        } else if (decision->reason != VCS_REASON_NONE && decision->reason != project->fetch_reason) {
            say(project->name, "wants no work: %s", vcs_reason_sentence(decision->reason));
        }
        project->fetch_reason = decision->reason;
        project->fetch_logged = decision->seconds;
    }
}

/* A reason to call a project that is not work: what was finished, what the user or the project wants. */
static bool is_wanted(const struct client *client, const vcs_project *record, const struct project *project) {
    if (project->is_wanted) {
        return true;
    }
    return !project->is_suspended && client->now >= record->min_rpc_time &&
           (record->overdue > 0 || (project->next_call > 0 && client->now >= project->next_call));
}

static uint32_t who_is_called(const struct client *client, const struct policy_view *view) {
    for (uint32_t p = 0; p < view->project_count; p++) {
        const struct project *project = view->project_at[p];
        if (project->scheduler_url[0] != '\0' && !project->is_detached &&
            is_wanted(client, &view->projects[p], project)) {
            return p;
        }
    }
    return VCS_NONE;
}

/* When one of these reasons comes true by time alone, s from now. */
static double until_wanted(const struct client *client, const struct policy_view *view) {
    double wait = INFINITY;
    for (uint32_t p = 0; p < view->project_count; p++) {
        const struct project *project = view->project_at[p];
        const double allowed = fmax(view->projects[p].min_rpc_time - client->now, 0);
        if (view->projects[p].overdue > 0 && !project->is_suspended) {
            wait = fmin(wait, allowed);
        }
        if (project->next_call > 0) {
            wait = fmin(wait, fmax(project->next_call - client->now, allowed));
        }
        for (const struct task *task = project->tasks; task != NULL; task = task->next) {
            if (task->state == TASK_REPORTABLE) {
                wait = fmin(wait, fmax(policy_report_by(client, task) - client->now, allowed));
            }
        }
    }
    return wait;
}

static void fetch(struct client *client, const struct policy_view *view, vcs_state *state, struct plan *plan) {
    const uint32_t wanted = who_is_called(client, view);
    const vcs_fetch_question question = {
        .struct_size = sizeof question,
        .purpose = wanted == VCS_NONE ? VCS_FETCH_CHOOSE : VCS_FETCH_PIGGYBACK,
        .project = wanted == VCS_NONE ? 0 : wanted,
    };
    vcs_fetch_summary summary = {.struct_size = sizeof summary};
    vcs_fetch_decision *decisions = zeroed((view->project_count + 1) * sizeof *decisions);
    vcs_resource_forecast cpu;
    must(vcs_fetch(state, &question, &summary), NULL);
    must(vcs_fetch_decisions(state, &(vcs_array){{decisions}, sizeof *decisions, view->project_count}), NULL);
    must(vcs_wrr_resources(state, &(vcs_array){{&cpu}, sizeof cpu, 1}), NULL);
    note_fetch(view, decisions);
    const uint32_t called = wanted == VCS_NONE ? summary.project : wanted;
    if (called != VCS_NONE) {
        plan->call = view->project_at[called];
        plan->ask = (struct ask){
            .seconds = decisions[called].seconds,
            .instances = decisions[called].instances,
            .busy = cpu.saturated,
            .latency_bound = decisions[called].latency_bound,
            .jobs = decisions[called].jobs,
        };
    }
    plan->next_look = fmin(plan->next_look, fmin(summary.next_check, until_wanted(client, view)));
    free(decisions);
}

void policy_decide(struct client *client, struct plan *plan) {
    struct policy_view view;
    vcs_error error = {.struct_size = sizeof error};
    vcs_schedule_summary schedule = {.struct_size = sizeof schedule};
    vcs_state *state;
    size_t size;
    policy_view_make(&view, client);
    must(vcs_state_size(&view.snapshot, &size), NULL);
    void *memory = zeroed(size);
    must(vcs_state_prepare(&view.snapshot, &client->policy, client->now, memory, size, &state, &error), &error);
    must(vcs_wrr(state, NULL), NULL);
    must(vcs_schedule(state, VCS_SCHEDULE_EXPLAIN, &schedule), NULL);
    vcs_task_decision *decisions = zeroed((view.task_count + 1) * sizeof *decisions);
    must(vcs_schedule_tasks(state, &(vcs_array){{decisions}, sizeof *decisions, view.task_count}), NULL);
    *plan = (struct plan){.next_look = schedule.next_check};
    fetch(client, &view, state, plan);
    give_up(client, &view, decisions);
    start_and_stop(client, &view, decisions);
    free(decisions);
    free(memory);
    policy_view_free(&view);
}
