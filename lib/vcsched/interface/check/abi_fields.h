/*
 * The fields of vcs_error and of the structs that describe fields, parameters and reasons; layout.h says how to read
 * them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_CHECK_ABI_FIELDS_H
#define VCS_CHECK_ABI_FIELDS_H

#include "vcsched/interface/check/layout.h"

#include <vcsched/abi.h>
#include <vcsched/parameters.h>
#include <vcsched/reason.h>

#define VCS_FIELDS_error(X) \
    X(error, size, 0, struct_size, "bytes", VCS_U32) \
    X(error, i32, 4, code, "", VCS_I32) \
    X(error, u32, 8, type, "", VCS_U32) \
    X(error, u32, 12, offset, "bytes", VCS_U32) \
    X(error, u64, 16, index, "", VCS_U64) \
    X(error, text, 24, field, "", VCS_NO_RANGE) \
    X(error, text, 56, message, "", VCS_NO_RANGE)

#define VCS_FIELDS_field_info(X) \
    X(field_info, size, 0, struct_size, "bytes", VCS_U32) \
    X(field_info, u32, 4, type, "", VCS_U32) \
    X(field_info, u32, 8, offset, "bytes", VCS_U32) \
    X(field_info, u32, 12, size, "bytes", VCS_U32) \
    X(field_info, text, 16, kind, "", VCS_NO_RANGE) \
    X(field_info, text, 24, name, "", VCS_NO_RANGE) \
    X(field_info, text, 64, unit, "", VCS_NO_RANGE) \
    X(field_info, f64, 88, minimum, "", VCS_ANY) \
    X(field_info, f64, 96, maximum, "", VCS_ANY)

#define VCS_FIELDS_parameter_info(X) \
    X(parameter_info, size, 0, struct_size, "bytes", VCS_U32) \
    X(parameter_info, u32, 4, kind, "", VCS_U32) \
    X(parameter_info, u32, 8, offset, "bytes", VCS_U32) \
    X(parameter_info, u32, 12, choices, "", VCS_U32) \
    X(parameter_info, f64, 16, minimum, "", VCS_ANY) \
    X(parameter_info, f64, 24, maximum, "", VCS_ANY) \
    X(parameter_info, f64, 32, value, "", VCS_ANY) \
    X(parameter_info, text, 96, name, "", VCS_NO_RANGE) \
    X(parameter_info, text, 128, unit, "", VCS_NO_RANGE) \
    X(parameter_info, text, 144, about, "", VCS_NO_RANGE)

#define VCS_FIELDS_reason_info(X) \
    X(reason_info, size, 0, struct_size, "bytes", VCS_U32) \
    X(reason_info, u32, 4, code, "", VCS_U32) \
    X(reason_info, text, 8, name, "", VCS_NO_RANGE) \
    X(reason_info, text, 48, sentence, "", VCS_NO_RANGE)

#define VCS_ABI_STRUCTS(S) \
    S(error, VCS_TYPE_ERROR, 248, 248, VCS_SINGLE) \
    S(field_info, VCS_TYPE_FIELD_INFO, 104, 104, VCS_SINGLE) \
    S(parameter_info, VCS_TYPE_PARAMETER_INFO, 272, 272, VCS_SINGLE) \
    S(reason_info, VCS_TYPE_REASON_INFO, 208, 208, VCS_SINGLE)

VCS_ABI_STRUCTS(VCS_DECLARE_LAYOUT)

#endif
