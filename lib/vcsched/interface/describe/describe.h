/*
 * Structs as data, for callers who ask by number. libvcemu has its own copy of describe.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_DESCRIBE_DESCRIBE_H
#define VCS_DESCRIBE_DESCRIBE_H

#include "vcsched/interface/check/layout.h"

#include <stdint.h>

typedef struct vcs_description {
    const vcs_layout *layout;
    const char *units; /* of the fields in their order, each with its closing 0 */
} vcs_description;

/* VCS_UNITS(task, ...) defines task_units; VCS_DESCRIPTION(task, ...) is a row of a table and refers to it. */
#define VCS_FIELD_UNIT(structure, kind, place, field, unit, ...) unit "\0"
#define VCS_UNITS(structure, ...) static const char structure##_units[] = VCS_FIELDS_##structure(VCS_FIELD_UNIT);
#define VCS_DESCRIPTION(structure, ...) {&vcs_##structure##_layout, structure##_units},

/* The answer of vcs_field_at() for a struct; NULL if its number is unknown. */
int vcs_describe_field(const vcs_description *of, uint32_t index, vcs_field_info *info);

/* The description of a struct of libvcsched; NULL for an unknown number. O(1). */
const vcs_description *vcs_description_of(uint32_t type);

#endif
