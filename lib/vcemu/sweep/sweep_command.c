/* SPDX-License-Identifier: MIT */
#include "vcemu/sweep/sweep_command.h"

#include <stdio.h>
#include <stdlib.h>

#include "vcemu/scenario/grid/grid_scenario.h"

/* A scenario with servers or populations is one of `grid`, any other one of `run`. */
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

static bool read_scenario(struct state_file *file, const char *path, const struct policy_wish *wish,
                          struct fault *fault) {
    if (!vcs_scn_ini_read(&file->document, path, fault)) {
        return false;
    }
    file->grammar = grammar_of(&file->document);
    if (!vcs_scn_state_file_interpret(file, wish, fault)) {
        return false;
    }
    const struct fault *const notes[] = {&file->former, &file->note};
    for (size_t i = 0; i < 2; i++) {
        if (notes[i]->message[0] != '\0') {
            fprintf(stderr, "vcemu: warning: %s\n", notes[i]->message);
        }
    }
    return true;
}

static bool read_scenarios(const struct command_line *line, struct state_file *files, struct fault *fault) {
    for (size_t i = 0; i < line->path_count; i++) {
        if (!read_scenario(&files[i], line->paths[i], &line->wish, fault)) {
            return false;
        }
        if (files[i].grammar != files[0].grammar) {
            return vcs_scn_fault_set(fault, "%s and %s: one is a grid, the other a host", line->paths[0],
                                     line->paths[i]);
        }
    }
    return true;
}

/* The scenarios come first: they say which keys and figures there are. */
static int sweep(const struct command_line *line, struct state_file *files, struct fault *fault) {
    struct sweep_plan plan;
    int end = VCS_SWEEP_USAGE;
    if (!read_scenarios(line, files, fault)) {
        return VCS_SWEEP_REFUSED;
    }
    if (vcs_swp_plan_read(&plan, &line->sweep_options, files[0].grammar, &line->wish, fault)) {
        end = vcs_swp_run(&plan, files, &line->wish, fault);
    }
    vcs_swp_plan_free(&plan);
    return end;
}

int vcs_swp_command(const struct command_line *line, struct fault *fault) {
    struct state_file *files = calloc(line->path_count, sizeof *files);
    int end = VCS_SWEEP_REFUSED;
    if (files == NULL) {
        vcs_scn_fault_set(fault, "there is not enough memory for the scenarios");
        return end;
    }
    end = sweep(line, files, fault);
    for (size_t i = 0; i < line->path_count; i++) {
        vcs_scn_state_file_free(&files[i]);
    }
    free(files);
    return end;
}
