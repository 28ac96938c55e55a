/*
 * Makes the library look like one of another version, loaded before it: OTHER_LIBRARY is the number of bytes
 * by which the records of type OTHER_TYPE are longer.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdint.h>
#include <stdlib.h>

#include <vcemu/bound.h>
#include <vcemu/grid.h>
#include <vcsched/vcsched.h>

static uint32_t true_size(uint32_t type) {
    static const struct {
        uint32_t type, size;
    } sizes[] = {
#define STRUCT(number, structure) {number, sizeof(structure)},
#define FIELD(number, structure, member)
#define MEANING(number, structure, member, meaning)
#define NESTED(number, structure, member, inner)
#include "layouts.inc"
    };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        if (sizes[i].type == type) {
            return sizes[i].size;
        }
    }
    return 0;
}

static uint32_t reported_size(uint32_t type) {
    const char *more = getenv("OTHER_LIBRARY"), *which = getenv("OTHER_TYPE");
    if (vcs_abi_version() != VCS_ABI_VERSION || *vcs_emulator_struct_name(VCS_TYPE_EMULATION) == '\0') {
        return 0; /* the real library is not the one that this was made for */
    }
    if (more != NULL && which != NULL && (uint32_t)atoi(which) == type) {
        return (uint32_t)((int)true_size(type) + atoi(more));
    }
    return true_size(type);
}

uint32_t vcs_emulator_struct_size(uint32_t type) {
    return reported_size(type == VCS_TYPE_CANDIDATE ? VCS_TYPE_TASK : type);
}
