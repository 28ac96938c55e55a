/* SPDX-License-Identifier: MIT */
#include "vcsched/interface/check/check.h"

#include <string.h>

void vcs_join_texts(char *to, size_t size, const char *const *texts, size_t count) {
    for (size_t i = 0, used = 0; i < count; i++) {
        for (const char *text = texts[i]; *text != '\0' && used + 1 < size; text++) {
            to[used++] = *text;
        }
    }
}

const char *vcs_number_after_space(vcs_number_text *text, uint64_t number) {
    char *at = text->characters + sizeof text->characters;
    *--at = '\0';
    do {
        *--at = (char)('0' + number % 10);
        number /= 10;
    } while (number != 0);
    *--at = ' ';
    return at;
}

const char *vcs_field_name(const vcs_layout *layout, uint32_t offset) {
    const char *name = layout->field_names;
    for (uint32_t i = 0; i < layout->count && layout->rows[i].offset != offset; i++) {
        while (*name++ != '\0') {
        }
    }
    return name; /* "" behind the last */
}

/* Refuses for the field of this name, which begins at `offset`. */
static int fail(vcs_error *error, int code, const vcs_layout *layout, uint64_t index, uint32_t offset,
                const char *field, const char *why) {
    vcs_error refusal;
    vcs_number_text number;
    memset(&refusal, 0, sizeof refusal);
    refusal.struct_size = error->struct_size;
    refusal.code = code;
    refusal.type = layout == NULL ? VCS_TYPE_NONE : layout->type;
    refusal.offset = offset;
    refusal.index = index;
    const int is_numbered = layout != NULL && (index > 0 || layout->numbered); /* what comes alone has no number */
    const char *const texts[] = {
        layout == NULL ? "" : layout->name, is_numbered ? vcs_number_after_space(&number, index) : "",
        layout == NULL ? "" : ": ",         field,
        *field == '\0' ? "" : " ",          why,
    };
    vcs_join_texts(refusal.field, sizeof refusal.field, &field, 1);
    vcs_join_texts(refusal.message, sizeof refusal.message, texts, sizeof texts / sizeof *texts);
    vcs_hand_out(error, error->struct_size, &refusal, sizeof refusal);
    return code;
}

int vcs_fail(vcs_error *error, int code, const vcs_layout *layout, uint64_t index, uint32_t offset, const char *why) {
    if (error == NULL) {
        return code;
    }
    const char *field = offset == VCS_WHOLE_RECORD ? "" : vcs_field_name(layout, offset);
    return fail(error, code, layout, index, *field == '\0' ? 0 : offset, field, why);
}

int vcs_fail_at(vcs_error *error, int code, uint64_t index, const char *what, const char *why) {
    return error == NULL ? code : fail(error, code, NULL, index, 0, what, why);
}

int vcs_check_output(const vcs_array *out, uint32_t first_size, uint32_t needed) {
    if (out == NULL) {
        return VCS_ERR_NULL;
    }
    if (out->count != needed) {
        return VCS_ERR_COUNT;
    }
    if (needed == 0) {
        return VCS_OK;
    }
    return out->out == NULL ? VCS_ERR_NULL : vcs_check_size(first_size, out->element_size);
}

int vcs_check_array(const vcs_array *array, const vcs_layout *layout, vcs_error *error) {
    if (array == NULL) {
        return vcs_fail(error, VCS_ERR_NULL, layout, 0, VCS_WHOLE_RECORD, "array is NULL");
    }
    if (array->count == 0) {
        return VCS_OK;
    }
    if (array->base == NULL) {
        return vcs_fail(error, VCS_ERR_NULL, layout, 0, VCS_WHOLE_RECORD, "array is NULL, but its count is not 0");
    }
    int code = vcs_check_size(layout == NULL ? sizeof(double) : layout->first_size, array->element_size);
    if (code != VCS_OK) {
        return vcs_fail(error, code, layout, 0, VCS_WHOLE_RECORD,
                        code == VCS_ERR_ABI_OLDER ? "element size is smaller than the first version's"
                                                  : "element size is 0, above 4096, or not a multiple of 8");
    }
    if (!vcs_is_aligned(array->base)) {
        return vcs_fail(error, VCS_ERR_ABI_SIZE, layout, 0, VCS_WHOLE_RECORD, "array is not aligned");
    }
    if ((uint64_t)array->count * array->element_size > SIZE_MAX) {
        return vcs_fail(error, VCS_ERR_OVERFLOW, layout, 0, VCS_WHOLE_RECORD, "array does not fit in memory");
    }
    return VCS_OK;
}

int vcs_copy_record(void *known, const vcs_array *array, uint32_t index, const vcs_layout *layout, vcs_error *error) {
    if (vcs_copy_struct(known, layout->size, vcs_element(array, index), array->element_size) != VCS_OK) {
        return vcs_fail(error, VCS_ERR_ABI_NEWER, layout, index, VCS_WHOLE_RECORD,
                        "has bytes set that this version of the library does not know");
    }
    return vcs_check_fields(layout, known, index, error);
}

int vcs_refuse_fields(const vcs_layout *layout, const void *record, uint64_t index, vcs_error *error) {
    for (uint32_t i = 0; i < layout->count; i++) {
        const char *why = "";
        int code = vcs_check_row(&layout->rows[i], record, &why);
        if (code != VCS_OK) {
            return vcs_fail(error, code, layout, index, layout->rows[i].offset, why);
        }
    }
    return VCS_OK;
}

/* Bytes beyond the record that this version knows. */
static int is_zero_tail(const unsigned char *at, const unsigned char *end) {
    while (at < end && *at == 0) {
        at++;
    }
    return at >= end;
}

uint32_t vcs_count_passing(const vcs_layout *layout, const vcs_array *records) {
    const uint32_t known = layout->size;
    uint64_t copy[VCS_LARGEST_STRUCT / sizeof(uint64_t)];
    const unsigned char *at = records->base;
    uint32_t passed = 0;
    while (passed < records->count && layout->is_right(vcs_whole_element(records, passed, copy, known)) &&
           is_zero_tail(at + known, at + records->element_size)) {
        passed++;
        at += records->element_size;
    }
    return passed;
}

int vcs_refuse_record(const vcs_array *array, uint32_t index, const vcs_layout *layout, vcs_error *error) {
    uint64_t known[VCS_LARGEST_STRUCT / sizeof(uint64_t)];
    return vcs_copy_record(known, array, index, layout, error);
}
