/*
 * Which jobs are sent: each job on offer is tested in turn, and sent if it passes.
 *
 * Rules 9.1, 9.2, 13.4 and 13.6; the plain reference is tests/oracle/oracle_send.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/core/index_sort.h"
#include "vcsched/host/prepared.h"
#include "vcsched/interface/check/argument.h"
#include "vcsched/interface/fields/send_fields.h"
#include "vcsched/send/reply_memory.h"
#include "vcsched/simulation/lateness.h"

#include <stdbool.h>
#include <string.h>
#include <vcsched/simulation.h>

VCS_READ_INPUT(send_limits)
VCS_CHECK_RECORDS(send_request)
VCS_CHECK_RECORDS(send_job)

/* A job on offer, which is also a candidate of the state. */
typedef struct offer {
    uint32_t candidate;
    const vcs_send_job *job;
    const vcs_prepared_task *task;
} offer;

/* ---- Before the first job ---- */

static const vcs_send_job *job_of(const send_reply *reply, uint32_t candidate) {
    return vcs_element(reply->jobs, candidate);
}

static void read_requests(const send_reply *reply, const vcs_array *requests) {
    for (uint32_t r = 0; r < reply->state->resource_count; r++) {
        const vcs_send_request *asked = vcs_element(requests, r);
        need *wanted = &reply->needs[r];
        wanted->seconds = asked->seconds;
        wanted->units = vcs_units(asked->instances);
        wanted->busy = vcs_micros(asked->busy);
        wanted->latency_bound = asked->latency_bound;
        wanted->jobs = asked->jobs > 0 ? asked->jobs : UINT32_MAX;
        wanted->is_asked = wanted->seconds > 0.0 || wanted->units > 0;
    }
}

static void count_job(const send_reply *reply, const vcs_prepared_task *task) {
    if (task->app != VCS_NONE) {
        reply->app_jobs[task->app]++;
    }
}

static bool goes_before(const void *records, uint32_t a, uint32_t b) {
    const send_reply *reply = records;
    const uint64_t unit_a = job_of(reply, a)->unit, unit_b = job_of(reply, b)->unit;
    return unit_a != unit_b ? unit_a < unit_b : a < b;
}

static void find_copies(const send_reply *reply) {
    const uint32_t count = reply->state->candidate_count;
    vcs_sort_indices(reply->order, count, goes_before, reply);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t candidate = reply->order[i];
        const uint64_t unit = job_of(reply, candidate)->unit;
        reply->first_copy[candidate] = candidate;
        if (i > 0 && unit != 0 && unit == job_of(reply, reply->order[i - 1])->unit) {
            reply->first_copy[candidate] = reply->first_copy[reply->order[i - 1]];
        }
    }
}

/* Deadlines count from now. Admission subtracts its cushion, but the program of the study does not. */
static void set_deadlines(const send_reply *reply) {
    const vcs_state *state = reply->state;
    const bool is_without_cushion = reply->is_study && !reply->is_by_chance;
    const double cushion = is_without_cushion ? vcs_admission_cushion(&state->parameters) : 0.0;
    vcs_prepared_task *tasks = vcs_prepared_tasks(state) + state->task_count;
    for (uint32_t i = 0; i < state->candidate_count; i++) {
        tasks[i].deadline = state->now + job_of(reply, i)->latency_bound + cushion;
    }
}

static void begin(send_reply *reply, const vcs_array *requests) {
    vcs_state *state = reply->state;
    const vcs_counts counts = {
        .resources = state->resource_count, .apps = state->app_count, .candidates = state->candidate_count};
    vcs_arena scratch = vcs_scratch(state);
    vcs_reply_lay_out(reply, &counts, &scratch);
    vcs_clear_with_gaps(scratch.base, (size_t)scratch.used);
    reply->disk = reply->limits->disk;
    reply->is_study = (reply->limits->flags & VCS_SEND_STUDY_RULES) != 0;
    reply->is_by_chance = state->parameters.work_send == VCS_WORK_SEND_BY_CHANCE;
    reply->is_by_admission = reply->is_by_chance || state->parameters.work_send == VCS_WORK_SEND_WS2;
    read_requests(reply, requests);
    for (uint32_t i = 0; i < state->task_count; i++) {
        count_job(reply, &vcs_prepared_tasks(state)[i]);
    }
    find_copies(reply);
    set_deadlines(reply);
    state->has &= ~VCS_HAS_QUEUE;
}

