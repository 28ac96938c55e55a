/*
 * How a section of the state file is read, whatever its kind: its keys, the sections it refers to, and its faults.
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
    const struct ini_section *section; /* being read */
    const struct policy_wish *wish;
};

/* Describes a fault of the section, or of its key `key` if not NULL. Always returns false. */
bool vcs_scn_reader_refuse(const struct state_reader *reader, const char *key, const char *format, ...) FAULT_FORMAT(3);

/* Is this key given? */
bool vcs_scn_reader_has(const struct state_reader *reader, const char *key);

/* Returns false and describes the fault if this key is missing. */
bool vcs_scn_reader_require(const struct state_reader *reader, const char *key);

/* A key, and the key that it makes sense with. */
struct key_need {
    const char *key, *other;
};

/* Returns false and describes the fault if one of these keys is given without its other key. */
bool vcs_scn_reader_needs(const struct state_reader *reader, const struct key_need *needs, size_t count);

/* Reads all keys of the section into its draft, each at its offset. The rest of the draft keeps its defaults. */
bool vcs_scn_reader_keys(const struct state_reader *reader, void *draft);

/* The path of a file that the state file names, from its own directory on. free() is due; NULL without memory. */
char *vcs_scn_reader_path(const struct state_reader *reader, const char *name);

/* Adds the numbers of the file `name`, the value of `key`. Returns false and describes the fault. */
bool vcs_scn_reader_list_file(const struct state_reader *reader, const char *key, const char *name,
                              const struct state_list_rule *rule, struct state_list *list);

/* Finds the section [KIND NAME] that `key` refers to, or the name of the section itself if `key` is NULL. */
bool vcs_scn_reader_find(const struct state_reader *reader, const char *key, uint32_t kind, const char *name,
                         uint32_t *record);

/* Finds a GPU type in this way, as the index of a resource. */
bool vcs_scn_reader_find_gpu(const struct state_reader *reader, const char *key, const char *name, uint32_t *resource);

/* Splits the name of the section, "PROJECT/REST", after the longest name of a project. *rest follows the slash. */
bool vcs_scn_reader_split_name(const struct state_reader *reader, uint32_t *project, const char **rest);

/* Likewise "PROJECT/APPLICATION/REST" after the longest name of an application. */
bool vcs_scn_reader_split_app_name(const struct state_reader *reader, uint32_t *app, const char **rest);

/* The resource that the section is named after: CPU_NAME, or a [gpu]. */
bool vcs_scn_reader_find_resource(const struct state_reader *reader, const char *name, uint32_t *resource);

#endif
