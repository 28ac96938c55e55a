/*
 * The list of changes that a function answers with (rule 8.6).
 *
 * It is begun once all inputs have passed, and then has space for everything that can be added, so nothing can
 * fail halfway.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_UNIT_CHANGE_H
#define VCS_UNIT_CHANGE_H

#include <vcsched/change.h>

typedef struct vcs_change_list {
    unsigned char *base;
    uint32_t element_size, count;
} vcs_change_list;

/* Begins a list in the caller's memory, which must hold all that a unit of `result_count` results may need. */
int vcs_begin_changes(vcs_change_list *list, vcs_change *changes, uint32_t change_size, uint32_t change_capacity,
                      const uint32_t *change_count, uint32_t result_count, vcs_error *error);

/* A field that is a double gets a value; `result` is VCS_NONE for the unit. */
void vcs_change_number(vcs_change_list *list, uint32_t result, uint32_t field, double value, uint32_t reason);

/* A field that is an integer gets a value. */
void vcs_change_integer(vcs_change_list *list, uint32_t result, uint32_t field, uint64_t value, uint32_t reason);

/* New results are to be created. */
void vcs_change_create(vcs_change_list *list, uint64_t count, uint32_t reason);

#endif
