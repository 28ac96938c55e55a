/*
 * Rules 13.4, 13.6, 13.10 and 13.11; the plain reference is examples/study/golden.csv.
 *
 * Where the study's program computes something else than the emulator: each function follows the study's rule if
 * vcs_emulation.study_rules is set, else the ordinary one. Where the program only does or omits something, the code
 * asks vcs_emu_is_study() and names the rule. The other rules of chapter 13 are parameters of libvcsched, except 13.12
 * and 13.14, which hold for every emulation: see emulate.c and clock.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_HOST_STUDY_RULES_H
#define VCS_EMU_HOST_STUDY_RULES_H

#include "vcemu/host/clock.h"
#include "vcemu/host/records.h"
#include "vcemu/host/setup.h"
#include "vcemu/host/tasks/true_task.h"

#include <vcsched/timers.h>

/* 13.4: the instance-seconds of a request that a job fills; the study: its wall time, whatever the usable fraction. */
static inline double vcs_emu_study_job_fills(const vcs_emu_emulator *e, double seconds, double instances,
                                             double usable) {
    return vcs_emu_is_study(e) ? vcs_min(seconds, VCS_MAX_SECONDS) : seconds * instances / usable;
}

/* 13.6: the study's server knows the truth where it tests deadlines; otherwise it knows the uncorrected size. */
static inline double vcs_emu_study_remaining(const vcs_emu_emulator *e, const vcs_emu_true_task *job) {
    const bool tests_deadlines = e->setup->parameters.work_send == VCS_WORK_SEND_WS2;
    return tests_deadlines ? job->total : vcs_min(job->est_flops / job->speed, VCS_MAX_SECONDS);
}

/* 13.10: how long before its deadline a result must be reported, s. */
static inline double vcs_emu_study_report_margin(const vcs_emu_emulator *e) {
    const vcs_parameters *parameters = &e->setup->parameters;
    return vcs_emu_is_study(e) ? vcs_max(parameters->report_delay, parameters->min_buffer) : parameters->min_buffer;
}

/* 13.11: whether a moment of connection allows another call; the study: only while a CPU has no task at all. */
static inline bool vcs_emu_study_may_call_again(const vcs_emu_emulator *e, bool is_calling) {
    const bool may = is_calling && e->records->snapshot.tasks.count < e->records->resources[0].instances;
    return !vcs_emu_is_study(e) || may;
}

/* 13.11: the time noted for a call made now. The study's program reads a noted 0 as "no call", so after its first call,
   at time 0, it can call another project right away. */
static inline double vcs_emu_study_noted_time(const vcs_emu_emulator *e, double connected) {
    const bool is_first = connected == -VCS_INFINITY;
    return e->clock->now - (vcs_emu_is_study(e) && is_first ? e->setup->emulation.connection_interval : 0.0);
}

/* 13.11: whether an answered call counts as a failure of the project; the study: if it asked for work and got none. */
static inline bool vcs_emu_study_is_failure(const vcs_emu_emulator *e, const vcs_resource_reply *replies) {
    bool asked = false, sent = false;
    for (uint32_t r = 0; r < e->records->resource_count; r++) {
        asked |= replies[r].seconds > 0.0;
        sent |= replies[r].tasks > 0;
    }
    return vcs_emu_is_study(e) && asked && !sent;
}

#endif
