/* SPDX-License-Identifier: MIT */
#include "plan/plan.h"
#include "text/json.h"

static const char *verdict_name(uint32_t verdict) {
    switch (verdict) {
    case VCS_VERDICT_MEETS:
        return "meets";
    case VCS_VERDICT_MISSES:
        return "misses";
    case VCS_VERDICT_STUCK:
        return "stuck";
    case VCS_VERDICT_SUSPENDED:
        return "apart";
    default:
        return "unknown";
    }
}

static void write_resource(struct json *json, const struct plan *plan, uint32_t index) {
    json_begin_object(json, NULL);
    json_string(json, "name", vcs_scn_state_file_resource_name(plan->file, index));
    json_whole(json, "instances", plan->file->resources[index].instances);
    json_number(json, "shortfall", plan->resources[index].shortfall);
    json_number(json, "idle_now", plan->resources[index].idle_now);
    json_number(json, "saturated", plan->resources[index].saturated);
    json_number(json, "busy", plan->busy[index].busy);
    json_end_object(json);
}

/* Without a predicted finish, it is unknown whether the deadline is missed. */
static void write_deadline_miss(struct json *json, uint32_t verdict) {
    if (verdict == VCS_VERDICT_MEETS || verdict == VCS_VERDICT_MISSES) {
        json_bool(json, "deadline_miss", verdict == VCS_VERDICT_MISSES);
    } else {
        json_null(json, "deadline_miss");
    }
}

/* The GPU instances that a task runs on, counted from 0. */
static void write_devices(struct json *json, uint64_t devices) {
    json_begin_array(json, "devices");
    for (uint32_t i = 0; i < VCS_MAX_GPU_INSTANCES; i++) {
        if ((devices >> i & 1) != 0) {
            json_whole(json, NULL, i);
        }
    }
    json_end_array(json);
}

static void write_task(struct json *json, const struct plan *plan, uint32_t index) {
    const vcs_task *task = &plan->file->tasks[index];
    const vcs_task_forecast *forecast = &plan->tasks[index];
    const vcs_task_decision *decision = &plan->decisions[index];
    json_begin_object(json, NULL);
    json_string(json, "name", vcs_scn_state_file_name(plan->file, STATE_TASK, index));
    json_string(json, "project", vcs_scn_state_file_name(plan->file, STATE_PROJECT, task->project));
    json_string(json, "resource", vcs_scn_state_file_resource_name(plan->file, task->gpu));
    json_number(json, "finish", forecast->finish);
    write_deadline_miss(json, forecast->verdict);
    json_string(json, "verdict", verdict_name(forecast->verdict));
    json_bool(json, "run", decision->run);
    json_string(json, "reason", vcs_reason_name(decision->reason));
    if (decision->run && task->gpu != 0) {
        write_devices(json, decision->devices);
    }
    if (plan_is_hopeless(plan, index)) {
        json_bool(json, "hopeless", true);
    }
    if (plan_gives_up(plan, index)) {
        json_bool(json, "give_up", true);
    }
    json_end_object(json);
}

static void write_project(struct json *json, const struct plan *plan, uint32_t index) {
    json_begin_object(json, NULL);
    json_string(json, "name", vcs_scn_state_file_name(plan->file, STATE_PROJECT, index));
    json_number(json, "priority", plan->priorities[index]);
    json_begin_array(json, "resources");
    for (uint32_t i = 0; i < vcs_scn_state_file_resource_count(plan->file); i++) {
        const vcs_project_resource_forecast *project_resource = plan_project_resource(plan, index, i);
        const vcs_fetch_decision *request = plan_request(plan, index, i);
        json_begin_object(json, NULL);
        json_string(json, "name", vcs_scn_state_file_resource_name(plan->file, i));
        json_number(json, "shortfall", project_resource->shortfall);
        json_whole(json, "misses", project_resource->misses);
        json_whole(json, "tasks", project_resource->tasks);
        json_number(json, "request_seconds", request->seconds);
        json_number(json, "request_instances", request->instances);
        json_string(json, "reason", vcs_reason_name(request->reason));
        json_end_object(json);
    }
    json_end_array(json);
    json_end_object(json);
}

static void write_schedule(struct json *json, const struct plan *plan) {
    json_begin_object(json, "schedule");
    json_whole(json, "running", plan->schedule.running);
    json_whole(json, "started", plan->schedule.started);
    json_whole(json, "stopped", plan->schedule.stopped);
    json_number(json, "look_again", plan->schedule.next_check);
    json_end_object(json);
}

static void write_fetch(struct json *json, const struct plan *plan) {
    json_begin_object(json, "fetch");
    if (plan->fetch.project == VCS_NONE) {
        json_null(json, "project");
    } else {
        json_string(json, "project", vcs_scn_state_file_name(plan->file, STATE_PROJECT, plan->fetch.project));
    }
    json_string(json, "reason", vcs_reason_name(plan->fetch.reason));
    json_number(json, "look_again", plan->fetch.next_check);
    json_end_object(json);
}

void plan_print_json(const struct plan *plan, FILE *out) {
    const struct state_file *file = plan->file;
    struct json json = json_start(out);
    json_begin_object(&json, NULL);
    json_number(&json, "now", file->now);
    json_string(&json, "profile", vcs_profile_name(file->parameters.profile));
    json_bool(&json, "stopped", plan_is_cut(plan));
    json_number(&json, "reached", plan->wrr.simulated_until);
    write_schedule(&json, plan);
    write_fetch(&json, plan);
    json_begin_array(&json, "resources");
    for (uint32_t i = 0; i < vcs_scn_state_file_resource_count(file); i++) {
        write_resource(&json, plan, i);
    }
    json_end_array(&json);
    json_begin_array(&json, "tasks");
    for (uint32_t i = 0; i < file->counts[STATE_TASK]; i++) {
        write_task(&json, plan, i);
    }
    json_end_array(&json);
    json_begin_array(&json, "projects");
    for (uint32_t i = 0; i < file->counts[STATE_PROJECT]; i++) {
        write_project(&json, plan, i);
    }
    json_end_array(&json);
    json_end_object(&json);
    json_finish(&json);
}
