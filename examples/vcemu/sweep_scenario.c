/* SPDX-License-Identifier: MIT */
#include "sweep_scenario.h"

#include <stdlib.h>
#include <string.h>

#include "ini_edit.h"
#include "scenario.h"

/* Long enough for the emulator to check its input. */
#define DURATION_OF_CHECK 1e-3

/* No error of the library: what ends an emulation that nobody waits for any more. */
#define STOPPED (-1000)

/* ---- the values of a point ---- */

static bool no_memory(struct fault *fault) {
    return fault_set(fault, "there is not enough memory for the sweep");
}

static bool set_in_sections(struct ini_document *document, const struct sweep_axis *axis, const char *value,
                            struct fault *fault) {
    const char *kind = state_grammar_section(axis->grammar, axis->kind)->kind;
    for (size_t i = 0; i < document->section_count; i++) {
        struct ini_section *section = &document->sections[i];
        const bool is_meant = ini_section_is(section, kind) &&
                              (axis->section == NULL || strcmp(ini_section_name(section), axis->section) == 0);
        if (is_meant && !ini_set(document, section, axis->entry, value)) {
            return no_memory(fault);
        }
    }
    return true;
}

static bool set_axis(struct sweep_scenario *scenario, size_t number, uint64_t point, struct fault *fault) {
    const struct sweep_axis *axis = &scenario->grid->axes[number];
    char buffer[SWEEP_NUMBER_SIZE];
    char *value = scenario->values[number] + strlen(axis->key) + 1;
    const char *text = sweep_grid_value(scenario->grid, point, number, buffer);
    memcpy(value, text, strlen(text) + 1);
    if (axis->kind != STATE_CLIENT) {
        return set_in_sections(&scenario->file.document, axis, value, fault);
    }
    if (strcmp(axis->entry, "profile") == 0) {
        scenario->wish.profile = value;
    }
    return true; /* the setting of a parameter is the text itself */
}

/* Makes the scenario that of the point. */
static bool move_to(struct sweep_scenario *scenario, uint64_t point, struct fault *fault) {
    if (scenario->point == point) {
        return true;
    }
    scenario->point = UINT64_MAX;
    for (size_t i = 0; i < scenario->grid->axis_count; i++) {
        if (!set_axis(scenario, i, point, fault)) {
            return false;
        }
    }
    if (!policy_check_wish(&scenario->wish, fault) || !state_file_interpret(&scenario->file, &scenario->wish, fault) ||
        !scenario_check(&scenario->file, fault)) {
        return sweep_grid_fault_at(scenario->grid, point, fault);
    }
    scenario->point = point;
    return true;
}

/* ---- emulation ---- */

static int go_on(void *stop, const vcs_event *event) {
    (void)event;
    return atomic_load_explicit((atomic_bool *)stop, memory_order_relaxed) ? STOPPED : VCS_OK;
}

/* Emulates as the library's records say. */
static bool emulate(const struct sweep_scenario *scenario, const vcs_scenario *records, const vcs_hooks *hooks,
                    vcs_outcome *outcome, struct fault *fault) {
    const struct state_file *file = &scenario->file;
    vcs_error error = {.struct_size = sizeof error};
    *outcome = (vcs_outcome){.struct_size = sizeof *outcome};
    error.code = vcs_emulate(records, &file->emulated_parameters, hooks, outcome, NULL, 0, 0, NULL, 0, 0, &error);
    if (error.code == VCS_OK) {
        return true;
    }
    scenario_refuse(file, &error, fault);
    return sweep_grid_fault_at(scenario->grid, scenario->point, fault);
}

bool sweep_scenario_check(struct sweep_scenario *scenario, uint64_t point, struct fault *fault) {
    vcs_emulation emulation;
    vcs_outcome outcome;
    if (!move_to(scenario, point, fault)) {
        return false;
    }
    const vcs_scenario records = scenario_of(&scenario->file, &emulation);
    if (emulation.duration > DURATION_OF_CHECK && emulation.duration <= VCS_MAX_EMULATION) {
        emulation.duration = DURATION_OF_CHECK;
    }
    return emulate(scenario, &records, NULL, &outcome, fault);
}

