/*
 * What is known of how long tasks take, and learned from those that end.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMULATOR_ESTIMATES_H
#define VCS_EMULATOR_ESTIMATES_H

#include "emulator/records.h"
#include "emulator/setup.h"
#include "emulator/true_task.h"

#include <vcsched/estimate.h>

typedef struct vcs_emu_estimates {
    const vcs_emu_setup *setup;
    vcs_emu_records *records;
    vcs_correction *project_factors, *app_factors;
    bool changed; /* a correction factor has changed: all estimates are out of date */
} vcs_emu_estimates;

int vcs_emu_estimates_open(vcs_emu_estimates *estimates, vcs_emu_memory *memory);

/* An application that had a factor of its own at the start keeps one; the others share that of their project (2.4). */
static inline bool vcs_emu_has_own_factor(const vcs_emu_estimates *estimates, uint32_t app) {
    return estimates->records->apps[app].dcf > 0.0;
}

/* The correction factor for jobs of an application; 0 = none. */
static inline double vcs_emu_correction(const vcs_emu_estimates *estimates, uint32_t project, uint32_t app) {
    if (!estimates->setup->parameters.use_dcf || app == VCS_NONE) {
        return 0.0;
    }
    return vcs_emu_has_own_factor(estimates, app) ? estimates->records->apps[app].dcf
                                          : estimates->records->projects[project].dcf;
}

/* Writes task->remaining. */
int vcs_emu_estimate(const vcs_emu_estimates *estimates, vcs_task *task, const vcs_emu_true_task *truth);

/* Learns from a task that has ended. */
int vcs_emu_learn(vcs_emu_estimates *estimates, const vcs_task *task, const vcs_emu_true_task *truth);

#endif
