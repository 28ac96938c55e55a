/* The outcome of an emulation as text and as JSON. SPDX-License-Identifier: MIT */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "run/run.h"
#include "vcemu/scenario/scenario.h"
#include "text/json.h"

#define DAY 86400.0

/* ---- text ---- */

/* Figures of merit, in the order shown. */
static const struct figure {
    const char *name, *key;
    size_t offset;
    uint32_t undefined;
} figures[] = {
    {"waste", "waste", offsetof(vcs_outcome, waste), VCS_UNDEFINED_WASTE},
    {"idleness", "idleness", offsetof(vcs_outcome, idleness), VCS_UNDEFINED_WASTE},
    {"share violation", "share_violation", offsetof(vcs_outcome, share_violation), VCS_UNDEFINED_SHARE},
    {"monotony", "monotony", offsetof(vcs_outcome, monotony), VCS_UNDEFINED_MONOTONY},
    {"calls per job", "rpcs_per_job", offsetof(vcs_outcome, rpcs_per_job), VCS_UNDEFINED_RPCS},
    {"stops per job", "stops_per_job", offsetof(vcs_outcome, stops_per_job), VCS_UNDEFINED_RPCS},
    {"study's waste", "study_waste", offsetof(vcs_outcome, study_waste), VCS_UNDEFINED_STUDY},
    {"study's idleness", "study_idleness", offsetof(vcs_outcome, study_idleness), VCS_UNDEFINED_STUDY},
    {"study's shares", "study_share_violation", offsetof(vcs_outcome, study_share_violation),
     VCS_UNDEFINED_STUDY_SHARE},
};

#define FIGURES (sizeof figures / sizeof *figures)

static double value_of(const struct figure *figure, const vcs_outcome *outcome) {
    double value;
    memcpy(&value, (const unsigned char *)outcome + figure->offset, sizeof value);
    return value;
}

static void print_figure(FILE *out, const struct figure *figure, const vcs_outcome *outcome) {
    if ((outcome->flags & figure->undefined) != 0) {
        fprintf(out, "  %-17s    -     undefined: there is no data for it\n", figure->name);
    } else {
        fprintf(out, "  %-17s %8.4f\n", figure->name, value_of(figure, outcome));
    }
}

/* What was lost, and what any policy would have lost at the same mix of projects. */
static const char *const compared_names[3] = {"lost", "at least", "beyond the bound"};
static const char *const compared_keys[3] = {"lost", "least_loss", "beyond_bound"};

static double compared_value(const struct emulated *emulated, size_t index) {
    return index == 0 ? emulated->lost : index == 1 ? emulated->least : emulated->lost - emulated->least;
}

static void print_comparison(FILE *out, const struct emulated *emulated) {
    for (size_t i = 0; emulated->compared && i < 3; i++) {
        const double value = compared_value(emulated, i);
        if (isnan(value)) {
            fprintf(out, "  %-17s    -     unknown: vcemu bound says why\n", compared_names[i]);
        } else {
            fprintf(out, "  %-17s %8.4f\n", compared_names[i], value);
        }
    }
}

static double idle_time(const vcs_resource_outcome *resource, uint32_t reason) {
    const double times[VCS_IDLE_REASONS] = {
        [VCS_IDLE_UNFIT] = resource->idle_unfit,
        [VCS_IDLE_LIMIT] = resource->idle_limit,
        [VCS_IDLE_HELD] = resource->idle_held,
        [VCS_IDLE_BACKED_OFF] = resource->idle_backed_off,
        [VCS_IDLE_DISCONNECTED] = resource->idle_disconnected,
        [VCS_IDLE_NO_WORK] = resource->idle_no_work,
        [VCS_IDLE_UNEXPLAINED] = resource->idle_unexplained,
        [VCS_IDLE_SERVER_LIMIT] = resource->idle_server_limit,
    };
    return times[reason];
}

static void print_idle_time(FILE *out, const char *sentence, double seconds) {
    if (seconds > 0) {
        fprintf(out, "    %-55s %9.4f\n", sentence, seconds / DAY);
    }
}

static void print_resource(FILE *out, const struct emulated *emulated, uint32_t index) {
    const vcs_resource_outcome *resource = &emulated->resources[index];
    fprintf(out, "  %-24s %8.4f %9.4f %14.2f\n", vcs_scn_state_file_resource_name(emulated->file, index),
            resource->waste, resource->idleness, resource->available / DAY);
    for (uint32_t reason = VCS_IDLE_NONE + 1; reason < VCS_IDLE_REASONS; reason++) {
        print_idle_time(out, vcs_idle_sentence(reason), idle_time(resource, reason));
    }
    print_idle_time(out, "The host is off.", resource->off);
}

static void print_project(FILE *out, const struct emulated *emulated, uint32_t index) {
    const vcs_project_outcome *project = &emulated->projects[index];
    const double used = emulated->outcome.flops_used > 0 ? project->flops_used / emulated->outcome.flops_used : 0;
    fprintf(out, "  %-24s %6.2f %% %9llu %9llu %9llu %9llu\n",
            vcs_scn_state_file_name(emulated->file, STATE_PROJECT, index), 100 * used,
            (unsigned long long)project->received, (unsigned long long)project->in_time,
            (unsigned long long)project->late, (unsigned long long)project->calls);
}

