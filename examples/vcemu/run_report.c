/* What came of an emulation, as text and as JSON. SPDX-License-Identifier: MIT */
#include "json.h"
#include "run.h"
#include "scenario.h"

#define DAY 86400.0

/* ---- text ---- */

static void print_figure(FILE *out, const char *name, double value, bool undefined) {
    if (undefined) {
        fprintf(out, "  %-17s    -     undefined: there is no data for it\n", name);
    } else {
        fprintf(out, "  %-17s %8.4f\n", name, value);
    }
}

static void print_project(FILE *out, const struct emulated *emulated, uint32_t index) {
    const vcs_project_outcome *project = &emulated->projects[index];
    const double used = emulated->outcome.flops_used > 0 ? project->flops_used / emulated->outcome.flops_used : 0;
    fprintf(out, "  %-24s %6.2f %% %9llu %9llu %9llu %9llu\n", state_file_name(emulated->file, STATE_PROJECT, index),
            100 * used, (unsigned long long)project->received, (unsigned long long)project->in_time,
            (unsigned long long)project->late, (unsigned long long)project->calls);
}

void emulated_print_text(const struct emulated *emulated, FILE *out) {
    const vcs_outcome *outcome = &emulated->outcome;
    fprintf(out, "%g days emulated, on for %g; profile %s\n\n", emulated->file->emulation.duration / DAY,
            outcome->available_time / DAY, vcs_profile_name(emulated->file->parameters.profile));
    print_figure(out, "waste", outcome->waste, (outcome->flags & VCS_UNDEFINED_WASTE) != 0);
    print_figure(out, "idleness", outcome->idleness, (outcome->flags & VCS_UNDEFINED_WASTE) != 0);
    print_figure(out, "share violation", outcome->share_violation, (outcome->flags & VCS_UNDEFINED_SHARE) != 0);
    print_figure(out, "monotony", outcome->monotony, (outcome->flags & VCS_UNDEFINED_MONOTONY) != 0);
    print_figure(out, "calls per job", outcome->rpcs_per_job, (outcome->flags & VCS_UNDEFINED_RPCS) != 0);
    fprintf(out, "\n  %-24s %8s %9s %9s %9s %9s\n", "project", "used", "received", "in time", "late", "calls");
    for (uint32_t i = 0; i < emulated->file->counts[STATE_PROJECT]; i++) {
        print_project(out, emulated, i);
    }
    for (uint32_t i = 0; i < emulated->file->counts[STATE_PROJECT]; i++) {
        if (!scenario_has_jobs(emulated->file, i)) {
            fprintf(out, "%s sends nothing: it has no task here, and no [app] describes its jobs.\n",
                    state_file_name(emulated->file, STATE_PROJECT, i));
        }
    }
}

/* ---- JSON ---- */

static void write_figure(struct json *json, const char *key, double value, bool undefined) {
    if (undefined) {
        json_null(json, key);
    } else {
        json_number(json, key, value);
    }
}

static void write_project(struct json *json, const struct emulated *emulated, uint32_t index) {
    const vcs_project_outcome *project = &emulated->projects[index];
    json_begin_object(json, NULL);
    json_string(json, "name", state_file_name(emulated->file, STATE_PROJECT, index));
    json_number(json, "flops_used", project->flops_used);
    json_number(json, "flops_in_time", project->flops_in_time);
    json_number(json, "flops_late", project->flops_late);
    json_number(json, "mean_wait", project->mean_wait);
    json_whole(json, "received", project->received);
    json_whole(json, "ended", project->ended);
    json_whole(json, "in_time", project->in_time);
    json_whole(json, "late", project->late);
    json_whole(json, "calls", project->calls);
    json_whole(json, "failed_calls", project->failed_calls);
    json_whole(json, "master_fetches", project->master_fetches);
    json_whole(json, "failed_masters", project->failed_masters);
    json_end_object(json);
}

void emulated_print_json(const struct emulated *emulated, FILE *out) {
    const vcs_outcome *outcome = &emulated->outcome;
    struct json json = json_start(out);
    json_begin_object(&json, NULL);
    json_string(&json, "profile", vcs_profile_name(emulated->file->parameters.profile));
    json_number(&json, "duration", emulated->file->emulation.duration);
    write_figure(&json, "waste", outcome->waste, (outcome->flags & VCS_UNDEFINED_WASTE) != 0);
    write_figure(&json, "idleness", outcome->idleness, (outcome->flags & VCS_UNDEFINED_WASTE) != 0);
    write_figure(&json, "share_violation", outcome->share_violation, (outcome->flags & VCS_UNDEFINED_SHARE) != 0);
    write_figure(&json, "monotony", outcome->monotony, (outcome->flags & VCS_UNDEFINED_MONOTONY) != 0);
    write_figure(&json, "rpcs_per_job", outcome->rpcs_per_job, (outcome->flags & VCS_UNDEFINED_RPCS) != 0);
    json_number(&json, "available_time", outcome->available_time);
    json_number(&json, "flops_available", outcome->flops_available);
    json_number(&json, "flops_used", outcome->flops_used);
    json_whole(&json, "received", outcome->received);
    json_whole(&json, "ended", outcome->ended);
    json_whole(&json, "in_time", outcome->in_time);
    json_whole(&json, "late", outcome->late);
    json_whole(&json, "calls", outcome->calls);
    json_whole(&json, "failed_calls", outcome->failed_calls);
    json_whole(&json, "master_fetches", outcome->master_fetches);
    json_whole(&json, "failed_masters", outcome->failed_masters);
    json_begin_array(&json, "projects");
    for (uint32_t i = 0; i < emulated->file->counts[STATE_PROJECT]; i++) {
        write_project(&json, emulated, i);
    }
    json_end_array(&json);
    json_end_object(&json);
    json_finish(&json);
}
