/* SPDX-License-Identifier: MIT */
#include <vcemu/sweep.h>

#include <stdio.h>
#include <stdlib.h>

#include "vcemu/sweep/options/command_line.h"
#include "vcemu/sweep/sweep_command.h"

/* The arguments as main() gets them. The caller frees them; NULL without memory. */
static const char **command_of(const struct vcemu_sweep *sweep) {
    const char **arguments = calloc(sweep->argument_count + 3, sizeof *arguments);
    if (arguments != NULL) {
        arguments[0] = "vcemu";
        arguments[1] = "sweep";
        for (size_t i = 0; i < sweep->argument_count; i++) {
            arguments[i + 2] = sweep->arguments[i];
        }
    }
    return arguments;
}

static enum vcemu_sweep_end run(const struct vcemu_sweep *sweep, struct command_line *line, struct fault *fault) {
    if (line->command != COMMAND_SWEEP) {
        vcs_scn_fault_set(fault, "--help: see the manual");
        return VCEMU_SWEEP_USAGE;
    }
    line->wish.own_policy = sweep->policy;
    line->wish.own_policy_name = sweep->policy_name;
    line->sweep_options.take = sweep->take;
    line->sweep_options.take_context = sweep->context;
    switch (vcs_swp_command(line, fault)) {
    case SWEEP_DONE:
        return VCEMU_SWEEP_DONE;
    case SWEEP_INTERRUPTED:
        return VCEMU_SWEEP_INTERRUPTED;
    case SWEEP_USAGE:
        return VCEMU_SWEEP_USAGE;
    default:
        return VCEMU_SWEEP_REFUSED;
    }
}

enum vcemu_sweep_end vcemu_sweep(const struct vcemu_sweep *sweep, char message[VCEMU_MESSAGE_SIZE]) {
    const char **arguments = command_of(sweep);
    struct command_line line = {.command = COMMAND_HELP};
    struct fault fault = {""};
    enum vcemu_sweep_end end = VCEMU_SWEEP_USAGE;
    if (arguments == NULL) {
        vcs_scn_fault_set(&fault, "there is not enough memory");
    } else if (vcs_swp_command_line_read(&line, (int)sweep->argument_count + 2, (char *const *)arguments, &fault)) {
        end = run(sweep, &line, &fault);
    }
    vcs_swp_command_line_free(&line);
    free(arguments);
    snprintf(message, VCEMU_MESSAGE_SIZE, "%s", end == VCEMU_SWEEP_DONE ? "" : fault.message);
    return end;
}
