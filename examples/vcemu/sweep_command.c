/* SPDX-License-Identifier: MIT */
#include "sweep_command.h"

#include <stdio.h>
#include <stdlib.h>

static bool read_scenarios(const struct command_line *line, struct state_file *files, struct fault *fault) {
    for (size_t i = 0; i < line->path_count; i++) {
        if (!state_file_read(&files[i], line->paths[i], &state_grammar_plain, &line->wish, fault)) {
            return false;
        }
        if (files[i].note.message[0] != '\0') {
            fprintf(stderr, "vcemu: warning: %s\n", files[i].note.message);
        }
    }
    return true;
}

enum sweep_end sweep_command(struct command_line *line, struct fault *fault) {
    struct state_file *files = calloc(line->path_count, sizeof *files);
    enum sweep_end end = SWEEP_REFUSED;
    if (files == NULL) {
        fault_set(fault, "there is not enough memory for the scenarios");
        return end;
    }
    if (read_scenarios(line, files, fault)) {
        end = sweep_run(&line->sweep, files, &line->wish, fault);
    }
    for (size_t i = 0; i < line->path_count; i++) {
        state_file_free(&files[i]);
    }
    free(files);
    return end;
}
