/*
 * The host's records, which all decisions look at: copies of the caller's, kept up to date.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMULATOR_RECORDS_H
#define VCS_EMULATOR_RECORDS_H

#include "emulator/memory.h"

#include <vcsched/emulator.h>

typedef struct vcs_emu_records {
    vcs_snapshot snapshot; /* of the arrays below */
    vcs_host host;
    vcs_resource *resources;
    vcs_project *projects;
    vcs_project_resource *project_resources; /* all, project by project */
    vcs_app *apps;
    vcs_task *tasks;
    uint32_t resource_count, project_count, app_count; /* tasks alone come and go */
    uint32_t *task_counts;                             /* of each project */
    bool changed;                                      /* since a state was last prepared from them */
} vcs_emu_records;

/* Copies all records but the tasks. */
int vcs_emu_records_open(vcs_emu_records *records, vcs_emu_memory *memory, const vcs_snapshot *snapshot);

/* Where the records of a project begin that lie project by project, one for each resource. */
static inline size_t vcs_emu_first_of(const vcs_emu_records *records, uint32_t project) {
    return (size_t)project * records->resource_count;
}

/* FLOPS on all that a task uses; one that uses nothing runs at the speed of a CPU. */
double vcs_emu_speed(const vcs_emu_records *records, double cpus, uint32_t gpu, double gpus);

#endif