/* ---- Why a job is not sent ---- */

/* The request, and how much the host may get (rule 9.1). */
static uint32_t reason_of_amount(const send_reply *reply, const offer *offered) {
    const need *wanted = &reply->needs[offered->task->resource];
    const vcs_send_limits *limits = reply->limits;
    if ((limits->flags & VCS_BLACKLISTED) != 0) {
        return VCS_REASON_BLACKLISTED;
    }
    if (reply->has_ended) {
        return VCS_REASON_REPLY_ENDED;
    }
    if (!wanted->is_asked) {
        return VCS_REASON_NOT_ASKED_FOR;
    }
    const bool is_filled = !(wanted->seconds > 0.0) && wanted->units == 0;
    if (is_filled || wanted->jobs == 0) {
        return VCS_REASON_ENOUGH_SENT;
    }
    if (reply->sent >= limits->max_jobs) {
        return VCS_REASON_REPLY_FULL;
    }
    if (reply->sent >= limits->quota_left) {
        return VCS_REASON_QUOTA;
    }
    if (limits->max_in_progress != UINT32_MAX &&
        (uint64_t)limits->in_progress + reply->sent >= limits->max_in_progress) {
        return VCS_REASON_HOST_LIMIT;
    }
    return VCS_REASON_NONE;
}

/* What the host may get of this work unit and application (rule 9.1). */
static uint32_t reason_of_unit(const send_reply *reply, const offer *offered) {
    const vcs_send_job *job = offered->job;
    const bool is_copy_sent = reply->is_sent[reply->first_copy[offered->candidate]] != 0;
    if ((job->flags & VCS_SEND_HOST_HAS_COPY) != 0 || is_copy_sent) {
        return VCS_REASON_HOST_HAS_COPY;
    }
    if ((job->flags & VCS_SEND_USER_HAS_COPY) != 0 && (reply->limits->flags & VCS_SEND_ONE_PER_USER) != 0) {
        return VCS_REASON_USER_HAS_COPY;
    }
    if (job->hr_class != 0 && job->hr_class != reply->limits->hr_class) {
        return VCS_REASON_OTHER_CLASS;
    }
    if (job->max_per_host != 0 && reply->app_jobs[offered->task->app] >= job->max_per_host) {
        return VCS_REASON_APP_HOST_LIMIT;
    }
    return VCS_REASON_NONE;
}

/* Whether the host is large enough (rule 9.1). */
static uint32_t reason_of_capacity(const send_reply *reply, const offer *offered) {
    const vcs_prepared_task *task = offered->task;
    const vcs_prepared_resource *resources = vcs_resources(reply->state);
    const double ram = reply->state->host.ram;
    if (ram > 0.0 && task->ram > ram) {
        return VCS_REASON_HOST_MEMORY;
    }
    if (offered->job->disk > reply->disk) {
        return VCS_REASON_HOST_DISK;
    }
    if (!task->takes_part || task->cpu_units > resources[0].capacity ||
        vcs_use_of(task) > resources[task->resource].capacity) {
        return VCS_REASON_CANNOT_RUN;
    }
    return VCS_REASON_NONE;
}

/* The host wants no job that is due so soon (rule 9.1). */
static uint32_t reason_of_bound(const send_reply *reply, const offer *offered) {
    const double shortest = reply->needs[offered->task->resource].latency_bound;
    return offered->job->latency_bound < shortest ? VCS_REASON_BOUND_TOO_SHORT : VCS_REASON_NONE;
}

