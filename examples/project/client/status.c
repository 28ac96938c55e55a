/*
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <stdio.h>

#include "status.h"

static const char *state_name(const struct project *project, const struct task *task) {
    static const char *const names[] = {"downloads", "waits", "uploads", "to be reported"};
    if (task->state == TASK_REPORTABLE && task->result_state != RESULT_UPLOADED) {
        return "failed";
    }
    if (task->state <= TASK_COMPUTING && (task->is_suspended || project->is_suspended)) {
        return "suspended";
    }
    return task->state == TASK_COMPUTING && task->process == PROCESS_RUNNING ? "runs" : names[task->state];
}

static void print_task(const struct project *project, const struct task *task, double now) {
    printf("  task %s: %s", task->name, state_name(project, task));
    if (task->state <= TASK_COMPUTING) {
        printf(", %.1f %% after %.0f s, due in %.0f s", 100 * task->progress.fraction, task->progress.elapsed,
               task->deadline - now);
        if (task->reason != VCS_REASON_NONE) {
            printf("\n    %s", vcs_reason_sentence(task->reason));
        }
    } else if (task->exit_status != 0) {
        printf(", status %d", task->exit_status);
    }
    printf("\n");
}

static void print_transfers(const struct project *project) {
    for (const struct file *file = project->files; file != NULL; file = file->next) {
        if (file->state == FILE_WANTED || file->state == FILE_TO_UPLOAD) {
            printf("  file %s: to be %s, failures in a row: %u\n", file->name,
                   file->state == FILE_WANTED ? "downloaded" : "uploaded", file->backoff.failures);
        } else if (file->state == FILE_FAILED) {
            printf("  file %s: cannot be %s (%d)\n", file->name, file->is_output ? "uploaded" : "downloaded",
                   file->error);
        }
    }
}

void status_print(struct client *client, bool runs, double now) {
    printf("The client %s.\n", runs ? "runs" : "does not run");
    if (client->projects == NULL) {
        printf("It is attached to no project.\n");
    }
    for (struct project *project = client->projects; project != NULL; project = project->next) {
        double wait = 0;
        vcs_project_timer_wait(&project->timer, now, &wait);
        printf("%s (%s)\n  share %g, recent work %.3g credits a day%s, host %llu there, calls: %llu\n", project->name,
               project->url, project->share, project->rec.value, project->is_suspended ? ", suspended" : "",
               (unsigned long long)project->host_id, (unsigned long long)project->requests);
        if (project->fetch_reason != VCS_REASON_NONE) {
            printf("  work: %s\n", vcs_reason_sentence(project->fetch_reason));
        }
        if (wait > 0) {
            printf("  not called for %.0f s, failures in a row: %u\n", wait, project->timer.failures);
        }
        for (const struct task *task = project->tasks; task != NULL; task = task->next) {
            print_task(project, task, now);
        }
        print_transfers(project);
    }
}
