/*
 * What reading a section of the state file takes, whatever its kind: its keys, the sections it refers to, and what to
 * say if something is wrong with it.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMU_SCENARIO_STATE_STATE_READER_H
#define VCS_EMU_SCENARIO_STATE_STATE_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "vcemu/scenario/text/fault.h"
#include "vcemu/scenario/state/state_file.h"
#include "vcemu/scenario/state/state_grammar.h"

struct state_reader {
    struct state_file *state;
    struct fault *fault;
    const struct ini_section *section; /* the one that is being read */
    const struct policy_wish *wish;
};

/* Describes what is wrong with the section, or with `key` of it if that is not NULL. Always returns false. */
bool vcs_scn_reader_refuse(const struct state_reader *reader, const char *key, const char *format, ...) FAULT_FORMAT(3);

/* Is this key given? */
bool vcs_scn_reader_has(const struct state_reader *reader, const char *key);

/* Returns false, and says so, if this key is not given. */
bool vcs_scn_reader_require(const struct state_reader *reader, const char *key);

/* Reads all keys of the section into its draft: each to where its offset says. Those that are not given stay. */
bool vcs_scn_reader_keys(const struct state_reader *reader, void *draft);

/* The path of a file that the state file names, from its own directory on. free() is due; NULL without memory. */
char *vcs_scn_reader_path(const struct state_reader *reader, const char *name);

/* Adds the numbers of the file `name`, the value of `key`. Returns false and describes what is wrong. */
bool vcs_scn_reader_list_file(const struct state_reader *reader, const char *key, const char *name,
                              const struct state_list_rule *rule, struct state_list *list);

/* Finds the section [KIND NAME] that the section refers to with `key`, or with its own name if that is NULL. */
bool vcs_scn_reader_find(const struct state_reader *reader, const char *key, uint32_t kind, const char *name,
                         uint32_t *record);

/* The same for a GPU type, as the number of a resource. */
bool vcs_scn_reader_find_gpu(const struct state_reader *reader, const char *key, const char *name, uint32_t *resource);

/*
 * Splits the name of the section, "PROJECT/REST", after the longest part that is the name of a project. Sets *rest to
 * what follows the slash.
 */
bool vcs_scn_reader_split_name(const struct state_reader *reader, uint32_t *project, const char **rest);

#endif
