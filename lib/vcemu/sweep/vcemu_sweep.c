/* Sweeps for other programs, as include/vcemu/sweep.h declares them. SPDX-License-Identifier: MIT */
#include <vcemu/sweep.h>

#include <stdio.h>
#include <stdlib.h>

#include "vcemu/sweep/options/command_line.h"
#include "vcemu/sweep/sweep_command.h"

/* The arguments as main() gets them. The caller frees them; NULL without memory. */
static const char **command_of(const vcs_sweep *sweep) {
    const char **arguments = calloc((size_t)sweep->argument_count + 3, sizeof *arguments);
    if (arguments != NULL) {
        arguments[0] = "vcemu";
        arguments[1] = "sweep";
        for (uint32_t i = 0; i < sweep->argument_count; i++) {
            arguments[i + 2] = sweep->arguments[i];
        }
    }
    return arguments;
}

static int run(const vcs_sweep *sweep, struct command_line *line, struct fault *fault) {
    if (line->command != COMMAND_SWEEP) {
        vcs_scn_fault_set(fault, "--help: see the manual");
        return VCS_SWEEP_USAGE;
    }
    line->wish.own_policy = sweep->policy;
    line->wish.own_policy_name = sweep->policy_name;
    line->sweep_options.receive = sweep->receive;
    line->sweep_options.receive_context = sweep->context;
    return vcs_swp_command(line, fault);
}

int vcs_emulate_sweep(const vcs_sweep *sweep, char *message, uint32_t message_size) {
    struct command_line line = {.command = COMMAND_HELP};
    struct fault fault = {""};
    int end = VCS_SWEEP_USAGE;
    const char **arguments = NULL;
    if (sweep->struct_size < sizeof *sweep || sweep->flags != 0) {
        vcs_scn_fault_set(&fault, "vcs_sweep: struct_size or flags is wrong");
    } else if ((arguments = command_of(sweep)) == NULL) {
        vcs_scn_fault_set(&fault, "there is not enough memory");
    } else if (vcs_swp_command_line_read(&line, (int)sweep->argument_count + 2, (char *const *)arguments, &fault)) {
        end = run(sweep, &line, &fault);
    }
    vcs_swp_command_line_free(&line);
    free(arguments);
    if (message_size > 0) {
        snprintf(message, message_size, "%s", end == VCS_SWEEP_DONE ? "" : fault.message);
    }
    return end;
}
