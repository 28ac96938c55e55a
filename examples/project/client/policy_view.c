/*
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <stdlib.h>

#include "known_work.h"
#include "policy_view.h"

/* The mean spells for which the client runs and does not, s. */
static void find_spells(const struct client *client, double *on, double *off) {
    const double fraction = client->on.fraction > 0 ? client->on.fraction : 1;
    vcs_spells_means(&client->spells, fraction, on, off); /* both are in range, so it does not fail */
}

double policy_report_by(const struct client *client, const struct task *task) {
    const vcs_parameters *policy = &client->policy;
    double on, off, latest = task->deadline - (policy->report_margin > 0 ? policy->report_margin : policy->min_buffer);
    if (policy->report_risk > 0) {
        find_spells(client, &on, &off);
        vcs_report_latest(task->deadline, fmax(policy->report_risk, VCS_MIN_RISK), on, off, task->completed, &latest);
    }
    return fmin(task->completed + policy->report_delay, latest);
}

static void count(struct policy_view *view, const struct client *client) {
    for (const struct project *project = client->projects; project != NULL; project = project->next) {
        view->project_count++;
        for (const struct app *app = project->apps; app != NULL; app = app->next) {
            view->app_count++;
        }
        for (const struct task *task = project->tasks; task != NULL; task = task->next) {
            view->task_count += task->state <= TASK_COMPUTING;
        }
    }
}

static bool has_failing_download(struct client *client, const struct task *task) {
    const struct file_reference *lists[] = {task->version->files, task->unit->files};
    for (int i = 0; i < 2; i++) {
        for (const struct file_reference *reference = lists[i]; reference != NULL; reference = reference->next) {
            double wait = 0;
            vcs_transfer_backoff_wait(&reference->file->backoff, client->now, &wait);
            if (reference->file->state == FILE_WANTED && wait > 0) {
                return true;
            }
        }
    }
    return false;
}

static void show_task(vcs_task *record, struct client *client, const struct task *task, uint32_t project,
                      uint32_t app) {
    *record = (vcs_task){
        .id = task->id,
        .project = project,
        .app = app,
        .cpus = task->version->cpus,
        .remaining = task_remaining(client, task),
        .deadline = task->deadline,
        .received = task->received,
        .ram = task->unit->ram,
        .running_since = task->running_since,
        .since_checkpoint = fmax(task->progress.elapsed - task->saved.elapsed, 0),
    };
    record->flags |= task->process == PROCESS_RUNNING ? VCS_TASK_RUNNING : 0;
    record->flags |= task->is_started ? VCS_TASK_STARTED : 0;
    record->flags |= task->was_late ? VCS_TASK_WAS_LATE : 0;
    record->flags |= task->fills_in ? VCS_TASK_FILLS_IN : 0;
    record->flags |= client->keep_in_memory && task->process != PROCESS_NONE ? VCS_TASK_IN_MEMORY : 0;
    if (task->is_suspended || task->abort_status != 0) {
        record->flags |= VCS_TASK_SUSPENDED;
        record->wait = VCS_WAIT_USER;
    }
    if (task->state == TASK_DOWNLOADING) {
        record->flags |= VCS_TASK_DOWNLOADING;
        record->wait = has_failing_download(client, task) ? VCS_WAIT_DOWNLOAD : record->wait;
    }
}

/* More work would only wait, too, behind a task that the user has suspended, or for a server that sends no files. */
static uint32_t why_not_asked(struct client *client, const struct project *project) {
    uint32_t wait = VCS_WAIT_NONE;
    if (project->scheduler_url[0] == '\0') {
        return VCS_WAIT_MASTER_FILE;
    }
    for (const struct task *task = project->tasks; task != NULL; task = task->next) {
        if (task->state <= TASK_COMPUTING && task->is_suspended) {
            return VCS_WAIT_TASK;
        }
        if (task->state == TASK_DOWNLOADING && has_failing_download(client, task)) {
            wait = VCS_WAIT_DOWNLOAD;
        }
    }
    return wait;
}