void emulated_print_text(const struct emulated *emulated, FILE *out) {
    const vcs_outcome *outcome = &emulated->outcome;
    const double days = emulated->file->emulation.duration / DAY;
    fprintf(out, "%g day%s emulated, on for %g; profile %s, seed %llu\n\n", days, days == 1 ? "" : "s",
            outcome->available_time / DAY, vcs_profile_name(emulated->file->parameters.profile),
            (unsigned long long)emulated->file->emulation.seed);
    for (size_t i = 0; i < FIGURES; i++) {
        print_figure(out, &figures[i], outcome);
    }
    print_comparison(out, emulated);
    fprintf(out, "\n  %-24s %8s %9s %14s\n", "resource", "waste", "idleness", "instance days");
    for (uint32_t i = 0; i < emulated->resource_count; i++) {
        print_resource(out, emulated, i);
    }
    fprintf(out, "\n  %-24s %8s %9s %9s %9s %9s\n", "project", "used", "received", "in time", "late", "calls");
    for (uint32_t i = 0; i < emulated->file->counts[STATE_PROJECT]; i++) {
        print_project(out, emulated, i);
    }
    for (uint32_t i = 0; i < emulated->file->counts[STATE_PROJECT]; i++) {
        if (!vcs_scn_has_jobs(emulated->file, i)) {
            fprintf(out, "%s sends nothing: it has no task here, and no [app] describes its jobs.\n",
                    vcs_scn_state_file_name(emulated->file, STATE_PROJECT, i));
        }
    }
    emulated_print_late_jobs(emulated, out);
}

/* ---- JSON ---- */

static void write_figure(struct json *json, const struct figure *figure, const vcs_outcome *outcome) {
    if ((outcome->flags & figure->undefined) != 0) {
        json_null(json, figure->key);
    } else {
        json_number(json, figure->key, value_of(figure, outcome));
    }
}

static void write_resource(struct json *json, const struct emulated *emulated, uint32_t index) {
    const vcs_resource_outcome *resource = &emulated->resources[index];
    json_begin_object(json, NULL);
    json_string(json, "name", vcs_scn_state_file_resource_name(emulated->file, index));
    json_number(json, "waste", resource->waste);
    json_number(json, "idleness", resource->idleness);
    json_number(json, "available", resource->available);
    json_number(json, "used", resource->used);
    json_number(json, "wasted", resource->wasted);
    json_number(json, "in_time", resource->in_time);
    json_number(json, "done_late", resource->done_late);
    for (uint32_t reason = VCS_IDLE_NONE + 1; reason < VCS_IDLE_REASONS; reason++) {
        char key[32];
        snprintf(key, sizeof key, "idle_%s", vcs_idle_name(reason));
        json_number(json, key, idle_time(resource, reason));
    }
    json_number(json, "off", resource->off);
    json_end_object(json);
}

static void write_project(struct json *json, const struct emulated *emulated, uint32_t index) {
    const vcs_project_outcome *project = &emulated->projects[index];
    json_begin_object(json, NULL);
    json_string(json, "name", vcs_scn_state_file_name(emulated->file, STATE_PROJECT, index));
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
    json_whole(json, "done_late", project->done_late);
    json_whole(json, "unreported", project->unreported);
    json_whole(json, "stops", project->stops);
    json_number(json, "flops_received", project->flops_received);
    json_number(json, "flops_done_late", project->flops_done_late);
    json_number(json, "flops_unreported", project->flops_unreported);
    json_end_object(json);
}

void emulated_print_json(const struct emulated *emulated, FILE *out) {
    const vcs_outcome *outcome = &emulated->outcome;
    struct json json = json_start(out);
    json_begin_object(&json, NULL);
    json_string(&json, "profile", vcs_profile_name(emulated->file->parameters.profile));
    json_number(&json, "duration", emulated->file->emulation.duration);
    json_whole(&json, "seed", emulated->file->emulation.seed);
    for (size_t i = 0; i < FIGURES; i++) {
        write_figure(&json, &figures[i], outcome);
    }
    for (size_t i = 0; emulated->compared && i < 3; i++) {
        json_number(&json, compared_keys[i], compared_value(emulated, i)); /* null if it is unknown */
    }
    json_number(&json, "available_time", outcome->available_time);
    json_number(&json, "flops_available", outcome->flops_available);
    json_number(&json, "flops_used", outcome->flops_used);
    json_whole(&json, "received", outcome->received);
    json_whole(&json, "ended", outcome->ended);
    json_whole(&json, "in_time", outcome->in_time);
    json_whole(&json, "late", outcome->late);
    json_whole(&json, "stops", outcome->stops);
    json_whole(&json, "calls", outcome->calls);
    json_whole(&json, "failed_calls", outcome->failed_calls);
    json_whole(&json, "master_fetches", outcome->master_fetches);
    json_whole(&json, "failed_masters", outcome->failed_masters);
    json_whole(&json, "done_late", outcome->done_late);
    json_whole(&json, "unreported", outcome->unreported);
    json_number(&json, "flops_received", outcome->flops_received);
    json_number(&json, "flops_done_late", outcome->flops_done_late);
    json_number(&json, "flops_unreported", outcome->flops_unreported);
    json_begin_array(&json, "resources");
    for (uint32_t i = 0; i < emulated->resource_count; i++) {
        write_resource(&json, emulated, i);
    }
    json_end_array(&json);
    json_begin_array(&json, "projects");
    for (uint32_t i = 0; i < emulated->file->counts[STATE_PROJECT]; i++) {
        write_project(&json, emulated, i);
    }
    json_end_array(&json);
    json_end_object(&json);
    json_finish(&json);
}
