/* SPDX-License-Identifier: MIT */
#include "vcsched/interface/describe/describe.h"

#include "vcsched/interface/check/argument.h"

/* The kinds as a binding wants them: the type in memory, not its meaning. */
static const char kind_names[][8] = {
    [VCS_KIND_F64] = "f64",    [VCS_KIND_U64] = "u64",    [VCS_KIND_U32] = "u32",     [VCS_KIND_I32] = "i32",
    [VCS_KIND_FLAGS] = "u32",  [VCS_KIND_CHOICE] = "u32", [VCS_KIND_INDEX] = "u32",   [VCS_KIND_SIZE] = "u32",
    [VCS_KIND_ZERO] = "bytes", [VCS_KIND_TEXT] = "bytes", [VCS_KIND_OTHER] = "bytes",
};

/* Copies text number `index` of several, each with its closing 0, to memory of zeros that is long enough. */
static void copy_text(char *to, const char *texts, uint32_t index) {
    for (; index > 0; texts++) {
        index -= *texts == '\0';
    }
    while (*texts != '\0') {
        *to++ = *texts++;
    }
}

int vcs_describe_field(const vcs_description *of, uint32_t index, vcs_field_info *info) {
    int code = vcs_check_struct(info, &vcs_field_info_layout, NULL);
    if (code != VCS_OK || of == NULL || index >= of->layout->count) {
        return code != VCS_OK ? code : VCS_ERR_INDEX;
    }
    const vcs_field_row *row = &of->layout->rows[index];
    vcs_field_info filled = {
        .struct_size = info->struct_size,
        .type = of->layout->type,
        .offset = row->offset,
        .size = row->size,
        .minimum = row->least,
        .maximum = row->greatest,
    };
    memcpy(filled.kind, kind_names[row->kind], sizeof filled.kind);
    copy_text(filled.name, of->layout->field_names, index);
    copy_text(filled.unit, of->units, index);
    vcs_hand_out(info, info->struct_size, &filled, sizeof filled);
    return VCS_OK;
}
