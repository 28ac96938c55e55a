/*
 * Rules 13.4, 13.6, 13.10 and 13.11; the plain reference is examples/study/golden.csv.
 *
 * What the study's program does differently, of what the emulator itself carries out. Each function answers one
 * question: by the study's rule if vcs_emulation.study_rules is set, else by the ordinary one. Nothing else in the
 * emulator looks at that switch. The other rules of chapter 13 are parameters of libvcsched, except 13.12 and 13.14,
 * which hold for every emulation and stand in emulate.c and clock.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMULATOR_STUDY_H
#define VCS_EMULATOR_STUDY_H

#include "core/number.h"
#include "emulator/setup.h"

#include <vcsched/reply.h>
#include <vcsched/send.h>

static inline bool vcs_emu_is_study(const vcs_emu_setup *setup) {
    return setup->emulation.study_rules != 0;
}

/* ---- 13.4: what a request holds ---- */

/* The instance-seconds of a request that a job fills: here wall time, not divided by the usable fraction. */
static inline double vcs_emu_study_job_fills(const vcs_emu_setup *setup, double seconds, double instances,
                                             double usable) {
    return vcs_emu_is_study(setup) ? vcs_min(seconds, VCS_MAX_SECONDS) : seconds * instances / usable;
}

/* The same for vcs_send_job.seconds, where 0 stands for the ordinary rule. */
static inline double vcs_emu_study_send_seconds(const vcs_emu_setup *setup, double filled) {
    return vcs_emu_is_study(setup) ? filled : 0.0;
}

/* A request is for seconds alone. Ordinary ones also name idle instances, and how long the host is busy. */
static inline bool vcs_emu_study_asks_for_seconds_only(const vcs_emu_setup *setup) {
    return vcs_emu_is_study(setup);
}

/* ---- 13.6: what a server knows ---- */

/* The remaining time of a job is not estimated as the client does it: the next function has it. */
static inline bool vcs_emu_study_server_estimates(const vcs_emu_setup *setup) {
    return vcs_emu_is_study(setup);
}

/* Where the server tests deadlines it knows the truth, otherwise only the size. */
static inline double vcs_emu_study_remaining(const vcs_emu_setup *setup, double truth, double uncorrected) {
    const bool tests_deadlines = setup->parameters.work_send == VCS_WORK_SEND_WS2;
    return tests_deadlines ? truth : vcs_min(uncorrected, VCS_MAX_SECONDS);
}

/* vcs_send_limits.flags: the first refusal ends the reply. */
static inline uint32_t vcs_emu_study_send_flags(const vcs_emu_setup *setup) {
    return vcs_emu_is_study(setup) ? VCS_SEND_STUDY_RULES : 0;
}

/* The usable fraction of a resource as the server sees it. */
static inline double vcs_emu_study_server_usable(const vcs_emu_setup *setup, double usable) {
    return vcs_emu_is_study(setup) ? 1.0 : usable;
}

/* ---- 2.3 and 13.10: estimates and reports ---- */

/* The correction factor that a project starts with. */
static inline double vcs_emu_study_first_dcf(const vcs_emu_setup *setup, double dcf) {
    return vcs_emu_is_study(setup) && dcf == 0.0 ? 1.0 : dcf;
}

/* How long before its deadline a result must be reported, s. */
static inline double vcs_emu_study_report_margin(const vcs_emu_setup *setup) {
    const vcs_parameters *parameters = &setup->parameters;
    return vcs_emu_is_study(setup) ? vcs_max(parameters->report_delay, parameters->min_buffer) : parameters->min_buffer;
}

/* A call of any project reports the results of all. */
static inline bool vcs_emu_study_reports_all(const vcs_emu_setup *setup) {
    return vcs_emu_is_study(setup);
}

/* ---- 13.11: calls ---- */

/* Fetching is considered at each scheduling decision, too. */
static inline bool vcs_emu_study_fetches_each_period(const vcs_emu_setup *setup) {
    return vcs_emu_is_study(setup);
}

/* Whether a moment of connection allows another call: here only while a CPU has no task at all. */
static inline bool vcs_emu_study_may_call_again(const vcs_emu_setup *setup, bool is_calling, uint32_t tasks,
                                                double cpus) {
    return !vcs_emu_is_study(setup) || (is_calling && tasks < cpus);
}

/* When a call that is made now counts as made; the last one was at `connected`. The study's program notes that time and
   takes 0 for none, so that after the first call, at time 0, it can call another project right away. */
static inline double vcs_emu_study_noted_time(const vcs_emu_setup *setup, double connected, double now) {
    const bool is_first = connected == -VCS_INFINITY;
    return vcs_emu_is_study(setup) && is_first ? now - setup->emulation.connection_interval : now;
}

/* A call that was answered but brought nothing that it asked for does not use the moment up. */
static inline bool vcs_emu_study_forgets_empty_calls(const vcs_emu_setup *setup) {
    return vcs_emu_is_study(setup);
}

/* Whether a call counts as a failure of the project: here also if it asked for work and got none. */
static inline bool vcs_emu_study_is_failure(const vcs_emu_setup *setup, bool answered,
                                            const vcs_resource_reply *replies, uint32_t count) {
    bool asked = false, sent = false;
    if (!answered || !vcs_emu_is_study(setup)) {
        return !answered;
    }
    for (uint32_t r = 0; r < count; r++) {
        asked |= replies[r].seconds > 0.0;
        sent |= replies[r].tasks > 0;
    }
    return asked && !sent;
}

/* Projects have no timer for each resource (3.3), and their master files are not read again (7.2). */
static inline bool vcs_emu_study_has_resource_timers(const vcs_emu_setup *setup) {
    return !vcs_emu_is_study(setup);
}

static inline bool vcs_emu_study_has_master_files(const vcs_emu_setup *setup) {
    return !vcs_emu_is_study(setup);
}

#endif
