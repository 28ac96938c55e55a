/* SPDX-License-Identifier: MIT */
#include "vcsched/interface/check/field_check.h"

#include "vcsched/core/number.h"

static int is_zero(const unsigned char *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] != 0) {
            return 0;
        }
    }
    return 1;
}

int vcs_copy_other_version(void *known, uint32_t known_size, const void *callers, uint32_t callers_size) {
    uint32_t common = callers_size < known_size ? callers_size : known_size;
    memcpy(known, callers, common);
    memset((unsigned char *)known + common, 0, known_size - common);
    return is_zero((const unsigned char *)callers + common, callers_size - common) ? VCS_OK : VCS_ERR_ABI_NEWER;
}

void vcs_hand_out_other_version(void *callers, uint32_t callers_size, const void *known, uint32_t known_size) {
    uint32_t common = callers_size < known_size ? callers_size : known_size;
    memcpy(callers, known, common);
    memset((unsigned char *)callers + common, 0, callers_size - common);
}

static int check_double(const vcs_field_row *row, double value, const char **why) {
    if (value != value) {
        *why = "is not a number";
        return VCS_ERR_NOT_FINITE;
    }
    if (!vcs_is_finite(value) && value != row->least && value != row->greatest) {
        *why = "is infinite";
        return VCS_ERR_NOT_FINITE;
    }
    if (value < row->least) {
        *why = value < 0.0 && row->least >= 0.0 ? "is negative" : "is too small";
        return VCS_ERR_RANGE;
    }
    *why = "is too large";
    return value > row->greatest ? VCS_ERR_RANGE : VCS_OK;
}

static int check_word(const vcs_field_row *row, uint32_t value, const char **why) {
    if (row->kind == VCS_KIND_FLAGS) {
        *why = "has a flag that this version of the library does not know";
        return (value & ~(uint32_t)row->greatest) != 0 ? VCS_ERR_FLAGS : VCS_OK;
    }
    int outside = (double)value < row->least || (double)value > row->greatest;
    if (row->kind == VCS_KIND_CHOICE) {
        *why = "is a choice that this version of the library does not know";
        return outside ? VCS_ERR_FLAGS : VCS_OK;
    }
    *why = (double)value < row->least ? "is too small" : "is too large";
    return outside ? VCS_ERR_RANGE : VCS_OK;
}

/* One, or several in a row. */
static int check_doubles(const vcs_field_row *row, const unsigned char *at, const char **why) {
    const unsigned char *end = at + row->size;
    int code = VCS_OK;
    for (; code == VCS_OK && at < end; at += sizeof(double)) {
        double value;
        memcpy(&value, at, sizeof value);
        code = check_double(row, value, why);
    }
    return code;
}

int vcs_check_row(const vcs_field_row *row, const void *record, const char **why) {
    const unsigned char *at = (const unsigned char *)record + row->offset;
    uint32_t word;
    switch (row->kind) {
    case VCS_KIND_F64:
        return check_doubles(row, at, why);
    case VCS_KIND_U32:
    case VCS_KIND_FLAGS:
    case VCS_KIND_CHOICE:
        memcpy(&word, at, sizeof word);
        return check_word(row, word, why);
    case VCS_KIND_ZERO:
        *why = "must be 0";
        return is_zero(at, row->size) ? VCS_OK : VCS_ERR_ABI_NEWER;
    default:
        return VCS_OK; /* any value will do, or it is checked where its meaning is known */
    }
}
