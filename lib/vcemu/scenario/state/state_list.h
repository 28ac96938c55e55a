/*
 * Lists of numbers: in a value, separated by commas, or one per line in a file of their own.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_SCENARIO_STATE_STATE_LIST_H
#define VCS_EMU_SCENARIO_STATE_STATE_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vcemu/scenario/text/fault.h"

/* Zero is an empty list. */
struct state_list {
    double *values;
    uint32_t count;
    size_t capacity;
};

/* Limits of the numbers. None is negative. */
struct state_list_rule {
    double greatest;
    bool ascending;
};

/* Adds the numbers of `text`, which stands at `place`. Returns false and describes the number at fault. */
bool vcs_scn_state_list_read(struct state_list *list, const char *text, const struct state_list_rule *rule,
                             const struct place *place, struct fault *fault);

/* Adds the numbers of a file, which is named at `named`. Empty lines and lines that begin with # or ; are skipped. */
bool vcs_scn_state_list_read_file(struct state_list *list, const char *path, const struct state_list_rule *rule,
                                  const struct place *named, struct fault *fault);

/* Adds a number. Returns false without memory. */
bool vcs_scn_state_list_add(struct state_list *list, double number);

void vcs_scn_state_list_free(struct state_list *list);

#endif
