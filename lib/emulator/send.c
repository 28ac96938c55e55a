/* Rules 9.1 and 9.2; worked by hand in tests/emulator/test_emulator.c. SPDX-License-Identifier: MIT */
#include "emulator/send.h"

#include "core/number.h"
#include "emulator/notify.h"
#include "emulator/study.h"

int vcs_emu_sender_open(vcs_emu_sender *s) {
    const uint32_t resources = s->records->resource_count;
    s->requests = vcs_emu_allocate(s->memory, resources, sizeof *s->requests);
    s->busy = vcs_emu_allocate(s->memory, resources, sizeof *s->busy);
    s->resources = vcs_emu_allocate(s->memory, resources, sizeof *s->resources);
    return s->memory->failed ? VCS_ERR_MEMORY : VCS_OK;
}

/* ---- The request ---- */

/* How long each resource is busy with tasks in danger (rule 4.4). */
static int find_busy(vcs_emu_sender *s) {
    int code = vcs_emu_prepare(s->client);
    if (code == VCS_OK) {
        code = vcs_edf(s->client->state, VCS_EDF_MISSED, NULL);
    }
    return code == VCS_OK
               ? vcs_edf_resources(s->client->state, s->busy, sizeof *s->busy, s->records->resource_count)
               : code;
}

static int make_request(vcs_emu_sender *s, const vcs_fetch_decision *asked) {
    const bool seconds_only = vcs_emu_study_asks_for_seconds_only(s->clock->setup);
    const bool names_busy = !seconds_only && s->clock->setup->hooks.send == NULL;
    const int code = names_busy ? find_busy(s) : VCS_OK;
    for (uint32_t r = 0; r < s->records->resource_count; r++) {
        s->requests[r] = (vcs_send_request){
            .seconds = asked[r].seconds,
            .instances = seconds_only ? 0.0 : asked[r].instances,
            .busy = names_busy ? s->busy[r].busy : 0.0,
        };
    }
    return code;
}

/* ---- What the server knows ---- */

static int estimate_job(vcs_emu_sender *s, uint32_t index) {
    vcs_task *job = &s->jobs->candidates[index];
    const vcs_emu_true_task *truth = &s->jobs->truths[index];
    if (!vcs_emu_study_server_estimates(s->clock->setup)) {
        return vcs_emu_estimate(s->jobs->estimates, job, truth);
    }
    job->remaining = vcs_emu_study_remaining(s->clock->setup, truth->total, truth->est_flops / truth->speed);
    return VCS_OK;
}

/* If the caller's function decides on deadlines, the library is given none. */
static int describe_jobs(vcs_emu_sender *s) {
    const vcs_emu_setup *setup = s->clock->setup;
    const uint32_t count = s->jobs->count;
    int code = vcs_emu_reserve(s->memory, &s->job_vector, count, sizeof *s->jobs_offered);
    if (code == VCS_OK) {
        code = vcs_emu_reserve(s->memory, &s->decision_vector, count, sizeof *s->decisions);
    }
    s->jobs_offered = s->job_vector.base;
    s->decisions = s->decision_vector.base;
    for (uint32_t i = 0; code == VCS_OK && i < count; i++) {
        const uint32_t app = s->jobs->candidates[i].app;
        s->jobs_offered[i] = (vcs_send_job){
            .latency_bound = setup->hooks.send != NULL ? VCS_INFINITY : setup->models[app].latency_bound,
            .seconds = vcs_emu_study_send_seconds(setup, vcs_emu_job_fills(s->jobs, app)),
        };
        code = estimate_job(s, i);
    }
    return code;
}

static vcs_send_limits limits_of(const vcs_emu_sender *s, uint32_t project) {
    const uint32_t max_in_progress = s->clock->setup->servers[project].max_in_progress;
    vcs_send_limits limits;
    vcs_send_limits_init(&limits, sizeof limits);
    limits.flags = vcs_emu_study_send_flags(s->clock->setup);
    limits.max_jobs = s->clock->setup->emulation.max_reply;
    limits.max_in_progress = max_in_progress != 0 ? max_in_progress : UINT32_MAX;
    limits.in_progress = s->records->task_counts[project] + s->results->counts[project];
    return limits;
}

/* The host as the server sees it: with the jobs on offer. */
static vcs_snapshot snapshot_of_server(vcs_emu_sender *s) {
    vcs_snapshot snapshot = s->records->snapshot;
    for (uint32_t r = 0; r < s->records->resource_count; r++) {
        s->resources[r] = s->records->resources[r];
        s->resources[r].usable = vcs_emu_study_server_usable(s->clock->setup, s->resources[r].usable);
    }
    snapshot.resources.base = s->resources;
    snapshot.candidates.base = s->jobs->candidates;
    snapshot.candidates.count = s->jobs->count;
    return snapshot;
}

