/*
 * The one table of every struct of the interface: each field's place, unit and range. Those of emulator.h are in
 * emulator_fields.h.
 *
 * From it come the static asserts on the layout, the checks of the caller's records, vcs_field_at() for bindings, and
 * the names in error messages. What a field means stands in its header.
 *
 * A row is X(struct, kind, offset, field, unit, least, greatest). The kinds:
 *   f64            a finite double, or several; infinite too where `least` or `greatest` is
 *   u64 u32 i32    integers
 *   flags          a uint32_t in which only the bits of `greatest` may be set
 *   choice         a uint32_t that selects one of least ... greatest
 *   index          a uint32_t that refers to another record; checked where the arrays are known
 *   size           the struct_size of a struct
 *   zero           reserved: must be 0, whatever its length
 *   text           characters
 *   other          pointers and arrays of records; checked where they are used
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_INTERFACE_FIELDS_H
#define VCS_INTERFACE_FIELDS_H

#include "vcsched/core/number.h"

#include <float.h>
#include <vcsched/vcsched.h>

#define VCS_ANY (-DBL_MAX), DBL_MAX
/* Infinities too. Not every compiler takes the negative of an infinity for a constant. */
#define VCS_EXTENDED (-1e300 * 1e300), VCS_INFINITY
#define VCS_AMOUNT 0.0, DBL_MAX
#define VCS_POSITIVE DBL_MIN, DBL_MAX
#define VCS_U32 0.0, 4294967295.0
#define VCS_I32 (-2147483648.0), 2147483647.0
#define VCS_U64 0.0, 18446744073709551615.0
#define VCS_NO_RANGE 0.0, 0.0

#define VCS_FIELDS_error(X) \
    X(error, size, 0, struct_size, "bytes", VCS_U32) \
    X(error, i32, 4, code, "", VCS_I32) \
    X(error, u32, 8, type, "", VCS_U32) \
    X(error, u32, 12, offset, "bytes", VCS_U32) \
    X(error, u64, 16, index, "", VCS_U64) \
    X(error, text, 24, field, "", VCS_NO_RANGE) \
    X(error, text, 56, message, "", VCS_NO_RANGE)

#define VCS_FIELDS_field_info(X) \
    X(field_info, size, 0, struct_size, "bytes", VCS_U32) \
    X(field_info, u32, 4, type, "", VCS_U32) \
    X(field_info, u32, 8, offset, "bytes", VCS_U32) \
    X(field_info, u32, 12, size, "bytes", VCS_U32) \
    X(field_info, text, 16, kind, "", VCS_NO_RANGE) \
    X(field_info, text, 24, name, "", VCS_NO_RANGE) \
    X(field_info, text, 64, unit, "", VCS_NO_RANGE) \
    X(field_info, f64, 88, minimum, "", VCS_ANY) \
    X(field_info, f64, 96, maximum, "", VCS_ANY)

#define VCS_FIELDS_parameter_info(X) \
    X(parameter_info, size, 0, struct_size, "bytes", VCS_U32) \
    X(parameter_info, u32, 4, kind, "", VCS_U32) \
    X(parameter_info, u32, 8, offset, "bytes", VCS_U32) \
    X(parameter_info, u32, 12, choices, "", VCS_U32) \
    X(parameter_info, f64, 16, minimum, "", VCS_ANY) \
    X(parameter_info, f64, 24, maximum, "", VCS_ANY) \
    X(parameter_info, f64, 32, value, "", VCS_ANY) \
    X(parameter_info, text, 64, name, "", VCS_NO_RANGE) \
    X(parameter_info, text, 96, unit, "", VCS_NO_RANGE) \
    X(parameter_info, text, 112, about, "", VCS_NO_RANGE)

#define VCS_FIELDS_reason_info(X) \
    X(reason_info, size, 0, struct_size, "bytes", VCS_U32) \
    X(reason_info, u32, 4, code, "", VCS_U32) \
    X(reason_info, text, 8, name, "", VCS_NO_RANGE) \
    X(reason_info, text, 48, sentence, "", VCS_NO_RANGE)

#define VCS_FIELDS_parameters(X) \
    X(parameters, size, 0, struct_size, "bytes", VCS_U32) \
    X(parameters, flags, 4, flags, "", 0.0, 0.0) \
    X(parameters, choice, 8, profile, "", 0.0, VCS_PROFILE_COUNT - 1.0) \
    X(parameters, choice, 12, discipline, "", 0.0, VCS_DISCIPLINE_SLICED) \
    X(parameters, choice, 16, accounting, "", 0.0, VCS_ACCOUNTING_LOCAL) \
    X(parameters, choice, 20, estimate, "", 0.0, VCS_ESTIMATE_DEPLOYED) \
    X(parameters, choice, 24, use_dcf, "", 0.0, 1.0) \
    X(parameters, choice, 28, backoff_rule, "", VCS_BACKOFF_EXPONENT, VCS_BACKOFF_DOUBLING) \
    X(parameters, choice, 32, freeze_rec, "", 0.0, 1.0) \
    X(parameters, choice, 36, cpu_fit, "", 0.0, VCS_CPU_FIT_STRICT) \
    X(parameters, choice, 40, cushion_min_buffer, "", 0.0, 1.0) \
    X(parameters, choice, 44, deadline_origin, "", 0.0, VCS_ORIGIN_START) \
    X(parameters, u32, 48, backoff_failures, "", 1.0, 1000.0) \
    X(parameters, u32, 52, step_budget, "", VCS_U32) \
    X(parameters, f64, 56, period, "s", 1e-3, VCS_MAX_SECONDS) \
    X(parameters, f64, 64, min_buffer, "s", 0.0, VCS_MAX_BUFFER) \
    X(parameters, f64, 72, additional_buffer, "s", 0.0, VCS_MAX_BUFFER) \
    X(parameters, f64, 80, rec_half_life, "s", 1.0, VCS_MAX_SECONDS) \
    X(parameters, f64, 88, average_rate, "1/s", 1e-12, 1.0) \
    X(parameters, f64, 96, deadline_cushion, "s", 0.0, VCS_MAX_SECONDS) \
    X(parameters, f64, 104, miss_fraction, "", 1e-6, 1.0) \
    X(parameters, f64, 112, horizon, "s", 0.0, VCS_MAX_SECONDS) \
    X(parameters, f64, 120, backoff_min, "s", 1e-3, VCS_MAX_SECONDS) \
    X(parameters, f64, 128, backoff_max, "s", 1e-3, VCS_MAX_SECONDS) \
    X(parameters, f64, 136, resource_backoff_min, "s", 1e-3, VCS_MAX_SECONDS) \
    X(parameters, f64, 144, resource_backoff_max, "s", 1e-3, VCS_MAX_SECONDS) \
    X(parameters, f64, 152, transfer_backoff_min, "s", 1e-3, VCS_MAX_SECONDS) \
    X(parameters, f64, 160, transfer_backoff_max, "s", 1e-3, VCS_MAX_SECONDS) \
    X(parameters, f64, 168, transfer_give_up, "s", 1e-3, VCS_MAX_SECONDS) \
    X(parameters, choice, 176, scheduling, "", 0.0, VCS_SCHEDULING_DEADLINE) \
    X(parameters, choice, 180, ranking, "", 0.0, VCS_RANK_DEBT) \
    X(parameters, choice, 184, work_fetch, "", 0.0, VCS_WORK_FETCH_SESSIONS) \
    X(parameters, choice, 188, work_send, "", 0.0, VCS_WORK_SEND_WS2) \
    X(parameters, choice, 192, save_first, "", 0.0, 1.0) \
    X(parameters, choice, 196, hysteresis, "", 0.0, 1.0) \
    X(parameters, choice, 200, learn_usable, "", 0.0, 1.0) \
    X(parameters, u32, 204, max_runnable, "tasks", VCS_U32) \
    X(parameters, u32, 208, max_uploads, "results", VCS_U32) \
    X(parameters, u32, 212, master_fetch_failures, "", 1.0, 4294967295.0) \
    X(parameters, f64, 216, switch_cost, "s", 0.0, VCS_MAX_SECONDS) \
    X(parameters, f64, 224, backup_lead, "s", 0.0, VCS_MAX_SECONDS) \
    X(parameters, f64, 232, look_interval, "s", 0.0, VCS_MAX_SECONDS) \
    X(parameters, f64, 240, master_fetch_interval, "s", 0.0, VCS_MAX_SECONDS) \
    X(parameters, f64, 248, report_delay, "s", 0.0, VCS_MAX_SECONDS) \
    X(parameters, f64, 256, bump, "s", 0.0, VCS_MAX_SECONDS) \
    X(parameters, choice, 264, late_by, "", 0.0, VCS_LATE_BY_COUNT) \
    X(parameters, u32, 268, simulation_effort, "", VCS_U32) \
    X(parameters, u32, 272, placement_effort, "", VCS_U32) \
    X(parameters, zero, 276, reserved0, "", VCS_NO_RANGE)

