/* SPDX-License-Identifier: MIT */
#include "vcemu_scenario.h"

#include <stdio.h>
#include <stdlib.h>

#include "scenario.h"

struct vcemu_scenario {
    struct state_file file;
    vcs_emulation emulation;
    vcs_scenario records;
};

static void tell(char message[VCEMU_MESSAGE_SIZE], const struct fault *fault) {
    snprintf(message, VCEMU_MESSAGE_SIZE, "%s", fault->message);
}

static bool read_file(struct vcemu_scenario *scenario, const char *path, const struct vcemu_options *options,
                      struct fault *fault) {
    const struct policy_wish wish = {
        .profile = options->profile,
        .settings = options->settings,
        .setting_count = options->setting_count,
        .days = options->days,
        .has_seed = options->has_seed,
        .seed = options->seed,
    };
    if (!policy_check_wish(&wish, fault) ||
        !state_file_read(&scenario->file, path, &state_grammar_plain, &wish, fault) ||
        !scenario_check(&scenario->file, fault)) {
        return false;
    }
    scenario->records = scenario_of(&scenario->file, &scenario->emulation);
    return true;
}

struct vcemu_scenario *vcemu_scenario_read(const char *path, const struct vcemu_options *options,
                                           char message[VCEMU_MESSAGE_SIZE]) {
    const struct vcemu_options none = {.profile = NULL};
    struct vcemu_scenario *scenario = calloc(1, sizeof *scenario);
    struct fault fault;
    bool read = scenario != NULL || fault_set(&fault, "%s: there is not enough memory", path);
    read = read && read_file(scenario, path, options == NULL ? &none : options, &fault);
    tell(message, read ? &scenario->file.note : &fault);
    if (!read) {
        vcemu_scenario_free(scenario);
        return NULL;
    }
    return scenario;
}

void vcemu_scenario_free(struct vcemu_scenario *scenario) {
    if (scenario != NULL) {
        state_file_free(&scenario->file);
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
    return state_file_name(&scenario->file, STATE_PROJECT, project);
}

const char *vcemu_scenario_resource(const struct vcemu_scenario *scenario, uint32_t resource) {
    return state_file_resource_name(&scenario->file, resource);
}

void vcemu_scenario_explain(const struct vcemu_scenario *scenario, const vcs_error *error,
                            char message[VCEMU_MESSAGE_SIZE]) {
    struct fault fault;
    scenario_refuse(&scenario->file, error, &fault);
    tell(message, &fault);
}
