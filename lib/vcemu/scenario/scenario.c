/* SPDX-License-Identifier: MIT */
#include "vcemu/scenario/scenario.h"

#include <stdlib.h>

#include "vcemu/scenario/prepare.h"

static vcs_array numbers(const struct state_list *list) {
    return (vcs_array){.base = list->values, .element_size = sizeof *list->values, .count = list->count};
}

vcs_scenario vcs_scn_scenario_of(const struct state_file *file, vcs_emulation *emulation) {
    *emulation = file->emulation;
    emulation->study_rules = file->parameters.profile == VCS_PROFILE_STUDY2007;
    vcs_scenario scenario = {.struct_size = sizeof scenario, .snapshot = vcs_scn_state_file_snapshot(file)};
    scenario.snapshot.candidates.count = 0; /* they are for admission */
    scenario.emulation = (vcs_array){.base = emulation, .element_size = sizeof *emulation, .count = 1};
    scenario.snapshot.apps.count = file->app_count;
    scenario.snapshot.app_resources.count += file->alike_resources;
    scenario.models = (vcs_array){.base = file->models, .element_size = sizeof *file->models, .count = file->app_count};
    scenario.servers =
        (vcs_array){.base = file->servers, .element_size = sizeof *file->servers, .count = file->counts[STATE_PROJECT]};
    scenario.sizes = numbers(&file->sizes);
    scenario.switches = numbers(&file->switches);
    return scenario;
}

bool vcs_scn_has_jobs(const struct state_file *file, uint32_t project) {
    for (uint32_t i = 0; i < file->app_count; i++) {
        if (file->apps[i].project == project && file->models[i].weight > 0) {
            return true;
        }
    }
    return false;
}

static bool has_work(const struct state_file *file) {
    bool found = file->counts[STATE_TASK] > 0;
    for (uint32_t i = 0; i < file->counts[STATE_PROJECT]; i++) {
        found = found || vcs_scn_has_jobs(file, i);
    }
    return found;
}

static bool refuse_idle(const struct state_file *file, struct fault *fault) {
    return vcs_scn_fault_set(
        fault,
        "%s: there are no jobs to emulate: the host has no task, and %s; an [app PROJECT/NAME] with "
        "latency_bound and est_flops describes the jobs of a project",
        file->document.file, file->counts[STATE_PROJECT] == 0 ? "there is no [project]" : "no project sends any");
}

bool vcs_scn_check(const struct state_file *file, struct fault *fault) {
    if (!has_work(file)) {
        return refuse_idle(file, fault);
    }
    vcs_state *state = vcs_scn_prepare_state(file, fault);
    free(state);
    return state != NULL;
}

/* For an application made from tasks of the file. */
static bool refuse_alike(const struct state_file *file, const vcs_error *error, struct fault *fault) {
    const struct ini_section *section = file->sections[STATE_TASK][file->alike[error->index]];
    struct place place = vcs_scn_ini_place(&file->document, section, error->field);
    return vcs_scn_fault_at(fault, &place, "in jobs like this task: %s", vcs_scn_fault_reason(error));
}

bool vcs_scn_refuse(const struct state_file *file, const vcs_error *error, struct fault *fault) {
    if (error->type == VCS_TYPE_JOB_MODEL && error->index < file->counts[STATE_APP]) {
        return vcs_scn_state_file_refuse(file, STATE_APP, error, fault);
    }
    if (error->type == VCS_TYPE_JOB_MODEL && error->index < file->app_count) {
        return refuse_alike(file, error, fault);
    }
    if (error->type == VCS_TYPE_SERVER_MODEL && error->index < file->counts[STATE_PROJECT]) {
        return vcs_scn_state_file_refuse(file, STATE_PROJECT, error, fault);
    }
    if (error->type == VCS_TYPE_EMULATION) {
        const bool of_host = error->offset >= offsetof(vcs_emulation, available);
        const char *kind = of_host ? "host" : "emulation";
        const struct ini_section *section = vcs_scn_ini_find(&file->document, kind, "");
        if (section != NULL) {
            struct place place = vcs_scn_ini_place(&file->document, section, error->field);
            return vcs_scn_fault_at(fault, &place, "%s", vcs_scn_fault_reason(error));
        }
    }
    return vcs_scn_fault_library(fault, file->document.file, error);
}

bool vcs_scn_refuse_policy(const struct state_file *file, bool has_policy, const vcs_error *error,
                           struct fault *fault) {
    if (has_policy && error->type == VCS_TYPE_NONE && error->code != VCS_ERR_MEMORY) {
        return vcs_scn_fault_set(fault, "%s: the policy ended the emulation: %s%s%d", file->document.file,
                                 error->message, error->message[0] == '\0' ? "" : ", ", error->code);
    }
    return vcs_scn_refuse(file, error, fault);
}