#define VCS_FIELDS_snapshot(X) \
    X(snapshot, size, 0, struct_size, "bytes", VCS_U32) \
    X(snapshot, flags, 4, flags, "", 0.0, 0.0) \
    X(snapshot, other, 8, host, "", VCS_NO_RANGE) \
    X(snapshot, other, 24, resources, "", VCS_NO_RANGE) \
    X(snapshot, other, 40, projects, "", VCS_NO_RANGE) \
    X(snapshot, other, 56, project_resources, "", VCS_NO_RANGE) \
    X(snapshot, other, 72, apps, "", VCS_NO_RANGE) \
    X(snapshot, other, 88, tasks, "", VCS_NO_RANGE) \
    X(snapshot, other, 104, candidates, "", VCS_NO_RANGE)

#define VCS_FIELDS_host(X) \
    X(host, u64, 0, id, "", VCS_U64) \
    X(host, f64, 8, ram, "bytes", VCS_AMOUNT) \
    X(host, zero, 16, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_resource(X) \
    X(resource, u64, 0, id, "", VCS_U64) \
    X(resource, f64, 8, flops, "FLOPS", 1e-3, 1e30) \
    X(resource, f64, 16, usable, "", 1e-9, 1.0) \
    X(resource, u32, 24, instances, "instances", 1.0, VCS_MAX_INSTANCES) \
    X(resource, flags, 28, flags, "", 0.0, VCS_RESOURCE_SUSPENDED | VCS_RESOURCE_PAUSED) \
    X(resource, f64, 32, reserve, "instances", 0.0, VCS_MAX_INSTANCES) \
    X(resource, zero, 40, reserved, "", VCS_NO_RANGE)

#define VCS_PROJECT_ALL_FLAGS (VCS_PROJECT_SUSPENDED | VCS_PROJECT_NO_NEW_WORK | VCS_PROJECT_APPS_LISTED)

#define VCS_FIELDS_project(X) \
    X(project, u64, 0, id, "", VCS_U64) \
    X(project, f64, 8, share, "", 0.0, 1e30) \
    X(project, f64, 16, rec, "credits/day", 0.0, 1e30) \
    X(project, f64, 24, short_term_debt, "s", -VCS_MAX_SECONDS, VCS_MAX_SECONDS) \
    X(project, f64, 32, long_term_debt, "s", -VCS_MAX_SECONDS, VCS_MAX_SECONDS) \
    X(project, f64, 40, exp_avg_cpu, "s", 0.0, 1e30) \
    X(project, f64, 48, dcf, "", 0.0, 1e6) \
    X(project, f64, 56, min_rpc_time, "s", VCS_ANY) \
    X(project, f64, 64, efficiency, "", 0.0, 1.0) \
    X(project, i32, 72, priority_class, "", VCS_I32) \
    X(project, u32, 76, max_concurrent, "tasks", VCS_U32) \
    X(project, u32, 80, rpc_failures, "", VCS_U32) \
    X(project, u32, 84, uploading, "results", VCS_U32) \
    X(project, flags, 88, flags, "", 0.0, VCS_PROJECT_ALL_FLAGS) \
    X(project, u32, 92, overdue, "results", VCS_U32) \
    X(project, choice, 96, wait, "", VCS_WAIT_NONE, VCS_WAIT_UPLOADS) \
    X(project, zero, 100, reserved0, "", VCS_NO_RANGE) \
    X(project, zero, 104, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_project_resource(X) \
    X(project_resource, u64, 0, id, "", VCS_U64) \
    X(project_resource, index, 8, project, "", VCS_U32) \
    X(project_resource, index, 12, resource, "", VCS_U32) \
    X(project_resource, f64, 16, rec, "credits/day", 0.0, 1e30) \
    X(project_resource, f64, 24, backoff_interval, "s", 0.0, VCS_MAX_SECONDS) \
    X(project_resource, f64, 32, backoff_until, "s", VCS_ANY) \
    X(project_resource, u64, 40, excluded, "", VCS_U64) \
    X(project_resource, flags, 48, flags, "", 0.0, VCS_PROJECT_RESOURCE_NOT_WANTED | VCS_PROJECT_RESOURCE_NO_APPS) \
    X(project_resource, zero, 52, reserved0, "", VCS_NO_RANGE) \
    X(project_resource, zero, 56, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_app(X) \
    X(app, u64, 0, id, "", VCS_U64) \
    X(app, index, 8, project, "", VCS_U32) \
    X(app, u32, 12, max_concurrent, "tasks", VCS_U32) \
    X(app, f64, 16, dcf, "", 0.0, 1e6) \
    X(app, flags, 24, flags, "", 0.0, 0.0) \
    X(app, index, 28, gpu, "", VCS_U32) \
    X(app, u64, 32, excluded, "", VCS_U64) \
    X(app, zero, 40, reserved, "", VCS_NO_RANGE)

#define VCS_TASK_ALL_FLAGS \
    (VCS_TASK_RUNNING | VCS_TASK_STARTED | VCS_TASK_SUSPENDED | VCS_TASK_WAS_LATE | VCS_TASK_DOWNLOADING | \
     VCS_TASK_IN_MEMORY)

#define VCS_FIELDS_task(X) \
    X(task, u64, 0, id, "", VCS_U64) \
    X(task, index, 8, project, "", VCS_U32) \
    X(task, index, 12, app, "", VCS_U32) \
    X(task, index, 16, gpu, "", VCS_U32) \
    X(task, flags, 20, flags, "", 0.0, VCS_TASK_ALL_FLAGS) \
    X(task, f64, 24, cpus, "instances", 0.0, VCS_MAX_INSTANCES) \
    X(task, f64, 32, gpus, "instances", 0.0, VCS_MAX_INSTANCES) \
    X(task, f64, 40, remaining, "s", 0.0, VCS_MAX_SECONDS) \
    X(task, f64, 48, deadline, "s", -DBL_MAX, VCS_INFINITY) \
    X(task, f64, 56, received, "s", VCS_ANY) \
    X(task, f64, 64, ram, "bytes", VCS_AMOUNT) \
    X(task, f64, 72, running_since, "s", VCS_ANY) \
    X(task, f64, 80, since_checkpoint, "s", 0.0, VCS_MAX_SECONDS) \
    X(task, u64, 88, devices, "", VCS_U64) \
    X(task, f64, 96, usable, "", 0.0, 1.0) \
    X(task, choice, 104, wait, "", VCS_WAIT_NONE, VCS_WAIT_UPLOADS) \
    X(task, zero, 108, reserved0, "", VCS_NO_RANGE) \
    X(task, zero, 112, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_wrr_summary(X) \
    X(wrr_summary, size, 0, struct_size, "bytes", VCS_U32) \
    X(wrr_summary, u32, 4, flags, "", VCS_U32) \
    X(wrr_summary, f64, 8, simulated_until, "s", VCS_AMOUNT) \
    X(wrr_summary, u64, 16, steps, "", VCS_U64) \
    X(wrr_summary, u32, 24, misses, "tasks", VCS_U32) \
    X(wrr_summary, u32, 28, unknown, "tasks", VCS_U32) \
    X(wrr_summary, u64, 32, effort, "", VCS_U64) \
    X(wrr_summary, zero, 40, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_task_forecast(X) \
    X(task_forecast, f64, 0, finish, "s", 0.0, VCS_INFINITY) \
    X(task_forecast, u32, 8, verdict, "", VCS_U32) \
    X(task_forecast, zero, 12, reserved0, "", VCS_NO_RANGE) \
    X(task_forecast, zero, 16, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_resource_forecast(X) \
    X(resource_forecast, f64, 0, shortfall, "instance-s", VCS_AMOUNT) \
    X(resource_forecast, f64, 8, idle_now, "instances", VCS_AMOUNT) \
    X(resource_forecast, f64, 16, saturated, "s", VCS_AMOUNT) \
    X(resource_forecast, zero, 24, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_project_resource_forecast(X) \
    X(project_resource_forecast, f64, 0, shortfall, "instance-s", VCS_AMOUNT) \
    X(project_resource_forecast, u32, 8, misses, "tasks", VCS_U32) \
    X(project_resource_forecast, u32, 12, tasks, "tasks", VCS_U32) \
    X(project_resource_forecast, f64, 16, used_now, "instances", VCS_AMOUNT) \
    X(project_resource_forecast, u32, 24, waits_for_fit, "", 0.0, 1.0) \
    X(project_resource_forecast, zero, 28, reserved0, "", VCS_NO_RANGE)

#define VCS_FIELDS_edf_summary(X) \
    X(edf_summary, size, 0, struct_size, "bytes", VCS_U32) \
    X(edf_summary, u32, 4, flags, "", VCS_U32) \
    X(edf_summary, f64, 8, latest_finish, "s", VCS_AMOUNT) \
    X(edf_summary, u32, 16, tasks, "tasks", VCS_U32) \
    X(edf_summary, u32, 20, misses, "tasks", VCS_U32) \
    X(edf_summary, u64, 24, effort, "", VCS_U64) \
    X(edf_summary, zero, 32, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_edf_task(X) \
    X(edf_task, f64, 0, start, "s", 0.0, VCS_INFINITY) \
    X(edf_task, f64, 8, finish, "s", 0.0, VCS_INFINITY) \
    X(edf_task, u32, 16, verdict, "", VCS_U32) \
    X(edf_task, zero, 20, reserved0, "", VCS_NO_RANGE) \
    X(edf_task, zero, 24, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_edf_resource(X) \
    X(edf_resource, f64, 0, busy, "s", VCS_AMOUNT) \
    X(edf_resource, zero, 8, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_admission(X) \
    X(admission, size, 0, struct_size, "bytes", VCS_U32) \
    X(admission, u32, 4, flags, "", VCS_U32) \
    X(admission, u32, 8, admitted, "", VCS_U32) \
    X(admission, u32, 12, reason, "", VCS_U32) \
    X(admission, f64, 16, finish, "s", 0.0, VCS_INFINITY) \
    X(admission, index, 24, harmed, "", VCS_U32) \
    X(admission, index, 28, harmed_candidate, "", VCS_U32) \
    X(admission, zero, 32, reserved, "", VCS_NO_RANGE)

/* Times that a kernel keeps: far enough for any epoch, near enough that a second still counts. */
#define VCS_TIME -VCS_MAX_TIME, VCS_MAX_TIME
#define VCS_DURATION 0.0, VCS_MAX_SECONDS
/* The greatest random draw. */
#define VCS_BELOW_ONE 0x1.fffffffffffffp-1

#define VCS_FIELDS_average(X) \
    X(average, f64, 0, value, "", 0.0, 1e30) \
    X(average, f64, 8, time, "s", VCS_TIME) \
    X(average, zero, 16, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_ranking(X) \
    X(ranking, size, 0, struct_size, "bytes", VCS_U32) \
    X(ranking, flags, 4, flags, "", 0.0, 0.0) \
    X(ranking, choice, 8, rule, "", VCS_RANK_PRIORITY, VCS_RANK_DEBT) \
    X(ranking, zero, 12, reserved0, "", VCS_NO_RANGE) \
    X(ranking, f64, 16, bump, "s", VCS_DURATION) \
    X(ranking, f64, 24, host_total, "", 0.0, 1e30) \
    X(ranking, zero, 32, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_rank_entry(X) \
    X(rank_entry, u64, 0, id, "", VCS_U64) \
    X(rank_entry, f64, 8, share, "", 0.0, 1e30) \
    X(rank_entry, f64, 16, rec, "credits/day", 0.0, 1e30) \
    X(rank_entry, f64, 24, exp_avg_cpu, "s", 0.0, 1e30) \
    X(rank_entry, f64, 32, debt, "s", -VCS_MAX_SECONDS, VCS_MAX_SECONDS) \
    X(rank_entry, f64, 40, load, "", 0.0, 1e12) \
    X(rank_entry, i32, 48, priority_class, "", VCS_I32) \
    X(rank_entry, flags, 52, flags, "", 0.0, VCS_RANK_ENTRY_INACTIVE) \
    X(rank_entry, zero, 56, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_debt(X) \
    X(debt, u64, 0, id, "", VCS_U64) \
    X(debt, f64, 8, share, "", 0.0, 1e30) \
    X(debt, f64, 16, used, "instance-s", VCS_DURATION) \
    X(debt, f64, 24, short_term, "s", -VCS_MAX_SECONDS, VCS_MAX_SECONDS) \
    X(debt, f64, 32, long_term, "s", -VCS_MAX_SECONDS, VCS_MAX_SECONDS) \
    X(debt, flags, 40, flags, "", 0.0, VCS_DEBT_RUNNABLE | VCS_DEBT_POTENTIALLY_RUNNABLE) \
    X(debt, zero, 44, reserved0, "", VCS_NO_RANGE) \
    X(debt, zero, 48, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_debt_interval(X) \
    X(debt_interval, size, 0, struct_size, "bytes", VCS_U32) \
    X(debt_interval, flags, 4, flags, "", 0.0, 0.0) \
    X(debt_interval, f64, 8, period, "s", 1e-3, VCS_MAX_SECONDS) \
    X(debt_interval, f64, 16, elapsed, "s", VCS_TIME) \
    X(debt_interval, zero, 24, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_progress(X) \
    X(progress, size, 0, struct_size, "bytes", VCS_U32) \
    X(progress, flags, 4, flags, "", 0.0, 0.0) \
    X(progress, f64, 8, est_flops, "FLOP", 0.0, 1e30) \
    X(progress, f64, 16, flops, "FLOPS", 1e-3, 1e30) \
    X(progress, f64, 24, dcf, "", 0.0, 1e6) \
    X(progress, f64, 32, efficiency, "", 0.0, 1.0) \
    X(progress, f64, 40, elapsed, "s", VCS_DURATION) \
    X(progress, f64, 48, fraction_done, "", VCS_AMOUNT) \
    X(progress, zero, 56, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_correction(X) \
    X(correction, f64, 0, dcf, "", 0.0, 1e6) \
    X(correction, u64, 8, tasks, "tasks", VCS_U64) \
    X(correction, zero, 16, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_usable(X) \
    X(usable, f64, 0, fraction, "", 0.0, 1.0) \
    X(usable, zero, 8, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_backoff_range(X) \
    X(backoff_range, size, 0, struct_size, "bytes", VCS_U32) \
    X(backoff_range, flags, 4, flags, "", 0.0, 0.0) \
    X(backoff_range, choice, 8, rule, "", VCS_BACKOFF_EXPONENT, VCS_BACKOFF_DOUBLING) \
    X(backoff_range, u32, 12, most_failures, "", VCS_U32) \
    X(backoff_range, f64, 16, minimum, "s", 1e-3, VCS_MAX_SECONDS) \
    X(backoff_range, f64, 24, maximum, "s", 1e-3, VCS_MAX_SECONDS) \
    X(backoff_range, zero, 32, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_project_timer(X) \
    X(project_timer, f64, 0, min_rpc_time, "s", VCS_TIME) \
    X(project_timer, f64, 8, seen, "s", VCS_TIME) \
    X(project_timer, u32, 16, failures, "", VCS_U32) \
    X(project_timer, zero, 20, reserved0, "", VCS_NO_RANGE) \
    X(project_timer, zero, 24, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_resource_backoff(X) \
    X(resource_backoff, f64, 0, interval, "s", VCS_DURATION) \
    X(resource_backoff, f64, 8, until, "s", VCS_TIME) \
    X(resource_backoff, f64, 16, seen, "s", VCS_TIME) \
    X(resource_backoff, zero, 24, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_transfer_backoff(X) \
    X(transfer_backoff, f64, 0, until, "s", VCS_TIME) \
    X(transfer_backoff, f64, 8, seen, "s", VCS_TIME) \
    X(transfer_backoff, f64, 16, failing_since, "s", VCS_TIME) \
    X(transfer_backoff, f64, 24, failed_at, "s", VCS_TIME) \
    X(transfer_backoff, u32, 32, failures, "", VCS_U32) \
    X(transfer_backoff, zero, 36, reserved0, "", VCS_NO_RANGE) \
    X(transfer_backoff, zero, 40, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_schedule_summary(X) \
    X(schedule_summary, size, 0, struct_size, "bytes", VCS_U32) \
    X(schedule_summary, u32, 4, flags, "", VCS_U32) \
    X(schedule_summary, u32, 8, running, "tasks", VCS_U32) \
    X(schedule_summary, u32, 12, started, "tasks", VCS_U32) \
    X(schedule_summary, u32, 16, stopped, "tasks", VCS_U32) \
    X(schedule_summary, u32, 20, late, "tasks", VCS_U32) \
    X(schedule_summary, f64, 24, ram, "bytes", VCS_AMOUNT) \
    X(schedule_summary, f64, 32, next_check, "s", 0.0, VCS_INFINITY) \
    X(schedule_summary, f64, 40, cpu_excess, "instances", VCS_AMOUNT) \
    X(schedule_summary, zero, 48, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_task_decision(X) \
    X(task_decision, u32, 0, run, "", VCS_U32) \
    X(task_decision, u32, 4, reason, "", VCS_U32) \
    X(task_decision, u32, 8, place, "", VCS_U32) \
    X(task_decision, u32, 12, flags, "", VCS_U32) \
    X(task_decision, u64, 16, devices, "", VCS_U64) \
    X(task_decision, zero, 24, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_resource_decision(X) \
    X(resource_decision, f64, 0, used, "instances", VCS_AMOUNT) \
    X(resource_decision, zero, 8, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_fetch_question(X) \
    X(fetch_question, size, 0, struct_size, "bytes", VCS_U32) \
    X(fetch_question, flags, 4, flags, "", 0.0, VCS_FETCH_BRIEF) \
    X(fetch_question, choice, 8, purpose, "", 0.0, VCS_FETCH_PIGGYBACK) \
    X(fetch_question, index, 12, project, "", VCS_U32) \
    X(fetch_question, zero, 16, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_fetch_summary(X) \
    X(fetch_summary, size, 0, struct_size, "bytes", VCS_U32) \
    X(fetch_summary, u32, 4, flags, "", VCS_U32) \
    X(fetch_summary, u32, 8, project, "", VCS_U32) \
    X(fetch_summary, u32, 12, reason, "", VCS_U32) \
    X(fetch_summary, f64, 16, next_check, "s", 0.0, VCS_INFINITY) \
    X(fetch_summary, zero, 24, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_fetch_decision(X) \
    X(fetch_decision, f64, 0, seconds, "instance-s", VCS_AMOUNT) \
    X(fetch_decision, f64, 8, instances, "instances", VCS_AMOUNT) \
    X(fetch_decision, f64, 16, priority, "", VCS_EXTENDED) \
    X(fetch_decision, f64, 24, wait, "s", VCS_AMOUNT) \
    X(fetch_decision, u32, 32, reason, "", VCS_U32) \
    X(fetch_decision, u32, 36, better, "", VCS_U32) \
    X(fetch_decision, zero, 40, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_reply(X) \
    X(reply, size, 0, struct_size, "bytes", VCS_U32) \
    X(reply, flags, 4, flags, "", 0.0, VCS_REPLY_FAILED) \
    X(reply, f64, 8, now, "s", VCS_TIME) \
    X(reply, f64, 16, request_delay, "s", VCS_DURATION) \
    X(reply, f64, 24, u, "", 0.0, VCS_BELOW_ONE) \
    X(reply, zero, 32, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_resource_reply(X) \
    X(resource_reply, f64, 0, seconds, "instance-s", 0.0, 1e30) \
    X(resource_reply, f64, 8, u, "", 0.0, VCS_BELOW_ONE) \
    X(resource_reply, u32, 16, tasks, "tasks", VCS_U32) \
    X(resource_reply, flags, 20, flags, "", 0.0, VCS_REPLY_NOT_WANTED) \
    X(resource_reply, zero, 24, reserved, "", VCS_NO_RANGE)

#define VCS_RPC_PROJECT_ALL_FLAGS                                                                                      \
    (VCS_RPC_SUSPENDED | VCS_RPC_NO_NEW_WORK | VCS_RPC_CALL_WANTED | VCS_RPC_MASTER_WANTED | VCS_RPC_ASKED)

#define VCS_FIELDS_rpc_project(X) \
    X(rpc_project, u64, 0, id, "", VCS_U64) \
    X(rpc_project, f64, 8, timer.min_rpc_time, "s", VCS_TIME) \
    X(rpc_project, f64, 16, timer.seen, "s", VCS_TIME) \
    X(rpc_project, u32, 24, timer.failures, "", VCS_U32) \
    X(rpc_project, zero, 28, timer.reserved0, "", VCS_NO_RANGE) \
    X(rpc_project, zero, 32, timer.reserved, "", VCS_NO_RANGE) \
    X(rpc_project, f64, 48, master_fetched, "s", VCS_TIME) \
    X(rpc_project, u32, 56, rank, "", VCS_U32) \
    X(rpc_project, u32, 60, scheduler_urls, "", VCS_U32) \
    X(rpc_project, u32, 64, overdue, "results", VCS_U32) \
    X(rpc_project, flags, 68, flags, "", 0.0, VCS_RPC_PROJECT_ALL_FLAGS) \
    X(rpc_project, zero, 72, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_rpc_session(X) \
    X(rpc_session, choice, 0, kind, "", VCS_RPC_NO_SESSION, VCS_RPC_REPORT_RESULT) \
    X(rpc_session, choice, 4, step, "", VCS_RPC_CHOOSE_PROJECT, VCS_RPC_READING_MASTER) \
    X(rpc_session, choice, 8, last, "", VCS_RPC_NO_SESSION, VCS_RPC_REPORT_RESULT) \
    X(rpc_session, u32, 12, url, "", VCS_U32) \
    X(rpc_session, u64, 16, project, "", VCS_U64) \
    X(rpc_session, u32, 24, place, "", VCS_U32) \
    X(rpc_session, zero, 28, reserved0, "", VCS_NO_RANGE) \
    X(rpc_session, f64, 32, seconds, "s", VCS_DURATION) \
    X(rpc_session, f64, 40, estimated, "s", VCS_DURATION) \
    X(rpc_session, f64, 48, next_get_work, "s", VCS_TIME) \
    X(rpc_session, zero, 56, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_rpc_situation(X) \
    X(rpc_situation, size, 0, struct_size, "bytes", VCS_U32) \
    X(rpc_situation, flags, 4, flags, "", 0.0, 0.0) \
    X(rpc_situation, f64, 8, now, "s", VCS_TIME) \
    X(rpc_situation, f64, 16, estimated_work, "s", VCS_DURATION) \
    X(rpc_situation, zero, 24, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_rpc_action(X) \
    X(rpc_action, size, 0, struct_size, "bytes", VCS_U32) \
    X(rpc_action, u32, 4, kind, "", VCS_U32) \
    X(rpc_action, u32, 8, project, "", VCS_U32) \
    X(rpc_action, u32, 12, url, "", VCS_U32) \
    X(rpc_action, f64, 16, seconds, "s", VCS_AMOUNT) \
    X(rpc_action, f64, 24, until, "s", -DBL_MAX, VCS_INFINITY) \
    X(rpc_action, u32, 32, session, "", VCS_U32) \
    X(rpc_action, zero, 36, reserved0, "", VCS_NO_RANGE) \
    X(rpc_action, zero, 40, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_rpc_outcome(X) \
    X(rpc_outcome, size, 0, struct_size, "bytes", VCS_U32) \
    X(rpc_outcome, choice, 4, kind, "", VCS_RPC_ANSWERED, VCS_RPC_NOT_DONE) \
    X(rpc_outcome, flags, 8, flags, "", 0.0, VCS_RPC_NEW_URLS) \
    X(rpc_outcome, u32, 12, tasks, "tasks", VCS_U32) \
    X(rpc_outcome, u32, 16, scheduler_urls, "", VCS_U32) \
    X(rpc_outcome, zero, 20, reserved0, "", VCS_NO_RANGE) \
    X(rpc_outcome, f64, 24, now, "s", VCS_TIME) \
    X(rpc_outcome, f64, 32, request_delay, "s", VCS_DURATION) \
    X(rpc_outcome, f64, 40, u, "", 0.0, VCS_BELOW_ONE) \
    X(rpc_outcome, zero, 48, reserved, "", VCS_NO_RANGE)

#define VCS_UNIT_ALL_ERRORS \
    (VCS_UNIT_COULDNT_SEND | VCS_UNIT_TOO_MANY_ERRORS | VCS_UNIT_TOO_MANY_SUCCESSES | VCS_UNIT_TOO_MANY_TOTAL | \
     VCS_UNIT_CANCELLED | VCS_UNIT_NO_CANONICAL)

#define VCS_FIELDS_unit(X) \
    X(unit, u64, 0, id, "", VCS_U64) \
    X(unit, f64, 8, transition_time, "s", -VCS_MAX_TIME, VCS_INFINITY) \
    X(unit, f64, 16, delay_bound, "s", 0.0, VCS_INFINITY) \
    X(unit, f64, 24, delete_delay, "s", 0.0, VCS_INFINITY) \
    X(unit, f64, 32, assimilated, "s", VCS_TIME) \
    X(unit, f64, 40, quorum_weight, "", 0.0, 1e30) \
    X(unit, u64, 48, hr_class, "", VCS_U64) \
    X(unit, u64, 56, canonical, "", VCS_U64) \
    X(unit, u32, 64, min_quorum, "results", 1.0, 4294967295.0) \
    X(unit, u32, 68, target_nresults, "results", 1.0, 4294967295.0) \
    X(unit, u32, 72, max_error, "results", VCS_U32) \
    X(unit, u32, 76, max_total, "results", 1.0, 4294967295.0) \
    X(unit, u32, 80, max_success, "results", VCS_U32) \
    X(unit, choice, 84, quorum_rule, "", 0.0, VCS_QUORUM_WEIGHTED) \
    X(unit, flags, 88, error_mask, "", 0.0, VCS_UNIT_ALL_ERRORS) \
    X(unit, choice, 92, assimilate_state, "", 0.0, VCS_ASSIMILATE_DONE) \
    X(unit, choice, 96, file_delete_state, "", 0.0, VCS_FILES_ERROR) \
    X(unit, choice, 100, need_validate, "", 0.0, 1.0) \
    X(unit, f64, 104, fixed_credit, "", 0.0, VCS_MAX_CREDIT) \
    X(unit, f64, 112, max_single_claim, "", 0.0, VCS_MAX_CREDIT) \
    X(unit, choice, 120, credit_rule, "", 0.0, VCS_CREDIT_FIXED) \
    X(unit, zero, 124, reserved0, "", VCS_NO_RANGE) \
    X(unit, zero, 128, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_result(X) \
    X(result, u64, 0, id, "", VCS_U64) \
    X(result, f64, 8, deadline, "s", -VCS_MAX_TIME, VCS_INFINITY) \
    X(result, f64, 16, received, "s", VCS_TIME) \
    X(result, f64, 24, late_received, "s", VCS_TIME) \
    X(result, f64, 32, weight, "", 0.0, 1e30) \
    X(result, choice, 40, server_state, "", 0.0, VCS_RESULT_OVER) \
    X(result, choice, 44, outcome, "", 0.0, VCS_OUTCOME_CLIENT_DETACHED) \
    X(result, choice, 48, validate_state, "", 0.0, VCS_VALIDATE_TOO_LATE) \
    X(result, choice, 52, file_delete_state, "", 0.0, VCS_FILES_ERROR) \
    X(result, choice, 56, credited, "", 0.0, 1.0) \
    X(result, choice, 60, late_report, "", 0.0, VCS_REPORT_WITHDRAWN) \
    X(result, u64, 64, host, "", VCS_U64) \
    X(result, f64, 72, claimed, "", 0.0, VCS_MAX_CREDIT) \
    X(result, f64, 80, granted, "", 0.0, VCS_MAX_CREDIT) \
    X(result, flags, 88, revoked, "", 0.0, VCS_REVOKED_VALID | VCS_REVOKED_INVALID | VCS_REVOKED_RESULT) \
    X(result, zero, 92, reserved0, "", VCS_NO_RANGE) \
    X(result, zero, 96, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_change(X) \
    X(change, choice, 0, kind, "", 0.0, VCS_CHANGE_CREATE) \
    X(change, index, 4, result, "", VCS_U32) \
    X(change, u32, 8, field, "", VCS_U32) \
    X(change, u32, 12, reason, "", VCS_U32) \
    X(change, f64, 16, number, "", -DBL_MAX, VCS_INFINITY) \
    X(change, u64, 24, integer, "", VCS_U64) \
    X(change, zero, 32, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_unit_event(X) \
    X(unit_event, size, 0, struct_size, "bytes", VCS_U32) \
    X(unit_event, flags, 4, flags, "", 0.0, 0.0) \
    X(unit_event, choice, 8, kind, "", VCS_UNIT_EVENT_CREATED, VCS_UNIT_EVENT_WITHDRAWN) \
    X(unit_event, index, 12, result, "", VCS_U32) \
    X(unit_event, choice, 16, report, "", 0.0, VCS_REPORT_REFUSED) \
    X(unit_event, choice, 20, deletion, "", 0.0, VCS_NOT_DELETED) \
    X(unit_event, u64, 24, hr_class, "", VCS_U64) \
    X(unit_event, u64, 32, host, "", VCS_U64) \
    X(unit_event, f64, 40, estimate, "s", VCS_AMOUNT) \
    X(unit_event, f64, 48, claimed, "", 0.0, VCS_MAX_CREDIT) \
    X(unit_event, zero, 56, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_lesson(X) \
    X(lesson, size, 0, struct_size, "bytes", VCS_U32) \
    X(lesson, flags, 4, flags, "", 0.0, VCS_LESSON_TRUST | VCS_LESSON_QUOTA) \
    X(lesson, index, 8, result, "", VCS_U32) \
    X(lesson, choice, 12, trust, "", VCS_TRUST_VALID, VCS_TRUST_WRONG) \
    X(lesson, choice, 16, valid, "", 0.0, 1.0) \
    X(lesson, u32, 20, reason, "", VCS_U32) \
    X(lesson, u64, 24, host, "", VCS_U64) \
    X(lesson, zero, 32, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_check(X) \
    X(check, size, 0, struct_size, "bytes", VCS_U32) \
    X(check, flags, 4, flags, "", 0.0, VCS_BLACKLISTED) \
    X(check, choice, 8, method, "", 0.0, VCS_VERIFY_RECOMPUTATION) \
    X(check, choice, 12, outcome, "", 0.0, VCS_CHECK_FAILED) \
    X(check, zero, 16, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_verdict(X) \
    X(verdict, size, 0, struct_size, "bytes", VCS_U32) \
    X(verdict, u32, 4, flags, "", VCS_U32) \
    X(verdict, u32, 8, action, "", VCS_U32) \
    X(verdict, u32, 12, reason, "", VCS_U32) \
    X(verdict, zero, 16, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_ballot(X) \
    X(ballot, u64, 0, id, "", VCS_U64) \
    X(ballot, u32, 8, result_class, "", VCS_U32) \
    X(ballot, flags, 12, flags, "", 0.0, VCS_BLACKLISTED) \
    X(ballot, f64, 16, credibility, "", 0.0, VCS_MAX_CREDIBILITY) \
    X(ballot, zero, 24, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_ballot_verdict(X) \
    X(ballot_verdict, u32, 0, verdict, "", VCS_U32) \
    X(ballot_verdict, u32, 4, reason, "", VCS_U32) \
    X(ballot_verdict, zero, 8, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_vote_terms(X) \
    X(vote_terms, size, 0, struct_size, "bytes", VCS_U32) \
    X(vote_terms, flags, 4, flags, "", 0.0, VCS_VOTE_DECIDED) \
    X(vote_terms, u32, 8, copies, "", 1.0, 4294967295.0) \
    X(vote_terms, u32, 12, winner, "", VCS_U32) \
    X(vote_terms, f64, 16, tolerance, "", 0.0, 0.5) \
    X(vote_terms, choice, 24, rule, "", 0.0, VCS_VOTE_BY_CREDIBILITY) \
    X(vote_terms, zero, 28, reserved0, "", VCS_NO_RANGE)

#define VCS_FIELDS_vote_summary(X) \
    X(vote_summary, size, 0, struct_size, "bytes", VCS_U32) \
    X(vote_summary, u32, 4, flags, "", VCS_U32) \
    X(vote_summary, u32, 8, winner, "", VCS_U32) \
    X(vote_summary, u32, 12, reason, "", VCS_U32) \
    X(vote_summary, u32, 16, further, "", VCS_U32) \
    X(vote_summary, u32, 20, refused, "", VCS_U32) \
    X(vote_summary, u32, 24, votes, "", VCS_U32) \
    X(vote_summary, index, 28, ballot, "", VCS_U32) \
    X(vote_summary, f64, 32, doubt, "", 0.0, 1.0) \
    X(vote_summary, zero, 40, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_trust(X) \
    X(trust, u64, 0, id, "", VCS_U64) \
    X(trust, u64, 8, passed, "", VCS_U64) \
    X(trust, u64, 16, valid_in_row, "", VCS_U64) \
    X(trust, flags, 24, flags, "", 0.0, VCS_BLACKLISTED) \
    X(trust, u32, 28, reason, "", VCS_U32) \
    X(trust, zero, 32, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_quota(X) \
    X(quota, u64, 0, id, "", VCS_U64) \
    X(quota, f64, 8, day, "days", -VCS_MAX_TIME, VCS_MAX_TIME) \
    X(quota, u32, 16, most, "", 1.0, 4294967295.0) \
    X(quota, u32, 20, quota, "", 1.0, 4294967295.0) \
    X(quota, u32, 24, used, "", VCS_U32) \
    X(quota, zero, 28, reserved0, "", VCS_NO_RANGE) \
    X(quota, zero, 32, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_pace(X) \
    X(pace, f64, 0, bytes, "bytes", 0.0, 1e30) \
    X(pace, f64, 8, transfer_seconds, "s", 0.0, 1e30) \
    X(pace, f64, 16, complexity, "", 0.0, 1e30) \
    X(pace, f64, 24, compute_seconds, "s", 0.0, 1e30) \
    X(pace, u64, 32, replies, "", VCS_U64) \
    X(pace, zero, 40, reserved, "", VCS_NO_RANGE)

#define VCS_CLIENT_ALL_FLAGS (VCS_BLACKLISTED | VCS_CLIENT_DEAD | VCS_CLIENT_TALKING)

#define VCS_FIELDS_client(X) \
    X(client, u64, 0, id, "", VCS_U64) \
    X(client, f64, 8, pace.bytes, "bytes", 0.0, 1e30) \
    X(client, f64, 16, pace.transfer_seconds, "s", 0.0, 1e30) \
    X(client, f64, 24, pace.complexity, "", 0.0, 1e30) \
    X(client, f64, 32, pace.compute_seconds, "s", 0.0, 1e30) \
    X(client, u64, 40, pace.replies, "", VCS_U64) \
    X(client, zero, 48, pace.reserved, "", VCS_NO_RANGE) \
    X(client, f64, 56, last_heard, "s", VCS_TIME) \
    X(client, flags, 64, flags, "", 0.0, VCS_CLIENT_ALL_FLAGS) \
    X(client, zero, 68, reserved0, "", VCS_NO_RANGE) \
    X(client, zero, 72, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_dispatch_job(X) \
    X(dispatch_job, u64, 0, id, "", VCS_U64) \
    X(dispatch_job, f64, 8, size, "bytes", 0.0, 1e30) \
    X(dispatch_job, f64, 16, complexity, "", 0.0, 1e30) \
    X(dispatch_job, f64, 24, queued, "s", VCS_TIME) \
    X(dispatch_job, f64, 32, sent, "s", VCS_TIME) \
    X(dispatch_job, f64, 40, expected, "s", VCS_DURATION) \
    X(dispatch_job, choice, 48, state, "", 0.0, VCS_JOB_OVER) \
    X(dispatch_job, flags, 52, flags, "", 0.0, VCS_JOB_AT_HEAD) \
    X(dispatch_job, index, 56, client, "", VCS_U32) \
    X(dispatch_job, index, 60, copy_of, "", VCS_U32) \
    X(dispatch_job, zero, 64, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_dispatch_rules(X) \
    X(dispatch_rules, size, 0, struct_size, "bytes", VCS_U32) \
    X(dispatch_rules, flags, 4, flags, "", 0.0, 0.0) \
    X(dispatch_rules, choice, 8, order, "", 0.0, VCS_OVERDUE_FIRST) \
    X(dispatch_rules, u32, 12, most_per_client, "", VCS_U32) \
    X(dispatch_rules, f64, 16, wait_factor, "", DBL_MIN, 1e6) \
    X(dispatch_rules, f64, 24, dead_factor, "", DBL_MIN, 1e6) \
    X(dispatch_rules, f64, 32, first_rate, "bytes/s", 1e-9, 1e30) \
    X(dispatch_rules, f64, 40, first_speed, "", 1e-30, 1e30) \
    X(dispatch_rules, f64, 48, forget, "", 0.0, 1.0) \
    X(dispatch_rules, zero, 56, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_reply_times(X) \
    X(reply_times, size, 0, struct_size, "bytes", VCS_U32) \
    X(reply_times, flags, 4, flags, "", 0.0, 0.0) \
    X(reply_times, f64, 8, bytes, "bytes", 0.0, 1e30) \
    X(reply_times, f64, 16, transfer_seconds, "s", VCS_DURATION) \
    X(reply_times, f64, 24, complexity, "", 0.0, 1e30) \
    X(reply_times, f64, 32, compute_seconds, "s", VCS_DURATION) \
    X(reply_times, zero, 40, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_dispatch_decision(X) \
    X(dispatch_decision, size, 0, struct_size, "bytes", VCS_U32) \
    X(dispatch_decision, index, 4, job, "", VCS_U32) \
    X(dispatch_decision, u32, 8, is_copy, "", VCS_U32) \
    X(dispatch_decision, u32, 12, reason, "", VCS_U32) \
    X(dispatch_decision, f64, 16, next_check, "s", 0.0, VCS_INFINITY) \
    X(dispatch_decision, zero, 24, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_pool_client(X) \
    X(pool_client, u32, 0, liveness, "", VCS_U32) \
    X(pool_client, u32, 4, has_died, "", VCS_U32) \
    X(pool_client, u32, 8, jobs, "", VCS_U32) \
    X(pool_client, zero, 12, reserved0, "", VCS_NO_RANGE) \
    X(pool_client, f64, 16, silent, "s", VCS_AMOUNT) \
    X(pool_client, f64, 24, dead_in, "s", 0.0, VCS_INFINITY) \
    X(pool_client, f64, 32, rate, "bytes/s", 0.0, 1e30) \
    X(pool_client, f64, 40, speed, "", 0.0, 1e30) \
    X(pool_client, zero, 48, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_pool_summary(X) \
    X(pool_summary, size, 0, struct_size, "bytes", VCS_U32) \
    X(pool_summary, u32, 4, active, "", VCS_U32) \
    X(pool_summary, u32, 8, talking, "", VCS_U32) \
    X(pool_summary, u32, 12, dead, "", VCS_U32) \
    X(pool_summary, u32, 16, blacklisted, "", VCS_U32) \
    X(pool_summary, u32, 20, jobs, "", VCS_U32) \
    X(pool_summary, f64, 24, power, "", VCS_AMOUNT) \
    X(pool_summary, u32, 32, silent, "", VCS_U32) \
    X(pool_summary, u32, 36, window, "", VCS_U32) \
    X(pool_summary, u32, 40, duplicates, "", VCS_U32) \
    X(pool_summary, zero, 44, reserved0, "", VCS_NO_RANGE) \
    X(pool_summary, f64, 48, window_bytes, "bytes", VCS_AMOUNT) \
    X(pool_summary, f64, 56, window_span, "s", VCS_AMOUNT) \
    X(pool_summary, zero, 64, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_send_request(X) \
    X(send_request, f64, 0, seconds, "instance-s", 0.0, 1e30) \
    X(send_request, f64, 8, instances, "instances", 0.0, VCS_MAX_INSTANCES) \
    X(send_request, f64, 16, busy, "s", VCS_AMOUNT) \
    X(send_request, zero, 24, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_send_job(X) \
    X(send_job, u64, 0, unit, "", VCS_U64) \
    X(send_job, u64, 8, hr_class, "", VCS_U64) \
    X(send_job, f64, 16, latency_bound, "s", 0.0, VCS_INFINITY) \
    X(send_job, f64, 24, seconds, "instance-s", 0.0, 1e30) \
    X(send_job, f64, 32, disk, "bytes", VCS_AMOUNT) \
    X(send_job, u32, 40, max_per_host, "tasks", VCS_U32) \
    X(send_job, flags, 44, flags, "", 0.0, VCS_SEND_HOST_HAS_COPY | VCS_SEND_USER_HAS_COPY) \
    X(send_job, zero, 48, reserved, "", VCS_NO_RANGE)

#define VCS_SEND_ALL_FLAGS (VCS_BLACKLISTED | VCS_SEND_ONE_PER_USER | VCS_SEND_STUDY_RULES)

#define VCS_FIELDS_send_limits(X) \
    X(send_limits, size, 0, struct_size, "bytes", VCS_U32) \
    X(send_limits, flags, 4, flags, "", 0.0, VCS_SEND_ALL_FLAGS) \
    X(send_limits, u64, 8, hr_class, "", VCS_U64) \
    X(send_limits, f64, 16, disk, "bytes", 0.0, VCS_INFINITY) \
    X(send_limits, u32, 24, max_jobs, "tasks", VCS_U32) \
    X(send_limits, u32, 28, max_in_progress, "tasks", VCS_U32) \
    X(send_limits, u32, 32, in_progress, "tasks", VCS_U32) \
    X(send_limits, u32, 36, quota_left, "tasks", VCS_U32) \
    X(send_limits, zero, 40, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_send_decision(X) \
    X(send_decision, u32, 0, sent, "", VCS_U32) \
    X(send_decision, u32, 4, reason, "", VCS_U32) \
    X(send_decision, f64, 8, finish, "s", 0.0, VCS_INFINITY) \
    X(send_decision, index, 16, harmed, "", VCS_U32) \
    X(send_decision, index, 20, harmed_candidate, "", VCS_U32) \
    X(send_decision, zero, 24, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_next_request(X) \
    X(next_request, size, 0, struct_size, "bytes", VCS_U32) \
    X(next_request, flags, 4, flags, "", 0.0, VCS_REQUEST_WITHOUT_WORK) \
    X(next_request, u32, 8, sent, "tasks", VCS_U32) \
    X(next_request, u32, 12, late, "tasks", VCS_U32) \
    X(next_request, u32, 16, quota_left, "tasks", VCS_U32) \
    X(next_request, zero, 20, reserved0, "", VCS_NO_RANGE) \
    X(next_request, f64, 24, report_by, "s", -VCS_MAX_TIME, VCS_INFINITY) \
    X(next_request, f64, 32, least_delay, "s", 0.0, VCS_MAX_SECONDS) \
    X(next_request, f64, 40, no_work_delay, "s", 0.0, VCS_MAX_SECONDS) \
    X(next_request, f64, 48, deadline_delay, "s", 0.0, VCS_MAX_SECONDS) \
    X(next_request, f64, 56, quota_spread, "s", 0.0, VCS_MAX_SECONDS) \
    X(next_request, zero, 64, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_send_summary(X) \
    X(send_summary, size, 0, struct_size, "bytes", VCS_U32) \
    X(send_summary, u32, 4, flags, "", VCS_U32) \
    X(send_summary, u32, 8, sent, "tasks", VCS_U32) \
    X(send_summary, u32, 12, late, "tasks", VCS_U32) \
    X(send_summary, zero, 16, reserved, "", VCS_NO_RANGE)

/*
 * Every struct of libvcsched: S(name, VCS_TYPE_*, size, first size).
 *
 * The first size is that of the first release that has the struct: what every caller's is at least. It never changes,
 * while the size grows with each field that is appended. Parameters are completed from their profile, so they need no
 * more than what names it.
 */
#define VCS_STRUCTS(S) \
    S(error, VCS_TYPE_ERROR, 248, 248) \
    S(parameters, VCS_TYPE_PARAMETERS, 280, 16) \
    S(snapshot, VCS_TYPE_SNAPSHOT, 120, 120) \
    S(host, VCS_TYPE_HOST, 32, 32) \
    S(resource, VCS_TYPE_RESOURCE, 48, 48) \
    S(project, VCS_TYPE_PROJECT, 128, 128) \
    S(project_resource, VCS_TYPE_PROJECT_RESOURCE, 72, 72) \
    S(app, VCS_TYPE_APP, 56, 56) \
    S(task, VCS_TYPE_TASK, 128, 128) \
    S(wrr_summary, VCS_TYPE_WRR_SUMMARY, 48, 48) \
    S(task_forecast, VCS_TYPE_TASK_FORECAST, 24, 24) \
    S(resource_forecast, VCS_TYPE_RESOURCE_FORECAST, 40, 40) \
    S(project_resource_forecast, VCS_TYPE_PROJECT_RESOURCE_FORECAST, 32, 32) \
    S(edf_summary, VCS_TYPE_EDF_SUMMARY, 40, 40) \
    S(edf_task, VCS_TYPE_EDF_TASK, 32, 32) \
    S(edf_resource, VCS_TYPE_EDF_RESOURCE, 24, 24) \
    S(admission, VCS_TYPE_ADMISSION, 40, 40) \
    S(average, VCS_TYPE_AVERAGE, 32, 32) \
    S(ranking, VCS_TYPE_RANKING, 48, 48) \
    S(rank_entry, VCS_TYPE_RANK_ENTRY, 72, 72) \
    S(debt, VCS_TYPE_DEBT, 64, 64) \
    S(debt_interval, VCS_TYPE_DEBT_INTERVAL, 32, 32) \
    S(progress, VCS_TYPE_PROGRESS, 72, 72) \
    S(correction, VCS_TYPE_CORRECTION, 32, 32) \
    S(usable, VCS_TYPE_USABLE, 24, 24) \
    S(backoff_range, VCS_TYPE_BACKOFF_RANGE, 40, 40) \
    S(project_timer, VCS_TYPE_PROJECT_TIMER, 40, 40) \
    S(resource_backoff, VCS_TYPE_RESOURCE_BACKOFF, 40, 40) \
    S(transfer_backoff, VCS_TYPE_TRANSFER_BACKOFF, 56, 56) \
    S(parameter_info, VCS_TYPE_PARAMETER_INFO, 240, 240) \
    S(field_info, VCS_TYPE_FIELD_INFO, 104, 104) \
    S(reason_info, VCS_TYPE_REASON_INFO, 208, 208) \
    S(schedule_summary, VCS_TYPE_SCHEDULE_SUMMARY, 56, 56) \
    S(task_decision, VCS_TYPE_TASK_DECISION, 32, 32) \
    S(resource_decision, VCS_TYPE_RESOURCE_DECISION, 24, 24) \
    S(fetch_question, VCS_TYPE_FETCH_QUESTION, 32, 32) \
    S(fetch_summary, VCS_TYPE_FETCH_SUMMARY, 40, 40) \
    S(fetch_decision, VCS_TYPE_FETCH_DECISION, 56, 56) \
    S(reply, VCS_TYPE_REPLY, 48, 48) \
    S(resource_reply, VCS_TYPE_RESOURCE_REPLY, 48, 48) \
    S(rpc_project, VCS_TYPE_RPC_PROJECT, 104, 104) \
    S(rpc_session, VCS_TYPE_RPC_SESSION, 88, 88) \
    S(rpc_situation, VCS_TYPE_RPC_SITUATION, 40, 40) \
    S(rpc_action, VCS_TYPE_RPC_ACTION, 56, 56) \
    S(rpc_outcome, VCS_TYPE_RPC_OUTCOME, 64, 64) \
    S(unit, VCS_TYPE_UNIT, 144, 144) \
    S(result, VCS_TYPE_RESULT, 112, 112) \
    S(change, VCS_TYPE_CHANGE, 40, 40) \
    S(unit_event, VCS_TYPE_UNIT_EVENT, 72, 48) \
    S(lesson, VCS_TYPE_LESSON, 40, 40) \
    S(check, VCS_TYPE_CHECK, 32, 32) \
    S(verdict, VCS_TYPE_VERDICT, 32, 32) \
    S(ballot, VCS_TYPE_BALLOT, 40, 40) \
    S(ballot_verdict, VCS_TYPE_BALLOT_VERDICT, 24, 24) \
    S(vote_terms, VCS_TYPE_VOTE_TERMS, 32, 32) \
    S(vote_summary, VCS_TYPE_VOTE_SUMMARY, 56, 56) \
    S(trust, VCS_TYPE_TRUST, 48, 48) \
    S(quota, VCS_TYPE_QUOTA, 48, 48) \
    S(client, VCS_TYPE_CLIENT, 88, 88) \
    S(dispatch_job, VCS_TYPE_DISPATCH_JOB, 80, 80) \
    S(pace, VCS_TYPE_PACE, 48, 48) \
    S(dispatch_rules, VCS_TYPE_DISPATCH_RULES, 72, 72) \
    S(dispatch_decision, VCS_TYPE_DISPATCH_DECISION, 40, 40) \
    S(reply_times, VCS_TYPE_REPLY_TIMES, 56, 56) \
    S(pool_client, VCS_TYPE_POOL_CLIENT, 64, 64) \
    S(pool_summary, VCS_TYPE_POOL_SUMMARY, 80, 80) \
    S(send_request, VCS_TYPE_SEND_REQUEST, 40, 40) \
    S(send_job, VCS_TYPE_SEND_JOB, 64, 64) \
    S(send_limits, VCS_TYPE_SEND_LIMITS, 56, 56) \
    S(send_decision, VCS_TYPE_SEND_DECISION, 32, 32) \
    S(send_summary, VCS_TYPE_SEND_SUMMARY, 32, 32) \
    S(next_request, VCS_TYPE_NEXT_REQUEST, 80, 80)

#endif
