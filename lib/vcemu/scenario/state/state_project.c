/* [project] and [project_resource]: whom the host works for. SPDX-License-Identifier: MIT */
#include "vcemu/scenario/state/state_sections.h"

#include "vcemu/scenario/state/state_reader.h"

#define DEFAULT_SHARE 100.0

/* ---- [project NAME] ---- */

struct project_draft {
    vcs_project project;
    vcs_server_model server; /* of an emulated project */
};

#define PROJECT(field) offsetof(struct project_draft, field)

static const struct state_key project_keys[] = {
    {"class", FORM_WHOLE_SIGNED, .offset = PROJECT(project.priority_class), .field = "priority_class"},
    {"share", FORM_NUMBER, .offset = PROJECT(project.share)},
    {"rec", FORM_NUMBER, .offset = PROJECT(project.rec)},
    {"short_term_debt", FORM_NUMBER, .offset = PROJECT(project.short_term_debt)},
    {"long_term_debt", FORM_NUMBER, .offset = PROJECT(project.long_term_debt)},
    {"exp_avg_cpu", FORM_NUMBER, .offset = PROJECT(project.exp_avg_cpu)},
    {"dcf", FORM_NUMBER, .offset = PROJECT(project.dcf)},
    {"efficiency", FORM_NUMBER, .offset = PROJECT(project.efficiency)},
    {"max_concurrent", FORM_WHOLE, .offset = PROJECT(project.max_concurrent)},
    {"suspended", FORM_SWITCH, .offset = PROJECT(project.flags), .bit = VCS_PROJECT_SUSPENDED},
    {"no_new_work", FORM_SWITCH, .offset = PROJECT(project.flags), .bit = VCS_PROJECT_NO_NEW_WORK},
    {"keeps_tasks", FORM_SWITCH, .offset = PROJECT(project.flags), .bit = VCS_PROJECT_KEEPS_TASKS},
    {"apps_listed", FORM_SWITCH, .offset = PROJECT(project.flags), .bit = VCS_PROJECT_APPS_LISTED},
    {"wait", FORM_WORD, .offset = PROJECT(project.wait), .words = STATE_WAITS},
    {"min_rpc_time", FORM_NUMBER, .offset = PROJECT(project.min_rpc_time)},
    {"rpc_failures", FORM_WHOLE, .offset = PROJECT(project.rpc_failures)},
    {"uploading", FORM_WHOLE, .offset = PROJECT(project.uploading)},
    {"overdue", FORM_WHOLE, .offset = PROJECT(project.overdue)},
    {"unreported", FORM_WHOLE, .offset = PROJECT(project.unreported)},
    {"up_mean", FORM_NUMBER, .offset = PROJECT(server.up_mean), .range = RANGE_NOT_NEGATIVE},
    {"down_mean", FORM_NUMBER, .offset = PROJECT(server.down_mean), .range = RANGE_NOT_NEGATIVE},
    {"schedulers", FORM_WHOLE, .offset = PROJECT(server.schedulers)},
    {"scheduler_failure", FORM_NUMBER, .offset = PROJECT(server.scheduler_failure), .range = RANGE_FRACTION},
    {"network_failure", FORM_NUMBER, .offset = PROJECT(server.network_failure), .range = RANGE_FRACTION},
    {"master_failure", FORM_NUMBER, .offset = PROJECT(server.master_failure), .range = RANGE_FRACTION},
    {"moves_at", FORM_NUMBER, .offset = PROJECT(server.moves_at), .range = RANGE_NOT_NEGATIVE},
    {"request_delay", FORM_NUMBER, .offset = PROJECT(server.request_delay), .range = RANGE_NOT_NEGATIVE},
    {"max_in_progress", FORM_WHOLE, .offset = PROJECT(server.max_in_progress)},
};

/* Up and down times of its server alternate; one without the other makes no sense. */
static bool check_spells(const struct state_reader *reader) {
    return vcs_scn_reader_has(reader, "up_mean") == vcs_scn_reader_has(reader, "down_mean") ||
           vcs_scn_reader_require(reader, vcs_scn_reader_has(reader, "up_mean") ? "down_mean" : "up_mean");
}

static bool read_project(const struct state_reader *reader) {
    struct project_draft draft = {.project = {.id = reader->section->record, .share = DEFAULT_SHARE}};
    if (!vcs_scn_reader_keys(reader, &draft) || !check_spells(reader)) {
        return false;
    }
    reader->state->projects[reader->section->record] = draft.project;
    reader->state->servers[reader->section->record] = draft.server;
    return true;
}

const struct state_section vcs_scn_state_project_section = {
    .kind = "project",
    .named = true,
    .keys = project_keys,
    .key_count = sizeof project_keys / sizeof *project_keys,
    .read = read_project,
};

/* ---- [project_resource PROJECT/RESOURCE] ---- */

static const struct state_key project_resource_keys[] = {
    {"rec", FORM_NUMBER, .offset = offsetof(vcs_project_resource, rec)},
    {"backoff_interval", FORM_NUMBER, .offset = offsetof(vcs_project_resource, backoff_interval)},
    {"backoff_until", FORM_NUMBER, .offset = offsetof(vcs_project_resource, backoff_until)},
    {"received", FORM_NUMBER, .offset = offsetof(vcs_project_resource, received)},
    {"job_seconds", FORM_NUMBER, .offset = offsetof(vcs_project_resource, job_seconds)},
    {"job_bound", FORM_NUMBER, .offset = offsetof(vcs_project_resource, job_bound)},
    {"job_spread", FORM_NUMBER, .offset = offsetof(vcs_project_resource, job_spread)},
    {"excluded", FORM_INSTANCES, .offset = offsetof(vcs_project_resource, excluded)},
    {"max_instances", FORM_NUMBER, .offset = offsetof(vcs_project_resource, max_instances)},
    {"max_per_device", FORM_WHOLE, .offset = offsetof(vcs_project_resource, max_per_device)},
    {"not_wanted", FORM_SWITCH, .offset = offsetof(vcs_project_resource, flags),
     .bit = VCS_PROJECT_RESOURCE_NOT_WANTED},
    {"no_apps", FORM_SWITCH, .offset = offsetof(vcs_project_resource, flags), .bit = VCS_PROJECT_RESOURCE_NO_APPS},
    {"deferred", FORM_SWITCH, .offset = offsetof(vcs_project_resource, flags), .bit = VCS_PROJECT_RESOURCE_DEFERRED},
    {"server_limit", FORM_SWITCH, .offset = offsetof(vcs_project_resource, flags),
     .bit = VCS_PROJECT_RESOURCE_SERVER_LIMIT},
};

static bool read_project_resource(const struct state_reader *reader) {
    vcs_project_resource draft = {.id = reader->section->record};
    const char *resource;
    if (!vcs_scn_reader_keys(reader, &draft) || !vcs_scn_reader_split_name(reader, &draft.project, &resource)) {
        return false;
    }
    if (!vcs_scn_reader_find_resource(reader, resource, &draft.resource)) {
        return false;
    }
    reader->state->project_resources[reader->section->record] = draft;
    return true;
}

const struct state_section vcs_scn_state_project_resource_section = {
    .kind = "project_resource",
    .former = "pair",
    .named = true,
    .keys = project_resource_keys,
    .key_count = sizeof project_resource_keys / sizeof *project_resource_keys,
    .read = read_project_resource,
};
