/* SPDX-License-Identifier: MIT */
#include "vcsched/interface/check.h"

#include "vcsched/core/number.h"

#include <string.h>
#include <vcemu/grid.h>

/* Appends text to a message of limited length, always leaving a closing 0. */
static void append(char *message, size_t size, const char *text) {
    size_t used = 0;
    while (message[used] != '\0') {
        used++;
    }
    while (used + 1 < size && *text != '\0') {
        message[used++] = *text++;
    }
    message[used] = '\0';
}

static void append_number(char *message, size_t size, uint64_t number) {
    char digits[24];
    size_t place = sizeof digits;
    digits[--place] = '\0';
    do {
        digits[--place] = (char)('0' + number % 10);
        number /= 10;
    } while (number != 0);
    append(message, size, digits + place);
}

/* Whether records of this type come in arrays alone. */
static int comes_in_arrays(uint32_t type) {
    switch (type) {
    case VCS_TYPE_RESOURCE:
    case VCS_TYPE_PROJECT:
    case VCS_TYPE_PROJECT_RESOURCE:
    case VCS_TYPE_APP:
    case VCS_TYPE_TASK:
    case VCS_TYPE_CANDIDATE:
    case VCS_TYPE_RANK_ENTRY:
    case VCS_TYPE_DEBT:
    case VCS_TYPE_RESULT:
    case VCS_TYPE_RPC_PROJECT:
    case VCS_TYPE_RESOURCE_REPLY:
    case VCS_TYPE_BALLOT:
    case VCS_TYPE_SEND_REQUEST:
    case VCS_TYPE_SEND_JOB:
    case VCS_TYPE_JOB_MODEL:
    case VCS_TYPE_SERVER_MODEL:
    case VCS_TYPE_GRID_PROJECT:
    case VCS_TYPE_HOST_ROW:
        return 1;
    default:
        return 0;
    }
}

static void write_message(vcs_error *error, const char *why) {
    const size_t size = sizeof error->message;
    if (error->type != VCS_TYPE_NONE) {
        append(error->message, size, vcs_struct_row_of(error->type)->name);
        if (error->index > 0 || comes_in_arrays(error->type)) { /* what comes one at a time has no number */
            append(error->message, size, " ");
            append_number(error->message, size, error->index);
        }
        append(error->message, size, ": ");
    }
    if (error->field[0] != '\0') {
        append(error->message, size, error->field);
        append(error->message, size, " ");
    }
    append(error->message, size, why);
}

/* Refuses for the field of this name, which begins at `offset`. */
static int fail(vcs_error *error, int code, uint32_t type, uint64_t index, uint32_t offset, const char *field,
                const char *why) {
    vcs_error refusal;
    memset(&refusal, 0, sizeof refusal);
    refusal.struct_size = error->struct_size;
    refusal.code = code;
    refusal.type = type;
    refusal.offset = offset;
    refusal.index = index;
    append(refusal.field, sizeof refusal.field, field);
    write_message(&refusal, why);
    vcs_hand_out(error, error->struct_size, &refusal, sizeof refusal);
    return code;
}

int vcs_fail(vcs_error *error, int code, uint32_t type, uint64_t index, uint32_t offset, const char *why) {
    if (error == NULL) {
        return code;
    }
    const vcs_field_row *row = offset == VCS_WHOLE_RECORD ? NULL : vcs_field_row_at(type, offset);
    return row == NULL ? fail(error, code, type, index, 0, "", why)
                       : fail(error, code, type, index, offset, row->name, why);
}

int vcs_fail_at(vcs_error *error, int code, uint64_t index, const char *what, const char *why) {
    return error == NULL ? code : fail(error, code, VCS_TYPE_NONE, index, 0, what, why);
}

void vcs_say_of_which(vcs_error *error, const char *what, uint64_t index) {
    vcs_error before, after;
    if (error == NULL) {
        return;
    }
    vcs_take_struct(&before, sizeof before, error, error->struct_size);
    after = before;
    after.message[0] = '\0';
    append(after.message, sizeof after.message, what);
    append(after.message, sizeof after.message, " ");
    append_number(after.message, sizeof after.message, index);
    append(after.message, sizeof after.message, ": ");
    append(after.message, sizeof after.message, before.message);
    vcs_hand_out(error, error->struct_size, &after, sizeof after);
}

int vcs_check_output(const void *out, uint32_t element_size, uint32_t type, uint32_t count, uint32_t needed) {
    if (count != needed) {
        return VCS_ERR_COUNT;
    }
    if (count == 0) {
        return VCS_OK;
    }
    if (out == NULL) {
        return VCS_ERR_NULL;
    }
    return vcs_check_size(type, element_size);
}

int vcs_check_array(const vcs_array *array, uint32_t type, vcs_error *error) {
    if (array->count == 0) {
        return VCS_OK;
    }
    if (array->base == NULL) {
        return vcs_fail(error, VCS_ERR_NULL, type, 0, VCS_WHOLE_RECORD, "array is NULL, but its count is not 0");
    }
    int code = vcs_check_size(type, array->element_size);
    if (code != VCS_OK) {
        return vcs_fail(error, code, type, 0, VCS_WHOLE_RECORD,
                        code == VCS_ERR_ABI_OLDER ? "element size is smaller than the first version's"
                                                  : "element size is 0, above 4096, or not a multiple of 8");
    }
    if (!vcs_is_aligned(array->base)) {
        return vcs_fail(error, VCS_ERR_ABI_SIZE, type, 0, VCS_WHOLE_RECORD, "array is not aligned");
    }
    if ((uint64_t)array->count * array->element_size > SIZE_MAX) {
        return vcs_fail(error, VCS_ERR_OVERFLOW, type, 0, VCS_WHOLE_RECORD, "array does not fit in memory");
    }
    return VCS_OK;
}

int vcs_take_record(void *known, const vcs_array *array, uint32_t index, uint32_t type, vcs_error *error) {
    if (vcs_take_struct(known, vcs_known_size(type), vcs_element(array, index), array->element_size) != VCS_OK) {
        return vcs_fail(error, VCS_ERR_ABI_NEWER, type, index, VCS_WHOLE_RECORD,
                        "has bytes set that this version of the library does not know");
    }
    return vcs_check_fields(type, known, index, error);
}

int vcs_refuse_fields(uint32_t type, const void *record, uint64_t index, vcs_error *error) {
    uint32_t count;
    const vcs_field_row *rows = vcs_field_rows(type, &count);
    for (uint32_t i = 0; i < count; i++) {
        const char *why = "";
        int code = vcs_check_row(&rows[i], record, &why);
        if (code != VCS_OK) {
            return vcs_fail(error, code, type, index, rows[i].offset, why);
        }
    }
    return VCS_OK;
}

int vcs_refuse_record(const vcs_array *array, uint32_t index, uint32_t type, vcs_error *error) {
    uint64_t known[VCS_LARGEST_STRUCT / sizeof(uint64_t)];
    return vcs_take_record(known, array, index, type, error);
}
