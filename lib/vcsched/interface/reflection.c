/*
 * What bindings ask of the structs, so that they can compare them with their own idea of the layout.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/interface/argument.h"
#include "vcsched/interface/check.h"

#include <string.h>

uint32_t vcs_struct_size(uint32_t type) {
    return vcs_known_size(type);
}

const char *vcs_struct_name(uint32_t type) {
    const vcs_struct_row *row = vcs_struct_row_of(type);
    return row == NULL ? "" : row->name;
}

uint32_t vcs_field_count(uint32_t type) {
    const vcs_struct_row *row = vcs_struct_row_of(type);
    return row == NULL ? 0 : row->fields;
}

/* The kinds as a binding wants them: what is stored, not what it means. */
static const char kind_names[][8] = {
    [VCS_KIND_F64] = "f64",    [VCS_KIND_U64] = "u64",    [VCS_KIND_U32] = "u32",     [VCS_KIND_I32] = "i32",
    [VCS_KIND_FLAGS] = "u32",  [VCS_KIND_CHOICE] = "u32", [VCS_KIND_INDEX] = "u32",   [VCS_KIND_SIZE] = "u32",
    [VCS_KIND_ZERO] = "bytes", [VCS_KIND_TEXT] = "bytes", [VCS_KIND_OTHER] = "bytes",
};

int vcs_field_at(uint32_t type, uint32_t index, vcs_field_info *info) {
    int code = vcs_check_struct(info, VCS_TYPE_FIELD_INFO, NULL);
    uint32_t count;
    const vcs_field_row *rows = vcs_field_rows(type, &count);
    if (code != VCS_OK || index >= count) {
        return code != VCS_OK ? code : VCS_ERR_INDEX;
    }
    const vcs_field_row *row = &rows[index];
    vcs_field_info filled = {
        .struct_size = info->struct_size,
        .type = type,
        .offset = row->offset,
        .size = row->size,
        .minimum = row->least,
        .maximum = row->greatest,
    };
    memcpy(filled.kind, kind_names[row->kind], sizeof filled.kind);
    memcpy(filled.name, row->name, sizeof row->name);
    memcpy(filled.unit, row->unit, sizeof filled.unit);
    vcs_hand_out(info, info->struct_size, &filled, sizeof filled);
    return VCS_OK;
}
