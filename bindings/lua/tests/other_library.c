/*
 * Makes libvcsched look like that of another version, loaded before it: OTHER_LIBRARY is the number of bytes that its
 * records of tasks have more.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdint.h>
#include <stdlib.h>

#include <vcsched/vcsched.h>

#define BYTES_OF_A_TASK 128

uint32_t vcs_struct_size(uint32_t type) {
    static const struct {
        uint32_t type, size;
    } sizes[] = {
#define STRUCT(number, structure) {number, sizeof(structure)},
#define FIELD(number, structure, member)
#define MEANING(number, structure, member, meaning)
#define NESTED(number, structure, member, inner)
#include "layouts.inc"
    };
    const char *more = getenv("OTHER_LIBRARY");
    if (vcs_abi_version() != VCS_ABI_VERSION) {
        return 0; /* the real library is not the one that this was made for */
    }
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        if (sizes[i].type == type) {
            return type == VCS_TYPE_TASK && more != NULL ? (uint32_t)(BYTES_OF_A_TASK + atoi(more)) : sizes[i].size;
        }
    }
    return type == VCS_TYPE_CANDIDATE ? vcs_struct_size(VCS_TYPE_TASK) : 0;
}
