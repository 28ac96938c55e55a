/*
 * What bindings ask of the structs, so that they can compare them with their own idea of the layout.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/interface/describe/all_fields.h"
#include "vcsched/interface/describe/describe.h"

VCS_STRUCTS(VCS_UNITS)

/* A candidate is a task under another name. */
#define ALL(S) VCS_STRUCTS(S) S(candidate, VCS_TYPE_CANDIDATE, )
#define candidate_units task_units
static const vcs_description descriptions[] = {ALL(VCS_DESCRIPTION)};

#define NUMBER(structure, ...) NUMBER_##structure,
enum { ALL(NUMBER) };

const vcs_description *vcs_description_of(uint32_t type) {
#define CASE(structure, type, ...)                                                                                     \
    case type:                                                                                                         \
        return &descriptions[NUMBER_##structure];
    switch (type) {
        ALL(CASE)
    default:
        return NULL;
    }
}

uint32_t vcs_struct_size(uint32_t type) {
    const vcs_description *of = vcs_description_of(type);
    return of == NULL ? 0 : of->layout->size;
}

const char *vcs_struct_name(uint32_t type) {
    const vcs_description *of = vcs_description_of(type);
    return of == NULL ? "" : of->layout->name;
}

uint32_t vcs_field_count(uint32_t type) {
    const vcs_description *of = vcs_description_of(type);
    return of == NULL ? 0 : of->layout->count;
}

int vcs_field_at(uint32_t type, uint32_t index, vcs_field_info *info) {
    return vcs_describe_field(vcs_description_of(type), index, info);
}