/* ---- The reply ---- */

/* If the caller's function decides on deadlines, the library does not test them. */
static int prepare(vcs_emu_sender *s, const vcs_snapshot *snapshot) {
    const vcs_emu_setup *setup = s->clock->setup;
    if (setup->hooks.send == NULL) {
        return vcs_emu_prepare_other(s->client, snapshot, &setup->parameters);
    }
    vcs_parameters policy = setup->parameters;
    policy.work_send = VCS_WORK_SEND_WS1;
    return vcs_emu_prepare_other(s->client, snapshot, &policy);
}

static int ask_library(vcs_emu_sender *s, uint32_t project, const vcs_snapshot *snapshot) {
    const vcs_send_limits limits = limits_of(s, project);
    vcs_send_summary summary = {.struct_size = sizeof summary};
    int code = prepare(s, snapshot);
    if (code == VCS_OK) {
        code = vcs_send(s->client->state, s->requests, sizeof *s->requests, s->records->resource_count,
                        s->jobs_offered, sizeof *s->jobs_offered, s->jobs->count, &limits, s->decisions,
                        sizeof *s->decisions, s->jobs->count, &summary, s->clock->setup->error);
    }
    s->merit->total.refused += summary.late;
    return code;
}

/* Of the jobs that would be sent, the caller's function may refuse any. */
static int ask_caller(vcs_emu_sender *s, const vcs_snapshot *snapshot) {
    const vcs_hooks *hooks = &s->clock->setup->hooks;
    int code = vcs_emu_prepare_other(s->client, snapshot, &s->clock->setup->parameters);
    if (code == VCS_OK) {
        code = vcs_wrr(s->client->state, NULL);
    }
    for (uint32_t i = 0; code == VCS_OK && i < s->jobs->count; i++) {
        const vcs_situation situation = vcs_emu_situation(s->client, snapshot);
        vcs_admission admission = {.struct_size = sizeof admission};
        if (!s->decisions[i].sent) {
            continue;
        }
        code = vcs_emu_hook_result(s->clock->setup, hooks->send(hooks->context, &situation, i, &admission), "send");
        s->decisions[i].sent = admission.admitted != 0;
        s->merit->total.refused += admission.admitted == 0;
    }
    return code;
}

/* The job joins the tasks of the host. */
static int deliver(vcs_emu_sender *s, uint32_t index, vcs_resource_reply *replies) {
    const vcs_task *task = &s->jobs->candidates[index];
    const vcs_emu_true_task *truth = &s->jobs->truths[index];
    s->merit->projects[task->project].received++;
    replies[task->gpu].tasks++;
    s->jobs->next_id = task->id + 1;
    const int code =
        vcs_emu_notify_task(s->clock, VCS_EVENT_RECEIVED, task, VCS_NONE, truth->total * truth->speed);
    return code == VCS_OK ? vcs_emu_add_task(s->tasks, task, truth) : code;
}

/* Whether the job was passed over because no more were wanted, or the host may have no more. */
static bool was_not_considered(uint32_t reason) {
    return reason == VCS_REASON_ENOUGH_SENT || reason == VCS_REASON_REPLY_FULL || reason == VCS_REASON_HOST_LIMIT ||
           reason == VCS_REASON_REPLY_ENDED;
}

int vcs_emu_send(vcs_emu_sender *s, uint32_t project, const vcs_fetch_decision *asked, vcs_resource_reply *replies) {
    int code = make_request(s, asked);
    if (code == VCS_OK) {
        code = vcs_emu_offer(s->jobs, project, s->requests);
    }
    if (code != VCS_OK || s->jobs->count == 0) {
        return code;
    }
    const vcs_snapshot snapshot = snapshot_of_server(s);
    code = describe_jobs(s);
    if (code == VCS_OK) {
        code = ask_library(s, project, &snapshot);
    }
    if (code == VCS_OK && s->clock->setup->hooks.send != NULL) {
        code = ask_caller(s, &snapshot);
    }
    for (uint32_t i = 0; code == VCS_OK && i < s->jobs->count; i++) {
        if (s->decisions[i].sent) {
            code = deliver(s, i, replies);
        } else if (was_not_considered(s->decisions[i].reason)) {
            vcs_emu_take_back(s->jobs, i);
        }
    }
    return code;
}