/* WS1: after the tasks that keep the client busy, the job must finish within its latency bound (rule 9.1). */
static uint32_t reason_of_busy(const send_reply *reply, const offer *offered, vcs_send_decision *decision) {
    const vcs_prepared_task *task = offered->task;
    if (reply->is_by_admission && (reply->is_study || reply->is_by_chance)) {
        return VCS_REASON_NONE; /* admission looks at all that is due earlier */
    }
    const int64_t finish = reply->needs[task->resource].busy + task->run_time;
    decision->finish = vcs_seconds(finish);
    return finish > vcs_latest_in_sending(offered->job->latency_bound) ? VCS_REASON_BUSY_PAST_DEADLINE
                                                                       : VCS_REASON_NONE;
}

/* WS2: neither the job nor, because of it, another job in the queue may miss its deadline (rule 9.2). By chance: it
   must be likely enough to meet its own, and leave others their margins (rule 15.5). */
static uint32_t reason_of_admission(const send_reply *reply, const offer *offered, vcs_send_decision *decision) {
    vcs_admission admission = {.struct_size = sizeof admission};
    if (!reply->is_by_admission) {
        return VCS_REASON_NONE;
    }
    vcs_admit(reply->state, offered->candidate, &admission); /* cannot fail: no candidate is asked about twice */
    decision->finish = admission.finish;
    decision->harmed = admission.harmed;
    decision->harmed_candidate = admission.harmed_candidate;
    return admission.admitted ? VCS_REASON_NONE : admission.reason;
}

/* ---- The decision ---- */

static void add_job(send_reply *reply, const offer *offered) {
    const vcs_prepared_task *task = offered->task;
    const vcs_send_job *job = offered->job;
    need *wanted = &reply->needs[task->resource];
    const int64_t use = vcs_use_of(task);
    wanted->seconds -= job->seconds > 0.0 ? job->seconds : vcs_seconds(task->run_time) * vcs_instances(use);
    wanted->units = vcs_max_i64(wanted->units - use, 0);
    wanted->jobs -= wanted->jobs < UINT32_MAX;
    reply->disk -= job->disk;
    reply->is_sent[reply->first_copy[offered->candidate]] = 1;
    count_job(reply, task);
    reply->sent++;
}

static bool is_for_deadlines(uint32_t reason) {
    return reason == VCS_REASON_BUSY_PAST_DEADLINE || reason == VCS_REASON_OWN_DEADLINE ||
           reason == VCS_REASON_HARMS_TIMELY || reason == VCS_REASON_DELAYS_LATE || reason == VCS_REASON_SMALL_CHANCE ||
           reason == VCS_REASON_SMALLER_CHANCE || reason == VCS_REASON_WAIT_COSTS || reason == VCS_REASON_TAKES_MARGIN;
}

static uint32_t reason_of_deadlines(send_reply *reply, const offer *offered, vcs_send_decision *decision) {
    uint32_t reason = reason_of_bound(reply, offered);
    if (reason != VCS_REASON_NONE) {
        reply->late++;
        return reason;
    }
    reason = reason_of_busy(reply, offered, decision);
    if (reason == VCS_REASON_NONE) {
        reason = reason_of_admission(reply, offered, decision);
    }
    reply->late += is_for_deadlines(reason);
    reply->has_ended = reply->is_study && reason != VCS_REASON_NONE;
    return reason;
}

static void decide(send_reply *reply, const offer *offered, vcs_send_decision *decision) {
    memset(decision, 0, sizeof *decision);
    decision->finish = VCS_INFINITY;
    decision->harmed = VCS_NONE;
    decision->harmed_candidate = VCS_NONE;
    uint32_t reason = reason_of_amount(reply, offered);
    if (reason == VCS_REASON_NONE) {
        reason = reason_of_unit(reply, offered);
    }
    if (reason == VCS_REASON_NONE) {
        reason = reason_of_capacity(reply, offered);
    }
    if (reason == VCS_REASON_NONE) {
        reason = reason_of_deadlines(reply, offered, decision);
    }
    decision->sent = reason == VCS_REASON_NONE;
    decision->reason = decision->sent ? VCS_REASON_JOB_SENT : reason;
    if (decision->sent) {
        add_job(reply, offered);
    }
}

