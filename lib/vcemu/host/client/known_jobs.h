/*
 * What the client remembers of the work that each project has sent.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_HOST_CLIENT_KNOWN_JOBS_H
#define VCS_EMU_HOST_CLIENT_KNOWN_JOBS_H

#include "vcemu/host/tasks/true_task.h"

/* Of the jobs of a project on a resource that have ended: how much longer than estimated they took. */
struct vcs_emu_known_jobs {
    double count, ratios, squares;
};

/* The server has offered a job, whether it sends it or not. */
void vcs_emu_know_job(vcs_emu_emulator *e, const vcs_task *job, double latency_bound);

/* The job has come. */
void vcs_emu_book_job(vcs_emu_emulator *e, const vcs_task *job, vcs_emu_true_task *truth);

/* It has ended: what it took counts in place of its estimate. */
void vcs_emu_settle_job(vcs_emu_emulator *e, const vcs_task *task, const vcs_emu_true_task *truth);

/* How many jobs of its kind had ended before a task that has just been settled. */
uint64_t vcs_emu_jobs_before(const vcs_emu_emulator *e, const vcs_task *task);

/* It is given up, and counts no more. */
void vcs_emu_unbook_job(vcs_emu_emulator *e, const vcs_task *task, const vcs_emu_true_task *truth);

#endif
