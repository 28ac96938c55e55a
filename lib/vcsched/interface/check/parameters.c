/* SPDX-License-Identifier: MIT */
#include "vcsched/interface/check/check.h"
#include "vcsched/interface/check/parameter_table.h"
#include "vcsched/interface/fields/parameters_fields.h"

#include <string.h>
#include <vcsched/parameters.h>

#define IN_RPC2003(field, rpc2003, study2007, current, steady, about) .field = rpc2003,
#define IN_STUDY2007(field, rpc2003, study2007, current, steady, about) .field = study2007,
#define IN_CURRENT(field, rpc2003, study2007, current, steady, about) .field = current,
#define IN_STEADY(field, rpc2003, study2007, current, steady, about) .field = steady,

/* All but the size. */
static const vcs_parameters profiles[VCS_PROFILE_COUNT] = {
    [VCS_PROFILE_RPC2003] = {.profile = VCS_PROFILE_RPC2003, VCS_PARAMETERS(IN_RPC2003)},
    [VCS_PROFILE_STUDY2007] = {.profile = VCS_PROFILE_STUDY2007, VCS_PARAMETERS(IN_STUDY2007)},
    [VCS_PROFILE_CURRENT] = {.profile = VCS_PROFILE_CURRENT, VCS_PARAMETERS(IN_CURRENT)},
    [VCS_PROFILE_STEADY] = {.profile = VCS_PROFILE_STEADY, VCS_PARAMETERS(IN_STEADY)},
};

int vcs_parameters_init(vcs_parameters *parameters, uint32_t size, uint32_t profile) {
    const int code = parameters == NULL ? VCS_ERR_NULL : vcs_check_size(VCS_FIRST_parameters, size);
    if (code != VCS_OK || profile >= VCS_PROFILE_COUNT) {
        return code != VCS_OK ? code : VCS_ERR_FLAGS;
    }
    vcs_hand_out(parameters, size, &profiles[profile], sizeof profiles[profile]);
    parameters->struct_size = size;
    return VCS_OK;
}

/* The least must not be above the greatest. */
static int check_bounds(double least, double greatest, uint32_t offset, vcs_error *error) {
    if (least <= greatest) {
        return VCS_OK;
    }
    return vcs_fail(error, VCS_ERR_RANGE, &vcs_parameters_layout, 0, offset, "is less than the corresponding minimum");
}

static int check_values(const vcs_parameters *whole, vcs_error *error) {
    int code = vcs_check_fields(&vcs_parameters_layout, whole, 0, error);
    if (code == VCS_OK) {
        code = check_bounds(whole->backoff_min, whole->backoff_max, VCS_FIELD(vcs_parameters, backoff_max), error);
    }
    if (code == VCS_OK) {
        code = check_bounds(whole->resource_backoff_min, whole->resource_backoff_max,
                            VCS_FIELD(vcs_parameters, resource_backoff_max), error);
    }
    if (code == VCS_OK) {
        code = check_bounds(whole->transfer_backoff_min, whole->transfer_backoff_max,
                            VCS_FIELD(vcs_parameters, transfer_backoff_max), error);
    }
    return code;
}

/* Fields beyond the struct of an older caller get the values of its profile; that this exists is checked later. */
static void complete(vcs_parameters *taken) {
    uint32_t size = taken->struct_size;
    if (size < sizeof *taken && taken->profile < VCS_PROFILE_COUNT) {
        memcpy((unsigned char *)taken + size, (const unsigned char *)&profiles[taken->profile] + size,
               sizeof *taken - size);
    }
}

int vcs_parameters_read(const vcs_parameters **parameters, vcs_parameters *copy, vcs_error *error) {
    const vcs_parameters *callers = *parameters;
    if (callers == NULL) {
        return vcs_fail(error, VCS_ERR_NULL, &vcs_parameters_layout, 0, VCS_WHOLE_RECORD, "are NULL");
    }
    int code = vcs_check_size(VCS_FIRST_parameters, callers->struct_size);
    if (code != VCS_OK) {
        return vcs_fail(error, code, &vcs_parameters_layout, 0, VCS_FIELD(vcs_parameters, struct_size),
                        "matches no known version of vcs_parameters; fill it with vcs_parameters_init");
    }
    if (callers->struct_size != sizeof *copy) {
        if (vcs_copy_struct(copy, sizeof *copy, callers, callers->struct_size) != VCS_OK) {
            return vcs_fail(error, VCS_ERR_ABI_NEWER, &vcs_parameters_layout, 0, VCS_WHOLE_RECORD,
                            "have fields set that this version of the library does not know");
        }
        complete(copy);
        *parameters = copy;
    }
    return check_values(*parameters, error);
}

int vcs_parameters_copy(vcs_parameters *known, const vcs_parameters *callers, vcs_error *error) {
    vcs_parameters copy;
    int code = vcs_parameters_read(&callers, &copy, error);
    if (code == VCS_OK) {
        *known = *callers;
    }
    return code;
}

int vcs_parameters_check(const vcs_parameters *parameters, vcs_error *error) {
    vcs_parameters copy;
    int code = vcs_check_error(error);
    return code != VCS_OK ? code : vcs_parameters_read(&parameters, &copy, error);
}
