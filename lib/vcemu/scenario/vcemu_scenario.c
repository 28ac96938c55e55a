/* SPDX-License-Identifier: MIT */
#include <vcemu/scenario.h>

#include <stdio.h>
#include <stdlib.h>

#include "vcemu/scenario/scenario.h"
#include "vcemu/scenario/vcemu_file.h"

struct vcemu_scenario {
    struct state_file file;
    vcs_emulation emulation;
    vcs_scenario records;
};

static void tell(char message[VCEMU_MESSAGE_SIZE], const struct fault *fault) {
    snprintf(message, VCEMU_MESSAGE_SIZE, "%s", fault->message);
}

bool vcs_scn_file_read(struct state_file *file, const char *path, const struct state_grammar *grammar,
                       bool (*check)(const struct state_file *file, struct fault *fault),
                       const struct vcemu_options *options, char message[VCEMU_MESSAGE_SIZE]) {
    const struct vcemu_options none = {.profile = NULL}, *given = options == NULL ? &none : options;
    const struct policy_wish wish = {
        .profile = given->profile,
        .settings = given->settings,
        .setting_count = given->setting_count,
        .days = given->days,
        .has_seed = given->has_seed,
        .seed = given->seed,
    };
    struct fault fault;
    const bool read = vcs_scn_policy_check_wish(&wish, &fault) &&
                      vcs_scn_state_file_read(file, path, grammar, &wish, &fault) && check(file, &fault);
    if (read && file->former.message[0] != '\0' && file->note.message[0] != '\0') {
        snprintf(message, VCEMU_MESSAGE_SIZE, "%s; %s", file->former.message, file->note.message);
    } else {
        tell(message, !read ? &fault : file->former.message[0] != '\0' ? &file->former : &file->note);
    }
    return read;
}

struct vcemu_scenario *vcemu_scenario_read(const char *path, const struct vcemu_options *options,
                                           char message[VCEMU_MESSAGE_SIZE]) {
    struct vcemu_scenario *scenario = calloc(1, sizeof *scenario);
    if (scenario == NULL) {
        snprintf(message, VCEMU_MESSAGE_SIZE, "%s: there is not enough memory", path);
        return NULL;
    }
    if (!vcs_scn_file_read(&scenario->file, path, &vcs_scn_state_grammar_plain, vcs_scn_check, options, message)) {
        vcemu_scenario_free(scenario);
        return NULL;
    }
    scenario->records = vcs_scn_scenario_of(&scenario->file, &scenario->emulation);
    return scenario;
}

void vcemu_scenario_free(struct vcemu_scenario *scenario) {
    if (scenario != NULL) {
        vcs_scn_state_file_free(&scenario->file);
        free(scenario);
    }
}

const vcs_scenario *vcemu_scenario_records(const struct vcemu_scenario *scenario) {
    return &scenario->records;
}

vcs_parameters vcemu_scenario_parameters(const struct vcemu_scenario *scenario) {
    return scenario->file.emulated_parameters;
}

vcs_emulation *vcemu_scenario_emulation(struct vcemu_scenario *scenario) {
    return &scenario->emulation;
}

const char *vcemu_scenario_project(const struct vcemu_scenario *scenario, uint32_t project) {
    return vcs_scn_state_file_name(&scenario->file, STATE_PROJECT, project);
}

const char *vcemu_scenario_resource(const struct vcemu_scenario *scenario, uint32_t resource) {
    return vcs_scn_state_file_resource_name(&scenario->file, resource);
}

void vcemu_scenario_explain(const struct vcemu_scenario *scenario, const vcs_error *error,
                            char message[VCEMU_MESSAGE_SIZE]) {
    struct fault fault;
    vcs_scn_refuse(&scenario->file, error, &fault);
    tell(message, &fault);
}
