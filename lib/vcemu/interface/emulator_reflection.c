/*
 * The structs of both libraries for callers who ask by number; libvcsched describes its own.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcemu/interface/emulator_reflection.h"

VCEMU_STRUCTS(VCS_UNITS)

static const vcs_description descriptions[] = {VCEMU_STRUCTS(VCS_DESCRIPTION)};

#define NUMBER(structure, ...) NUMBER_##structure,
enum { VCEMU_STRUCTS(NUMBER) };

const vcs_description *vcs_emu_description_of(uint32_t type) {
#define CASE(structure, type, ...)                                                                                     \
    case type:                                                                                                         \
        return &descriptions[NUMBER_##structure];
    switch (type) {
        VCEMU_STRUCTS(CASE)
    default:
        return NULL;
    }
}

uint32_t vcs_emulator_struct_size(uint32_t type) {
    const vcs_description *of = vcs_emu_description_of(type);
    return of == NULL ? vcs_struct_size(type) : of->layout->size;
}

const char *vcs_emulator_struct_name(uint32_t type) {
    const vcs_description *of = vcs_emu_description_of(type);
    return of == NULL ? vcs_struct_name(type) : of->layout->name;
}

uint32_t vcs_emulator_field_count(uint32_t type) {
    const vcs_description *of = vcs_emu_description_of(type);
    return of == NULL ? vcs_field_count(type) : of->layout->count;
}

int vcs_emulator_field_at(uint32_t type, uint32_t index, vcs_field_info *info) {
    const vcs_description *of = vcs_emu_description_of(type);
    return of == NULL ? vcs_field_at(type, index, info) : vcs_describe_field(of, index, info);
}
