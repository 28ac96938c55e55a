/*
 * The client's records as the library wants to see them: one snapshot, from which every decision is made.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef GRID_CLIENT_POLICY_VIEW_H
#define GRID_CLIENT_POLICY_VIEW_H

#include "client.h"

struct policy_view {
    vcs_snapshot snapshot;
    vcs_host host;
    vcs_resource cpu;
    vcs_project *projects;
    vcs_project_resource *project_resources;
    vcs_app *apps;
    vcs_task *tasks;
    struct project **project_at; /* behind vcs_project i */
    struct task **task_at;       /* behind vcs_task i */
    struct app **app_at;
    uint32_t project_count, app_count, task_count;
};

/* The timers of the client learn what time it is; nothing else is changed. */
void policy_view_make(struct policy_view *view, struct client *client);
void policy_view_free(struct policy_view *view);

/* When a finished result must be reported at the latest, whatever else calls its project. */
double policy_report_by(const struct client *client, const struct task *task);

#endif