static void show_project(vcs_project *record, vcs_project_resource *cpu, struct client *client, struct project *project,
                         uint32_t index) {
    double wait;
    vcs_project_timer_wait(&project->timer, client->now, &wait);
    vcs_resource_backoff_wait(&project->backoff, client->now, &wait);
    *record = (vcs_project){
        .id = project->id,
        .share = project->share,
        .rec = project->rec.value,
        .min_rpc_time = project->timer.min_rpc_time,
        .rpc_failures = project->timer.failures,
    };
    *cpu = (vcs_project_resource){
        .id = project->id,
        .project = index,
        .backoff_interval = project->backoff.interval,
        .backoff_until = project->backoff.until,
        .flags = project->has_no_cpu_apps ? VCS_PROJECT_RESOURCE_NO_APPS : 0,
        .received = project->known.received,
        .job_seconds = project->known.job_seconds,
        .job_bound = project->known.job_bound,
        .job_spread = known_work_spread(project),
    };
    cpu->flags |= project->is_at_server_limit ? VCS_PROJECT_RESOURCE_SERVER_LIMIT : 0;
    record->flags |= project->is_suspended ? VCS_PROJECT_SUSPENDED : 0;
    record->flags |= project->is_detached ? VCS_PROJECT_NO_NEW_WORK : 0;
    record->wait = why_not_asked(client, project);
    for (const struct task *task = project->tasks; task != NULL; task = task->next) {
        uint32_t overdue = 0;
        record->uploading += task->state == TASK_UPLOADING;
        if (task->state == TASK_REPORTABLE) {
            record->unreported++;
            vcs_result_overdue(task->deadline, task->completed, &client->policy, client->now, &overdue);
            overdue = client->policy.report_risk > 0 ? client->now >= policy_report_by(client, task) : overdue;
        }
        record->overdue += overdue;
    }
}

void policy_view_make(struct policy_view *view, struct client *client) {
    *view = (struct policy_view){0};
    count(view, client);
    view->host = (vcs_host){.id = 1, .ram = client->ram};
    find_spells(client, &view->host.on_spell, &view->host.off_spell);
    view->cpu = (vcs_resource){
        .flops = client->flops,
        .usable = client->on.fraction > 0 ? client->on.fraction : 1,
        .instances = client->cpus,
    };
    view->projects = zeroed((view->project_count + 1) * sizeof *view->projects);
    view->project_at = zeroed((view->project_count + 1) * sizeof *view->project_at);
    view->project_resources = zeroed((view->project_count + 1) * sizeof *view->project_resources);
    view->apps = zeroed((view->app_count + 1) * sizeof *view->apps);
    view->app_at = zeroed((view->app_count + 1) * sizeof *view->app_at);
    view->tasks = zeroed((view->task_count + 1) * sizeof *view->tasks);
    view->task_at = zeroed((view->task_count + 1) * sizeof *view->task_at);
    uint32_t projects = 0, apps = 0, tasks = 0;
    for (struct project *project = client->projects; project != NULL; project = project->next, projects++) {
        const uint32_t first_app = apps;
        view->project_at[projects] = project;
        show_project(&view->projects[projects], &view->project_resources[projects], client, project, projects);
        for (struct app *app = project->apps; app != NULL; app = app->next) {
            view->app_at[apps] = app;
            view->apps[apps++] = (vcs_app){.id = app->id, .project = projects, .dcf = app->correction.dcf};
        }
        for (struct task *task = project->tasks; task != NULL; task = task->next) {
            uint32_t app = first_app;
            while (view->app_at[app] != task->unit->app) {
                app++;
            }
            if (task->state <= TASK_COMPUTING) {
                view->task_at[tasks] = task;
                show_task(&view->tasks[tasks++], client, task, projects, app);
            }
        }
    }
    view->snapshot = (vcs_snapshot){
        .struct_size = sizeof view->snapshot,
        .host = {{&view->host}, sizeof view->host, 1},
        .resources = {{&view->cpu}, sizeof view->cpu, 1},
        .projects = {{view->projects}, sizeof *view->projects, projects},
        .project_resources = {{view->project_resources}, sizeof *view->project_resources, projects},
        .apps = {{view->apps}, sizeof *view->apps, apps},
        .tasks = {{view->tasks}, sizeof *view->tasks, tasks},
    };
}

void policy_view_free(struct policy_view *view) {
    free(view->projects);
    free(view->project_at);
    free(view->project_resources);
    free(view->apps);
    free(view->app_at);
    free(view->tasks);
    free(view->task_at);
}