/* ---- The interface ---- */

static const char one_per_candidate[] = "array does not have one element for each candidate";

static const vcs_send_limits no_limits = {
    .struct_size = sizeof no_limits,
    .disk = VCS_INFINITY,
    .max_jobs = UINT32_MAX,
    .max_in_progress = UINT32_MAX,
    .quota_left = UINT32_MAX,
};

int vcs_send_limits_init(vcs_send_limits *limits, uint32_t size) {
    vcs_send_limits filled = no_limits;
    filled.struct_size = size;
    return vcs_hand_out_new(limits, size, VCS_FIRST_send_limits, &filled, sizeof filled);
}

/* Only a candidate of an application may have a limit per application. */
static int check_app_limits(const vcs_state *state, const vcs_array *jobs, vcs_error *error) {
    for (uint32_t i = 0; i < jobs->count; i++) {
        const vcs_send_job *job = vcs_element(jobs, i);
        if (job->max_per_host != 0 && vcs_prepared_tasks(state)[state->task_count + i].app == VCS_NONE) {
            return vcs_fail(error, VCS_ERR_RANGE, &vcs_send_job_layout, i, VCS_FIELD(vcs_send_job, max_per_host),
                            "is a limit per application, but the candidate belongs to none");
        }
    }
    return VCS_OK;
}

static int check_inputs(const vcs_state *state, const vcs_array *requests, const vcs_array *jobs, vcs_error *error) {
    int code = vcs_check_count(requests, &vcs_send_request_layout, state->resource_count,
                               "array does not have one element for each resource", error);
    code = code == VCS_OK ? vcs_check_send_requests(requests, error) : code;
    code = code == VCS_OK
               ? vcs_check_count(jobs, &vcs_send_job_layout, state->candidate_count, one_per_candidate, error)
               : code;
    code = code == VCS_OK ? vcs_check_send_jobs(jobs, error) : code;
    return code == VCS_OK ? check_app_limits(state, jobs, error) : code;
}

int vcs_send(vcs_state *state, const vcs_array *requests, const vcs_array *jobs, const vcs_send_limits *limits,
             const vcs_array *decisions, vcs_send_summary *summary, vcs_error *error) {
    vcs_send_limits own;
    int code = vcs_check_error(error);
    code = code == VCS_OK ? vcs_check_place(state, "state is NULL", error) : code;
    if (code != VCS_OK) {
        return code;
    }
    code = vcs_check_rows(decisions, &vcs_send_decision_layout, state->candidate_count, one_per_candidate, error);
    if (code == VCS_OK && summary != NULL) {
        code = vcs_check_struct(summary, &vcs_send_summary_layout, error);
    }
    code = code == VCS_OK ? check_inputs(state, requests, jobs, error) : code;
    if (limits == NULL) {
        limits = &no_limits;
    } else if (code == VCS_OK) {
        code = vcs_read_send_limits(&limits, &own, error);
    }
    if (code != VCS_OK) {
        return code;
    }
    send_reply reply = {.state = state, .jobs = jobs, .limits = limits};
    begin(&reply, requests);
    for (uint32_t i = 0; i < state->candidate_count; i++) {
        const offer offered = {i, job_of(&reply, i), &vcs_prepared_tasks(state)[state->task_count + i]};
        vcs_send_decision decision;
        decide(&reply, &offered, &decision);
        vcs_hand_out_element(decisions, i, &decision, sizeof decision);
    }
    if (summary != NULL) {
        const uint32_t flags = reply.sent == 0 && reply.late > 0 ? VCS_SEND_NO_WORK_FOR_DEADLINES : 0;
        const vcs_send_summary known = {summary->struct_size, flags, .sent = reply.sent, .late = reply.late};
        vcs_hand_out(summary, summary->struct_size, &known, sizeof known);
    }
    return VCS_OK;
}
