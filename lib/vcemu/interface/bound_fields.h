/*
 * The fields of the structs of bound.h; layout.h says how to read them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCEMU_INTERFACE_BOUND_FIELDS_H
#define VCEMU_INTERFACE_BOUND_FIELDS_H

#include "vcsched/interface/check/layout.h"

#include <vcemu/bound.h>

#define VCS_BOUND_FLAGS \
    (VCS_BOUND_NO_JOBS | VCS_BOUND_INFEASIBLE | VCS_BOUND_SPELLS | VCS_BOUND_RESOURCES | VCS_BOUND_MANY_SPELLS)

#define VCS_FIELDS_project_bound(X) \
    X(project_bound, u64, 0, id, "", VCS_U64) \
    X(project_bound, f64, 8, share, "", 0.0, 1.0) \
    X(project_bound, f64, 16, optimal, "", 0.0, 1.0) \
    X(project_bound, f64, 24, hopeless, "", 0.0, 1.0) \
    X(project_bound, f64, 32, any_size, "", 0.0, 1.0) \
    X(project_bound, f64, 40, blind_optimal, "", 0.0, 1.0) \
    X(project_bound, f64, 48, blind_hopeless, "", 0.0, 1.0) \
    X(project_bound, f64, 56, error, "", 0.0, 1.0) \
    X(project_bound, flags, 64, flags, "", 0.0, VCS_BOUND_FLAGS) \
    X(project_bound, u32, 68, resource, "", VCS_U32) \
    X(project_bound, zero, 72, reserved, "", VCS_NO_RANGE)

#define VCS_FIELDS_bound_point(X) \
    X(bound_point, f64, 0, share_violation, "", 0.0, 1.0) \
    X(bound_point, f64, 8, loss, "", 0.0, 1.0) \
    X(bound_point, u32, 16, project, "", VCS_U32) \
    X(bound_point, zero, 20, reserved0, "", VCS_NO_RANGE) \
    X(bound_point, zero, 24, reserved, "", VCS_NO_RANGE)

#define VCS_BOUND_STRUCTS(S) \
    S(project_bound, VCS_TYPE_PROJECT_BOUND, 96, 96, VCS_NUMBERED) \
    S(bound_point, VCS_TYPE_BOUND_POINT, 32, 32, VCS_NUMBERED)

VCS_BOUND_STRUCTS(VCS_DECLARE_LAYOUT)

#endif
