/*
 * Lists of numbers: in a value, separated by commas, or one per line in a file of their own.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_SCENARIO_STATE_STATE_LIST_H
#define VCS_EMU_SCENARIO_STATE_STATE_LIST_H

#include <stdbool.h>
#include <stdint.h>

struct state_reader;

/* Zero is an empty list. */
struct state_list {
    double *values;
    uint32_t count;
    uint32_t capacity;
};

/* What the numbers may be. None is negative. */
struct state_list_rule {
    double greatest;
    bool ascending;
};

/*
 * Adds the numbers of `text`, the value of `key` in the section that is read. On an error it returns false, and says
 * which.
 */
bool vcs_scn_state_list_read(const struct state_reader *reader, const char *key, const char *text,
                             const struct state_list_rule *rule, struct state_list *list);

/*
 * Adds those of the file that `key` names, from the directory of the state file on. Empty lines and those that begin
 * with # or ; do not count.
 */
bool vcs_scn_state_list_read_file(const struct state_reader *reader, const char *key, const char *name,
                                  const struct state_list_rule *rule, struct state_list *list);

/* The path of a file that a state file names, from its own directory on. The caller frees it; NULL without memory. */
char *vcs_scn_state_list_path(const char *state_file, const char *name);

/* Adds a number. Returns false without memory. */
bool vcs_scn_state_list_add(struct state_list *list, double number);

void vcs_scn_state_list_free(struct state_list *list);

#endif
