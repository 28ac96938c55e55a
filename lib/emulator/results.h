/*
 * The results that have not been reported yet.
 *
 * Rules 12.2 and 13.10; worked by hand in tests/emulator/test_emulator.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMULATOR_RESULTS_H
#define VCS_EMULATOR_RESULTS_H

#include "emulator/merit.h"
#include "emulator/true_task.h"

typedef struct vcs_emu_result {
    uint64_t task; /* its id */
    double flops;
    double deadline;
    double due; /* when it must be reported, if its server is not called before */
    uint32_t project, resource;
} vcs_emu_result;

typedef struct vcs_emu_results {
    const vcs_emu_clock *clock;
    vcs_emu_memory *memory;
    vcs_emu_merit *merit;
    vcs_emu_result *results;
    uint32_t count;
    uint32_t *counts; /* of each project */
    vcs_emu_vector vector;
} vcs_emu_results;

int vcs_emu_results_open(vcs_emu_results *results, uint32_t project_count);

/* Adds the result of a task that has ended. */
int vcs_emu_add_result(vcs_emu_results *results, const vcs_task *task, const vcs_emu_true_task *truth);

/* Reports all results that a call of a project reports. */
int vcs_emu_report_results(vcs_emu_results *results, uint32_t project);

#endif
