/*
 * The host's records, on which all decisions are based: copies of the caller's, kept up to date.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_HOST_RECORDS_H
#define VCS_EMU_HOST_RECORDS_H

#include "vcemu/host/emulator.h"

#include <vcsched/chance.h>

struct vcs_emu_records {
    vcs_snapshot snapshot; /* refers to the arrays below */
    vcs_host host;
    vcs_resource *resources;
    vcs_project *projects;
    vcs_project_resource *project_resources; /* of each (project, resource), project by project */
    vcs_app *apps;
    vcs_app_resource *app_resources; /* as many as are given */
    vcs_hour *hours;                 /* as the client has seen them; none if its policy goes by no hours */
    vcs_task *tasks;
    uint32_t resource_count, project_count, app_count; /* constant; only tasks come and go */
    uint32_t *task_counts;                             /* of each project */
    bool changed;                                      /* since a state was last prepared from them */
};

/* How many hours the client learns: as many as are stated, or else as its policy says. */
uint32_t vcs_emu_hour_count(const vcs_snapshot *snapshot, const vcs_parameters *parameters);

/* Copies all records but the tasks. */
void vcs_emu_records_open(vcs_emu_emulator *e, const vcs_snapshot *snapshot);

/* Index of the first record of a project in an array of (project, resource). */
static inline size_t vcs_emu_first_of(const vcs_emu_emulator *e, uint32_t project) {
    return (size_t)project * e->records->resource_count;
}

/* FLOPS of the instances that a task uses; a task that uses none runs at the speed of a CPU. */
double vcs_emu_speed(const vcs_emu_records *records, double cpus, uint32_t gpu, double gpus);

#endif
