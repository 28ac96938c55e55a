/*
 * How vcemu_scenario.h and vcemu_grid.h read their files. Not for other programs.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_SCENARIO_VCEMU_FILE_H
#define VCS_EMU_SCENARIO_VCEMU_FILE_H

#include "vcemu/scenario/state/state_file.h"
#include <vcemu/scenario.h>

/*
 * Reads `path` by the grammar, with what the options say of it, which may be NULL, and has it checked. The message is
 * what is wrong, or else what was taken for granted. vcs_scn_state_file_free() is due in both cases.
 */
bool vcs_scn_file_read(struct state_file *file, const char *path, const struct state_grammar *grammar,
                       bool (*check)(const struct state_file *file, struct fault *fault),
                       const struct vcemu_options *options, char message[VCEMU_MESSAGE_SIZE]);

#endif
