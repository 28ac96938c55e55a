/* Sweeps for other programs, as include/vcemu/sweep.h declares them. SPDX-License-Identifier: MIT */
#include <vcemu/sweep.h>

#include <stdio.h>
#include <stdlib.h>

#include "vcemu/scenario/grid/grid_scenario.h"
#include "vcemu/scenario/policy/policy_library.h"
#include "vcemu/scenario/state/state_interpret.h"
#include "vcemu/scenario/state/state_sections.h"
#include "vcemu/scenario/state/state_settings.h"
#include "vcemu/sweep/sweep.h"
#include "vcsched/interface/check/field_check.h"

/* A scenario with servers or populations is a grid. */
static const struct state_grammar *grammar_of(const struct ini_document *document) {
    for (size_t i = 0; i < document->section_count; i++) {
        const struct ini_section *section = &document->sections[i];
        if (vcs_scn_ini_section_is(section, vcs_scn_grid_server_section.kind) ||
            vcs_scn_ini_section_is(section, vcs_scn_grid_population_section.kind)) {
            return &vcs_scn_grid_grammar;
        }
    }
    return &vcs_scn_state_grammar_plain;
}

static void watch_reading(void *context, uint64_t done, uint64_t total) {
    vcs_swp_watch_step(context, VCS_SWEEP_READING, done, total);
}

static bool read_scenario(struct state_file *file, const char *path, const struct policy_wish *wish,
                          struct sweep_watch *watch, struct fault *fault) {
    const struct read_watcher watcher = {.step = watch_reading, .context = watch};
    if (!vcs_scn_ini_read(&file->document, path, &watcher, fault)) {
        return false;
    }
    file->grammar = grammar_of(&file->document);
    if (!vcs_scn_state_settings_apply(&file->document, file->grammar, wish, fault) ||
        !vcs_scn_state_file_interpret(file, wish, fault)) {
        return false;
    }
    vcs_swp_watch_tell(watch, VCS_SWEEP_WARNING, file->former.message);
    vcs_swp_watch_tell(watch, VCS_SWEEP_WARNING, file->note.message);
    return true;
}

static bool read_scenarios(struct state_file *files, const struct policy_wish *wish, struct sweep_watch *watch,
                           struct fault *fault) {
    const vcs_sweep *sweep = watch->sweep;
    for (uint32_t i = 0; i < sweep->file_count; i++) {
        if (!read_scenario(&files[i], sweep->files[i], wish, watch, fault)) {
            return false;
        }
        if (files[i].grammar != files[0].grammar) {
            return vcs_scn_fault_set(fault, "%s and %s: one is a grid, the other a host", sweep->files[0],
                                     sweep->files[i]);
        }
    }
    return true;
}

/* The scenarios come first: they say which keys and figures there are. */
static int emulate(const vcs_sweep *sweep, struct state_file *files, const struct policy_wish *wish,
                   struct fault *fault) {
    struct sweep_watch watch = {.sweep = sweep};
    struct sweep_plan plan;
    int end = VCS_SWEEP_USAGE;
    if (!read_scenarios(files, wish, &watch, fault)) {
        return VCS_SWEEP_REFUSED;
    }
    if (vcs_swp_plan_read(&plan, sweep, files[0].grammar, wish, fault)) {
        end = vcs_swp_run(&plan, files, wish, &watch, fault);
    }
    vcs_swp_plan_free(&plan);
    return end;
}

/* What vcs_sweep had in its first release. */
#define FIRST_SWEEP (offsetof(vcs_sweep, reserved0) + sizeof(uint32_t))

static bool are_there(const char *const *texts, uint32_t count) {
    bool all = texts != NULL || count == 0;
    for (uint32_t i = 0; i < count && all; i++) {
        all = texts[i] != NULL;
    }
    return all;
}

/* Copies the sweep of a program of any age. */
static bool read_sweep(vcs_sweep *known, const vcs_sweep *sweep, struct fault *fault) {
    const uint32_t flags =
        VCS_SWEEP_JSON | VCS_SWEEP_EACH_SEED | VCS_SWEEP_EACH_HOST | VCS_SWEEP_RESUME | VCS_SWEEP_FORCE;
    if (sweep == NULL) {
        return vcs_scn_fault_set(fault, "vcs_sweep is NULL");
    }
    if (sweep->struct_size < FIRST_SWEEP || sweep->struct_size > VCS_LARGEST_STRUCT ||
        vcs_copy_struct(known, sizeof *known, sweep, sweep->struct_size) != VCS_OK || (known->flags & ~flags) != 0 ||
        known->file_count == 0) {
        return vcs_scn_fault_set(fault, "vcs_sweep: struct_size, flags or file_count is wrong");
    }
    return (are_there(known->files, known->file_count) && (known->axes != NULL || known->axis_count == 0) &&
            are_there(known->histograms, known->histogram_count)) ||
           vcs_scn_fault_set(fault, "vcs_sweep: files, axes or histograms is NULL");
}

static bool read_wish(const vcs_sweep *sweep, struct policy_wish *wish, struct fault *fault) {
    if (!vcs_scn_policy_read_wish(sweep->options, wish, fault)) {
        return false;
    }
    wish->policy = sweep->policy_file;
    wish->policy_argument = sweep->policy_argument;
    wish->own_policy = sweep->policy;
    wish->own_policy_name = sweep->policy_name;
    return sweep->policy == NULL ||
           vcs_scn_policy_library_check(sweep->policy, sweep->policy_name == NULL ? "" : sweep->policy_name, fault);
}

int vcs_emulate_sweep(const vcs_sweep *sweep, char *message, uint32_t message_size) {
    vcs_sweep known;
    struct policy_wish wish;
    struct fault fault = {""};
    int end = VCS_SWEEP_USAGE;
    if (read_sweep(&known, sweep, &fault) && read_wish(&known, &wish, &fault)) {
        struct state_file *files = calloc(known.file_count, sizeof *files);
        end = VCS_SWEEP_REFUSED;
        if (files == NULL) {
            vcs_scn_fault_set(&fault, "there is not enough memory for the scenarios");
        } else {
            end = emulate(&known, files, &wish, &fault);
        }
        if (end == VCS_SWEEP_REFUSED && vcs_scn_fault_is_of_option(&fault)) {
            end = VCS_SWEEP_USAGE;
        }
        for (uint32_t i = 0; files != NULL && i < known.file_count; i++) {
            vcs_scn_state_file_free(&files[i]);
        }
        free(files);
    }
    if (message_size > 0) {
        snprintf(message, message_size, "%s", end == VCS_SWEEP_DONE ? "" : fault.message);
    }
    return end;
}
