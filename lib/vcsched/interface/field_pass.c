/* SPDX-License-Identifier: MIT */
#include "vcsched/interface/field_pass.h"
#include "vcsched/interface/emulator_fields.h"
#include "vcsched/interface/field_table.h"

VCS_EMULATOR_STRUCTS(VCS_PASSES)

int vcs_passes(uint32_t type, const void *record) {
#define CHOOSE(structure, type, ...)                                                                                   \
    case type:                                                                                                         \
        return vcs_##structure##_passes(record);
    switch (type) {
        VCS_ALL_STRUCTS(CHOOSE)
    case VCS_TYPE_CANDIDATE:
        return vcs_task_passes(record);
    default:
        return 0;
    }
}

/* Bytes beyond the record that this version knows. */
static int is_zero_tail(const unsigned char *at, const unsigned char *end) {
    while (at < end && *at == 0) {
        at++;
    }
    return at >= end;
}

uint32_t vcs_count_passing(uint32_t type, const vcs_array *records) {
    const uint32_t known = vcs_known_size(type);
    uint64_t copy[VCS_LARGEST_STRUCT / sizeof(uint64_t)];
    const unsigned char *at = records->base;
    uint32_t passed = 0;
    while (passed < records->count && vcs_passes(type, vcs_whole_element(records, passed, copy, known)) &&
           is_zero_tail(at + known, at + records->element_size)) {
        passed++;
        at += records->element_size;
    }
    return passed;
}