bool sweep_scenario_emulate(struct sweep_scenario *scenario, uint64_t point, uint64_t seed, atomic_bool *stop,
                            vcs_outcome *outcome, struct fault *fault) {
    vcs_emulation emulation;
    if (!move_to(scenario, point, fault)) {
        return false;
    }
    const vcs_scenario records = scenario_of(&scenario->file, &emulation);
    const vcs_hooks hooks = {.struct_size = sizeof hooks, .context = stop, .observe = go_on};
    emulation.seed += seed;
    return emulate(scenario, &records, &hooks, outcome, fault);
}

/* ---- from the state file ---- */

static bool has_section(const struct ini_document *document, const struct sweep_axis *axis) {
    const char *kind = state_grammar_section(axis->grammar, axis->kind)->kind;
    if (axis->section != NULL) {
        return ini_find(document, kind, axis->section) != NULL;
    }
    for (size_t i = 0; i < document->section_count; i++) {
        if (ini_section_is(&document->sections[i], kind)) {
            return true;
        }
    }
    return false;
}

/* Space for the text of the axis, which is a setting too if it is one of a parameter. */
static bool add_axis(struct sweep_scenario *scenario, size_t number, struct fault *fault) {
    const struct sweep_axis *axis = &scenario->grid->axes[number];
    const size_t length = strlen(axis->key);
    char *text = calloc(length + 1 + axis->value_size, 1);
    scenario->values[number] = text;
    if (text == NULL) {
        return no_memory(fault);
    }
    memcpy(text, axis->key, length);
    text[length] = '=';
    if (axis->kind != STATE_CLIENT) {
        return has_section(&scenario->file.document, axis) ||
               fault_set(fault, "--vary %s: %s has no section [%s%s%s]", fault_quote(axis->key).text,
                         scenario->file.document.file, state_grammar_section(axis->grammar, axis->kind)->kind,
                         axis->section == NULL ? "" : " ",
                         axis->section == NULL ? "" : fault_quote(axis->section).text);
    }
    if (strcmp(axis->entry, "profile") != 0) {
        scenario->settings[scenario->wish.setting_count++] = text;
        scenario->wish.varied_count++;
    }
    return true;
}

bool sweep_scenario_make(struct sweep_scenario *scenario, const struct sweep_grid *grid, const struct state_file *base,
                         const struct policy_wish *wish, struct fault *fault) {
    const size_t settings = wish->setting_count + grid->axis_count;
    *scenario = (struct sweep_scenario){
        .grid = grid,
        .wish = *wish,
        .settings = calloc(settings == 0 ? 1 : settings, sizeof *scenario->settings),
        .values = calloc(grid->axis_count == 0 ? 1 : grid->axis_count, sizeof *scenario->values),
        .point = UINT64_MAX,
    };
    scenario->file.grammar = base->grammar;
    if (scenario->settings == NULL || scenario->values == NULL ||
        !ini_copy(&scenario->file.document, &base->document)) {
        return no_memory(fault);
    }
    for (size_t i = 0; i < wish->setting_count; i++) {
        scenario->settings[i] = wish->settings[i];
    }
    scenario->wish.settings = scenario->settings;
    for (size_t i = 0; i < grid->axis_count; i++) {
        if (!add_axis(scenario, i, fault)) {
            return false;
        }
    }
    return true;
}

void sweep_scenario_free(struct sweep_scenario *scenario) {
    for (size_t i = 0; scenario->values != NULL && i < scenario->grid->axis_count; i++) {
        free(scenario->values[i]);
    }
    free(scenario->values);
    free(scenario->settings);
    state_file_free(&scenario->file);
}
